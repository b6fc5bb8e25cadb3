/**
 * A service that puts secrets, commands and marks of the engine into what it answers: what is
 * recorded and shown of it.
 */
import { hasUnknown, type Properties } from "../../src/provider/boundary";
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
import type { ChannelStack } from "./support/channel-stack";
import { DOMAIN } from "./support/channels";
import {
  always,
  deployed,
  fault,
  type Operation,
  service,
  stackOf,
  useService,
} from "./support/service";

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
    declared: { domainId: DOMAIN, label: "Ops on-call", type: "slack", value: OWN } as Properties,
    groups: groupsOf(wireChannel()),
    // A channel's calls know its destination as well.
    texts: { ...TEXTS, destination: OWN },
  },
  Domain: {
    declared: { domain: "shop.example", label: "Shop" } as Properties,
    groups: groupsOf({ ...wireDomain(), check_interval: "", enabled_records: [] }),
    texts: TEXTS,
  },
};

/** Looks at what is recorded and at what was shown, but for the destination that is declared. */
function expectClean({ recorded, messages }: ChannelStack, isGiven = false): void {
  const { id, inputs, outputs } = recorded ?? {};
  const record = Object.entries({ ...inputs, ...outputs, id }).filter(([name]) => name !== "value");
  const texts = [...record.map(([, value]) => String(value)), ...messages];
  const all = texts.join("\n");
  const ownLeaks = inputs?.value === OWN && all.includes(OWN) ? [OWN] : [];
  const found = [...texts.flatMap(commandsIn), ...(isGiven ? ownLeaks : leaksIn(all))];

  expect({ found, hasUnknown: hasUnknown(record) }).toEqual({ found: [], hasUnknown: false });
}

describe.each(["NotificationChannel", "Domain"] as const)("a %s", (kind) => {
  const { declared, groups, texts } = RESOURCES[kind];
  const renamed = { ...declared, label: "Other" };
  let hostile: HostileService;

  useService(kind, { token: TOKEN, domains: [{ id: DOMAIN, domain: "example.com" }] });

  beforeEach(async () => {
    hostile = await startHostile(service);
  });

  afterEach(() => hostile.close());

  const cases = groups.flatMap((fields) =>
    Object.entries(texts).map(([what, text]) => [fields, what, text] as const),
  );

  test.each(cases)("whose %j have %s is recorded and shown without", async (fields, _, text) => {
    const isGiven = fields.some((field) => GIVEN.includes(field));
    const stack = await deployed(declared, { baseUrl: hostile.url });
    hostile.say(everywhere(text, fields));
    const steps = [() => stack.refresh(), () => stack.up(renamed), () => stack.destroy()];
    // Each step has a test of its own for what it does not survive.
    for (const step of steps) {
      await step().catch(() => undefined);
      expectClean(stack, isGiven);
    }

    const created = stackOf({ baseUrl: hostile.url });
    await created.up(declared).catch(() => undefined);
    expectClean(created, isGiven);
  });

  const none = async () => stackOf();
  const some = () => deployed(declared);

  type Refused = [Operation, number, typeof none, (stack: ChannelStack) => Promise<void>];
  const refused: Refused[] = [
    ["create", 422, none, (stack) => stack.up(declared)],
    ["list", 500, none, (stack) => stack.up(declared)],
    ["get", 403, some, (stack) => stack.refresh()],
    ["update", 422, some, (stack) => stack.up(renamed)],
  ];
  const ofChannels: Refused[] = [
    ["get", 500, none, (stack) => stack.up({ ...declared, adopt: DOMAIN })],
    ["delete", 409, some, (stack) => stack.destroy()],
  ];
  // No domain is deleted, and the list says which one is taken over.
  const possible = kind === "Domain" ? refused : [...refused, ...ofChannels];

  test.each(possible)("whose %s gets %d shows no reason", async (name, status, start, step) => {
    const stack = await start();
    const { secrets, ...others } = texts;
    // Not all of them at once, because a reason is cut.
    for (const text of [secrets, Object.values(others).join("\n")]) {
      for (const body of [{ message: text }, { errors: { [text]: [text], label: [text] } }]) {
        service.clearFaults();
        fault(name, { status, body, headers: { "x-request-id": TOKEN }, ...always });
        await expect(step(stack)).rejects.toThrow(`got ${status}`);
        expectClean(stack);
      }
    }
  });
});
