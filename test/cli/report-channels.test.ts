/** `channels: { recorded: true }` in the rules compares the records of stacks with the service. */
import type { ChannelSeed } from "../../packages/domain-monitoring-emulator/src";
import type { Report } from "../../src/cli/report/model";
import { useEmulator } from "../support/emulator";
import { accountOf, fileWith, runInProcess, secretInput, stackFile } from "./command";

const COM = "11111111-1111-4111-8111-111111111111";
const ORG = "22222222-2222-4222-8222-222222222222";
const idOf = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const ON_CALL: ChannelSeed = { id: idOf(1), label: "On-call", type: "slack" };
const DESK: ChannelSeed = { id: idOf(2), label: "Desk" };
const TYPE = "pulumi-nodejs:dynamic/domain-monitoring:NotificationChannel";
const service = useEmulator({ lifecycle: "managed" });

/** The file of a stack. Each channel has these properties in addition to the common ones. */
const stack = (name: string, ...channels: object[]) =>
  stackFile(
    channels.map((channel) => ({ inputs: { domainId: COM }, ...channel })),
    name,
  );

/** The exit code, and the lines that ask for an action. */
async function judged(...args: string[]) {
  const rules = fileWith("registration: null\ncertificate: null\nchannels: { recorded: true }\n");
  const given = ["report", "--since", "none", "--rules", rules, "--format", "json", ...args];
  const { code, stdout } = await runInProcess(given, { env: accountOf(service) });
  const { findings }: Report = JSON.parse(stdout);
  return { code, lines: findings.map(({ state, text }) => `${state}: ${text}`) };
}

it("recorded channels are fine where several stacks have recorded every channel, whoever wrote its id", async () => {
  for (const channel of [ON_CALL, DESK]) service.addChannel(COM, channel);
  const prod = stack("prod", { id: idOf(1) });
  const dev = stack("dev", { id: idOf(2).toUpperCase() });
  for (const files of [
    [prod, dev],
    [prod, "--from-stack", dev],
  ])
    expect(await judged("--from-stack", ...files)).toEqual({ code: 0, lines: [] });
});

it.each<[string, ChannelSeed[], object[], ...string[]]>([
  [
    "a recorded channel is gone",
    [ON_CALL],
    [{ id: idOf(1) }, { id: idOf(2) }],
    `gone: channel channel-1 (${idOf(2)}) in stack web/prod is gone from example.com: create it again with ` +
      `\`pulumi up --replace urn:pulumi:prod::web::${TYPE}::channel-1\`, or remove it from the program`,
  ],
  [
    "a channel that a stack refers to is gone",
    [],
    [{ id: `${COM}/${idOf(2)}`, external: true }],
    `gone: channel channel-0 (${idOf(2)}) in stack web/prod is gone from example.com: correct its id, or remove it from the program`,
  ],
  [
    "a channel is in none of the given stacks",
    [ON_CALL, DESK],
    [{ id: idOf(1) }],
    `unknown: channel "Desk" (email, ${idOf(2)}) of example.com is in none of the given stacks: adopt it, delete it in the service, or pass its stack with --from-stack`,
  ],
  [
    "a channel is disabled",
    [{ ...ON_CALL, isDisabled: true, disabledReason: "410 gone" }],
    [{ id: idOf(1) }],
    `disabled: channel "On-call" (slack, ${idOf(1)}) of example.com is disabled by the service (410 gone): correct its destination and enable it there, or replace it`,
  ],
  [
    "nothing: a stack refers to a channel or is about to delete it, and no stack can take over a protected one",
    [ON_CALL, DESK, { id: idOf(3), label: "Account owner", isProtected: true }],
    [
      { id: idOf(1), external: true },
      { id: idOf(2), delete: true },
    ],
  ],
  [
    "nothing: a replacement has deleted a channel already",
    [ON_CALL],
    [{ id: idOf(1) }, { id: idOf(2), delete: true }],
  ],
])("recorded channels show that %s", async (_, seeds, recorded, ...lines) => {
  for (const channel of seeds) service.addChannel(COM, channel);
  const code = lines.length > 0 ? 2 : 0;
  expect(await judged("--from-stack", stack("prod", ...recorded))).toEqual({ code, lines });
});

it("recorded channels end with 1 if one does not show its domain, unless a listed domain or the whole account settles it", async () => {
  service.addChannel(COM, ON_CALL);
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
  expect(whole.lines).toContainEqual(
    expect.stringMatching(
      /^gone: channel channel-0 \(\S+\) in stack web\/lost is gone from the account: /,
    ),
  );
});

it("recorded channels end with 1 if a domain could not be listed, but the others are checked", async () => {
  service.addChannel(COM, ON_CALL);
  const file = stack("prod", { id: idOf(2), inputs: { domainId: "nobody" } });
  const { code, lines } = await judged("--from-stack", file, "--domain", COM);

  expect(code).toBe(1);
  expect(lines).toEqual([
    expect.stringMatching(/^unknown: channel "On-call" .* is in none of the given stacks: /),
    expect.stringMatching(/^undetermined: the domain could not be determined: GET .*got 404/),
  ]);
});
