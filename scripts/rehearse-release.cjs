"use strict";
// Rehearses a release on loopback, from a tag to a stranger's first `up`: a copy of this work tree gets an owner, is built, packed and
// published by the commands of the release's workflow, to a registry and a server of files on this machine; then strangers,
// one per language, take it from there, with the plugin downloaded by the engine. A second release follows, and a way back.
// Other packages come from the ordinary registries. Takes some ten minutes, and leaves nothing behind.
//
//     npm run release -- rehearse [--only Go]
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { parseArgs } = require("node:util");
const { filesOf } = require("./owner.cjs");
const { startPage, startRegistry } = require("./rehearse-release/hosts.cjs");
const { check, say } = require("./rehearse-release/output.cjs");
const { Stranger } = require("./rehearse-release/stranger.cjs");
const { onlyCommands, strangers } = require("./rehearse-release/strangers.cjs");
const { platformCommand, runWorkflow } = require("./rehearse-release/workflow.cjs");
const { run, succeed } = require("./run.cjs");

const root = path.join(__dirname, "..");
const OWNER = "rehearsal-owner";
const SLUG = `${OWNER}/pulumi-domain-monitoring`;
const TOKEN = "rehearsal-token-0123456789";

/** What a stranger without Node has. */
const TOOLS =
  "sh bash env cat cp mv rm mkdir ls dirname basename uname tar gzip curl git go python3 pulumi pulumi-language-yaml " +
  "pulumi-language-go pulumi-language-python pulumi-language-python-exec";

/** The work tree as a repository of its owner, whose plugin is downloaded from `page`. */
class Repository {
  constructor(directory, page, env) {
    Object.assign(this, { directory, page, env });
  }

  git(...args) {
    const identity = ["-c", "user.name=Rehearsal", "-c", "user.email=rehearsal@example.com"];
    return succeed("git", [...identity, ...args], { cwd: this.directory, env: this.env });
  }

  node(...args) {
    return succeed(process.execPath, args, { cwd: this.directory, env: this.env });
  }

  async create() {
    for (const name of filesOf(root)) {
      fs.mkdirSync(path.dirname(path.join(this.directory, name)), { recursive: true });
      fs.copyFileSync(path.join(root, name), path.join(this.directory, name));
    }
    await this.git("init", "--quiet", "--initial-branch=main");
    fs.symlinkSync(path.join(root, "node_modules"), path.join(this.directory, "node_modules"));
    fs.appendFileSync(path.join(this.directory, ".git/info/exclude"), "/node_modules\n");
    await this.git("add", "--all");
    const before = await run(process.execPath, ["scripts/check-release.cjs"], { cwd: this.directory });
    const places = before.stderr.match(/has no owner yet/g)?.length ?? 0;
    say(`npm run release -- check refuses the release, and names ${places} places that have no owner`);
    await this.node("scripts/owner.cjs", OWNER);
    say(`npm run release -- owner ${OWNER}`);
  }

  edit(name, change) {
    const file = path.join(this.directory, name);
    fs.writeFileSync(file, change(fs.readFileSync(file, "utf8")));
  }

  /** What docs/contributing/development.md asks for before a tag; the state of the first release stands for that of the next. */
  async tag(version, first) {
    if (version !== first) {
      await succeed("npm", ["version", "--no-git-tag-version", version], {
        cwd: this.directory,
        env: this.env,
      });
      await this.node("scripts/plugin-schema.cjs");
      const states = ["test/upgrades/state-", ".json"];
      const [from, to] = [first, version].map((one) => path.join(this.directory, states.join(one)));
      fs.copyFileSync(from, to);
      this.edit("CHANGELOG.md", (text) =>
        text.replace("## [Unreleased]\n", `## [Unreleased]\n\n## [${version}] - 2026-02-01\n`),
      );
    } else
      this.edit("CHANGELOG.md", (text) =>
        text.replace(`[${version}] - not yet published`, `[${version}] - 2026-01-01`),
      );
    this.edit("src/plugin/schema.json", (text) =>
      text.replace(/"pluginDownloadURL": ".*"/, `"pluginDownloadURL": "${this.page}"`),
    );
    await this.git("add", "--all");
    await this.git("commit", "--quiet", "--message", `Release ${version}`);
    await this.git("tag", `v${version}`);
    say(`tag v${version}`);
  }
}

/** The commands of SECURITY.md by which a download is verified, of which the platform's own cannot run here. */
async function verify(directory, page, version, env) {
  const text = fs.readFileSync(path.join(root, "SECURITY.md"), "utf8");
  const commands = [...text.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block]) => block.trim().split("\n"));
  const cwd = path.join(directory, "download");
  fs.mkdirSync(cwd);
  const asset = `pulumi-resource-domain-monitoring-v${version}-linux-amd64.tar.gz`;
  for (const name of [asset, "SHA256SUMS"])
    await succeed("curl", ["--silent", "--fail", "--remote-name", `${page}/${name}`], { cwd, env });
  for (const command of commands) {
    if (!command.startsWith("sha256sum ")) {
      say(`SECURITY.md: not on this machine: ${command}`);
      continue;
    }
    const { seconds } = await succeed("bash", ["-ec", command], { cwd, env });
    say(`SECURITY.md: ${command}`, seconds);
    fs.appendFileSync(path.join(cwd, asset), "x");
    const { code } = await run("bash", ["-ec", command], { cwd, env });
    check("a download with one byte more is found out", code !== 0);
  }
}

