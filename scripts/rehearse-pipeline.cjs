"use strict";
// Runs the commands of examples/gitops/github against the local service with the real engine, and checks what a reviewer would
// see. It runs the `run:` steps with the shell that GitHub uses and the variables that the files declare. GitHub's own decisions
// are written out below; test/gitops/workflows.test.ts proves that they match the files.
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const { createRequire } = require("node:module");
const os = require("node:os");
const path = require("node:path");
const { filesHolding } = require("./files-holding.cjs");
const { engineEnvironment, engineVersion } = require("./real-engine.cjs");

const root = path.join(__dirname, "..");
const workflows = path.join(root, "examples", "gitops", "github");
const HEALTHY = "11111111-1111-4111-8111-111111111111";
const EXPIRING = "22222222-2222-4222-8222-222222222222";
const destinations = {
  slackUrl: "https://hooks.slack.com/services/T000/B000/rehearsal-destination",
  email: "registrar-rehearsal-destination@example.com",
  webhookUrl: "https://automation.example.com/rehearsal-destination",
};

/** Replaces `gh`: logs its arguments, and prints the number of an existing comment or issue. */
const GH = '#!/bin/sh\necho "$*" >> "$REHEARSAL_GH_LOG"\nprintf %s "$REHEARSAL_GH_FOUND"\n';

/** All output, which is searched for secrets at the end. */
let shown = "";

function say(text = "") {
  shown += `${text}\n`;
  process.stdout.write(`${text}\n`);
}

/** One expectation of a reviewer or of the person on duty. */
function check(claim, holds) {
  if (!holds) throw new Error(`this does not hold: ${claim}`);
  say(`  ✓ ${claim}`);
}

/** A team's repository, and the files that GitHub keeps between steps. */
class Rehearsal {
  constructor(directory, service) {
    this.service = service;
    this.repository = path.join(directory, "repository");
    this.asked = path.join(directory, "gh.log");
    this.summary = path.join(directory, "summary.md");
    this.outputs = path.join(directory, "outputs");
    for (const name of ["bin", "tmp"]) fs.mkdirSync(path.join(directory, name));
    fs.cpSync(path.join(root, "examples", "quickstart"), this.repository, { recursive: true });
    installByLinks(path.join(this.repository, "node_modules"));
    fs.writeFileSync(path.join(directory, "bin", "gh"), GH, { mode: 0o755 });
    const engine = engineEnvironment(directory);
    /** The runner's environment, which neither reads nor changes the user's login and npm settings. */
    this.runner = {
      ...engine,
      PATH: `${path.join(directory, "bin")}${path.delimiter}${process.env.PATH}`,
      HOME: engine.PULUMI_HOME,
      TMPDIR: path.join(directory, "tmp"),
      npm_config_cache: path.join(directory, "home", ".npm"),
      npm_config_update_notifier: "false",
      // Otherwise npx would fetch a command that is not installed from the registry.
      npm_config_offline: "true",
      REHEARSAL_GH_LOG: this.asked,
      REHEARSAL_GH_FOUND: "",
      GITHUB_REPOSITORY: "example/domains",
      GITHUB_STEP_SUMMARY: this.summary,
      GITHUB_OUTPUT: this.outputs,
    };
    /** Values of the files' `${{ … }}` expressions, by the variable that each is assigned to. */
    this.values = {
      DOMAIN_MONITORING_BASE_URL: service.url,
      DOMAIN_MONITORING_API_TOKEN: service.token,
      DOMAIN_IDS: `${HEALTHY} ${EXPIRING}`,
      PULUMI_STACK: "staging",
      PULUMI_BACKEND_URL: engine.PULUMI_BACKEND_URL,
      PULUMI_CONFIG_PASSPHRASE: engine.PULUMI_CONFIG_PASSPHRASE,
      PULUMI_ACCESS_TOKEN: "",
      POLICY_PACK: "",
      GH_TOKEN: "rehearsal-github-token",
      PULL_REQUEST: "7",
      JOB: "https://github.example.com/example/domains/actions/runs/1",
    };
    // The workflow files must set every variable themselves.
    for (const name of Object.keys(this.values)) delete this.runner[name];
  }

