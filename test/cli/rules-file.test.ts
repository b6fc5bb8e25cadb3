/** The rules file: its values, the messages about mistakes in it, and its schema for editors. */
import { readFileSync } from "node:fs";
import path from "node:path";
import * as yaml from "yaml";
import { z } from "zod";
import { bindRules, isNamed } from "../../src/cli/rules/binding";
import { parseRules, readRules } from "../../src/cli/rules/file";

const now = new Date("2026-11-23T12:00:00Z");
const parse = (text: string) => parseRules(text, "rules.yaml", now);

/** The rules for a domain. */
const rulesOf = (domain: string, text: string, given: Parameters<typeof bindRules>[1] = {}) =>
  bindRules(parse(text), given).of(domain);

const example = `\
registration: { minimumDays: 30, warnDays: 60, maximumAgeHours: 336 }
certificate: { minimumDays: 7 }
domains:
  parked.example:
    certificate: ~
    accept: [{ about: registration, until: 2026-12-31, reason: "given up, ticket 4711" }]
  Shop.example.: { registration: { minimumDays: 45 } }
`;

describe("the rules of a file", () => {
  it("hold for every domain, and for one with bounds of its own in part", () => {
    const ofAll = { minimumDays: 30, warnDays: 60, maximumAgeHours: 336 };
    expect(rulesOf("other.example", example)).toMatchObject({
      registration: ofAll,
      certificate: { minimumDays: 7 },
      components: [],
      maximumAgeHours: 336,
      accept: [],
    });

    expect(rulesOf("shop.EXAMPLE", example)).toMatchObject({
      registration: { ...ofAll, minimumDays: 45 },
      certificate: { minimumDays: 7 },
    });

    expect(rulesOf("parked.example", example)).toMatchObject({
      registration: ofAll,
      certificate: null,
      accept: [{ about: "registration", until: "2026-12-31", reason: "given up, ticket 4711" }],
    });
  });

  it("come after options, which switch on nothing that is off, and before the defaults", () => {
    const given = { minimumDays: 10, certificateDays: 3 };
    expect(rulesOf("shop.example", example, given)).toMatchObject({
      registration: { minimumDays: 10, warnDays: 60, maximumAgeHours: 336 },
      certificate: { minimumDays: 3 },
    });
    expect(rulesOf("parked.example", example, given)).toMatchObject({ certificate: null });
    expect(rulesOf("shop.example", "registration:", given)).toMatchObject({ registration: null });

    expect(rulesOf("shop.example", "")).toMatchObject({
      registration: { minimumDays: 30 },
      certificate: { minimumDays: 14 },
      accept: [],
    });
  });

  const groups = `\
registration: { minimumDays: 30, maximumAgeHours: 336, registrars: [A] }
components: { required: [whois, dns] }
groups:
  no-dates: { names: ["*.de", "*.at"], registration: null }
  lenient: { names: ["*.nl"], registration: { onUnknown: warn } }
  parked: { names: ["old-*.example", "old-*.de"], certificate: null, components: { required: [whois] } }
domains:
  shop.de: { registration: { minimumDays: 60 } }
  old-one.example: { components: { required: [] } }
`;

  it("group rules apply in their order to the names that match, and a domain's rules on top", () => {
    expect(rulesOf("a.example", groups)).toMatchObject({ components: ["whois", "dns"] });
    expect(rulesOf("a.de", groups)).toMatchObject({ registration: null, maximumAgeHours: 336 });
    expect(rulesOf("A.NL.", groups)).toMatchObject({
      registration: { minimumDays: 30, onUnknown: "warn" },
    });

    expect(rulesOf("old-a.de", groups)).toMatchObject({
      registration: null,
      certificate: null,
      components: ["whois"],
    });

    expect(rulesOf("shop.de", groups)).toMatchObject({
      registration: { minimumDays: 60, registrars: ["A"] },
    });
    expect(rulesOf("old-one.example", groups)).toMatchObject({ certificate: null, components: [] });
  });

  it("groups apply in the order of the file, even if their names are digits", () => {
    const text = `\
groups:
  lenient: { names: ["*"], registration: { minimumDays: 1 } }
  2: { names: ["*.de"], registration: { minimumDays: 2 } }
  1: { names: ["*.de"], registration: { minimumDays: 3 } }
`;

    expect(parse(text).groups.map(({ name }) => name)).toEqual(["lenient", "2", "1"]);
    expect(rulesOf("shop.de", text).registration).toMatchObject({ minimumDays: 3 });
  });

  it.each([
    ["*.de", "shop.example.de", true],
    ["*.de", "de", false],
    ["*.DE.", "shop.de", true],
    ["old-*.example", "old-.example", true],
    ["old-*.example", "bold-1.example", false],
    ["a.example", "aXexample", false],
    ["b\u00fccher-*.example", "xn--bcher-a-n2a.example", true],
    ["xn--*", "b\u00fccher.example", true],
  ])("a pattern %s matches %s: %p", (pattern, name, matches) => {
    expect(isNamed(name, [pattern])).toBe(matches);
  });

  it("may have parts that are empty", () => {
    const text =
      "components:\nchannels:\ngroups:\ndomains:\n  a.example:\n  b.example: { accept: }";

    expect(rulesOf("a.example", text)).toMatchObject({ components: [], accept: [] });
    expect(rulesOf("b.example", text).accept).toEqual([]);
    expect(rulesOf("b.example", "domains:")).toEqual(rulesOf("b.example", ""));
  });

  it("may be JSON, and begin with a byte order mark", () => {
    const rules = parse('\ufeff{\n  "registration": { "minimumDays": 7 }\n}');
    expect(rules.registration?.minimumDays).toBe(7);
  });
});

