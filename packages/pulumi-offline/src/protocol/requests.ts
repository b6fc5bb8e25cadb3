/** Requests of the program: what of them is refused, and the goals that they set. */
import { Alias as AliasMessage } from "@pulumi/pulumi/proto/alias_pb";
import {
  type ReadResourceRequest,
  type RegisterResourceRequest,
  TransformResourceOptions,
} from "@pulumi/pulumi/proto/resource_pb";
import { fromStruct } from "../sdk";
import { parsePath } from "../state/paths";
import { type Alias, isDynamicType, STACK_REFERENCE_TYPE } from "../state/urns";
import { hasSpecialValue, type Properties } from "../state/values";
import type { Goal, ReadGoal } from "../steps/goal";
import { LOOKUP, REGISTRATION, TRANSFORM_OPTIONS, unknownFields } from "./fields";

/** The parts of a registration that transforms can change. */
export interface RequestedResource {
  inputs: Properties;
  dependencies: string[];
  propertyDependencies: Record<string, string[]>;
  options: TransformResourceOptions;
}

/** The registration before any transform. */
export function requestedBy(request: RegisterResourceRequest): RequestedResource {
  const options = new TransformResourceOptions()
    .setDependsOnList(request.getDependenciesList())
    .setIgnoreChangesList(request.getIgnorechangesList())
    .setReplaceOnChangesList(request.getReplaceonchangesList())
    .setAliasesList([
      ...request.getAliasurnsList().map((urn) => new AliasMessage().setUrn(urn)),
      ...request.getAliasesList(),
    ])
    .setProvider(request.getProvider())
    .setDeletedWith(request.getDeletedwith())
    .setAdditionalSecretOutputsList(request.getAdditionalsecretoutputsList())
    .setImport(request.getImportid())
    .setCustomTimeouts(request.getCustomtimeouts());

  if (request.hasProtect()) options.setProtect(request.getProtect() ?? false);
  if (request.hasRetainondelete()) options.setRetainOnDelete(request.getRetainondelete() ?? false);
  if (request.getDeletebeforereplacedefined())
    options.setDeleteBeforeReplace(request.getDeletebeforereplace());

  request.getProvidersMap().forEach((reference, pkg) => {
    options.getProvidersMap().set(pkg, reference);
  });

  const propertyDependencies: Record<string, string[]> = {};

  request.getPropertydependenciesMap().forEach((on, key) => {
    propertyDependencies[key] = on.getUrnsList();
  });

  return {
    inputs: fromStruct(request.getObject()),
    dependencies: request.getDependenciesList(),
    propertyDependencies,
    options,
  };
}

/**
 * Names the features of a registration that this engine does not support.
 *
 * @param mocks whether there are mocks, which answer for what is not dynamic
 */
export function refusalOf(
  request: RegisterResourceRequest,
  { inputs, options }: RequestedResource,
  mocks: boolean,
): string | undefined {
  const mocked = mocks && !isDynamicType(request.getType());

  return refusalFor(request, mocked || !request.getCustom(), {
    "remote components": request.getRemote(),
    "the import option": !mocked && options.getImport() !== "",
    "parameterized packages": !mocked && request.getPackageref() !== "",
    // Older SDKs have no such fields.
    "the replaceWith option": [request, options].some((of) => of.getReplaceWithList?.().length > 0),
    "the replacementTrigger option": [request, options].some((of) => of.hasReplacementTrigger?.()),
    "the envVarMappings option": request.getEnvvarmappingsMap?.().getLength() > 0,
    "assets and archives": !mocked && hasSpecialValue(inputs),
    "wildcards inside of property paths": [
      ...options.getIgnoreChangesList(),
      ...options.getReplaceOnChangesList(),
    ]
      .map(parsePath)
      .some((path) => path.length > 1 && path.includes("*")),
    ...refused([
      ...unknownFields(request, REGISTRATION),
      ...unknownFields(options, TRANSFORM_OPTIONS),
    ]),
  });
}

/** The goal of a registration after its transforms. */
export function goalOf(request: RegisterResourceRequest, requested: RequestedResource): Goal {
  const { inputs, dependencies, propertyDependencies, options } = requested;
  const providers: Record<string, string> = {};

  options.getProvidersMap().forEach((reference, pkg) => {
    providers[pkg] = reference;
  });

  return {
    type: request.getType(),
    name: request.getName(),
    custom: request.getCustom(),
    parent: request.getParent() || undefined,
    inputs,
    provider: options.getProvider(),
    importId: options.getImport() || undefined,
    providers,
    dependencies,
    propertyDependencies,
    aliases: options.getAliasesList().map(aliasOf),
    ignoreChanges: options.getIgnoreChangesList(),
    replaceOnChanges: options.getReplaceOnChangesList(),
    additionalSecretOutputs: options.getAdditionalSecretOutputsList(),
    deleteBeforeReplace: options.hasDeleteBeforeReplace()
      ? options.getDeleteBeforeReplace()
      : undefined,
    protect: options.hasProtect() ? options.getProtect() : undefined,
    retainOnDelete: options.hasRetainOnDelete() ? options.getRetainOnDelete() : undefined,
    deletedWith: options.getDeletedWith() || undefined,
  };
}

/** Names the features of a lookup that this engine does not support. */
export function readRefusalOf(request: ReadResourceRequest, mocks: boolean): string | undefined {
  const mocked = mocks && !isDynamicType(request.getType());

  return refusalFor(request, mocked, {
    "parameterized packages": !mocked && request.getPackageref() !== "",
    "assets and archives": !mocked && hasSpecialValue(fromStruct(request.getProperties())),
    ...refused(unknownFields(request, LOOKUP)),
  });
}

/** The goal of a lookup, `.get` in a program. */
export function readGoalOf(request: ReadResourceRequest): ReadGoal {
  return {
    type: request.getType(),
    name: request.getName(),
    id: request.getId(),
    custom: true,
    parent: request.getParent() || undefined,
    inputs: fromStruct(request.getProperties()),
    provider: request.getProvider(),
    providers: {},
    dependencies: request.getDependenciesList(),
    propertyDependencies: {},
    aliases: [],
    ignoreChanges: [],
    replaceOnChanges: [],
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
  };
}

function refused(what: string[]): Record<string, true> {
  return Object.fromEntries(what.map((name) => [name, true]));
}

function refusalFor(
  resource: { getType(): string; getName(): string },
  served: boolean,
  unsupported: Record<string, boolean>,
): string | undefined {
  const type = resource.getType();
  const of = `${type} resource '${resource.getName()}': the offline engine`;
  const requested = Object.keys(unsupported).filter((what) => unsupported[what]);
  if (requested.length > 0) return `${of} does not support ${requested.join(", ")}`;
  if (served || isDynamicType(type)) return undefined;

  const what =
    type === STACK_REFERENCE_TYPE
      ? "does not support stack references"
      : "runs dynamic resources only, no other provider's";

  return `${of} ${what}: answer for it with the option mocks`;
}

function aliasOf(alias: AliasMessage): Alias {
  const spec = alias.getSpec();
  if (spec === undefined) return { urn: alias.getUrn() };

  return {
    name: spec.getName(),
    type: spec.getType(),
    stack: spec.getStack(),
    project: spec.getProject(),
    parent: spec.getParenturn(),
    noParent: spec.getNoparent(),
  };
}