  /** The setup that a maintainer does once, locally. */
  async setUp() {
    const pulumi = async (args, input) => {
      const { code, output } = await this.run("pulumi", args, this.values, input);
      if (code !== 0) throw new Error(`pulumi ${args[0]} ended with exit code ${code}\n${output}`);
    };
    await pulumi(["stack", "init", "staging"]);
    await pulumi(["config", "set", "domainId", HEALTHY]);
    for (const [key, value] of Object.entries(destinations))
      await pulumi(["config", "set", "--secret", key], value);
  }

  /** Changes a file of the repository, as a pull request would. */
  change(file, from, to) {
    const target = path.join(this.repository, file);
    const before = fs.readFileSync(target, "utf8");
    if (!before.includes(from))
      throw new Error(`${file} has no ${from}: the rehearsal must follow the example`);
    fs.writeFileSync(target, before.replace(from, to));
  }

  /** Runs a step of a workflow by its name. Returns its exit code, and the output `code` that it may have set. */
  async step(file, name, given = {}) {
    const { env, jobs } = loadYaml(path.join(workflows, file));
    const [job] = Object.values(jobs);
    const step = job.steps.find((candidate) => candidate.name === name);
    if (step?.run === undefined) throw new Error(`${file} has no step ${name} with a script`);
    const values = { ...this.values, ...given };
    const declared = Object.entries({ ...env, ...job.env, ...step.env }).map(([variable, text]) => {
      const value = text.startsWith("${{") ? values[variable] : text;
      if (value === undefined) throw new Error(`the rehearsal has no value for ${variable} of ${file}`);
      return [variable, value];
    });
    fs.writeFileSync(this.outputs, "");
    // GitHub runs `shell: bash` with these options.
    const options = ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c"];
    const { code } = await this.run("bash", [...options, step.run], Object.fromEntries(declared));
    say(`  ${name}: exit code ${code}`);
    return { code, output: /^code=(\d+)$/m.exec(fs.readFileSync(this.outputs, "utf8"))?.[1] ?? "" };
  }

  /** A job begins with a fresh clone. */
  begin(file) {
    say(`\n${file}`);
    for (const kept of [this.summary, this.asked]) fs.writeFileSync(kept, "");
    for (const left of fs.readdirSync(this.repository)) {
      if (/\.(txt|md)$/.test(left)) fs.rmSync(path.join(this.repository, left));
    }
  }

  /** The steps after the preview run whether or not it succeeded. */
  async pullRequest(given) {
    const file = "pull-request.yml";
    this.begin(file);
    const preview = await this.step(file, "Preview", given);
    const expiry = await this.step(file, "Expiry", given);
    const OUTCOME = preview.code === 0 ? "success" : "failure";
    const comment = await this.step(file, "Comment", { ...given, OUTCOME });
    const ok = preview.code === 0 && expiry.code === 0 && comment.code === 0;
    return { ok, preview: preview.code };
  }

  /** The first step that fails ends the job. Returns whether none did. */
  async main() {
    this.begin("main.yml");
    for (const name of ["Up", "Nothing is left to do", "Summary"]) {
      if ((await this.step("main.yml", name)).code !== 0) return false;
    }
    return true;
  }

  /** Runs checks, which pass their exit codes on to later steps. Returns the first exit code that is not 0. */
  async night(given) {
    const file = "nightly.yml";
    this.begin(file);
    const codes = {};
    for (const name of ["Drift", "Expiry", "Report"]) {
      const { code, output } = await this.step(file, name, given);
      if (code !== 0) return code;
      codes[name.toUpperCase()] = output;
    }
    const { code } = await this.step(file, "Issue", { ...given, ...codes });
    return code !== 0 ? code : (await this.step(file, "Result", { ...given, ...codes })).code;
  }

