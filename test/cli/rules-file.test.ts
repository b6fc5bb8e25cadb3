/** The file of rules: what is taken from it, and what is said of mistakes. */
import { bindRules, parseRules, readRules } from "../../src/cli/rules-file";

const now = new Date("2026-11-23T12:00:00Z");
const parse = (text: string) => parseRules(text, "rules.yaml", now);
const report = { minimumDays: 30, certificateDays: 14 };

const example = `\
registration: { minimumDays: 30, warnDays: 60, maximumAgeHours: 336 }
certificate: { minimumDays: 7 }
domains:
  parked.example: { certificate: ~, accept: { until: 2026-12-31, reason: "given up, ticket 4711" } }
  Shop.example.: { registration: { minimumDays: 45 } }
`;

describe("the rules of a file", () => {
  it("name required components and changes to be reviewed, those of WHOIS data unless it says otherwise", () => {
    const text =
      "components: { required: [whois, dns] }\nchanges: { since: 2026-11-01 08:30:00, fields: [registrar] }";
    expect(bindRules(parse(text), {}, report)("other.example")).toMatchObject({
      components: ["whois", "dns"],
      changes: { since: "2026-11-01 08:30:00", kinds: ["whois"], fields: ["registrar"], reviewed: [] },
    });
  });

  it("hold for every domain, and for one with bounds of its own in part", () => {
    const rules = parse(example);
    expect(bindRules(rules, {}, report)("other.example")).toEqual({
      expiry: { minimumDays: 30, warnDays: 60, maximumAgeHours: 336, certificateDays: 7 },
      components: [],
      changes: undefined,
      accept: undefined,
    });
    expect(bindRules(rules, {}, report)("shop.EXAMPLE")).toMatchObject({
      expiry: { minimumDays: 45, warnDays: 60, certificateDays: 7 },
    });
    expect(bindRules(rules, {}, report)("parked.example")).toMatchObject({
      expiry: { minimumDays: 30, certificateDays: undefined },
      accept: { until: "2026-12-31", reason: "given up, ticket 4711" },
    });
  });

  it("come after options, and before what a command takes for granted", () => {
    const given = { minimumDays: 10, warnDays: undefined, certificateDays: 3 };
    expect(bindRules(parse(example), given, report)("shop.example").expiry).toEqual({
      minimumDays: 10,
      warnDays: 60,
      maximumAgeHours: 336,
      certificateDays: 3,
    });
    expect(bindRules(parse(""), {}, report)("shop.example")).toEqual({
      expiry: { minimumDays: 30, certificateDays: 14 },
      components: [],
      changes: undefined,
      accept: undefined,
    });
    expect(
      bindRules(parse(""), {}, { minimumDays: 5 })("shop.example").expiry.certificateDays,
    ).toBeUndefined();
  });

  it.each<[string, object, string]>([
    [example, { minimumDays: 90 }, "a warning below 60 days comes later than the violation below 90 days: "],
    [
      example,
      { warnDays: 40 },
      "Shop.example.: a warning below 40 days comes later than the violation below 45 days: ",
    ],
    [
      "registration: { warnDays: 1 }",
      {},
      "a warning below 1 day comes later than the violation below 30 days: ",
    ],
  ])("%j with the options %j are refused, as they warn later than they fail", (text, given, message) => {
    const advice = "raise --warn-days, or warnDays in the file of rules";
    expect(() => bindRules(parse(text), given, report)).toThrow(new Error(message + advice));
  });

  it("may be JSON, and begin with a byte order mark", () => {
    const rules = parse('\ufeff{\n  "registration": { "minimumDays": 7 }\n}');
    expect(rules.registration?.minimumDays).toBe(7);
  });
});

