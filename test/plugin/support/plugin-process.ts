/**
 * The bundled plugin in a process of its own, asked over gRPC as the engine asks it, with an engine's log beside it. What the
 * engine itself does of this is proven in `programs.test.ts`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import type { ServiceError } from "@grpc/grpc-js";
import type * as Messages from "@pulumi/pulumi/proto/provider_pb";
import type { JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Properties } from "../../../src/provider/boundary";

// gRPC and protobuf must be the SDK's very copies.
const fromSdk = createRequire(require.resolve("@pulumi/pulumi"));
const grpc: typeof import("@grpc/grpc-js") = fromSdk("@grpc/grpc-js");
const struct: typeof import("google-protobuf/google/protobuf/struct_pb") = fromSdk(
  "google-protobuf/google/protobuf/struct_pb",
);
const empty: typeof import("google-protobuf/google/protobuf/empty_pb") = fromSdk(
  "google-protobuf/google/protobuf/empty_pb",
);
const messages: typeof Messages = fromSdk("@pulumi/pulumi/proto/provider_pb");
const services: typeof import("@pulumi/pulumi/proto/provider_grpc_pb") = fromSdk(
  "@pulumi/pulumi/proto/provider_grpc_pb",
);
const plugin: typeof import("@pulumi/pulumi/proto/plugin_pb") = fromSdk("@pulumi/pulumi/proto/plugin_pb");
const engineServices: typeof import("@pulumi/pulumi/proto/engine_grpc_pb") = fromSdk(
  "@pulumi/pulumi/proto/engine_grpc_pb",
);
const status: typeof import("@pulumi/pulumi/proto/status_pb") = fromSdk("@pulumi/pulumi/proto/status_pb");

/** The form that is tested: the script, or the one with Node inside (`npm run release -- standalone`). */
const isStandalone = process.env.PLUGIN_FORM === "standalone";

/** What `npm run build:plugin` has built. */
export const PLUGIN_DIRECTORY = path.join(
  __dirname,
  "../../..",
  isStandalone ? "dist-standalone" : "dist-plugin",
);
export const RELEASE_DIRECTORY = path.join(__dirname, "../../../dist-release");
export const EXECUTABLE = path.join(PLUGIN_DIRECTORY, "pulumi-resource-domain-monitoring");

const TYPE = "domain-monitoring:index:NotificationChannel";
const CHANNEL_URN = `urn:pulumi:test::test::${TYPE}::ops`;
const DEFAULT_PROVIDER = "urn:pulumi:test::test::pulumi:providers:domain-monitoring::default_0_1_0";
const EXPLICIT_PROVIDER = "urn:pulumi:test::test::pulumi:providers:domain-monitoring::other";

/** Whose settings a call is about: the engine's own provider, an explicit one, or one of this name. */
export interface ProviderOptions {
  explicit?: boolean;
  name?: string;
}

function providerUrn({ explicit = false, name }: ProviderOptions): string {
  if (name !== undefined) return `urn:pulumi:test::test::pulumi:providers:domain-monitoring::${name}`;
  return explicit ? EXPLICIT_PROVIDER : DEFAULT_PROVIDER;
}

/** A line that the plugin logged. */
export interface Logged {
  urn: string;
  message: string;
  severity: number;
}

/** A failed call as the engine gets it. */
export class CallFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
    /** Present where the resource exists all the same. */
    readonly partial: { id: string; properties: Properties; reasons: string[] } | undefined,
  ) {
    super(message);
  }
}

/** A secret as it travels. */
export function secret(value: unknown): Properties {
  return { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value };
}

/** How a plugin is started. */
export interface PluginOptions {
  /** Environment variables besides PATH. @default none */
  env?: Record<string, string>;
  /** What is run instead of the plugin's own file. */
  command?: string[];
}

export class PluginProcess {
  /** What the plugin logged, in order. */
  readonly logged: Logged[];
  #printed = "";

