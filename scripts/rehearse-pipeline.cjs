"use strict";
// Plays the jobs of examples/gitops/github against the local service with the real engine, and checks what a reviewer would
// see. The commands are those of the workflow files: their `run:` steps are run by the shell that GitHub would use, with the
// environment that the files declare. Only `gh` is played, and packages are linked instead of installed.
const { spawn, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const { createRequire } = require("node:module");
const os = require("node:os");
const path = require("node:path");
const { filesHolding } = require("./files-holding.cjs");

const root = path.join(__dirname, "..");
const workflows = path.join(root, "examples", "gitops", "github");
const HEALTHY = "11111111-1111-4111-8111-111111111111";
const EXPIRING = "22222222-2222-4222-8222-222222222222";
const destinations = {
  slackUrl: "https://hooks.slack.com/services/T000/B000/rehearsal-destination",
  email: "registrar-rehearsal-destination@example.com",
  webhookUrl: "https://automation.example.com/rehearsal-destination",
};

/** Everything that was shown, for the search at the end. */
let shown = "";

function say(text = "") {
  shown += `${text}\n`;
  process.stdout.write(`${text}\n`);
}

/** One thing that a reviewer, or whoever is on duty, must be able to rely on. */
function check(claim, holds) {
  if (!holds) throw new Error(`this does not hold: ${claim}`);
  say(`  ✓ ${claim}`);
}

/** What the conditions of the files mean here. One that is not listed is an error, so that none is passed over. */
const conditions = {
  "env.POLICY_PACK != ''": ({ env }) => env.POLICY_PACK !== "",
  "${{ !cancelled() && steps.preview.outcome != 'skipped' }}": ({ steps }) =>
    steps.preview.outcome !== "skipped",
  "github.event.pull_request.head.repo.full_name == github.repository": () => true,
};

/** Replaces `${{ … }}` by what it stands for. One that is not known is an error. */
function resolve(text, context) {
  return String(text).replace(/\$\{\{\s*([^}]*?)\s*\}\}/g, (_all, expression) => {
    const [scope, ...rest] = expression.split(".");
    if (scope === "steps") {
      const step = context.steps[rest[0]] ?? {};
      return (rest[1] === "outcome" ? step.outcome : step.outputs?.[rest[2]]) ?? "";
    }
    const value = context[scope]?.[rest.join(".")];
    // GitHub takes a variable or a secret that is not set for an empty text.
    if (value === undefined && scope !== "vars" && scope !== "secrets") {
      throw new Error(`the rehearsal does not know \${{ ${expression} }}`);
    }
    return value ?? "";
  });
}

function resolveAll(variables = {}, context) {
  return Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, resolve(text, context)]));
}

/** The repository of a team, a runner for its workflows, and what GitHub would keep of them. */
class Rehearsal {
  constructor(directory, service) {
    this.service = service;
    this.directory = directory;
    this.repository = path.join(directory, "repository");
    this.github = path.join(directory, "github.json");
    for (const name of ["home", "state", "bin", "runner", "tmp"]) fs.mkdirSync(path.join(directory, name));
    fs.cpSync(path.join(root, "examples", "quickstart"), this.repository, { recursive: true });
    installByLinks(path.join(this.repository, "node_modules"));
    const play = `#!/bin/sh\nexec "${process.execPath}" "${__filename}" --as-gh "$@"\n`;
    fs.writeFileSync(path.join(directory, "bin", "gh"), play, { mode: 0o755 });
    this.secrets = { DOMAIN_MONITORING_API_TOKEN: service.token, PULUMI_CONFIG_PASSPHRASE: "rehearsal" };
    this.vars = {
      DOMAIN_MONITORING_BASE_URL: service.url,
      DOMAIN_IDS: `${HEALTHY} ${EXPIRING}`,
      PULUMI_STACK: "staging",
      PULUMI_BACKEND_URL: `file://${path.join(directory, "state")}`,
    };
    this.environment = {
      PATH: `${path.join(directory, "bin")}${path.delimiter}${process.env.PATH}`,
      // Nothing of the user's is read or changed: no login, no npm settings.
      HOME: path.join(directory, "home"),
      TMPDIR: path.join(directory, "tmp"),
      PULUMI_HOME: path.join(directory, "home", ".pulumi"),
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      npm_config_cache: path.join(directory, "home", ".npm"),
      npm_config_update_notifier: "false",
      // npx would ask the registry for a command that is not installed.
      npm_config_offline: "true",
      REHEARSAL_GITHUB: this.github,
    };
  }

