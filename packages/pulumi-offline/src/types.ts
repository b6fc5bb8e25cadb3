/**
 * The offline engine: runs a Pulumi program against the SDK's own language runtime and the SDK's
 * own dynamic-provider process, without the Pulumi command. It is a test engine: it behaves like
 * the real one for dynamic resources, and for what mocks answer for, and refuses everything else by
 * name.
 */

import type { runtime } from "@pulumi/pulumi";

/** Options of `TestStack.create`: exactly one of `program` and `workDir`. */
export interface TestStackOptions {
  /**
   * A program that runs in this process, as in the Automation API. An object that it returns, or
   * promises, becomes the stack's outputs.
   */
  program?: () => unknown;

  /**
   * A directory with a `Pulumi.yaml`, run by the SDK in a process of its own. Configuration is also
   * taken from there: from the stack's `Pulumi.<stack>.yaml`, and from values and defaults in
   * `Pulumi.yaml`, whose declarations are checked.
   */
  workDir?: string;

  /** Project name. @default the name in `Pulumi.yaml`, else `test` */
  project?: string;

  /** Stack name. @default `test` */
  stack?: string;

  /**
   * Stack configuration by full key, such as `domain-monitoring:baseUrl`, over that of files. A key
   * without `:` is the project's. A list or an object is given as JSON.
   */
  config?: Record<string, string>;

  /** The same for values that are secret. */
  secrets?: Record<string, string>;

  /** Environment of the program and of the provider process, over this process's own. */
  env?: Record<string, string | undefined>;

  /**
   * Answers for everything that no dynamic provider serves, as it does with
   * `pulumi.runtime.setMocks`: `newResource` for resources, explicit providers and stack
   * references, `call` for functions and methods. `newResource` is asked when a resource is
   * created; with its `id` when it is updated, imported, or read with `.get`. A preview asks for
   * what is imported or read, and for functions. An id that is left out is `<name>_id`. @default
   * none: such resources are refused
   */
  mocks?: runtime.Mocks;
}

/** Options of an operation on a stack. */
export interface OperationOptions {
  /**
   * Rejects where anything is, or in a preview would be, created, updated, replaced or deleted, and
   * says what.
   * @default false
   */
  expectNoChanges?: boolean;
}

/** Options of an update or its preview. */
export interface UpdateOptions extends OperationOptions {
  /**
   * URNs of the only resources to create, update, replace or delete; all others stay as they are.
   * @default all resources
   */
  target?: readonly string[];

  /**
   * URNs of resources that stay as they are; not together with `target`. What depends on one that
   * does not exist is done without its values. @default none
   */
  exclude?: readonly string[];

  /** URNs of resources to replace although nothing has changed. @default none */
  replace?: readonly string[];

  /**
   * After a failed step, goes on with all resources that do not depend on the failed one, and with
   * the deletions.
   * @default false
   */
  continueOnError?: boolean;
}

/** A kind of step. */
export type Operation =
  | "create"
  | "update"
  | "same"
  | "delete"
  | "replace"
  | "read"
  /** A resource that was only read has left the program: it is forgotten, not deleted. */
  | "discard"
  /** A resource that exists already, which the option `import` names, is taken over. */
  | "import"
  // The parts of a replacement, beside `replace`.
  | "create-replacement"
  | "delete-replaced"
  | "read-replacement"
  | "import-replacement"
  | "discard-replaced"
  /**
   * A resource that an earlier update deleted to replace it has left the program: there is nothing
   * left to delete.
   */
  | "remove-pending-replace";

/** A step that was done to one resource, or in a preview would be. */
export interface StackStep {
  /** The kind of step. */
  operation: Operation;

  /** URN of the resource. */
  urn: string;

  /** Type token of the resource. */
  type: string;

  /** Its name in the program. */
  name: string;

  /** Names of the inputs that differ from before. */
  changed: string[];
}

/** A message of the program, of the provider process or of the engine. */
export interface Diagnostic {
  /** Its severity. */
  severity: "debug" | "info" | "warning" | "error";

  /** Its text, as the engine would show it. */
  message: string;

  /** The resource it belongs to, where known. */
  urn?: string;
}

/** A resource as it is in the stack's state. Secret values are shown as `"[secret]"`. */
export interface StackResource {
  /** Its URN. */
  urn: string;

  /** Type token. */
  type: string;

  /** Its name in the program. */
  name: string;

  /** Id of its provider; none for a component. */
  id: string | undefined;

  /** URN of its parent, where it has one. */
  parent: string | undefined;

  /** The inputs after `check`. */
  inputs: Record<string, unknown>;

  /** Outputs from its provider. */
  outputs: Record<string, unknown>;

  /** Top-level output names that are secret. */
  secretOutputs: string[];
}

/** An output of the stack. */
export interface StackOutput {
  /** Its value, a secret's in clear. */
  value: unknown;

  /** Whether it is a secret. */
  secret: boolean;
}

/** The result of an operation on the stack, or of its preview. */
export interface StackResult {
  /**
   * Number of resources by step, the stack itself left out. A replacement counts once, as
   * `replace`.
   */
  changes: Partial<Record<Operation, number>>;

  /**
   * The same one by one, in the order in which they were done. Beside `replace` are its parts, such
   * as `create-replacement` and `delete-replaced`.
   */
  steps: StackStep[];

  /** Stack outputs; in a preview unknown ones are left out. */
  outputs: Record<string, StackOutput>;

  /** All messages, in order. */
  diagnostics: Diagnostic[];

  /** The state afterwards; in a preview the state before. */
  resources: StackResource[];
}