  private constructor(
    private readonly child: ChildProcess,
    private readonly client: InstanceType<typeof services.ResourceProviderClient>,
    private readonly engine: { logged: Logged[]; close(): void },
  ) {
    this.logged = engine.logged;
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#printed += text;
      });
  }

  static async start({ env = {}, command }: PluginOptions = {}): Promise<PluginProcess> {
    const engine = await startEngineLog();
    const [file = "", ...args] = command ?? [EXECUTABLE];
    const child = spawn(file, [...args, "--logtostderr", engine.address], {
      env: { PATH: isStandalone ? "" : process.env.PATH, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    try {
      const port = await firstLine(child);
      const client = new services.ResourceProviderClient(
        `127.0.0.1:${port}`,
        grpc.credentials.createInsecure(),
      );
      return new PluginProcess(child, client, engine);
    } catch (error) {
      child.kill("SIGKILL");
      engine.close();
      throw error;
    }
  }

  /** All that it has printed since the port. */
  get printed(): string {
    return this.#printed;
  }

  configure(args: Properties, provider: ProviderOptions = {}) {
    const request = new messages.ConfigureRequest()
      .setUrn(providerUrn(provider))
      .setArgs(toStruct(args))
      .setAcceptsecrets(true)
      .setAcceptresources(true);
    return answer<Messages.ConfigureResponse>((done) => this.client.configure(request, done)).then(
      (response) => response.toObject(),
    );
  }

  async checkConfig(news: Properties, provider: ProviderOptions = {}) {
    const request = new messages.CheckRequest().setUrn(providerUrn(provider)).setNews(toStruct(news));
    return checked(await answer<Messages.CheckResponse>((done) => this.client.checkConfig(request, done)));
  }

  async check(news: Properties, olds: Properties = {}, urn = CHANNEL_URN) {
    const request = new messages.CheckRequest().setUrn(urn).setOlds(toStruct(olds)).setNews(toStruct(news));
    return checked(await answer<Messages.CheckResponse>((done) => this.client.check(request, done)));
  }

  async diff(id: string, olds: Properties, news: Properties) {
    const request = new messages.DiffRequest()
      .setId(id)
      .setUrn(CHANNEL_URN)
      .setOlds(toStruct(olds))
      .setNews(toStruct(news));
    const response = await answer<Messages.DiffResponse>((done) => this.client.diff(request, done));
    const detailed: Record<string, string | undefined> = {};
    response.getDetaileddiffMap().forEach((property, name) => {
      detailed[name] = KINDS[property.getKind()];
    });
    return {
      ...differenceIn(response),
      deleteBeforeReplace: response.getDeletebeforereplace(),
      ...(response.getHasdetaileddiff() && { detailed }),
    };
  }

  async create(inputs: Properties, { preview = false, timeout = 0 } = {}) {
    const request = new messages.CreateRequest()
      .setUrn(CHANNEL_URN)
      .setProperties(toStruct(inputs))
      .setPreview(preview)
      .setTimeout(timeout);
    const response = await answer<Messages.CreateResponse>((done) => this.client.create(request, done));
    return { id: response.getId(), properties: fromStruct(response.getProperties()) };
  }

  async read(id: string, properties?: Properties) {
    const request = new messages.ReadRequest().setId(id).setUrn(CHANNEL_URN);
    if (properties) request.setProperties(toStruct(properties));
    const response = await answer<Messages.ReadResponse>((done) => this.client.read(request, done));
    return {
      id: response.getId(),
      properties: fromStruct(response.getProperties()),
      inputs: fromStruct(response.getInputs()),
      /** What the engine takes for a resource that exists. */
      hasProperties: response.hasProperties(),
    };
  }

  async update(id: string, olds: Properties, news: Properties, { preview = false, timeout = 0 } = {}) {
    const request = new messages.UpdateRequest()
      .setId(id)
      .setUrn(CHANNEL_URN)
      .setOlds(toStruct(olds))
      .setNews(toStruct(news))
      .setPreview(preview)
      .setTimeout(timeout);
    const response = await answer<Messages.UpdateResponse>((done) => this.client.update(request, done));
    return fromStruct(response.getProperties());
  }

  async delete(id: string, properties: Properties, { timeout = 0 } = {}): Promise<void> {
    const request = new messages.DeleteRequest()
      .setId(id)
      .setUrn(CHANNEL_URN)
      .setProperties(toStruct(properties))
      .setTimeout(timeout);
    await answer((done) => this.client.delete(request, done));
  }

  async invoke(name: string, args: Properties): Promise<Properties> {
    const request = new messages.InvokeRequest()
      .setTok(`domain-monitoring:index:${name}`)
      .setArgs(toStruct(args));
    const response = await answer<Messages.InvokeResponse>((done) => this.client.invoke(request, done));
    return fromStruct(response.getReturn());
  }

  async schema(): Promise<string> {
    const request = new messages.GetSchemaRequest();
    return (
      await answer<Messages.GetSchemaResponse>((done) => this.client.getSchema(request, done))
    ).getSchema();
  }

  async version(): Promise<string> {
    type Info = import("@pulumi/pulumi/proto/plugin_pb").PluginInfo;
    return (await answer<Info>((done) => this.client.getPluginInfo(new empty.Empty(), done))).getVersion();
  }

  async cancel(): Promise<void> {
    await answer((done) => this.client.cancel(new empty.Empty(), done));
  }

  async attach(address: string): Promise<void> {
    await answer((done) => this.client.attach(new plugin.PluginAttach().setAddress(address), done));
  }

  async diffConfig(oldInputs: Properties, news: Properties, provider: ProviderOptions = {}) {
    const request = new messages.DiffRequest()
      .setUrn(providerUrn(provider))
      .setOldInputs(toStruct(oldInputs))
      .setNews(toStruct(news));
    return differenceIn(await answer<Messages.DiffResponse>((done) => this.client.diffConfig(request, done)));
  }

  async handshake(): Promise<void> {
    const request = new messages.ProviderHandshakeRequest().setEngineAddress(this.engineAddress);
    await answer((done) => this.client.handshake(request, done));
  }

  readonly engineAddress = "127.0.0.1:1";

  /** Does what the engine's end does: its side of standard input is closed. Resolves with the exit code. */
  loseEngine(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.child.once("close", resolve));
    this.child.stdin?.end();
    return ended;
  }

  async stop(): Promise<void> {
    this.client.close();
    this.engine.close();
    if (this.child.exitCode !== null) return;
    const closed = new Promise((resolve) => this.child.once("close", resolve));
    if (this.child.kill("SIGKILL")) await closed;
  }
}

/** An engine that takes log lines and does nothing else. */
export async function startEngineLog(): Promise<{ address: string; logged: Logged[]; close(): void }> {
  const logged: Logged[] = [];
  const server = new grpc.Server();
  server.addService(engineServices.EngineService, {
    log: (call: { request: import("@pulumi/pulumi/proto/engine_pb").LogRequest }, done: Done<unknown>) => {
      const { request } = call;
      logged.push({
        urn: request.getUrn(),
        message: request.getMessage(),
        severity: request.getSeverity(),
      });
      done(null, new empty.Empty());
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { address: `127.0.0.1:${port}`, logged, close: () => server.forceShutdown() };
}

const KINDS = ["add", "add-replace", "delete", "delete-replace", "update", "update-replace"] as const;

function differenceIn(response: Messages.DiffResponse) {
  return {
    changes: (["unknown", "none", "some"] as const)[response.getChanges()],
    diffs: response.getDiffsList(),
    replaces: response.getReplacesList(),
  };
}

type Done<R> = (error: ServiceError | null, response: R) => void;

function answer<R>(call: (done: Done<R>) => unknown): Promise<R> {
  return new Promise((resolve, reject) => {
    call((error, response) => (error ? reject(toFailure(error)) : resolve(response)));
  });
}

function toFailure(error: ServiceError): CallFailure {
  const [packed] = error.metadata.get("grpc-status-details-bin");
  const details = Buffer.isBuffer(packed) ? status.Status.deserializeBinary(packed).getDetailsList() : [];
  const detail = details.find((any) => any.getTypeName() === "pulumirpc.ErrorResourceInitFailed");
  const init = detail && messages.ErrorResourceInitFailed.deserializeBinary(detail.getValue_asU8());
  const partial = init && {
    id: init.getId(),
    properties: fromStruct(init.getProperties()),
    reasons: init.getReasonsList(),
  };
  return new CallFailure(error.code, error.details, partial);
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const read = (chunk: Buffer) => {
      text += chunk;
      if (!text.includes("\n")) return;
      child.stdout?.off("data", read);
      const [line = ""] = text.split("\n");
      if (/^\d+$/.test(line)) resolve(line);
      else reject(new Error(line));
    };
    child.stdout?.on("data", read);
    child.once("error", reject);
    child.once("close", () => reject(new Error(`the plugin ended before it was ready: ${text}`)));
  });
}

function checked(response: Messages.CheckResponse) {
  return {
    inputs: fromStruct(response.getInputs()),
    failures: response
      .getFailuresList()
      .map((failure) => ({ property: failure.getProperty(), reason: failure.getReason() })),
  };
}

function toStruct(properties: Properties): Struct {
  return struct.Struct.fromJavaScript(properties as Record<string, JavaScriptValue>);
}

function fromStruct(properties: Struct | undefined): Properties {
  return properties?.toJavaScript() ?? {};
}
