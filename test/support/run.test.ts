/** What a test starts can be found by the run that it belongs to. */
import { processesWith } from "../../scripts/processes.cjs";
import { hasPrinted, start } from "./run";
import { temporaryDirectory } from "./temporary";

const { TMPDIR } = process.env;

afterEach(() => {
  process.env.TMPDIR = TMPDIR;
  if (TMPDIR === undefined) delete process.env.TMPDIR;
});

it("a command with an environment of its own is found by the directory of the run", async () => {
  const directory = temporaryDirectory();
  process.env.TMPDIR = directory;
  const script = "console.log('started'); setInterval(() => {}, 1000)";
  const command = start(process.execPath, ["-e", script], { env: { OWN: "1" } });
  await hasPrinted(command, /started/);
  const found = process.platform === "linux" ? [command.child.pid] : [];
  expect(processesWith("TMPDIR", directory)).toEqual(found);
});
