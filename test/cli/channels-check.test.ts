/** `channels --check` compares the records of stacks with the service. */

import {
  type ChannelSeed,
  type Emulator,
  startEmulator,
} from "../../packages/domain-monitoring-emulator/src";
import type { ChannelList } from "../../src/cli/channels/list";
import { accountOf, runInProcess, secretInput, stackFile } from "./command";

const COM = "11111111-1111-4111-8111-111111111111";
const ORG = "22222222-2222-4222-8222-222222222222";

const idOf = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;

const ON_CALL: ChannelSeed = { id: idOf(1), label: "On-call", type: "slack" };

const DESK: ChannelSeed = { id: idOf(2), label: "Desk" };
const TYPE = "pulumi-nodejs:dynamic/domain-monitoring:NotificationChannel";

let service: Emulator;
afterEach(() => service.close());

async function start(...channels: ChannelSeed[]): Promise<void> {
  service = await startEmulator({
    lifecycle: "managed",
    domains: [
      { id: COM, domain: "example.com", channels },
      { id: ORG, domain: "example.org" },
    ],
  });
}

/** The file of a stack. Each channel has these properties in addition to the common ones. */
const stack = (name: string, ...channels: object[]) =>
  stackFile(
    channels.map((channel) => ({ inputs: { domainId: COM }, ...channel })),
    name,
  );

const check = (...args: string[]) =>
  runInProcess(["channels", "--check", ...args], { env: accountOf(service) });

/** The exit code, and the lines that ask for an action. */
async function judged(...args: string[]): Promise<{ code: number | null; lines: string[] }> {
  const { code, stdout } = await check(...args, "--format", "json");
  const { findings }: ChannelList = JSON.parse(stdout);

  return { code, lines: (findings ?? []).map(({ kind, message }) => `${kind}: ${message}`) };
}

describe("pulumi-domain-monitoring channels --check", () => {
  it("exits with 0 where several stacks have recorded every channel, whoever wrote its id", async () => {
    await start(ON_CALL, DESK);
    const files = [stack("prod", { id: idOf(1) }), stack("dev", { id: idOf(2).toUpperCase() })];
    const { code, stdout, stderr } = await check("--from-stack", ...files);

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^2 channels of 1 domain, 2 recorded in a stack; none to act on\n/);
    expect(
      await check("--from-stack", files[0] ?? "", "--from-stack", files[1] ?? ""),
    ).toMatchObject({ code: 0 });
  });

  it("does not name domains without channels, which the list does", async () => {
    await start(ON_CALL);
    const { stdout } = await check("--all", "--from-stack", stack("prod", { id: idOf(1) }));

    expect(stdout).toMatch(/^1 channel of 2 domains/);
    expect(stdout).not.toContain("example.org");
  });

  it.each<[string, ChannelSeed[], object[], string[]]>([
    [
      "a recorded channel is gone",
      [ON_CALL],
      [{ id: idOf(1) }, { id: idOf(2) }],
      [
        `gone: channel channel-1 (${idOf(2)}) in stack web/prod is gone from example.com: create it again with ` +
          `\`pulumi up --replace urn:pulumi:prod::web::${TYPE}::channel-1\`, or remove it from the program`,
      ],
    ],
    [
      "a channel that a stack refers to is gone",
      [],
      [{ id: `${COM}/${idOf(2)}`, external: true }],
      [
        `gone: channel channel-0 (${idOf(2)}) in stack web/prod is gone from example.com: correct its id, or remove it from the program`,
      ],
    ],
    [
      "a channel is in none of the given stacks",
      [ON_CALL, { ...DESK, label: "Desk\u001b[31m\nred" }],
      [{ id: idOf(1) }],
      [
        `unknown: channel "Desk red" (email, ${idOf(2)}) of example.com is in none of the given stacks: adopt it, delete it in the service, or pass its stack with --from-stack`,
      ],
    ],
    [
      "a channel is disabled, and repeats no destination",
      [
        {
          ...ON_CALL,
          isDisabled: true,
          disabledReason: "410 https://hooks.example.com/kept-secret gone",
        },
      ],
      [{ id: idOf(1) }],
      [
        `disabled: channel "On-call" (slack, ${idOf(1)}) of example.com is disabled by the service (410 https://hooks.example.com/… gone): correct its destination and enable it there, or replace it`,
      ],
    ],
    [
      "nothing: a stack refers to a channel or is about to delete it, and no stack can take over a protected one",
      [ON_CALL, DESK, { id: idOf(3), label: "Account owner", isProtected: true }],
      [
        { id: idOf(1), external: true },
        { id: idOf(2), delete: true },
      ],
      [],
    ],
    [
      "nothing: a replacement has deleted a channel already",
      [ON_CALL],
      [{ id: idOf(1) }, { id: idOf(2), delete: true }],
      [],
    ],
  ])("finds that %s", async (_, seeds, recorded, lines) => {
    await start(...seeds);
    const code = lines.length > 0 ? 2 : 0;

    expect(await judged("--from-stack", stack("prod", ...recorded))).toEqual({ code, lines });
  });

  it("exits with 1 if a recorded channel does not show its domain, unless a listed domain or the whole account settles it", async () => {
    await start(ON_CALL);
    const inputs = { domainId: secretInput({ plaintext: '"secret-domain"' }) };
    const lost = stack("lost", { id: idOf(2), inputs });
    const { code, lines } = await judged("--from-stack", lost, "--domain", ORG);

    expect({ code, lines }).toEqual({
      code: 1,
      lines: [
        `undetermined: channel channel-0 (${idOf(2)}) in stack web/lost does not show its domain, and no listed domain has it: pass its domain with --domain, or --all`,
      ],
    });

    expect(
      await judged("--from-stack", stack("found", { id: idOf(1), inputs }), "--domain", COM),
    ).toEqual({ code: 0, lines: [] });

    const whole = await judged("--from-stack", lost, "--all");

    expect(whole.code).toBe(2);
    expect(whole.lines[0]).toMatch(
      /^gone: channel channel-0 \(\S+\) in stack web\/lost is gone from the account: /,
    );
  });

  it("exits with 1 if a domain could not be listed, but checks the others", async () => {
    await start(ON_CALL);
    const file = stack("prod", { id: idOf(2), inputs: { domainId: "nobody" } });
    const { code, stdout, stderr } = await check("--from-stack", file, "--domain", COM);

    expect(code).toBe(1);
    expect(stdout).toMatch(/^1 channel of 1 domain; 1 to act on; 1 domain could not be listed\n/);
    expect(stdout).toMatch(
      /\nTo act on\n {2}channel "On-call" .* is in none of the given stacks: .*\n/,
    );

    expect(stdout).not.toContain("gone");
    expect(stderr).toMatch(/^error: domain nobody: GET .*got 404.*\n$/);
  });

  it.each([
    [["--all"], "--check needs --from-stack: pass the deployments of the stacks to compare"],
    [
      ["--from-stack", "x.json", "--format", "typescript"],
      "--check writes no program and no import file: use it with --format table or json",
    ],
  ])("rejects %j in one line, and asks nothing", async (args, message) => {
    await start();

    expect(await check(...args)).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: ${message}\n`,
    });

    expect(service.requests).toEqual([]);
  });
});
