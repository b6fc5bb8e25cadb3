/**
 * The built command as a process, and what it says of itself. The other tests here run the command
 * in their own process; this one checks that a shell gets the same, and the exit code of a result
 * that is not read: a pipeline such as `report … | head -n 1` must still see it.
 */
import { existsSync } from "node:fs";
import { useEmulator } from "../support/emulator";
import { run, start } from "../support/run";
import { accountOf, inDays, MAIN, runInProcess, stackExport } from "./command";

const { homepage, version } = require("../../package.json");
const LONG = "long";
const SHORT = "short";
const MISSING = "missing";

const service = useEmulator({
  lifecycle: "managed",
  domains: [
    { id: LONG, domain: "long.example.com", expiresAt: inDays(400) },
    { id: SHORT, domain: "short.example.com", expiresAt: inDays(20) },
  ],
});

// The cases of doctor need a project and are in its own test.
it.each([
  [["report", "--since", "none", "--from-stack", "-"], 0],
  [["report", "--domain", SHORT], 2],
  [["channels", "--domain", "nobody"], 1],
  [["--help"], 0],
  [["frobnicate"], 1],
])("%j exits with %d, and prints the same as in this process", async (args, code) => {
  const env = { PATH: process.env.PATH, ...accountOf(service) };
  const options = { env, input: stackExport([LONG]) };
  const inThisProcess = await runInProcess(args, options);
  const finished = await run(process.execPath, [MAIN, ...args], options);
  // The clock advances between the two runs.
  const withoutNumbers = (text: string) => text.replace(/\d+/g, "0");

  expect(finished.code).toBe(code);
  for (const stream of ["stdout", "stderr"] as const)
    expect(withoutNumbers(finished[stream])).toBe(withoutNumbers(inThisProcess[stream]));
});

it("shows its version, and in its help an example, the exit codes and where the documentation is", async () => {
  expect(await runInProcess(["--version"])).toMatchObject({ code: 0, stdout: `${version}\n` });

  const { stdout } = await runInProcess(["--help"]);
  expect(stdout).toMatch(/^Example: npx pulumi-domain-monitoring report /m);
  expect(stdout).toMatch(/^Exit codes.*\n {2}0 .*\n {2}2 .*\n {2}1 /m);
  expect(stdout).toContain(`Documentation: ${homepage}/tree/main/docs\n`);
});

type Stream = "stdout" | "stderr";

/**
 * Runs a command with readers that close at once, or after the first piece. Returns its exit code
 * and the text that was read.
 */
async function read(file: string, args: string[], closed: Stream[] = [], when = "at once") {
  const env = { PATH: process.env.PATH, ...accountOf(service) };
  const { child, printed, finished } = start(file, args, { env });
  for (const name of closed)
    if (when === "at once") child[name].destroy();
    else child[name].once("data", () => child[name].destroy());

  const { code } = await finished;
  const open = (["stdout", "stderr"] as const).filter((name) => !closed.includes(name));

  return { code, text: open.map((name) => printed[name]).join("") };
}

// Covers each way to write and each exit code: lines, a document, and the argument parser's output.
it.each([
  [["doctor", "--domain", MISSING], 2],
  [["report", "--domain", SHORT, MISSING], 1],
  [["--help"], 0],
])("%j exits with %d if nothing reads its output, and shows no stack trace", async (args, code) => {
  const silent = await read(process.execPath, [MAIN, ...args], ["stdout"]);
  expect(silent.code).toBe(code);
  expect(silent.text).not.toMatch(/EPIPE| at /);
});

it("exits with 1 if its errors are not read", async () => {
  const { code } = await read(process.execPath, [MAIN, "report"], ["stdout", "stderr"]);
  expect(code).toBe(1);
});

it("exits with the code of the verdict if a reader stops in a long report", async () => {
  // This is more than a pipe holds.
  const dnsChanges = Array.from({ length: 1000 }, () => ({}));
  const id = service.addDomain({ expiresAt: inDays(20), dnsChanges });
  const args = ["report", "--domain", id, "--since", "2001-01-01", "--format", "json"];
  const stopped = await read(process.execPath, [MAIN, ...args], ["stdout"], "after a piece");
  expect(stopped).toEqual({ code: 2, text: "" });
});

(existsSync("/dev/full") ? it : it.skip)("ends with 1 and a reason on a full disk", async () => {
  const line = ["--norc", "-c", '"$@" > /dev/full', "bash", process.execPath, MAIN];
  expect(await read("bash", [...line, "report", "--domain", LONG, SHORT])).toEqual({
    code: 1,
    text: "error: standard output could not be written (ENOSPC): check where it goes\n",
  });
});

it("does not exit with 0 if the process ends before there is a result", async () => {
  const script = `require("node:module").runMain(); setImmediate(() => process.exit());`;
  const { code } = await read(process.execPath, ["-e", script, MAIN, "report", "--domain", LONG]);
  expect(code).toBe(1);
});
