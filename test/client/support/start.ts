/** What a test starts together: a service with its client, and a dispatcher of the caller's. */
import { Agent } from "undici";
import type { ClientOptions } from "../../../src/client/options";
import { closeLater } from "./cleanup";
import { clientOf, failureOf, getDomain } from "./client";
import { type Step, startService } from "./service";

/** A service that takes these steps, and a client of it. */
export async function startClient(steps?: Step[], options?: Partial<ClientOptions>) {
  const service = await startService(steps);
  return { service, client: clientOf(service.url, options) };
}

/** The error of a call that a service makes fail by these steps, and the service. */
export async function failureFrom(
  steps: Step[],
  call = getDomain,
  options?: Partial<ClientOptions>,
) {
  const { service, client } = await startClient(steps, options);
  return { error: await failureOf(call(client)), service };
}

/** A dispatcher that ends with the test: a client leaves it open. */
export function startAgent(options?: Agent.Options): Agent {
  const agent = new Agent(options);
  closeLater(() => agent.destroy());

  return agent;
}
