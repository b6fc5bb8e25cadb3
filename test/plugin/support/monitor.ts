/**
 * An engine's resource monitor. A component registers itself and its children here; the monitor
 * records the requests and gives ids.
 */
import { promisify } from "node:util";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/resource_pb";
import { Empty, fromStruct, grpc } from "../../../packages/pulumi-offline/src/sdk";
import type { Properties } from "../../../src/provider/boundary";

/** A registration. Fields with their default value are left out. */
export interface Registration {
  type: string;
  name: string;
  parent?: string;
  inputs: Properties;

  /** The resources behind each input. */
  from: Record<string, string[]>;
  [option: string]: unknown;
}

type Done<T> = (error: null, response: T) => void;

export class FakeMonitor {
  readonly registered: Registration[] = [];
  readonly outputs: { urn: string; outputs: Properties }[] = [];

  /**
   * The answer to a registration, beside its URN. By default a channel gets the id `id-of-NAME`.
   */
  answer: (registration: Registration) => { id?: string; failed?: boolean } = ({ name }) => ({
    id: `id-of-${name}`,
  });
  address = "";
  readonly #server = new grpc.Server({ "grpc.max_receive_message_length": 400 * 1024 * 1024 });

  static async start(): Promise<FakeMonitor> {
    const monitor = new FakeMonitor();
    monitor.#server.addService(ResourceMonitorService, {
      registerResource: monitor.#register.bind(monitor),
      registerResourceOutputs: monitor.#registerOutputs.bind(monitor),
    });

    const listen = promisify(monitor.#server.bindAsync.bind(monitor.#server));
    const port = await listen("127.0.0.1:0", grpc.ServerCredentials.createInsecure());
    monitor.address = `127.0.0.1:${port}`;

    return monitor;
  }

  close(): void {
    this.#server.forceShutdown();
  }

  #register(
    { request }: { request: messages.RegisterResourceRequest },
    done: Done<messages.RegisterResourceResponse>,
  ): void {
    const registration = described(request);
    this.registered.push(registration);
    const { id = "", failed = false } = this.answer(registration);
    const urn = `urn:pulumi:test::test::${request.getType()}::${request.getName()}`;
    const result = failed ? messages.Result.FAIL : messages.Result.SUCCESS;
    const response = new messages.RegisterResourceResponse().setUrn(urn).setResult(result);
    done(null, request.getCustom() && !failed ? response.setId(id) : response);
  }

  #registerOutputs(
    { request }: { request: messages.RegisterResourceOutputsRequest },
    done: Done<unknown>,
  ): void {
    this.outputs.push({ urn: request.getUrn(), outputs: fromStruct(request.getOutputs()) });
    done(null, new Empty());
  }
}

function described(request: messages.RegisterResourceRequest): Registration {
  const { object: _struct, propertydependenciesMap, type, name, ...options } = request.toObject();
  const given = Object.entries(options).filter(([option, value]) => {
    const isDefault = value === "" || (value === false && option !== "protect") || isEmpty(value);
    return value !== undefined && !isDefault;
  });

  return {
    ...Object.fromEntries(given),
    type,
    name,
    inputs: fromStruct(request.getObject()),
    from: Object.fromEntries(
      propertydependenciesMap.map(([input, { urnsList }]) => [input, urnsList]),
    ),
  };
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
