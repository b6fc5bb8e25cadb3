/**
 * Unread output does not change the exit code: a pipeline such as `report … | head -n 1` must still
 * see the result.
 */
import { existsSync } from "node:fs";
import { useEmulator } from "../support/emulator";
import { start as startCommand } from "../support/run";
import { accountOf, inDays, MAIN } from "./command";

const LONG = "long";
const SHORT = "short";
const CHATTY = "chatty";
const MISSING = "missing";

const service = useEmulator({
  domains: [
    { id: LONG, expiresAt: inDays(400) },
    { id: SHORT, expiresAt: inDays(20) },
    // This is more than a pipe holds.
    { id: CHATTY, expiresAt: inDays(20), dnsChanges: Array.from({ length: 1000 }, () => ({})) },
  ],
});

type Stream = "stdout" | "stderr";

/**
 * Runs the command with readers that close at once, or after the first piece. Returns its exit code
 * and the text that was read.
 */
function run(args: string[], closed: Stream[], when: "at once" | "after a piece" = "at once") {
  return start(process.execPath, [MAIN, ...args], closed, when);
}

async function start(file: string, args: string[], closed: Stream[] = [], when = "at once") {
  const env = { PATH: process.env.PATH, ...accountOf(service) };
  const { child, printed, finished } = startCommand(file, args, { env });
  for (const name of closed)
    if (when === "at once") child[name].destroy();
    else child[name].once("data", () => child[name].destroy());

  const { code } = await finished;
  const open = (["stdout", "stderr"] as const).filter((name) => !closed.includes(name));

  return { code, read: open.map((name) => printed[name]).join("") };
}

const report = (...ids: string[]) => ["report", "--domain", ...ids];

// Covers each way to write and each exit code: lines, a document, and the argument parser's output.
it.each([
  [report(LONG), 0],
  [["doctor", "--domain", MISSING], 2],
  [report(SHORT, MISSING), 1],
  [["--help"], 0],
])("%j exits with %d if nothing reads its output, and shows no stack trace", async (args, code) => {
  const silent = await run(args, ["stdout"]);
  expect(silent.code).toBe(code);
  expect(silent.read).not.toMatch(/EPIPE| at /);
});

// One error is the argument parser's, and one is the command's.
it.each([[report()], [["report"]]])("%j exits with 1 if its errors are not read", async (args) => {
  expect((await run(args, ["stdout", "stderr"])).code).toBe(1);
});

it("exits with the code of the verdict if a reader stops in a long report", async () => {
  const args = [...report(CHATTY), "--since", "2001-01-01", "--format", "json"];
  expect(await run(args, ["stdout"], "after a piece")).toEqual({ code: 2, read: "" });
});

(existsSync("/dev/full") ? it : it.skip)("ends with 1 and a reason on a full disk", async () => {
  const line = ["--norc", "-c", '"$@" > /dev/full', "bash", process.execPath, MAIN];
  expect(await start("bash", [...line, ...report(LONG, SHORT)])).toEqual({
    code: 1,
    read: "error: standard output could not be written (ENOSPC): check where it goes\n",
  });
});

it("does not exit with 0 if the process ends before there is a result", async () => {
  const script = `require("node:module").runMain(); setImmediate(() => process.exit());`;
  const { code } = await start(process.execPath, ["-e", script, MAIN, ...report(LONG)]);
  expect(code).toBe(1);
});
