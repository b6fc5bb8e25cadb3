/** The verdicts of the rules on a domain. */
import { type DomainRules, judgeDomain } from "../../src/rules/judge";
import type { DescribedChange } from "../../src/rules/reviewed-changes";
import { domain } from "./support/domain";

const now = new Date("2026-03-10T12:00:00Z");
const checkedAt = "2026-03-10T06:00:00.000000Z";
const certified = { expiresAt: "2026-12-31", lastCheckedAt: checkedAt };

const rules: DomainRules = {
  registration: { minimumDays: 30, warnDays: 60 },
  certificate: { minimumDays: 14 },
  components: [],
  maximumAgeHours: undefined,
  changes: undefined,
  accept: [],
};

const change: DescribedChange = {
  id: "3F0C1111-1111-4111-8111-111111111111",
  kind: "whois",
  fieldChanged: "registrar",
  createdAt: "2026-03-09 02:10:00",
  summary: "registrar: Former Registrar → Example Registrar",
};

const fine = () => domain({ checkedAt, ssl: certified });

const judge = (
  judged = fine(),
  given: Partial<DomainRules> = {},
  changes: DescribedChange[] = [],
) => judgeDomain(judged, changes, { ...rules, ...given }, now);

/** The findings, as `kind verdict: text`. */
const found = (...given: Parameters<typeof judge>): string[] =>
  judge(...given).findings.map(({ kind, verdict, text }) => `${kind} ${verdict}: ${text}`);

it("nothing is found about a domain in good order, whatever is required", () => {
  const components = ["whois", "dns", "ssl"] as const;
  expect(judge(fine(), { components })).toMatchObject({ findings: [], remarks: [] });
});

describe("the registration", () => {
  it.each([
    ["2026-03-11", "registration fail: expires on 2026-03-11, 1 day left, 30 required: renew it"],
    [
      "2026-04-20",
      "registration warn: expires on 2026-04-20, 41 days left, with a warning below 60: renew it soon",
    ],
  ])("until %s", (expiresAt, line) => {
    expect(
      found(
        domain({
          expiresAt,
          checkedAt,
          ssl: certified,
        }),
      ),
    ).toEqual([line]);
  });

  it("of a registry without dates is judged by onUnknown", () => {
    const dateless = domain({
      expiresAt: null,
      checkedAt,
      ssl: certified,
    });

    expect(found(dateless)).toEqual([
      expect.stringMatching(/^registration fail: .* although WHOIS was checked/),
    ]);

    expect(found(dateless, { registration: null })).toEqual([]);

    const lenient = { minimumDays: 30, onUnknown: "warn" } as const;

    expect(found(dateless, { registration: lenient })).toEqual([
      expect.stringMatching(/^registration warn: /),
    ]);
  });

  it("that is not judged leaves the age of its checks to the component", () => {
    const old = domain({
      expiresAt: null,
      checkedAt: "2026-03-08T12:00:00.000000Z",
      ssl: certified,
    });

    const given = {
      registration: null,
      components: ["whois"],
      maximumAgeHours: 24,
    } as const;

    expect(found(old, given)).toEqual([
      "component fail: its last WHOIS check was 48 hours ago and 24 are allowed: see why it is not checked",
    ]);
  });
});

describe("the certificate", () => {
  it("that was not checked yet is one finding, also where its component is required", () => {
    const judged = domain({ checkedAt, ssl: { expiresAt: null, lastCheckedAt: null } });
    expect(found(judged, { components: ["ssl"] })).toEqual([
      "certificate fail: its certificate was not checked yet: wait for its first check",
    ]);
  });

  it("that is switched off is a remark, and a violation where its component is required", () => {
    const judged = domain({ checkedAt, ssl: { ...certified, isEnabled: false } });
    const off = "its SSL checks are switched off: switch them on in the service";

    expect(judge(judged)).toMatchObject({ findings: [], remarks: [off] });
    expect(found(judged, { components: ["ssl"] })).toEqual([`component fail: ${off}`]);
  });

  it("that has changed recently is shown", () => {
    const ssl = {
      ...certified,
      hasChangedRecently: true,
      issuer: "Evil CA",
    };

    expect(judge(domain({ checkedAt, ssl }))).toMatchObject({
      findings: [],
      remarks: ["its certificate has changed recently, and its issuer is Evil CA"],
    });
  });
});