describe("a mistake in the file is named with its line", () => {
  const NO_RULE = "is not a rule of this version: correct or remove it";
  const NO_GROUP = "is not a group of rules: write it as { name: value }";
  const NO_TEXT = "is not a text: put it in quotes";
  const example = (accept: string) => `domains:\n  a.example:\n    accept: ${accept}`;
  it.each([
    ["\nregistrations: {}", `2: registrations ${NO_RULE}`],
    ["registration:\n  minimumdays: 3", `2: registration.minimumdays ${NO_RULE}`],
    [
      'registration:\n  minimumDays: "30"',
      "2: registration.minimumDays is not a whole number of days: use one such as 30",
    ],
    [
      "components: { required: [whois, tls] }",
      "1: components.required.1 is not a component: use whois, dns or ssl",
    ],
    ["channels: { recorded: all }", "1: channels.recorded is not a boolean: use true or false"],
    ["registration: 5", `1: registration ${NO_GROUP}`],
    ["components: { required: whois }", "1: components.required is not a list: write it as [one, another]"],
    ["domains: 5", `1: domains ${NO_GROUP}`],
    ["- 1", `1: the file ${NO_GROUP}`],
    ["changes:\n  kinds: [whois]", "2: changes.since is missing: add it"],
    [
      "changes:\n  since: yesterday",
      '2: changes.since is not a date: use one such as 2026-01-31 or "2026-01-31 08:30:00", taken as UTC',
    ],
    [
      "changes:\n  since: 2026-11-24",
      "2: changes.since is in the future (in UTC): give a time from which changes are known",
    ],
    [
      "changes:\n  since: 2026-11-01\n  kinds: []",
      "3: changes.kinds is empty: name whois or dns, or remove it",
    ],
    ["changes:\n  since: 2026-11-01\n  reviewed:\n    - a1\n    - 4711", `5: changes.reviewed.1 ${NO_TEXT}`],
    [example("{ until: 2026-12-31, reason: 4711 }"), `3: domains.a.example.accept.reason ${NO_TEXT}`],
    [example("\n      until: 2026-12-31"), "4: domains.a.example.accept.reason is missing: add it"],
    [
      example("{ until: 2026-11-22, reason: sold }"),
      "3: domains.a.example.accept.until has passed: remove the exception, or give it a later date",
    ],
    [
      example("{ until: soon, reason: sold }"),
      "3: domains.a.example.accept.until is not a date: use one such as 2026-01-31",
    ],
    [
      example("{ until: 2026-12-31, reason: ' ' }"),
      "3: domains.a.example.accept.reason is empty: fill it in or remove it",
    ],
    ["domains:\n  shop: {}", "2: domains.shop is not a domain name: use one such as example.com"],
    [
      "domains:\n  a.example: {}\n  A.example.: {}",
      "3: domains.A.example. is listed twice: keep one of them",
    ],
  ])("%j", (text, message) => {
    expect(() => parse(text)).toThrow(new Error(`rules.yaml:${message}`));
  });

  it("several are named in one line, each with its own", () => {
    expect(() => parse("registration: { minimumDays: -1 }\ncertificate: { minimumDays: 1.5 }")).toThrow(
      new Error(
        "rules.yaml:1: registration.minimumDays is below 0: use 0 or more; " +
          "rules.yaml:2: certificate.minimumDays is not a whole number of days: use one such as 30",
      ),
    );
  });

  it("bounds that warn later than they fail are named wherever they are", () => {
    const text = `\
registration: { minimumDays: 30, warnDays: 20 }
domains:
  a.example: {}
  b.example: { registration: { minimumDays: 10 } }
  c.example: { registration: { minimumDays: 25 } }
`;
    expect(() => parse(text)).toThrow(
      new Error(
        "rules.yaml:1: registration has warnDays below minimumDays: raise them; " +
          "rules.yaml:5: domains.c.example.registration has warnDays below minimumDays: raise them",
      ),
    );
  });

  it("and behind an alias with that of the alias", () => {
    const text =
      "domains:\n  a.example: &x { accept: { until: soon, reason: sold, by: me } }\n  # The same.\n  b.example: *x";
    const problems = [
      "until is not a date: use one such as 2026-01-31",
      "by is not a rule of this version: correct or remove it",
    ];
    const said = [
      [2, "a.example"],
      [4, "b.example"],
    ].flatMap(([line, name]) =>
      problems.map((problem) => `rules.yaml:${line}: domains.${name}.accept.${problem}`),
    );
    expect(() => parse(text)).toThrow(new Error(said.join("; ")));
  });

  it("which is no YAML at all", () => {
    expect(() => parse("registration: {\nchanges: [")).toThrow(/^rules\.yaml:\d: not valid YAML or JSON: /);
    expect(() => parse("a: 1\na: 2")).toThrow(/^rules\.yaml:2: not valid YAML or JSON: /);
    expect(() => parse("registration: *missing")).toThrow(/^rules\.yaml: not valid YAML or JSON: /);
  });

  it("and a file that is not there by its path", async () => {
    await expect(readRules("no-such-rules.yaml", now)).rejects.toThrow(
      new Error("no-such-rules.yaml could not be read (ENOENT): check the path given to --rules"),
    );
  });
});
