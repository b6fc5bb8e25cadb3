/** The stack's configuration, of which the engine sends an explicit provider nothing as arguments. */
import { LIFECYCLE_KEY } from "../names";

/** The stack's lifecycle, from what the engine starts every plugin with: `PULUMI_CONFIG` has the keys of its namespace, as JSON. */
export function lifecycleOfStack({ PULUMI_CONFIG: config }: NodeJS.ProcessEnv): string | undefined {
  const name = LIFECYCLE_KEY.slice(LIFECYCLE_KEY.indexOf(":") + 1);
  try {
    const lifecycle: unknown = JSON.parse(config ?? "{}")[name];
    return typeof lifecycle === "string" ? lifecycle : undefined;
  } catch {
    return undefined;
  }
}