describe("registrars and issuers that are expected", () => {
  const registration = { minimumDays: 30, registrars: ["Example Registrar, Inc."] };
  const certificate = { minimumDays: 14, issuers: ["Let's Encrypt"] };
  const of = (provider: string | null, issuer: string | null) => ({
    ...domain({ checkedAt, ssl: { ...certified, issuer } }),
    provider,
  });

  it("are compared with those of now, without a history", () => {
    expect(
      found(of("EXAMPLE REGISTRAR, INC", "let's encrypt"), { registration, certificate }),
    ).toEqual([]);

    expect(found(of("Evil", "Evil CA"), { registration, certificate })).toEqual([
      "control fail: its registrar is Evil: if that is intended, add it to registration.registrars",
      "certificate fail: its certificate's issuer is Evil CA: if that is intended, add it to certificate.issuers",
    ]);
  });

  it("are other trouble with each other name", () => {
    const states = ["Evil", "More Evil"].map((name) =>
      judge(of(name, "Let's Encrypt"), { registration }).findings.map(({ state }) => state),
    );

    expect(states).toEqual([["registrar Evil"], ["registrar More Evil"]]);
  });

  it("cannot be compared where the service knows none, which is a reaction of its own", () => {
    const onUnknown = "warn" as const;
    const lenient = { registration: { ...registration, onUnknown }, certificate };

    expect(found(of(null, null), lenient)).toEqual([
      expect.stringMatching(/^control warn: its registrar is not known/),
      expect.stringMatching(/^certificate fail: its certificate's issuer is not known/),
    ]);
  });

  it("are not accepted by an exception about dates", () => {
    const accept = [{ about: "registration", until: "2026-12-31", reason: "no date" }] as const;
    const judged = { ...of("Evil", "Let's Encrypt"), expiresAt: null };

    expect(
      found(judged, {
        registration,
        certificate,
        accept,
      }),
    ).toEqual([
      expect.stringMatching(/^registration warn: .* \(accepted until 2026-12-31: no date\)$/),
      expect.stringMatching(/^control fail: its registrar is Evil/),
    ]);
  });
});

describe("a required component", () => {
  const broken = () => {
    const judged = fine();
    const { whois, dns } = judged.components;
    judged.components.whois = { ...whois, isEnabled: false };
    judged.components.dns = { ...dns, checkStatus: "FAILED" };

    return judged;
  };

  const off = "its WHOIS checks are switched off: switch them on in the service";
  const failed = "its DNS check has the status FAILED: see why in the service";

  it("is switched on and HEALTHY; of the others there are only remarks", () => {
    expect(found(broken(), { components: ["whois", "dns"] })).toEqual([
      `component fail: ${off}`,
      `component fail: ${failed}`,
    ]);

    expect(judge(broken(), { components: ["dns"] })).toMatchObject({
      findings: [{ text: failed }],
      remarks: [off],
    });
  });

  it("was checked in time, which of WHOIS data is said once", () => {
    const old = "2026-03-08T12:00:00.000000Z";
    const judged = domain({ checkedAt: old, ssl: { ...certified, lastCheckedAt: "last week" } });
    const given = {
      registration: { minimumDays: 30, maximumAgeHours: 24 },
      maximumAgeHours: 24,
      components: ["whois", "dns", "ssl"] as const,
    };

    const late = "check was 48 hours ago and 24 are allowed: see why it is not checked";

    expect(found(judged, given)).toEqual([
      `registration fail: expires on 2026-12-31 as far as known, but its last WHOIS ${late}`,
      `component fail: its last DNS ${late}`,
      "component fail: its last SSL check has a date that cannot be read (last week): look at the domain in the service",
    ]);
  });
});

describe("a change", () => {
  const changes = { since: "2026-03-01", kinds: ["whois"] as const };
  const ask = (one: DescribedChange, given = {}) =>
    judge(fine(), { changes: { ...changes, ...given } }, [one]).findings;

  it("that nobody has reviewed is a violation with its time and id", () => {
    expect(ask(change)).toEqual([
      {
        kind: "control",
        about: "changes",
        state: "registrar",
        verdict: "fail",
        urgency: 0,
        text: "unreviewed change, registrar: Former Registrar → Example Registrar",
        at: change.createdAt,
        ids: [change.id],
      },
    ]);

    expect(ask({ ...change, summary: "x\n".repeat(2000) })[0]?.text).toMatch(/x x …$/);
  });

  it.each([
    ["whois", "nameservers", "control"],
    ["whois", "status", "control"],
    ["dns", "ns_records", "control"],
    ["dns", "mx_records", "change"],
    ["whois", "organization", "change"],
  ] as const)("of %s, %s is of the kind %s", (kind, fieldChanged, expected) => {
    expect(
      ask({
        ...change,
        kind,
        fieldChanged,
      })[0]?.kind,
    ).toBe(expected);
  });

  it("is fine if it was reviewed or no rule asks for its field", () => {
    expect(ask(change, { reviewed: [change.id.toLowerCase()] })).toEqual([]);
    expect(ask(change, { fields: ["nameservers"] })).toEqual([]);
    expect(ask(change, { ignoreFields: ["registrar"] })).toEqual([]);
    expect(found(fine(), {}, [change])).toEqual([]);
  });
});

it("a check of two weeks ago is shown where any age is allowed, and not judged", () => {
  const old = domain({ checkedAt: "2026-02-20T06:00:00.000000Z", ssl: certified });
  expect(judge(old)).toMatchObject({
    findings: [],
    remarks: ["its last WHOIS check was 18 days ago", "its last DNS check was 18 days ago"],
  });
});

describe("an exception", () => {
  const judged = domain({
    expiresAt: "2026-03-11",
    checkedAt,
    ssl: { ...certified, expiresAt: "2026-03-11" },
  });

  const accept = (about: "registration" | "changes", until: string) => ({
    accept: [{ about, until, reason: "given\nup" }],
  });

  it("makes the violations that it names warnings with its reason, until the end of its last day", () => {
    expect(found(judged, accept("registration", "2026-03-10"))).toEqual([
      "registration warn: expires on 2026-03-11, 1 day left, 30 required: renew it (accepted until 2026-03-10: given up)",
      expect.stringMatching(/^certificate fail: /),
    ]);
  });

  it("that has ended accepts nothing, and is a warning about its domain", () => {
    expect(found(judged, accept("registration", "2026-03-09"))).toEqual([
      expect.stringMatching(/^registration fail: /),
      expect.stringMatching(/^certificate fail: /),
      "exception warn: its exception about registration ended on 2026-03-09 (given up): remove it, or give it a later date",
    ]);

    expect(found(fine(), accept("changes", "2026-03-09"))).toEqual([
      expect.stringMatching(/^exception warn: /),
    ]);
  });
});
