/**
 * The provider's service as the engine calls it, over the same core as the dynamic provider.
 *
 * `Configure` accepts neither secrets nor outputs nor previews, so values come plain, as the core takes them, and the
 * engine calls no create in a preview. `Handshake` is not implemented: the engine takes it for a yes to all of these.
 */

import type { handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import {
  CheckFailure,
  type CheckRequest,
  CheckResponse,
  type ConfigureRequest,
  ConfigureResponse,
  type CreateRequest,
  CreateResponse,
  type DeleteRequest,
  type DiffRequest,
  DiffResponse,
  type GetSchemaRequest,
  GetSchemaResponse,
  type InvokeRequest,
  InvokeResponse,
  type ReadRequest,
  ReadResponse,
  type UpdateRequest,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { MAX_TIMER_MS } from "../client/options";
import { parseUrn } from "../common/urn";
import { packageVersion } from "../common/version";
import { findSetting, resolveLifecycle } from "../config";
import { ABANDON_KEY, PLUGIN_CHANNEL_TOKEN as CHANNEL, LIFECYCLE_KEY } from "../names";
import { describe, guard, PROVIDER_KEY, type Properties, type ResourceProvider } from "../provider/boundary";
import { Connection } from "../provider/connection";
import { hasUnknown } from "../provider/inputs";
import { notificationChannelProvider } from "../provider/notification-channel";
import { detailed, difference } from "./difference";
import { toAnswer } from "./errors";
import { invoke } from "./functions";
import {
  ADOPT,
  identified,
  importedById,
  keptForImport,
  readForImport,
  refuseReplacedImport,
} from "./imports";
import type { EngineLog } from "./log";
import {
  asText,
  changedSettings,
  isAnotherAccount,
  isDefault,
  keyName,
  readSettings,
  settingOfStack,
  wrapDefaultToken,
} from "./settings";
import { fromStruct, toStruct, wrapSecret, wrapSecrets } from "./values";

const ANOTHER_ACCOUNT =
  "Another base address is another account: channels are created in this one. In the former one those that are managed are " +
  "deleted, and the others stay";

/** The service, with the calls that it implements; gRPC answers the others with UNIMPLEMENTED. */
export function pluginService(log: EngineLog): UntypedServiceImplementation {
  let connection = new Connection();
  /** Whether the engine has asked about the settings of stack config, and not only sent what is recorded. */
  let isDeclared = false;
  let isConfigured = false;
  /** The resources that this process has read for an import: the channel's id, and whether it was read in the service. */
  const imported = new Map<string, { id: string; inService: boolean }>();

  /** Runs a call about a resource; its warnings are shown before its result. */
  async function onChannel<T>(
    request: { getUrn(): string; getTimeout?(): number },
    run: (provider: ResourceProvider, warn: (line: string) => void) => Promise<T>,
  ): Promise<T> {
    const { type } = parseUrn(request.getUrn());
    if (type !== CHANNEL) throw new Error(`${type} is not a resource of this plugin: use ${CHANNEL}`);
    const call = { timeoutMs: milliseconds(request.getTimeout?.() ?? 0) };
    return warning(request.getUrn(), (warn) =>
      run(guard(notificationChannelProvider(warn, connection, call)), warn),
    );
  }

  async function warning<T>(urn: string, run: (warn: (line: string) => void) => Promise<T>): Promise<T> {
    const lines: string[] = [];
    try {
      return await run((line) => lines.push(line));
    } finally {
      for (const line of lines) await log.warn(line, urn);
    }
  }

  return {
    getPluginInfo: unary(async () => new PluginInfo().setVersion(packageVersion())),

    getSchema: unary(async (_request: GetSchemaRequest) => {
      const schema: object = require("./schema.json");
      return new GetSchemaResponse().setSchema(JSON.stringify(schema));
    }),

    attach: unary(async (request: PluginAttach) => {
      log.attach(request.getAddress());
      return new Empty();
    }),

    // The engine waits for the calls in progress, and so does the plugin: what was created has to be recorded.
    cancel: unary(async () => new Empty()),

    checkConfig: unary(async (request: CheckRequest) => {
      const news = fromStruct(request.getNews());
      const answer = new CheckResponse();
      if (isDefault(request.getUrn(), readSettings(news).settings, process.env)) {
        isDeclared = true;
        return answer.setInputs(toStruct(wrapDefaultToken(news)));
      }
      const missing = (["baseUrl", "apiToken"] as const).filter((name) => (news[name] ?? "") === "");
      const problems = missing.map(
        (name) => `argument ${name} of a Provider is empty: give the account's own`,
      );
      const failures = [...problems, ...lifecycleProblems(news)].map(failure);
      // Wrapped here, as only then it is encrypted in every state.
      const inputs = failures.length > 0 ? news : { ...news, apiToken: wrapSecret(news.apiToken) };
      return answer.setInputs(toStruct(inputs)).setFailuresList(failures);
    }),

    diffConfig: unary(async (request: DiffRequest) => {
      const urn = request.getUrn();
      const olds = readSettings(fromStruct(request.getOldInputs()));
      const news = readSettings(fromStruct(request.getNews()));
      // About a provider of its own the engine asks one that is not configured; about a channel's, one that is.
      const moves = isConfigured && olds.isExplicit;
      const follows = isDefault(urn, news.settings, process.env) && !moves;
      const isAnother = !follows && isAnotherAccount(olds.settings, news.settings);
      if (isAnother && isConfigured && connection.firstMention("baseUrl"))
        await log.warn(ANOTHER_ACCOUNT, urn);
      const changed = changedSettings(olds.settings, news.settings);
      // That a token has become a secret of stack config is not sent here, and the engine finds it where nothing is answered.
      return changed.length > 0 ? difference(changed, isAnother ? ["baseUrl"] : []) : new DiffResponse();
    }),

    configure: unary(async (request: ConfigureRequest) => {
      isConfigured = true;
      imported.clear();
      const { settings, plaintext } = readSettings(fromStruct(request.getArgs()));
      const urn = request.getUrn();
      if (urn && !isDefault(urn, settings, process.env)) {
        connection = new Connection(settings);
        // The engine sends an explicit provider nothing of the stack's configuration.
        connection.configure((key) =>
          key === LIFECYCLE_KEY || key === ABANDON_KEY ? settingOfStack(key, process.env) : undefined,
        );
      } else {
        // A destroy takes what is recorded, which was refused when it was declared, and is wrapped.
        if (isDeclared && request.getAcceptsecrets() && plaintext) refusePlaintextToken(settings.apiToken);
        connection = new Connection();
        // What is let go is said before a destroy, which is sent what the last update recorded.
        const current = (key: string) => (key === ABANDON_KEY ? settingOfStack(key, process.env) : undefined);
        connection.configure((key) => current(key) ?? settings[keyName(key)]);
      }
      // As it is made, it accepts nothing: no secrets, resources or outputs, and no creates in a preview.
      return new ConfigureResponse();
    }),

    check: unary(async (request: CheckRequest) => {
      const olds = fromStruct(request.getOlds());
      const news = fromStruct(request.getNews());
      // `pulumi import` asks so, and would call a problem a bug of this plugin.
      if (imported.get(request.getUrn())?.inService === false && Object.keys(news).length === 0) {
        await log.warn(importedById(connection.lifecycle), request.getUrn());
        return new CheckResponse().setInputs(toStruct({}));
      }
      // Null does not travel from every language, so a missing destination means it.
      const { adopt = null, ...declared } = { value: null, ...news };
      const { inputs, failures } = await onChannel(request, (provider) => provider.check(olds, declared));
      const reasons = [...(adopt === null ? [] : [ADOPT]), ...failures.map(({ reason }) => reason)];
      return new CheckResponse()
        .setInputs(toStruct(wrapSecrets(inputs)))
        .setFailuresList(reasons.map(failure));
    }),

    diff: unary(async (request: DiffRequest) => {
      // An update in the same run would make the engine forget by which id the channel was imported, and import it again.
      if (imported.get(request.getUrn())?.inService) return difference([]);
      const olds = fromStruct(request.getOlds());
      const news = fromStruct(request.getNews());
      const { diffs, replaces } = await onChannel(request, (provider) =>
        provider.diff(request.getId(), olds, news),
      );
      if (replaces.length > 0) refuseReplacedImport(request.getId(), olds, news);
      return detailed(diffs, replaces, olds, news);
    }),

    create: unary(async (request: CreateRequest) => {
      refusePreview(request);
      const inputs = fromStruct(request.getProperties());
      const { id, outs } = await onChannel(request, (provider) => provider.create(inputs));
      return new CreateResponse().setId(id).setProperties(toStruct(wrapSecrets(outs)));
    }),

    read: unary(async (request: ReadRequest) => {
      // A refresh sends what is recorded, and a `get` at least an object.
      const isImport = !request.hasProperties();
      const { id, recorded } = identified(request.getId(), fromStruct(request.getProperties()), isImport);
      const found = await onChannel(request, async (provider, warn) => {
        const read = await provider.read(id, recorded);
        const inService = id !== request.getId();
        if (isImport) imported.set(request.getUrn(), { id: read.id, inService });
        if (isImport && inService) warn(readForImport(read.id, read.props));
        return read;
      });
      const answer = new ReadResponse().setId(found.id);
      // With properties, an import would take a channel that is gone for one without any.
      if (found.id === "") return answer;
      return answer
        .setProperties(toStruct(wrapSecrets({ ...dynamicText(recorded), ...found.props })))
        .setInputs(toStruct(wrapSecrets(found.inputs)));
    }),

    update: unary(async (request: UpdateRequest) => {
      refusePreview(request);
      const olds = fromStruct(request.getOlds());
      const text = dynamicText(olds);
      const { outs } = await onChannel(request, (provider) =>
        // With the text, which is part of what a failed update records, too.
        provider.update(request.getId(), olds, { ...fromStruct(request.getNews()), ...text }),
      );
      return new UpdateResponse().setProperties(toStruct(wrapSecrets({ ...text, ...outs })));
    }),

    delete: unary(async (request: DeleteRequest) => {
      const recorded = fromStruct(request.getProperties());
      await onChannel(request, async (provider, warn) => {
        // The engine deletes what an import replaces, in the same run, even if the resource imports its own channel again.
        const isItself = imported.get(request.getUrn())?.id.toLowerCase() === request.getId().toLowerCase();
        if (isItself) warn(keptForImport(request.getId(), recorded));
        else await provider.delete(request.getId(), recorded);
      });
      return new Empty();
    }),

    invoke: unary(async (request: InvokeRequest) => {
      const args = fromStruct(request.getArgs());
      const result = await warning("", (warn) =>
        invoke(request.getTok(), args, () => connection.client, warn),
      );
      return new InvokeResponse().setReturn(toStruct(result));
    }),
  };
}

/** A call that is answered once, also if it fails. */
function unary<Request, Answer>(
  run: (request: Request) => Promise<Answer>,
): handleUnaryCall<Request, Answer> {
  return ({ request }, answer) => {
    run(request).then(
      (result) => answer(null, result),
      (error: unknown) => answer(toAnswer(error)),
    );
  };
}

/** Seconds of `customTimeouts`; 0 where there are none. */
function milliseconds(seconds: number): number | undefined {
  return seconds > 0 ? Math.min(Math.ceil(seconds * 1000), MAX_TIMER_MS) : undefined;
}

/** A problem of an input. Without the property's name, as the engine would print its value. */
function failure(reason: string): CheckFailure {
  return new CheckFailure().setReason(reason);
}

/** The engine calls neither in a preview, as it was told. If one did, a channel would be created for good. */
function refusePreview(request: { getPreview(): boolean }): void {
  if (request.getPreview())
    throw new Error(
      "the engine asked for a change in a preview, which this plugin does not do: update the Pulumi CLI",
    );
}

/** The dynamic provider's text of a channel that it created: kept, so that the channel can be moved back. */
function dynamicText(recorded: Properties): Properties {
  const text = recorded[PROVIDER_KEY];
  return text === undefined ? {} : { [PROVIDER_KEY]: text };
}

/** Problems of the lifecycle among a provider's arguments. */
function lifecycleProblems({ lifecycle }: Properties): string[] {
  if (hasUnknown(lifecycle)) return [];
  try {
    resolveLifecycle({ explicit: { lifecycle: asText(lifecycle) }, stackConfig: () => undefined });
    return [];
  } catch (error) {
    return [describe(error)];
  }
}

/** @throws DomainMonitoringError as the program does, if there is a token */
function refusePlaintextToken(token = ""): void {
  findSetting("apiToken", { stackConfig: () => ({ value: token, plaintext: true }), environment: {} });
}