describe("a mistake in the file is named with its line", () => {
  const NO_RULE = "is not a rule of this version: correct or remove it";
  const NO_GROUP = "is not a group of rules: write it as { name: value }";
  const NO_REASON = "is not a reason: write one in quotes";
  const NO_TEXT = "is not a string: put it in quotes";
  const NO_DATE = "is not a valid date: use one such as 2026-01-31";
  const FAR = "is more than 366 days from today: use an earlier date";
  const NO_SUBJECT = "is not a subject: use registration, certificate, whois, dns, ssl or channels";
  const NO_DAYS = "is not a whole number from 0 to 36500: use one such as 30";
  const NO_COMPONENT = "is not a component: use whois, dns or ssl";
  const NO_LIST = "is not a list: write it as [one, another]";
  const NO_REACTION = "is not a valid reaction: use error or warn";
  const TWICE = "is listed twice: keep one of them";
  const EMPTY = "is empty: fill it in or remove it";
  const accepted = "3: domains.a.example.accept.0";
  const example = (accept: string) => `domains:\n  a.example:\n    accept: [${accept}]`;
  it.each([
    ["\nregistrations: {}", `2: registrations ${NO_RULE}`],
    ["registration:\n  minimumdays: 3", `2: registration.minimumdays ${NO_RULE}`],
    ['registration:\n  minimumDays: "30"', `2: registration.minimumDays ${NO_DAYS}`],
    ["components: { required: [whois, tls] }", `1: components.required.1 ${NO_COMPONENT}`],
    ["channels: { recorded: all }", "1: channels.recorded is not a boolean: use true or false"],
    ["registration: 5", `1: registration ${NO_GROUP}`],
    ["components: { required: whois }", `1: components.required ${NO_LIST}`],
    ["- 1", `1: the file ${NO_GROUP}`],
    ["certificate: { issuers: [4711] }", `1: certificate.issuers.0 ${NO_TEXT}`],
    [example("{ about: dns, until: 2026-12-31, reason: 4711 }"), `${accepted}.reason ${NO_REASON}`],
    [example("{ about: dns, until: 2026-12-31 }"), `${accepted}.reason is missing: add it`],
    [example("{ until: 2026-12-31, reason: sold }"), `${accepted}.about ${NO_SUBJECT}`],
    [example("{ about: dns, until: 2027-11-25, reason: sold }"), `${accepted}.until ${FAR}`],
    ["groups: { parked: { names: [] } }", `1: groups.parked.names ${EMPTY}`],
    ["groups: { parked: {} }", "1: groups.parked.names is missing: add it"],
    ["registration: { onUnknown: ignore }", `1: registration.onUnknown ${NO_REACTION}`],
    ["domains:\n  shop: {}", "2: domains.shop is not a domain name: use one such as example.com"],
    [
      'domains:\n  a.example: {}\n  "*.example": {}',
      "3: domains.*.example is a pattern, and domains have names: write a group with it",
    ],
    ["domains:\n  a.example: {}\n  A.example.: {}", `3: domains.A.example. ${TWICE}`],
    [
      "domains:\n  a.example: {}\n  b.example: { registration: { minimumDays: 30, warnDays: 20 } }",
      "3: domains.b.example.registration has warnDays below minimumDays: raise them",
    ],
  ])("%j", (text, message) => {
    expect(() => parse(text)).toThrow(new Error(`rules.yaml:${message}`));
  });

  it("several are named in one line, and those behind an alias with the line of the alias", () => {
    const text =
      "domains:\n  a.example: &x { accept: [{ about: dns, until: soon, reason: sold, by: me }] }\n  # The same.\n  b.example: *x";

    const said = ["2: domains.a.example", "4: domains.b.example"].flatMap((place) =>
      [`until ${NO_DATE}`, `by ${NO_RULE}`].map((one) => `rules.yaml:${place}.accept.0.${one}`),
    );

    expect(() => parse(text)).toThrow(new Error(said.join("; ")));
  });

  it("a file that is not YAML is named with the line", () => {
    expect(() => parse("a: 1\na: 2")).toThrow(/^rules\.yaml:2: not valid YAML or JSON: /);
    // The first of several problems.
    expect(() => parse("groups:\n  a: { names: [b, c }\n  d: {}")).toThrow(
      /^rules\.yaml:2: .* end with a ]$/,
    );
    expect(() => parse('groups:\n  a: { names: ["*.at"] }\n  b: { names: [*.de] }')).toThrow(
      new Error('rules.yaml:3: YAML takes *.de for an alias: put it in quotes, "*.de"'),
    );
  });

  it("a file that is not there is named by its path", async () => {
    await expect(readRules("no-such-rules.yaml", now)).rejects.toThrow(
      new Error("no-such-rules.yaml could not be read (ENOENT): check the path given to --rules"),
    );
  });
});

