/**
 * The jobs for GitHub, run with this package's command, the real engine, the emulator and a double
 * of `gh`. GitHub's own decisions (conditions, secrets, schedules) are in workflows.test.ts.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { filesHolding } from "../../scripts/example/files-holding.cjs";
import { kill, processesWith } from "../../scripts/processes.cjs";
import { engineEnvironment } from "../../scripts/real-engine.cjs";
import { realEngineAvailable } from "../support/engines";
import { start } from "../support/run";
import { Clone, step } from "./support/clone";
import { copyInto, root } from "./support/copy";

const HEALTHY = "11111111-1111-4111-8111-111111111111";
const EXPIRING = "22222222-2222-4222-8222-222222222222";

const destinations = {
  slackUrl: "https://hooks.slack.com/services/T000/B000/pipeline-destination",
  email: "registrar-pipeline-destination@example.com",
  webhookUrl: "https://automation.example.com/pipeline-destination",
};

let service: Emulator;
let clone: Clone;
/** All output so far. */
let shown: string;

beforeEach(async () => {
  // Channels are create-only until the stack sets another lifecycle.
  service = await startEmulator({ lifecycle: "managed" });
  clone = new Clone();
  shown = "";
  copyInto(clone.project, "examples/quickstart");
  install(path.join(clone.project, "node_modules"));
  clone.command("gh", `exec "${process.execPath}" "${__dirname}/support/gh.mjs" "$@"`);
  service.removeDomain(EXPIRING);
  await runs("pulumi stack init staging");
  await runs(`pulumi config set domainId ${HEALTHY}`);
  for (const [key, value] of Object.entries(destinations))
    await runs(`printf %s "$VALUE" | pulumi config set --secret ${key}`, { VALUE: value });
});

afterEach(() => service.close());

/** Links packages and this package's commands. It replaces `npm ci` in the team's repository. */
function install(modules: string): void {
  mkdirSync(path.join(modules, ".bin"), { recursive: true });
  for (const name of readdirSync(path.join(root, "node_modules")))
    if (!name.startsWith("."))
      symlinkSync(path.join(root, "node_modules", name), path.join(modules, name), "junction");

  const command = `#!/bin/sh\nexec "${process.execPath}" "${path.join(root, "dist/cli/main.js")}" "$@"\n`;
  writeFileSync(path.join(modules, ".bin", "pulumi-domain-monitoring"), command, { mode: 0o755 });
}

/** The repository's variables and secrets, and the environment of a job on GitHub. */
function jobEnvironment(): Record<string, string> {
  return {
    ...engineEnvironment(clone.directory),
    DOMAIN_MONITORING_BASE_URL: service.url,
    DOMAIN_MONITORING_API_TOKEN: service.token,
    GH_STATE: issues(),
    PULUMI_STACK: "staging",
    // The example runs many times here, and its types are checked elsewhere.
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
  };
}

async function play(script: string, env: Record<string, string> = {}) {
  const ended = await clone.run(script, { ...jobEnvironment(), ...env });
  shown += ended.printed;

  return ended;
}

async function runs(script: string, env?: Record<string, string>): Promise<void> {
  expect(await play(script, env)).toMatchObject({ code: 0 });
}

/** Runs the steps of a job, up to the first that fails. */
async function job(file: string, names: string[], env?: Record<string, string>) {
  let printed = "";
  for (const name of names) {
    const ended = await play(step(file, name), env);
    printed += ended.printed;
    if (ended.code !== 0) return { code: ended.code, printed };
  }

  return { code: 0, printed };
}

const main = () => job("deploy.yml", ["Nothing was interrupted", "Up"]);

/** The file with the issues of the double of `gh`. */
function issues(): string {
  return path.join(clone.directory, "issues.json");
}

