/** The packed package in projects outside the repository. test/release has more module systems, and bundles. */
import { BESIDE_RANDOM, Consumers, EXPECTED, node } from "./support/consumers";

let consumers: Consumers;

beforeAll(() => {
  consumers = new Consumers();
});
afterAll(() => {
  consumers.remove();
});

it.each(["index.cjs", "index.mjs"])("a JavaScript project can use every entry point: %s", async (file) => {
  const at = consumers.project(file, "commonjs", `javascript/${file}`);
  expect(JSON.parse(await node(at, [file]))).toEqual(EXPECTED);
});

it("a TypeScript project compiles and runs with nodenext, as an ES module, also next to a generated SDK", async () => {
  const options = { module: "nodenext", moduleResolution: "nodenext" };
  const printed = await consumers.compileAndRun(["nodenext", "module", options]);
  expect(printed).toEqual([EXPECTED, BESIDE_RANDOM]);
});
