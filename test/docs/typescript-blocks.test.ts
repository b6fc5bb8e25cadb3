/** Every `ts` block of every Markdown file compiles; programs deploy, tests pass, policy packs load. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { type Emulator, startEmulator, TestStack } from "../../src/testing";
import { Projects } from "../support/project";
import { type CompiledBlock, compileBlocks, type Kind } from "./support/typescript";

const projects = new Projects();
const blocks = compileBlocks(projects);
afterAll(() => projects.remove());

const settings = {
  config: { domainId: "11111111-1111-4111-8111-111111111111" },
  secrets: {
    slackUrl: "https://hooks.slack.com/services/documentation",
    email: "desk@example.com",
    webhookUrl: "https://automation.example.com/documentation",
  },
};

function of(kind: Kind): [string, CompiledBlock][] {
  return blocks.filter((block) => block.kind === kind).map((block) => [block.place, block]);
}

it("are found, of each kind", () => {
  const counts = Object.fromEntries(
    (["program", "test", "policy pack"] as const).map((kind) => [kind, of(kind).length]),
  );
  expect(counts["policy pack"]).toBeGreaterThanOrEqual(5);
  expect(counts.program).toBeGreaterThan(20);
  expect(counts.test).toBeGreaterThan(0);
});

describe("a program", () => {
  let services: Emulator[];
  let deployments: Map<string, Promise<Deployment>>;

  // Two at a time: an operation waits for its processes more than it computes.
  beforeAll(async () => {
    services = [];
    deployments = new Map();
    let turns: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
    for (const [place, block] of of("program")) {
      const [first, second] = turns;
      const deployment = Promise.resolve(first).then(() => deploy(block));
      deployments.set(place, deployment);
      turns = [second ?? Promise.resolve(), deployment.catch(() => undefined)];
    }
  });
  afterAll(async () => {
    await Promise.allSettled(deployments.values());
    await Promise.all(services.map((service) => service.close()));
  });

  interface Deployment {
    /** Resources that the first up created. */
    created: number;
    outputs: string[];
    /** Operations of the second up, but for those that leave things as they are. */
    changedAgain: string[];
    channels: number;
  }

  async function deploy({ directory }: CompiledBlock): Promise<Deployment> {
    const service = await startEmulator();
    services.push(service);
    const stack = await TestStack.create({
      workDir: directory,
      ...settings,
      env: {
        DOMAIN_MONITORING_BASE_URL: service.url,
        DOMAIN_MONITORING_API_TOKEN: service.token,
        SUBSIDIARY_URL: service.url,
        SUBSIDIARY_TOKEN: service.token,
      },
    });
    try {
      const { changes, outputs } = await stack.up();
      const again = (changes.create ?? 0) > 0 ? (await stack.up()).changes : {};
      return {
        created: changes.create ?? 0,
        outputs: Object.keys(outputs),
        changedAgain: Object.keys(again).filter((operation) => operation !== "same" && operation !== "read"),
        channels: service.channels().length,
      };
    } finally {
      await stack.close();
    }
  }

  it.each(of("program"))("in %s deploys, and a second time without a change", async (place, block) => {
    const deployment = await deployments.get(place);
    expect(deployment?.changedAgain).toEqual([]);
    expect((deployment?.outputs.length ?? 0) + (deployment?.created ?? 0)).toBeGreaterThan(0);
    // What it shows is what it does: a channel in the code is a channel in the service.
    const declares = /new (NotificationChannel|DomainAlerts)\(/.test(block.code);
    expect((deployment?.channels ?? 0) > 0).toBe(declares);
  });
});

describe("a test", () => {
  it.each(of("test"))("in %s passes", (_place, { directory }) => {
    const report = execFileSync(process.execPath, ["--test", "index.js"], {
      cwd: directory,
      encoding: "utf8",
    });
    expect(report).toMatch(/^# pass [1-9]/m);
    expect(report).toMatch(/^# fail 0/m);
  });
});

describe("a policy pack", () => {
  it.each(of("policy pack"))("in %s loads and serves its policies", async (_place, { directory }) => {
    const pack = spawn(process.execPath, ["index.js", "127.0.0.1:1"], { cwd: directory, stdio: "pipe" });
    try {
      let said = "";
      pack.stderr.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
      // A pack that is valid prints the port that it serves on; one that is not ends.
      const answer = await Promise.race([once(pack.stdout, "data"), once(pack, "exit").then(() => [said])]);
      expect(String(answer[0])).toMatch(/^\d+\s*$/);
    } finally {
      pack.kill("SIGKILL");
    }
  });
});
