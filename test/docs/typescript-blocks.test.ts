/**
 * Every `ts` block of every Markdown file compiles; programs deploy, tests pass. And what the compiler
 * says of mistakes.
 */
import path from "node:path";
import { type StackResult, TestStack } from "../../packages/pulumi-offline/src";
import { environmentFor } from "../support/account";
import { useEmulator } from "../support/emulator";
import { GUIDE_CHANNELS, GUIDE_DOMAIN } from "../support/hand-made";
import { ownProviders } from "../support/own-providers";
import { Projects } from "../support/project";
import { run as execute } from "../support/run";
import { isThorough } from "../support/scope";
import { pages } from "./support/markdown";
import { MISTAKES, PRELUDE } from "./support/mistakes";
import { type CompiledBlock, compileBlocks, type Kind } from "./support/typescript";

const projects = new Projects();
const mistakes = Object.keys(MISTAKES);
const programs = mistakes.map((code) => `${PRELUDE}${code};\n`);
const { blocks, told } = compileBlocks(projects, programs);
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

const of = (kind: Kind) => blocks.filter((block) => block.kind === kind);

it("TypeScript blocks of each kind are found", () => {
  expect(of("program").length).toBeGreaterThan(10);
  expect(of("script").length).toBeGreaterThan(2);
  expect(of("test").length).toBeGreaterThan(4);
});

describe("a program", () => {
  const service = useEmulator({ lifecycle: "managed" });
  const adopts = ({ code }: CompiledBlock) => code.includes("adopt:");

  /**
   * Deploys it with programs and providers in this process. The examples show how the engine runs a
   * program from files.
   */
  async function deploy({ directory }: CompiledBlock): Promise<StackResult> {
    await using stack = await TestStack.createWith(ownProviders(), {
      // The SDK evaluates a program's exports like this.
      program: () => {
        const exported: unknown = require(path.join(directory, "index.js"));
        return typeof exported === "function" ? exported() : exported;
      },
      config: { ...settings.config, subsidiaryUrl: service.url },
      secrets: { ...settings.secrets, subsidiaryToken: service.token },
      env: { ...environmentFor(service), SUBSIDIARY_URL: service.url },
    });

    return await stack.up();
  }

  // The tests of the examples show that an unchanged program has no changes.
  it.each(of("program").filter((block) => !adopts(block)))("in $place deploys", async (block) => {
    const { outputs, resources } = await deploy(block);
    expect(Object.keys(outputs).length + resources.length).toBeGreaterThan(0);

    const declaresChannel = /new (NotificationChannel|DomainAlerts)\(/.test(block.code);
    expect(service.channels().length > 0).toBe(declaresChannel);
  });

  it.each(of("program").filter(adopts))(
    "in $place adopts the channels that there are",
    async (block) => {
      for (const channel of GUIDE_CHANNELS) service.addChannel(GUIDE_DOMAIN, channel);
      expect((await deploy(block)).changes.create).toBeGreaterThan(0);
      expect(service.channels()).toHaveLength(GUIDE_CHANNELS.length);
    },
  );
});

/** Blocks that a page names, with their command: Save this as `NAME` and run `node NAME`. */
const named = pages.flatMap(({ file, text }) =>
  [
    ...text.matchAll(
      /Save this\sas\s`([\w.]+)`\sand\srun\s`(node [^`\n]+)`.*?^```ts\n(.*?)^```/gms,
    ),
  ].map(([, name = "", command = "", code = ""]) => ({ file, name, command, code })),
);

const unnamed = (kind: Kind) =>
  of(kind).filter(({ code }) => !named.some((one) => one.code === code));

describe("a script", () => {
  const service = useEmulator({ lifecycle: "managed" });
  const env = () => ({ PATH: process.env.PATH, ...environmentFor(service) });

  // A script that reads a file is run with it, in the story of its page.
  const alone = unnamed("script").filter(({ code }) => !code.includes("readFileSync("));

  it.each(alone)("in $place prints what the service says", async ({ directory }) => {
    const script = path.join(directory, "index.mjs");
    const { code, stdout, stderr } = await execute(process.execPath, [script], { env: env() });

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toBe("");
    expect(service.requests).not.toEqual([]);
  });

  it("is named in two pages", () => {
    expect(named.map(({ command }) => command).sort()).toEqual([
      "node --test channel.test.mjs",
      "node changes.mjs",
    ]);
  });

  const isTest = ({ command }: { command: string }) => command.includes("--test");
  const run = named.filter((one) => isThorough || !isTest(one));

  it.each(run)("runs by `$command`, as $file says", async ({ name, command, code: text }) => {
    const cwd = projects.add("index.js", { [name]: text });
    const { code, stdout, stderr } = await execute("sh", ["-c", command], { cwd, env: env() });

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });

    if (isTest({ command })) expect(stdout).toMatch(/^# pass 1$/m);
    else expect(stdout).not.toBe("");
  });
});

// Before a release, as each starts a provider process, and shows what the tests of the packages prove.
if (isThorough)
  it("tests pass", async () => {
    const files = unnamed("test").map(({ directory }) => path.join(directory, "index.js"));
    const all = files.map((file) => `require(${JSON.stringify(file)});\n`).join("");
    // All in one process, because starting one takes most of the time.
    const cwd = projects.add("tests.js", { "tests.js": all });
    const { code, stdout } = await execute(process.execPath, ["tests.js"], { cwd });

    expect(code === 0 ? "" : stdout).toBe("");
    expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThanOrEqual(files.length);
  });

it.each(Object.entries(MISTAKES))("the compiler says of %s: %s", (code, message) => {
  const messages = told[mistakes.indexOf(code)] ?? [];
  expect(messages).toHaveLength(1);
  const last = messages[0]?.trim().split("\n").at(-1) ?? "";
  const line = last.replace(/^.*error TS\d+: /, "").trim();
  expect(message.endsWith("…") ? `${line.slice(0, message.length - 1)}…` : line).toBe(message);
});
