/**
 * Resource transforms: functions of the program by which it changes what it registers. They run in
 * the program, which serves them as callbacks: the resource's own first, then its parents', then
 * the stack's, each on what the last one left.
 */
import { CallbacksClient } from "@pulumi/pulumi/proto/callback_grpc_pb";
import {
  type Callback,
  CallbackInvokeRequest,
  type CallbackInvokeResponse,
} from "@pulumi/pulumi/proto/callback_pb";
import {
  type RegisterResourceRequest,
  TransformRequest,
  TransformResponse,
} from "@pulumi/pulumi/proto/resource_pb";
import { CLIENT_OPTIONS, fromStruct, grpc, toStruct } from "../sdk";
import type { Properties } from "../state/values";
import { TRANSFORM_RESPONSE, unknownFields } from "./fields";
import { fromOutputValue, toOutputValue } from "./output-values";
import type { RequestedResource } from "./requests";

/** The transforms of one run of a program. */
export class Transforms {
  readonly #ofStack: Callback[] = [];
  readonly #ofResources = new Map<string, { own: Callback[]; parent: string }>();
  readonly #clients = new Map<string, CallbacksClient>();

  /** Adds one that every resource goes through from now on. */
  addToStack(callback: Callback): void {
    this.#ofStack.push(callback);
  }

  /** Remembers a registered resource: its transforms also apply to its children. */
  remember(urn: string, request: RegisterResourceRequest): void {
    this.#ofResources.set(urn, { own: request.getTransformsList(), parent: request.getParent() });
  }

  /** The registration after its transforms. */
  async apply(
    request: RegisterResourceRequest,
    requested: RequestedResource,
  ): Promise<RequestedResource> {
    const own = request.getTransformsList();
    const all = [...own, ...this.#ofParents(request.getParent()), ...this.#ofStack];
    if (all.length === 0) return requested;

    // As in the real engine, only a resource's own transforms see the dependencies of its values.
    const known = own.length > 0 ? requested.propertyDependencies : {};
    let inputs: Properties = Object.fromEntries(
      Object.entries(requested.inputs).map(([key, value]) => [
        key,
        toOutputValue(value, known[key] ?? []),
      ]),
    );

    let { options } = requested;

    for (const callback of all)
      ({ inputs, options } = await this.#call(callback, request, { inputs, options }));

    const propertyDependencies: Record<string, string[]> = {};
    const clear = Object.entries(inputs).map(([key, value]) => {
      const plain = fromOutputValue(value);
      propertyDependencies[key] = plain.dependencies;

      return [key, plain.value];
    });

    const dependencies = own.length > 0 ? options.getDependsOnList() : requested.dependencies;

    return {
      inputs: Object.fromEntries(clear),
      options,
      dependencies: [...new Set([...dependencies, ...Object.values(propertyDependencies).flat()])],
      propertyDependencies:
        own.length > 0
          ? propertyDependencies
          : { ...propertyDependencies, ...requested.propertyDependencies },
    };
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
  }

  #ofParents(parent: string): Callback[] {
    const resource = this.#ofResources.get(parent);
    return resource === undefined ? [] : [...resource.own, ...this.#ofParents(resource.parent)];
  }

  async #call(
    callback: Callback,
    about: RegisterResourceRequest,
    { inputs, options }: Pick<RequestedResource, "inputs" | "options">,
  ): Promise<Pick<RequestedResource, "inputs" | "options">> {
    const transform = new TransformRequest()
      .setName(about.getName())
      .setType(about.getType())
      .setCustom(about.getCustom())
      .setParent(about.getParent())
      .setProperties(toStruct(inputs))
      .setOptions(options);

    const request = new CallbackInvokeRequest()
      .setToken(callback.getToken())
      .setRequest(transform.serializeBinary());

    const answer = await new Promise<CallbackInvokeResponse>((resolve, reject) => {
      this.#client(callback.getTarget()).invoke(request, (error, response) => {
        // The words of the real engine, which is written in Go.
        if (error)
          reject(new Error(`invoke transform: rpc error: code = Unknown desc = ${error.details}`));
        else resolve(response);
      });
    });

    const response = TransformResponse.deserializeBinary(answer.getResponse_asU8());
    const unknown = unknownFields(response, TRANSFORM_RESPONSE);
    if (unknown.length > 0)
      throw new Error(`the offline engine does not support ${unknown.join(", ")}`);

    return {
      inputs: response.hasProperties() ? fromStruct(response.getProperties()) : inputs,
      options: response.getOptions() ?? options,
    };
  }

  #client(target: string): CallbacksClient {
    const known = this.#clients.get(target);
    if (known !== undefined) return known;

    const client = new CallbacksClient(target, grpc.credentials.createInsecure(), CLIENT_OPTIONS);

    this.#clients.set(target, client);

    return client;
  }
}
