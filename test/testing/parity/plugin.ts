/** The plugin of a package that is made of mocks, for the real engine: a small one, as a plugin may be. */
import type { ServerUnaryCall, sendUnaryData } from "@grpc/grpc-js";
import type * as pulumi from "@pulumi/pulumi";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import type {
  CallRequest,
  CheckRequest,
  CreateRequest,
  InvokeRequest,
  ReadRequest,
  UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import type { Message } from "google-protobuf";
import { fromStruct, loadSdk, toStruct } from "../../../src/testing/engine/sdk";
import type { Outputs } from "./package";

interface Plugin {
  /** Tells the engine's command where the plugin is. */
  env: Record<string, string>;
  close(): void;
}

/** Serves the plugin on a loopback port: it does not support previews, and leaves comparing to the engine. */
export async function servePlugin(name: string, mocks: pulumi.runtime.Mocks): Promise<Plugin> {
  const { empty, grpc, provider, providerService } = loadSdk();
  const { inRuntimeState, serializeProperties } = loadSdk();
  const serialize = (properties: Outputs) => inRuntimeState({}, () => serializeProperties("", properties));
  const create = async (request: CreateRequest | UpdateRequest | ReadRequest, inputs: Outputs, id = "") => {
    const about = { type: request.getType(), name: request.getName() };
    const { state, ...result } = await mocks.newResource({ ...about, inputs, id, custom: true });
    return { id: id || result.id || "", state: await serialize(state) };
  };
  const call = async (request: InvokeRequest | CallRequest) => {
    const answer = await mocks.call({ token: request.getTok(), inputs: fromStruct(request.getArgs()) });
    return toStruct(await serialize(answer));
  };
  const methods = {
    attach: () => new empty.Empty(),
    getPluginInfo: () => new PluginInfo().setVersion("1.0.0"),
    checkConfig: (request: CheckRequest) => new provider.CheckResponse().setInputs(request.getNews()),
    diffConfig: () => new provider.DiffResponse(),
    configure: () => new provider.ConfigureResponse(),
    check: (request: CheckRequest) => new provider.CheckResponse().setInputs(request.getNews()),
    diff: () => new provider.DiffResponse(),
    create: async (request: CreateRequest) => {
      const { id, state } = await create(request, fromStruct(request.getProperties()));
      return new provider.CreateResponse().setId(id).setProperties(toStruct(state));
    },
    update: async (request: UpdateRequest) => {
      const { state } = await create(request, fromStruct(request.getNews()), request.getId());
      return new provider.UpdateResponse().setProperties(toStruct(state));
    },
    read: async (request: ReadRequest) => {
      const response = new provider.ReadResponse().setId(request.getId());
      const [state, inputs] = [fromStruct(request.getProperties()), fromStruct(request.getInputs())];
      // What is in the state is as it is there.
      if ("made" in state) return response.setProperties(toStruct(state)).setInputs(toStruct(inputs));
      const found = await create(request, state, request.getId());
      const { made: _, ...others } = found.state;
      return response.setProperties(toStruct(found.state)).setInputs(toStruct(others));
    },
    delete: () => new empty.Empty(),
    invoke: async (request: InvokeRequest) => new provider.InvokeResponse().setReturn(await call(request)),
    call: async (request: CallRequest) => new provider.CallResponse().setReturn(await call(request)),
  };
  const server = new grpc.Server();
  const handlers = Object.entries(methods).map(([method, answer]) => [method, handle(answer as Answer)]);
  server.addService(providerService.ResourceProviderService, Object.fromEntries(handlers));
  const port = await new Promise<number>((resolve, reject) => {
    const credentials = grpc.ServerCredentials.createInsecure();
    server.bindAsync("127.0.0.1:0", credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  return { env: { PULUMI_DEBUG_PROVIDERS: `${name}:${port}` }, close: () => server.forceShutdown() };
}

type Answer = (request: Message) => Message | Promise<Message>;

function handle(answer: Answer) {
  return async ({ request }: ServerUnaryCall<Message, Message>, done: sendUnaryData<Message>) => {
    try {
      done(null, await answer(request));
    } catch (error) {
      done({ code: loadSdk().grpc.status.UNKNOWN, details: error instanceof Error ? error.message : "" });
    }
  };
}
