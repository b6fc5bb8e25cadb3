/** Proxy variables for one test. */
import { closeLater } from "./cleanup";

const VARIABLES = ["http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];

/** Sets `HTTPS_PROXY` alone until the test is over. */
export function useProxy(address: string): void {
  const before = VARIABLES.map((name) => [name, process.env[name]] as const);
  for (const name of VARIABLES) delete process.env[name];
  process.env.HTTPS_PROXY = address;
  closeLater(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
}
