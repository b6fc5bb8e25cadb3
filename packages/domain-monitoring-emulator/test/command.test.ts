/** The command: what it serves and prints, its options, and how it ends. */
import path from "node:path";
import { hasPrinted, start as startCommand } from "../../../test/support/run";
import { runCommand } from "../src/command";
import { HEALTHY } from "./examples";
import { emulatorForTest } from "./support";

/** The command as npm links it; the build has made what it runs. */
const MAIN = path.join(__dirname, "../bin/domain-monitoring-emulator.js");
const start = (...args: string[]) => startCommand(process.execPath, [MAIN, ...args]);

/** Runs a command that ends by itself, in this process. */
async function run(...args: string[]) {
  const { exitCode } = process;
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    jest.spyOn(process[name], "write").mockImplementation((text) => {
      output[name] += text;
      return true;
    });

  try {
    await runCommand(args);
    return { code: process.exitCode, ...output };
  } finally {
    process.exitCode = exitCode;
    jest.restoreAllMocks();
  }
}

describe("domain-monitoring-emulator", () => {
  it("serves the interface until SIGINT and exits with 0", async () => {
    const command = start();
    await hasPrinted(command, /Ctrl\+C/);
    const { stdout } = command.printed;
    const [, address] = /^export DOMAIN_MONITORING_BASE_URL=(http:\S+)$/m.exec(stdout) ?? [];
    const [, token] = /^export DOMAIN_MONITORING_API_TOKEN=([0-9a-f]{40})$/m.exec(stdout) ?? [];
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await fetch(`${address}/api/domains/${HEALTHY}`, { headers });
    await answer.text();
    command.child.kill("SIGINT");

    expect(answer.status).toBe(200);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(stdout).toContain(`emulator listens on ${address}\nand accepts the token ${token}\n`);
    expect(stdout).toMatch(new RegExp(`^ {2}${HEALTHY} {2}example\\.com`, "m"));
    expect(await command.finished).toMatchObject({ code: 0, signal: null, stderr: "" });
  });

  it("prints and applies its options until SIGTERM", async () => {
    const command = start(
      ...["--token", "1|it's", "--seed", "1", "--now", "2026-01-31", "--control"],
      ...["--create-status", "200", "--list-order", "oldest-first", "--rate-limit", "3/60"],
      ...["--lifecycle", "managed", "--domains", "4"],
      ...["--fault", "getDomain:status=503,headers.Retry-After=7"],
      ...["--fault", '{"status":418,"after":1}'],
    );

    await hasPrinted(command, /Ctrl\+C/);
    const { stdout } = command.printed;
    const address = /listens on (\S+)/.exec(stdout)?.[1];
    const ask = (target: string, init?: RequestInit) =>
      fetch(`${address}${target}`, { ...init, headers: { Authorization: "Bearer 1|it's" } });

    const failed = await ask(`/api/domains/${HEALTHY}`);
    const teapot = await ask(`/api/domains/${HEALTHY}`);
    const list = await ask(`/api/domains/${HEALTHY}/changes/dns`);
    // Not 405, so it is an operation.
    const limited = await ask(`/api/domains/${HEALTHY}/notification-channels`);
    const clock = await ask("/control/clock");
    expect(failed.status).toBe(503);
    expect(failed.headers.get("Retry-After")).toBe("7");
    expect(teapot.status).toBe(418);
    expect(await list.json()).toMatchObject({
      data: [{ created_at: "2026-01-12 00:00:00" }, { created_at: "2026-01-28 00:00:00" }],
    });
    expect(limited.status).toBe(429);
    expect(await clock.json()).toEqual({ now: "2026-01-31T00:00:00.000Z" });
    expect(stdout).toContain("\nexport DOMAIN_MONITORING_API_TOKEN='1|it'\\''s'\n");
    expect(stdout.slice(stdout.indexOf("Domains:"))).toBe(
      [
        "Domains:",
        "  11111111-1111-4111-8111-111111111111  example.com  Company website",
        "  22222222-2222-4222-8222-222222222222  example.org  Campaign site",
        "  33333333-3333-4333-8333-333333333333  example.net  New domain",
        "  37207170-7845-4031-865d-d3cb48960ac5  example-4.com  example-4.com",
        "",
        "Its clock stands still at 2026-01-31T00:00:00.000Z.",
        "It responds with 429 to more than 3 requests in 60 seconds.",
        "Experimental operations are on: channels can be listed, read, updated and deleted, and domains created, updated and deleted.",
        'Fault: {"operation":"getDomain","status":503,"headers":{"Retry-After":"7"}}',
        'Fault: {"after":1,"status":418}',
        `It is controlled at ${address}/control, with the same token.`,
        `Its interface is described at ${address}/openapi.json. Stop it with Ctrl+C.`,
        "",
      ].join("\n"),
    );

    command.child.kill("SIGTERM");
    expect(await command.finished).toMatchObject({ code: 0, signal: null, stderr: "" });
  });

  it.each<[args: string[], message: string]>([
    [["frobnicate"], "too many arguments"],
    [["--port="], "`port` must be a whole number from 0 to 65535"],
    [["--create-status", "204"], "argument '204' is invalid. Allowed choices are 200, 201"],
    [["--rate-limit", "0/1"], "argument '0/1' is invalid. Give requests and seconds, as in 60/60."],
    [["--lifecycle", "x"], "option '--lifecycle <lifecycle>' argument 'x' is invalid. Allowed"],
    [["--fault", "foo"], "option '--fault <rule>' argument 'foo' is invalid. \"foo\" is not of"],
    [["--no-list-domains", "--fault", "listDomains:status=500"], "with the list of domains"],
  ])("rejects %j in one line that names the option and the fix", async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(stderr).toContain(message);
  });

  it("says in one line that a port is in use and exits with 1", async () => {
    const { port } = new URL((await emulatorForTest()).url);
    const stderr = `error: port ${port} is in use: use another with --port\n`;
    expect(await run("--port", port)).toEqual({ code: 1, stdout: "", stderr });
  });

  it("prints its version", async () => {
    const version = { code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) };
    expect(await run("--version")).toMatchObject(version);
  });
});
