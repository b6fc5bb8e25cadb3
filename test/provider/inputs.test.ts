/** Which inputs of a channel are accepted, and what is said of all others. */
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

/** What is said of a channel of Slack with these inputs. */
const ofSlack = (inputs: Properties) => problemsOf({ ...slackChannel, ...inputs });
const warningsOf = (inputs: Properties) => checkInputs({ ...slackChannel, ...inputs }).warnings;

/** The mark of an unknown value, plain or inside objects and arrays. */
const anyUnknown = fc.constantFrom<unknown>(
  ...Object.values(UNKNOWN_VALUES).flatMap((mark) => [
    mark,
    ["before", mark, null],
    { other: 1, "a.": { deep: [mark] } },
  ]),
);

describe("checking a channel's inputs", () => {
  test("accepts every channel that follows the rules, with any of its inputs unknown at any depth", () => {
    const unknowns = fc.dictionary(fc.constantFrom(...INPUTS), anyUnknown);
    fc.assert(
      fc.property(anyChannel, unknowns, (channel, replaced) => {
        expect(problemsOf(channel)).toEqual([]);
        expect(problemsOf({ ...channel, ...replaced })).toEqual([]);
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

  const ID = "domainId is not a valid id: use the domain's id";
  const WHITESPACE = "has a line break, or whitespace at its ends: remove it";
  const METHOD = "secondaryValue is not a valid webhook method: use one of POST, PUT, PATCH";

  test.each<[string, unknown, string]>([
    ["domainId", 42, ID],
    ["domainId", null, "domainId is missing: give the id of the monitored domain"],
    ["domainId", "..", ID],
    ["domainId", `${DOMAIN}\n`, "domainId begins or ends with whitespace: remove it"],
    // What is no name is not repeated.
    ["domainId", "ops@shop.example", ID],
    ["domainId", "https://key.example/of.somebody", ID],
    ["domainId", "--all.example", ID],
    ["label", " Ops", "label begins or ends with whitespace: remove it"],
    ["secondaryValue", " device", `secondaryValue ${WHITESPACE}`],
    ["label", null, "label is missing: give the channel a name"],
    ["label", "🔔🔔", "label has a length of 2: give it 3 to 100 characters"],
    ["label", "🔔".repeat(101), "label has a length of 101: give it 3 to 100 characters"],
    ["value", undefined, "value is missing: give the destination, or null for none"],
    ["value", "  ", "value is empty: give the destination, or null for none"],
    ["adopt", "history", "adopt is not a valid channel id: give the UUID of a channel that exists"],
  ])("refuses as %s %j", (name, value, problem) => {
    expect(ofSlack({ [name]: value })).toEqual([problem]);
  });

  test("refuses a name in place of an id, and says how to get the id", () => {
    const names = ["example.com", "EXAMPLE.COM.", "shop.example.co.uk", "bücher.example"];
    for (const name of [...names, "xn--e1afmkfd.xn--p1ai", "пример.рф"])
      expect(ofSlack({ domainId: name })).toEqual([
        `domainId is a name (${name}): use its id; \`pulumi-domain-monitoring doctor --domain ${name}\` prints it`,
      ]);
  });

  const IDS = ["7", "example", "v1.2", "dom.7f3a", "a.b", "A-Z_9.c1", "...", "192.0.2.1"];

  test.each<Properties>([
    ...IDS.map((domainId) => ({ domainId })),
    { label: "🔔🔔🔔" },
    { label: "🔔".repeat(100) },
    { secondaryValue: null, lifecycle: null, adopt: null },
    { label: "Ops on-call\nfor shops", secondaryValue: "" },
    { type: "email", value: "first.last+tag@mail.example.co.uk" },
    { type: "email", value: "用户@例子.广告" },
    { type: "email", value: `${"x".repeat(308)}@example.com` },
    { type: "webhook", value: "http://intranet:8080/hook?key=1#part" },
    { type: "webhook", value: "https://user:password@example.com/hook" },
    { type: "webhook", value: "https://[2001:db8::1]/hook" },
    { value: "https://hooks.example/a。b?c。d" },
  ])("accepts %j", (inputs) => {
    expect(ofSlack(inputs)).toEqual([]);
  });

  test("records exactly the declared flags, including unknown ones", () => {
    const flags = { whoisNotificationsEnabled: true, dnsNotificationsEnabled: [UNKNOWN] };
    const declared = { ...slackChannel, label: UNKNOWN, ...flags };
    expect(checkInputs({ ...declared, sslNotificationsEnabled: null }).inputs).toEqual(declared);
  });

  const ADDRESS = "value is not a valid e-mail address: give one, without a name";
  const URL = "value is not a valid http or https URL: give the webhook's address";
  const STOP = 'value has a full stop other than "." in its host: use "."';

  test.each([
    ["email", "@example.com", ADDRESS],
    ["email", "ops@", ADDRESS],
    ["email", "ops@.com", ADDRESS],
    ["email", "ops@@example.com", ADDRESS],
    ["email", "ops @example.com", ADDRESS],
    ["email", "Ops <ops@example.com>", ADDRESS],
    ["email", `${"x".repeat(309)}@example.com`, ADDRESS],
    ["webhook", "example.com/hook", URL],
    ["webhook", "ftp://example.com/hook", URL],
    ["webhook", "https://", URL],
    ["webhook", "https://exa mple.com", URL],
    ["webhook", "https://example.com:99999/", URL],
    ["email", `${EMAIL}\n`, `value ${WHITESPACE}`],
    ["webhook", ` ${WEBHOOK_URL}`, `value ${WHITESPACE}`],
    ["webhook", "https://example.com/\r\nhook", `value ${WHITESPACE}`],
    ["pushover", "key\u3000", `value ${WHITESPACE}`],
    ["slack", "https://hooks。slack。com/services/x", STOP],
    ["webhook", "https://user@hooks．example/x", STOP],
    ["discord", "HTTPS://hooks｡example?x", STOP],
    ["email", "ops@mail.corp。example", STOP],
  ])("refuses as destination of the type %s %j, without a warning", (type, value, problem) => {
    const checked = checkInputs({ ...slackChannel, type, value });
    expect(checked).toMatchObject({ problems: [problem], warnings: [] });
  });

  test.each(["GET", "post", " POST"])("refuses the method %j of a webhook", (secondaryValue) => {
    expect(problemsOf({ ...webhookChannel, secondaryValue })).toEqual([METHOD]);
  });

  test("takes an empty method of a webhook as if it were null", () => {
    const { inputs, problems } = checkInputs({ ...webhookChannel, secondaryValue: "" });
    expect(problems).toEqual([]);
    expect(inputs).not.toHaveProperty("secondaryValue");
  });

  test.each(["discord", "slack", "ms_teams"])("only warns of the destination for %s", (type) => {
    const warning = `value does not look like the https webhook URL that a channel of type ${type} usually has: check it`;
    for (const value of ["#ops", "http://hooks.example/x", "https://hooks.example/a b"]) {
      expect(ofSlack({ type, value })).toEqual([]);
      expect(warningsOf({ type, value })).toEqual([warning]);
    }

    for (const value of ["https://hooks.example/x", null, UNKNOWN])
      expect(warningsOf({ type, value })).toEqual([]);

    // Not beside a problem.
    expect(warningsOf({ type, value: "#ops", label: "x" })).toEqual([]);
  });

  test("does not check the destination of another or unknown type", () => {
    const channel = { ...slackChannel, value: "anything", secondaryValue: "GET" };
    for (const type of ["pushover", UNKNOWN])
      expect(checkInputs({ ...channel, type })).toMatchObject({ problems: [], warnings: [] });
  });
});

test("a message never contains the value of an input", () => {
  const anySecret = fc.string({ unit: "grapheme", minLength: 8, maxLength: 60 });
  const inputs = { value: anySecret, secondaryValue: anySecret, label: anySecret };
  const secrets = fc.record({ ...inputs, domainId: anySecret }, { requiredKeys: [] });
  // Parts of the messages themselves could be drawn by chance only.
  const own = JSON.stringify([problemsOf({}), problemsOf({ type: 1, value: 1, label: "" })]);
  fc.assert(
    fc.property(anyChannel, secrets, (channel, given) => {
      const { problems, warnings } = checkInputs({ ...channel, ...given });
      const said = [...problems, ...warnings].join("\n");
      for (const secret of Object.values(given))
        if (!own.includes(secret)) expect(said.includes(secret)).toBe(false);
    }),
  );
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
