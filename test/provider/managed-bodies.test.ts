/** The body of an update of a managed channel: all that is declared otherwise, and never null. */
import type { Properties } from "../../src/provider/boundary";
import { normalise } from "../../src/provider/record";
import { closeAll } from "../client/support/cleanup";
import { answer, type Service, startService } from "../client/support/service";
import { channel } from "../client/support/wire";
import { fc } from "../support/properties";
import { ChannelStack } from "./support/channel-stack";
import {
  anyChannel,
  factsOf,
  SLACK_URL,
  slackChannel,
  WEBHOOK_URL,
  webhookChannel,
} from "./support/channels";

const ID = "99999999-9999-4999-8999-999999999999";
const FLAGS = ["whois", "dns", "ssl"].map((part) => `${part}NotificationsEnabled`);
let service: Service;

beforeEach(async () => {
  service = await startService([answer(200, channel({ id: ID, label: "By hand" }))]);
});

afterEach(closeAll);

/** A stack with a channel that was created as declared, or with none. */
function stackOf(declared?: Properties, further: Properties = {}): ChannelStack {
  const stack = new ChannelStack({ baseUrl: service.url, apiToken: "token", lifecycle: "managed" });

  if (declared) {
    const inputs = { ...declared, lifecycle: "managed" };
    const facts = factsOf(ID, "E-mail", "2026-01-31 08:30:00");
    const outputs = { secondaryValue: null, ...normalise(inputs), ...facts, ...further };
    stack.recorded = { id: ID, inputs, outputs, isUnfinished: false };
  }

  return stack;
}

/** The body of the update that follows a change of a channel that was created as declared. */
async function sent(before: Properties, after: Properties, outputs?: Properties): Promise<unknown> {
  const stack = stackOf(before, outputs);
  const first = service.requests.length;
  await stack.up(after);
  const requests = service.requests.slice(first);
  const updates = requests.filter(({ method }) => method === "PATCH");

  expect(requests.filter(({ method }) => method === "POST" || method === "DELETE")).toEqual([]);
  expect(updates.length).toBeLessThanOrEqual(1);

  const [update] = updates;
  if (update === undefined) return undefined;
  expect(update.headers["content-type"]).toBe("application/json");

  return JSON.parse(update.body);
}

describe("an update sends", () => {
  test("a change that may have been lost with the later ones", async () => {
    const renamed = { ...slackChannel, label: "Renamed" };
    const body = await sent(slackChannel, renamed, { unconfirmed: ["value"] });
    expect(body).toEqual({ label: "Renamed", value: SLACK_URL, type: "slack" });
  });

  test("a lost label, and no other name that the record has", async () => {
    const unconfirmed = ["label", "domainId", "lifecycle", 7];
    const body = await sent(slackChannel, slackChannel, { unconfirmed });
    expect(body).toEqual({ label: "Ops on-call" });
  });

  test("another address of a webhook with its method, which stays", async () => {
    const value = `${WEBHOOK_URL}-of-the-day-shift`;
    const body = await sent(webhookChannel, { ...webhookChannel, value });
    expect(body).toEqual({ value, secondary_value: "PUT", type: "webhook" });
  });

  test("exactly what differs between any two channels, or they are replaced", async () => {
    const destination = fc.constantFrom("another", "another address", "the same");
    await fc.assert(
      fc.asyncProperty(anyChannel, anyChannel, destination, async (before, other, which) => {
        const after: Properties = {
          ...(which === "another" ? other : before),
          ...(which === "another address" ? { value: `${before.value}x` } : {}),
          domainId: before.domainId,
          type: before.type,
          label: other.label,
          ...Object.fromEntries(FLAGS.map((flag) => [flag, other[flag]])),
        };
        const stack = stackOf(before);
        const { inputs, failures } = await stack.provider().check({}, after);
        // A destination of another type need not be valid.
        fc.pre(failures.length === 0);
        const { replaces } = await stack.provider().diff(ID, stack.recorded?.outputs ?? {}, inputs);
        for (const name of replaces) {
          expect(after[name] ?? null).toBeNull();
          expect(before[name]).toEqual(expect.anything());
        }

        const expected = bodyOf(normalise(before), normalise(after));
        // Where there is nothing to send, the service is read, and what differs there is sent.
        fc.pre(replaces.length === 0 && Object.keys(expected).length > 0);
        expect(await sent(before, after)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});

/**
 * The expected body: all differences, a destination as a whole and with its type, and never null.
 */
function bodyOf(before: Properties, after: Properties): Properties {
  const names = Object.keys(after).filter((name) => before[name] !== after[name]);

  if (names.includes("value")) names.push("secondaryValue");
  if (names.includes("secondaryValue")) names.push("type");
  const fields = Object.entries(after).filter(
    ([name, value]) => names.includes(name) && value !== null,
  );

  return Object.fromEntries(fields.map(([name, value]) => [wireName(name), value]));
}

function wireName(name: string): string {
  return name
    .replace("secondaryValue", "secondary_value")
    .replace("NotificationsEnabled", "_notifications_enabled");
}
