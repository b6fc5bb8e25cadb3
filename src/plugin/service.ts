/**
 * The provider's service as the engine calls it, over the same core as the dynamic provider.
 *
 * `Configure` accepts secrets, so that messages can keep them; the core takes values in clear. It
 * accepts neither outputs nor previews: the engine calls no create in a preview. `Handshake` is not
 * implemented: the engine takes it for a yes to all of these.
 */

import type { handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { MAX_TIMER_MS } from "../client/options";
import { either } from "../common/text";
import { plaintextToken } from "../config";
import {
  FUNCTION_PREFIX,
  PLUGIN_CHANNEL_TOKEN,
  PLUGIN_DOMAIN_TOKEN,
  parseUrn,
  VERSION,
} from "../names";
import { Connection } from "../provider/connection";
import { detailed, difference, lineOf, toError } from "./answers";
import type { CallContext, Calls } from "./calls";
import { channelCalls } from "./channel";
import { domainCalls } from "./domain";
import { invoke } from "./functions";
import type { EngineLog } from "./log";
import { checkSettings, compareAccounts, connect, readSettings } from "./settings";
import { fromStruct, open, seal, toStruct } from "./values";

const ANOTHER_ACCOUNT =
  "Another base address is another account: channels are created there. In the old account, managed channels are deleted " +
  "and create-only ones stay";

const RESOURCES = new Map<string, (urn: string, context: CallContext) => Calls>([
  [PLUGIN_CHANNEL_TOKEN, channelCalls],
  [PLUGIN_DOMAIN_TOKEN, domainCalls],
]);

/**
 * The service, with the calls that it implements; gRPC responds to the others with UNIMPLEMENTED.
 */
export function pluginService(log: EngineLog): UntypedServiceImplementation {
  let connection = new Connection();
  /** Whether the engine has asked about declared settings, and not only sent what is recorded. */
  let isDeclared = false;
  let isConfigured = false;
  const imported: CallContext["imported"] = new Set();
  /** A function that has failed in this run. */
  let failed: string | undefined;

  /** Runs a call about a resource; its warnings are shown before its result. */
  async function onResource<T>(
    request: { getUrn(): string; getTimeout?(): number },
    run: (resource: Calls) => Promise<T>,
  ): Promise<T> {
    const urn = request.getUrn();
    const { type } = parseUrn(urn);
    const callsOf = RESOURCES.get(type);
    if (!callsOf)
      throw new Error(
        `${type} is not a resource of this plugin: use ${either([...RESOURCES.keys()])}`,
      );

    const call = { timeoutMs: milliseconds(request.getTimeout?.() ?? 0) };

    return warning(urn, (warn) => run(callsOf(urn, { connection, imported, warn, call })));
  }

  async function warning<T>(
    urn: string,
    run: (warn: (line: string) => void) => Promise<T>,
  ): Promise<T> {
    const lines: string[] = [];
    try {
      return await run((line) => lines.push(line));
    } finally {
      for (const line of lines) await log.warn(line, urn);
    }
  }

  return {
    getPluginInfo: unary(async () => new PluginInfo().setVersion(VERSION)),

    getSchema: unary(async (_request: proto.GetSchemaRequest) => {
      const schema: object = require("./schema.json");
      return new proto.GetSchemaResponse().setSchema(JSON.stringify(schema));
    }),

    attach: unary(async (request: PluginAttach) => {
      log.attach(request.getAddress());
      return new Empty();
    }),

    // The engine waits for the calls in progress, and so does the plugin: what was created has to
    // be recorded.
    cancel: unary(async () => new Empty()),

    checkConfig: unary(async (request: proto.CheckRequest) => {
      const { inputs, problems } = checkSettings(request.getUrn(), fromStruct(request.getNews()));
      isDeclared = true;

      return new proto.CheckResponse()
        .setInputs(toStruct(inputs))
        .setFailuresList(problems.map(failure));
    }),

    diffConfig: unary(async (request: proto.DiffRequest) => {
      const olds = readSettings(fromStruct(request.getOldInputs()));
      const news = readSettings(fromStruct(request.getNews()));
      // For its own provider resource the engine calls an unconfigured instance; for a channel's
      // provider, a configured one.
      const { diffs, replaces } = compareAccounts(olds, news, { ofProvider: !isConfigured });

      if (replaces.length > 0 && isConfigured && connection.firstMention("baseUrl"))
        await log.warn(ANOTHER_ACCOUNT, request.getUrn());

      // There is no way to report that only the token's secret marking changed; an empty response
      // makes the engine compare.
      return diffs.length > 0 ? difference({ diffs, replaces }) : new proto.DiffResponse();
    }),

    configure: unary(async (request: proto.ConfigureRequest) => {
      isConfigured = true;
      imported.clear();
      failed = undefined;
      const account = readSettings(fromStruct(request.getArgs()), request.getUrn());

      // A destroy uses recorded settings, which were already checked when they were declared.
      const isChecked = isDeclared && account.isStack && request.getAcceptsecrets();
      if (isChecked && account.settings.apiToken && !account.isSecret) throw plaintextToken();

      connection = connect(account, (line) => void log.warn(line));

      return new proto.ConfigureResponse().setAcceptsecrets(true);
    }),

    check: unary(async (request: proto.CheckRequest, secrets) => {
      const olds = open(request.getOlds());
      const news = open(request.getNews(), secrets);
      const { inputs, reasons } = await onResource(request, (resource) =>
        resource.check(olds, news),
      );

      return new proto.CheckResponse()
        .setInputs(seal(inputs, secrets))
        .setFailuresList(reasons.map(failure));
    }),

    diff: unary(async (request: proto.DiffRequest) => {
      const olds = open(request.getOlds());
      const news = open(request.getNews());
      const { diffs, replaces } = await onResource(request, (resource) =>
        resource.diff(request.getId(), olds, news),
      );

      // The engine knows that a label is secret by its envelope.
      const shown = diffs.map((name) => (name === "secretLabel" ? "label" : name));

      return detailed({ diffs: shown, replaces }, olds, news);
    }),

    create: unary(async (request: proto.CreateRequest, secrets) => {
      refusePreview(request);
      const inputs = open(request.getProperties(), secrets);
      const { id, outs } = await onResource(request, (resource) => resource.create(inputs));

      return new proto.CreateResponse().setId(id).setProperties(seal(outs, secrets));
    }),

    read: unary(async (request: proto.ReadRequest, secrets) => {
      // A refresh sends what is recorded, and a `get` at least an object.
      const recorded = request.hasProperties() ? open(request.getProperties(), secrets) : undefined;
      const found = await onResource(request, (resource) =>
        resource.read(request.getId(), recorded),
      );

      const answer = new proto.ReadResponse().setId(found.id);
      // With properties, an import would take a channel that is gone for one without any.
      if (found.id === "") return answer;

      answer.setProperties(seal(found.props, secrets));

      return found.inputs ? answer.setInputs(seal(found.inputs, secrets)) : answer;
    }),

    update: unary(async (request: proto.UpdateRequest, secrets) => {
      refusePreview(request);
      const olds = open(request.getOlds());
      const news = open(request.getNews(), secrets);
      const outs = await onResource(request, (resource) =>
        resource.update(request.getId(), olds, news),
      );

      return new proto.UpdateResponse().setProperties(seal(outs, secrets));
    }),

    delete: unary(async (request: proto.DeleteRequest) => {
      if (failed) refuseAfterFailure(failed);
      const recorded = open(request.getProperties());
      await onResource(request, (resource) => resource.delete(request.getId(), recorded));

      return new Empty();
    }),

    invoke: unary(async (request: proto.InvokeRequest, secrets) => {
      const args = open(request.getArgs(), secrets);

      try {
        const result = await warning("", (warn) =>
          invoke(request.getTok(), args, () => connection.client, warn),
        );

        // A result computed from a secret is itself secret, as if the plugin did not know of
        // secrets.
        return new proto.InvokeResponse().setReturn(
          seal(result, secrets.size > 0 ? Object.keys(result) : []),
        );
      } catch (error) {
        failed = request.getTok();
        // Most languages show the error below a stack trace, so its line comes first.
        await log.error(lineOf(error));
        throw error;
      }
    }),
  };
}

/**
 * A call that gets one response, even if it fails.
 * @param run takes the request, and a set for the names of the properties that are secret in it
 */
function unary<Request, Answer>(
  run: (request: Request, secrets: Set<string>) => Promise<Answer>,
): handleUnaryCall<Request, Answer> {
  return ({ request }, answer) => {
    const secrets = new Set<string>();
    run(request, secrets).then(
      (result) => answer(null, result),
      (error: unknown) => answer(toError(error, secrets)),
    );
  };
}

/** Seconds of `customTimeouts`; 0 where there are none. */
function milliseconds(seconds: number): number | undefined {
  return seconds > 0 ? Math.min(Math.ceil(seconds * 1000), MAX_TIMER_MS) : undefined;
}

/** A problem of an input. Without the property's name, because the engine would print its value. */
function failure(reason: string): proto.CheckFailure {
  return new proto.CheckFailure().setReason(reason);
}

/**
 * In an inline program (Automation API), the SDK for Node reports a failure that nothing waits for
 * only after it has told the engine that everything is declared. The engine would then delete what
 * depends on the function's result. A program that the command runs has ended by then.
 *
 * Not covered: a resource of another provider, explicit or of another version, than the function,
 * because each is a process of its own. A destroy runs no functions.
 */
function refuseAfterFailure(token: string): void {
  if (process.env.PULUMI_AUTOMATION_API === undefined) return;
  const name = token.replace(FUNCTION_PREFIX, "");

  throw new Error(
    `nothing is deleted in a run in which a function failed, even if the program catches the error, because the program may ` +
      `not have declared everything: correct what ${name} reported, and run the update again`,
  );
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