/** Builds the release once more, in another time zone and language, and compares all of it with what was published. */
async function buildAgain(released, env) {
  const workspace = path.join(released, "build");
  const release = path.join(workspace, "dist-release");
  const { seconds } = await succeed(
    "bash",
    ["-ec", "npm run build:plugin -- --standalone && npm run release -- pack"],
    { cwd: workspace, env: { ...env, TZ: "Asia/Tokyo", LC_ALL: "tr_TR.UTF-8" } },
  );
  fs.copyFileSync(path.join(released, "artifact/SHA256SUMS"), path.join(release, "SHA256SUMS"));
  const { output } = await succeed("sha256sum", ["--check", "SHA256SUMS"], { cwd: release, env });
  say(`built again: ${output.match(/: OK/g).length} files are the same byte for byte`, seconds);
}

/** Waits for all of them, also where one fails: none may go on in a directory that is gone. */
async function all(promises) {
  const failed = (await Promise.allSettled(promises)).find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
}

async function rehearse(directory, only) {
  const [page, packages, released] = ["page", "registry", "released"].map((name) =>
    path.join(directory, name),
  );
  for (const at of [page, packages, released]) fs.mkdirSync(at);
  const tools = onlyCommands(path.join(directory, "tools"), TOOLS.split(" "));
  const [files, registry] = [await startPage(page), await startRegistry(packages)];
  try {
    const { version: first } = require("../package.json");
    const [major, minor] = first.split(".").map(Number);
    const second = `${major}.${minor + 1}.0`;
    const npmrc = path.join(directory, "npmrc");
    fs.writeFileSync(
      npmrc,
      `registry=${registry.url}\n${registry.url.replace("http:", "")}:_authToken=rehearsal\n`,
    );
    fs.writeFileSync(path.join(tools, "gh"), platformCommand(page), { mode: 0o755 });
    const repository = path.join(directory, "repository");
    const env = {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm|pulumi)_/i.test(name))),
      NPM_CONFIG_USERCONFIG: npmrc,
      NPM_CONFIG_UPDATE_NOTIFIER: "false",
      // Go finds the module where it will be, in the repository on this machine.
      GOFLAGS: "-modcacherw",
      GOPRIVATE: `github.com/${OWNER}/*`,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: `url.file://${repository}.insteadOf`,
      GIT_CONFIG_VALUE_0: `https://github.com/${SLUG}`,
    };
    const runner = {
      ...env,
      PATH: `${tools}${path.delimiter}${env.PATH}`,
      GITHUB_REPOSITORY: SLUG,
      GITHUB_ACTOR: OWNER,
      // There is nobody here who could attest where a package was built.
      NPM_CONFIG_PROVENANCE: "false",
    };
    const source = new Repository(repository, files.url, env);
    await source.create();
    const publish = async (version) => {
      const tag = `v${version}`;
      await source.tag(version, first);
      const at = path.join(released, version);
      const ofTag = { ...runner, GITHUB_REF_NAME: tag };
      const file = path.join(repository, ".github/workflows/release.yml");
      await runWorkflow({ file, origin: repository, tag, directory: at, env: ofTag, say });
    };
    await publish(first);
    await verify(directory, files.url, first, env);
    await all([publish(second), buildAgain(path.join(released, first), runner)]);
    const schema = JSON.parse(fs.readFileSync(path.join(repository, "src/plugin/schema.json"), "utf8"));
    const readme = fs.readFileSync(path.join(repository, "README.md"), "utf8");
    const chosen = Object.entries(strangers(schema, readme)).filter(([name]) => !only || name === only);
    // At once, as each mostly waits for a download or a compiler.
    await all(
      chosen.map(([name, kind], index) => {
        const own = kind.node ? env : { ...env, PATH: tools };
        const at = path.join(directory, `stranger-${index}`);
        return new Stranger(name, kind, { directory: at, env: own, token: TOKEN }).live(first, second);
      }),
    );
    say(".NET: there is no dotnet here, so its SDK was neither compiled nor run; Java: no language host");
  } finally {
    await Promise.all([files.close(), registry.close()]);
  }
}

async function main() {
  const { values } = parseArgs({ options: { only: { type: "string" } } });
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "release-rehearsal-"));
  try {
    execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit" });
    await rehearse(directory, values.only);
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
  check("nothing is left behind", !fs.existsSync(directory));
}

main().catch((error) => {
  process.stderr.write(`rehearse: ${error.message}\n`);
  process.exitCode = 1;
});
