import fc from "fast-check";
import { CHANNEL_TYPES } from "../../src/client/types";
import { UNKNOWN } from "../../src/common/markers";
import type { Properties } from "../../src/provider/boundary";
import { checkInputs, INPUTS, normalise } from "../../src/provider/inputs";
import { anyChannel, emailChannel, slackChannel, webhookChannel } from "./support/channels";

const problemsOf = (declared: Properties) => checkInputs(declared).problems;
const warningsOf = (declared: Properties) => checkInputs(declared).warnings;

/** Any value that a Struct can carry. */
const anyJson = fc.jsonValue({ maxDepth: 2 });

/** The unknown value, plain or inside objects and arrays. */
const anyUnknown: fc.Arbitrary<unknown> = fc.oneof(
  fc.constant(UNKNOWN),
  fc.tuple(fc.array(anyJson), fc.array(anyJson)).map(([before, after]) => [...before, UNKNOWN, ...after]),
  fc.tuple(fc.string(), anyJson).map(([key, other]) => ({ other, [`${key}.`]: { deep: [UNKNOWN] } })),
);

describe("checking a channel's inputs", () => {
  test("accepts every channel that follows the rules", () => {
    fc.assert(
      fc.property(anyChannel, (channel) => {
        expect(problemsOf(channel)).toEqual([]);
      }),
    );
  });

  test("reports every problem at once, in the order of the inputs", () => {
    const problems = problemsOf({
      label: "ab",
      type: "fax",
      value: 5,
      secondaryValue: false,
      whoisNotificationsEnabled: "yes",
      dnsNotificationsEnabled: 1,
      sslNotificationsEnabled: [],
      onOrphan: "delete",
      lifecycle: "forever",
      adopt: 7,
      lable: "typo",
    });
    expect(problems).toEqual([
      "domainId is missing: give the id of the monitored domain",
      "label has a length of 2: give it 3 to 100 characters",
      "type is not a valid channel type: use one of email, discord, slack, ms_teams, pushover, webhook",
      "value is not a string: give the destination, or null for none",
      "secondaryValue is not a string: give a text, or null for none",
      "whoisNotificationsEnabled is not a boolean: use true or false, or leave it out",
      "dnsNotificationsEnabled is not a boolean: use true or false, or leave it out",
      "sslNotificationsEnabled is not a boolean: use true or false, or leave it out",
      "onOrphan is not a valid value: use warn or error, or leave it out",
      "lifecycle is not a valid lifecycle: use create-only or managed, or leave it out",
      "adopt is not a valid channel id: give the UUID of a channel that exists",
      "lable is not a property of a notification channel: remove it",
    ]);
  });

  test("reports the required inputs of an empty declaration", () => {
    expect(problemsOf({})).toEqual([
      "domainId is missing: give the id of the monitored domain",
      "label is missing: give the channel a name",
      "type is not a valid channel type: use one of email, discord, slack, ms_teams, pushover, webhook",
      "value is missing: give the destination, or null for none",
    ]);
  });

  test("logs no warnings until there are no problems", () => {
    const doubtful = { ...slackChannel, value: "http://hooks.slack.example/x" };
    expect(warningsOf(doubtful)).toHaveLength(1);
    expect(checkInputs({ ...doubtful, label: "x" })).toMatchObject({
      problems: [expect.any(String)],
      warnings: [],
    });
  });

  test.each(["domainId", "label"])("distinguishes a %s that is not a string from a missing one", (name) => {
    expect(problemsOf({ ...slackChannel, [name]: 42 })).toEqual([
      expect.stringContaining(`${name} is not a string: give `),
    ]);
    expect(problemsOf({ ...slackChannel, [name]: null })).toEqual([
      expect.stringContaining(`${name} is missing`),
    ]);
  });

  test.each(["", " ", "\n", ".", ".."])("rejects %j as the id of a domain", (domainId) => {
    expect(problemsOf({ ...slackChannel, domainId })).toEqual([
      "domainId is not a valid id: give the id of the monitored domain",
    ]);
  });

  test.each(["secondaryValue", "onOrphan", "lifecycle", "adopt"])("accepts null for no %s", (name) => {
    expect(problemsOf({ ...slackChannel, [name]: null })).toEqual([]);
  });
});

