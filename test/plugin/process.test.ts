/**
 * The plugin's process: how it starts and ends, what it prints, and its message if Node is missing
 * or too old.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { closeAll, closeLater } from "../client/support/cleanup";
import { createAsAsked, gate, held, startService } from "../client/support/service";
import { slackChannel } from "../provider/support/channels";
import { Cli } from "../support/cli";
import { realEngineAvailable } from "../support/engines";
import { temporaryDirectory } from "../support/temporary";
import {
  EXECUTABLE,
  PLUGIN_DIRECTORY,
  PluginProcess,
  secret,
  startEngineLog,
} from "./support/plugin-process";

const manifest: { version: string } = require("../../package.json");
let directory: string;

beforeEach(() => {
  directory = temporaryDirectory();
});

afterEach(closeAll);

async function start(command: string[]): Promise<PluginProcess> {
  const plugin = await PluginProcess.start({ command });
  closeLater(() => plugin.stop());
  return plugin;
}

test("It runs beside a project that makes modules of all files, logs to its engine, and ends with it after the calls in flight", async () => {
  const { opened, open: answer } = gate();
  const engine = await startEngineLog();
  closeLater(engine.close);
  const service = await startService([held(opened, createAsAsked)]);
  const installed = path.join(directory, "plugins");
  writeFileSync(path.join(directory, "package.json"), '{"type":"module"}');
  cpSync(PLUGIN_DIRECTORY, installed, { recursive: true });
  const plugin = await start([path.join(installed, path.basename(EXECUTABLE))]);

  expect(await plugin.version()).toBe(manifest.version);
  expect(JSON.parse(await plugin.schema())).toMatchObject({ version: manifest.version });

  await plugin.attach(engine.address);
  await plugin.configure({ baseUrl: service.url, apiToken: secret("token") });
  await plugin.check({ ...slackChannel, value: "not-an-address" });

  expect(engine.logged).toHaveLength(1);

  const created = plugin.create(slackChannel);
  await service.arrived(1);
  const ended = plugin.loseEngine();
  answer();

  expect(await created).toHaveProperty("id");
  expect(await ended).toBe(0);
  expect(plugin.printed).toBe("");
});

describe.each([
  ["without Node on PATH", undefined],
  ["with a version manager's node that has no version to run", "#!/bin/sh\nexit 127\n"],
])("%s", (_case, node) => {
  const line =
    "the domain-monitoring plugin needs Node 20.18.1 or newer, and there is no node on PATH that starts: install it";

  beforeEach(() => {
    if (node !== undefined) writeFileSync(path.join(directory, "node"), node, { mode: 0o755 });
  });

  test("it says so, and nothing that could be taken for a port", () => {
    const sh = execFileSync("sh", ["-c", "command -v sh"], { encoding: "utf8" }).trim();
    const { status, stdout } = spawnSync(sh, [EXECUTABLE], {
      env: { PATH: directory },
      encoding: "utf8",
    });

    expect({ status, stdout }).toEqual({ status: 1, stdout: line });
  });

  (realEngineAvailable ? test : test.skip)(
    "the engine repeats it, and adds no error of its own",
    async () => {
      const pulumi = execFileSync("sh", ["-c", "command -v pulumi"], { encoding: "utf8" }).trim();
      symlinkSync(pulumi, path.join(directory, "pulumi"));
      const cli = new Cli(directory, { PATH: directory });
      const { code, output } = await cli.run("package", "get-schema", EXECUTABLE);

      expect(code).not.toBe(0);
      expect(output).toContain(line);
      expect(output).not.toMatch(/invalid port|parse port/);
    },
  );
});

test.each(["20.9.0", "20.18.0"])("With Node %s every call says what it needs", async (version) => {
  // This Node pretends to be another version. The oldest version that can read the file runs in
  // test/release.
  const preload = path.join(directory, "older.cjs");
  const older = `Object.defineProperty(process.versions, "node", { value: "${version}" });`;
  writeFileSync(preload, older);

  const plugin = await start([process.execPath, "--require", preload, EXECUTABLE]);
  const line = `the domain-monitoring plugin needs Node 20.18.1 or newer, and the node on PATH is ${version}: install a newer one`;
  await expect(plugin.handshake()).rejects.toMatchObject({ code: 12 });
  await expect(plugin.configure({})).rejects.toThrow(line);
  await expect(plugin.schema()).rejects.toThrow(line);
});