  run(command, args, env, input = "") {
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, { cwd: this.repository, env: { ...this.runner, ...env } });
      child.stdin.on("error", () => {});
      child.stdin.end(input);
      let output = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text) => {
          output += text;
        });
      }
      child.on("error", reject);
      child.on("close", (code) => {
        shown += output;
        resolve({ code, output });
      });
    });
  }

  /** A file that the last job left in its clone. */
  left(file) {
    return fs.readFileSync(path.join(this.repository, file), "utf8");
  }

  /** The calls of `gh` in the last job. */
  gh() {
    return fs.readFileSync(this.asked, "utf8");
  }
}

/** Links packages and this package's command, instead of `npm ci` in the team's repository. */
function installByLinks(modules) {
  fs.mkdirSync(path.join(modules, ".bin"), { recursive: true });
  for (const name of fs.readdirSync(path.join(root, "node_modules"))) {
    if (name.startsWith(".") || name === "pulumi-domain-monitoring") continue;
    fs.symlinkSync(path.join(root, "node_modules", name), path.join(modules, name), "junction");
  }
  fs.symlinkSync(root, path.join(modules, "pulumi-domain-monitoring"), "junction");
  const command = `#!/bin/sh\nexec "${process.execPath}" "${path.join(root, "dist", "cli", "main.js")}" "$@"\n`;
  fs.writeFileSync(path.join(modules, ".bin", "domain-monitoring"), command, { mode: 0o755 });
}

function loadYaml(file) {
  // A dependency of the SDK.
  const { load } = createRequire(require.resolve("@pulumi/pulumi/package.json"))("js-yaml");
  return load(fs.readFileSync(file, "utf8"));
}

function quote(text) {
  say(text.trimEnd().replace(/^/gm, "  | "));
}

