/** This repository's own commands in `sh` blocks run, in a directory with what the pages name. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { accountOf, MAIN, runInProcess } from "../cli/command";
import { hasPrinted, run, start } from "../support/run";
import { temporaryDirectory } from "../support/temporary";
import { pageAt, root } from "./support/markdown";
import { lines, scripts } from "./support/shell";

const EMULATOR = path.join(
  root,
  "packages/domain-monitoring-emulator/bin/domain-monitoring-emulator.js",
);

const commands = lines.filter(({ line }) => /\bnpx pulumi-domain-monitoring\b/.test(line));
const servers = lines.filter(({ line }) => line.includes("npx domain-monitoring-emulator"));
let service: Emulator;
let directory: string;
let env: Record<string, string>;

beforeAll(async () => {
  service = await startEmulator({ lifecycle: "managed" });
  directory = temporaryDirectory();
  env = { ...accountOf(service), PATH: `${directory}${path.delimiter}${process.env.PATH}` };

  // Looks like an installation: the package, the SDK and the command, which `npx` then finds.
  const modules = path.join(directory, "node_modules");
  fs.mkdirSync(path.join(modules, ".bin"), { recursive: true });
  fs.symlinkSync(root, path.join(modules, "pulumi-domain-monitoring"));
  fs.symlinkSync(path.join(root, "node_modules/@pulumi"), path.join(modules, "@pulumi"));
  for (const [name, file] of [
    ["pulumi-domain-monitoring", MAIN],
    ["domain-monitoring-emulator", EMULATOR],
  ] as const)
    script(`node_modules/.bin/${name}`, `exec "${process.execPath}" "${file}" "$@"`);

  // Starts the local service. Other commands run in this process, with the shell's arguments.
  const serve = `[ "$1" = domain-monitoring-emulator ] && exec "$PWD/node_modules/.bin/$@"`;
  const keep = `printf '%s\\n' "$@" > arguments; exec cat > input`;
  script("npx", `${serve}\nshift\n${keep}`);
  const rules = "registration: { minimumDays: 30 }\n";
  fs.writeFileSync(path.join(directory, "domain-monitoring.yaml"), rules);

  // The state that is kept for upgrades.
  const state = path.join(root, "test/upgrades/state-0.1.0.json");
  script("pulumi", `[ "$*" = "stack export" ] && exec cat "${state}"`);
  for (const stack of ["prod", "staging"])
    fs.copyFileSync(state, path.join(directory, `${stack}.json`));
});

afterAll(() => service.close());

function script(name: string, body: string): void {
  fs.writeFileSync(path.join(directory, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
}

it.each(commands)("`$line` in $place runs", async ({ line }) => {
  const shell = spawnSync("sh", ["-c", line], { cwd: directory, env, encoding: "utf8" });
  expect(shell).toMatchObject({ status: 0, stdout: "", stderr: "" });

  const [args = "", input] = ["arguments", "input"].map((name) =>
    fs.readFileSync(path.join(directory, name), "utf8"),
  );

  const options = { cwd: directory, env, input };
  const { code, stdout, stderr } = await runInProcess(args.trimEnd().split("\n"), options);
  expect(stderr).toBe("");

  if (args.startsWith("doctor")) expect(stdout).toMatch(/^ok +base address/m);
  // 1 would mean that the command line or a file that it names was not understood.
  else expect([0, 2]).toContain(code);
});

it.each(servers)("`$line` in $place starts", async ({ file, line }) => {
  const options = { cwd: directory, env, detached: true };
  const started = start("sh", ["-c", line.replace(/--port \d+/, "--port 0")], options);
  // It runs until it is stopped, so the test ends once it has printed its address.
  await hasPrinted(started, /Stop it with Ctrl\+C/);
  if (started.child.pid) process.kill(-started.child.pid, "SIGTERM");
  const { output: said } = await started.finished;

  expect(said).toMatch(/^The emulator listens on .* Stop it with Ctrl\+C\.\n$/s);

  // The port and the token vary.
  const known = (text: string) =>
    text.replace(/(127\.0\.0\.1):\d+/g, "$1").replace(/(token |TOKEN=)\S+/g, "$1");

  const shown = pageAt(file).blocks.find(({ code }) => code.startsWith("The emulator"));
  expect(known(said)).toContain(known(shown?.code ?? said));
});

it.each(scripts)("the script in $place runs", async ({ code }) => {
  // The port of a service that has ended is free.
  const ended = await startEmulator();
  await ended.close();
  const { port } = new URL(ended.url);
  const here = code
    .replace(/--port (\d+)/, `--port ${port}`)
    .replace(/(127\.0\.0\.1):\d+/g, `$1:${port}`);

  expect(await run("sh", ["-e", "-c", here], { cwd: directory, env })).toMatchObject({
    code: 0,
    output: expect.stringContaining("The emulator listens on"),
  });
});
