/** Output that nobody reads changes no exit code: a pipeline such as `expiry … | head -n 1` must see what was found out. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { type Emulator, startEmulator } from "../../src/testing/emulator";
import { accountOf, inDays, MAIN } from "./command";

const LONG = "long";
const SHORT = "short";
const CHATTY = "chatty";
const MISSING = "missing";

let service: Emulator;
const running = new Set<{ kill(signal: "SIGKILL"): boolean }>();

beforeEach(async () => {
  service = await startEmulator({
    domains: [
      { id: LONG, expiresAt: inDays(400) },
      { id: SHORT, expiresAt: inDays(20) },
      // More than a pipe holds.
      { id: CHATTY, expiresAt: inDays(20), dnsChanges: Array.from({ length: 1000 }, () => ({})) },
    ],
  });
});
afterEach(async () => {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
  await service.close();
});

type Stream = "stdout" | "stderr";

/** Runs the command with readers that close at once, or after the first piece; returns its exit code and what was read. */
function run(args: string[], closed: Stream[], when: "at once" | "after a piece" = "at once") {
  return start(process.execPath, [MAIN, ...args], closed, when);
}

/** Runs a line of the shell, in which `"$@"` stands for the command. */
function inShell(line: string, args: string[]) {
  return start("bash", ["-c", line, "bash", process.execPath, MAIN, ...args], [], "at once");
}

async function start(file: string, args: string[], closed: Stream[], when: "at once" | "after a piece") {
  const env = { PATH: process.env.PATH, ...accountOf(service) };
  const child = spawn(file, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  let read = "";
  for (const name of ["stdout", "stderr"] as const) {
    const stream = child[name];
    if (!closed.includes(name)) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        read += text;
      });
    } else if (when === "at once") stream.destroy();
    else stream.once("data", () => stream.destroy());
  }
  const [code] = await once(child, "close");
  running.delete(child);
  return { code, read };
}

const expiry = (...ids: string[]) => ["expiry", "--minimum-days", "30", "--domain", ...ids];
const report = (...ids: string[]) => ["report", "--domain", ...ids];

const commands: [string[], number][] = [
  [expiry(LONG), 0],
  [expiry(LONG, SHORT), 2],
  [expiry(SHORT, MISSING), 1],
  [report(LONG, SHORT), 2],
  [[...report(SHORT), "--output", "/dev/null"], 2],
  [["doctor", "--domain", MISSING], 2],
  [["--help"], 0],
  [expiry(), 1],
  [["report"], 1],
];

it.each(commands)(
  "%j exits with %d if nothing reads its output, and shows no stack trace",
  async (args, code) => {
    const silent = await run(args, ["stdout"]);
    expect(silent.code).toBe(code);
    expect(silent.read).not.toMatch(/EPIPE| at /);
  },
);

it.each([
  [expiry(LONG, SHORT), 2],
  [report(SHORT, MISSING), 1],
  [["doctor", "--domain", MISSING], 2],
  [expiry(), 1],
] as [string[], number][])("%j exits with %d if nothing reads its errors either", async (args, code) => {
  expect((await run(args, ["stdout", "stderr"])).code).toBe(code);
});

// Every form is written at once, by the same function.
it.each(["table", "html"])(
  "exits with the code of the verdict if a reader stops in a long report (%s)",
  async (format) => {
    const args = [...report(CHATTY), "--since", "2001-01-01", "--format", format];
    expect(await run(args, ["stdout"], "after a piece")).toEqual({ code: 2, read: "" });
  },
);

it("exits with the code of the verdict in a shell pipeline", async () => {
  const { code } = await inShell('set -o pipefail; "$@" | true', report(LONG, SHORT));
  expect(code).toBe(2);
});

(existsSync("/dev/full") ? it : it.skip)("exits with 1 and says why where the disk is full", async () => {
  expect(await inShell('"$@" > /dev/full', report(LONG, SHORT))).toEqual({
    code: 1,
    read: "error: standard output could not be written (ENOSPC): check where it goes\n",
  });
});

it("does not exit with 0 if the process ends before there is a result", async () => {
  const script = `require(${JSON.stringify(MAIN)}); setImmediate(() => process.exit());`;
  const { code } = await start(process.execPath, ["-e", script, ...report(LONG)], [], "at once");
  expect(code).toBe(1);
});
