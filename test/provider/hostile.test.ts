/**
 * A service that puts secrets, commands and marks of the engine into what it answers: what is
 * recorded and shown of it.
 */
import {
  type Emulator,
  type FaultRule,
  startEmulator,
} from "../../packages/domain-monitoring-emulator/src";
import { hasUnknown, type Properties } from "../../src/provider/boundary";
import { notificationChannelProvider } from "../../src/provider/channel";
import { domainProvider } from "../../src/provider/domain";
import { channel as wireChannel, domain as wireDomain } from "../client/support/wire";
import {
  commandsIn,
  everywhere,
  type HostileService,
  leaksIn,
  OWN,
  startHostile,
  TEXTS,
  TOKEN,
} from "../support/hostile";
import { ChannelStack } from "./support/channel-stack";
import { DOMAIN } from "./support/channels";

let emulator: Emulator;
let service: HostileService;

beforeAll(async () => {
  const domains = [{ id: DOMAIN, domain: "example.com" }];
  emulator = await startEmulator({ token: TOKEN, lifecycle: "managed", domains });
  service = await startHostile(emulator);
});

afterAll(async () => {
  await service.close();
  await emulator.close();
});

beforeEach(() => {
  jest.spyOn(Math, "random").mockReturnValue(0);
  emulator.reset();
  service.say({});
});

afterEach(() => jest.restoreAllMocks());

/** What is looked at first, so that the rest of an answer is not. */
const ALONE = ["id", "type", "domain", "components", "enabled_records"];

/** What people call things: only commands, marks and the own destination are looked for there. */
const GIVEN = ["label", "domain", "description", "colour"];

/** The fields of an answer in groups that are hostile at once: one does not hide the next. */
function groupsOf(fields: Record<string, unknown>): string[][] {
  const names = Object.keys(fields).filter((name) => !ALONE.includes(name));
  const isFlag = (name: string) => typeof fields[name] === "boolean";
  const given = names.filter((name) => GIVEN.includes(name));
  const flags = names.filter(isFlag);
  const texts = names.filter((name) => !isFlag(name) && !GIVEN.includes(name));
  const alone = ALONE.filter((name) => name in fields).map((name) => [name]);

  return [...alone, given, flags, texts].filter((group) => group.length > 0);
}

const RESOURCES = {
  NotificationChannel: {
    providerOf: notificationChannelProvider,
    declared: { domainId: DOMAIN, label: "Ops on-call", type: "slack", value: OWN } as Properties,
    groups: groupsOf(wireChannel()),
  },
  Domain: {
    providerOf: domainProvider,
    declared: { domain: "shop.example", label: "Shop" } as Properties,
    groups: groupsOf({ ...wireDomain(), check_interval: "", enabled_records: [] }),
  },
};

type Kind = keyof typeof RESOURCES;
const KINDS = ["NotificationChannel", "Domain"] as const;

/** A channel's calls know its destination as well. */
function textsOf(kind: Kind): Record<string, string> {
  return kind === "NotificationChannel" ? { ...TEXTS, destination: OWN } : TEXTS;
}

function stackOf(kind: Kind): ChannelStack {
  const settings = { baseUrl: service.url, apiToken: TOKEN, maxRetries: "0", lifecycle: "managed" };
  return new ChannelStack(settings, RESOURCES[kind].providerOf);
}

async function deployed(kind: Kind): Promise<ChannelStack> {
  const stack = stackOf(kind);
  await stack.up(RESOURCES[kind].declared);
  return stack;
}

const renamed = (kind: Kind) => ({ ...RESOURCES[kind].declared, label: "Other" });

/** Looks at what is recorded and at what was shown, but for the destination that is declared. */
function expectClean({ recorded, messages }: ChannelStack, fields: string[] = []): void {
  const { id, inputs, outputs } = recorded ?? {};
  const record = Object.entries({ ...inputs, ...outputs, id }).filter(([name]) => name !== "value");
  const texts = [...record.map(([, value]) => String(value)), ...messages];
  const all = texts.join("\n");
  const isGiven = fields.some((field) => GIVEN.includes(field));
  const ownLeaks = inputs?.value === OWN && all.includes(OWN) ? [OWN] : [];
  const found = [...texts.flatMap(commandsIn), ...(isGiven ? ownLeaks : leaksIn(all))];

  expect({ fields, found, hasUnknown: hasUnknown(record) }).toEqual({
    fields,
    found: [],
    hasUnknown: false,
  });
}

/** All steps of a resource, on a service that has this text in these fields. */
async function expectHarmless(kind: Kind, fields: string[], text: string): Promise<void> {
  const stack = await deployed(kind);
  service.say(everywhere(text, fields));
  const steps = [() => stack.refresh(), () => stack.up(renamed(kind)), () => stack.destroy()];
  // Each step has a test of its own for what it does not survive.
  for (const step of steps) {
    await step().catch(() => undefined);
    expectClean(stack, fields);
  }

  const created = stackOf(kind);
  await created.up(RESOURCES[kind].declared).catch(() => undefined);
  expectClean(created, fields);
}

describe.each(KINDS)("a %s", (kind) => {
  const cases = RESOURCES[kind].groups.flatMap((fields) =>
    Object.entries(textsOf(kind)).map(([what, text]) => [fields, what, text] as const),
  );

  test.each(cases)("whose %j have %s is recorded and shown without", async (fields, _, text) => {
    await expectHarmless(kind, fields, text).catch(async (error: unknown) => {
      // Which of them is it?
      for (const field of fields) {
        emulator.reset();
        service.say({});
        await expectHarmless(kind, [field], text);
      }

      throw error;
    });
  });

  const { declared } = RESOURCES[kind];
  const none = async () => stackOf(kind);
  const some = () => deployed(kind);

  type Refused = [string, number, typeof none, (stack: ChannelStack) => Promise<void>];
  const refused: Refused[] = [
    ["create", 422, none, (stack) => stack.up(declared)],
    ["get", 403, some, (stack) => stack.refresh()],
    ["get", 500, none, (stack) => stack.up({ ...declared, adopt: DOMAIN })],
    ["update", 422, some, (stack) => stack.up(renamed(kind))],
    ["delete", 409, some, (stack) => stack.destroy()],
    ["list", 500, none, (stack) => stack.up(declared)],
  ];
  // No domain is deleted, and the list says which one is taken over.
  const ofChannels = ([name, status]: Refused) =>
    name === "delete" || (name === "get" && status === 500);
  const possible = refused.filter((one) => kind !== "Domain" || !ofChannels(one));

  test.each(possible)("whose %s gets %d shows no reason", async (name, status, start, step) => {
    const { secrets = "", ...others } = textsOf(kind);
    // Not all of them at once, because a reason is cut.
    for (const text of [secrets, Object.values(others).join("\n")]) {
      for (const body of [{ message: text }, { errors: { [text]: [text], label: [text] } }]) {
        emulator.reset();
        const stack = await start();
        const operation = `${name}${kind}${name === "list" ? "s" : ""}` as FaultRule["operation"];
        const headers = { "x-request-id": TOKEN };
        emulator.fault({ operation, status, body, headers, times: "always" });

        await expect(step(stack)).rejects.toThrow(`got ${status}`);
        expectClean(stack);
      }
    }
  });
});
