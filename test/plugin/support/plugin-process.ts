/** The bundled plugin in a process of its own, with an engine's log beside it. */
import { existsSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Client, MethodDefinition, ServiceError } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService as methods } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from "../../../packages/domain-monitoring-emulator/src";
import { Empty, fromStruct, grpc, toStruct } from "../../../packages/pulumi-offline/src/sdk";
import type { Properties } from "../../../src/provider/boundary";
import { expectNoSecret, TOKEN } from "../../provider/support/channels";
import { standInFor } from "../../support/emulator";
import { failureOf } from "../../support/failure";
import { hasPrinted, type Started, start } from "../../support/run";

/**
 * The tested form: the script, or the executable with Node inside (`npm run release --
 * standalone`).
 */
const isStandalone = process.env.PLUGIN_FORM === "standalone";

/** The output of `npm run build:plugin`. */
export const PLUGIN_DIRECTORY = path.join(
  __dirname,
  "../../..",
  isStandalone ? "dist-standalone" : "dist-plugin",
);

export const RELEASE_DIRECTORY = path.join(__dirname, "../../../dist-release");
export const EXECUTABLE = path.join(PLUGIN_DIRECTORY, "pulumi-resource-domain-monitoring");

// At once, as what a test has started would keep a test file from ending without the plugin.
if (!existsSync(EXECUTABLE))
  throw new Error(
    `the plugin is not built: run \`npm run build:plugin${isStandalone ? " -- --standalone" : ""}\``,
  );

/** The URN of a channel, which calls are about unless a test says otherwise. */
export const CHANNEL_URN =
  "urn:pulumi:test::test::domain-monitoring:index:NotificationChannel::ops";
const PROVIDER_URN = "urn:pulumi:test::test::pulumi:providers:domain-monitoring::";

/** The URN of the engine's own provider. */
export const DEFAULT_PROVIDER = `${PROVIDER_URN}default_0_1_0`;
export const EXPLICIT_PROVIDER = `${PROVIDER_URN}other`;

interface Logged {
  urn: string;
  message: string;
  severity: number;
}

/** A secret in its wire format. */
export function secret(value: unknown): Properties {
  return { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value };
}

/** The error that the engine receives for a failing call: one line without a secret. */
export async function refusalOf(call: Promise<unknown>): Promise<CallFailure> {
  const failure = await failureOf(call, CallFailure);
  expectNoSecret(failure.message);
  expect(failure.message).not.toMatch(/\n/);
  return failure;
}

interface PluginOptions {
  /** Environment variables besides PATH. @default none */
  env?: Record<string, string>;

  /** Command to run instead of the plugin's own file. */
  command?: string[];

  /** URN of the resource in its calls. @default a channel's */
  urn?: string;
}

/** The first line that the plugin prints on standard output. */
const PORT = /^\d+\n/m;

/** The error of a failed call, as the engine gets it. */
class CallFailure extends Error {
  constructor(
    /** gRPC status code. */
    readonly code: number,
    message: string,
    /** Present where the resource exists all the same. */
    readonly partial: { id: string; properties: Properties; reasons: string[] } | undefined,
  ) {
    super(message);
  }
}

/** A running plugin. All of its calls are about one resource. */
export class PluginProcess {
  readonly #client: Client;

  private constructor(
    private readonly started: Started,
    private readonly engine: Awaited<ReturnType<typeof startEngineLog>>,
    private readonly urn: string,
  ) {
    const [port] = PORT.exec(started.printed.output) ?? [];
    const credentials = grpc.credentials.createInsecure();
    this.#client = new grpc.Client(`127.0.0.1:${port?.trim()}`, credentials);
  }

  static async start({
    env = {},
    command: [file = "", ...args] = [EXECUTABLE],
    urn = CHANNEL_URN,
  }: PluginOptions = {}): Promise<PluginProcess> {
    const engine = await startEngineLog();
    try {
      const PATH = isStandalone ? "" : process.env.PATH;
      const started = start(file, [...args, "--logtostderr", engine.address], {
        env: { PATH, ...env },
        input: null,
        until: "end of file",
      });

      await hasPrinted(started, PORT);
      return new PluginProcess(started, engine, urn);
    } catch (error) {
      engine.close();
      throw error;
    }
  }

