/**
 * Every `ts` block of every Markdown file compiles; programs deploy, tests pass. And what the compiler
 * says of mistakes.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { ComponentResource, type Resource } from "@pulumi/pulumi";
import {
  type EmulatedChannel,
  type Emulator,
  startEmulator,
} from "../../packages/domain-monitoring-emulator/src";
import { type StackResult, TestStack } from "../../packages/pulumi-offline/src";
import { environmentFor } from "../support/account";
import { GUIDE_CHANNELS, GUIDE_DOMAIN } from "../support/hand-made";
import { Projects } from "../support/project";
import { run as execute } from "../support/run";
import { pages } from "./support/markdown";
import { MISTAKES, PRELUDE } from "./support/mistakes";
import { type CompiledBlock, compileBlocks, type Kind } from "./support/typescript";

/** Starts programs like the offline engine: without SDK modules that are rarely used. */
const PRELOAD = require.resolve("../../packages/pulumi-offline/dist/processes/preload");
const projects = new Projects();
const mistakes = MISTAKES.map(([code]) => `${PRELUDE}${code};\n`);
const { blocks, told } = compileBlocks(projects, mistakes);
afterAll(() => projects.remove());

const settings = {
  config: {
    domainId: "11111111-1111-4111-8111-111111111111",
    subsidiaryDomainId: "22222222-2222-4222-8222-222222222222",
    domain: "example.com",
  },
  secrets: {
    slackUrl: "https://hooks.slack.com/services/documentation",
    email: "desk@example.com",
    webhookUrl: "https://automation.example.com/documentation",
    discordUrl: "https://discord.com/api/webhooks/documentation",
    teamsUrl: "https://example.webhook.office.com/documentation",
    pushoverKey: "documentation",
  },
};

function of(kind: Kind): [string, CompiledBlock][] {
  return blocks.filter((block) => block.kind === kind).map((block) => [block.place, block]);
}

it("TypeScript blocks of each kind are found", () => {
  expect(of("program").length).toBeGreaterThan(10);
  expect(of("script").length).toBeGreaterThan(2);
  expect(of("test").length).toBeGreaterThan(4);
});