/** A night's exit codes, and the texts of the open issues. */
async function night() {
  for (const file of ["report.json", "report.md", "report.html"])
    rmSync(path.join(clone.project, file), { force: true });

  const report = await job("nightly.yml", ["Report", "Issue"]);
  const drift = await play(step("nightly.yml", "Drift"));
  const known: { isOpen: boolean; body: string }[] = existsSync(issues())
    ? JSON.parse(readFileSync(issues(), "utf8")).issues
    : [];

  return {
    report: report.code,
    drift: drift.code,
    open: known.filter(({ isOpen }) => isOpen).map(({ body }) => body),
  };
}

const well = { report: 0, drift: 0, open: [] };

/** The token and the destinations are in no output, issue or file. */
function expectNoSecret(): void {
  const secrets = [service.token, ...Object.values(destinations)];
  const forms = [...secrets, ...secrets.map((secret) => Buffer.from(secret).toString("base64"))];

  expect(forms.filter((form) => shown.includes(form))).toEqual([]);
  expect(filesHolding(clone.directory, forms)).toEqual([]);
}

(realEngineAvailable ? describe : describe.skip)("the jobs, on the real engine", () => {
  it("deploy each channel once, and open an issue for a domain that breaks the rules", async () => {
    expect(await main()).toMatchObject({ code: 0 });
    expect(service.channels()).toHaveLength(3);
    expect(await main()).toMatchObject({ code: 0 });
    expect(service.channels()).toHaveLength(3);
    expect(await night()).toEqual(well);

    const id = service.addDomain({ domain: "late.example", expiresAt: "2026-01-01" });

    const late = { report: 2, drift: 0, open: [expect.stringContaining("late")] };

    expect(await night()).toEqual(late);
    expect(await night()).toEqual(late);
    expect(readFileSync(issues(), "utf8")).toContain('"comments":[]');

    service.removeDomain(id);

    expect(await night()).toEqual(well);

    // A nightly run cannot find that create-only channels were deleted by hand. docs/ci-cd.md says
    // so; change both together.
    for (const channel of service.channels()) service.removeChannel(channel.id);

    expect(await night()).toEqual(well);

    expectNoSecret();
  });

  it("deploy nothing after a killed deployment until its advice was followed", async () => {
    // Every create stalls, so the stack has recorded no channel.
    service.fault({ operation: "createNotificationChannel", stall: "after", times: "always" });

    const env = { ...process.env, ...jobEnvironment() };
    const options = { cwd: clone.project, env, detached: true };

    const up = start("bash", ["-e", "-o", "pipefail", "-c", step("deploy.yml", "Up")], options);
    while (service.channels().length === 0 && up.child.exitCode === null)
      await new Promise(setImmediate);

    // Kills the shell and the engine at once, and then the provider process, which has its own
    // process group.
    process.kill(-(up.child.pid ?? 0), "SIGKILL");
    kill(...processesWith("PULUMI_HOME", env.PULUMI_HOME));
    await up.finished;
    shown += up.printed.output;
    service.clearFaults();

    const stopped = await main();

    expect(stopped.code).not.toBe(0);
    expect(stopped.printed).toMatch(/^"urn": "urn:.*:NotificationChannel::.*",$/m);
    expect(stopped.printed).toContain("docs/ci-cd.md, After a killed run");

    for (const { id } of service.channels()) service.removeChannel(id);
    await play("pulumi cancel --yes --stack staging");
    await runs("pulumi refresh --clear-pending-creates --yes --stack staging");

    expect(await main()).toMatchObject({ code: 0 });
    expect(service.channels()).toHaveLength(3);

    expectNoSecret();
  });

  it("find changes of managed channels in the service, which a refresh undoes", async () => {
    await runs("pulumi config set domain-monitoring:lifecycle managed");

    expect(await main()).toMatchObject({ code: 0 });

    const [changed] = service.channels();
    service.updateChannel(changed?.id ?? "", { label: "By hand" });
    const found = await night();

    expect(found.report).toBe(0);
    expect(found.drift).not.toBe(0);

    await runs("pulumi up --refresh --yes --skip-preview --stack staging");

    expect(service.channels().find(({ id }) => id === changed?.id)?.label).toBe(changed?.label);
    expect(await night()).toEqual(well);
  });
});
