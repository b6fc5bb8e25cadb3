/**
 * The provider's service as the engine calls it, on a loopback port, over the same core as the
 * dynamic provider.
 *
 * `Configure` accepts secrets, so that messages can keep them; the core takes values in clear. It
 * accepts neither outputs nor previews: the engine calls no create in a preview. `Handshake` is not
 * implemented: the engine takes it for a yes to all of these.
 */

import { fstatSync } from "node:fs";
import {
  Server,
  ServerCredentials,
  type UntypedHandleCall,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { MAX_TIMER_MS } from "../client/options";
import { either, type Warn } from "../common/text";
import { plaintextToken } from "../config";
import { PLUGIN_CHANNEL_TOKEN, PLUGIN_DOMAIN_TOKEN, parseUrn, VERSION } from "../names";
import { type ResourceCall, type ResourceCalls, Run } from "./calls";
import { channelCalls } from "./channel";
import { domainCalls } from "./domain";
import { invoke } from "./functions";
import { EngineLog } from "./log";
import { detailed, difference, lineOf, unary } from "./responses";
import { checkSettings, compareAccounts, connect, readSettings } from "./settings";
import { fromStruct, MESSAGE_SIZES, open, seal, toStruct } from "./values";

const ANOTHER_ACCOUNT =
  "Another base address is another account: channels are created there. In the old account, managed channels are deleted " +
  "and create-only ones stay";

const RESOURCES = new Map<string, (call: ResourceCall) => ResourceCalls>([
  [PLUGIN_CHANNEL_TOKEN, channelCalls],
  [PLUGIN_DOMAIN_TOKEN, domainCalls],
]);

/** @param args as the engine gives them: options, and its own address as the last one */
export function serve(args: string[]): void {
  const log = new EngineLog(args.at(-1));

  surviveUncaughtErrors(log);
  const server = new Server(MESSAGE_SIZES);

  server.addService(ResourceProviderService, new PluginService(log));
  server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    // The engine shows a line that is not a number.
    process.stdout.write(
      error ? `no port of this machine can be served: ${error.message}\n` : `${port}\n`,
    );

    if (error) process.exit(1);
  });

  endWithEngine(server);
}

/**
 * An uncaught error must not end the process: it is serving other calls, and what they create has
 * to be recorded. The error itself is not shown, because it may hold a value that is secret.
 */
function surviveUncaughtErrors(log: EngineLog): void {
  const report = () => {
    void log.warn(
      "The domain-monitoring plugin went on after an unexpected error: please report it",
    );
  };

  process.on("unhandledRejection", report).on("uncaughtException", report);
}

/**
 * The engine holds the other end of standard input. If it was killed, nothing else would end this
 * process.
 */
function endWithEngine(server: Server): void {
  const input = fstatSync(0);
  if (!input.isFIFO() && !input.isSocket()) return;
  process.stdin.on("end", () => server.tryShutdown(() => process.exit())).resume();
}

/** The calls that are implemented; gRPC responds to the others with UNIMPLEMENTED. */
class PluginService implements UntypedServiceImplementation {
  [call: string]: UntypedHandleCall;

  readonly #log: EngineLog;
  #run = new Run();
  #isConfigured = false;

  /** Whether the engine has asked about declared settings, and not only sent what is recorded. */
  #isDeclared = false;

  constructor(log: EngineLog) {
    this.#log = log;
  }

  getPluginInfo = unary(async () => new PluginInfo().setVersion(VERSION));

  getSchema = unary(async (_request: proto.GetSchemaRequest) => {
    const schema: object = require("./schema.json");
    return new proto.GetSchemaResponse().setSchema(JSON.stringify(schema));
  });

  attach = unary(async (request: PluginAttach) => {
    this.#log.attach(request.getAddress());
    return new Empty();
  });

  // The engine waits for the calls in progress, and so does the plugin: what was created has to be
  // recorded.
  cancel = unary(async () => new Empty());

  checkConfig = unary(async (request: proto.CheckRequest) => {
    const { inputs, problems } = checkSettings(request.getUrn(), fromStruct(request.getNews()));
    this.#isDeclared = true;

    return checked(toStruct(inputs), problems);
  });

  diffConfig = unary(async (request: proto.DiffRequest) => {
    const olds = readSettings(fromStruct(request.getOldInputs()));
    const news = readSettings(fromStruct(request.getNews()));
    // For its own provider resource the engine calls an unconfigured instance; for a channel's
    // provider, a configured one.
    const isConfigured = this.#isConfigured;
    const { diffs, replaces } = compareAccounts(olds, news, { ofProvider: !isConfigured });
    const isReplaced = replaces.length > 0 && isConfigured;

    if (isReplaced && this.#run.connection.firstMention("baseUrl"))
      await this.#log.warn(ANOTHER_ACCOUNT, request.getUrn());

    // There is no way to report that only the token's secret marking changed; an empty response
    // makes the engine compare.
    return diffs.length > 0 ? difference({ diffs, replaces }) : new proto.DiffResponse();
  });

  configure = unary(async (request: proto.ConfigureRequest) => {
    const account = readSettings(fromStruct(request.getArgs()), request.getUrn());
    this.#isConfigured = true;

    // A destroy uses recorded settings, which were already checked when they were declared.
    const isChecked = this.#isDeclared && account.isStack && request.getAcceptsecrets();
    if (isChecked && account.settings.apiToken && !account.isSecret) throw plaintextToken();

    this.#run = new Run(connect(account, (line) => void this.#log.warn(line)));

    return new proto.ConfigureResponse().setAcceptsecrets(true);
  });

  check = unary(async (request: proto.CheckRequest, secrets) => {
    const olds = open(request.getOlds());
    const news = open(request.getNews(), secrets);
    const { inputs, failures } = await this.#onResource(request, (calls) =>
      calls.check(olds, news),
    );

    const reasons = failures.map(({ reason }) => reason);

    return checked(seal(inputs, secrets), reasons);
  });

