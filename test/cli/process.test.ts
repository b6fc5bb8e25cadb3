/**
 * The built command as a process. The other tests here run the command in their own process; this
 * one checks that a shell gets the same.
 */
import { useEmulator } from "../support/emulator";
import { run } from "../support/run";
import {
  accountOf,
  type Finished,
  inDays,
  MAIN,
  runBuilt,
  runInProcess,
  stackExport,
} from "./command";

const { homepage } = require("../../package.json");
const LONG = "long";
const SHORT = "short";

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
  [["--version"], 0],
  [["frobnicate"], 1],
  [["--frobnicate"], 1],
])("%j exits with %d, and prints the same as in this process", async (args, code) => {
  const options = { env: accountOf(service), input: stackExport([LONG]) };
  const inThisProcess = await runInProcess(args, options);
  const finished = await runBuilt(args, options);

  expect(finished.code).toBe(code);
  expect(withoutNumbers(finished)).toEqual(withoutNumbers(inThisProcess));
});

it("shows in its help an example, the exit codes and where the documentation is", async () => {
  const { stdout } = await runBuilt(["--help"], {});
  expect(stdout).toMatch(/^Example: npx pulumi-domain-monitoring report /m);
  expect(stdout).toMatch(/^Exit codes.*\n {2}0 .*\n {2}2 .*\n {2}1 /m);
  expect(stdout).toContain(`Documentation: ${homepage}/tree/main/docs\n`);
});

it("does not load Pulumi", async () => {
  const loaded =
    'process.on("exit", () => require("fs").writeSync(2, Object.keys(require.cache).filter((file) => file.includes("@pulumi")).join()))';
  const script = `${loaded}; require(${JSON.stringify(MAIN)})`;
  const ended = await run(process.execPath, ["-e", script, MAIN, "report", "--domain", LONG], {
    env: { PATH: process.env.PATH, ...accountOf(service) },
  });

  expect(ended).toMatchObject({ code: 0, stderr: "" });
});

/** Replaces numbers, because the clock advances between the two runs. */
function withoutNumbers({ stdout, stderr }: Finished): string[] {
  return [stdout, stderr].map((text) => text.replace(/\d+/g, "0"));
}
