/** Every example is deployed by its own Pulumi.yaml, with the settings that its README asks for. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { copyInto, linkPackages, root } from "../gitops/support/copy";
import { environmentFor } from "../support/account";
import { describeOnEngines, messagesOf, type Outcome } from "../support/engines";
import { javaScript } from "../support/project";
import { isQuick, isThorough } from "../support/scope";
import { temporaryDirectory } from "../support/temporary";

const healthy = "11111111-1111-4111-8111-111111111111";
const expiring = "22222222-2222-4222-8222-222222222222";

/** Destinations, which must not show up anywhere. */
const email = "destination-to-keep-secret@example.com";
const slackUrl = "https://hooks.slack.com/services/destination-to-keep-secret";
const webhookUrl = "https://automation.example.com/destination-to-keep-secret";
const webhook = { label: "Automation", type: "webhook" };

interface Example {
  /** Directory of the Pulumi.yaml, relative to the repository's root. */
  directory: string;

  /** Names the settings if a program runs with several. */
  as?: string;

  /** Whether another run of the program is enough for `npm test`. @default false */
  isThorough?: boolean;
  config: Record<string, string>;
  secrets?: Record<string, string>;
  env?: Record<string, string>;

  /** Resources of the first up. */
  creates: number;

  /** Channels in the own account afterwards. @default one for each resource */
  channels?: number;

  /**
   * Channels afterwards in the account of another company, whose address and token are also
   * settings. @default none
   */
  subsidiaryChannels?: number;

  /** Names of the stack's outputs. */
  outputs: string[];

  /** The lifecycle of channels in the own account. @default create-only, as documented */
  lifecycle?: "managed";
}

const quickstart: Omit<Example, "directory"> = {
  config: { domainId: healthy },
  secrets: { email },
  creates: 2,
  channels: 1,
  outputs: ["expiresAt"],
};

const examples: Example[] = [
  // Another project file for the quickstart's program.
  { directory: ".", ...quickstart },
  // In `npm test`, test/package/example-script.test.ts deploys it.
  { directory: "examples/quickstart", isThorough: true, ...quickstart },
  {
    directory: "examples/per-environment",
    as: "as prod",
    config: {
      domainId: healthy,
      minimumDays: "45",
      channels: JSON.stringify({
        "on-call": { label: "On-call", type: "slack", destination: "slackUrl" },
        automation: { ...webhook, destination: "webhookUrl", secondaryValue: "PUT" },
      }),
    },
    secrets: { slackUrl, webhookUrl },
    creates: 3,
    channels: 2,
    outputs: ["channelIds", "expiresAt"],
  },
  {
    directory: "examples/per-environment",
    as: "as staging, with a domain that expires soon",
    isThorough: true,
    config: {
      domainId: expiring,
      minimumDays: "14",
      expiryMode: "warn",
      channels: JSON.stringify({
        mail: { label: "Staging mail", type: "email", destination: "email" },
      }),
    },
    secrets: { email },
    creates: 2,
    channels: 1,
    outputs: ["channelIds", "expiresAt"],
  },
  {
    directory: "examples/testing",
    config: { domainId: healthy },
    secrets: { slackUrl },
    creates: 1,
    outputs: ["actBy", "channelId"],
  },
  {
    directory: "examples/two-accounts",
    config: { domainId: healthy, subsidiaryDomainId: expiring },
    secrets: { email },
    creates: 3,
    channels: 1,
    subsidiaryChannels: 1,
    outputs: ["channelIds", "expiresAt"],
  },
  {
    directory: "examples/managed-channels",
    lifecycle: "managed",
    config: { "domain-monitoring:lifecycle": "managed", domainId: healthy },
    secrets: { slackUrl, email },
    creates: 2,
    outputs: ["channelIds", "lifecycle"],
  },
  {
    directory: "examples/whole-account",
    lifecycle: "managed",
    config: {
      "domain-monitoring:lifecycle": "managed",
      minimumDays: "30",
      domains: JSON.stringify(["example.com", "shop.example"]),
    },
    secrets: { deskEmail: email, slackUrl },
    creates: 6,
    channels: 4,
    outputs: ["domainIds", "expiry", "isIncomplete", "notDeclared"],
  },
  {
    directory: "examples/javascript-esm",
    config: { domainId: healthy },
    secrets: { email },
    creates: 1,
    outputs: ["channelId", "expiresAt"],
  },
  {
    directory: "examples/change-outputs",
    config: { domainId: healthy, since: "2020-01-01", minimumDays: "30" },
    creates: 0,
    outputs: [
      "dnsChanges",
      "dnsChangesTruncated",
      "domain",
      "expiresAt",
      "expiryStatus",
      "latestRegistrarChange",
      "renewBy",
    ],
  },
  {
    directory: "examples/fleet",
    as: "as one of its stacks",
    config: { team: "platform" },
    env: { PLATFORM_SLACK_URL: slackUrl, PLATFORM_WEBHOOK_URL: webhookUrl },
    creates: 3,
    channels: 2,
    outputs: ["channelIds"],
  },
];

const {
  usesPlugin,
}: { usesPlugin(text: string): boolean } = require("../../scripts/example/settings.cjs");