async function play(rehearsal) {
  const { service } = rehearsal;

  const opened = await rehearsal.pullRequest();
  const comment = rehearsal.left("comment.md");
  quote(comment);
  check("the pull request passes", opened.ok);
  check("its comment shows the channels to be created", /\+.*on-call.*create/.test(comment));
  const domains = ["example.com", "example.org"];
  check(
    "its comment shows the expiry of each domain",
    domains.every((domain) => comment.includes(domain)),
  );
  check("the same is in the job's summary", fs.readFileSync(rehearsal.summary, "utf8") === comment);
  check("it is one new comment", /^pr comment 7 .*--body-file comment\.md$/m.test(rehearsal.gh()));
  check("nothing was created", service.channels().length === 0);

  rehearsal.runner.REHEARSAL_GH_FOUND = "41";
  const pushed = await rehearsal.pullRequest();
  check(
    "another push updates the comment and adds none",
    pushed.ok && /PATCH .*comments\/41 /.test(rehearsal.gh()) && !rehearsal.gh().includes("pr comment"),
  );

  check("main deploys, and finds nothing left to do", await rehearsal.main());
  check("the three channels exist", service.channels().length === 3);
  check(
    "the domains are in the job's summary",
    /example\.org/.test(fs.readFileSync(rehearsal.summary, "utf8")),
  );
  check("main once more creates nothing", (await rehearsal.main()) && service.channels().length === 3);

  rehearsal.runner.REHEARSAL_GH_FOUND = "";
  const night = await rehearsal.night();
  const issue = rehearsal.left("issue.md");
  quote(issue);
  check("the nightly job fails with exit code 2, that of a registration to renew", night === 2);
  check("it opens an issue", /^issue create /m.test(rehearsal.gh()));
  check("its issue names the domain that expires", /example\.org expires on .*renew it/.test(issue));
  check("it finds no drift", !issue.includes("recorded state differ"));

  rehearsal.change("index.ts", 'label: "Registrar team"', 'label: "Registrar desk"');
  const replacing = await rehearsal.pullRequest();
  const shown = rehearsal.left("comment.md");
  quote(shown.split("~~~~")[1]);
  check(
    "a changed label passes as a replacement",
    replacing.ok && /\+-.*registrar-team.*replace/.test(shown),
  );
  check(
    "and the comment names the channel that would stay behind",
    /"Registrar team" \(email, .* stays in the service/.test(shown),
  );

  rehearsal.runner.REHEARSAL_GH_FOUND = "42";
  const drifted = await rehearsal.night();
  check("the next night updates the one issue", drifted === 2 && /^issue edit 42 /m.test(rehearsal.gh()));
  check(
    "which now also tells of a program that was not deployed",
    rehearsal.left("issue.md").includes("recorded state differ"),
  );
  rehearsal.change("index.ts", 'label: "Registrar desk"', 'label: "Registrar team"');

  check("a night on which all is well passes", (await rehearsal.night({ DOMAIN_IDS: HEALTHY })) === 0);
  check("and closes the issue", /^issue close 42 /m.test(rehearsal.gh()));

  const unknown = await rehearsal.night({ DOMAIN_IDS: `${HEALTHY} 99999999-9999-4999-8999-999999999999` });
  check("a domain that could not be determined is exit code 1", unknown === 1);
  check("no night has created a channel", service.channels().length === 3);

  await playPolicies(rehearsal);

  // What no night can find, said as plainly as in docs/gitops.md: this must not become a promise unnoticed.
  service.reset();
  check(
    "channels that were all removed in the service are NOT found at night: nothing can find them",
    (await rehearsal.night({ DOMAIN_IDS: HEALTHY })) === 0,
  );
}

/** A pull request that violates a policy: a channel with all notifications off. */
async function playPolicies(rehearsal) {
  const copy = path.join(rehearsal.repository, "policy-pack");
  const filter = (source) => path.basename(source) !== "node_modules";
  fs.cpSync(path.join(root, "examples", "policy-pack"), copy, { recursive: true, filter });
  const kept = await rehearsal.pullRequest({ POLICY_PACK: "policy-pack" });
  check("a pull request that keeps to the policies passes", kept.ok);

  const silent = ["whois", "dns", "ssl"].map((kind) => `${kind}NotificationsEnabled: false`).join(", ");
  const inputs = `domainId, label: "Silent", type: "email", value: config.requireSecret("email"), ${silent}`;
  const channel = `\nnew NotificationChannel("breaks-policies", { ${inputs} });\n`;
  fs.appendFileSync(path.join(rehearsal.repository, "index.ts"), channel);
  const refused = await rehearsal.pullRequest({ POLICY_PACK: "policy-pack" });
  const comment = rehearsal.left("comment.md");
  quote(comment);
  check("a broken policy blocks the pull request", refused.preview !== 0);
  check("its comment names the policy", /\[mandatory\].*silent/.test(comment));
  check("nothing was created", rehearsal.service.channels().length === 3);
  rehearsal.change("index.ts", channel, "");
}

async function main() {
  const version = engineVersion();
  if (version === undefined) {
    const files = fs.readdirSync(workflows).filter((name) => name.endsWith(".yml"));
    say("There is no `pulumi` command on PATH, so the rehearsal was left out.");
    say(`Not played: ${files.join(", ")}. Their structure is checked by test/gitops all the same.`);
    return;
  }
  const { startEmulator } = require("../dist/testing/index.js");
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "domain-monitoring-rehearsal-"));
  const service = await startEmulator();
  try {
    say(`Engine: \`pulumi\` ${version}; local service: ${service.url}`);
    const rehearsal = new Rehearsal(directory, service);
    await rehearsal.setUp();
    await play(rehearsal);
    const secrets = [service.token, ...Object.values(destinations)];
    const encoded = secrets.map((secret) => Buffer.from(secret).toString("base64"));
    const holding = filesHolding(directory, [...secrets, ...encoded]);
    say();
    check(
      "neither the token nor a destination was shown",
      ![...secrets, ...encoded].some((text) => shown.includes(text)),
    );
    check(
      `neither is in a file that was written${holding.map((file) => `, but ${file}`).join("")}`,
      holding.length === 0,
    );
  } finally {
    await service.close();
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

main().catch((error) => {
  process.stderr.write(`rehearse: ${error.message}\n`);
  process.exitCode = 1;
});
