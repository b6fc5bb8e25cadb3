/** The packed package in projects outside the repository. test/release has more module systems, and bundles. */
import { BESIDE_RANDOM, Consumers, EXPECTED, node } from "./support/consumers";

let consumers: Consumers;

beforeAll(() => {
  consumers = new Consumers();
});
afterAll(() => consumers.remove());

it("a CommonJS project finds every entry point", async () => {
  const at = consumers.project("commonjs", "commonjs", "javascript/index.cjs");
  expect(await node(at, ["index.cjs"])).toBe("true");
});

it("a project of ES modules can use every entry point", async () => {
  const at = consumers.project("modules", "commonjs", "javascript/index.mjs");
  expect(JSON.parse(await node(at, ["index.mjs"]))).toEqual(EXPECTED);
});

it("a TypeScript project compiles with nodenext, as an ES module, and runs next to a generated SDK", async () => {
  const options = { module: "nodenext", moduleResolution: "nodenext" };
  const at = await consumers.compile(["nodenext", "module", options]);
  expect(JSON.parse(await node(at, ["bin/beside-random.js"]))).toEqual(BESIDE_RANDOM);
});