/**
 * Directories with a Pulumi program that runs here. Programs with the plugin run in
 * test/plugin/languages.test.ts.
 */
const programs = [
  ".",
  ...readdirSync(path.join(root, "examples")).map((name) => path.join("examples", name)),
]
  .map((directory) => ({ directory, file: path.join(root, directory, "Pulumi.yaml") }))
  .filter(({ file }) => existsSync(file) && !usesPlugin(readFileSync(file, "utf8")));

describe("the examples", () => {
  it("without the plugin are all run here", () => {
    expect([...new Set(examples.map(({ directory }) => directory))].sort()).toEqual(
      programs.map(({ directory }) => directory).sort(),
    );
  });

  it.each(programs)("name a file as the main program of $directory", ({ directory, file }) => {
    // With a directory or without `main`, the nearest package.json decides. At the root, that is
    // the library's.
    const { main }: { main: string } = parse(readFileSync(file, "utf8"));
    expect(main).toMatch(/\.(ts|js)$/);
    expect(existsSync(path.join(root, directory, main))).toBe(true);
  });
});

describeOnEngines("the example", (create, engine) => {
  /** Before a release, each program is compiled by the engine and deployed. */
  const isRelease = engine === "real" && isThorough;

  /**
   * Whether the engine compiles the program, which takes longer than running it: before a release
   * each one's, else the quickstart's. `npm run typecheck` checks every example, and
   * test/package/example-script.test.ts compiles one of them on the offline engine.
   */
  const compiledByEngine = (directory: string) =>
    (directory === "examples/quickstart" && !isQuick) || isRelease;

  /** Copies the example, because the engine writes a stack's settings beside its program. */
  function copy(directory: string): string {
    const workDir = temporaryDirectory();
    if (directory === ".") {
      cpSync(path.join(root, "Pulumi.yaml"), path.join(workDir, "Pulumi.yaml"));
      copyInto(path.join(workDir, "examples/quickstart"), "examples/quickstart");
    } else {
      copyInto(workDir, directory);
    }

    if (!compiledByEngine(directory)) toJavaScript(workDir);
    linkPackages(workDir);

    return workDir;
  }

  /** Returns the outcome of an operation, which must not have failed. */
  async function done(operation: Promise<Outcome>) {
    const outcome = await operation;
    const { failed, changes, outputs } = outcome;
    expect({ failed, errors: messagesOf(outcome, "error") }).toEqual({ failed: false, errors: [] });
    return { changes, outputs };
  }

  const chosen = examples.filter((example) => !(isQuick && example.isThorough));
  const titled = chosen.map((one) => [`${one.directory} ${one.as ?? ""}`.trim(), one] as const);

  it.each(titled)("%s deploys, and then has no changes", async (_title, example) => {
    const { config, secrets, env = {}, lifecycle, subsidiaryChannels } = example;
    const { creates, channels = creates } = example;
    await using own = await startEmulator({ lifecycle });
    await using other = await startEmulator();
    const stack = await create({
      workDir: copy(example.directory),
      config: { ...config, ...(subsidiaryChannels && { subsidiaryUrl: other.url }) },
      secrets: { ...secrets, ...(subsidiaryChannels && { subsidiaryToken: other.token }) },
      env: { ...env, ...environmentFor(own) },
      keepsSecret: [own.token, other.token, ...Object.values(env)],
    });

    const created = creates > 0 ? { create: creates } : {};
    if (isThorough) expect((await done(stack.preview())).changes).toEqual(created);
    expect(own.channels()).toEqual([]);
    expect(other.channels()).toEqual([]);

    const up = await done(stack.up());
    expect(up.changes).toEqual(created);
    expect(Object.keys(up.outputs).sort()).toEqual(example.outputs);
    expect(own.channels()).toHaveLength(channels);
    expect(other.channels()).toHaveLength(subsidiaryChannels ?? 0);
    if (isQuick) return;

    // A preview finds the same, and takes less time.
    const again = await done(isThorough ? stack.up() : stack.preview());
    expect(Object.keys(again.changes).filter((operation) => operation !== "same")).toEqual([]);
    if (isThorough) expect(again.outputs).toEqual(up.outputs);
    expect(own.channels()).toHaveLength(channels);

    if (lifecycle === undefined || engine === "offline") return;

    await done(stack.destroy());
    expect(own.channels()).toEqual([]);
  });
});

/** Removes the types from the program that a project file names, and makes it name the result. */
function toJavaScript(directory: string): void {
  const project = path.join(directory, "Pulumi.yaml");
  const { main }: { main: string } = parse(readFileSync(project, "utf8"));
  if (!main.endsWith(".ts")) return;

  const program = path.join(directory, path.dirname(main));
  for (const name of readdirSync(program).filter((name) => /(?<!\.test)\.ts$/.test(name))) {
    const file = path.join(program, name);
    writeFileSync(file.replace(/\.ts$/, ".js"), javaScript(file));
  }

  const changed = readFileSync(project, "utf8")
    .replace(`main: ${main}`, `main: ${main.replace(/\.ts$/, ".js")}`)
    .replace(/^ {4}packagemanager: npm$/m, "    typescript: false");

  writeFileSync(project, changed);
}