describe("the schema of the file, for editors", () => {
  const root = path.join(__dirname, "../..");
  const shipped = readFileSync(path.join(root, "examples/gitops/domain-monitoring.yaml"), "utf8");

  it("is the one that the command checks with; if not, run `npm run generate -- rules-schema`", () => {
    const { text }: { text: () => string } = require("../../scripts/rules-schema.cjs");
    expect(readFileSync(path.join(root, "rules.schema.json"), "utf8")).toBe(text());
  });

  it("is in the package, where the first line of the shipped file names it", () => {
    const { name, files } = require("../../package.json");
    const named = /^# yaml-language-server: \$schema=\.\/node_modules\/(\S+)\/(\S+)\n/.exec(
      shipped,
    );
    expect(named?.slice(1)).toEqual([name, "rules.schema.json"]);
    expect(files).toContain("rules.schema.json");
  });

  it("accepts the shipped file with all of its examples, as the command does, and no other key", () => {
    // The examples in the file are comments with one space.
    const examples = shipped.replace(
      /^( *)# (registrars:|issuers:|channels:|groups:|domains:| {2})/gm,
      "$1$2",
    );

    expect(parse(examples)).toMatchObject({
      channels: { recorded: true },
      groups: [{ name: "no-dates" }, { name: "parked" }],
      domains: { "shop.example": {}, "given-up.example": {} },
    });

    const schema = z.fromJSONSchema(require("../../rules.schema.json"));
    expect(schema.safeParse(yaml.parse(examples)).error).toBeUndefined();

    const misspelt = { registration: { minimumdays: 3 }, domains: { "a.example": { x: 1 } } };
    expect(schema.safeParse(misspelt).error?.issues).toMatchObject([
      { keys: ["minimumdays"] },
      { keys: ["x"] },
    ]);
  });
});
