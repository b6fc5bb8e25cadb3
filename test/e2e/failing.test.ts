/** What a program's user sees where its functions fail: one line for each, and nothing else. */
import { closeAll } from "../client/support/cleanup";
import { answer, type Step, stall, startService } from "../client/support/service";
import { CLOSED_PORT, startSocketServer } from "../client/support/sockets";
import { describeOnEngines, messagesOf, type Outcome } from "../support/engines";
import { Projects } from "../support/project";

const token = "token-to-keep-secret-4f9c1d7e";
const domainId = "11111111-1111-4111-8111-111111111111";
afterEach(closeAll);

async function answering(step: Step, options: { tls?: boolean } = {}): Promise<string> {
  return (await startService([step], options)).url;
}

/** Each way to fail: how it is brought about, what each line says of it, and the deadline where it is what fails. */
const failures: { of: string; start(): Promise<string>; line: RegExp; timeoutSeconds?: number }[] = [
  {
    of: "a certificate that nobody has signed",
    start: () => answering(answer(200, {}), { tls: true }),
    line: /SELF_SIGNED/,
  },
  {
    of: "TLS that fails",
    start: async () =>
      `https://127.0.0.1:${(await startSocketServer((socket) => socket.end("no TLS"))).port}`,
    line: /could not|TLS/,
  },
  {
    of: "200 with another shape",
    start: () => answering(answer(200, { status: "ok" })),
    line: /answered 200/,
  },
  {
    of: "200 with HTML",
    start: () => answering(answer(200, "<html></html>", { "content-type": "text/html" })),
    line: /answered 200 with an HTML page/,
  },
  {
    of: "no answer",
    start: () => answering(stall),
    line: /no (answer|connection) within 1 s/,
    timeoutSeconds: 1,
  },
  {
    of: "an address where nothing listens",
    start: async () => `http://127.0.0.1:${CLOSED_PORT}`,
    line: /ECONNREFUSED/,
  },
  { of: "a token that is refused", start: () => answering(answer(401, "")), line: /answered 401/ },
  {
    of: "a wait beyond the deadline",
    start: () => answering(answer(429, "", { "retry-after": "3600" })),
    line: /wait \d+ s/,
  },
];

describeOnEngines("a program that asks a service", (create) => {
  const projects = new Projects();

  function settings(baseUrl: string) {
    return {
      config: { "domain-monitoring:maxRetries": "0" },
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

  /** What a program that asks for a domain and its changes says of each. */
  function expectOneLineEach(outcome: Outcome, lines: Record<string, RegExp>): void {
    expect(outcome.failed).toBe(true);
    const paths = Object.keys(lines).flatMap((id) =>
      ["", "/changes/dns", "/changes/whois"].map((changes) => `/api/domains/${id}${changes}`),
    );
    expect(messagesOf(outcome, "error").map(pathOf).sort()).toEqual(paths.sort());
    for (const message of messagesOf(outcome, "error")) {
      const [id = ""] = Object.keys(lines).filter((asked) => message.includes(asked));
      expect(message).toMatch(lines[id] ?? "");
    }
    expectNothingElse(outcome);
  }

  it("fails its preview by one line for each function, whatever the services that it asks do, and whether its outputs are used or not", async () => {
    const accounts = await Promise.all(
      failures.map(async ({ of, start, line, timeoutSeconds }) => ({
        id: of.replaceAll(" ", "-"),
        // A deadline that a busy machine keeps, but for a service that never answers.
        args: {
          baseUrl: await start(),
          apiToken: token,
          maxRetries: 0,
          timeoutSeconds: timeoutSeconds ?? 30,
        },
        line,
      })),
    );
    const stack = await create({
      workDir: programOf(`
        for (const { id, args } of ${JSON.stringify(accounts)}) {
          const provider = new dm.Provider(id, args);
          exports[id] = dm.getDomainOutput({ id }, { provider }).domain;
          exports[id + "-changes"] = dm.getWhoisChangesOutput({ domainId: id }, { provider }).changes.apply((list) => list.length);
          dm.getDnsChangesOutput({ domainId: id }, { provider });
        }`),
      keepsSecret: [token],
    });
    expectOneLineEach(await stack.preview(), Object.fromEntries(accounts.map(({ id, line }) => [id, line])));
  });

  it("is told of rejections of its own that are handled late, and not of an output that fails before the SDK gets to it", async () => {
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
      ...settings(await answering(answer(401, ""))),
    });
    const outcome = await stack.preview();
    const lines = outcome.diagnostics.map(({ message }) => message);
    expect(lines.filter((line) => line.includes("PromiseRejectionHandledWarning"))).toEqual([
      expect.stringContaining("Promise rejection was handled asynchronously"),
    ]);
    expect(
      messagesOf(outcome, "error")
        .map(pathOf)
        .filter((path) => path !== undefined)
        .sort(),
    ).toEqual([`/api/domains/${domainId}`, `/api/domains/${domainId}/changes/dns`]);
  });

  it("shows no stack of this package where the program throws its failures together and as a cause", async () => {
    const stack = await create({
      // One frame, as Node 20.20 takes half a minute to color the SDK's own frames, whoever threw the error.
      workDir: programOf(`
        Error.stackTraceLimit = 1;
        module.exports = async () => {
          const calls = [dm.getDomain({ id: "${domainId}" }), dm.getDnsChanges({ domainId: "${domainId}" })];
          const errors = (await Promise.allSettled(calls)).map(({ reason }) => reason);
          throw new AggregateError(errors, "cannot deploy", { cause: errors[0] });
        };`),
      ...settings(`http://127.0.0.1:${CLOSED_PORT}`),
    });
    const outcome = await stack.preview();
    expect(outcome.failed).toBe(true);
    const [message = "", ...others] = messagesOf(outcome, "error");
    expect(others).toEqual([]);
    expect(message).toContain("cannot deploy");
    expect(message).toMatch(/\[cause\]: .*ECONNREFUSED/);
    expect(message).toMatch(/\[errors\]: \[.*ECONNREFUSED.*ECONNREFUSED/s);
    expect(message).not.toMatch(/dist\/(client|program|queries)\//);
    expect(message.length).toBeLessThan(5000);
  });
});

function pathOf(message: string): string | undefined {
  return /^GET ([^?: ]+)/.exec(message)?.[1];
}

/** One line for each error, and none of Node's own. */
function expectNothingElse(outcome: Outcome): void {
  const lines = outcome.diagnostics
    .flatMap(({ message }) => message.split("\n"))
    .filter((line) => line !== "");
  expect(lines).toEqual(messagesOf(outcome, "error"));
  for (const line of lines) expect(line.length).toBeLessThan(600);
}
