/** Goals: resources as the program registers them, before any provider was called. */
import { isManaged, type OperationContext } from "../operation";
import type { ResourceState } from "../state/state";
import { type Alias, makeUrn, packageOf } from "../state/urns";
import type { Properties } from "../state/values";

/** A resource as the program wants it. */
export interface Goal {
  type: string;
  name: string;
  custom: boolean;
  parent?: string;
  inputs: Properties;

  /** Reference of an explicit provider, or empty. */
  provider: string;

  /** Id of the resource that exists and is to be taken over. */
  importId?: string;

  /** References by package, which a component hands to its children. */
  providers: Record<string, string>;
  dependencies: string[];
  propertyDependencies: Record<string, string[]>;
  aliases: Alias[];
  ignoreChanges: string[];
  replaceOnChanges: string[];
  additionalSecretOutputs: string[];
  deleteBeforeReplace?: boolean;

  /** These three are inherited from the parent where they are undefined. */
  protect?: boolean;
  retainOnDelete?: boolean;
  deletedWith?: string;
}

/**
 * The same for a lookup, `.get` in a program: nothing but the id is added, and options do not
 * apply.
 */
export interface ReadGoal extends Goal {
  id: string;
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

/** A resource as a goal has it, before any provider was requested. */
export function newState(goal: Goal, context: OperationContext): ResourceState {
  const { at, providers } = context;

  return {
    urn: makeUrn(at, goal.type, goal.name, goal.parent),
    type: goal.type,
    custom: goal.custom,
    id: "",
    importId: goal.importId,
    external: false,
    parent: goal.parent,
    provider: isManaged(goal)
      ? goal.provider || providers.defaultReference(packageOf(goal.type))
      : undefined,
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
