/** Checks the lifecycle of the stack's channels. */
import { DomainMonitoringError } from "../../client/errors";
import { resolveLifecycle } from "../../config";
import { LIFECYCLE_KEY, type Lifecycle } from "../../names";
import { type StackConfig, settingsIn } from "../stack";
import { about, type Check } from "./check";

/** @param config undefined if it could not be read */
export function checkLifecycle(config: StackConfig | undefined): { check: Check; lifecycle?: Lifecycle } {
  const { ok, fix, note } = about("lifecycle");
  if (!config) return { check: note(`not known, as stack config ${LIFECYCLE_KEY} was not read`) };
  const entry = config.get(LIFECYCLE_KEY);
  if (entry?.secret) return { check: note(`a secret in stack config ${LIFECYCLE_KEY}, not read`) };
  try {
    const lifecycle = resolveLifecycle({ stackConfig: settingsIn(config) });
    const origin = entry?.value ? `from stack config ${LIFECYCLE_KEY}` : "the default";
    return { check: ok(`${lifecycle}, ${origin}`), lifecycle };
  } catch (error) {
    if (!(error instanceof DomainMonitoringError)) throw error;
    return { check: fix(error.message) };
  }
}
