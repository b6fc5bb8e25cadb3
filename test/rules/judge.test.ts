/** The verdicts of the rules on a domain. */
import type { DomainRules } from "../../src/rules/components";
import { judgeDomain } from "../../src/rules/judge";
import { domain } from "./support/domain";

const now = new Date("2026-03-10T12:00:00Z");
const checkedAt = "2026-03-10T06:00:00.000000Z";
const twoDaysAgo = "2026-03-08T12:00:00.000000Z";
const components = ["whois", "dns", "ssl"] as const;
const certified = { expiresAt: "2026-12-31", lastCheckedAt: checkedAt };

const rules: DomainRules = {
  registration: { minimumDays: 30, warnDays: 60 },
  certificate: { minimumDays: 14 },
  components: [],
  maximumAgeHours: undefined,
  accept: [],
};

const fine = () => domain({ checkedAt, ssl: certified });

const judge = (judged = fine(), given: Partial<DomainRules> = {}) =>
  judgeDomain(judged, { ...rules, ...given }, now);

/** The findings, as `kind verdict: text`. */
const found = (...given: Parameters<typeof judge>): string[] =>
  judge(...given).findings.map(({ kind, verdict, text }) => `${kind} ${verdict}: ${text}`);

it("nothing is found about a domain in good order, whatever is required", () => {
  expect(judge(fine(), { components })).toMatchObject({ findings: [], remarks: [] });
});

it("a registration of a registry without dates is judged by onUnknown", () => {
  const dateless = domain({ expiresAt: null, checkedAt, ssl: certified });
  const lenient = { minimumDays: 30, onUnknown: "warn" } as const;
  const undated = /^registration fail: .* although WHOIS was checked/;

  expect(found(dateless)).toEqual([expect.stringMatching(undated)]);
  expect(found(dateless, { registration: null })).toEqual([]);
  expect(found(dateless, { registration: lenient })).toEqual([
    expect.stringMatching(/^registration warn: /),
  ]);
});

it("a registration that is not judged leaves the age of its checks to the component", () => {
  const old = domain({ expiresAt: null, checkedAt: twoDaysAgo, ssl: certified });
  const given = { registration: null, components: ["whois"], maximumAgeHours: 24 } as const;
  expect(found(old, given)).toEqual([
    "component fail: its last WHOIS check was 48 hours ago and 24 are allowed: see why it is not checked",
  ]);
});

describe("a date that means none", () => {
  const NONE = ["", "0", "0000-00-00", "0001-01-01", "-0001-11-30", "1970-01-01"];

  it.each([...NONE, "1970-01-01 00:00:00"])("such as %j is judged by onUnknown", (date) => {
    const rule = { minimumDays: 14, onUnknown: "warn" } as const;
    const ssl = { expiresAt: date, lastCheckedAt: checkedAt, lastFoundInvalidAt: date };
    const none = domain({ expiresAt: date, checkedAt, ssl });

    expect(judge(none, { registration: rule, certificate: rule })).toMatchObject({
      registration: { status: "unknown", expiresAt: null, daysLeft: null },
      certificate: { status: "unknown", expiresAt: null },
      findings: [{ verdict: "warn" }, { verdict: "warn" }],
    });
  });

  it("is not one with an offset", () => {
    const { registration } = judge(domain({ expiresAt: "2026-03-20T00:30:00+02:00", checkedAt }));
    expect(registration).toMatchObject({ status: "expiring", daysLeft: 9 });
  });
});

describe("a domain that was just added", () => {
  const added = (createdAt: string) => ({ ...domain({ expiresAt: null }), createdAt });
  const given = { components, maximumAgeHours: 336 };
  const verdicts = (createdAt: string) =>
    new Set(judge(added(createdAt), given).findings.map(({ verdict }) => verdict));

  it("is a warning in its first seven days, as long as nothing was checked", () => {
    expect(found(added("2026-03-10 11:00:00"), given)).toEqual([
      "component warn: was added on 2026-03-10 11:00:00 and is not checked yet: this is a violation after 7 days",
    ]);
    expect(verdicts("2026-03-03 12:30:00")).toEqual(new Set(["warn"]));
    expect(verdicts("2026-03-03 11:30:00")).toEqual(new Set(["fail"]));

    const checked = added("2026-03-10 11:00:00");
    checked.components.dns.lastCheckedAt = checkedAt;
    expect(judge(checked, given).findings.some(({ verdict }) => verdict === "fail")).toBe(true);
  });

  it("is a violation where checks that are required are switched off", () => {
    const off = added("2026-03-10 11:00:00");
    off.components.dns = { ...off.components.dns, isEnabled: false };
    expect(found(off, given)).toContainEqual(
      expect.stringMatching(/^component fail: its DNS checks are switched off/),
    );
  });
});

it("a certificate that was not checked yet is one finding, even where its component is required", () => {
  const judged = domain({ checkedAt, ssl: { expiresAt: null, lastCheckedAt: null } });
  expect(found(judged, { components: ["ssl"], maximumAgeHours: 24 })).toEqual([
    "certificate fail: its certificate was not checked yet: wait for its first check",
  ]);
});

