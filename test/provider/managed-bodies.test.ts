/** The body of an update of a managed channel: all that is declared otherwise, and never null. */
import type { Properties, ResourceProvider } from "../../src/provider/boundary";
import { normalise } from "../../src/provider/record";
import { isolateTests } from "../client/support/cleanup";
import { answer, type Service, startService } from "../client/support/service";
import { channel } from "../client/support/wire";
import { fc } from "../support/properties";
import { providerWith } from "./support/channel-stack";
import {
  anyChannel,
  FLAGS,
  factsOf,
  SLACK_URL,
  slackChannel,
  WEBHOOK_URL,
  webhookChannel,
} from "./support/channels";

const ID = "99999999-9999-4999-8999-999999999999";
let service: Service;
let provider: ResourceProvider;

isolateTests();

beforeEach(async () => {
  service = await startService([answer(200, channel({ id: ID, label: "By hand" }))]);
  provider = providerWith({ baseUrl: service.url, apiToken: "token" });
});

const managed = (declared: Properties) => ({ ...declared, lifecycle: "managed" });

/** The outputs of a channel that was created as declared. */
function outputsOf(declared: Properties): Properties {
  const facts = factsOf(ID, "E-mail", "2026-01-31 08:30:00");
  return { secondaryValue: null, ...normalise(managed(declared)), ...facts };
}

/** The body of the only request that an update sends after the service may have been read. */
async function sent(outputs: Properties, after: Properties): Promise<unknown> {
  const first = service.requests.length;
  await provider.update(ID, outputs, managed(after));
  const requests = service.requests.slice(first).filter(({ method }) => method !== "GET");

  expect(requests).toMatchObject([
    { method: "PATCH", headers: { "content-type": "application/json" } },
  ]);

  return JSON.parse(String(requests[0]?.body));
}

describe("an update sends", () => {
  test("a change that may have been lost with the later ones", async () => {
    const outputs = { ...outputsOf(slackChannel), unconfirmed: ["value"] };
    const body = await sent(outputs, { ...slackChannel, label: "Renamed" });
    expect(body).toEqual({ label: "Renamed", value: SLACK_URL, type: "slack" });
  });

  test("a lost label, and no other name that the record has", async () => {
    const unconfirmed = ["label", "domainId", "lifecycle", 7];
    const body = await sent({ ...outputsOf(slackChannel), unconfirmed }, slackChannel);
    expect(body).toEqual({ label: "Ops on-call" });
  });

  test("another address of a webhook with its method, which stays", async () => {
    const value = `${WEBHOOK_URL}-of-the-day-shift`;
    const body = await sent(outputsOf(webhookChannel), { ...webhookChannel, value });
    expect(body).toEqual({ value, secondary_value: "PUT", type: "webhook" });
  });

  test("exactly what differs between any two channels, or they are replaced", async () => {
    const destination = fc.constantFrom("another", "another address", "the same");
    await fc.assert(
      fc.asyncProperty(anyChannel, anyChannel, destination, async (before, other, which) => {
        const flags = Object.keys(FLAGS).map((flag) => [flag, other[flag]]);
        const after: Properties = {
          ...(which === "another" ? other : before),
          ...(which === "another address" ? { value: `${before.value}x` } : {}),
          domainId: before.domainId,
          type: before.type,
          label: other.label,
          ...Object.fromEntries(flags),
        };

        const { inputs, failures } = await provider.check({}, managed(after));
        // A destination of another type need not be valid.
        fc.pre(failures.length === 0);
        const { replaces } = await provider.diff(ID, outputsOf(before), inputs);
        for (const name of replaces) {
          expect(after[name] ?? null).toBeNull();
          expect(before[name]).toEqual(expect.anything());
        }

        const expected = bodyOf(normalise(before), normalise(after));
        // Where there is nothing to send, the service is read, and what differs there is sent.
        fc.pre(replaces.length === 0 && Object.keys(expected).length > 0);
        expect(await sent(outputsOf(before), after)).toEqual(expected);
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
