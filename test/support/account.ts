/** The account of a service, as stacks and commands are told of it. */
import type { Emulator } from "../../packages/domain-monitoring-emulator/src";

export type Account = Pick<Emulator, "url" | "token">;

/** As configuration of a stack. */
export function settingsFor({ url, token }: Account) {
  return {
    config: { "domain-monitoring:baseUrl": url },
    secrets: { "domain-monitoring:apiToken": token },
  };
}

/** As variables of a process. */
export function environmentFor({ url, token }: Account) {
  return { DOMAIN_MONITORING_BASE_URL: url, DOMAIN_MONITORING_API_TOKEN: token };
}
