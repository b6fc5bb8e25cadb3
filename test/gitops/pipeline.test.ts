/** `pipeline.mjs` against a GitHub and a GitLab of its own: what a job says to people. */
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run as runCommand } from "../support/run";
import { temporaryDirectory } from "../support/temporary";
import { gitops } from "./support/files";
import { PLATFORMS, Platform } from "./support/platform";

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});

/** Replaces all files of the job's directory. */
function given(files: Record<string, string>): void {
  for (const name of readdirSync(directory)) rmSync(path.join(directory, name));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(directory, name), text);
}

async function run(command: string, env: Record<string, string> = {}, input = "") {
  const options = { cwd: directory, env: { PULUMI_STACK: "prod", ...env }, input };
  const script = path.join(gitops, "pipeline.mjs");
  const { code, stdout, stderr } = await runCommand(process.execPath, [script, command], options);
  return { code, stdout, stderr };
}

const fine = { "drift.code": "0\n", "report.code": "0\n" };
const report = { "domains.md": "## Domains\n\nthe table\n" };

describe.each(PLATFORMS)("on %s", (name) => {
  let platform: Platform;
  beforeEach(async () => {
    platform = await Platform.start(name);
  });
  afterEach(() => platform.close());

  const say = async (command: string, env: Record<string, string> = {}) => {
    const { code, stderr } = await run(command, { ...platform.env, ...env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  };
  const open = () => platform.issues.filter((issue) => issue.open).map(({ title }) => title);

  it("a pull request has one comment for each stack, which later runs change, and no one else's", async () => {
    // More than a page of them, and one that looks like the job's.
    for (let number = 0; number < 120; number++) platform.comment("somebody", `Comment ${number}`);
    platform.comment("somebody", "<!-- domain-monitoring: preview of prod -->\nby hand");
    given({ "preview.txt": "+ create on-call\n", "preview.code": "0\n", ...report });
    await say("comment");
    await say("comment", { PULUMI_STACK: "staging" });
    given({ "preview.txt": "a policy was violated\n", "preview.code": "255\n" });
    await say("comment");
    expect(platform.comments).toHaveLength(123);
    const [byHand, prod, staging] = platform.comments.slice(120).map(({ body }) => body);
    expect(byHand).toBe("<!-- domain-monitoring: preview of prod -->\nby hand");
    expect(prod).toMatch(/^<!-- domain-monitoring: preview of prod -->\n## Preview of prod: exit code 255\n/);
    expect(prod).toMatch(/a policy was violated.*There is no report on the domains: see the job/s);
    expect(staging).toMatch(/## Preview of staging: success\n.*create on-call.*the table/s);
  });

  it("each stack has an issue of its own, which is updated, and closed when all is well", async () => {
    platform.issue("somebody", "Domains of prod need attention");
    const failed = { ...fine, "report.code": "2\n", ...report };
    given(fine);
    await say("nightly");
    expect(open()).toHaveLength(1);
    given(failed);
    await say("nightly");
    await say("nightly", { PULUMI_STACK: "staging" });
    given({ ...fine, "drift.code": "1\n", "drift.txt": "error: no such stack\n" });
    await say("nightly");
    expect(platform.issues.slice(1)).toMatchObject(
      ["prod", "staging"].map((stack) => ({
        title: `Domains of ${stack} need attention`,
        labels: `domain-monitoring ${stack}`,
      })),
    );
    const [byHand, prod, staging] = platform.issues.map(({ body }) => body);
    expect(byHand).toBe("");
    expect(staging).toMatch(/^## Domains\n\nthe table\n\nThis issue is updated/);
    expect(prod).toMatch(/^## The preview failed \(exit code 1\)\n\n~~~~text\nerror: no such stack\n/);
    given(fine);
    await say("nightly");
    expect(open()).toEqual(["Domains of prod need attention", "Domains of staging need attention"]);
    expect(platform.issues.map((issue) => issue.open)).toEqual([true, false, true]);
  });

  it("a deployment that fails half way opens an issue, which the next one that succeeds closes", async () => {
    given({});
    await say("deployment", { STATUS: "success" });
    expect(platform.issues).toEqual([]);
    given({ "up.txt": "created on-call\nerror: the response was lost\n" });
    await say("deployment", { STATUS: name === "GitHub" ? "failure" : "failed" });
    expect(open()).toEqual(["The deployment of prod failed"]);
    expect(platform.issues[0]?.body).toMatch(/created on-call\nerror: the response was lost\n~~~~$/);
    given({});
    await say("deployment", { STATUS: "success" });
    expect(open()).toEqual([]);
  });

  it.each(["comment", "nightly"])(
    "%s that the platform refuses fails in one line without the token",
    async (command) => {
      given({ "report.code": "2\n" });
      const said = async (env: Record<string, string> = {}) => {
        const { code, stderr } = await run(command, { ...platform.env, ...env });
        expect(code).toBe(1);
        return stderr;
      };
      platform.refusesWith = 503;
      expect(await said()).toMatch(new RegExp(`^pipeline: ${command}: ${name} answered 503 to GET /\\S+\n$`));
      platform.hangsUp = true;
      expect(await said()).toMatch(
        new RegExp(`^pipeline: ${command}: ${name} did not answer GET /\\S+ \\(UND_ERR_SOCKET\\)\n$`),
      );
      expect(platform.asked).toBe(2);
    },
  );
});

describe("what is said", () => {
  let platform: Platform;
  beforeEach(async () => {
    platform = await Platform.start("GitHub");
  });
  afterEach(() => platform.close());

  const drift = (program: string) => ({
    ...fine,
    ...{ "drift.code": "7\n", "program.code": `${program}\n`, "drift.txt": "the preview\n" },
  });
  const rules = "error: domain-monitoring.yaml:3: changes.since is missing: add it";

  it.each<[what: string, command: "comment" | "nightly", files: Record<string, string>, said: RegExp[]]>([
    ["a preview that did not run", "comment", {}, [/\n## Preview of prod: it did not run\n/]],
    [
      "a preview with a fence in it, which stays within its own",
      "comment",
      { "preview.txt": "~~~~~\n# injected\n", "preview.code": "0\n" },
      [/~~~~~~text\n~~~~~\n# injected\n~~~~~~\n/],
    ],
    [
      "a night whose installation failed, with what was not checked",
      "nightly",
      {},
      [/^## The job failed before .*\n\nNot checked: report, drift\.\n/, /\[Last job\]\(https:.*1\)$/],
    ],
    [
      "drift, where a preview without a refresh has no changes",
      "nightly",
      drift("0"),
      [/^## The service differs from what was deployed\n/, /`pulumi up --refresh --stack prod`/],
    ],
    [
      "what is not deployed, where a preview without a refresh has changes",
      "nightly",
      drift("7"),
      [
        /^## Changes of the program or its settings are not deployed\n/,
        /Run the pipeline of the main branch/,
      ],
    ],
    [
      "a preview that fails without a refresh, too",
      "nightly",
      drift("1"),
      [/^## The preview failed \(exit code 7\)\n/, /the preview/],
    ],
    [
      "the reason why there is no report",
      "nightly",
      { ...fine, "report.code": "1\n", "report.txt": `${rules}\n` },
      [
        /^## There is no report on the domains \(exit code 1\)\n\n~~~~text\nerror: domain-monitoring\.yaml:3: /,
      ],
    ],
  ])("is %s", async (_what, command, files, said) => {
    given(files);
    expect(await run(command, platform.env)).toMatchObject({ code: 0, stderr: "" });
    const [{ body } = { body: "" }] = [...platform.comments, ...platform.issues];
    for (const text of said) expect(body).toMatch(text);
  });

  it("is cut at the ends of lines, says each cut, and keeps what is urgent", async () => {
    const rows = (text: string) =>
      Array.from({ length: 4_000 }, (_, row) => `${text} ${row} ${"ü".repeat(20)}`);
    given({
      "preview.txt": rows("resource").join("\n"),
      "preview.code": "0\n",
      "drift.code": "7\n",
      "program.code": "7\n",
      "drift.txt": rows("resource").join("\n"),
      "report.code": "2\n",
      "domains.md": ["row 0", "<details><summary>Fine</summary>", ...rows("| row"), "</details>"].join("\n"),
    });
    for (const command of ["comment", "nightly"])
      expect(await run(command, platform.env)).toMatchObject({ code: 0, stderr: "" });
    const [comment = "", issue = ""] = [platform.comments[0]?.body, platform.issues[0]?.body];
    for (const text of [comment, issue]) {
      expect(text.length).toBeGreaterThan(55_000);
      expect(text.length).toBeLessThanOrEqual(65_536);
      expect(text).toMatch(/\(\d+ more lines are in the log of the job\.\)\nresource \d+ ü{20}\n/);
      expect(text).toMatch(/resource 3999 ü{20}\n~~~~\n/);
      expect(text).toMatch(
        /row 0\n.*ü{20}\n\n<\/details>\n\n\(\d+ more lines are in the log of the job\.\)(\n|$)/s,
      );
      expect(text).not.toMatch(/(?<!ü)ü{1,19}(?!ü)/);
    }
    // The violations before everything else, and nothing is cut off the end.
    expect(issue).toMatch(/^row 0\n.*## Changes of the program .*\[Last job\]\(https:.*1\)$/s);
  });
});

describe("the channels that a pull request leaves in the service", () => {
  const channel = (name: string, outputs: object) => ({
    urn: `urn:pulumi:prod::domains::pulumi-nodejs:dynamic/domain-monitoring:NotificationChannel::${name}`,
    type: "pulumi-nodejs:dynamic/domain-monitoring:NotificationChannel",
    id: `id-of-${name}`,
    outputs: { label: name, type: "email", domainId: "a", ...outputs },
  });
  const resources = [
    channel("gone", {}),
    channel("kept", {}),
    channel("managed", { lifecycle: "managed" }),
    channel("adopted", { lifecycle: "managed", adopt: "id-of-adopted" }),
    channel("secret", { label: { "4dabf18193072939515e22adb298388d": "1b47", ciphertext: "v1:x" } }),
  ];
  const state = JSON.stringify({ deployment: { resources } });
  const row = (operation: string, name: string, said: string) =>
    ` ${operation}  pulumi-nodejs:dynamic:domain-monitoring:NotificationChannel ${name} ${said}\n`;

  it("are those deleted ones that are create-only or adopted", async () => {
    const rows = ["gone", "managed", "adopted", "secret"].map((name) => row("-", name, "delete"));
    given({ "preview.txt": rows.join("") + row("~", "kept", "update [diff: ~label]") });
    const { code, stdout } = await run("stays", {}, state);
    expect(code).toBe(0);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(
        /^The merge takes these channels out of the stack only\. They keep sending notifications/,
      ),
      'gone: label "gone", type "email", domain "a", id "id-of-gone"',
      'adopted: label "adopted", type "email", domain "a", id "id-of-adopted"',
      'secret: label ?, type "email", domain "a", id "id-of-secret"',
      "",
    ]);
  });

  it("are not mentioned if there are none", async () => {
    given({ "preview.txt": row("-", "managed", "delete") });
    expect(await run("stays", {}, state)).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});
