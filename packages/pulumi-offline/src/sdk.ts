/**
 * The parts of the SDK that this engine uses beside the messages of its protocol. gRPC and protobuf
 * must be the SDK's own copies, so they are resolved from its location, as are its internals, which
 * have no types.
 */
import type { AsyncLocalStorage } from "node:async_hooks";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Client } from "@grpc/grpc-js";
import type {
  JavaScriptValue,
  Struct as StructMessage,
} from "google-protobuf/google/protobuf/struct_pb";
import type { Properties } from "./state/values";

const fromSdk = createRequire(require.resolve("@pulumi/pulumi"));

export const grpc: typeof import("@grpc/grpc-js") = fromSdk("@grpc/grpc-js");

export const { Empty }: typeof import("google-protobuf/google/protobuf/empty_pb") = fromSdk(
  "google-protobuf/google/protobuf/empty_pb",
);

const { Struct }: typeof import("google-protobuf/google/protobuf/struct_pb") = fromSdk(
  "google-protobuf/google/protobuf/struct_pb",
);

export const { satisfies }: { satisfies(version: string, range: string): boolean } =
  fromSdk("semver");

export const { load: parseYaml }: { load(text: string): unknown } = fromSdk("js-yaml");

/**
 * The message that answers a function of a program: in newer versions a message of the monitor, in
 * older ones the provider's.
 */
export const InvokeResponse: typeof import("@pulumi/pulumi/proto/provider_pb").InvokeResponse =
  fromSdk("@pulumi/pulumi/proto/resource_pb").ResourceInvokeResponse ??
  fromSdk("@pulumi/pulumi/proto/provider_pb").InvokeResponse;

/**
 * The Automation API's runner of a program in this process, which gives it a runtime state of its
 * own.
 */
interface LanguageServer {
  run(
    call: { request: unknown },
    callback: (error: Error | null | undefined) => void,
  ): Promise<void>;
}

export const {
  LanguageServer,
}: { LanguageServer: new (program: () => Promise<unknown>) => LanguageServer } = fromSdk(
  "@pulumi/pulumi/automation/server",
);

/**
 * The parts of a program's runtime state that this engine uses: the connections through which it
 * calls the engine.
 */
export interface RuntimeState {
  settings: { monitor?: Client; engine?: Client };
}

/** The stack as a program's runtime knows it. */
interface StackOptions {
  project: string;
  stack: string;
  organization: string;
  dryRun: boolean;
}

const state: {
  LocalStore: new () => { settings: { options: Partial<StackOptions> }; supportsSecrets: boolean };

  /** In older versions; in newer ones it is a global. */
  asyncLocalStorage?: AsyncLocalStorage<unknown>;
  getStore(): RuntimeState;
} = fromSdk("@pulumi/pulumi/runtime/state");

/** The runtime's state of the program that is running here. */
export const runtimeState = state.getStore;

/** Runs a function with a runtime state of its own, as a program of this stack has it. */
export function inRuntimeState<T>(options: Partial<StackOptions>, run: () => T): T {
  const store = new state.LocalStore();

  Object.assign(store.settings.options, options);
  store.supportsSecrets = true;
  const storage: AsyncLocalStorage<unknown> =
    state.asyncLocalStorage ?? Reflect.get(globalThis, "asyncLocalStorage");

  return storage.run(store, run);
}

/** The path of one of the SDK's own programs, as a project in `directory` resolves it. */
export function sdkScript(directory: string, script: "run" | "dynamic-provider"): string {
  return createRequire(join(directory, "any.js")).resolve(`@pulumi/pulumi/cmd/${script}`);
}

/** Raised from the 4 MB that gRPC allows, as the SDK and the real engine do. */
export const MESSAGE_SIZE = { "grpc.max_receive_message_length": 400 * 1024 * 1024 };

/**
 * Options of this engine's clients. gRPC shares a connection between the clients of an address, and
 * the Automation API leaves clients of a program in this process behind: one that waits to connect
 * again would make ours fail on the same port.
 */
export const CLIENT_OPTIONS = { ...MESSAGE_SIZE, "grpc.use_local_subchannel_pool": 1 };

export function toStruct(properties: Properties): StructMessage {
  return Struct.fromJavaScript(properties as Record<string, JavaScriptValue>);
}

export function fromStruct(struct: StructMessage | undefined): Properties {
  return struct?.toJavaScript() ?? {};
}
