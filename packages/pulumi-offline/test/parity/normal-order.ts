/**
 * Steps in an order that tells only what an engine has to keep: the rest differs from run to run.
 */

interface Step {
  operation: string;
  urn: string;
}

/**
 * The alphabetically first of the orders that keep the steps of one resource, and of resources that
 * depend on each other, as they came. Two runs whose orders differ only by chance give the same
 * one.
 *
 * @param dependencies URNs by the URN of the resource that depends on them
 */
export function inNormalOrder<S extends Step>(
  steps: readonly S[],
  dependencies: ReadonlyMap<string, string[]>,
): S[] {
  const needs = (from: string, to: string): boolean =>
    from === to || (dependencies.get(from) ?? []).some((urn) => needs(urn, to));
  const ordered = (a: Step, b: Step) => needs(a.urn, b.urn) || needs(b.urn, a.urn);
  const key = ({ operation, urn }: Step) => `${urn} ${operation}`;
  const left = [...steps];
  const result: S[] = [];
  while (left.length > 0) {
    const free = left.filter(
      (step, index) => !left.slice(0, index).some((before) => ordered(before, step)),
    );
    const [next] = free.sort((a, b) => (key(a) < key(b) ? -1 : 1));
    if (next === undefined) throw new Error("the first of the steps waits for none");

    result.push(next);
    left.splice(left.indexOf(next), 1);
  }

  return result;
}
