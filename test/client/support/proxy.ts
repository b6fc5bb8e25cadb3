/** Proxy variables for one test. */
import { closeLater } from "./cleanup";

const NAMES = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"] as const;
export const PROXY_VARIABLES = [...NAMES, "all_proxy", "ALL_PROXY"] as const;
const VARIABLES = [...PROXY_VARIABLES, "no_proxy", "NO_PROXY"];

/** Sets these variables alone until the test is over. */
export function useProxies(
  addresses: Partial<Record<(typeof PROXY_VARIABLES)[number], string>>,
): void {
  const before = VARIABLES.map((name) => [name, process.env[name]] as const);
  for (const name of VARIABLES) delete process.env[name];
  Object.assign(process.env, addresses);
  closeLater(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
}

/** Sets `HTTPS_PROXY` alone until the test is over. */
export function useProxy(address: string): void {
  useProxies({ HTTPS_PROXY: address });
}
