/** Of a resource's URN, `urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME`, its type without those of its parents, and its name. */
export function parseUrn(urn: string): { type: string; name: string } {
  const [, , types = "", ...name] = urn.split("::");
  return { type: types.split("$").at(-1) ?? "", name: name.join("::") };
}
