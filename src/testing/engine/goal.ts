import type { Alias as AliasMessage } from "@pulumi/pulumi/proto/alias_pb";
import type { ReadResourceRequest, RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import type { OperationContext } from "./operation";
import { parsePath } from "./paths";
import { fromStruct } from "./sdk";
import type { ResourceState } from "./state";
import { type Alias, makeUrn, PROVIDER_TYPE } from "./urns";
import { hasSpecialValue, type Properties } from "./values";

/** What the program wants a resource to be. */
export interface Goal {
  type: string;
  name: string;
  custom: boolean;
  parent?: string;
  inputs: Properties;
  /** Reference of an explicit provider, or empty. */
  provider: string;
  /** References by package, which a component hands to its children. */
  providers: Record<string, string>;
  dependencies: string[];
  propertyDependencies: Record<string, string[]>;
  aliases: Alias[];
  ignoreChanges: string[];
  replaceOnChanges: string[];
  additionalSecretOutputs: string[];
  deleteBeforeReplace?: boolean;
  /** Undefined where the parent's holds, as for the two that follow. */
  protect?: boolean;
  retainOnDelete?: boolean;
  deletedWith?: string;
}

/** The same for a lookup, `.get` in a program: nothing but the id is added, and options do not apply. */
export interface ReadGoal extends Goal {
  id: string;
}

/** Names what a request asks for and this engine does not do. */
export interface Refusal {
  refusal: string;
}

/** The goal of a registration. */
export function goalOf(request: RegisterResourceRequest): Goal | Refusal {
  const custom = request.getCustom();
  const inputs = fromStruct(request.getObject());
  const refusal = refusalOf(request, custom, {
    "remote components": request.getRemote(),
    "the import option": request.getImportid() !== "",
    "resource transforms": request.getTransformsList().length > 0,
    "parameterized packages": request.getPackageref() !== "",
    "the replaceWith option": request.getReplaceWithList().length > 0,
    "the replacementTrigger option": request.hasReplacementTrigger(),
    "the envVarMappings option": request.getEnvvarmappingsMap().getLength() > 0,
    "assets and archives": hasSpecialValue(inputs),
    "wildcards inside of property paths": [
      ...request.getIgnorechangesList(),
      ...request.getReplaceonchangesList(),
    ]
      .map(parsePath)
      .some((path) => path.length > 1 && path.includes("*")),
  });
  if (refusal) return { refusal };
  const propertyDependencies: Record<string, string[]> = {};
  request.getPropertydependenciesMap().forEach((on, key) => {
    propertyDependencies[key] = on.getUrnsList();
  });
  const providers: Record<string, string> = {};
  request.getProvidersMap().forEach((reference, pkg) => {
    providers[pkg] = reference;
  });
  return {
    type: request.getType(),
    name: request.getName(),
    custom,
    parent: request.getParent() || undefined,
    inputs,
    provider: request.getProvider(),
    providers,
    dependencies: request.getDependenciesList(),
    propertyDependencies,
    aliases: [
      ...request.getAliasurnsList().map((urn) => ({ urn })),
      ...request.getAliasesList().map((alias) => aliasOf(alias)),
    ],
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
    deleteBeforeReplace: request.getDeletebeforereplacedefined()
      ? request.getDeletebeforereplace()
      : undefined,
    protect: request.hasProtect() ? request.getProtect() : undefined,
    retainOnDelete: request.hasRetainondelete() ? request.getRetainondelete() : undefined,
    deletedWith: request.getDeletedwith() || undefined,
  };
}

/** The same for a lookup, `.get` in a program. */
export function readGoalOf(request: ReadResourceRequest): ReadGoal | Refusal {
  const inputs = fromStruct(request.getProperties());
  const refusal = refusalOf(request, true, {
    "parameterized packages": request.getPackageref() !== "",
    "assets and archives": hasSpecialValue(inputs),
  });
  if (refusal) return { refusal };
  return {
    type: request.getType(),
    name: request.getName(),
    id: request.getId(),
    custom: true,
    parent: request.getParent() || undefined,
    inputs,
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

function refusalOf(
  resource: { getType(): string; getName(): string },
  custom: boolean,
  unsupported: Record<string, boolean>,
): string | undefined {
  const type = resource.getType();
  const of = `${type} resource '${resource.getName()}': the offline engine`;
  const asked = Object.keys(unsupported).filter((what) => unsupported[what]);
  if (asked.length > 0) return `${of} does not support ${asked.join(", ")}`;
  if (type === "pulumi:pulumi:StackReference") return `${of} does not support stack references`;
  const dynamic = !custom || type === PROVIDER_TYPE || type.startsWith("pulumi-nodejs:");
  return dynamic ? undefined : `${of} runs dynamic resources only, no other provider's`;
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

/** The goal with the options that a resource takes from its parent where it has none of its own. */
export function inherit(goal: Goal, parent: Goal | undefined): Goal {
  if (parent === undefined) return goal;
  const pkg = packageOf(goal.type);
  const ofParent = packageOf(parent.type) === pkg ? parent.provider : "";
  return {
    ...goal,
    protect: goal.protect ?? parent.protect,
    retainOnDelete: goal.retainOnDelete ?? parent.retainOnDelete,
    deletedWith: goal.deletedWith ?? parent.deletedWith,
    provider: goal.provider || goal.providers[pkg] || parent.providers[pkg] || ofParent,
    providers: goal.custom ? goal.providers : { ...parent.providers, ...goal.providers },
  };
}

function packageOf(type: string): string {
  return type.split(":")[0] ?? "";
}

/** A resource as a goal has it, before any provider was asked. */
export function newState(goal: Goal, context: OperationContext): ResourceState {
  const { at, providers } = context;
  const dynamic = goal.custom && goal.type !== PROVIDER_TYPE;
  return {
    urn: makeUrn(at, goal.type, goal.name, goal.parent),
    type: goal.type,
    custom: goal.custom,
    id: "",
    external: false,
    parent: goal.parent,
    provider: dynamic ? goal.provider || providers.defaultReference : undefined,
    inputs: goal.inputs,
    outputs: {},
    dependencies: goal.dependencies,
    propertyDependencies: goal.propertyDependencies,
    additionalSecretOutputs: goal.additionalSecretOutputs,
    ignoreChanges: goal.ignoreChanges,
    replaceOnChanges: goal.replaceOnChanges,
    protect: goal.protect ?? false,
    retainOnDelete: goal.retainOnDelete ?? false,
    deletedWith: goal.deletedWith,
    initErrors: [],
  };
}
