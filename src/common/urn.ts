/**
 * The parts of a resource's URN, `urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME`; its type without
 * those of its parents.
 */
export function parseUrn(urn: string): {
  stack: string;
  project: string;
  type: string;
  name: string;
} {
  const [stack = "", project = "", types = "", ...name] = urn.split("::");
  return {
    stack: stack.slice("urn:pulumi:".length),
    project,
    type: types.split("$").at(-1) ?? "",
    name: name.join("::"),
  };
}