describe("a program", () => {
  let service: Emulator;
  let stack: TestStack;
  let deployed: StackResult;
  let channels: EmulatedChannel[];

  // Two resources of one stack cannot adopt the same channel.
  const adopts = ([, { code }]: [string, CompiledBlock]) => code.includes("adopt:");
  const apart = of("program").filter(adopts);
  const together = of("program").filter((block) => !adopts(block));

  /**
   * These programs run in this process. The examples show how the engine runs a program from files.
   */
  function create(program: () => unknown): Promise<TestStack> {
    return TestStack.create({
      program,
      ...settings,
      config: { ...settings.config, subsidiaryUrl: service.url },
      secrets: { ...settings.secrets, subsidiaryToken: service.token },
      env: { ...environmentFor(service), SUBSIDIARY_URL: service.url },
    });
  }

  beforeAll(async () => {
    service = await startEmulator({ lifecycle: "managed" });
    stack = await create(async () => {
      const exported: Record<string, unknown> = {};
      for (const [place, block] of together)
        exported[place] = await below(typeOf(place), () => run(block)).catch((cause) => {
          throw new Error(`the program in ${place} failed`, { cause });
        });

      return exported;
    });

    deployed = await stack.up();
    channels = service.channels();
  });

  afterAll(async () => {
    await stack?.close();
    await service.close();
  });

  // The tests of the examples show that an unchanged program has no changes.
  it.each(together)("a program in %s deploys together with all others", (place, { code }) => {
    const resources = deployed.resources.filter(({ urn }) => urn.includes(`::${typeOf(place)}$`));
    const outputs = deployed.outputs[place] ?? {};

    expect(Object.keys(outputs).length + resources.length).toBeGreaterThan(0);

    // Code that declares a channel creates one in the service.
    const created = channels.filter((channel) => resources.some(({ id }) => id === channel.id));
    expect(created.length > 0).toBe(/new (NotificationChannel|DomainAlerts)\(/.test(code));
  });

  it.each(apart)("a program in %s deploys on its own", async (_place, block) => {
    service.reset();
    // The adopted channels have to exist before the program runs.
    for (const channel of GUIDE_CHANNELS) service.addChannel(GUIDE_DOMAIN, channel);
    await using own = await create(() => run(block));
    expect((await own.up()).changes.create).toBeGreaterThan(0);
    expect(service.channels()).toHaveLength(GUIDE_CHANNELS.length);
  });
});

/** Evaluates a program's exports like the SDK does. */
function run({ directory }: CompiledBlock): unknown {
  const exported: unknown = require(path.join(directory, "index.js"));
  return typeof exported === "function" ? exported() : exported;
}

/** Type of the component for a block. URNs contain the types of parents, but not their names. */
function typeOf(place: string): string {
  return `docs:block:${place.replace(/\W/g, "-")}`;
}

const {
  getStore,
}: { getStore(): { stackResource?: Resource } } = require("@pulumi/pulumi/runtime/state");

/** Runs a program with a component in place of its stack, so that its resources belong to it. */
async function below<T>(type: string, program: () => T): Promise<Awaited<T>> {
  const store = getStore();
  const { stackResource } = store;
  store.stackResource = new ComponentResource(type, type);
  try {
    return await program();
  } finally {
    store.stackResource = stackResource;
  }
}

/**
 * Scripts that a page names, with their command: Save this as `changes.mjs` and run `node
 * changes.mjs`.
 */
const named = pages.flatMap(({ file, text }) =>
  [
    ...text.matchAll(
      /Save this\sas\s`([\w.]+)`\sand\srun\s`(node [^`\n]+)`.*?^```ts\n(.*?)^```/gms,
    ),
  ].map(([, name = "", command = "", code = ""]) => ({ file, name, command, code })),
);

describe("a script", () => {
  let service: Emulator;
  const env = () => ({ PATH: process.env.PATH, ...environmentFor(service) });

  beforeAll(async () => {
    service = await startEmulator({ lifecycle: "managed" });
  });

  afterAll(() => service.close());

  // A script that reads a file is run with it, in the story of its page.
  const alone = of("script").filter(([, { code }]) => !code.includes("readFileSync("));

  it.each(alone)("a script in %s prints what the service says", async (_place, block) => {
    const asked = service.requests.length;
    const script = path.join(block.directory, "index.mjs");
    const { code, stdout, stderr } = await execute(process.execPath, [script], { env: env() });

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toBe("");
    expect(service.requests.length).toBeGreaterThan(asked);
  });

  it("is named in two pages", () => {
    expect(named.map(({ command }) => command).sort()).toEqual([
      "node --test channel.test.mjs",
      "node changes.mjs",
    ]);
  });

  it.each(named)("runs by `$command`, as $file says", async ({ name, command, code: text }) => {
    const cwd = projects.add("index.js", { [name]: text });
    const { code, stdout, stderr } = await execute("sh", ["-c", command], { cwd, env: env() });

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });

    if (command.includes("--test")) expect(stdout).toMatch(/^# pass 1$/m);
    else expect(stdout).not.toBe("");
  });
});

it("tests pass", () => {
  // The test above has run the named ones.
  const others = of("test").filter(([, { code }]) => !named.some((one) => one.code === code));
  const blocks = others.map(([, { directory }]) => path.join(directory, "index.js"));
  // All tests run in one process, because starting one takes most of the time.
  const all = path.join(path.dirname(path.dirname(blocks[0] ?? "")), "tests.js");
  writeFileSync(all, blocks.map((file) => `require(${JSON.stringify(file)});\n`).join(""));
  const { stdout, status } = spawnSync(process.execPath, ["-r", PRELOAD, all], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });

  expect(status === 0 ? "" : stdout).toBe("");
  expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThanOrEqual(blocks.length);
});

it.each(MISTAKES.map(([code, message], index) => [code, message, told[index] ?? []] as const))(
  "the compiler says of %s: %s",
  (_code, message, messages) => {
    expect(messages).toHaveLength(1);
    const last = messages[0]?.trim().split("\n").at(-1) ?? "";
    const line = last.replace(/^.*error TS\d+: /, "").trim();
    expect(message.endsWith("…") ? `${line.slice(0, message.length - 1)}…` : line).toBe(message);
  },
);