  /** The plugin's log lines, in order. */
  get logged(): Logged[] {
    return this.engine.logged;
  }

  /** Configures it with stack config as recorded: with its mark, and the token inside an object. */
  configure({ apiToken, ...settings }: Properties) {
    const token = apiToken === undefined ? {} : { apiToken: secret({ token: apiToken }) };
    return this.configureAs(DEFAULT_PROVIDER, { ...settings, usesStackConfig: true, ...token });
  }

  async checkConfig(urn: string, news: Properties) {
    const request = new messages.CheckRequest().setUrn(urn).setNews(toStruct(news));
    return checked(await this.#ask(methods.checkConfig, request));
  }

  /** Compares the settings of an explicit provider. */
  async diffConfig(oldInputs: Properties, news: Properties) {
    const request = new messages.DiffRequest()
      .setUrn(EXPLICIT_PROVIDER)
      .setOldInputs(toStruct(oldInputs))
      .setNews(toStruct(news));

    return differenceIn(await this.#ask(methods.diffConfig, request));
  }

  async invoke(name: string, args: Properties): Promise<Properties> {
    const token = `domain-monitoring:index:${name}`;
    const request = new messages.InvokeRequest().setTok(token).setArgs(toStruct(args));
    return fromStruct((await this.#ask(methods.invoke, request)).getReturn());
  }

  async schema(): Promise<string> {
    return (await this.#ask(methods.getSchema, new messages.GetSchemaRequest())).getSchema();
  }

  async version(): Promise<string> {
    return (await this.#ask(methods.getPluginInfo, new Empty())).getVersion();
  }

  async attach(address: string): Promise<void> {
    await this.#ask(methods.attach, new PluginAttach().setAddress(address));
  }

  async handshake(): Promise<void> {
    await this.#ask(methods.handshake, new messages.ProviderHandshakeRequest());
  }

  /**
   * Closes the plugin's standard input, as the end of an engine does. Resolves with the exit code.
   */
  async loseEngine(): Promise<number | null> {
    this.started.child.stdin.end();
    return (await this.started.finished).code;
  }

  /** Everything that it has printed on either stream since the port. */
  get printed(): string {
    return this.started.printed.output.replace(PORT, "");
  }

  #ask<Q, R>(method: MethodDefinition<Q, R>, request: Q): Promise<R> {
    const { path, requestSerialize: write, responseDeserialize: read } = method;
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(path, write, read, request, (error, response) =>
        error ? reject(toFailure(error)) : resolve(response as R),
      );
    });
  }

  async check(news: Properties, olds: Properties = {}, urn = this.urn) {
    const request = new messages.CheckRequest()
      .setUrn(urn)
      .setOlds(toStruct(olds))
      .setNews(toStruct(news));

    return checked(await this.#ask(methods.check, request));
  }

  async diff(id: string, olds: Properties, news: Properties) {
    const request = new messages.DiffRequest()
      .setId(id)
      .setUrn(this.urn)
      .setOlds(toStruct(olds))
      .setNews(toStruct(news));

    const response = await this.#ask(methods.diff, request);
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

  /** @param timeout in seconds; 0 is the provider's own */
  async create(inputs: Properties, { preview = false, timeout = 0 } = {}) {
    const request = new messages.CreateRequest()
      .setUrn(this.urn)
      .setProperties(toStruct(inputs))
      .setPreview(preview)
      .setTimeout(timeout);

    const response = await this.#ask(methods.create, request);
    return { id: response.getId(), properties: fromStruct(response.getProperties()) };
  }

  async read(id: string, properties?: Properties, urn = this.urn) {
    const request = new messages.ReadRequest().setId(id).setUrn(urn);
    if (properties) request.setProperties(toStruct(properties));
    const response = await this.#ask(methods.read, request);

    return {
      id: response.getId(),
      properties: fromStruct(response.getProperties()),
      /** Undefined where the engine is to keep those that are recorded. */
      inputs: response.hasInputs() ? fromStruct(response.getInputs()) : undefined,
      /** The engine takes a resource with properties for one that exists. */
      hasProperties: response.hasProperties(),
    };
  }

  async update(id: string, olds: Properties, news: Properties, { preview = false } = {}) {
    const request = new messages.UpdateRequest()
      .setId(id)
      .setUrn(this.urn)
      .setOlds(toStruct(olds))
      .setNews(toStruct(news))
      .setPreview(preview);

    return fromStruct((await this.#ask(methods.update, request)).getProperties());
  }

  async delete(id: string, properties: Properties): Promise<void> {
    const request = new messages.DeleteRequest()
      .setId(id)
      .setUrn(this.urn)
      .setProperties(toStruct(properties));

    await this.#ask(methods.delete, request);
  }

  /** Configures it, as the engine does for the provider of this URN. */
  async configureAs(urn: string, args: Properties) {
    const request = new messages.ConfigureRequest()
      .setUrn(urn)
      .setArgs(toStruct(args))
      .setAcceptsecrets(true)
      .setAcceptresources(true);

    return (await this.#ask(methods.configure, request)).toObject();
  }

  async cancel(): Promise<void> {
    await this.#ask(methods.cancel, new Empty());
  }

  /** Ends the process; afterwards `printed` is complete. */
  async stop(): Promise<void> {
    this.engine.close();
    this.#client.close();
    this.started.child.kill("SIGKILL");
    await this.started.finished;
  }
}

/**
 * Starts a service and a plugin for the tests around it. The plugin is configured again before each
 * test, like the process of another run. It must print nothing, and log no secret.
 */
export function usePlugin({ env, urn, ...service }: EmulatorOptions & PluginOptions) {
  let emulator: Emulator;
  let plugin: PluginProcess;
  beforeAll(async () => {
    [emulator, plugin] = await Promise.all([
      startEmulator({ token: TOKEN, ...service }),
      PluginProcess.start({ env, urn }),
    ]);
  });

  beforeEach(async () => {
    emulator.reset();
    plugin.logged.length = 0;
    await plugin.configure({ baseUrl: emulator.url, apiToken: secret(TOKEN), maxRetries: "0" });
  });

  afterEach(() => {
    expect(plugin.printed).toBe("");
    for (const { message } of plugin.logged) expectNoSecret(message);
  });

  afterAll(async () => {
    await plugin.stop();
    await emulator.close();
  });

  return { emulator: standInFor(() => emulator), plugin: standInFor(() => plugin) };
}

/** An engine that only accepts log lines. */
export async function startEngineLog() {
  const logged: Logged[] = [];
  const server = new grpc.Server();
  server.addService(EngineService, {
    log: ({ request }: { request: LogRequest }, done: (error: null, response: unknown) => void) => {
      const { urn, message, severity } = request.toObject();
      logged.push({ urn, message, severity });
      done(null, new Empty());
    },
  });

  const credentials = grpc.ServerCredentials.createInsecure();
  const port = await promisify(server.bindAsync.bind(server))("127.0.0.1:0", credentials);

  return { address: `127.0.0.1:${port}`, logged, close: () => server.forceShutdown() };
}

const KINDS = [
  "add",
  "add-replace",
  "delete",
  "delete-replace",
  "update",
  "update-replace",
] as const;

function differenceIn(response: messages.DiffResponse) {
  return {
    changes: (["unknown", "none", "some"] as const)[response.getChanges()],
    diffs: response.getDiffsList(),
    replaces: response.getReplacesList(),
  };
}

function checked(response: messages.CheckResponse) {
  const { failuresList } = response.toObject();
  return { inputs: fromStruct(response.getInputs()), failures: failuresList };
}

function toFailure(error: ServiceError): CallFailure {
  const [packed] = error.metadata.get("grpc-status-details-bin");
  const details = Buffer.isBuffer(packed) ? Status.deserializeBinary(packed).getDetailsList() : [];
  const detail = details.find((any) => any.getTypeName() === "pulumirpc.ErrorResourceInitFailed");
  const init = detail && messages.ErrorResourceInitFailed.deserializeBinary(detail.getValue_asU8());
  const partial = init && {
    id: init.getId(),
    properties: fromStruct(init.getProperties()),
    reasons: init.getReasonsList(),
  };

  return new CallFailure(error.code, error.details, partial);
}