it("a certificate that is switched off is a remark, and a violation where its component is required", () => {
  const judged = domain({ checkedAt, ssl: { ...certified, isEnabled: false } });
  const off = "its SSL checks are switched off: switch them on in the service";
  expect(judge(judged)).toMatchObject({ findings: [], remarks: [off] });
  expect(found(judged, { components: ["ssl"] })).toEqual([`component fail: ${off}`]);
});

describe("registrars and issuers that are expected", () => {
  const registration = { minimumDays: 30, registrars: ["Example Registrar, Inc."] };
  const certificate = { minimumDays: 14, issuers: ["Let's Encrypt"] };
  type Name = string | null;
  const of = (provider: Name, issuer: Name, organization: Name = null) => {
    const ssl = { ...certified, issuer, organization };
    return { ...domain({ checkedAt, ssl }), provider };
  };

  it("are compared with those of now", () => {
    const expected = { registration, certificate };
    expect(found(of("EXAMPLE REGISTRAR, INC", "let's encrypt"), expected)).toEqual([]);
    expect(found(of("Evil", "Evil CA"), expected)).toEqual([
      "registrar fail: its registrar is Evil: if that is intended, add it to registration.registrars",
      "certificate fail: its certificate's issuer is Evil CA: if that is intended, add it to certificate.issuers",
    ]);
  });

  it("match the organization of a certificate as well as its issuer", () => {
    expect(found(of("Evil", "R11", "LETS ENCRYPT"), { certificate })).toEqual([]);
    expect(found(of("Evil", "R11", "Evil CA"), { certificate })).toEqual([
      "certificate fail: its certificate's issuer is R11 of Evil CA: if that is intended, add it to certificate.issuers",
    ]);
  });

  it("are other trouble with each other name", () => {
    const states = ["Evil", "More Evil"].map((name) =>
      judge(of(name, "Let's Encrypt"), { registration }).findings.map(({ state }) => state),
    );
    expect(states).toEqual([["unexpected Evil"], ["unexpected More Evil"]]);
  });

  it("cannot be compared where the service knows none, which is a reaction of its own", () => {
    const onUnknown = "warn" as const;
    const lenient = { registration: { ...registration, onUnknown }, certificate };
    expect(found(of(null, null), lenient)).toEqual([
      expect.stringMatching(/^registrar warn: its registrar is not known/),
      expect.stringMatching(/^certificate fail: its certificate's issuer is not known/),
    ]);
  });
});

describe("a required component", () => {
  it("is switched on and HEALTHY; of the others there are only remarks", () => {
    const broken = fine();
    broken.components.whois.isEnabled = false;
    broken.components.dns.checkStatus = "FAILED";
    const off = "its WHOIS checks are switched off: switch them on in the service";
    const failed = "its DNS check has the status FAILED: see why in the service";

    expect(found(broken, { components: ["whois", "dns"] })).toEqual([
      `component fail: ${off}`,
      `component fail: ${failed}`,
    ]);

    expect(judge(broken, { components: ["dns"] })).toMatchObject({
      findings: [{ text: failed }],
      remarks: [off],
    });
  });

  it("was checked in time, which of WHOIS data is said once", () => {
    const ssl = { ...certified, lastCheckedAt: "last week" };
    const registration = { minimumDays: 30, maximumAgeHours: 24 };
    const given = { registration, maximumAgeHours: 24, components };
    const late = "check was 48 hours ago and 24 are allowed: see why it is not checked";
    expect(found(domain({ checkedAt: twoDaysAgo, ssl }), given)).toEqual([
      `registration fail: expires on 2026-12-31 as far as known, but its last WHOIS ${late}`,
      `component fail: its last DNS ${late}`,
      "component fail: its last SSL check has a date that cannot be read (last week): look at the domain in the service",
    ]);
  });
});

describe("an exception", () => {
  const expiresAt = "2026-03-11";
  const judged = domain({ expiresAt, checkedAt, ssl: { ...certified, expiresAt } });

  const accept = (about: "registration", until: string) => ({
    accept: [{ about, until, reason: "given up" }],
  });

  it("about a registration accepts no other registrar", () => {
    const registration = { minimumDays: 30, registrars: ["Example Registrar"] };
    const stolen = { ...judged, provider: "Evil" };
    const given = { registration, ...accept("registration", "2026-12-31") };
    expect(found(stolen, given)).toContainEqual(expect.stringMatching(/^registrar fail: /));
  });

  it("makes the violations that it names warnings with its reason, until the end of its last day", () => {
    expect(found(judged, accept("registration", "2026-03-10"))).toEqual([
      "registration warn: expires on 2026-03-11, 1 day left, 30 required: renew it (accepted until 2026-03-10: given up)",
      expect.stringMatching(/^certificate fail: /),
    ]);
  });

  it("leaves a finding as it is that is no violation", () => {
    const soon = domain({ expiresAt: "2026-04-29", checkedAt, ssl: certified });
    const warning = found(soon);
    expect(warning).toEqual([expect.stringMatching(/^registration warn: /)]);
    expect(found(soon, accept("registration", "2026-03-10"))).toEqual(warning);
  });

  it("an exception that has ended accepts nothing, and is a warning about its domain", () => {
    expect(found(judged, accept("registration", "2026-03-09"))).toEqual([
      expect.stringMatching(/^registration fail: /),
      expect.stringMatching(/^certificate fail: /),
      "exception warn: its exception about registration ended on 2026-03-09 (given up): remove it, or give it a later date",
    ]);
  });
});
