/**
 * The SDK's own dynamic-provider process, asked over gRPC as the engine asks it: the constant text under `__provider`
 * in every bag of properties, secrets in clear. Unlike the offline engine this shows errors exactly as they cross the wire.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";
import type { ServiceError } from "@grpc/grpc-js";
import type {
  CheckResponse,
  CreateResponse,
  DiffResponse,
  ReadResponse,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import type { JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { PROVIDER_TEXT } from "../../../src/names";
import type { Properties } from "../../../src/provider/boundary";

// gRPC and protobuf must be the SDK's very copies.
const fromSdk = createRequire(require.resolve("@pulumi/pulumi"));
const grpc: typeof import("@grpc/grpc-js") = fromSdk("@grpc/grpc-js");
const struct: typeof import("google-protobuf/google/protobuf/struct_pb") = fromSdk(
  "google-protobuf/google/protobuf/struct_pb",
);
const messages: typeof import("@pulumi/pulumi/proto/provider_pb") = fromSdk(
  "@pulumi/pulumi/proto/provider_pb",
);
const services: typeof import("@pulumi/pulumi/proto/provider_grpc_pb") = fromSdk(
  "@pulumi/pulumi/proto/provider_grpc_pb",
);
const status: typeof import("@pulumi/pulumi/proto/status_pb") = fromSdk("@pulumi/pulumi/proto/status_pb");

const PRELOAD = require.resolve("../../../src/testing/engine/processes/preload");
const ROOT = path.join(__dirname, "../../..");

/** What the engine tells the process about a failed call. */
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

/** How a process is configured. */
export interface ProcessOptions {
  /** Stack config by full key. @default none */
  config?: Record<string, string>;
  /** Environment variables besides PATH. @default none */
  env?: Record<string, string>;
  /** Start as the engine does: with all that the SDK loads, which takes half a second more. @default as the offline engine does */
  loadsAll?: boolean;
}

/** A running process. */
export class ProviderProcess {
  readonly #lines: string[] = [];

  private constructor(
    private readonly child: ChildProcess,
    private readonly client: InstanceType<typeof services.ResourceProviderClient>,
    lines: string[],
  ) {
    this.#lines = lines;
  }

  /** Starts the process and sends it its configuration, as the engine does before anything else. */
  static async start({
    config = {},
    env = {},
    loadsAll = false,
  }: ProcessOptions = {}): Promise<ProviderProcess> {
    const child = spawn(
      process.execPath,
      [
        ...(loadsAll ? [] : ["-r", PRELOAD]),
        fromSdk.resolve("@pulumi/pulumi/cmd/dynamic-provider"),
        "127.0.0.1:1",
      ],
      {
        cwd: ROOT,
        env: { PATH: process.env.PATH, PULUMI_NODEJS_PROJECT: "test", ...env },
        // The last one ends the process with this one.
        stdio: ["ignore", "pipe", "pipe", "pipe"],
      },
    );
    try {
      const lines: string[] = [];
      const port = await listen(child, lines);
      const client = new services.ResourceProviderClient(
        `127.0.0.1:${port}`,
        grpc.credentials.createInsecure(),
      );
      const started = new ProviderProcess(child, client, lines);
      const request = new messages.ConfigureRequest();
      request.setArgs(toStruct(config)).setAcceptsecrets(true);
      await answer((done) => client.configure(request, done));
      return started;
    } catch (error) {
      child.kill("SIGKILL");
      throw error;
    }
  }

  async check(olds: Properties, news: Properties) {
    const request = new messages.CheckRequest().setOlds(bag(olds)).setNews(bag(news));
    const response = await answer<CheckResponse>((done) => this.client.check(request, done));
    return {
      inputs: fromStruct(response.getInputs()),
      failures: response
        .getFailuresList()
        .map((failure) => ({ property: failure.getProperty(), reason: failure.getReason() })),
    };
  }

  async diff(id: string, olds: Properties, news: Properties) {
    const request = new messages.DiffRequest().setId(id).setOlds(bag(olds)).setNews(bag(news));
    const response = await answer<DiffResponse>((done) => this.client.diff(request, done));
    return {
      changes: (["unknown", "none", "some"] as const)[response.getChanges()],
      replaces: response.getReplacesList(),
      deleteBeforeReplace: response.getDeletebeforereplace(),
    };
  }

  async create(inputs: Properties) {
    const request = new messages.CreateRequest().setProperties(bag(inputs));
    const response = await answer<CreateResponse>((done) => this.client.create(request, done));
    return { id: response.getId(), outs: fromStruct(response.getProperties()) };
  }

  async read(id: string, props: Properties) {
    const request = new messages.ReadRequest().setId(id).setProperties(bag(props));
    const response = await answer<ReadResponse>((done) => this.client.read(request, done));
    return {
      id: response.getId(),
      props: fromStruct(response.getProperties()),
      inputs: fromStruct(response.getInputs()),
    };
  }

  async update(id: string, olds: Properties, news: Properties) {
    const request = new messages.UpdateRequest().setId(id).setOlds(bag(olds)).setNews(bag(news));
    const response = await answer<UpdateResponse>((done) => this.client.update(request, done));
    return { outs: fromStruct(response.getProperties()) };
  }

  async delete(id: string, props: Properties): Promise<void> {
    const request = new messages.DeleteRequest().setId(id).setProperties(bag(props));
    await answer((done) => this.client.delete(request, done));
  }

  /** Everything that the process has printed on either stream. */
  get printed(): string {
    return this.#lines.join("\n");
  }

  /** Resolves once the process has printed the text: what it prints comes by another way than its answers. */
  async hasPrinted(text: string): Promise<void> {
    while (!this.printed.includes(text)) await new Promise(setImmediate);
  }

  /** Ends the process; afterwards `printed` is complete. */
  async stop(): Promise<void> {
    this.client.close();
    const closed = new Promise((resolve) => this.child.once("close", resolve));
    if (this.child.kill("SIGKILL")) await closed;
  }
}

/** The port is the first line that the process prints. */
function listen(child: ChildProcess, lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () =>
      reject(new Error(`the process ended before it was ready: ${lines.join("\n")}`)),
    );
    for (const input of [child.stdout, child.stderr]) {
      if (input)
        createInterface({ input }).on("line", (line) => {
          if (input === child.stdout && /^\d+$/.test(line)) resolve(line);
          lines.push(line);
        });
    }
  });
}

function toStruct(properties: Properties): Struct {
  return struct.Struct.fromJavaScript(properties as Record<string, JavaScriptValue>);
}

function bag(properties: Properties): Struct {
  return toStruct({ ...properties, __provider: PROVIDER_TEXT });
}

function fromStruct(properties: Struct | undefined): Properties {
  return properties?.toJavaScript() ?? {};
}

function answer<R>(call: (done: (error: ServiceError | null, response: R) => void) => unknown): Promise<R> {
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
