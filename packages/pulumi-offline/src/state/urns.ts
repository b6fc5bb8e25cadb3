/**
 * Names of resources: URNs, references to providers, and the earlier URNs that aliases stand for.
 */

export const STACK_TYPE = "pulumi:pulumi:Stack";
/** Type of the provider of dynamic resources. */
const PROVIDER_TYPE = providerType("pulumi-nodejs");
export const STACK_REFERENCE_TYPE = "pulumi:pulumi:StackReference";

export function packageOf(type: string): string {
  return type.split(":")[0] ?? "";
}

export function providerType(pkg: string): string {
  return `pulumi:providers:${pkg}`;
}

export function isProviderType(type: string): boolean {
  return type.startsWith(providerType(""));
}

/** Whether a type is of dynamic resources, or of their provider. */
export function isDynamicType(type: string): boolean {
  return type === PROVIDER_TYPE || type.startsWith("pulumi-nodejs:");
}

/** The stack that a URN belongs to. */
export interface StackName {
  stack: string;
  project: string;
}

/** An alias as the program gives it: a whole URN, or what was different about the resource. */
export type Alias =
  | { urn: string }
  | {
      name: string;
      type: string;
      stack: string;
      project: string;
      parent: string;
      noParent: boolean;
    };

/** The parts of a URN; `qualifiedType` includes the types of the parents. */
export function parseUrn(urn: string): { qualifiedType: string; type: string; name: string } {
  const [, , qualifiedType = "", ...name] = urn.split("::");
  return {
    qualifiedType,
    type: qualifiedType.split("$").pop() ?? "",
    name: name.join("::"),
  };
}

export function makeUrn(
  at: StackName,
  type: string,
  name: string,
  parent: string | undefined,
): string {
  const parentType = parent ? parseUrn(parent).qualifiedType : "";
  const qualifiedType = parentType && parentType !== STACK_TYPE ? `${parentType}$${type}` : type;

  return `urn:pulumi:${at.stack}::${at.project}::${qualifiedType}::${name}`;
}

/** The reference to a provider that resources carry. */
export function providerReference(urn: string, id: string): string {
  return `${urn}::${id}`;
}

export function parseProviderReference(reference: string): { urn: string; id: string } {
  const end = reference.lastIndexOf("::");
  return { urn: reference.slice(0, end), id: reference.slice(end + 2) };
}

/** The parts of a resource by which its earlier URNs are found. */
export interface Aliased {
  type: string;
  name: string;
  parent?: string;
  aliases: Alias[];
}

/**
 * The URNs under which a resource may have been known. A renamed parent renames its children, also
 * where a child's name begins with the parent's.
 *
 * @param renamed the old URN of each resource of this update that was found by an alias
 */
export function earlierUrns(
  at: StackName,
  resource: Aliased,
  renamed: ReadonlyMap<string, string>,
): string[] {
  const own = resource.aliases.map((alias) => resolve(at, resource, alias, renamed));
  const oldParent = resource.parent === undefined ? undefined : renamed.get(resource.parent);
  if (oldParent === undefined || resource.parent === undefined) return [...new Set(own)];

  const parentName = parseUrn(resource.parent).name;
  const inherited = [{ type: resource.type, name: resource.name }, ...own.map(parseUrn)].map(
    ({ type, name }) => {
      const follows = name.startsWith(parentName);
      const oldName = follows ? parseUrn(oldParent).name + name.slice(parentName.length) : name;

      return makeUrn(at, type, oldName, oldParent);
    },
  );

  return [...new Set([...own, ...inherited])];
}

function resolve(
  at: StackName,
  resource: Aliased,
  alias: Alias,
  renamed: ReadonlyMap<string, string>,
): string {
  if ("urn" in alias) return alias.urn;
  const parent = alias.parent ? (renamed.get(alias.parent) ?? alias.parent) : resource.parent;

  return makeUrn(
    { stack: alias.stack || at.stack, project: alias.project || at.project },
    alias.type || resource.type,
    alias.name || resource.name,
    alias.noParent ? undefined : parent,
  );
}
