/** The file of `channels --format import`, and how the `pulumi` command reads it. */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ChannelSeed } from "../../packages/domain-monitoring-emulator/src";
import { DEFAULTED } from "../../src/client/fields";
import { PLUGIN_CHANNEL_TOKEN } from "../../src/names";
import { accountOf, deployment, runInProcess } from "../cli/command";
import { fakePulumi } from "../cli/fake-pulumi";
import { AT_ONCE, Cli } from "../support/cli";
import { useEmulator } from "../support/emulator";
import { realEngineAvailable } from "../support/engines";
import { isOnPath } from "../support/on-path";
import { temporaryDirectory } from "../support/temporary";
import { PLUGIN_DIRECTORY } from "./support/plugin-process";

const COM = "11111111-1111-4111-8111-111111111111";
const DIGITS = "22222222-2222-4222-8222-222222222222";
const idOf = (number: number) => `0000000${number}-0000-4000-8000-000000000000`;
const HOOK = "https://hooks.example.com/kept";
const MUTE = Object.fromEntries(DEFAULTED.map((flag) => [flag, false]));

/**
 * Difficult labels: some are equal, some differ only by a hyphen, some cannot be names, and some
 * have a special meaning in YAML or Pulumi.
 */
const SEEDED: ChannelSeed[] = [
  { id: idOf(1), label: "Account owner", isProtected: true },
  { id: idOf(2), label: "Team 1", type: "slack", sslNotificationsEnabled: false },
  { id: idOf(3), label: "Team1", type: "slack", isDisabled: true, disabledReason: "410 Gone" },
  { id: idOf(4), label: "Büro", type: "webhook", value: HOOK, secondaryValue: "PUT" },
  { id: idOf(5), label: "Büro", type: "webhook", ...MUTE },
  { id: idOf(6), label: "😀😀😀", type: "pushover" },
  { id: idOf(7), label: `"\${x}" \\ %d ' {{y}}: # -`, type: "discord" },
  { id: idOf(8), label: "Texts", type: "sms" },
];

let directory: string;

const service = useEmulator({
  lifecycle: "managed",
  domains: [
    { id: COM, domain: "example.com", channels: SEEDED },
    { id: DIGITS, domain: "1and1.example", channels: [{ id: idOf(9), label: "Desk" }] },
  ],
});

beforeEach(() => {
  directory = temporaryDirectory();
});

const importOf = ["channels", "--domain", COM, DIGITS, "--format", "import"];

/** Writes the import file of two domains, and returns its path. */
async function writeFile(): Promise<string> {
  const file = path.join(directory, "import.json");
  const args = [...importOf, "--output", file];

  expect(await runInProcess(args, { env: accountOf(service) })).toEqual({
    code: 0,
    stderr: "",
    stdout: `9 channels of 2 domains; written to ${file}\n`,
  });

  return file;
}

describe("channels --format import", () => {
  it("gives each importable channel a name of its own, and the others a reason", async () => {
    const { resources, leftOut } = JSON.parse(readFileSync(await writeFile(), "utf8"));
    const names = [
      "example-com-team-1-slack",
      "example-com-team1-slack",
      "example-com-buro-webhook-00000004",
      "example-com-buro-webhook-00000005",
      "example-com-pushover",
      "example-com-x-d-y-discord",
    ];

    const type = PLUGIN_CHANNEL_TOKEN;
    expect(resources).toEqual([
      ...names.map((name, index) => ({ type, name, id: `${COM}/${idOf(index + 2)}` })),
      { type, name: "1and1-example-desk-email", id: `${DIGITS}/${idOf(9)}` },
    ]);

    expect(leftOut).toEqual([
      `"Account owner" (email, ${idOf(1)}): the service protects it, so it cannot be taken over`,
      `"Texts" (sms, ${idOf(8)}): this package does not know its type`,
    ]);
  });

  it("leaves out what the selected stack has, and says so in one line", async () => {
    const recorded = [{ id: idOf(2) }, { id: `${DIGITS}/${idOf(9)}` }];
    writeFileSync(path.join(directory, "export.json"), deployment(recorded));
    const write = () =>
      runInProcess(importOf, {
        cwd: directory,
        env: { ...accountOf(service), PATH: fakePulumi(directory) },
      });

    const outside = await write();
    writeFileSync(path.join(directory, "Pulumi.yaml"), "name: web\nruntime: yaml\n");
    const inside = await write();

    expect(outside).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(outside.stdout).resources).toHaveLength(7);
    expect(inside).toMatchObject({ code: 0, stderr: "" });

    const { resources, leftOut } = JSON.parse(inside.stdout);
    expect(resources).toHaveLength(5);
    expect(leftOut).toContain(`"Team 1" (slack, ${idOf(2)}): the stack has recorded it already`);

    rmSync(path.join(directory, "export.json"));
    expect(await write()).toEqual(outside);
  });

  const isAvailable = realEngineAvailable && isOnPath("pulumi-language-yaml");
  (isAvailable ? it : it.skip)(
    "is imported by the real engine, whose code then is a program without a difference",
    async () => {
      const file = await writeFile();
      const program = path.join(directory, "Pulumi.yaml");
      const providers = [{ name: "domain-monitoring", path: PLUGIN_DIRECTORY }];
      const plugins = JSON.stringify({ providers });
      writeFileSync(program, `name: imported\nruntime: yaml\nplugins: ${plugins}\n`);

      const before = service.channels();
      const cli = new Cli(directory, accountOf(service));
      await cli.run("stack", "init", "test");
      const code = path.join(directory, "code.yaml");
      const files = ["--file", file, "--out", code];
      const imported = await cli.run("import", ...files, ...AT_ONCE);

      expect(imported).toMatchObject({ code: 0 });
      expect(imported.output).toMatch(/= 7 imported/);

      const again = await runInProcess(importOf, { cwd: directory, env: cli.environment });
      expect(again).toMatchObject({ code: 0, stderr: "" });
      expect(JSON.parse(again.stdout)).toMatchObject({ resources: [] });

      appendFileSync(program, readFileSync(code));
      const preview = await cli.run("preview", "--expect-no-changes");
      expect(preview).toMatchObject({ code: 0 });
      expect(preview.output).toMatch(/8 unchanged/);
      expect((await cli.run("stack", "export")).output).not.toContain("hooks.example.com");

      expect(service.channels()).toEqual(before);
      expect(service.requests.every(({ method }) => method === "GET")).toBe(true);
    },
  );
});
