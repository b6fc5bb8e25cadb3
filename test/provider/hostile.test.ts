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

const channel: Properties = { domainId: DOMAIN, label: "Ops on-call", type: "slack", value: OWN };

const domain: Properties = { domain: "shop.example", label: "Shop" };

const RESOURCES = {
  NotificationChannel: {
    providerOf: notificationChannelProvider,
    declared: channel,
    fields: wireChannel(),
  },
  Domain: {
    providerOf: domainProvider,
    declared: domain,
    fields: { ...wireDomain(), check_interval: "", enabled_records: [] },
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

/**
 * Fields with what people call things: only commands, marks and the channel's own destination are
 * looked for in them.
 */
const GIVEN = ["label", "domain", "description", "colour"];

/** Looks at what is recorded and at what was shown, but for the destination that is declared. */
function expectClean({ recorded, messages }: ChannelStack, field = ""): void {
  const { id, inputs, outputs } = recorded ?? {};
  const record = Object.entries({ ...inputs, ...outputs, id }).filter(([name]) => name !== "value");
  const texts = [...record.map(([, value]) => String(value)), ...messages];

  expect(hasUnknown(record)).toBe(false);
  expect(texts.flatMap(commandsIn)).toEqual([]);

  if (!GIVEN.includes(field)) expect(leaksIn(texts.join("\n"))).toEqual([]);
  else if (inputs?.value === OWN) expect(texts.join("\n")).not.toContain(OWN);
}

describe.each(KINDS)("a %s", (kind) => {
  const names = Object.keys(RESOURCES[kind].fields);
  const cases = names.flatMap((field) =>
    Object.entries(textsOf(kind)).map(([what, text]) => [field, what, text] as const),
  );

  test.each(cases)(
    "an object whose %s has %s is recorded and shown without them",
    async (field, _what, text) => {
      const stack = await deployed(kind);
      service.say({ [field]: text });
      const steps = [() => stack.refresh(), () => stack.up(renamed(kind)), () => stack.destroy()];
      // Each step has a test of its own for what it does not survive.
      for (const step of steps) {
        await step().catch(() => undefined);
        expectClean(stack, field);
      }

      const created = stackOf(kind);
      await created.up(RESOURCES[kind].declared).catch(() => undefined);
      expectClean(created, field);
    },
  );

  test.each([
    [
      "create",
      422,
      () => stackOf(kind),
      (stack: ChannelStack) => stack.up(RESOURCES[kind].declared),
    ],
    ["get", 403, () => deployed(kind), (stack: ChannelStack) => stack.refresh()],
    ["update", 422, () => deployed(kind), (stack: ChannelStack) => stack.up(renamed(kind))],
    // No domain is deleted.
    ...(kind === "Domain"
      ? []
      : ([
          ["delete", 409, () => deployed(kind), (stack: ChannelStack) => stack.destroy()],
        ] as const)),
    ["list", 500, () => stackOf(kind), (stack: ChannelStack) => stack.up(RESOURCES[kind].declared)],
  ] as const)(
    "an object whose %s gets %d is shown without the content of the reason",
    async (name, status, start, step) => {
      for (const text of Object.values(textsOf(kind))) {
        for (const body of [{ message: text }, { errors: { [text]: [text], label: [text] } }]) {
          emulator.reset();
          const stack = await start();
          const operation = `${name}${kind}${name === "list" ? "s" : ""}` as FaultRule["operation"];
          emulator.fault({
            operation,
            status,
            body,
            headers: { "x-request-id": TOKEN },
            times: "always",
          });

          await expect(step(stack)).rejects.toThrow(`got ${status}`);

          expectClean(stack);
        }
      }
    },
  );
});
