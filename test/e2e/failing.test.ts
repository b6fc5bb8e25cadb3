/**
 * The user sees one line for each failing function. How errors are inspected is tested in
 * test/program/inspection.test.ts.
 */
import { closeAll } from "../client/support/cleanup";
import { answer, type Step, stall, startService } from "../client/support/service";
import { CLOSED_PORT } from "../client/support/sockets";
import { describeOnEngines, messagesOf } from "../support/engines";
import { Projects } from "../support/project";

const token = "token-to-keep-secret-4f9c1d7e";
const domainId = "11111111-1111-4111-8111-111111111111";
afterEach(closeAll);

async function answering(step: Step, options: { tls?: boolean } = {}): Promise<string> {
  return (await startService([step], options)).url;
}

/**
 * One error of each kind: a transport error with its cause, an unreadable answer, a status, and
 * this package's own deadline. Each has the service's behaviour, the expected line, and the
 * deadline. test/client has all other errors.
 */
const failures: [
  of: string,
  start: () => Promise<string>,
  line: RegExp,
  timeoutSeconds?: number,
][] = [
  ["an untrusted certificate", () => answering(answer(200, {}), { tls: true }), /SELF_SIGNED/],
  ["a port where nothing listens", async () => `http://127.0.0.1:${CLOSED_PORT}`, /ECONNREFUSED/],
  ["200 with another shape", () => answering(answer(200, { status: "ok" })), /got 200/],
  ["a token that is refused", () => answering(answer(401, "")), /got 401/],
  ["no answer", () => answering(stall), /no (response|connection) within 1 s/, 1],
];

describeOnEngines("a program that asks a service", (create) => {
  const projects = new Projects();

  function programOf(code: string): string {
    return projects.add("index.js", {
      "index.js": `const dm = require("pulumi-domain-monitoring");\n${code}`,
    });
  }

  /**
   * Previews a program that asks an account for each failure, three times. Returns its errors, and
   * the lines that it may show.
   */
  async function previewOf(failing: typeof failures, options: { inline?: boolean } = {}) {
    const accounts = await Promise.all(
      // A busy machine meets this deadline, unless the service never answers.
      failing.map(async ([of, start, line, timeoutSeconds = 30]) => ({
        id: of.replaceAll(" ", "-"),
        args: { baseUrl: await start(), apiToken: token, maxRetries: 0, timeoutSeconds },
        line,
      })),
    );

    const stack = await create({
      ...options,
      workDir: programOf(`
        for (const { id, args } of ${JSON.stringify(accounts)}) {
          const provider = new dm.Provider(id, args);
          exports[id] = dm.getDomainOutput({ id }, { provider }).domain;
          exports[id + "-changes"] = dm.getWhoisChangesOutput({ domainId: id }, { provider }).changes.apply((list) => list.length);
          dm.getDnsChangesOutput({ domainId: id }, { provider });
        }`),
      keepsSecret: [token],
    });

    const outcome = await stack.preview();
    expect(outcome.failed).toBe(true);

    const errors = messagesOf(outcome, "error");
    for (const { id, line } of accounts)
      for (const message of errors.filter((text) => text.includes(id)))
        expect(message).toMatch(line);

    // Node prints no error of its own.
    const lines = messagesOf(outcome)
      .flatMap((message) => message.split("\n"))
      .filter((line) => line !== "");

    expect(lines).toEqual(errors);

    for (const line of lines) expect(line.length).toBeLessThan(600);
    const allPaths = accounts.flatMap(({ id }) =>
      ["", "/changes/dns", "/changes/whois"].map((changes) => `/api/domains/${id}${changes}`),
    );

    return { failedPaths: errors.map(pathOf).sort(), allPaths: allPaths.sort() };
  }

  it("fails its preview with one line for each function", async () => {
    const { failedPaths, allPaths } = await previewOf(failures);
    expect(failedPaths).toEqual(allPaths);
  });

  it("inline, ends at the first output that fails", async () => {
    const quick = failures.filter(([, , , timeoutSeconds]) => timeoutSeconds === undefined);
    const { failedPaths, allPaths } = await previewOf(quick, { inline: true });
    expect(failedPaths).not.toEqual([]);
    expect(allPaths).toEqual(expect.arrayContaining(failedPaths));
  });

  it("hears of its own late rejections only", async () => {
    const stack = await create({
      workDir: programOf(`
        Error.stackTraceLimit = 0;
        exports.first = new Promise((resolve) => {
          process.once("unhandledRejection", () => {
            const own = Promise.reject(new Error("of the program's own"));
            setImmediate(() => own.catch(() => {}));
            setImmediate(resolve, "late");
          });
        });
        exports.second = dm.getDomainOutput({ id: "${domainId}" }).domain;
        exports.third = dm.getDnsChangesOutput({ domainId: "${domainId}" }).changes;`),
      config: { "domain-monitoring:maxRetries": "0" },
      // The engine does not mask values in the environment.
      env: {
        DOMAIN_MONITORING_BASE_URL: await answering(answer(401, "")),
        DOMAIN_MONITORING_API_TOKEN: token,
      },
      keepsSecret: [token],
    });
    const outcome = await stack.preview();
    const late = messagesOf(outcome).filter((line) =>
      line.includes("PromiseRejectionHandledWarning"),
    );

    expect(late).toEqual([expect.stringContaining("Promise rejection was handled asynchronously")]);

    const failedPaths = messagesOf(outcome, "error").flatMap((message) => pathOf(message) ?? []);
    expect(failedPaths.sort()).toEqual([
      `/api/domains/${domainId}`,
      `/api/domains/${domainId}/changes/dns`,
    ]);
  });
});

function pathOf(message: string): string | undefined {
  return /^GET ([^?: ]+)/.exec(message)?.[1];
}
