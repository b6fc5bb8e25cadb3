/**
 * The jobs of the reusable workflows, run as on GitHub with this package's command, the real engine
 * and the emulator. The tests look at the output for reviewers and for the person on duty. GitHub's
 * own decisions (conditions, secrets, schedules) are in workflows.test.ts.
 */
import {
  appendFileSync,
  cpSync,
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
import { inDays } from "../cli/command";
import { realEngineAvailable } from "../support/engines";
import { start } from "../support/run";
import { Clone, step } from "./support/clone";
import { copyInto, root } from "./support/copy";
import { steps } from "./support/files";
import { Platform } from "./support/platform";

const HEALTHY = "11111111-1111-4111-8111-111111111111";
const EXPIRING = "22222222-2222-4222-8222-222222222222";
const UNKNOWN = "99999999-9999-4999-8999-999999999999";

const destinations = {
  slackUrl: "https://hooks.slack.com/services/T000/B000/pipeline-destination",
  email: "registrar-pipeline-destination@example.com",
  webhookUrl: "https://automation.example.com/pipeline-destination",
};

let service: Emulator;
let platform: Platform;
let clone: Clone;
/** All output so far. */
let shown: string;

beforeEach(async () => {
  // Channels are create-only until the stack sets another lifecycle.
  service = await startEmulator({ lifecycle: "managed" });
  platform = await Platform.start("GitHub");
  clone = new Clone();
  shown = "";
  copyInto(clone.project, "examples/quickstart");
  install(path.join(clone.project, "node_modules"));
  // The mail servers of the example domain changed three days ago.
  writeRules((text) => text.replace(/since: .*/, `since: ${inDays(-2)}`));
  await runs("pulumi stack init staging");
  await runs(`pulumi config set domainId ${HEALTHY}`);
  for (const [key, value] of Object.entries(destinations))
    await runs(`printf %s "$VALUE" | pulumi config set --secret ${key}`, { VALUE: value });
});

afterEach(async () => {
  await Promise.all([service.close(), platform.close()]);
});

/** Links packages and this package's commands. It replaces `npm ci` in the team's repository. */
function install(modules: string): void {
  mkdirSync(path.join(modules, ".bin"), { recursive: true });
  for (const name of readdirSync(path.join(root, "node_modules")))
    if (!name.startsWith("."))
      symlinkSync(path.join(root, "node_modules", name), path.join(modules, name), "junction");

  const command = `#!/bin/sh\nexec "${process.execPath}" "${path.join(root, "dist/cli/main.js")}" "$@"\n`;
  writeFileSync(path.join(modules, ".bin", "pulumi-domain-monitoring"), command, { mode: 0o755 });
}

function writeRules(change: (text: string) => string): void {
  const file = path.join(clone.project, "domain-monitoring.yaml");
  writeFileSync(file, change(readFileSync(file, "utf8")));
}

/** The repository's variables and secrets, and the environment of a job on GitHub. */
function jobEnvironment(): Record<string, string> {
  return {
    ...engineEnvironment(clone.directory),
    ...platform.env,
    DOMAIN_MONITORING_BASE_URL: service.url,
    DOMAIN_MONITORING_API_TOKEN: service.token,
    DOMAINS: `--domain ${HEALTHY}`,
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

/** The comments on the pull request after its jobs, and the preview's exit code. */
async function pullRequest(env?: Record<string, string>) {
  await runs(step("preview.yml", "Report"), env);
  await runs(sayings("preview.yml")[0] ?? "", env);
  const { code } = await play(step("preview.yml", "Preview"), env);
  await runs(step("preview.yml", "State"), env);
  await runs(sayings("preview.yml")[1] ?? "", env);
  const [report, preview] = platform.comments.map(({ body }) => body);

  expect(platform.comments).toHaveLength(2);

  return { code, preview, report };
}

/** The steps that write a comment or an issue, in the order of their jobs. */
function sayings(file: string): string[] {
  return steps(file).flatMap(({ run = "" }) =>
    run.includes("pulumi-domain-monitoring ci ") ? run : [],
  );
}

const main = () => job("deploy.yml", ["Nothing was interrupted", "Up", "Nothing is left to do"]);

/** A night's exit codes, and the texts of the open issues. */
async function night(env?: Record<string, string>) {
  const [sayReport = "", sayDrift = ""] = sayings("nightly.yml");
  rmSync(path.join(clone.project, "report.json"), { force: true });
  await runs(step("nightly.yml", "Report"), env);
  await runs(sayReport, env);
  const report = await play(step("nightly.yml", "Result"), env);
  rmSync(path.join(clone.project, "program.code"), { force: true });
  const drift = await play(step("nightly.yml", "Drift"), env);
  await runs(sayDrift, env);
  const issueOf = (title: RegExp) => {
    const open = platform.issues.filter((issue) => issue.open && title.test(issue.title));

    expect(open.length).toBeLessThanOrEqual(1);

    return open[0]?.body;
  };

  return {
    report: { code: report.code, issue: issueOf(/^Needs attention: /) },
    drift: { code: drift.code, issue: issueOf(/^[\w-]+\/staging is not as it was deployed$/) },
  };
}

const well = { code: 0, issue: undefined };

const channel = (name: string, label: string, more = "") => `
import { NotificationChannel } from "pulumi-domain-monitoring";
new NotificationChannel("${name}", {
  domainId: config.require("domainId"), label: "${label}", type: "email", value: config.requireSecret("email")${more} });
`;

/** The token and the destinations are in no output, comment, issue or file. */
function expectNoSecret(): void {
  const published = JSON.stringify([platform.comments, platform.issues]);
  const secrets = [service.token, ...Object.values(destinations)];
  const forms = [...secrets, ...secrets.map((secret) => Buffer.from(secret).toString("base64"))];

  expect(forms.filter((form) => shown.includes(form) || published.includes(form))).toEqual([]);
  expect(filesHolding(clone.directory, forms)).toEqual([]);
}

(realEngineAvailable ? describe : describe.skip)("the jobs, on the real engine", () => {
  it("preview a pull request and deploy it once", async () => {
    const opened = await pullRequest({ DOMAINS: `--domain ${HEALTHY} ${EXPIRING}` });

    expect(opened).toEqual({
      code: 0,
      preview: expect.stringMatching(/\+.*on-call.*create/),
      report: expect.stringMatching(/example\.org.*example\.com/s),
    });

    expect(service.channels()).toEqual([]);

    expect(await main()).toMatchObject({ code: 0 });
    expect(service.channels()).toHaveLength(3);
    expect(await main()).toMatchObject({ code: 0 });
    expect(service.channels()).toHaveLength(3);

    expect(await night()).toEqual({ report: well, drift: well });
    // `--all` checks the whole account, without ids.
    expect(await night({ DOMAINS: "--all" })).toEqual({
      report: {
        code: 2,
        issue: expect.stringMatching(
          /^## Domains tonight.*^### Violations\n\n- new: example\.org: .*: renew it$/ms,
        ),
      },
      drift: well,
    });

    expect((await night({ DOMAINS: `--domain ${HEALTHY} ${UNKNOWN}` })).report.code).toBe(1);
    expect(await night()).toEqual({ report: well, drift: well });

    // A nightly run cannot find that create-only channels were deleted by hand. docs/ci-cd.md says
    // so; change both together.
    for (const { id } of service.channels()) service.removeChannel(id);

    expect(await night()).toEqual({ report: well, drift: well });

    expectNoSecret();
  });

  it("name the channels that a pull request leaves in the service, and a program that was not deployed", async () => {
    const program = path.join(clone.project, "index.ts");
    const before = readFileSync(program, "utf8");
    appendFileSync(program, channel("paging", "Paging"));

    expect(await main()).toMatchObject({ code: 0 });

    const [paging] = service.channels().filter(({ label }) => label === "Paging");

    expect(before).toContain('label: "Registrar team"');

    writeFileSync(program, before.replace('label: "Registrar team"', 'label: "Registrar desk"'));
    const { code, preview } = await pullRequest();

    expect(code).toBe(0);
    // The provider warns about the replaced channel, and the job lists the deleted one.
    expect(preview).toMatch(/"Registrar team" \(email, .* stays in the service/);
    expect(preview).toMatch(/### Stays in the service\n/);
    expect(preview).toContain(`\npaging: id ${paging?.id}, domain ${HEALTHY}\n`);
    expect(await night()).toEqual({
      report: well,
      drift: {
        code: 7,
        issue: expect.stringMatching(
          /^<!--.*-->\n## Changes of the program or its settings are not deployed\n/,
        ),
      },
    });

    expectNoSecret();
  });

  it("refuse a pull request that breaks a policy", async () => {
    cpSync(path.join(root, "examples/policy-pack"), path.join(clone.project, "policy-pack"), {
      recursive: true,
      filter: (source) => path.basename(source) !== "node_modules",
    });

    const policies = { POLICY_PACK: "policy-pack" };

    expect(await pullRequest(policies)).toMatchObject({ code: 0 });

    const silent = ["whois", "dns", "ssl"]
      .map((kind) => `, ${kind}NotificationsEnabled: false`)
      .join("");

    appendFileSync(path.join(clone.project, "index.ts"), channel("silent", "Silent", silent));
    const { code, preview } = await pullRequest(policies);

    expect(code).not.toBe(0);
    expect(preview).toMatch(/\[mandatory\].*silent/);
    expect(service.channels()).toEqual([]);
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
    const [created] = service.channels();
    service.clearFaults();

    const stopped = await main();

    expect(stopped.code).not.toBe(0);
    expect(stopped.printed).toMatch(/^"urn": "urn:.*:NotificationChannel::.*",$/m);
    expect(stopped.printed).toContain(created?.id);

    await runs(step("deploy.yml", "Issue"));

    expect(platform.issues[0]).toMatchObject({
      title: "The deployment of domain-monitoring-quickstart/staging failed",
      open: true,
    });

    expect(platform.issues[0]?.body).toContain(
      "pulumi refresh --clear-pending-creates --stack staging",
    );

    for (const { id } of service.channels()) service.removeChannel(id);
    await play("pulumi cancel --yes --stack staging");
    await runs("pulumi refresh --clear-pending-creates --yes --stack staging");

    expect(await main()).toMatchObject({ code: 0 });
    expect(service.channels()).toHaveLength(3);

    await runs(step("deploy.yml", "Issue"));

    expect(platform.issues[0]).toMatchObject({ open: false });

    expectNoSecret();
  });

  it("judge a night by the rules in Git, with advice that resolves the findings", async () => {
    service.addDomain({ id: "moved", domain: "moved.example", whoisChanges: [{}] });

    const rules = (reviewed: string) => `
channels: { recorded: true }
changes:
  since: ${inDays(-10)}
  fields: [registrar]
  reviewed:
    ${reviewed}
`;

    writeRules(() => rules("[]"));

    expect(await main()).toMatchObject({ code: 0 });

    const env = { DOMAINS: "--domain moved", RECORDED_STACKS: "staging" };
    service.removeChannel(service.channels()[0]?.id ?? "");
    const { code, issue = "" } = (await night(env)).report;

    expect(code).toBe(2);
    expect(issue).toMatch(
      /^<!--.*-->\n## Domains tonight\n\n\*\*2 domains: 0 pass, 2 fail; 2 new, 0 resolved\.\*\*/,
    );

    expect(issue).toMatch(/^- new: example\.com: channel .* is gone.*: create it again/m);
    expect(issue).toMatch(/^- new: moved\.example: unreviewed change, registrar: /m);

    const [, line = ""] = /^ {4}(- \S+ # moved\.example, registrar, \S+)$/m.exec(issue) ?? [];

    // Follows the advice in the messages.
    writeRules(() => rules(line));
    const [, command = ""] = /again with \\`(pulumi up --replace \S+?)\\`/.exec(issue) ?? [];
    // As it is shown, without the marks of Markdown.
    const shownCommand = command.replace(/\\(.)/g, "$1");
    await runs(`${shownCommand} --yes --skip-preview --stack staging`);

    expect(await night(env)).toEqual({ report: well, drift: well });

    expectNoSecret();
  });

  it("find changes of managed channels in the service, and name the command that undoes them", async () => {
    await runs("pulumi config set domain-monitoring:lifecycle managed");

    expect(await main()).toMatchObject({ code: 0 });

    const [changed] = service.channels();
    service.updateChannel(changed?.id ?? "", { label: "By hand" });
    const { report, drift } = await night();

    expect({ report, code: drift.code }).toEqual({ report: well, code: 7 });
    expect(drift.issue).toMatch(
      /^<!--.*-->\n## The service differs from what was deployed\n.*`pulumi up --refresh --stack staging`/s,
    );

    await runs("pulumi up --refresh --yes --skip-preview --stack staging");

    expect(service.channels().find(({ id }) => id === changed?.id)?.label).toBe(changed?.label);
    expect(await night()).toEqual({ report: well, drift: well });
  });
});
