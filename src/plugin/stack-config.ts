/** The stack's configuration, of which the engine sends an explicit provider nothing as arguments. */
import { LIFECYCLE_KEY } from "../names";
import type { Properties } from "../provider/boundary";

/** Name of a setting without the namespace of its key. */
export function keyName(key: string): string {
  return key.slice(key.indexOf(":") + 1);
}

/** What the engine starts every plugin with: `PULUMI_CONFIG` has the keys of its namespace, without that, as JSON. */
export function configOfStack({ PULUMI_CONFIG: config }: NodeJS.ProcessEnv): Properties {
  try {
    const parsed: unknown = JSON.parse(config ?? "{}");
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

/** The stack's lifecycle. */
export function lifecycleOfStack(environment: NodeJS.ProcessEnv): string | undefined {
  const lifecycle = configOfStack(environment)[keyName(LIFECYCLE_KEY)];
  return typeof lifecycle === "string" ? lifecycle : undefined;
}
