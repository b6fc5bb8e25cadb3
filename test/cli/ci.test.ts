/**
 * `pulumi-domain-monitoring ci` with a GitHub and a GitLab in this test: the comments and issues of
 * a job.
 */
import { once } from "node:events";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { DomainReport, Report, ReportedFinding } from "../../src/cli/report/model";
import { PLATFORMS, Platform } from "../gitops/support/platform";
import { temporaryDirectory } from "../support/temporary";
import { runInProcess } from "./command";
import { domainReport, finding, sampleReport } from "./sample";

let directory: string;

beforeEach(() => {
  directory = temporaryDirectory();
  // No pause before a request is repeated.
  jest.spyOn(Math, "random").mockReturnValue(0);
});

afterEach(() => jest.restoreAllMocks());

/** Replaces all files of the job's directory. */
function given(files: Record<string, string | Report>): void {
  for (const name of readdirSync(directory)) rmSync(path.join(directory, name));
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(path.join(directory, name), text);
  }
}

function run(command: string, env: Record<string, string>) {
  return runInProcess(["ci", ...command.split(" ")], { cwd: directory, env });
}

/** A domain with one violation. */
function violating(domain: string, given: Partial<ReportedFinding> = {}): DomainReport {
  const findings = [finding("registration", "expires tomorrow: renew it", given)];
  return domainReport({ id: domain, domain, verdict: "fail", findings });
}

const known = { isNew: false };
const isNew = { isNew: true };

function reportOf(...domains: DomainReport[]): Report {
  const exitCode = domains.some(({ verdict }) => verdict === "fail") ? 2 : 0;
  const fail = domains.filter(({ verdict }) => verdict === "fail").length;
  const summary = {
    domains: domains.length,
    pass: domains.length - fail,
    warn: 0,
    fail,
    unknown: 0,
  };

  return { ...sampleReport, title: "Domains", exitCode, summary, domains, findings: [], notes: [] };
}

const fine = { "drift.code": "0\n" };
const failed = { "drift.code": "1\n", "drift.txt": "error: no such stack\n" };

