/** The stack's configuration, of which the engine sends an explicit provider nothing as arguments. */
import type { Properties } from "../provider/boundary";

/** Name of a setting without the namespace of its key. */
export function keyName(key: string): string {
  return key.slice(key.indexOf(":") + 1);
}

/** The config that the engine starts every plugin with: `PULUMI_CONFIG` has the keys of its namespace, without that, as JSON. */
export function configOfStack({ PULUMI_CONFIG: config }: NodeJS.ProcessEnv): Properties {
  try {
    const parsed: unknown = JSON.parse(config ?? "{}");
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

/** A setting of the stack, by its full key. */
export function settingOfStack(key: string, environment: NodeJS.ProcessEnv): string | undefined {
  const setting = configOfStack(environment)[keyName(key)];
  return typeof setting === "string" ? setting : undefined;
}
