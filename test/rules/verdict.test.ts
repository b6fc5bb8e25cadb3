/** What the rules make of a domain. */
import type { DescribedChange } from "../../src/rules/reviewed-changes";
import { type DomainRules, judgeDomain } from "../../src/rules/verdict";
import { domain } from "./support/domain";

const now = new Date("2026-03-10T12:00:00Z");
const checkedAt = "2026-03-10T06:00:00.000000Z";
const certified = { expiresAt: "2026-12-31", lastCheckedAt: checkedAt };
const rules: DomainRules = {
  expiry: { minimumDays: 30, warnDays: 60, certificateDays: 14 },
  components: [],
  changes: undefined,
  accept: undefined,
};
const change: DescribedChange = {
  id: "3F0C1111-1111-4111-8111-111111111111",
  kind: "whois",
  fieldChanged: "registrar",
  createdAt: "2026-03-09 02:10:00",
  summary: "registrar: Former Registrar → Example Registrar",
};
const fine = () => domain({ checkedAt, ssl: certified });
/** What is found, as `about severity: message`. */
const found = (
  judged = fine(),
  given: Partial<DomainRules> = {},
  changes: DescribedChange[] = [],
): string[] => {
  const { findings } = judgeDomain(judged, changes, { ...rules, ...given }, now);
  return findings.map(({ about, severity, message }) => `${about} ${severity}: ${message}`);
};

it("nothing is found of a domain in good order, whatever is required", () => {
  const components = ["whois", "dns", "ssl"] as const;
  expect(judgeDomain(fine(), [], { ...rules, components }, now)).toMatchObject({ findings: [], remarks: [] });
});

describe("the registration and the certificate", () => {
  it.each([
    ["2026-03-11", "registration error: expires on 2026-03-11, in 1 day, and 30 days are required: renew it"],
    [
      "2026-04-20",
      "registration warning: expires on 2026-04-20, in 41 days, fewer than the 60 days of the warning: renew it soon",
    ],
  ])("a registration until %s", (expiresAt, line) => {
    expect(found(domain({ expiresAt, checkedAt, ssl: certified }))).toEqual([line]);
  });

  it.each([
    [{ isEnabled: false }, "is not monitored: switch its checks on in the service"],
    [{ expiresAt: null, lastCheckedAt: null }, "was not checked yet: wait for its first check"],
  ])("a certificate that is %j, once also where its component is required", (ssl, message) => {
    const judged = domain({ checkedAt, ssl: { ...certified, ...ssl } });
    expect(found(judged, { components: ["ssl"] })).toEqual([`certificate error: its certificate ${message}`]);
  });

  it("a certificate without a bound is left to its component", () => {
    const judged = domain({ checkedAt, ssl: { ...certified, isEnabled: false } });
    const given = { expiry: { minimumDays: 30 }, components: ["ssl"] as const };
    expect(found(judged, given)).toEqual([
      "component error: its SSL checks are switched off: switch them on in the service",
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
      `component error: ${off}`,
      `component error: ${failed}`,
    ]);
    expect(judgeDomain(broken(), [], { ...rules, components: ["dns"] }, now)).toMatchObject({
      findings: [{ message: failed }],
      remarks: [off],
    });
  });

  it("was checked in time, which of WHOIS data is said once", () => {
    const old = "2026-03-08T12:00:00.000000Z";
    const judged = domain({ checkedAt: old, ssl: { ...certified, lastCheckedAt: "last week" } });
    const given = {
      expiry: { minimumDays: 30, maximumAgeHours: 24 },
      components: ["whois", "dns", "ssl"] as const,
    };
    const late = "check was 48 hours ago and 24 are allowed: see why it is not checked";
    expect(found(judged, given)).toEqual([
      `registration error: expires on 2026-12-31 as far as known, but its last WHOIS ${late}`,
      `component error: its last DNS ${late}`,
      "component error: its last SSL check has a date that cannot be read (last week): look at the domain in the service",
    ]);
  });
});

describe("a change", () => {
  const changes = { since: "2026-03-01", kinds: ["whois"] as const };

  it("that nobody has reviewed ends with the line to paste, also if its text is long or no UUID identifies it", () => {
    const ask = (one: DescribedChange) => found(fine(), { changes }, [one]);
    expect(ask(change)).toEqual([
      "change error: has a change that nobody has reviewed, registrar: Former Registrar → Example Registrar " +
        `(2026-03-09 02:10:00): if it was intended, add to changes.reviewed: - ${change.id}`,
    ]);
    expect(ask({ ...change, summary: "x\n".repeat(2000) })[0]).toMatch(/x x ….*: - 3F0C[-\d]+$/);
    expect(ask({ ...change, id: "4711" })[0]).toMatch(/: - "4711"$/);
  });

  it("is fine if it was reviewed, its field is not asked for, or there is no rule", () => {
    const reviewed = [change.id.toLowerCase()];
    expect(found(fine(), { changes: { ...changes, reviewed } }, [change])).toEqual([]);
    expect(found(fine(), { changes: { ...changes, fields: ["nameservers"] } }, [change])).toEqual([]);
    expect(found(fine(), {}, [change])).toEqual([]);
  });
});

it("a check of two weeks ago is shown where any age is allowed, and not judged", () => {
  const old = domain({ checkedAt: "2026-02-20T06:00:00.000000Z", ssl: certified });
  expect(judgeDomain(old, [], rules, now)).toMatchObject({
    findings: [],
    remarks: ["its last WHOIS check was 18 days ago", "its last DNS check was 18 days ago"],
  });
});

it("an exception makes every violation a warning with its reason, until the end of its last day", () => {
  const judged = domain({
    expiresAt: "2026-04-20",
    checkedAt,
    ssl: { ...certified, expiresAt: "2026-03-11" },
  });
  const [near] = found(judged);
  const accepted = (until: string) => found(judged, { accept: { until, reason: "given\nup" } });
  expect(accepted("2026-03-10")).toEqual([
    near,
    "certificate warning: its certificate expires on 2026-03-11, in 1 day, and 14 days are required: renew it " +
      "(accepted until 2026-03-10: given up)",
  ]);
  expect(accepted("2026-03-09")[1]).toMatch(/^certificate error: .*renew it$/);
});
