/** Which inputs of a channel are accepted, and what is said of all others. */
import { CHANNEL_TYPES } from "../../src/client/types";
import { type Properties, UNKNOWN, UNKNOWN_VALUES } from "../../src/provider/boundary";
import { checkInputs, INPUTS, normalise } from "../../src/provider/record";
import { fc } from "../support/properties";
import {
  anyChannel,
  DOMAIN,
  EMAIL,
  FLAGS,
  slackChannel,
  WEBHOOK_URL,
  webhookChannel,
} from "./support/channels";

const problemsOf = (declared: Properties) => checkInputs(declared).problems;

const warningsOf = (declared: Properties) => checkInputs(declared).warnings;

/** Any value that a Struct can carry. */
const anyJson = fc.jsonValue({ maxDepth: 2 });

/** The unknown value, plain or inside objects and arrays. */
const anyUnknown: fc.Arbitrary<unknown> = fc
  .constantFrom(...Object.values(UNKNOWN_VALUES))
  .chain((mark) =>
    fc.oneof(
      fc.constant(mark),
      fc
        .tuple(fc.array(anyJson), fc.array(anyJson))
        .map(([before, after]) => [...before, mark, ...after]),
      fc
        .tuple(fc.string(), anyJson)
        .map(([key, other]) => ({ other, [`${key}.`]: { deep: [mark] } })),
    ),
  );

describe("checking a channel's inputs", () => {
  test("accepts every channel that follows the rules, with any of its inputs unknown at any depth", () => {
    const unknowns = fc.uniqueArray(fc.tuple(fc.constantFrom(...INPUTS), anyUnknown), {
      selector: ([name]) => name,
    });

    fc.assert(
      fc.property(anyChannel, unknowns, (channel, replaced) => {
        expect(problemsOf(channel)).toEqual([]);
        expect(problemsOf({ ...channel, ...Object.fromEntries(replaced) })).toEqual([]);
      }),
    );
  });

  test("reports every problem at once, in the order of the inputs", () => {
    const problems = problemsOf({
      label: 5,
      type: "fax",
      value: 5,
      secondaryValue: false,
      whoisNotificationsEnabled: "yes",
      dnsNotificationsEnabled: 1,
      sslNotificationsEnabled: [],
      lifecycle: "forever",
      adopt: 7,
      lable: "typo",
    });

    expect(problems).toEqual([
      "domainId is missing: give the id of the monitored domain",
      "label is not a string: give a display name",
      "type is not a valid channel type: use one of email, discord, slack, ms_teams, pushover, webhook",
      "value is not a string: give the destination, or null for none",
      "secondaryValue is not a string: give one, or null for none",
      "whoisNotificationsEnabled is not a boolean: use true or false, or leave it out",
      "dnsNotificationsEnabled is not a boolean: use true or false, or leave it out",
      "sslNotificationsEnabled is not a boolean: use true or false, or leave it out",
      "lifecycle is not a valid lifecycle: use create-only or managed, or leave it out",
      "adopt is not a valid channel id: give the UUID of a channel that exists",
      "lable is not a property of a notification channel: remove it",
    ]);
  });

  test.each<[string, unknown, string]>([
    ["domainId", 42, "domainId is not a valid id: use the domain's id"],
    ["domainId", null, "domainId is missing: give the id of the monitored domain"],
    ["domainId", "..", "domainId is not a valid id: use the domain's id"],
    ["domainId", `${DOMAIN}\n`, "domainId begins or ends with whitespace: remove it"],
    ["label", " Ops", "label begins or ends with whitespace: remove it"],
    [
      "secondaryValue",
      " device",
      "secondaryValue has a line break, or whitespace at its ends: remove it",
    ],
    ["label", 42, "label is not a string: give a display name"],
    ["label", null, "label is missing: give the channel a name"],
    ["label", "🔔🔔", "label has a length of 2: give it 3 to 100 characters"],
    ["label", "🔔".repeat(101), "label has a length of 101: give it 3 to 100 characters"],
    ["value", undefined, "value is missing: give the destination, or null for none"],
    ["value", "  ", "value is empty: give the destination, or null for none"],
    ["adopt", "history", "adopt is not a valid channel id: give the UUID of a channel that exists"],
  ])("refuses as %s %j", (name, value, problem) => {
    expect(problemsOf({ ...slackChannel, [name]: value })).toEqual([problem]);
  });

  test.each([
    "example.com",
    "EXAMPLE.COM.",
    "shop.example.co.uk",
    "bücher.example",
    "xn--e1afmkfd.xn--p1ai",
    "пример.рф",
  ])("refuses the name %s as domainId, and says how to get the id", (domainId) => {
    expect(problemsOf({ ...slackChannel, domainId })).toEqual([
      `domainId is a name (${domainId}): use its id; \`pulumi-domain-monitoring doctor --domain ${domainId}\` prints it`,
    ]);
  });

  test.each(["ops@shop.example", "https://key.example/of.somebody", "--all.example"])(
    "refuses %s as domainId, and does not repeat it",
    (domainId) => {
      expect(problemsOf({ ...slackChannel, domainId })).toEqual([
        "domainId is not a valid id: use the domain's id",
      ]);
    },
  );

  test.each(["7", "example", "v1.2", "dom.7f3a", "a.b", "A-Z_9.c1", "...", "192.0.2.1"])(
    "accepts %s as domainId, which may be one",
    (domainId) => {
      expect(problemsOf({ ...slackChannel, domainId })).toEqual([]);
    },
  );

  test.each([
    { label: "🔔🔔🔔" },
    { label: "🔔".repeat(100) },
    { secondaryValue: null, lifecycle: null, adopt: null },
    { label: "Ops on-call\nfor shops", secondaryValue: "" },
  ])("accepts %j", (inputs) => {
    expect(problemsOf({ ...slackChannel, ...inputs })).toEqual([]);
  });

  test("records exactly the declared flags, including unknown ones", () => {
    const flags = { whoisNotificationsEnabled: true, dnsNotificationsEnabled: [UNKNOWN] };
    const declared = { ...slackChannel, label: UNKNOWN, ...flags };

    expect(checkInputs({ ...declared, sslNotificationsEnabled: null }).inputs).toEqual(declared);
  });
});