describe.each(PLATFORMS)("on %s", (name) => {
  let platform: Platform;
  beforeEach(async () => {
    platform = await Platform.start(name);
  });

  afterEach(() => platform.close());

  const say = async (command: string) => {
    const { code, stderr } = await run(command, platform.env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  };

  const open = () => platform.issues.filter((issue) => issue.open).map(({ title }) => title);

  it("a pull request has a comment for each stack and one for the report, which later runs change", async () => {
    // There is more than a page of comments, and one looks like the job's.
    for (let number = 0; number < 120; number++) platform.comment("somebody", `Comment ${number}`);
    const byHand = "<!--domain-monitoring:comment:stack:prod-->\nby hand";
    platform.comment("somebody", byHand);
    given({
      "preview.txt": "+ create on-call\n",
      "preview.code": "0\n",
      "report.json": reportOf(violating("shop.example")),
    });

    for (const options of ["--stack prod", "--stack staging", "", "--account other"])
      await say(`comment ${options}`.trim());

    given({ "preview.txt": "a policy was violated\n", "preview.code": "255\n" });
    await say("comment --stack prod");
    const bodies = platform.comments.slice(120).map(({ body }) => body);

    expect(bodies).toEqual([
      byHand,
      expect.stringMatching(
        /^<!--.*-->\n## Preview of prod: exit code 255\n.*a policy was violated/s,
      ),
      expect.stringMatching(/## Preview of staging: success\n.*create on-call/s),
      expect.stringMatching(/shop\.example: expires tomorrow: renew it.*\[Job\]\(https:.*1\)$/s),
      expect.stringContaining("shop.example"),
    ]);
  });

  it("a pull request without a report says why there is none", async () => {
    given({ "report.txt": "error: domain-monitoring.yaml:3: changes.since is missing: add it\n" });
    await say("comment");

    expect(platform.comments[0]?.body).toMatch(
      /\n## There is no report on the domains\n\n~~~~text\nerror: domain-monitoring\.yaml:3: .*\n~~~~\n/,
    );
  });

  it("one issue follows the nightly report until all is well", async () => {
    const title = "Needs attention: domains";
    platform.issue("somebody", title, "<!--domain-monitoring:nightly:domains-->\nby hand");
    given({ "report.json": reportOf(violating("a.example")) });
    await say("nightly");
    given({ "report.json": reportOf(violating("a.example", known)) });
    await say("nightly");
    const [, issue] = platform.issues;

    expect(issue).toMatchObject({ title, labels: "domain-monitoring", comments: [] });

    expect(issue?.body).toMatch(/a\.example: .*\n\nThis issue is updated .*\[Job\]\(https:.*1\)$/s);

    const warned = violating("c.example", { ...isNew, verdict: "warn" });
    given({
      "report.json": reportOf(violating("a.example", known), violating("b.example", isNew), warned),
    });

    await say("nightly");

    expect(issue?.comments).toEqual([
      "Since the last night:\n\n- new: b.example: expires tomorrow: renew it",
    ]);

    expect(issue?.body).toMatch(/a\.example.*b\.example.*c\.example/s);

    given({ "report.json": reportOf(domainReport()) });
    await say("nightly");

    expect(open()).toEqual([title]);
    expect(issue?.open).toBe(false);
  });

  it("undetermined findings are news, and without an earlier report all findings are", async () => {
    given({ "report.json": reportOf(violating("a.example")) });
    await say("nightly");
    const unknown = violating("b.example", { ...isNew, verdict: "unknown", text: "got 500" });

    given({ "report.json": reportOf(violating("a.example", known), unknown) });
    await say("nightly");
    given({ "report.json": reportOf(violating("a.example"), violating("b.example")) });
    await say("nightly");

    expect(platform.issues[0]?.comments).toEqual([
      expect.stringMatching(/:\n\n- new: b\.example: got 500$/),
      expect.stringMatching(
        /:\n\n- 2 domains \(a\.example, b\.example\): expires tomorrow: renew it$/,
      ),
    ]);
  });

  it("each stack that drifts has an issue, with a comment when it drifts in another way", async () => {
    given(failed);
    await say("nightly --stack prod");
    await say("nightly --stack staging");
    await say("nightly --stack prod");

    expect(open()).toEqual(["prod is not as it was deployed", "staging is not as it was deployed"]);
    expect(platform.issues[0]?.body).toMatch(
      /^<!--.*-->\n## The preview failed \(exit code 1\)\n\n~~~~text\nerror: no such stack\n/,
    );

    expect(platform.issues[0]?.comments).toEqual([]);

    given({ "drift.code": "7\n", "program.code": "0\n" });
    await say("nightly --stack prod");

    expect(platform.issues[0]?.comments).toEqual([
      expect.stringMatching(/^## The service differs from what was deployed\n/),
    ]);

    given(fine);
    await say("nightly --stack prod");

    expect(open()).toEqual(["staging is not as it was deployed"]);
  });

  it("a deployment that fails half way opens an issue, which the next one that succeeds closes", async () => {
    given({ "up.code": "0\n" });
    await say("deployment --stack prod");

    expect(platform.issues).toEqual([]);

    given({ "up.txt": "created on-call\nerror: the response was lost\n" });
    await say("deployment --stack prod");
    await say("deployment --stack prod");

    expect(open()).toEqual(["The deployment of prod failed"]);
    expect(platform.issues[0]?.body).toMatch(/created on-call\nerror: the response was lost\n~~~~/);
    expect(platform.issues[0]?.comments).toEqual(["It has failed again."]);

    given({ "up.code": "0\n" });
    await say("deployment --stack prod");

    expect(open()).toEqual([]);
  });

  it.each(["job", "app", "person"] as const)(
    "a post by the token of a %s is found again, and nobody else's",
    async (writer) => {
      const marker = "<!--domain-monitoring:comment:domains-->\n";
      platform.writer = writer;
      for (const other of ["somebody", null] as const) platform.comment(other, `${marker}mine`);
      given(failed);
      for (const command of ["comment", "comment", "nightly --stack prod", "nightly --stack prod"])
        await say(command);

      expect(platform.comments.map(({ author }) => author)).toEqual(["somebody", null, writer]);
      expect(platform.issues).toHaveLength(1);
    },
  );

  it("a post by another bot, written before the token was replaced, is found", async () => {
    given(failed);
    await say("nightly --stack prod");
    platform.writer = "app";
    await say("nightly --stack prod");

    expect(platform.issues).toHaveLength(1);
  });

  it("two projects have an issue each for their stacks of one name", async () => {
    const project = (name: string) => `name: ${name}\nruntime: yaml\n`;
    given({ ...failed, "Pulumi.yaml": project("web") });
    await say("nightly --stack prod");
    given({ ...fine, "Pulumi.yaml": project("mail") });
    await say("nightly --stack prod");

    expect(open()).toEqual(["web/prod is not as it was deployed"]);

    given({ ...failed, "Pulumi.yaml": project("mail") });
    await say("nightly --stack acme/prod");
    await say("nightly --stack acme/web/prod");

    expect(open().slice(1)).toEqual([
      "acme/mail/prod is not as it was deployed",
      "acme/web/prod is not as it was deployed",
    ]);
  });

  it("reads are repeated after a failure of the platform, and writes where nothing was done", async () => {
    given(failed);
    platform.refusals.push(
      { status: 502, on: /^GET/, times: 2 },
      { status: 429, headers: { "retry-after": "0" }, on: /^POST/, times: 1 },
    );

    await say("nightly --stack prod");
    const limit = { "x-ratelimit-remaining": "0", "retry-after": "0" };
    platform.refusals.push(
      { status: 403, headers: limit, on: /^GET/, times: 1 },
      { status: 502, on: /^(PATCH|PUT)/, times: 1 },
    );

    await say("nightly --stack prod");

    expect(platform.issues).toHaveLength(1);

    platform.refusals.push({ status: 502, on: /^POST/, times: 1 });

    expect((await run("nightly --stack staging", platform.env)).code).toBe(1);
    expect(platform.issues).toHaveLength(1);
  });

  it.each<[Platform["refusals"][number], RegExp]>([
    [{ status: 401 }, /responded to GET \S+ with 401: .*token/],
    [
      { status: 403, body: { message: "no\nway" } },
      /responded to GET \S+ with 403 \(no way\): give .*/,
    ],
    [{ status: 404 }, /responded to GET \S+ with 404: check that G\w+_TOKEN/],
    [{ status: 422, on: /^POST/ }, /responded to POST \S+ with 422: update this package/],
    [{ status: 503 }, /responded to GET \S+ with 503: run the job again/],
    [
      { status: 403, headers: { "retry-after": "3600" } },
      /responded to GET \S+ with 403: its rate limit is reached, so run the job again later/,
    ],
    [
      { status: 301, headers: { location: "https://elsewhere.example/x" }, on: /^POST/ },
      /responded to POST \S+ with 301: it redirects to https:\/\/elsewhere\.example, and no redirect is followed: check \w+_API_\w+/,
    ],
  ])("a refusal %j is one line with its own advice, without the token", async (refusal, line) => {
    given(failed);
    platform.refusals.push(refusal);
    const { code, stderr } = await run("nightly --stack prod", platform.env);

    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^error: ${name} ${line.source}.*\n$`));
    expect(stderr).not.toContain("job-token");
    expect(platform.issues).toEqual([]);
  });

  it("a connection that breaks is one line", async () => {
    given({});
    platform.hangsUp = true;
    const { code, stderr } = await run("comment", platform.env);

    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(
        `^error: ${name} did not respond to GET /\\S+ \\(UND_ERR_SOCKET\\): run the job again\n$`,
      ),
    );
  });
});

describe("a job", () => {
  let platform: Platform;
  beforeEach(async () => {
    platform = await Platform.start("GitHub");
  });

  afterEach(() => platform.close());

  it("says that issues are switched off", async () => {
    given(failed);
    platform.refusals.push({ status: 410, on: /^POST/ });

    expect((await run("nightly --stack prod", platform.env)).stderr).toMatch(
      /responded to POST \S+ with 410: issues are switched off, so switch them on /,
    );
  });

  it("reaches the platform through the proxy of the environment", async () => {
    const asked: string[] = [];
    const proxy = createServer().listen(0, "127.0.0.1");
    proxy.on("connect", (request, socket) => {
      asked.push(request.url ?? "");
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    });

    await once(proxy, "listening");
    const { port } = proxy.address() as AddressInfo;
    given({});
    const { code } = await run("comment", {
      ...platform.env,
      GITHUB_API_URL: "https://api.github.example",
      https_proxy: `http://127.0.0.1:${port}`,
    });

    proxy.close();

    expect(code).toBe(1);
    expect(new Set(asked)).toEqual(new Set(["api.github.example:443"]));
  });

  it.each([
    ["comment", { GITHUB_REF: "refs/heads/main" }, "this is not a job of a pull request"],
    ["deployment", {}, "deployment needs --stack"],
    ["nightly --stack=", {}, "A name must not be empty"],
    ["nightly --account=", {}, "A name must not be empty"],
  ])("ends %s in one line and asks nothing, with %p", async (command, env, message) => {
    given({ "drift.code": "7" });
    const { code, stderr } = await run(command, { ...platform.env, ...env });

    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(platform.asked).toBe(0);
  });

  it.each([
    [
      "<html>\n\u001b[3m",
      /^error: GitHub responded to GET \S+ with something other than JSON: .*\n$/,
    ],
    [
      '{"message":"hi"}',
      /^error: GitHub responded to GET \S+ with something other than a list: .*\n$/,
    ],
  ])("ends in one line if the platform responds with %p", async (answer, line) => {
    given({});
    platform.answersWith = answer;

    expect(await run("comment", platform.env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(line),
    });
  });
});

it("says that it is not in a job", async () => {
  const message = "GITHUB_ACTIONS and GITLAB_CI are not set: run this in a job on GitHub or GitLab";
  expect(await run("comment", {})).toMatchObject({ code: 1, stderr: `error: ${message}\n` });
});

describe("what is said", () => {
  let platform: Platform;
  beforeEach(async () => {
    platform = await Platform.start("GitHub");
  });

  afterEach(() => platform.close());

  const drift = (program: string) => ({
    "drift.code": "7\n",
    "program.code": program,
    "drift.txt": "rows\n",
  });

  it("is in one line that a stack is as it was deployed, for the summary of the job", async () => {
    given({ "drift.code": "0\n", "program.code": "0\n", "drift.txt": "rows\n" });
    const { code, stdout } = await run("nightly --stack prod", platform.env);

    expect({ code, stdout }).toEqual({ code: 0, stdout: "## prod is as it was deployed\n" });
  });

  it.each<[what: string, command: string, files: Record<string, string>, said: RegExp]>([
    [
      "a preview that did not run",
      "comment --stack prod",
      {},
      /\n## Preview of prod: it did not run\n/,
    ],
    [
      "a preview with a fence in it, which stays within its own",
      "comment --stack prod",
      { "preview.txt": "~~~~~\n# injected\n", "preview.code": "0\n" },
      /~~~~~~text\n~~~~~\n# injected\n~~~~~~\n/,
    ],
    [
      "a night without a report",
      "nightly",
      {},
      /\n## There is no report on the domains\n\n.*The job failed/s,
    ],
    [
      "a night without a look for drift",
      "nightly --stack prod",
      {},
      /\n## The preview did not run\n/,
    ],
    [
      "drift, where a preview without a refresh has no changes",
      "nightly --stack prod",
      drift("0"),
      /\n## The service differs from what was deployed\n.*`pulumi up --refresh --stack prod`.*rows/s,
    ],
    [
      "what is not deployed, where a preview without a refresh has changes",
      "nightly --stack prod",
      drift("7"),
      /\n## Changes of the program or its settings are not deployed\n.*Run the pipeline of the main branch/s,
    ],
    [
      "a preview that fails without a refresh, too",
      "nightly --stack prod",
      drift("1"),
      /\n## The preview failed \(exit code 7\)\n/,
    ],
  ])("is %s", async (_what, command, files, said) => {
    given(files);
    expect(await run(command, platform.env)).toMatchObject({ code: 0, stderr: "" });

    const [{ body } = { body: "" }] = [...platform.comments, ...platform.issues];

    expect(body).toMatch(said);
  });

  it("is also in the log of the job", async () => {
    given({ "report.json": reportOf(domainReport()) });

    expect(await run("nightly", platform.env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("1 domain: 1 pass"),
    });

    expect(platform.issues).toEqual([]);
  });

  it("is a log's end, cut at the ends of lines", async () => {
    const rows = Array.from({ length: 4_000 }, (_, row) => `resource ${row} ${"ü".repeat(20)}`);
    given({ "preview.txt": rows.join("\n"), "preview.code": "0\n" });
    await run("comment --stack prod", platform.env);
    const body = platform.comments[0]?.body ?? "";

    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(body).toMatch(/\n\(\d+ more lines are in the log of the job\.\)\nresource \d+ ü{20}\n/);
    expect(body).toMatch(/resource 3999 ü{20}\n~~~~\n/);
  });

  it("is cut within a line that is longer than all that is kept", async () => {
    given({ "preview.txt": `first\n${"x".repeat(80_000)}end`, "preview.code": "1\n" });
    await run("comment --stack prod", platform.env);
    const body = platform.comments[0]?.body ?? "";

    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(body).toMatch(/xend\n~~~~/);
  });

  it("is a comment that fits and says how much more is new, whatever happened in a night", async () => {
    const many = Array.from({ length: 5_000 }, (_, number) =>
      violating(`d${number}.example`, {
        ...isNew,
        field: `field-${number}`,
        text: `expires in ${number} days`,
      }),
    );

    given({ "report.json": reportOf(violating("a.example")) });
    await run("nightly", platform.env);
    given({ "report.json": reportOf(violating("a.example", known), ...many) });
    await run("nightly", platform.env);
    const [issue] = platform.issues;

    expect(issue?.body.length).toBeLessThanOrEqual(65_536);
    expect(issue?.comments).toEqual([
      expect.stringMatching(/- new: d0\.example: .*\n- and 4970 more, less urgent$/s),
    ]);
  });
});

describe("the channels that a pull request leaves in the service", () => {
  const channel = (name: string, outputs: object) => ({
    urn: `urn:pulumi:prod::domains::pulumi-nodejs:dynamic/domain-monitoring:NotificationChannel::${name}`,
    type: "pulumi-nodejs:dynamic/domain-monitoring:NotificationChannel",
    id: `id-of-${name}`,
    inputs: { domainId: "a" },
    outputs,
  });

  const resources = [
    channel("gone", {}),
    channel("kept", {}),
    channel("managed", { lifecycle: "managed" }),
    channel("adopted", { lifecycle: "managed", adopt: "id-of-adopted" }),
    channel("marked", { lifecycle: "managed", adopted: true }),
  ];

  const row = (operation: string, name: string, said: string) =>
    ` ${operation}  pulumi-nodejs:dynamic:domain-monitoring:NotificationChannel ${name} ${said}\n`;

  const exported = JSON.stringify({ version: 3, deployment: { resources } });
  const commented = async (preview: string, state = exported) => {
    const platform = await Platform.start("GitHub");
    try {
      given({ "preview.txt": preview, "preview.code": "0", "state.json": state });

      expect(await run("comment --stack prod", platform.env)).toMatchObject({ code: 0 });

      return platform.comments[0]?.body ?? "";
    } finally {
      await platform.close();
    }
  };

  it("are those deleted ones that are create-only or adopted", async () => {
    const rows = ["gone", "managed", "adopted", "marked"].map((name) => row("-", name, "delete"));
    const body = await commented(rows.join("") + row("~", "kept", "update [diff: ~label]"));
    const said = body.slice(body.indexOf("### Stays in the service"));

    expect(said).toContain("The merge takes these channels out of the stack only.");
    expect(said).toContain(
      "~~~~text\ngone: id id-of-gone, domain a\nadopted: id id-of-adopted, domain a\nmarked: id id-of-marked, domain a\n~~~~\n",
    );
  });

  it("are unknown if the state cannot be read, and the rest is said", async () => {
    expect(await commented(row("-", "gone", "delete"), "{")).toMatch(
      /\n## Preview of prod: success\n.* gone delete\n.*\n### Stays in the service\n\nIt could not be determined: state\.json is not valid JSON: .*\n/s,
    );
  });

  it("are not mentioned if there are none", async () => {
    expect(await commented(row("-", "managed", "delete"))).not.toContain("Stays in the service");
  });
});
