/** The plugin of a package that is made of mocks, for the real engine. */
import { promisify } from "node:util";
import type { ServerUnaryCall, sendUnaryData } from "@grpc/grpc-js";
import type * as pulumi from "@pulumi/pulumi";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as provider from "@pulumi/pulumi/proto/provider_pb";
import { serializeProperties } from "@pulumi/pulumi/runtime";
import type { Message } from "google-protobuf";
import { Empty, fromStruct, grpc, inRuntimeState, toStruct } from "../../src/sdk";
import type { Properties } from "../../src/state/values";

/**
 * Serves the plugin on a loopback port: it does not support previews, and leaves comparing to the
 * engine.
 */
export async function servePlugin(name: string, mocks: pulumi.runtime.Mocks) {
  const serialize = (properties: Properties) =>
    inRuntimeState({}, () => serializeProperties("", properties));

  const create = async (
    request: provider.CreateRequest | provider.UpdateRequest | provider.ReadRequest,
    inputs: Properties,
    id = "",
  ) => {
    const about = { type: request.getType(), name: request.getName() };
    const { state, ...result } = await mocks.newResource({ ...about, inputs, id, custom: true });
    return { id: id || result.id || "", state: await serialize(state) };
  };

  const call = async (request: provider.InvokeRequest | provider.CallRequest) => {
    const answer = await mocks.call({
      token: request.getTok(),
      inputs: fromStruct(request.getArgs()),
    });

    return toStruct(await serialize(answer));
  };

  const acceptInputs = (request: provider.CheckRequest) =>
    new provider.CheckResponse().setInputs(request.getNews());

  const methods = {
    attach: () => new Empty(),
    getPluginInfo: () => new PluginInfo().setVersion("1.0.0"),
    checkConfig: acceptInputs,
    diffConfig: () => new provider.DiffResponse(),
    configure: () => new provider.ConfigureResponse(),
    check: acceptInputs,
    diff: () => new provider.DiffResponse(),
    create: async (request: provider.CreateRequest) => {
      const { id, state } = await create(request, fromStruct(request.getProperties()));
      return new provider.CreateResponse().setId(id).setProperties(toStruct(state));
    },
    update: async (request: provider.UpdateRequest) => {
      const { state } = await create(request, fromStruct(request.getNews()), request.getId());
      return new provider.UpdateResponse().setProperties(toStruct(state));
    },
    read: async (request: provider.ReadRequest) => {
      const response = new provider.ReadResponse().setId(request.getId());
      const state = fromStruct(request.getProperties());
      // A resource in the state has its outputs already.
      if ("made" in state)
        return response.setProperties(toStruct(state)).setInputs(request.getInputs());

      const found = await create(request, state, request.getId());
      const { made: _, ...others } = found.state;

      return response.setProperties(toStruct(found.state)).setInputs(toStruct(others));
    },
    delete: () => new Empty(),
    invoke: async (request: provider.InvokeRequest) =>
      new provider.InvokeResponse().setReturn(await call(request)),
    call: async (request: provider.CallRequest) =>
      new provider.CallResponse().setReturn(await call(request)),
  };

  const server = new grpc.Server();
  const handlers = Object.entries(methods).map(([method, answer]) => [
    method,
    handle(answer as Answer),
  ]);

  server.addService(ResourceProviderService, Object.fromEntries(handlers));
  const credentials = grpc.ServerCredentials.createInsecure();
  const port = await promisify(server.bindAsync.bind(server))("127.0.0.1:0", credentials);

  return {
    /** Tells the engine's command where the plugin is. */
    env: { PULUMI_DEBUG_PROVIDERS: `${name}:${port}` },
    close: () => server.forceShutdown(),
  };
}

type Answer = (request: Message) => Message | Promise<Message>;

function handle(answer: Answer) {
  return async ({ request }: ServerUnaryCall<Message, Message>, done: sendUnaryData<Message>) => {
    try {
      done(null, await answer(request));
    } catch (error) {
      done({ code: grpc.status.UNKNOWN, details: error instanceof Error ? error.message : "" });
    }
  };
}
