import type * as pulumi from "@pulumi/pulumi";
import type { DomainMonitoringClient } from "../client/client";

/**
 * Options of a function: the ones of every Pulumi function, and `client`. A function runs in the
 * program, not in a plugin, so options about plugins have no effect.
 */
// Not `extends pulumi.InvokeOptions`, which refuses undefined under `exactOptionalPropertyTypes`.
export interface FunctionOptions
  extends Omit<
    pulumi.InvokeOptions,
    "parent" | "provider" | "version" | "pluginDownloadURL" | "async"
  > {
  /**
   * A resource whose provider is used if `provider` is not given, as for its children.
   * @default none
   */
  parent?: pulumi.Resource | undefined;

  /**
   * The account to use: a {@link Provider}. @default the parent's, else the account of stack config
   * and environment
   */
  provider?: pulumi.ProviderResource | undefined;

  /** The client to use instead of all settings. @default none */
  client?: DomainMonitoringClient | undefined;

  /** No effect: the function runs in the program, not in a plugin. */
  version?: string | undefined;

  /** No effect, as `version`. */
  pluginDownloadURL?: string | undefined;

  /** No effect: the promise form always returns a promise. */
  async?: boolean | undefined;
}

/** Options of a function's Output form. */
// Not `extends pulumi.InvokeOutputOptions`, which older supported versions of the SDK do not have.
export interface OutputFunctionOptions extends FunctionOptions {
  /**
   * Resources that must exist first, including a component's children; until they do, the result is
   * unknown.
   */
  dependsOn?:
    | pulumi.Input<pulumi.Input<pulumi.Resource>[]>
    | pulumi.Input<pulumi.Resource>
    | undefined;
}

/** Arguments whose members may be outputs, at every level. */
export type InputsOf<T> = T extends readonly (infer Item)[]
  ? pulumi.Input<Item>[]
  : T extends object
    ? { [Name in keyof T]: T[Name] extends undefined ? undefined : pulumi.Input<InputsOf<T[Name]>> }
    : T;
