/** Programs in files: run beside others, ended, configured as their files say, or refused. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { JAVASCRIPT, Projects } from "../../../test/support/project";
import { hasPrinted, run, start } from "../../../test/support/run";
import { TestStack } from "../src";
import { failure, leftProcesses, startedProcesses, temporaryDirectory } from "./support";

const preload = require.resolve("../src/processes/preload");
const withParent = require.resolve("../src/processes/with-parent");
const fixture = (name: string) => join(__dirname, "fixtures", name);

// A program in TypeScript: test/e2e/examples.test.ts. Configuration in files: ../parity.
describe("a project in files", () => {
  const stackOf = (env: Record<string, string | undefined>) =>
    TestStack.create({ workDir: fixture("javascript"), env });

  it("runs beside others in its own directory and environment", async () => {
    // In jest, each test file has a copy of the environment.
    process.env.MOOD = "outer";
    // The other one's main is a directory, whose package.json says what to run.
    const stacks = [
      await stackOf({ THING: "a", MOOD: undefined }),
      await TestStack.create({ workDir: fixture("entry") }),
    ];

    const before = startedProcesses();
    const [plain, entry] = await Promise.all(stacks.map((stack) => stack.up()));
    expect(plain).toMatchObject({
      changes: { create: 1 },
      outputs: {
        program: { value: { cwd: "javascript", project: "plain", stack: "test", mood: "none" } },
        seenByProvider: { value: { cwd: "javascript", mood: "none" } },
      },
    });
    expect(entry?.changes).toEqual({});
    expect(entry?.outputs).toMatchObject({ directory: { value: "program" } });
    expect(startedProcesses()).toBe(before + 3);
    // The provider alone, found from the project's directory.
    expect((await stacks[0]?.refresh())?.changes).toEqual({ same: 1 });
    expect(startedProcesses()).toBe(before + 4);
  });

  // A program that ends with an exit code of its own: ../parity.
  it("fails with what it printed, and deletes nothing", async () => {
    const env: Record<string, string | undefined> = { GROUP: "a", ENDS: "logError" };
    await using stack = await stackOf(env);

    expect(await stack.up()).toMatchObject({
      changes: { create: 1 },
      diagnostics: [{ severity: "error", message: "only logged" }],
    });

    const thrown =
      /^Running program '.*index\.js' failed with an unhandled exception:\n\[Error: som/;

    for (const [ends, message, left] of [
      ["error", thrown, ["a"]],
      // The SDK finds this after it has told the engine that the program is complete.
      ["leak", /^an unhandled error occurred: Program exited with non-zero exit code: 1$/, []],
    ] as const) {
      Object.assign(env, { ENDS: ends, GROUP: undefined });
      const error = await failure(stack.up());
      expect(error.message.split("\n\n")[0]).toMatch(message);
      expect(error.result.resources.map(({ name }) => name)).toEqual(left);
    }
  });

  it("is ended with its provider if it keeps running after a failure", async () => {
    const before = startedProcesses();
    await using stack = await stackOf({ ENDS: "hang" });
    const { message } = await failure(stack.up());
    expect(message).toBe("cannot be made\nupdate failed");
    expect(startedProcesses()).toBe(before + 2);
    expect(leftProcesses()).toEqual([]);
  });
});

/** A directory with these files of a project. */
function project(file: string, ofStack = "") {
  const workDir = temporaryDirectory();
  writeFileSync(join(workDir, "Pulumi.yaml"), file);
  writeFileSync(join(workDir, "Pulumi.test.yaml"), ofStack);

  return { workDir };
}

it.each([
  ["takes either a program or a workDir", {}],
  ["takes either a program or a workDir", { program: () => undefined, workDir: "." }],
  ["there is no Pulumi.yaml in", { workDir: __dirname }],
  ["Pulumi.yaml does not hold a project", project("- name\n")],
  ['does not support the runtime "python"', project("name: p\nruntime: python\n")],
  ["project 'main' could not be read", project("name: p\nruntime: nodejs\nmain: no.js\n")],
])("what cannot be run is refused: %s", async (message, options) => {
  await expect(TestStack.create(options)).rejects.toThrow(message);
});