describe("the label", () => {
  test.each([
    ["3 letters", "abc"],
    ["100 letters", "x".repeat(100)],
    ["3 emoji, which are 6 UTF-16 units", "🔔🔔🔔"],
    ["100 emoji, which are 200 UTF-16 units", "🔔".repeat(100)],
  ])("may have %s", (_what, label) => {
    expect(problemsOf({ ...slackChannel, label })).toEqual([]);
  });

  test.each([
    ["nothing", "", 0],
    ["2 letters", "ab", 2],
    ["2 emoji, which are 4 UTF-16 units", "🔔🔔", 2],
    ["101 letters", "x".repeat(101), 101],
    ["101 emoji", "🔔".repeat(101), 101],
  ])("must not consist of %s", (_what, label, length) => {
    expect(problemsOf({ ...slackChannel, label })).toEqual([
      `label has a length of ${length}: give it 3 to 100 characters`,
    ]);
  });
});

describe("the destination", () => {
  test.each(CHANNEL_TYPES)("of a %s channel may be null, but not missing and not empty", (type) => {
    const channel: Properties = { ...webhookChannel, secondaryValue: null, type };
    expect(problemsOf({ ...channel, value: null })).toEqual([]);
    expect(problemsOf({ ...channel, value: undefined })).toEqual([
      "value is missing: give the destination, or null for none",
    ]);
    expect(problemsOf({ ...channel, value: "  " })).toEqual([
      "value is empty: give the destination, or null for none",
    ]);
  });

  test.each([
    "ops@example.com",
    "first.last+tag@mail.example.co.uk",
    "o'brien@example.ie",
    "postmaster@bücher.example",
    "用户@例子.广告",
  ])("of an email channel may be %s", (value) => {
    expect(problemsOf({ ...emailChannel, value })).toEqual([]);
  });

  test.each([
    "ops",
    "@example.com",
    "ops@",
    "ops@localhost",
    "ops@example.",
    "ops@.com",
    "ops@@example.com",
    "ops @example.com",
    "ops@example.com\n",
    "a@example.com, b@example.com",
    "Ops <ops@example.com>",
    `${"x".repeat(320)}@example.com`,
    "https://example.com",
  ])("of an email channel must be an address, unlike %j", (value) => {
    expect(problemsOf({ ...emailChannel, value })).toEqual([
      "value is not a valid e-mail address: a channel of type email needs one",
    ]);
  });

  test("of an email channel may be as long as an address can be, and no longer", () => {
    const longest = `${"x".repeat(308)}@example.com`;
    expect(longest).toHaveLength(320);
    expect(problemsOf({ ...emailChannel, value: longest })).toEqual([]);
    expect(problemsOf({ ...emailChannel, value: `x${longest}` })).toHaveLength(1);
  });

  test.each([
    "https://example.com/hook",
    "http://intranet:8080/hook?key=1#part",
    "HTTPS://EXAMPLE.COM",
    "https://user:password@example.com/hook",
    "https://[2001:db8::1]/hook",
  ])("of a webhook may be %s", (value) => {
    expect(problemsOf({ ...webhookChannel, value })).toEqual([]);
  });

  test.each([
    "example.com/hook",
    "ftp://example.com/hook",
    "javascript:alert(1)",
    "https://",
    "https:example.com",
    "https://exa mple.com",
    " https://example.com",
    "https://example.com/hook\n",
    "https://example.com:99999/",
  ])("of a webhook must be an http or https URL, unlike %j", (value) => {
    expect(problemsOf({ ...webhookChannel, value })).toEqual([
      "value is not a valid http or https URL: a channel of type webhook needs one",
    ]);
  });

  test.each(["discord", "slack", "ms_teams"])("of a %s channel causes only a warning", (type) => {
    for (const value of [
      "#ops",
      "http://hooks.example/x",
      "https://hooks.example/x\n",
      "to https://hooks.example/x",
    ]) {
      expect(checkInputs({ ...slackChannel, type, value })).toMatchObject({
        problems: [],
        warnings: [
          `value does not look like the https webhook URL that a channel of type ${type} usually has: check it`,
        ],
      });
    }
    for (const value of ["https://hooks.example/x", null, UNKNOWN])
      expect(warningsOf({ ...slackChannel, type, value })).toEqual([]);
  });

  test("of a pushover channel is not checked", () => {
    expect(
      checkInputs({ ...slackChannel, type: "pushover", value: "uQiRzpo4DXghDmr9QzzfQu27" }),
    ).toMatchObject({ problems: [], warnings: [] });
  });
});

describe("the method of a webhook", () => {
  test.each(["GET", "DELETE", "post", "", " POST"])("must not be %j", (secondaryValue) => {
    expect(problemsOf({ ...webhookChannel, secondaryValue })).toEqual([
      "secondaryValue is not a valid webhook method: use one of POST, PUT, PATCH",
    ]);
  });
});

