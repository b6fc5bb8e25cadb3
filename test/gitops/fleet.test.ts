/** examples/fleet, the tool that deploys many stacks. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readFleet } from "../../examples/fleet/fleet-file";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { filesHolding } from "../../scripts/example/files-holding.cjs";
import { engineEnvironment } from "../../scripts/real-engine.cjs";
import { realEngineAvailable } from "../support/engines";
import { javaScript } from "../support/project";
import { run } from "../support/run";
import { temporaryDirectory } from "../support/temporary";
import { copyInto, linkPackages } from "./support/copy";

const address = "fleet-destination-to-keep-secret@example.com";
const teams = ["brand", "platform", "shop"];

let directory: string;
let project: string;
let service: Emulator;
let ids: string[];

beforeAll(() => {
  directory = temporaryDirectory();
  project = path.join(directory, "project");
  copyInto(project, "examples/fleet");
  linkPackages(project);
  // The real engine compiles it, as for its users. `npm run typecheck` checks its types.
  mkdirSync(path.join(project, "dist"));
  for (const name of readdirSync(project).filter((file) => file.endsWith(".ts")))
    writeFileSync(
      path.join(project, "dist", name.replace(/ts$/, "js")),
      javaScript(path.join(project, name)),
    );
});

beforeEach(async () => {
  service = await startEmulator();
  ids = Array.from({ length: 6 }, () => service.addDomain());
});

afterEach(() => service.close());

interface Summary {
  stacks: { stack: string; result: string; problem?: string }[];
}

/** Runs the tool. The engine keeps all of its files in the temporary directory. */
function fleet(...args: string[]) {
  return run(process.execPath, [path.join(project, "dist/fleet.js"), ...args], {
    cwd: project,
    env: {
      ...process.env,
      ...engineEnvironment(directory),
      DOMAIN_MONITORING_BASE_URL: service.url,
      DOMAIN_MONITORING_API_TOKEN: service.token,
      DESK_EMAIL: address,
    },
  });
}

/** A fleet with two domains for each team and one channel for each domain. */
function write(file: string, change: (text: string) => string = (text) => text): void {
  const channel = "{ name: desk, label: Registrar desk, type: email, destination: DESK_EMAIL }";
  const lines = [
    "teams:",
    ...teams.map((team) => `  ${team}: { channels: [${channel}] }`),
    "domains:",
    ...ids.map(
      (id, index) => `  - { name: example-${index}.com, id: ${id}, team: ${teams[index % 3]} }`,
    ),
    "",
  ];

  writeFileSync(path.join(project, file), change(lines.join("\n")));
}

const results = ({ stacks }: Summary) =>
  Object.fromEntries(stacks.map(({ stack, result }) => [stack, result]));

describe("the fleet file", () => {
  it.each([
    [
      "a key that is not known",
      (text: string) => text.replace("label:", "lable:"),
      /:2: teams\.brand\.channels\.0\.lable is not known here/,
    ],
    [
      "the same domain twice",
      (text: string) => text.replace("example-1.com", "example-0.com"),
      /:7: domains\.1\.name is listed twice: example-0\.com/,
    ],
    [
      "a name that no stack can have",
      (text: string) => text.replaceAll("shop", '"a b"'),
      /:4: teams\.a b a team's name becomes a stack's/,
    ],
    [
      "no domains",
      (text: string) => text.replace(/domains:.*/s, "domains: []\n"),
      /:5: domains must be a list with at least one entry/,
    ],
    ["text that is no YAML", (text: string) => `${text}  - {`, /:\d+: /],
    ["a list instead of a map", () => "- 1\n", /:1: the file must be a map of teams, domains/],
  ])("with %s is rejected with its line number", (_case, change, message) => {
    write("wrong.yaml", change);
    expect(() => readFleet(path.join(project, "wrong.yaml"))).toThrow(message);
  });

  it("reports all of its problems at once, before anything is deployed", async () => {
    write("wrong.yaml", (text) =>
      text.replace("type: email", "type: fax").replace("team: shop }", "team: none }"),
    );

    const { code, stdout, stderr } = await fleet("--file", "wrong.yaml");

    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.trim().split("\n")).toEqual([
      expect.stringMatching(/:2: teams\.brand\.channels\.0\.type must be one of email, /),
      expect.stringMatching(/:8: domains\.2\.team must be one of brand, platform, shop$/),
    ]);

    expect(service.requests).toEqual([]);
  });
});

describe("the options", () => {
  it.each([
    [["--parallel", "0"], /--parallel takes a whole number from 1 to 64/],
    [["--file", "missing.yaml"], /missing\.yaml cannot be read \(ENOENT\)/],
    [["--only", "nobody"], /there is no stack nobody in the fleet: it has platform, shop|brand/],
  ])("%j are rejected with exit code 1", async (args, message) => {
    write("domains.yaml");
    const { code, stderr } = await fleet(...args);

    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });
});

(realEngineAvailable ? describe : describe.skip)("the fleet, on the real engine", () => {
  it("the fleet resumes after a failure until nothing is left to do", async () => {
    rmSync(path.join(project, "dist"), { recursive: true });
    const tsc = require.resolve("typescript/bin/tsc");

    expect(await run(process.execPath, [tsc, "-p", project])).toMatchObject({
      code: 0,
      output: "",
    });

    write("domains.yaml");
    const json = async (...args: string[]) => {
      const { code, stdout, stderr } = await fleet("--json", "--parallel", "2", ...args);
      told += stdout + stderr;

      return { code, summary: JSON.parse(stdout) as Summary };
    };

    let told = "";

    const preview = await json("--preview", "--only", "brand");

    expect(preview).toMatchObject({
      code: 0,
      summary: {
        stacks: [{ stack: "brand", domains: 2, result: "previewed", changes: { create: 3 } }],
      },
    });

    expect(service.channels()).toHaveLength(0);

    service.fault({
      operation: "createNotificationChannel",
      status: 422,
      body: { message: "Not today" },
    });

    const first = await json();
    const failed = first.summary.stacks.find(({ result }) => result === "failed");

    expect(first.code).toBe(1);
    expect(failed?.problem).toContain("Not today");
    expect(Object.values(results(first.summary)).sort()).toEqual([
      "deployed",
      "deployed",
      "failed",
    ]);

    expect(service.channels()).toHaveLength(5);

    const resumed = await json();
    const expected = Object.fromEntries(teams.map((team) => [team, "unchanged"]));

    expect(resumed.code).toBe(0);
    expect(results(resumed.summary)).toEqual({ ...expected, [failed?.stack ?? ""]: "deployed" });
    expect(service.channels()).toHaveLength(6);

    const asked = service.requests.length;
    const third = await fleet();

    expect(third).toMatchObject({ code: 0, stderr: "" });
    expect(third.stdout).toMatch(/^brand +2 +unchanged +- +0$/m);
    expect(third.stdout).toContain("3 unchanged");
    expect(service.requests).toHaveLength(asked);

    // Only the team that gets another channel is deployed.
    const second = "{ name: second, label: Second desk, type: email, destination: DESK_EMAIL }";
    write("domains.yaml", (text) => text.replace("shop: { channels: [", `$&${second}, `));
    const grown = await json();

    expect(results(grown.summary)).toEqual({ ...expected, shop: "deployed" });
    expect(service.channels()).toHaveLength(8);

    const secrets = [address, service.token];
    for (const secret of secrets) expect(told + third.stdout).not.toContain(secret);

    expect(filesHolding(directory, secrets)).toEqual([]);
  }, 400_000);
});