describe("the configuration of a stack", () => {
  const encrypted = `config:
  token: {secure: v1:abc}
  other:nested: {list: [{inner: {secure: v1:def}}]}
  plain: {secure: [not, a, ciphertext]}
`;

  it("may be encrypted in the file if the options have the values", async () => {
    const workDir = new Projects().add("index.js", {
      "Pulumi.yaml": `
name: conf
runtime: ${JAVASCRIPT}
config:
  list: {type: array, items: {type: integer}}
  places: {type: array, items: {type: string}}`,
      "Pulumi.test.yaml": `${encrypted}  places: [here]\n`,
      "index.js": `
        const pulumi = require("@pulumi/pulumi");
        exports.list = new pulumi.Config().getObject("list");
        exports.places = new pulumi.Config().getObject("places");
        exports.token = new pulumi.Config().getSecret("token");
        exports.nested = new pulumi.Config("other").getSecretObject("nested");`,
    });

    const secrets = { token: "hush", "other:nested": '{"list":["hush"]}' };
    const config = { list: "[1, 2]" };
    await using stack = await TestStack.create({ workDir, secrets, config });
    await using other = await TestStack.create({ workDir, secrets, config, stack: "other" });

    const { outputs } = await stack.preview();
    expect(outputs).toEqual({
      list: { value: [1, 2], secret: false },
      places: { value: ["here"], secret: false },
      token: { value: "hush", secret: true },
      nested: { value: { list: ["hush"] }, secret: true },
    });

    const refused = async (of: TestStack) => (await failure(of.preview())).message;

    // Each stack has its own file, which is read at every operation.
    expect(await refused(other)).toContain("Stack 'other' is missing configuration value 'places'");

    writeFileSync(join(workDir, "Pulumi.test.yaml"), "config: {places: [1]}");
    expect(await refused(stack)).toContain("key 'places' must be of type 'array<string>'");

    config.list = "[1, 2";
    expect(await refused(stack)).toContain("key 'list' must be of type 'array<integer>'");
  });

  const noMapping =
    "is not a stack's configuration: its config must be a mapping of keys to values";

  it.each([
    ["holds encrypted values, which .*: conf:token, other:nested; give each in the op", encrypted],
    ["names an environment, which .* does not support: remove it", "environment: [production]"],
    [noMapping, "config: [a, b]"],
    [noMapping, "config"],
    ["could not parse a:b:c as a configuration key \\(configuration keys sh", "config: {a:b:c: 1}"],
  ])("is refused: %s", async (expected, content) => {
    const { workDir } = project("name: conf\nruntime: nodejs\n", content);
    await using stack = await TestStack.create({ workDir });
    const { message } = await failure(stack.refresh());
    const shown = message.replace(`${workDir}/Pulumi.test.yaml `, "");
    expect(shown).toMatch(new RegExp(`^${expected}`));
  });
});

it("a process loads what is hardly ever used when it is used, and translates stack traces of the program alone", async () => {
  const program = join(temporaryDirectory(), "index.js");
  const map = { version: 3, sources: ["index.ts"], names: [], mappings: "AAMA" };
  const encoded = Buffer.from(JSON.stringify(map)).toString("base64");
  writeFileSync(
    program,
    `module.exports = new Error();\n//# sourceMappingURL=data:application/json;base64,${encoded}`,
  );

  const script = `
    const pulumi = require("@pulumi/pulumi");
    const tracing = require("@pulumi/pulumi/cmd/run/tracing");
    const names = ["typescript.js", "arborist", "normalize-package-data", "automation/index.js", "exporter-zipkin"];
    // A stand-in for a module was not loaded, so it has no paths.
    const files = () => Object.keys(require.cache).filter((file) => require.cache[file].paths);
    const loaded = () => names.filter((name) => files().some((file) => file.includes(name)));
    const before = loaded();

    const { createRequire } = require("node:module");
    createRequire(require.resolve("@pulumi/pulumi/cmd/run"))("source-map-support/register");
    const ofProgram = require(${JSON.stringify(program)}).stack;
    let ofSdk;
    try {
      new pulumi.Config("project").require("key");
    } catch ({ stack }) {
      ofSdk = stack;
    }

    const captured = 7;
    pulumi.runtime.serializeFunction(() => captured + 1).then(({ text }) => {
      const serializing = loaded();
      const names = Object.keys(pulumi.automation);
      const same = pulumi.automation.Stack === require("@pulumi/pulumi/automation").Stack;
      const isCaptured = text.includes("captured + 1");
      tracing.start("http://127.0.0.1:1/");
      const after = loaded();
      console.log(JSON.stringify({ before, serializing, after, isCaptured, same, names, ofProgram, ofSdk }));
      process.exit();
    });`;

  const stdio = Array<"pipe">(4).fill("pipe");
  const { stdout, stderr } = await run(process.execPath, ["-r", preload, "-e", script], { stdio });

  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({
    before: [],
    serializing: ["typescript.js"],
    after: ["typescript.js", "automation/index.js", "exporter-zipkin"],
    isCaptured: true,
    same: true,
    names: expect.arrayContaining(["LocalWorkspace", "Stack"]),
    ofProgram: expect.stringContaining("index.ts:7:"),
    ofSdk: expect.stringMatching(/pulumi\/config\.js:\d+:/),
  });
});

it("a process ends when the one that started it is killed", async () => {
  const script = `
    const args = ["-r", ${JSON.stringify(withParent)}, "-e", "setInterval(() => {}, 1000); console.log('up')"];
    const stdio = ["ignore", "inherit", "inherit", "pipe"];
    require("node:child_process").spawn(process.execPath, args, { stdio });`;
  const parent = start(process.execPath, ["-e", script]);
  await hasPrinted(parent, /up/);
  parent.child.kill("SIGKILL");

  // The child writes to the same pipe, which closes when both are gone.
  await parent.finished;
});