  diff = unary(async (request: proto.DiffRequest) => {
    const olds = open(request.getOlds());
    const news = open(request.getNews());
    const { diffs, replaces } = await this.#onResource(request, (calls) =>
      calls.diff(request.getId(), olds, news),
    );

    // The engine knows that a label is secret by its envelope.
    const shown = diffs.map((name) => (name === "secretLabel" ? "label" : name));

    return detailed({ diffs: shown, replaces }, olds, news);
  });

  create = unary(async (request: proto.CreateRequest, secrets) => {
    refusePreview(request);
    const inputs = open(request.getProperties(), secrets);
    const { id, outs } = await this.#onResource(request, (calls) => calls.create(inputs));

    return new proto.CreateResponse().setId(id).setProperties(seal(outs, secrets));
  });

  read = unary(async (request: proto.ReadRequest, secrets) => {
    // A refresh sends what is recorded, and a `get` at least an object.
    const recorded = request.hasProperties() ? open(request.getProperties(), secrets) : undefined;
    const found = await this.#onResource(request, (calls) => calls.read(request.getId(), recorded));
    const response = new proto.ReadResponse().setId(found.id);
    // With properties, an import would take a channel that is gone for one without any.
    if (found.id === "") return response;

    response.setProperties(seal(found.props, secrets));

    return found.inputs ? response.setInputs(seal(found.inputs, secrets)) : response;
  });

  update = unary(async (request: proto.UpdateRequest, secrets) => {
    refusePreview(request);
    const olds = open(request.getOlds());
    const news = open(request.getNews(), secrets);
    const outs = await this.#onResource(request, (calls) =>
      calls.update(request.getId(), olds, news),
    );

    return new proto.UpdateResponse().setProperties(seal(outs, secrets));
  });

  delete = unary(async (request: proto.DeleteRequest) => {
    this.#run.refuseAfterFailure();
    const recorded = open(request.getProperties());
    await this.#onResource(request, (calls) => calls.delete(request.getId(), recorded));

    return new Empty();
  });

  invoke = unary(async (request: proto.InvokeRequest, secrets) => {
    const run = this.#run;
    const token = request.getTok();
    const args = open(request.getArgs(), secrets);
    try {
      const result = await this.#warning("", (warn) =>
        invoke(token, args, () => run.connection.client, warn),
      );

      // A result computed from a secret is itself secret, as if the plugin did not know of secrets.
      const secretNames = secrets.size > 0 ? Object.keys(result) : [];

      return new proto.InvokeResponse().setReturn(seal(result, secretNames));
    } catch (error) {
      run.failedFunction = token;
      // Most languages show the error below a stack trace, so its line comes first.
      await this.#log.error(lineOf(error));
      throw error;
    }
  });

  async #onResource<T>(
    request: { getUrn(): string; getTimeout?(): number },
    call: (calls: ResourceCalls) => Promise<T>,
  ): Promise<T> {
    const urn = request.getUrn();
    const { type } = parseUrn(urn);
    const callsOf = RESOURCES.get(type);
    if (!callsOf)
      throw new Error(
        `${type} is not a resource of this plugin: use ${either([...RESOURCES.keys()])}`,
      );

    const run = this.#run;
    const options = { timeoutMs: milliseconds(request.getTimeout?.() ?? 0) };

    return this.#warning(urn, (warn) => call(callsOf({ urn, run, warn, options })));
  }

  /** Runs a call, and shows its warnings before its result. */
  async #warning<T>(urn: string, call: (warn: Warn) => Promise<T>): Promise<T> {
    const lines: string[] = [];
    try {
      return await call((line) => lines.push(line));
    } finally {
      for (const line of lines) await this.#log.warn(line, urn);
    }
  }
}

/** Seconds of `customTimeouts`; 0 where there are none. */
function milliseconds(seconds: number): number | undefined {
  return seconds > 0 ? Math.min(Math.ceil(seconds * 1000), MAX_TIMER_MS) : undefined;
}

/** @param reasons without names of properties, because the engine would print their values */
function checked(inputs: ReturnType<typeof toStruct>, reasons: string[]): proto.CheckResponse {
  const failures = reasons.map((reason) => new proto.CheckFailure().setReason(reason));
  return new proto.CheckResponse().setInputs(inputs).setFailuresList(failures);
}

/**
 * The plugin has told the engine to call neither in a preview. If one did, a channel would be
 * created for good.
 */
function refusePreview(request: { getPreview(): boolean }): void {
  if (request.getPreview())
    throw new Error(
      "the engine asked for a change in a preview, which this plugin does not do: update the Pulumi CLI",
    );
}
