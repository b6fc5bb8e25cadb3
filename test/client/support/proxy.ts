/** Proxy variables for one test. */

/** A host that no resolver knows (RFC 2606): only a proxy could reach it. */
export const BEHIND_PROXY = "https://monitoring.invalid";

const NAMES = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"] as const;
export const PROXY_VARIABLES = [...NAMES, "all_proxy", "ALL_PROXY"] as const;
const VARIABLES: string[] = [...PROXY_VARIABLES, "no_proxy", "NO_PROXY"];

/** Sets these variables alone until the mocks of the test are restored. */
export function useProxies(
  addresses: Partial<Record<(typeof PROXY_VARIABLES)[number], string>>,
): void {
  const others = Object.entries(process.env).filter(([name]) => !VARIABLES.includes(name));
  jest.replaceProperty(process, "env", { ...Object.fromEntries(others), ...addresses });
}
