/** Every `ts` block of every Markdown file compiles; programs deploy, tests pass, policy packs load. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator, TestStack } from "../../src/testing";
import { GUIDE_CHANNELS, GUIDE_DOMAIN } from "../support/hand-made";
import { Projects } from "../support/project";
import { type CompiledBlock, compileBlocks, type Kind } from "./support/typescript";

/** As the offline engine starts programs: without what the SDK loads and hardly ever uses. */
const PRELOAD = require.resolve("../../dist/testing/engine/processes/preload");

const projects = new Projects();
const blocks = compileBlocks(projects);
afterAll(() => projects.remove());

const settings = {
  config: { domainId: "11111111-1111-4111-8111-111111111111" },
  secrets: {
    slackUrl: "https://hooks.slack.com/services/documentation",
    email: "desk@example.com",
    webhookUrl: "https://automation.example.com/documentation",
    "example-com-registrar-desk-email": "desk@example.com",
    "example-com-on-call-slack": "https://hooks.slack.com/services/documentation",
    "example-com-automation-webhook": "https://automation.example.com/documentation",
  },
};

function of(kind: Kind): [string, CompiledBlock][] {
  return blocks.filter((block) => block.kind === kind).map((block) => [block.place, block]);
}

it("TypeScript blocks of each kind are found", () => {
  const counts = Object.fromEntries(
    (["program", "test", "policy pack"] as const).map((kind) => [kind, of(kind).length]),
  );
  expect(counts["policy pack"]).toBeGreaterThanOrEqual(5);
  expect(counts.program).toBeGreaterThan(20);
  expect(counts.test).toBeGreaterThan(0);
});

describe("a program", () => {
  let service: Emulator;

  beforeAll(async () => {
    service = await startEmulator({ lifecycle: "managed" });
  });
  afterAll(() => service.close());

  /** In this process: the programs of the examples show how the engine runs one from its files. */
  async function deploy(directory: string): Promise<TestStack> {
    let runs = 0;
    return TestStack.create({
      // A copy for each run, as a module runs once.
      program: () => {
        const copy = path.join(directory, `run-${++runs}.js`);
        copyFileSync(path.join(directory, "index.js"), copy);
        const exported: unknown = require(copy);
        return typeof exported === "function" ? exported() : exported;
      },
      ...settings,
      env: {
        DOMAIN_MONITORING_BASE_URL: service.url,
        DOMAIN_MONITORING_API_TOKEN: service.token,
        SUBSIDIARY_URL: service.url,
        SUBSIDIARY_TOKEN: service.token,
      },
    });
  }

  // That an unchanged program has no changes is shown with the examples.
  it.each(of("program"))("in %s deploys", async (_place, block) => {
    service.reset();
    // What a program adopts has been made by hand before.
    for (const channel of GUIDE_CHANNELS)
      if (block.code.includes(`adopt: "${channel.id}"`)) service.addChannel(GUIDE_DOMAIN, channel);
    const stack = await deploy(block.directory);
    try {
      const { changes, outputs } = await stack.up();
      expect(Object.keys(outputs).length + (changes.create ?? 0)).toBeGreaterThan(0);
      // What it shows is what it does: a channel in the code is a channel in the service.
      const declares = /new (NotificationChannel|DomainAlerts)\(/.test(block.code);
      expect(service.channels().length > 0).toBe(declares);
    } finally {
      await stack.close();
    }
  });
});

it("tests pass", () => {
  const blocks = of("test").map(([, { directory }]) => path.join(directory, "index.js"));
  // In one process: most of a test's time is the start of one.
  const all = path.join(path.dirname(path.dirname(blocks[0] ?? "")), "tests.js");
  writeFileSync(all, blocks.map((file) => `require(${JSON.stringify(file)});\n`).join(""));
  const { stdout, status } = spawnSync(process.execPath, ["-r", PRELOAD, all], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit", "pipe"],
  });
  expect(status === 0 ? "" : stdout).toBe("");
  expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThanOrEqual(blocks.length);
});

describe("a policy pack", () => {
  it.each(of("policy pack"))("in %s loads and serves its policies", async (_place, { directory }) => {
    const pack = spawn(process.execPath, ["-r", PRELOAD, "index.js", "127.0.0.1:1"], {
      cwd: directory,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    try {
      let said = "";
      const { stdout, stderr } = pack;
      if (!stdout || !stderr) throw new Error("the pack has no pipes");
      stderr.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
      // A pack that is valid prints the port that it serves on; one that is not ends.
      const answer = await Promise.race([once(stdout, "data"), once(pack, "exit").then(() => [said])]);
      expect(String(answer[0])).toMatch(/^\d+\s*$/);
    } finally {
      pack.kill("SIGKILL");
    }
  });
});
