import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { type Emulator, startEmulator } from "../../src/testing/emulator";

const MAIN = path.join(__dirname, "../../dist/cli/main.js");
const HEALTHY = "11111111-1111-4111-8111-111111111111";

/** A running command with what it has written so far. */
interface RunningCommand {
  child: ChildProcess;
  output: { stdout: string; stderr: string };
  exited: Promise<unknown[]>;
}

const commands: RunningCommand[] = [];
const emulators: Emulator[] = [];

afterEach(async () => {
  for (const { child } of commands) child.kill("SIGKILL");
  await Promise.all(commands.splice(0).map(({ exited }) => exited));
  await Promise.all(emulators.splice(0).map((emulator) => emulator.close()));
});

function start(...args: string[]): RunningCommand {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output.stderr += text;
  });
  const command = { child, output, exited: once(child, "close") };
  commands.push(command);
  return command;
}

/** Runs a command that ends by itself. */
async function run(...args: string[]) {
  const { exited, output } = start(...args);
  const [code] = await exited;
  return { code, ...output };
}

/** Waits for a line on standard output; a command that ends before it has failed. */
async function waitFor({ child, output, exited }: RunningCommand, pattern: RegExp): Promise<void> {
  while (!pattern.test(output.stdout)) {
    const ended = await Promise.race([
      exited.then(() => true),
      child.stdout ? once(child.stdout, "data").then(() => false) : true,
    ]);
    if (ended && !pattern.test(output.stdout)) throw new Error(`ended too early: ${output.stderr}`);
  }
}

describe("domain-monitoring emulator", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "serves the interface until %s and exits with 0",
    async (signal) => {
      const command = start("emulator", "--token", "1|it's");
      await waitFor(command, /Ctrl\+C/);
      const { stdout } = command.output;
      const address = /^export DOMAIN_MONITORING_BASE_URL=(http:\/\/127\.0\.0\.1:\d+)$/m.exec(stdout)?.[1];

      const answer = await fetch(`${address}/api/domains/${HEALTHY}`, {
        headers: { Authorization: "Bearer 1|it's" },
      });
      await answer.text();
      command.child.kill(signal);

      expect(answer.status).toBe(200);
      expect(stdout).toContain(`The emulator listens on ${address}`);
      expect(stdout).toContain("export DOMAIN_MONITORING_API_TOKEN='1|it'\\''s'");
      expect(stdout).toMatch(new RegExp(`^ {2}${HEALTHY} {2}example\\.com`, "m"));
      expect(await command.exited).toEqual([0, null]);
      expect(command.output.stderr).toBe("");
    },
  );

  it("makes up a token where none is given", async () => {
    const command = start("emulator");

    await waitFor(command, /Ctrl\+C/);

    expect(command.output.stdout).toMatch(/^export DOMAIN_MONITORING_API_TOKEN=[0-9a-f]{40}$/m);
  });

  it.each(["abc", "-1", "65536", "80.5", ""])(
    "refuses the port %j in one line and exits with 2",
    async (port) => {
      const { code, stdout, stderr } = await run("emulator", `--port=${port}`);

      expect(code).toBe(2);
      expect(stdout).toBe("");
      expect(stderr).toMatch(
        /^error: option '--port <number>' .* A port is a whole number from 0 to 65535\.\n$/,
      );
    },
  );

  it("refuses a token that no request could carry", async () => {
    const { code, stderr } = await run("emulator", "--token", "two words");

    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: .*A token is visible ASCII without spaces\.\n$/);
  });

  it("says in one line that a port is in use and exits with 1", async () => {
    const occupant = await startEmulator();
    emulators.push(occupant);
    const { port } = new URL(occupant.url);

    const { code, stdout, stderr } = await run("emulator", "--port", port);

    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toBe(`error: port ${port} is in use: choose another with --port\n`);
  });
});

describe("domain-monitoring", () => {
  it("lists its subcommands and tells its version", async () => {
    const help = await run("--help");
    const version = await run("--version");

    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining("emulator") });
    expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  it("exits with 2 where it does not understand its arguments", async () => {
    expect(await run("frobnicate")).toMatchObject({ code: 2, stdout: "" });
    expect(await run("emulator", "--frobnicate")).toMatchObject({ code: 2, stdout: "" });
  });
});