  /** What a maintainer does once at a desk. */
  async setUp() {
    const env = {
      PULUMI_BACKEND_URL: this.vars.PULUMI_BACKEND_URL,
      PULUMI_SKIP_UPDATE_CHECK: "true",
      ...this.secrets,
    };
    const pulumi = async (args, input) => {
      const { code, output } = await this.run("pulumi", [...args, "--non-interactive"], env, input);
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

  /** Runs the only job of a workflow. Returns whether it succeeded, the exit code of what failed, and its summary. */
  async job(file, overrides = {}) {
    const workflow = loadYaml(path.join(workflows, file));
    const [[name, job]] = Object.entries(workflow.jobs);
    const context = {
      vars: { ...this.vars, ...overrides },
      secrets: this.secrets,
      github: {
        "event.pull_request.number": "7",
        token: "rehearsal-github-token",
        server_url: "https://github.example.com",
        repository: "example/domains",
        run_id: "1",
      },
      steps: {},
    };
    context.env = resolveAll({ ...workflow.env, ...job.env }, context);
    const runner = fs.mkdtempSync(path.join(this.directory, "runner", "job-"));
    const [summary, output] = ["summary.md", "output"].map((kept) => path.join(runner, kept));
    fs.writeFileSync(summary, "");
    for (const left of fs.readdirSync(this.repository)) {
      if (/\.(txt|md)$/.test(left)) fs.rmSync(path.join(this.repository, left));
    }
    say(`\n${file}, job ${name}`);
    let failed;
    for (const step of job.steps) {
      if (!this.isPlayed(step)) continue;
      const title = step.name;
      const wanted = step.if === undefined ? failed === undefined : conditionOf(step.if)(context);
      const result = { outcome: "skipped", outputs: {} };
      if (step.id) context.steps[step.id] = result;
      if (!wanted) continue;
      fs.writeFileSync(output, "");
      const script = path.join(runner, "step.sh");
      fs.writeFileSync(script, step.run);
      const env = {
        ...context.env,
        ...resolveAll(step.env, context),
        GITHUB_REPOSITORY: "example/domains",
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_OUTPUT: output,
      };
      // `shell: bash` of a workflow stands for exactly these options.
      const ended = await this.run("bash", ["--noprofile", "--norc", "-e", "-o", "pipefail", script], env);
      result.outcome = ended.code === 0 ? "success" : "failure";
      for (const line of fs.readFileSync(output, "utf8").split("\n").filter(Boolean)) {
        result.outputs[line.slice(0, line.indexOf("="))] = line.slice(line.indexOf("=") + 1);
      }
      say(`  ${title}: ${result.outcome}${ended.code === 0 ? "" : ` (exit code ${ended.code})`}`);
      if (ended.code !== 0) failed ??= { step: title, code: ended.code, output: ended.output };
    }
    return { ok: failed === undefined, failed, summary: fs.readFileSync(summary, "utf8") };
  }

  /** Actions and installs are left out: the tools are here, and the packages are linked. */
  isPlayed(step) {
    return step.run !== undefined && !step.run.startsWith("npm ci");
  }

  run(command, args, env, input = "") {
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, { cwd: this.repository, env: { ...this.environment, ...env } });
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

  /** What GitHub has of comments and issues. */
  onGithub() {
    return readGithub(this.github);
  }
}

/** What `npm ci` of a team's repository leaves: its packages, linked here, and the command that this one brings. */
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

function conditionOf(condition) {
  const meaning = conditions[condition];
  if (!meaning) throw new Error(`the rehearsal does not know the condition ${condition}`);
  return meaning;
}

function loadYaml(file) {
  // The parser that the SDK brings.
  const { load } = createRequire(require.resolve("@pulumi/pulumi/package.json"))("js-yaml");
  return load(fs.readFileSync(file, "utf8"));
}

function readGithub(file) {
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : { comments: [], issues: [] };
}

/** Plays `gh`: as much of it as the workflows use, kept in a file. What it does not know it refuses. */
function playGh(args) {
  const file = process.env.REHEARSAL_GITHUB;
  const github = readGithub(file);
  const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const body = () => {
    const given = option("--body-file") ?? option("--field")?.replace(/^body=@/, "");
    const text = fs.readFileSync(given, "utf8");
    if (text.length > 65_536) throw new Error("GitHub refuses a body of more than 65536 characters");
    return text;
  };
  if (!process.env.GH_TOKEN) throw new Error("gh needs GH_TOKEN");
  const asked = args.slice(0, 2).join(" ");
  const issue = () => github.issues.find(({ number }) => String(number) === args[2]);
  if (asked === "api --method") {
    const id = args[3].split("/").at(-1);
    github.comments.find((comment) => String(comment.id) === id).body = body();
  } else if (args[0] === "api") {
    const marker = /startswith\("(.*?)"\)/.exec(option("--jq"))[1];
    for (const comment of github.comments)
      if (comment.body.startsWith(marker)) process.stdout.write(`${comment.id}\n`);
  } else if (asked === "pr comment") {
    github.comments.push({ id: github.comments.length + 1, body: body() });
  } else if (asked === "issue list") {
    const open = github.issues.find((candidate) => candidate.open && candidate.label === option("--label"));
    if (open) process.stdout.write(`${open.number}\n`);
  } else if (asked === "issue create") {
    const number = github.issues.length + 1;
    github.issues.push({
      number,
      open: true,
      label: option("--label"),
      title: option("--title"),
      body: body(),
    });
  } else if (asked === "issue edit") {
    issue().body = body();
  } else if (asked === "issue close") {
    issue().open = false;
  } else if (asked !== "label create") {
    throw new Error(`the rehearsal does not know gh ${asked}`);
  }
  fs.writeFileSync(file, JSON.stringify(github));
}

function quote(text) {
  say(
    text
      .trimEnd()
      .split("\n")
      .map((line) => `  | ${line}`)
      .join("\n"),
  );
}

async function play(rehearsal) {
  const { service } = rehearsal;

  const first = await rehearsal.job("pull-request.yml");
  const [comment] = rehearsal.onGithub().comments;
  quote(comment?.body ?? "");
  check("the pull request passes", first.ok);
  check("its comment shows the channels to be created", /\+.*on-call.*create/.test(comment.body));
  check(
    "its comment shows the expiry of each domain",
    /example\.com/.test(comment.body) && /example\.org/.test(comment.body),
  );
  check("the same is in the job's summary", first.summary === comment.body);
  check("nothing was created", service.channels().length === 0);

  const again = await rehearsal.job("pull-request.yml");
  check(
    "another push updates the comment and adds none",
    again.ok && rehearsal.onGithub().comments.length === 1,
  );

  const up = await rehearsal.job("main.yml");
  check("main deploys, and finds nothing left to do", up.ok);
  check("the three channels exist", service.channels().length === 3);
  check("the domains are in the job's summary", up.summary.includes("example.org"));
  check(
    "main once more creates nothing",
    (await rehearsal.job("main.yml")).ok && service.channels().length === 3,
  );

  const night = await rehearsal.job("nightly.yml");
  const [issue] = rehearsal.onGithub().issues;
  quote(issue?.body ?? "");
  check("the nightly job fails with exit code 2, that of a registration to renew", night.failed?.code === 2);
  check("its issue names the domain that expires", /example\.org expires on .*renew it/.test(issue.body));
  check("it finds no drift", !issue.body.includes("recorded state differ"));

  rehearsal.change("index.ts", 'label: "Registrar team"', 'label: "Registrar desk"');
  const replacing = await rehearsal.job("pull-request.yml");
  const { body } = rehearsal.onGithub().comments[0];
  quote(body.split("~~~~")[1] ?? "");
  check("a changed label passes as a replacement", replacing.ok && /\+-.*registrar-team.*replace/.test(body));
  check(
    "and the comment names the channel that would stay behind",
    /"Registrar team" \(email, .* stays in the service/.test(body),
  );

  const drifted = await rehearsal.job("nightly.yml");
  const issues = rehearsal.onGithub().issues;
  check("the next night updates the one issue", !drifted.ok && issues.length === 1 && issues[0].open);
  check(
    "which now also tells of a program that was not deployed",
    issues[0].body.includes("recorded state differ"),
  );
  rehearsal.change("index.ts", 'label: "Registrar desk"', 'label: "Registrar team"');

  const quiet = await rehearsal.job("nightly.yml", { DOMAIN_IDS: HEALTHY });
  check("a night on which all is well passes", quiet.ok);
  check(
    "and closes the issue",
    rehearsal.onGithub().issues.every(({ open }) => !open),
  );

  const unreachable = await rehearsal.job("nightly.yml", {
    DOMAIN_IDS: `${HEALTHY} 99999999-9999-4999-8999-999999999999`,
  });
  check("a domain that could not be determined is exit code 1", unreachable.failed?.code === 1);
  check("no night has created a channel", service.channels().length === 3);

  await playPolicies(rehearsal);
  await playMissingCommand(rehearsal);
  await playRemoval(rehearsal);
}

/** A repository that does not depend on this package, or has not installed it. */
async function playMissingCommand(rehearsal) {
  const command = path.join(rehearsal.repository, "node_modules", ".bin", "domain-monitoring");
  const kept = `${command}.kept`;
  fs.renameSync(command, kept);
  const pullRequest = await rehearsal.job("pull-request.yml");
  check(
    "without the command the pull request fails where it is missing",
    pullRequest.failed?.step === "Expiry",
  );
  check(
    "and its comment says that there is no report",
    rehearsal.onGithub().comments[0].body.includes("There is no report on the domains: see the job."),
  );
  const night = await rehearsal.job("nightly.yml", { DOMAIN_IDS: HEALTHY });
  check("without the command the night fails with exit code 1", night.failed?.code === 1);
  fs.renameSync(kept, command);
}

/** What no night can find, said here as plainly as in docs/gitops.md: this must not become a promise unnoticed. */
async function playRemoval(rehearsal) {
  rehearsal.service.reset();
  const night = await rehearsal.job("nightly.yml", { DOMAIN_IDS: HEALTHY });
  check(
    "channels that were all removed in the service are NOT found at night: nothing can find them",
    night.ok,
  );
}

/** A pull request that breaks policies: a channel that notifies about nothing. */
async function playPolicies(rehearsal) {
  const pack = path.join(root, "examples", "policy-pack");
  if (!fs.existsSync(path.join(pack, "PulumiPolicy.yaml"))) {
    say("\nLeft out: there is no examples/policy-pack.");
    return;
  }
  const copy = path.join(rehearsal.repository, "policy-pack");
  fs.cpSync(pack, copy, { recursive: true, filter: (source) => path.basename(source) !== "node_modules" });
  const kept = await rehearsal.job("pull-request.yml", { POLICY_PACK: "policy-pack" });
  check("a pull request that keeps to the policies passes", kept.ok);

  const program = path.join(rehearsal.repository, "index.ts");
  const before = fs.readFileSync(program, "utf8");
  fs.appendFileSync(
    program,
    `
new NotificationChannel("breaks-policies", {
  domainId,
  label: "Silent",
  type: "email",
  value: config.requireSecret("email"),
  whoisNotificationsEnabled: false,
  dnsNotificationsEnabled: false,
  sslNotificationsEnabled: false,
});
`,
  );
  const refused = await rehearsal.job("pull-request.yml", { POLICY_PACK: "policy-pack" });
  const { body } = rehearsal.onGithub().comments[0];
  quote(body);
  check("a broken policy blocks the pull request", refused.failed?.step === "Preview");
  check("its comment names the policy", /\[mandatory\].*silent/.test(body));
  check("nothing was created", rehearsal.service.channels().length === 3);
  fs.writeFileSync(program, before);
}

async function main() {
  const version = spawnSync("pulumi", ["version"], { encoding: "utf8" });
  if (version.status !== 0) {
    const files = fs.readdirSync(workflows).filter((name) => name.endsWith(".yml"));
    say("There is no `pulumi` command on PATH, so the rehearsal was left out.");
    say(`Not played: ${files.join(", ")}. Their structure is checked by test/gitops all the same.`);
    return;
  }
  const { startEmulator } = require("../dist/testing/index.js");
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "domain-monitoring-rehearsal-"));
  const service = await startEmulator();
  try {
    say(`Engine: \`pulumi\` ${version.stdout.trim()}; local service: ${service.url}`);
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

if (process.argv[2] === "--as-gh") {
  playGh(process.argv.slice(3));
} else {
  main().catch((error) => {
    process.stderr.write(`rehearse: ${error.message}\n`);
    process.exitCode = 1;
  });
}
