/** What a program's user sees where its functions fail: one line for each, and nothing else. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { closeAll } from "../client/support/cleanup";
import { answer, type Step, stall, startService } from "../client/support/service";
import { closedPort, startSocketServer } from "../client/support/sockets";
import { copyInto, linkPackages } from "../gitops/support/copy";
import { describeOnEngines, type Outcome } from "../support/engines";
import { Projects } from "../support/project";

const token = "token-to-keep-secret-4f9c1d7e";
const domainId = "11111111-1111-4111-8111-111111111111";
const secrets = {
  slackUrl: "https://hooks.slack.com/services/destination-to-keep-secret",
  email: "destination-to-keep-secret@example.com",
  webhookUrl: "https://automation.example.com/destination-to-keep-secret",
};

afterEach(closeAll);

async function answering(step: Step, options: { tls?: boolean } = {}): Promise<string> {
  return (await startService([step], options)).url;
}

/** Each way to fail: how it is brought about, and what each line says of it. */
const failures: [string, () => Promise<string>, RegExp][] = [
  ["its certificate is signed by nobody", () => answering(answer(200, {}), { tls: true }), /SELF_SIGNED/],
  [
    "TLS fails",
    async () => `https://127.0.0.1:${(await startSocketServer((socket) => socket.end("no TLS"))).port}`,
    /could not|TLS/,
  ],
  ["it answers 200 with another shape", () => answering(answer(200, { status: "ok" })), /answered 200/],
  [
    "it answers 200 with HTML",
    () => answering(answer(200, "<html></html>", { "content-type": "text/html" })),
    /answered 200 with an HTML page/,
  ],
  ["it does not answer", () => answering(stall), /no answer within 1 s/],
  ["it refuses the token", () => answering(answer(401, "")), /answered 401/],
  [
    "it asks to wait beyond the deadline",
    () => answering(answer(429, "", { "retry-after": "3600" })),
    /wait \d+ s/,
  ],
];

