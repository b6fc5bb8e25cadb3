/**
 * A provider in a process of its own, asked over gRPC as the engine asks it: errors are exactly as
 * they cross the wire.
 */
import type { Client, MethodDefinition, ServiceError } from "@grpc/grpc-js";
import { ResourceProviderService as methods } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty, fromStruct, grpc, toStruct } from "../../packages/pulumi-offline/src/sdk";
import type { Properties } from "../../src/provider/boundary";
import { hasPrinted, type Started, start } from "./run";

/** The first line that a provider prints on standard output. */
const PORT = /^\d+\n/m;

/** The error of a failed call, as the engine gets it. */
export class CallFailure extends Error {
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

/** Options of a call of `create`, `update` or `delete` besides the resource. */
interface CallOptions {
  /** @default false */
  preview?: boolean;

  /** In seconds. @default 0, the provider's own */
  timeout?: number;
}

export class ProviderClient {
  readonly #client: Client;

  constructor(
    readonly started: Started,
    /** Of the resource of a call unless that names another. */
    private readonly urn: string,
  ) {
    const [port] = PORT.exec(started.printed.output) ?? [];
    const credentials = grpc.credentials.createInsecure();
    this.#client = new grpc.Client(`127.0.0.1:${port?.trim()}`, credentials);
  }

  /** Starts a provider, which is killed at the end of the test file unless it has been stopped. */
  static async launch(
    [file = "", ...args]: string[],
    options: Parameters<typeof start>[2],
  ): Promise<Started> {
    const started = start(file, args, { input: null, until: "end of file", ...options });
    await hasPrinted(started, PORT);
    return started;
  }

  /** Everything that it has printed on either stream since the port. */
  get printed(): string {
    return this.started.printed.output.replace(PORT, "");
  }

  /** Resolves with the answer of a method that has no own one here. @throws CallFailure */
  ask<Q, R>(method: MethodDefinition<Q, R>, request: Q): Promise<R> {
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

    return checked(await this.ask(methods.check, request));
  }

  async diff(id: string, olds: Properties, news: Properties) {
    const request = new messages.DiffRequest()
      .setId(id)
      .setUrn(this.urn)
      .setOlds(toStruct(olds))
      .setNews(toStruct(news));

    const response = await this.ask(methods.diff, request);

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

  async create(inputs: Properties, { preview = false, timeout = 0 }: CallOptions = {}) {
    const request = new messages.CreateRequest()
      .setUrn(this.urn)
      .setProperties(toStruct(inputs))
      .setPreview(preview)
      .setTimeout(timeout);

    const response = await this.ask(methods.create, request);
    return { id: response.getId(), properties: fromStruct(response.getProperties()) };
  }

  async read(id: string, properties?: Properties) {
    const request = new messages.ReadRequest().setId(id).setUrn(this.urn);
    if (properties) request.setProperties(toStruct(properties));
    const response = await this.ask(methods.read, request);

    return {
      id: response.getId(),
      properties: fromStruct(response.getProperties()),
      /** Undefined where the engine is to keep those that are recorded. */
      inputs: response.hasInputs() ? fromStruct(response.getInputs()) : undefined,
      /** The engine takes a resource with properties for one that exists. */
      hasProperties: response.hasProperties(),
    };
  }

  async update(
    id: string,
    olds: Properties,
    news: Properties,
    { preview = false, timeout = 0 }: CallOptions = {},
  ) {
    const request = new messages.UpdateRequest()
      .setId(id)
      .setUrn(this.urn)
      .setOlds(toStruct(olds))
      .setNews(toStruct(news))
      .setPreview(preview)
      .setTimeout(timeout);

    return fromStruct((await this.ask(methods.update, request)).getProperties());
  }

  async delete(
    id: string,
    properties: Properties,
    { timeout = 0 }: CallOptions = {},
  ): Promise<void> {
    const request = new messages.DeleteRequest()
      .setId(id)
      .setUrn(this.urn)
      .setProperties(toStruct(properties))
      .setTimeout(timeout);

    await this.ask(methods.delete, request);
  }

  /** Configures it, as the engine does for the provider of this URN. */
  async configureAs(urn: string, args: Properties, id?: string) {
    const request = new messages.ConfigureRequest()
      .setUrn(urn)
      .setArgs(toStruct(args))
      .setAcceptsecrets(true)
      .setAcceptresources(true);

    if (id !== undefined) request.setId(id);
    return (await this.ask(methods.configure, request)).toObject();
  }

  async cancel(): Promise<void> {
    await this.ask(methods.cancel, new Empty());
  }

  /** Ends the process; afterwards `printed` is complete. */
  async stop(): Promise<void> {
    this.#client.close();
    this.started.child.kill("SIGKILL");
    await this.started.finished;
  }
}

const KINDS = [
  "add",
  "add-replace",
  "delete",
  "delete-replace",
  "update",
  "update-replace",
] as const;

export function differenceIn(response: messages.DiffResponse) {
  return {
    changes: (["unknown", "none", "some"] as const)[response.getChanges()],
    diffs: response.getDiffsList(),
    replaces: response.getReplacesList(),
  };
}

export function checked(response: messages.CheckResponse) {
  const failures = response.getFailuresList();
  return {
    inputs: fromStruct(response.getInputs()),
    failures: failures.map((failure) => ({
      property: failure.getProperty(),
      reason: failure.getReason(),
    })),
  };
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
