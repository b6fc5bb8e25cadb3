/**
 * The one place that loads gRPC, the SDK's protocol stubs and its internals. gRPC and protobuf must be the
 * SDK's own copies, so they are resolved from its location.
 */
import type { AsyncLocalStorage } from "node:async_hooks";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Properties } from "./state/values";

/** The SDK's modules, with the internals that this engine uses. */
export interface Sdk {
  grpc: typeof import("@grpc/grpc-js");
  alias: typeof import("@pulumi/pulumi/proto/alias_pb");
  callback: typeof import("@pulumi/pulumi/proto/callback_pb");
  callbackService: typeof import("@pulumi/pulumi/proto/callback_grpc_pb");
  empty: typeof import("google-protobuf/google/protobuf/empty_pb");
  struct: typeof import("google-protobuf/google/protobuf/struct_pb");
  engine: typeof import("@pulumi/pulumi/proto/engine_pb");
  engineService: typeof import("@pulumi/pulumi/proto/engine_grpc_pb");
  language: typeof import("@pulumi/pulumi/proto/language_pb");
  provider: typeof import("@pulumi/pulumi/proto/provider_pb");
  providerService: typeof import("@pulumi/pulumi/proto/provider_grpc_pb");
  resource: typeof import("@pulumi/pulumi/proto/resource_pb");
  resourceService: typeof import("@pulumi/pulumi/proto/resource_grpc_pb");
  status: typeof import("@pulumi/pulumi/proto/status_pb");
  /** The message that answers a function of a program: in newer versions a message of the monitor, in older ones the provider's. */
  InvokeResponse: typeof import("@pulumi/pulumi/proto/provider_pb").InvokeResponse;
  /** `@pulumi/pulumi/automation/server`: runs a program in this process, with a runtime state of its own. */
  LanguageServer: new (
    program: () => Promise<unknown>,
  ) => LanguageServer;
  /** Waits until the program's registrations are through, and ends its connection. */
  disconnect(): Promise<void>;
  /** The runtime's state of the program that is running here. */
  runtimeState(): RuntimeState;
  /** Runs a function with a runtime state of its own, as a program of this stack has it. */
  inRuntimeState<T>(options: Partial<StackOptions>, run: () => T): T;
  /** Properties as programs and mocks have them, from the form in which they travel, and back. */
  deserializeProperties(struct: Struct): Properties;
  serializeProperties(label: string, properties: Properties): Promise<Properties>;
  parseYaml(text: string): unknown;
  satisfies(range: string): boolean;
  version: string;
}

/** The parts of the Automation API's language server that this engine uses. */
export interface LanguageServer {
  run(call: { request: unknown }, callback: (error: Error | null | undefined) => void): Promise<void>;
}

/** The parts of the runtime's state that this engine uses: the connections through which a program calls the engine. */
export interface RuntimeState {
  settings: { monitor: unknown; engine: unknown };
}

/** The stack as a program's runtime knows it. */
interface StackOptions {
  project: string;
  stack: string;
  organization: string;
  dryRun: boolean;
}

/** The module of the runtime's state. In older versions it has the storage, in newer ones that is a global. */
interface StateModule {
  LocalStore: new () => { settings: { options: Partial<StackOptions> }; supportsSecrets: boolean };
  asyncLocalStorage?: AsyncLocalStorage<unknown>;
  getStore(): RuntimeState;
}

let loaded: Sdk | undefined;

/** The SDK that this package shares with the program. */
export function loadSdk(): Sdk {
  loaded ??= load();
  return loaded;
}

function load(): Sdk {
  const fromSdk = createRequire(require.resolve("@pulumi/pulumi"));
  const { version } = fromSdk("@pulumi/pulumi/version") as { version: string };
  const semver = fromSdk("semver") as { satisfies(version: string, range: string): boolean };
  const state = fromSdk("@pulumi/pulumi/runtime/state") as StateModule;
  const runtime = fromSdk("@pulumi/pulumi/runtime") as Pick<
    Sdk,
    "disconnect" | "deserializeProperties" | "serializeProperties"
  >;
  return {
    grpc: fromSdk("@grpc/grpc-js"),
    alias: fromSdk("@pulumi/pulumi/proto/alias_pb"),
    callback: fromSdk("@pulumi/pulumi/proto/callback_pb"),
    callbackService: fromSdk("@pulumi/pulumi/proto/callback_grpc_pb"),
    empty: fromSdk("google-protobuf/google/protobuf/empty_pb"),
    struct: fromSdk("google-protobuf/google/protobuf/struct_pb"),
    engine: fromSdk("@pulumi/pulumi/proto/engine_pb"),
    engineService: fromSdk("@pulumi/pulumi/proto/engine_grpc_pb"),
    language: fromSdk("@pulumi/pulumi/proto/language_pb"),
    provider: fromSdk("@pulumi/pulumi/proto/provider_pb"),
    providerService: fromSdk("@pulumi/pulumi/proto/provider_grpc_pb"),
    resource: fromSdk("@pulumi/pulumi/proto/resource_pb"),
    resourceService: fromSdk("@pulumi/pulumi/proto/resource_grpc_pb"),
    status: fromSdk("@pulumi/pulumi/proto/status_pb"),
    InvokeResponse:
      fromSdk("@pulumi/pulumi/proto/resource_pb").ResourceInvokeResponse ??
      fromSdk("@pulumi/pulumi/proto/provider_pb").InvokeResponse,
    LanguageServer: fromSdk("@pulumi/pulumi/automation/server").LanguageServer,
    disconnect: runtime.disconnect,
    runtimeState: state.getStore,
    inRuntimeState(options, run) {
      const store = new state.LocalStore();
      Object.assign(store.settings.options, options);
      store.supportsSecrets = true;
      const storage: AsyncLocalStorage<unknown> =
        state.asyncLocalStorage ?? Reflect.get(globalThis, "asyncLocalStorage");
      return storage.run(store, run);
    },
    deserializeProperties: runtime.deserializeProperties,
    serializeProperties: runtime.serializeProperties,
    parseYaml: (fromSdk("js-yaml") as { load(text: string): unknown }).load,
    satisfies: (range) => semver.satisfies(version, range),
    version,
  };
}

/** The path of one of the SDK's own programs, as a project in `directory` resolves it. */
export function sdkScript(directory: string, script: "run" | "dynamic-provider"): string {
  return createRequire(join(directory, "any.js")).resolve(`@pulumi/pulumi/cmd/${script}`);
}

/** Raised from the 4 MB that gRPC allows, as the SDK and the real engine do. */
export const MESSAGE_SIZE = { "grpc.max_receive_message_length": 400 * 1024 * 1024 };

/**
 * Options of this engine's clients. gRPC shares a connection between the clients of an address, and a program that was
 * abandoned leaves a client of its monitor behind: without a pool of its own, the client of a provider process that is
 * given the monitor's former port would fail while that one waits to connect again.
 */
export const CLIENT_OPTIONS = { ...MESSAGE_SIZE, "grpc.use_local_subchannel_pool": 1 };

export function toStruct(properties: Properties): Struct {
  return loadSdk().struct.Struct.fromJavaScript(properties as Record<string, JavaScriptValue>);
}

export function fromStruct(struct: Struct | undefined): Properties {
  return struct?.toJavaScript() ?? {};
}
