/**
 * Every line of every `sh` block would work. This package's own commands are run. In other
 * commands, the scripts, packages, settings and variables are looked up. Their options are checked
 * in test/gitops/commands.test.ts, and first-run.test.ts follows whole guides. An unknown line
 * fails: make it a `text` block, or teach this test.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { LIFECYCLE_KEY, SETTINGS } from "../../src/names";
import { MAIN, runInProcess } from "../cli/command";
import { hasPrinted, run, start } from "../support/run";
import { temporaryDirectory } from "../support/temporary";
import { type Block, blocksIn, pageAt, root } from "./support/markdown";

const EMULATOR = path.join(
  root,
  "packages/domain-monitoring-emulator/bin/domain-monitoring-emulator.js",
);

interface Line {
  place: string;
  file: string;
  line: string;
}

/**
 * A block that starts something and ends it again is a script. It runs as a whole, because its
 * lines mean nothing alone.
 */
const isScript = ({ code }: Block) => /^kill /m.test(code);

const scripts = blocksIn("sh").filter(isScript);

const lines: Line[] = blocksIn("sh")
  .filter((block) => !isScript(block))
  .flatMap(({ place, file, code }) =>
    code
      .replace(/\\\n\s*/g, " ")
      .split("\n")
      .map((line) => ({ place, file, line: line.replace(/\s+#.*$/, "").trim() }))
      .filter(({ line }) => line !== ""),
  );

const calls = lines.flatMap(({ line, ...where }) =>
  line.split(/\s*(?:&&|\|\|?|;)\s*/).map((call) => ({ ...where, call })),
);

const commandOf = (call: string) => call.split(" ", 1)[0] ?? "";

const titled = <T extends { place: string }>(some: T[], text: (one: T) => string): [string, T][] =>
  some.map((one) => [`\`${text(one)}\` in ${one.place}`, one]);

it("shell blocks contain only commands that are checked here", () => {
  // The last two verify a download, and no release can be downloaded here.
  const known = ["npm", "npx", "pulumi", "export", "read", "sha256sum", "gh"];

  expect(calls.filter(({ call }) => !known.includes(commandOf(call)))).toEqual([]);
  expect(lines.length).toBeGreaterThan(50);
});

describe("npm", () => {
  const manifest = require("../../package.json");
  const npm = calls.filter(({ call }) => commandOf(call) === "npm");

  it.each(titled(npm, ({ call }) => call))(
    "%s is an existing script or package",
    (_title, { call, file }) => {
      const [, verb, ...rest] = call.split(" ");
      if (verb === "ci" || verb === "pack" || (verb === "install" && rest.length === 0)) return;

      const at = path.join(root, path.dirname(file), "package.json");
      const local: { name?: string; scripts?: Record<string, string> } = fs.existsSync(at)
        ? require(at)
        : {};

      if (verb === "install" || verb === "uninstall") {
        const packages = [manifest.name, local.name, "domain-monitoring-emulator"];
        const peers = Object.keys(manifest.peerDependencies);
        for (const name of rest) expect([...packages, ...peers, "--save-dev"]).toContain(name);

        return;
      }

      expect(Object.keys({ ...manifest.scripts, ...local.scripts })).toContain(
        verb === "run" ? rest[0] : verb,
      );
    },
  );
});

describe("a setting", () => {
  const set = calls.flatMap(({ call, ...where }) => {
    const found = /^pulumi config set (?<options>(?:--\w+ )*)(?<key>\S+)(?: (?<value>.+))?$/.exec(
      call,
    )?.groups;

    return found
      ? [{ ...where, call, key: found.key ?? "", options: found.options ?? "", value: found.value }]
      : [];
  });

  it.each(titled(set, ({ call }) => call))(
    "a setting of %s is used by the code",
    (_title, { file, key, options, value }) => {
      const isSecret = options.includes("--secret");
      if (key.includes(":")) {
        const keys = [...Object.values(SETTINGS).map((setting) => setting.key), LIFECYCLE_KEY];

        expect(keys).toContain(key);
        expect(isSecret).toBe(key === SETTINGS.apiToken.key);
      } else {
        const name = options.includes("--path") ? /\w+/.exec(key)?.[0] : key;
        expect(readersOf(file).some((code) => reads(code, name ?? "", isSecret))).toBe(true);
      }

      // Others can see a secret in an argument, and it stays in the shell's history.
      if (isSecret) expect(value).toBeUndefined();
    },
  );

  /** The programs of a page: its own blocks, or the programs beside it. */
  function readersOf(file: string): string[] {
    const shown = pageAt(file).blocks.filter(
      ({ language }) => language === "ts" || language === "yaml",
    );

    const directory = path.join(root, path.dirname(file));
    const beside = file.startsWith("examples/")
      ? fs
          .readdirSync(directory, { recursive: true, encoding: "utf8" })
          .filter((name) => /^(\w+\.(ts|js|py|go)|Pulumi\.yaml|src\/.*\.java)$/.test(name))
      : [];

    return [
      ...shown.map(({ code }) => code),
      ...beside.map((name) => fs.readFileSync(path.join(directory, name), "utf8")),
    ];
  }

  function reads(code: string, name: string, isSecret: boolean): boolean {
    const named = new RegExp(`(?:config|cfg)\\.(\\w+)(?:<[^(]*>)?\\("${name}"`).exec(code);
    if (named) return !isSecret || /secret/i.test(named[1] ?? "");

    // A YAML program declares the settings that it reads.
    const declared = new RegExp(`^  ${name}: \\{ type: \\w+(.*) \\}$`, "m").exec(code);
    if (declared && code.includes(`\${${name}}`))
      return !isSecret || declared[1] === ", secret: true";

    // The settings themselves refer to this secret by its name.
    return isSecret && new RegExp(`destination: ${name}$`, "m").test(code);
  }
});

describe("a variable", () => {
  const exported = calls.flatMap(({ call, ...where }) => {
    const [command, ...words] = call.split(" ");
    if (command !== "export") return [];

    return words.map((word) => ({ ...where, name: word.split("=", 1)[0] ?? "" }));
  });

  it.each(titled(exported, ({ name }) => name))(
    "%s is used by the code",
    (_title, { name, file }) => {
      const ours = Object.values(SETTINGS).map(({ variable }) => variable);
      const beside = path.join(root, path.dirname(file), "domains.yaml");
      const named = fs.existsSync(beside) ? fs.readFileSync(beside, "utf8") : "";

      expect(ours.includes(name) || named.includes(name)).toBe(true);
    },
  );
});

it("the command is called by the package's own name: npx would get a stranger's package for another", () => {
  const { name, bin } = require("../../package.json");

  expect(bin[name]).toBe("./dist/cli/main.js");

  const files = ["docs", "examples", "src", "scripts"].flatMap((directory) =>
    fs
      .readdirSync(path.join(root, directory), { recursive: true, encoding: "utf8" })
      .map((file) => path.join(directory, file)),
  );

  const texts = [...files, "README.md"]
    .filter((file) => !file.includes("node_modules") && fs.statSync(path.join(root, file)).isFile())
    .map((file) => ({ file, text: fs.readFileSync(path.join(root, file), "utf8") }));

  const found = (pattern: RegExp) =>
    texts.flatMap(({ file, text }) =>
      [...text.matchAll(pattern)].map(([call]) => `${call} in ${file}`),
    );

  const short = /(?:npx (?:-\S+ )*|(?<![-\w./]))domain-monitoring (?:channels|doctor|report)\b/g;

  expect(found(short)).toEqual([]);
  expect(found(/npx [^\n]*pulumi-domain-monitoring /g).length).toBeGreaterThan(40);

  // A pipeline has the command from its lockfile, or fails.
  const fetched = found(/npx (?!--no-install )\S+/g);

  expect(fetched.filter((call) => call.includes(path.join("examples", "gitops")))).toEqual([]);
});

describe("a command of this repository", () => {
  let service: Emulator;
  let directory: string;
  let env: Record<string, string>;
  const commands = lines.filter(({ line }) => /\bnpx pulumi-domain-monitoring\b/.test(line));
  const servers = lines.filter(({ line }) => line.includes("npx domain-monitoring-emulator"));

  beforeAll(async () => {
    service = await startEmulator({ lifecycle: "managed" });
    directory = temporaryDirectory();
    // Looks like an installation: the package, the SDK and the command, which `npx` then finds.
    const modules = path.join(directory, "node_modules");
    fs.mkdirSync(path.join(modules, ".bin"), { recursive: true });
    fs.symlinkSync(root, path.join(modules, "pulumi-domain-monitoring"));
    fs.symlinkSync(path.join(root, "node_modules/@pulumi"), path.join(modules, "@pulumi"));
    script(
      "node_modules/.bin/pulumi-domain-monitoring",
      `exec "${process.execPath}" "${MAIN}" "$@"`,
    );

    script(
      "node_modules/.bin/domain-monitoring-emulator",
      `exec "${process.execPath}" "${EMULATOR}" "$@"`,
    );

    // Starts the local service. Other commands run in this process, with the shell's arguments.
    const start = `[ "$1" = domain-monitoring-emulator ] && exec "$PWD/node_modules/.bin/$@"`;
    const keep = `printf '%s\\n' "$@" > arguments; exec cat > input`;
    script("npx", `${start}\nshift\n${keep}`);
    fs.writeFileSync(
      path.join(directory, "domain-monitoring.yaml"),
      "registration: { minimumDays: 30 }\n",
    );

    // The state that is kept for upgrades.
    const state = path.join(root, "test/upgrades/state-0.1.0.json");
    script("pulumi", `[ "$*" = "stack export" ] && exec cat "${state}"`);
    for (const stack of ["prod", "staging"])
      fs.copyFileSync(state, path.join(directory, `${stack}.json`));

    env = {
      PATH: `${directory}${path.delimiter}${process.env.PATH}`,
      DOMAIN_MONITORING_BASE_URL: service.url,
      DOMAIN_MONITORING_API_TOKEN: service.token,
    };
  });

  afterAll(() => service.close());

  function script(name: string, body: string): void {
    fs.writeFileSync(path.join(directory, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  }

  it.each(titled(commands, ({ line }) => line))("runs %s", async (_title, { line }) => {
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

  it.each(titled(servers, ({ line }) => line))("starts %s", async (_title, { file, line }) => {
    const options = { cwd: directory, env, detached: true };
    const started = start("sh", ["-c", line.replace(/--port \d+/, "--port 0")], options);
    // It runs until it is stopped, so the test ends once it has printed its address.
    await hasPrinted(started, /Stop it with Ctrl\+C/);
    if (started.child.pid) process.kill(-started.child.pid, "SIGTERM");
    const { output: said } = await started.finished;

    expect(said).toMatch(/^The emulator listens on .* Stop it with Ctrl\+C\.\n$/s);

    // The port and the token vary.
    const [shown = said] = pageAt(file).blocks.flatMap(({ code }) =>
      code.startsWith("The emulator") ? code : [],
    );

    const known = (text: string) =>
      text.replace(/(127\.0\.0\.1):\d+/g, "$1").replace(/(token |TOKEN=)\S+/g, "$1");

    expect(known(said)).toContain(known(shown));
  });

  it.each(titled(scripts, () => "script"))("runs the %s", async (_title, { code }) => {
    // The port of a service that has ended is free.
    const { port } = new URL(
      await startEmulator().then((some) => some.close().then(() => some.url)),
    );

    const here = code
      .replace(/--port (\d+)/, `--port ${port}`)
      .replace(/(127\.0\.0\.1):\d+/g, `$1:${port}`);

    const { code: status, output } = await run("sh", ["-e", "-c", here], { cwd: directory, env });

    expect({ status, output }).toEqual({
      status: 0,
      output: expect.stringContaining("The emulator listens on"),
    });
  });
});
