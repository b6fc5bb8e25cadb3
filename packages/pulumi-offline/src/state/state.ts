/** Resources as a stack records them, their order, and their form for users. */
import type { StackOutput, StackResource } from "../types";
import { parseProviderReference, parseUrn, providerReference, STACK_TYPE } from "./urns";
import { hasSecret, hasUnknown, isSecret, type Properties, redact, reveal } from "./values";

/** A resource in the state of a stack. Plain data: an operation works on a copy of it. */
export interface ResourceState {
  urn: string;
  type: string;
  custom: boolean;
  id: string;

  /** The id by which it was imported, where the program names one. */
  importId?: string;

  /** Read with `.get`: somebody else's, never deleted. */
  external: boolean;
  parent?: string;

  /** `<urn>::<id>` of the provider resource. */
  provider?: string;
  inputs: Properties;
  outputs: Properties;
  dependencies: string[];
  propertyDependencies: Record<string, string[]>;
  additionalSecretOutputs: string[];
  ignoreChanges: string[];
  replaceOnChanges: string[];
  protect: boolean;
  retainOnDelete: boolean;
  deletedWith?: string;

  /** Reasons for which a resource that exists is not ready: the next update tries again. */
  initErrors: string[];

  /** Replaced, and still to be deleted. */
  pendingDelete?: boolean;

  /** Deleted before its replacement, which is still to be created. */
  pendingReplacement?: boolean;
}

/** The record of a stack between operations. */
export interface StackState {
  /** Every resource after those that it depends on. */
  resources: ResourceState[];

  /**
   * Stack configuration of the last update, which destroy and refresh give to the default provider.
   */
  providerConfig: Properties;
}

/** The URNs that must exist before a resource, and go after it. */
export function dependenciesOf(resource: ResourceState): Set<string> {
  const provider =
    resource.provider === undefined ? [] : [parseProviderReference(resource.provider).urn];

  const optional = [resource.parent, resource.deletedWith].filter((urn) => urn !== undefined);

  return new Set([...resource.dependencies, ...optional, ...provider]);
}

/**
 * Groups of resources that can be deleted side by side: dependents before what they depend on.
 *
 * @param all every resource of the state in its order, which tells resources of the same URN apart
 */
export function deletionOrder(toDelete: ResourceState[], all: ResourceState[]): ResourceState[][] {
  const groups: ResourceState[][] = [];
  const left = new Set(toDelete);
  const position = new Map(all.map((resource, index) => [resource, index]));
  const before = (a: ResourceState, b: ResourceState) =>
    (position.get(a) ?? -1) < (position.get(b) ?? -1);

  while (left.size > 0) {
    const free = [...left].filter((resource) => {
      const needs = dependenciesOf(resource);
      return ![...left].some((other) => needs.has(other.urn) && before(other, resource));
    });

    for (const resource of free) left.delete(resource);
    groups.unshift(free);
  }

  return groups;
}

/** Writes the present URNs of renamed resources into every reference to them. */
export function renameReferences(
  resources: ResourceState[],
  oldToNew: ReadonlyMap<string, string>,
): void {
  if (oldToNew.size === 0) return;
  const rename = (urn: string) => oldToNew.get(urn) ?? urn;
  for (const resource of resources) {
    if (resource.parent !== undefined) resource.parent = rename(resource.parent);
    if (resource.deletedWith !== undefined) resource.deletedWith = rename(resource.deletedWith);
    resource.dependencies = resource.dependencies.map(rename);
    for (const [key, urns] of Object.entries(resource.propertyDependencies)) {
      resource.propertyDependencies[key] = urns.map(rename);
    }

    if (resource.provider !== undefined) {
      const { urn, id } = parseProviderReference(resource.provider);
      resource.provider = providerReference(rename(urn), id);
    }
  }
}

/** The state for users: secrets hidden, the stack itself left out. */
export function describeResources(resources: ResourceState[]): StackResource[] {
  return resources
    .filter(({ type }) => type !== STACK_TYPE)
    .map(({ urn, type, id, parent, inputs, outputs }) => ({
      urn,
      type,
      name: parseUrn(urn).name,
      id: id === "" ? undefined : id,
      parent,
      inputs: redact(inputs) as Properties,
      outputs: redact(outputs) as Properties,
      secretOutputs: Object.keys(outputs).filter((key) => isSecret(outputs[key])),
    }));
}

/**
 * Stack outputs for users: unknown ones left out, secret ones in clear and flagged, as in the
 * Automation API.
 */
export function describeOutputs(outputs: Properties): Record<string, StackOutput> {
  const known = Object.entries(outputs).filter(([, value]) => !hasUnknown(value));

  return Object.fromEntries(
    known.map(([key, value]) => [key, { value: reveal(value), secret: hasSecret(value) }]),
  );
}
