/** The services that a running program calls: the resource monitor and the engine. */
import { promisify } from "node:util";
import type { Server, ServiceError, UntypedHandleCall } from "@grpc/grpc-js";
import type { Callback } from "@pulumi/pulumi/proto/callback_pb";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import {
  GetRootResourceResponse,
  type LogRequest,
  type RequirePulumiVersionRequest,
  RequirePulumiVersionResponse,
  type SetRootResourceRequest,
  SetRootResourceResponse,
} from "@pulumi/pulumi/proto/engine_pb";
import { CallResponse } from "@pulumi/pulumi/proto/provider_pb";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import {
  DeploymentInfo,
  type ReadResourceRequest,
  ReadResourceResponse,
  RegisterPackageResponse,
  type RegisterResourceOutputsRequest,
  type RegisterResourceRequest,
  RegisterResourceResponse,
  type ResourceCallRequest,
  type ResourceInvokeRequest,
  ResourceMonitorFeature,
  Result,
  type SupportsFeatureRequest,
  SupportsFeatureResponse,
} from "@pulumi/pulumi/proto/resource_pb";
import { version } from "@pulumi/pulumi/version";
import type { Message } from "google-protobuf";
import { messageOf } from "../diagnostics";
import type { OperationContext } from "../operation";
import { Unanswered } from "../processes/mocks";
import { Cancelled } from "../progress";
import { ORGANIZATION, PARALLEL, type ToldConfig } from "../project";
import { Empty, fromStruct, grpc, InvokeResponse, MESSAGE_SIZE, satisfies, toStruct } from "../sdk";
import { STACK_TYPE } from "../state/urns";
import type { Update } from "../steps/update";
import { CALL, OUTPUTS, TRANSFORM, unknownFields } from "./fields";
import { goalOf, readGoalOf, readRefusalOf, refusalOf, requestedBy } from "./requests";
import { Transforms } from "./transforms";

/**
 * Features reported as supported, so that the SDK uses them and this engine can refuse the
 * unsupported ones by name: the names by which SDKs ask for one, and those of the complete answer.
 */
const FEATURES = {
  secrets: "SECRETS",
  aliasSpecs: "ALIAS_SPECS",
  deletedWith: "DELETED_WITH",
  replaceWith: "REPLACE_WITH",
  transforms: "TRANSFORMS",
  invokeTransforms: "INVOKE_TRANSFORMS",
  parameterization: "PARAMETERIZATION",
  resourceHooks: "RESOURCE_HOOKS",
  errorHooks: "ERROR_HOOKS",
} as const;

/** The time that pending answers have when the server shuts down. */
const GRACE_PERIOD_MS = 200;

const SEVERITIES = ["debug", "info", "warning", "error"] as const;

/** Serves the resource monitor and the engine of an update to its program, on a loopback port. */
export async function serveMonitor(context: OperationContext, update: Update, told: ToldConfig) {
  const server = new grpc.Server(MESSAGE_SIZE);
  const transforms = new Transforms();

  const monitor = new ResourceMonitor(context, update, transforms, told);
  server.addService(ResourceMonitorService, monitor);
  server.addService(EngineService, engine(context));
  const credentials = grpc.ServerCredentials.createInsecure();
  const port = await promisify(server.bindAsync.bind(server))("127.0.0.1:0", credentials);

  return {
    address: `127.0.0.1:${port}`,
    close: () => shutDown(server).finally(() => transforms.close()),
  };
}

/** The answer to SDKs from 3.256 on; older ones have no such message, and ask for each feature. */
function deploymentInfo(
  { at, preview }: OperationContext,
  { config, secretKeys }: ToldConfig,
): DeploymentInfo {
  const info = new DeploymentInfo()
    .setProject(at.project)
    .setStack(at.stack)
    .setOrganization(ORGANIZATION);

  for (const [key, value] of Object.entries(config)) info.getConfigMap().set(key, value);
  for (const name of Object.values(FEATURES))
    info.addSupportedfeatures(ResourceMonitorFeature[`RESOURCE_MONITOR_FEATURE_${name}`]);

  return info.setConfigsecretkeysList(secretKeys).setDryrun(preview).setParallel(PARALLEL);
}

/** Lets pending answers finish for a short time, then closes the connections. */
async function shutDown(server: Server): Promise<void> {
  const timer = setTimeout(() => server.forceShutdown(), GRACE_PERIOD_MS);
  await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  clearTimeout(timer);
}

/** The calls of a program about its resources. */
class ResourceMonitor {
  [call: string]: UntypedHandleCall;

  readonly #context: OperationContext;
  readonly #update: Update;
  readonly #transforms: Transforms;
  readonly #told: ToldConfig;

  constructor(context: OperationContext, update: Update, transforms: Transforms, told: ToldConfig) {
    this.#context = context;
    this.#update = update;
    this.#transforms = transforms;
    this.#told = told;
  }