describe("an unknown value", () => {
  test("never causes an error, at any depth and in place of any input", () => {
    fc.assert(
      fc.property(
        anyChannel,
        fc.uniqueArray(fc.tuple(fc.constantFrom(...INPUTS), anyUnknown), { selector: ([name]) => name }),
        (channel, unknowns) => {
          const declared = { ...channel, ...Object.fromEntries(unknowns) };
          expect(problemsOf(declared)).toEqual([]);
        },
      ),
    );
  });

  test("is kept, so that the engine still treats it as unknown", () => {
    const declared = { ...slackChannel, label: UNKNOWN, dnsNotificationsEnabled: [UNKNOWN] };
    expect(checkInputs(declared).inputs).toMatchObject({
      label: UNKNOWN,
      dnsNotificationsEnabled: [UNKNOWN],
    });
  });

  test("of the type skips the rules of single types", () => {
    expect(problemsOf({ ...emailChannel, type: UNKNOWN, value: "anything", secondaryValue: "GET" })).toEqual(
      [],
    );
  });

  test("does not hide a problem of another input", () => {
    expect(problemsOf({ ...slackChannel, value: UNKNOWN, label: "x" })).toHaveLength(1);
  });
});

describe("a message", () => {
  test("never contains the value of an input", () => {
    const anySecret = fc.string({ unit: "grapheme", minLength: 8, maxLength: 60 });
    // What the messages themselves say could be drawn by chance only.
    const own = JSON.stringify([problemsOf({}), problemsOf({ type: 1, value: 1, label: "" })]);
    fc.assert(
      fc.property(
        anyChannel,
        fc.record({ value: anySecret, secondaryValue: anySecret, label: anySecret, domainId: anySecret }),
        fc.subarray(["value", "secondaryValue", "label", "domainId"] as const, { minLength: 1 }),
        (channel, secrets, names) => {
          const declared = { ...channel };
          for (const name of names) declared[name] = secrets[name];
          const { problems, warnings } = checkInputs(declared);
          const said = [...problems, ...warnings].join("\n");
          for (const name of names) {
            if (!own.includes(secrets[name])) expect(said.includes(secrets[name])).toBe(false);
          }
        },
      ),
    );
  });

  test("never contains a value of the wrong type either", () => {
    for (const name of INPUTS) {
      const said = problemsOf({ ...slackChannel, [name]: { hidden: "wrong-type-secret" } }).join();
      expect(said).toMatch(new RegExp(`${name} is (not|missing)`));
      expect(said).not.toContain("wrong-type-secret");
    }
  });
});

describe("the recorded inputs", () => {
  test("have the flags that are declared, on or off, and no others", () => {
    const flags = {
      whoisNotificationsEnabled: true,
      dnsNotificationsEnabled: false,
      sslNotificationsEnabled: null,
    };
    expect(checkInputs({ ...slackChannel, ...flags }).inputs).toEqual({
      ...slackChannel,
      whoisNotificationsEnabled: true,
      dnsNotificationsEnabled: false,
    });
  });
});

describe("the normalized inputs", () => {
  test.each([
    ["left out", {}],
    ["undefined", { whoisNotificationsEnabled: undefined, onOrphan: undefined, secondaryValue: undefined }],
    [
      "null",
      {
        whoisNotificationsEnabled: null,
        dnsNotificationsEnabled: null,
        sslNotificationsEnabled: null,
        secondaryValue: null,
        onOrphan: null,
        lifecycle: null,
        adopt: null,
      },
    ],
    [
      "the default",
      {
        whoisNotificationsEnabled: true,
        dnsNotificationsEnabled: true,
        sslNotificationsEnabled: true,
        onOrphan: "warn",
        lifecycle: "create-only",
      },
    ],
  ])("are the same when optional inputs are %s", (_what, optional) => {
    expect(normalise({ ...slackChannel, ...optional })).toEqual({
      ...slackChannel,
      whoisNotificationsEnabled: true,
      dnsNotificationsEnabled: true,
      sslNotificationsEnabled: true,
    });
  });

  test("keep false, null as a destination, the method and onOrphan error", () => {
    const declared = { ...webhookChannel, value: null, onOrphan: "error" };
    expect(normalise(declared)).toEqual({
      ...declared,
      whoisNotificationsEnabled: true,
      sslNotificationsEnabled: true,
    });
  });

  test("do not change when they are normalized again", () => {
    fc.assert(
      fc.property(anyChannel, (channel) => {
        const once = normalise(channel);
        expect(normalise(once)).toEqual(once);
      }),
    );
  });

  test("leave the declared inputs unchanged", () => {
    const declared = Object.freeze({ ...webhookChannel, secondaryValue: null });
    expect(normalise(declared)).not.toBe(declared);
    expect(declared.secondaryValue).toBeNull();
  });
});
