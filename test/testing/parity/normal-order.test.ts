import { inNormalOrder } from "./normal-order";

const step = (text: string) => {
  const [operation = "", urn = ""] = text.split(" ");
  return { operation, urn };
};

function normalOrder(steps: string[], dependencies: Record<string, string[]>): string[] {
  const ordered = inNormalOrder(steps.map(step), new Map(Object.entries(dependencies)));
  return ordered.map(({ operation, urn }) => `${operation} ${urn}`);
}

describe("the normal order of steps", () => {
  it("is the same whichever of two independent resources came first", () => {
    const expected = ["create a", "create b", "create c"];
    expect(normalOrder(["create b", "create c", "create a"], {})).toEqual(expected);
    expect(normalOrder(["create c", "create a", "create b"], {})).toEqual(expected);
  });

  it("keeps which of two came first where one depends on the other, also over a third", () => {
    const dependencies = { a: ["b"], b: ["c"] };
    expect(normalOrder(["create c", "create a"], dependencies)).toEqual(["create c", "create a"]);
    expect(normalOrder(["delete a", "delete c"], dependencies)).toEqual(["delete a", "delete c"]);
  });

  it("keeps the order of one resource's own steps", () => {
    const steps = ["replace a", "create-replacement a", "delete b"];
    expect(normalOrder(steps, {})).toEqual(steps);
    expect(normalOrder(["create-replacement a", "delete b", "replace a"], {})).toEqual([
      "create-replacement a",
      "replace a",
      "delete b",
    ]);
  });
});