describe("the destination", () => {
  test.each<[string, string | null]>([
    ...CHANNEL_TYPES.map((type): [string, null] => [type, null]),
    ["email", "first.last+tag@mail.example.co.uk"],
    ["email", "用户@例子.广告"],
    ["email", `${"x".repeat(308)}@example.com`],
    ["webhook", "http://intranet:8080/hook?key=1#part"],
    ["webhook", "https://user:password@example.com/hook"],
    ["webhook", "https://[2001:db8::1]/hook"],
  ])("the destination of a channel of type %s may be %s", (type, value) => {
    expect(problemsOf({ ...slackChannel, type, value })).toEqual([]);
  });

  const ADDRESS = "value is not a valid e-mail address: a channel of type email needs one";
  const URL = "value is not a valid http or https URL: a channel of type webhook needs one";

  test.each([
    ["@example.com", ADDRESS],
    ["ops@", ADDRESS],
    ["ops@.com", ADDRESS],
    ["ops@@example.com", ADDRESS],
    ["ops @example.com", ADDRESS],
    ["Ops <ops@example.com>", ADDRESS],
    [`${"x".repeat(309)}@example.com`, ADDRESS],
    ["example.com/hook", URL],
    ["ftp://example.com/hook", URL],
    ["https://", URL],
    ["https://exa mple.com", URL],
    ["https://example.com:99999/", URL],
  ])("may not be %j: %s", (value, problem) => {
    const type = problem === ADDRESS ? "email" : "webhook";
    expect(problemsOf({ ...slackChannel, type, value })).toEqual([problem]);
  });

  test.each([
    ["email", `${EMAIL}\n`],
    ["webhook", ` ${WEBHOOK_URL}`],
    ["webhook", "https://example.com/\r\nhook"],
    ["pushover", "key\u3000"],
  ])(
    "the destination of type %s is one line without whitespace at its ends, not %j",
    (type, value) => {
      expect(checkInputs({ ...slackChannel, type, value })).toMatchObject({
        problems: ["value has a line break, or whitespace at its ends: remove it"],
        warnings: [],
      });
    },
  );

  test("the destination of a webhook has no method if that is empty, as if it were null", () => {
    const { inputs, problems } = checkInputs({ ...webhookChannel, secondaryValue: "" });

    expect(problems).toEqual([]);
    expect(inputs).not.toHaveProperty("secondaryValue");
  });

  test.each(["GET", "post", " POST"])(
    "the destination of a webhook has no method %j",
    (secondaryValue) => {
      expect(problemsOf({ ...webhookChannel, secondaryValue })).toEqual([
        "secondaryValue is not a valid webhook method: use one of POST, PUT, PATCH",
      ]);
    },
  );

  test.each([
    ["slack", "https://hooks。slack。com/services/x"],
    ["webhook", "https://user@hooks．example/x"],
    ["discord", "HTTPS://hooks｡example?x"],
    ["email", "ops@mail.corp。example"],
  ])(
    "the destination of a %s channel with another full stop in its host is refused: %s",
    (type, value) => {
      expect(problemsOf({ ...slackChannel, type, value })).toEqual([
        'value has a full stop other than "." in its host: use "."',
      ]);

      expect(problemsOf({ ...slackChannel, value: "https://hooks.example/a。b?c。d" })).toEqual([]);
    },
  );

  test.each(["discord", "slack", "ms_teams"])(
    "the destination of a %s channel causes only a warning",
    (type) => {
      const warning = `value does not look like the https webhook URL that a channel of type ${type} usually has: check it`;
      for (const value of ["#ops", "http://hooks.example/x", "https://hooks.example/a b"])
        expect(checkInputs({ ...slackChannel, type, value })).toMatchObject({
          problems: [],
          warnings: [warning],
        });

      for (const value of ["https://hooks.example/x", null, UNKNOWN])
        expect(warningsOf({ ...slackChannel, type, value })).toEqual([]);

      // Not beside a problem.
      expect(warningsOf({ ...slackChannel, type, value: "#ops", label: "x" })).toEqual([]);
    },
  );

  test("the destination of another or unknown type is not checked", () => {
    const channel = { ...slackChannel, value: "anything", secondaryValue: "GET" };

    for (const type of ["pushover", UNKNOWN])
      expect(checkInputs({ ...channel, type })).toMatchObject({ problems: [], warnings: [] });
  });
});

