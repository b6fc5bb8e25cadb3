/** Lists of the local service with records as it would never send them. */
import type { Emulator, EmulatorOperation } from "../../packages/domain-monitoring-emulator/src";

export type Fields = Record<string, unknown>;

/** Serves the current list at this path with changed records, until the faults are cleared. */
export async function serveOddly(
  service: Emulator,
  operation: EmulatorOperation,
  path: string,
  change: (record: Fields) => unknown,
): Promise<void> {
  const headers = { authorization: `Bearer ${service.token}` };
  const answer = await fetch(`${service.url}/api/domains${path}`, { headers });
  const page: { data: Fields[] } = JSON.parse(await answer.text());
  service.fault({
    operation,
    status: 200,
    times: "always",
    body: { ...page, data: page.data.map(change) },
  });
}