  getDeploymentInfo = handle(() => deploymentInfo(this.#context, this.#told));

  supportsFeature = handle((request: SupportsFeatureRequest) =>
    new SupportsFeatureResponse().setHassupport(Object.hasOwn(FEATURES, request.getId())),
  );

  registerResource = handle(async (request: RegisterResourceRequest) => {
    const update = this.#update;
    const requested = await this.#transforms
      .apply(request, requestedBy(request))
      .catch((error) => update.refuse(messageOf(error)));

    const refusal = refusalOf(request, requested, this.#isMocked);
    const ofStack = request.getType() === STACK_TYPE;
    if (refusal !== undefined && !ofStack) return await update.refuse(refusal);

    const registered = update.register(goalOf(request, requested));

    // Without its stack a program can neither start nor end.
    if (refusal !== undefined) void update.refuse(refusal).catch(() => {});
    const { urn, id, outputs, result } = await registered;

    this.#transforms.remember(urn, request);

    return new RegisterResourceResponse()
      .setUrn(urn)
      .setId(id)
      .setObject(toStruct(outputs))
      .setResult(Result[result]);
  });

  readResource = handle(async (request: ReadResourceRequest) => {
    const refusal = readRefusalOf(request, this.#isMocked);
    if (refusal !== undefined) return await this.#update.refuse(refusal);

    const { urn, outputs } = await this.#update.readResource(readGoalOf(request));

    return new ReadResourceResponse().setUrn(urn).setProperties(toStruct(outputs));
  });

  registerResourceOutputs = handle((request: RegisterResourceOutputsRequest) => {
    const unknown = unknownFields(request, OUTPUTS);
    if (unknown.length > 0) return this.#refuseQuietly(unknown.join(", "));

    this.#update.registerOutputs(request.getUrn(), fromStruct(request.getOutputs()));

    return new Empty();
  });

  // The program has registered everything, and waits for the deletions before it exits.
  signalAndWaitForShutdown = handle(async () => {
    await this.#update.finish(true);
    return new Empty();
  });

  invoke = handle(async (request: ResourceInvokeRequest) =>
    new InvokeResponse().setReturn(await this.#callMocks("function", request)),
  );

  call = handle(async (request: ResourceCallRequest) =>
    new CallResponse().setReturn(await this.#callMocks("method", request)),
  );

  registerPackage = handle(() =>
    // Types say which package is meant: what it is made of is the mocks' business.
    this.#isMocked
      ? new RegisterPackageResponse().setRef("mocked")
      : this.#refuse("parameterized packages: answer for them with the option mocks"),
  );

  registerStackTransform = handle((callback: Callback) => {
    const unknown = unknownFields(callback, TRANSFORM);
    if (unknown.length > 0) return this.#refuseQuietly(unknown.join(", "));

    this.#transforms.addToStack(callback);

    return new Empty();
  });

  registerStackInvokeTransform = handle(() => this.#refuseQuietly("invoke transforms"));
  registerResourceHook = handle(() => this.#refuseQuietly("resource hooks"));
  registerErrorHook = handle(() => this.#refuseQuietly("error hooks"));

  get #isMocked(): boolean {
    return this.#context.mocks !== undefined;
  }

  #refuse(what: string): Promise<never> {
    return this.#update.refuse(`the offline engine does not support ${what}`);
  }

  /** An error answer would be an unhandled rejection in the SDK, and the update has already failed. */
  #refuseQuietly(what: string) {
    void this.#refuse(what).catch(() => {});
    return new Empty();
  }

  async #callMocks(
    what: "function" | "method",
    request: ResourceInvokeRequest | ResourceCallRequest,
  ) {
    const { mocks } = this.#context;
    const token = request.getTok();
    if (mocks === undefined)
      return await this.#refuse(`the ${what} ${token}: answer for it with the option mocks`);

    const unknown = unknownFields(request, CALL);
    if (unknown.length > 0) return await this.#refuse(unknown.join(", "));

    const args = fromStruct(request.getArgs());
    if (token === "pulumi:pulumi:getResource")
      return toStruct(this.#context.registered(String(args.urn)));

    try {
      return toStruct(await mocks.call(what, token, args, request.getProvider()));
    } catch (error) {
      if (error instanceof Unanswered) return await this.#update.refuse(error.message);
      throw error;
    }
  }
}

function engine(context: OperationContext) {
  let rootUrn = "";

  return {
    log: handle((request: LogRequest) => {
      const severity = SEVERITIES[request.getSeverity()] ?? "info";
      // The SDK's own debug messages hold every input in clear; the real command hides them, too.
      const hidden = severity === "debug" || request.getEphemeral() || context.progress.isOver;

      if (!hidden) context.diagnostics.add(severity, request.getMessage(), request.getUrn());

      return new Empty();
    }),
    getRootResource: handle(
      (): GetRootResourceResponse => new GetRootResourceResponse().setUrn(rootUrn),
    ),
    setRootResource: handle((request: SetRootResourceRequest) => {
      rootUrn = request.getUrn();
      return new SetRootResourceResponse();
    }),
    requirePulumiVersion: handle((request: RequirePulumiVersionRequest) => {
      const range = request.getPulumiVersionRange();
      if (!satisfies(version, range)) {
        throw new Error(
          `Pulumi CLI version ${version} does not satisfy the version range "${range}"`,
        );
      }

      return new RequirePulumiVersionResponse();
    }),
  };
}

type Done<R> = (error: Partial<ServiceError> | null, response?: R) => void;

function handle<Q extends Message, R>(answer: (request: Q) => R | Promise<R>) {
  return async ({ request }: { request: Q }, done: Done<R>): Promise<void> => {
    try {
      done(null, await answer(request));
    } catch (error) {
      const cancelled = error instanceof Cancelled;
      const details = cancelled ? "resource monitor shut down" : messageOf(error);
      done({ code: cancelled ? grpc.status.UNAVAILABLE : grpc.status.UNKNOWN, details });
    }
  };
}
