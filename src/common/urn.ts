/**
 * The parts of a resource's URN, `urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME`; its type with and
 * without its parents' types.
 */
export function parseUrn(urn: string): {
  stack: string;
  project: string;
  qualifiedType: string;
  type: string;
  name: string;
} {
  const [stack = "", project = "", qualifiedType = "", ...name] = urn.split("::");

  return {
    stack: stack.slice("urn:pulumi:".length),
    project,
    qualifiedType,
    type: qualifiedType.split("$").at(-1) ?? "",
    name: name.join("::"),
  };
}