describeOnEngines("a program that asks a service", (create) => {
  let directory: string;
  let projects: Projects;

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), "failing-"));
    projects = new Projects();
  });
  afterEach(() => {
    projects.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  /** A deadline that a busy machine keeps, but for a service that never answers. */
  function settings(baseUrl: string, timeoutSeconds = 30) {
    return {
      config: {
        "domain-monitoring:timeoutSeconds": String(timeoutSeconds),
        "domain-monitoring:maxRetries": "0",
      },
      // In the environment, where the engine masks nothing.
      env: { DOMAIN_MONITORING_BASE_URL: baseUrl, DOMAIN_MONITORING_API_TOKEN: token },
      keepsSecret: [token],
    };
  }

  function programOf(code: string): string {
    return projects.add("index.js", {
      "index.js": `const dm = require("pulumi-domain-monitoring");\n${code}`,
    });
  }

  /** What a preview says of a program that asks for a domain and its changes. */
  function expectOneLineEach(outcome: Outcome, line: RegExp): void {
    expect(outcome.failed).toBe(true);
    expect(errors(outcome).map(pathOf).sort()).toEqual([
      `/api/domains/${domainId}`,
      `/api/domains/${domainId}/changes/dns`,
      `/api/domains/${domainId}/changes/whois`,
    ]);
    for (const message of errors(outcome)) expect(message).toMatch(line);
    expectNothingElse(outcome);
  }

  it.each(failures)(
    "fails its preview by one line for each function where %s",
    async (failure, start, line) => {
      const stack = await create({
        workDir: programOf(`
          exports.name = dm.getDomainOutput({ id: "${domainId}" }).domain;
          for (const changes of [dm.getWhoisChangesOutput, dm.getDnsChangesOutput])
            exports[changes.name] = changes({ domainId: "${domainId}" }).changes.apply((list) => list.length);`),
        ...settings(await start(), failure === "it does not answer" ? 1 : undefined),
      });
      expectOneLineEach(await stack.preview(), line);
    },
  );

  it("fails its preview by one line for each function where nothing listens, the quickstart too", async () => {
    copyInto(directory, "examples/quickstart");
    linkPackages(directory);
    const { config, env, ...given } = settings(`http://127.0.0.1:${await closedPort()}`);
    const stack = await create({
      workDir: directory,
      config: { ...config, domainId },
      secrets,
      // Its types are checked where the examples are deployed.
      env: { ...env, PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
      ...given,
    });
    expectOneLineEach(await stack.preview(), /ECONNREFUSED/);
  });

  it("is not told that a rejection was handled late, where an output fails before the SDK gets to it", async () => {
    const stack = await create({
      workDir: programOf(`
        exports.first = new Promise((resolve) => {
          process.once("unhandledRejection", () => setImmediate(resolve, "late"));
        });
        exports.second = dm.getDomainOutput({ id: "${domainId}" }).domain;
        exports.third = dm.getDnsChangesOutput({ domainId: "${domainId}" }).changes;`),
      ...settings(await answering(answer(401, ""))),
    });
    const outcome = await stack.preview();
    expect(outcome.failed).toBe(true);
    expect(errors(outcome).map(pathOf).sort()).toEqual([
      `/api/domains/${domainId}`,
      `/api/domains/${domainId}/changes/dns`,
    ]);
    expectNothingElse(outcome);
  });

  it("is told of rejections of its own that are handled late", async () => {
    const stack = await create({
      workDir: programOf(`
        Error.stackTraceLimit = 0;
        exports.domain = dm.getDomainOutput({ id: "${domainId}" }).domain;
        process.once("unhandledRejection", () => {
          const own = Promise.reject(new Error("of the program's own"));
          setImmediate(() => own.catch(() => {}));
        });`),
      ...settings(await answering(answer(401, ""))),
    });
    const outcome = await stack.preview();
    expect(outcome.diagnostics.map(({ message }) => message).join("\n")).toContain(
      "PromiseRejectionHandledWarning: Promise rejection was handled asynchronously",
    );
  });

  it("fails where nobody looks at the output that failed", async () => {
    const stack = await create({
      workDir: programOf(`dm.getDomainOutput({ id: "${domainId}" });`),
      ...settings(await answering(answer(401, ""))),
    });
    const outcome = await stack.preview();
    expect(outcome.failed).toBe(true);
    expect(errors(outcome)).toEqual([expect.stringMatching(/^GET .* answered 401/)]);
    expectNothingElse(outcome);
  });

  it("goes on where it catches the failure", async () => {
    const stack = await create({
      workDir: programOf(`
        module.exports = async () => ({
          status: await dm.getDomain({ id: "${domainId}" }).catch(({ kind, status }) => kind + " " + status),
        });`),
      ...settings(await answering(answer(401, ""))),
    });
    const outcome = await stack.up();
    expect({ failed: outcome.failed, errors: errors(outcome) }).toEqual({ failed: false, errors: [] });
    expect(outcome.outputs.status).toEqual({ value: "http 401", secret: false });
  });

  it.each([
    ["as the cause of an error", "new Error('cannot deploy', { cause: errors[0] })"],
    ["together with others", "new AggregateError(errors, 'cannot deploy')"],
  ])("shows no stack of this package where the program throws its failures %s", async (_how, wrapper) => {
    const stack = await create({
      // One frame, as Node 20.20 takes half a minute to color the SDK's own frames, whoever threw the error.
      workDir: programOf(`
        Error.stackTraceLimit = 1;
        module.exports = async () => {
          const calls = [dm.getDomain({ id: "${domainId}" }), dm.getDnsChanges({ domainId: "${domainId}" })];
          const errors = (await Promise.allSettled(calls)).map(({ reason }) => reason);
          throw ${wrapper};
        };`),
      ...settings(`http://127.0.0.1:${await closedPort()}`),
    });
    const outcome = await stack.preview();
    expect(outcome.failed).toBe(true);
    const [message = "", ...others] = errors(outcome);
    expect(others).toEqual([]);
    expect(message).toContain("cannot deploy");
    expect(message).toContain("ECONNREFUSED");
    expect(message).not.toMatch(/dist\/(client|functions)\//);
    expect(message.length).toBeLessThan(5000);
  });
});

function errors({ diagnostics }: Outcome): string[] {
  return diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

function pathOf(message: string): string | undefined {
  return /^GET ([^?: ]+)/.exec(message)?.[1];
}

/** One line for each error, and none of Node's own. */
function expectNothingElse(outcome: Outcome): void {
  const lines = outcome.diagnostics
    .flatMap(({ message }) => message.split("\n"))
    .filter((line) => line !== "");
  expect(lines).toEqual(errors(outcome));
  for (const line of lines) expect(line.length).toBeLessThan(600);
}
