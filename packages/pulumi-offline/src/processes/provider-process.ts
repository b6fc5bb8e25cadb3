/** The SDK's provider process, and its protocol. */
import type { ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  CheckRequest,
  type CheckResponse,
  ConfigureRequest,
  CreateRequest,
  type CreateResponse,
  DeleteRequest,
  DiffRequest,
  type DiffResponse,
  ErrorResourceInitFailed,
  ReadRequest,
  type ReadResponse,
  UpdateRequest,
  type UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { messageOf, plural } from "../diagnostics";
import { CLIENT_OPTIONS, fromStruct, grpc, toStruct } from "../sdk";
import { parseUrn } from "../state/urns";
import { copySecrets, hasUnknown, knownAnswer, type Properties, reveal } from "../state/values";
import { type Script, type ScriptOptions, startScript } from "./processes";

/**
 * A resource exists, but is not ready: what `create` and `update` answer with a partial failure.
 */
export class InitError extends Error {
  constructor(
    readonly id: string,
    readonly outputs: Properties,
    readonly reasons: string[],
    message = initMessage(reasons),
  ) {
    super(message);
  }
}

function initMessage(reasons: string[]): string {
  const list = reasons.map((reason) => `\t* ${reason}`).join("\n");

  return reasons.length === 0
    ? "resource init failed"
    : `${reasons.length} ${plural("error", reasons.length)} occurred:\n${list}`;
}

/** A provider's answer about a change. */
export interface ProviderDiff {
  /** `unknown` where the provider leaves it to the engine, which then compares the inputs. */
  changes: "none" | "some" | "unknown";

  /** Properties whose change makes the resource another one. */
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/** The calls of a provider about its resources. */
export type ResourceProvider = Pick<
  ProviderProcess,
  "check" | "diff" | "create" | "update" | "read" | "delete"
>;

/** A provider that answers until it is stopped. */
export type StartedProvider = ResourceProvider & Pick<ProviderProcess, "stop">;

/**
 * Starts a provider with this configuration; secrets in it stay marked, as the SDK expects them
 * here.
 */
export type StartProvider = (
  options: Omit<ScriptOptions, "args">,
  config: Properties,
) => Promise<StartedProvider>;

/**
 * The SDK's dynamic-provider process. It does not accept secrets: properties go out in clear, and
 * what comes back is secret where the input of the same name was.
 */
export class ProviderProcess {
  readonly #script: Script;
  readonly #client: ResourceProviderClient;

  private constructor(script: Script, client: ResourceProviderClient) {
    this.#script = script;
    this.#client = client;
  }

  /** Starts the process and configures it. */
  static readonly start: StartProvider = async (options, config) => {
    const { script, port } = await listen(options);
    const credentials = grpc.credentials.createInsecure();
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials, CLIENT_OPTIONS);
    const request = new ConfigureRequest();

    request.setArgs(toStruct(config)).setAcceptsecrets(true).setAcceptresources(true);
    const process = new ProviderProcess(script, client);

    try {
      await answer((done) => client.configure(request, done));
      return process;
    } catch (error) {
      await process.stop();
      throw error;
    }
  };

  async check(urn: string, olds: Properties, news: Properties) {
    const request = about(urn, new CheckRequest());
    request.setOlds(clear(olds)).setNews(clear(news));
    const response = await answer<CheckResponse>((done) => this.#client.check(request, done));

    return {
      inputs: copySecrets(news, fromStruct(response.getInputs())),
      // Without a property, the resource as a whole is meant.
      failures: response
        .getFailuresList()
        .map((f) => ({ property: f.getProperty(), reason: f.getReason() })),
    };
  }

  async diff(
    urn: string,
    old: { id: string; inputs: Properties; outputs: Properties },
    news: Properties,
  ) {
    const request = about(urn, new DiffRequest());

    request
      .setId(old.id)
      .setOlds(clear(old.outputs))
      .setOldInputs(clear(old.inputs))
      .setNews(clear(news));

    const response = await answer<DiffResponse>((done) => this.#client.diff(request, done));
    const diff: ProviderDiff = {
      changes: (["unknown", "none", "some"] as const)[response.getChanges()] ?? "unknown",
      replaces: response.getReplacesList(),
      deleteBeforeReplace: response.getDeletebeforereplace(),
    };

    return diff;
  }

  async create(urn: string, inputs: Properties): Promise<{ id: string; outputs: Properties }> {
    const request = about(urn, new CreateRequest()).setProperties(clear(inputs));
    const response = await answer<CreateResponse>(
      (done) => this.#client.create(request, done),
      inputs,
    );

    const id = response.getId();
    if (id === "") throw new Error(`plugin returned empty resource.ID from create '${urn}'`);

    return { id, outputs: copySecrets(inputs, known(response.getProperties())) };
  }

  async update(
    urn: string,
    old: { id: string; inputs: Properties; outputs: Properties },
    news: Properties,
  ) {
    const request = about(urn, new UpdateRequest());

    request
      .setId(old.id)
      .setOlds(clear(old.outputs))
      .setOldInputs(clear(old.inputs))
      .setNews(clear(news));

    const response = await answer<UpdateResponse>(
      (done) => this.#client.update(request, done),
      news,
    );

    return copySecrets(news, known(response.getProperties()));
  }

  /** An empty id in the answer means that the resource is gone. */
  async read(urn: string, id: string, inputs: Properties, state: Properties) {
    const request = about(urn, new ReadRequest());

    // The real engine leaves out what a preview does not know.
    request
      .setId(id)
      .setProperties(clear(knownParts(state)))
      .setInputs(clear(knownParts(inputs)));

    const response = await answer<ReadResponse>((done) => this.#client.read(request, done), state);
    const live = response.getInputs();

    return {
      id: response.getId(),
      outputs: copySecrets(state, known(response.getProperties())),
      inputs: live === undefined ? undefined : copySecrets(inputs, known(live)),
    };
  }

  async delete(urn: string, id: string, inputs: Properties, outputs: Properties): Promise<void> {
    const request = about(urn, new DeleteRequest());
    request.setId(id).setProperties(clear(outputs)).setOldInputs(clear(inputs));
    await answer((done) => this.#client.delete(request, done));
  }

  async stop(): Promise<void> {
    this.#client.close();
    await this.#script.stop();
  }
}

/** Starts the process and waits for the port, which is the first line that it prints. */
async function listen(
  options: Omit<ScriptOptions, "args">,
): Promise<{ script: Script; port: string }> {
  let announce: ((port: string) => void) | undefined;
  const announced = new Promise<string>((resolve) => {
    announce = resolve;
  });

  const script = startScript({
    ...options,
    // The address of the engine is required, and never called by the dynamic provider.
    args: ["127.0.0.1:1"],
    onLine(line, stream) {
      if (announce === undefined || stream === "stderr") return options.onLine(line, stream);
      announce(line.trim());
      announce = undefined;
    },
  });

  const ended = script.ended.then((code) => {
    throw new Error(`the dynamic provider process ended with ${code} before it was ready`);
  });

  return { script, port: await Promise.race([announced, ended]) };
}

function about<R extends { setUrn(v: string): R; setName(v: string): R; setType(v: string): R }>(
  urn: string,
  request: R,
): R {
  const { name, type } = parseUrn(urn);
  return request.setUrn(urn).setName(name).setType(type);
}

function clear(properties: Properties) {
  return toStruct(reveal(properties) as Properties);
}

/**
 * A call as a promise.
 *
 * @param inputs whose secrets a partial failure's properties take over
 */
function answer<R>(
  call: (done: (error: ServiceError | null, response: R) => void) => unknown,
  inputs: Properties = {},
): Promise<R> {
  return new Promise((resolve, reject) => {
    call((error, response) => (error ? reject(readError(error, inputs)) : resolve(response)));
  });
}

function readError(error: ServiceError, inputs: Properties): Error {
  const [packed] = error.metadata?.get("grpc-status-details-bin") ?? [];
  const details = Buffer.isBuffer(packed) ? Status.deserializeBinary(packed).getDetailsList() : [];
  const failure = details.find((detail) =>
    detail.getTypeUrl().endsWith("pulumirpc.ErrorResourceInitFailed"),
  );

  if (failure === undefined) return new Error(error.details);

  const init = ErrorResourceInitFailed.deserializeBinary(failure.getValue_asU8());

  try {
    const outputs = copySecrets(inputs, known(init.getProperties()));
    return new InitError(init.getId(), outputs, init.getReasonsList());
  } catch (unknown) {
    // As in the real engine, even the id is lost.
    return new InitError("", {}, [], messageOf(unknown));
  }
}

function knownParts(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => !hasUnknown(value)));
}

/** Properties of an answer, none of which may be unknown. */
function known(answered: ReturnType<typeof toStruct> | undefined): Properties {
  return knownAnswer(fromStruct(answered));
}