describe("a message", () => {
  test("never contains the value of an input", () => {
    const anySecret = fc.string({ unit: "grapheme", minLength: 8, maxLength: 60 });

    // Parts of the messages themselves could be drawn by chance only.
    const own = JSON.stringify([problemsOf({}), problemsOf({ type: 1, value: 1, label: "" })]);
    fc.assert(
      fc.property(
        anyChannel,
        fc.record({
          value: anySecret,
          secondaryValue: anySecret,
          label: anySecret,
          domainId: anySecret,
        }),
        fc.subarray(["value", "secondaryValue", "label", "domainId"] as const, { minLength: 1 }),
        (channel, secrets, names) => {
          const declared = { ...channel };
          for (const name of names) declared[name] = secrets[name];
          const { problems, warnings } = checkInputs(declared);
          const expected = [...problems, ...warnings].join("\n");
          for (const name of names) {
            if (!own.includes(secrets[name])) expect(expected.includes(secrets[name])).toBe(false);
          }
        },
      ),
    );
  });

  test.each(INPUTS)("never contains a value of the wrong type either, as %s", (name) => {
    const expected = problemsOf({
      ...slackChannel,
      [name]: { hidden: "wrong-type-secret" },
    }).join();

    expect(expected).toMatch(new RegExp(`${name} is (not|missing)`));
    expect(expected).not.toContain("wrong-type-secret");
  });
});

describe("the normalized inputs", () => {
  const none = (value: unknown) =>
    Object.fromEntries(Object.keys(FLAGS).map((flag) => [flag, value]));

  test.each([
    ["undefined", { ...none(undefined), secondaryValue: undefined }],
    ["null", { ...none(null), secondaryValue: null, lifecycle: null, adopt: null }],
    ["the default", { ...FLAGS, lifecycle: "create-only" }],
  ])("are the same when optional inputs are %s", (_what, optional) => {
    expect(normalise({ ...slackChannel, ...optional })).toEqual({ ...slackChannel, ...FLAGS });
  });

  test("keep every value that is not the default, and are not changed again", () => {
    const declared = Object.freeze({ ...webhookChannel, value: null, lifecycle: "managed" });

    const normalized = normalise(declared);

    expect(normalized).toEqual({ ...FLAGS, ...declared });
    expect(normalise(normalized)).toEqual(normalized);
  });
});
