/**
 * What counts as a change of a channel, what is said before it is replaced, and the body of an update
 * of a managed one: all that is declared otherwise, and never null.
 */
import {
  guard,
  PROVIDER_KEY,
  type Properties,
  type ResourceProvider,
  UNKNOWN,
} from "../../src/provider/boundary";
import { notificationChannelProvider } from "../../src/provider/channel";
import { checkInputs, normalise, SERVICE_INPUTS } from "../../src/provider/record";
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

/** Compares without any configuration: whoever asked the network here would fail. */
async function diff(olds: Properties, news: Properties) {
  const warnings: string[] = [];
  const provider = guard(notificationChannelProvider((line) => warnings.push(line)));
  return { ...(await provider.diff(ID, olds, news)), warnings };
}

/** The recorded outputs of a channel that was created. */
function outputsOf(declared: Properties): Properties {
  const facts = factsOf(ID, "Slack", "2026-01-31 08:30:00");
  return { secondaryValue: null, ...normalise(declared), ...facts, [PROVIDER_KEY]: "earlier" };
}

const NO_CHANGE = { changes: false, diffs: [], replaces: [], warnings: [] };

describe("comparing a channel with what is declared", () => {
  test("finds no change between any channel's outputs and its declared inputs", async () => {
    await fc.assert(
      fc.asyncProperty(anyChannel, fc.string(), async (channel, text) => {
        const [outputs, inputs] = [outputsOf(channel), { ...channel, [PROVIDER_KEY]: text }];
        expect(await diff(outputs, inputs)).toEqual(NO_CHANGE);
        expect(await diff(inputs, outputs)).toEqual(NO_CHANGE);
      }),
    );
  });

  test("finds exactly the inputs in which two channels differ, in either direction", async () => {
    await fc.assert(
      fc.asyncProperty(anyChannel, anyChannel, async (one, other) => {
        const [before, after] = [normalise(one), normalise(other)];
        const expected = SERVICE_INPUTS.filter(
          (name) => (before[name] ?? null) !== (after[name] ?? null),
        );
        expect((await diff(before, after)).replaces).toEqual(expected);
        expect((await diff(after, before)).replaces).toEqual(expected);
      }),
    );
  });

  test("finds no change in what a service has tidied, or an earlier version recorded as declared", async () => {
    const untidy = { ...outputsOf(slackChannel), label: " Ops on-call\n", secondaryValue: "" };
    expect(await diff(untidy, slackChannel)).toEqual(NO_CHANGE);
    const { inputs } = checkInputs({ ...slackChannel, secondaryValue: "" });
    expect(await diff(outputsOf(slackChannel), inputs)).toEqual(NO_CHANGE);
  });

  test.each(SERVICE_INPUTS)("treats an unknown %s as changed, even if both are", async (name) => {
    for (const unknown of [UNKNOWN, [UNKNOWN]]) {
      const news = { ...slackChannel, [name]: unknown };
      expect((await diff(outputsOf(slackChannel), news)).replaces).toEqual([name]);
      expect((await diff(news, news)).replaces).toEqual([name]);
    }
  });

  test.each(["domainId", "label", "type"])("compares a record that is a %s alone", async (name) => {
    const { replaces, warnings } = await diff({ [name]: slackChannel[name] }, slackChannel);
    expect(replaces).toEqual(
      ["domainId", "label", "type", "value"].filter((each) => each !== name),
    );
    expect(warnings).toEqual([expect.stringContaining(") stays. ")]);
  });
});

describe("the warning before a replacement", () => {
  test("says that it may be, where nothing that changes is known", async () => {
    const unknown = { label: UNKNOWN, value: UNKNOWN };
    const { warnings } = await diff(slackChannel, { ...slackChannel, ...unknown });

    expect(warnings).toEqual([
      expect.stringContaining("may be replaced, and then stays (not known yet: label, value)"),
    ]);

    const unlabelled = await diff({ ...slackChannel, label: UNKNOWN }, slackChannel);
    expect(unlabelled.warnings).toEqual([expect.stringMatching(/^"\?" \(id .* stays/)]);
  });

  test("contains neither the old nor the new destination, even if the label repeats it", async () => {
    // Longer than the line has room for, so that a part of the destination would be left.
    const olds = { ...outputsOf(slackChannel), label: `${WEBHOOK_URL}, not ${SLACK_URL}` };
    const { warnings } = await diff(olds, { ...slackChannel, value: WEBHOOK_URL });
    expect(warnings).toEqual([expect.stringContaining('"[redacted], not [red')]);
  });

  test("does not treat a webhook's method as a secret", async () => {
    const channel = { ...webhookChannel, label: "INPUT team" };
    const { warnings } = await diff(outputsOf(channel), { ...channel, type: "slack" });
    expect(warnings.join()).toContain('"INPUT team"');
  });
});

describe("an update sends", () => {
  let service: Service;
  let provider: ResourceProvider;

  isolateTests();

  beforeEach(async () => {
    service = await startService([answer(200, channel({ id: ID, label: "By hand" }))]);
    provider = providerWith({ baseUrl: service.url, apiToken: "token" });
  });

  const managed = (properties: Properties) => ({ ...properties, lifecycle: "managed" });

  /** The body of the only request that an update sends after the service may have been read. */
  async function sent(outputs: Properties, after: Properties): Promise<unknown> {
    const first = service.requests.length;
    await provider.update(ID, managed(outputs), managed(after));
    const requests = service.requests.slice(first).filter(({ method }) => method !== "GET");

    expect(requests).toMatchObject([
      { method: "PATCH", headers: { "content-type": "application/json" } },
    ]);

    return JSON.parse(String(requests[0]?.body));
  }

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
        const { replaces } = await provider.diff(ID, managed(outputsOf(before)), inputs);
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

/** The expected body: all differences, a destination as a whole and with its type. */
function bodyOf(before: Properties, after: Properties): Properties {
  const names = Object.keys(after).filter((name) => before[name] !== after[name]);
  if (names.includes("value")) names.push("secondaryValue");
  if (names.includes("secondaryValue")) names.push("type");
  const fields = Object.entries(after).filter(
    ([name, value]) => names.includes(name) && value !== null,
  );

  return Object.fromEntries(fields.map(([name, value]) => [wireName(name), value]));
}

const wireName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
