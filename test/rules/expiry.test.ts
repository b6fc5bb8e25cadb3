/** The expiry rule: the days until a date, each status and verdict, and rules that are refused. */
import { daysUntil } from "../../src/rules/days";
import { evaluateDomainExpiry } from "../../src/rules/expiry";
import type { ExpiryRule } from "../../src/rules/expiry-rule";
import { fc } from "../support/properties";
import { domain } from "./support/domain";

const DAY = 86_400_000;
const HOUR = 3_600_000;
const now = new Date("2026-03-10T15:30:00Z");
const isoDate = (time: number) => new Date(time).toISOString().slice(0, 10);

const instants = fc.date({ min: new Date("1990"), max: new Date("2110"), noInvalidDate: true });

/** Applies a rule to a domain in good order with these dates. */
const evaluate = (seed: Parameters<typeof domain>[0], rule: ExpiryRule) =>
  evaluateDomainExpiry(domain(seed), { ...rule, now });

describe("the days until a date", () => {
  it("do not depend on the hour of now or of the date, from the first to the last millisecond in UTC", () => {
    const hours = fc.integer({ min: 0, max: DAY - 1 });
    fc.assert(
      fc.property(instants, fc.integer({ min: -40_000, max: 40_000 }), hours, (at, days, hour) => {
        const midnight = Math.floor(at.getTime() / DAY) * DAY;
        const then = midnight + days * DAY;
        const sql = new Date(then + hour).toISOString().slice(0, 19).replace("T", " ");
        const answers = [
          daysUntil(isoDate(then), new Date(midnight)),
          daysUntil(isoDate(then), new Date(midnight + DAY - 1)),
          daysUntil(isoDate(then), at),
          daysUntil(sql, at),
          daysUntil(`${sql.replace(" ", "T")}.000000Z`, at),
          daysUntil(`${sql}+00:00`, at),
        ];

        expect(answers).toEqual(Array(6).fill(days));
      }),
    );
  });

  it.each(["", "soon", "2026-02-30", "2027-02-29", "2026-3-1"])("until %j are rejected", (date) => {
    expect(() => daysUntil(date, now)).toThrow(
      /^the date is not valid: use one such as 2026-01-31$/,
    );
  });
});

describe("a domain's expiry", () => {
  const year = "2027-03-10";
  const checked = "2026-03-09T15:29:59.000000Z";
  const KNOWN = `expires on ${year} as far as known, but`;
  const LATE = `${KNOWN} its last WHOIS check was 25 hours ago and 24 are allowed: see why it is not`;
  const NEVER = `${KNOWN} its WHOIS data was never checked: run a check, or allow any age`;
  const ageing = { minimumDays: 30, maximumAgeHours: 24 };
  const atLeast = (minimumDays: number) => ({ minimumDays });

  it.each<[string, string, string | null, ExpiryRule, actBy: string, said: string]>([
    ["ok", "2026-04-09", null, atLeast(30), "2026-03-10", "expires on 2026-04-09, 30 days left"],
    ["ok", "2026-03-10", null, atLeast(0), "2026-03-10", "expires on 2026-03-10, 0 days left"],
    ["expiring", "2026-04-08", null, atLeast(30), "2026-03-09", "29 days left, 30 required"],
    ["expiring", "2026-03-10", null, atLeast(1), "2026-03-09", "0 days left, 1 required"],
    ["expired", "2026-03-09", null, atLeast(0), "2026-03-09", "expired on 2026-03-09, 1 day ago"],
    ["stale", year, checked, ageing, "2027-02-08", LATE],
    ["stale", year, null, ageing, "2027-02-08", NEVER],
  ])("is %s, dated %s, checked at %j, by %j", (status, expiresAt, checkedAt, rule, actBy, said) => {
    const { message, ...expiry } = evaluate({ expiresAt, checkedAt }, rule);
    const verdict = status === "ok" ? "pass" : "fail";
    const facts = { domain: "example.com", expiresAt, checkedAt, actBy };
    const unasked = { certificate: null, overridden: false };

    expect(expiry).toEqual({ ...facts, ...unasked, status, verdict });
    expect(message).toMatch(/^example\.com expire[sd] on /);
    expect(message).toContain(said);
  });

  it.each([
    [null, "warn", "has no expiry date yet: wait for its first WHOIS check, or run it by hand"],
    ["soon", "fail", "has an expiry date that is not valid (soon): check the domain"],
  ])("is unknown with the date %j, a %s where onUnknown is warn", (expiresAt, verdict, said) => {
    const { message, ...expiry } = evaluate({ expiresAt }, { minimumDays: 0, onUnknown: "warn" });
    expect(expiry).toMatchObject({ status: "unknown", verdict, actBy: null, expiresAt });
    expect(message).toContain(said);
  });

  it("that a registry does not publish is not waited for", () => {
    const seed = { expiresAt: null, checkedAt: now.toISOString() };
    expect(evaluate(seed, { minimumDays: 30 }).message).toBe(
      "example.com has no expiry date, although WHOIS was checked: if its registry publishes none, set onUnknown to warn",
    );
  });

  it.each([
    [-7_200_000, "ok", "296 days left"],
    [-7_200_001, "stale", "was 3 hours ago and 2 are allowed"],
    [300_000, "ok", "296 days left"],
    [301_000, "stale", "is in the future: compare the clocks"],
    [-3_600_000, "stale", "was 1 hour ago and 0.5 are allowed", 0.5],
  ])("with a check %i ms from now is %s: %s", (offset, status, said, maximumAgeHours = 2) => {
    const checkedAt = new Date(now.getTime() + offset).toISOString();
    const expiry = evaluate({ checkedAt }, { minimumDays: 0, maximumAgeHours });
    expect(expiry.status).toBe(status);
    expect(expiry.message).toContain(said);
  });

  const scenario = fc.record({
    at: instants,
    days: fc.option(fc.integer({ min: -800, max: 800 }), { nil: null }),
    minimumDays: fc.integer({ min: 0, max: 800 }),
    age: fc.option(fc.integer({ min: -5, max: 400 }), { nil: null }),
    maximumAgeHours: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
    overriddenFor: fc.option(fc.integer({ min: -3, max: 3 }), { nil: undefined }),
    mode: fc.constantFrom(undefined, "warn" as const, "error" as const),
    onUnknown: fc.constantFrom(undefined, "warn" as const, "error" as const),
    reason: fc.string({ minLength: 1 }).filter((text) => text.trim() !== ""),
  });

  type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

  function judge(given: Scenario) {
    const { at, days, age, overriddenFor, reason, ...rest } = given;
    const today = Math.floor(at.getTime() / DAY) * DAY;
    const subject = domain({
      expiresAt: days === null ? null : isoDate(today + days * DAY),
      checkedAt: age === null ? null : new Date(at.getTime() - age * HOUR).toISOString(),
    });

    const until = isoDate(today + (overriddenFor ?? 0) * DAY);
    const override = overriddenFor === undefined ? undefined : { until, reason };

    return { ...evaluateDomainExpiry(subject, { ...rest, override, now: at }), today };
  }

  /** Checks everything that holds for any domain and any rule. */
  const whatever = (check: (expiry: ReturnType<typeof judge>, given: Scenario) => void) =>
    fc.assert(fc.property(scenario, (given) => check(judge(given), given)));

  it("has the most severe applicable status", () => {
    whatever(({ status }, { days, minimumDays, age, maximumAgeHours }) => {
      const stale =
        maximumAgeHours !== undefined && (age === null || age < 0 || age > maximumAgeHours);
      let expected = stale ? "stale" : "ok";
      if (days === null) expected = stale && age !== null ? "stale" : "unknown";
      else if (days < 0) expected = "expired";
      else if (days < minimumDays) expected = "expiring";

      expect(status).toBe(expected);
    });
  });

  it("satisfies the rule through actBy, the last day on which it is neither expiring nor expired", () => {
    whatever(({ actBy, status, today }, { days }) => {
      expect(actBy === null).toBe(days === null);
      if (actBy === null) return;
      const late = Date.parse(`${actBy}T00:00:00Z`) < today;
      expect(late).toBe(status === "expiring" || status === "expired");
    });
  });

  it("passes with an override through its last day, with a warning that contains the reason", () => {
    whatever(({ status, overridden, verdict, message }, { overriddenFor, reason }) => {
      const holds = overriddenFor !== undefined && overriddenFor >= 0;
      expect(overridden).toBe(status !== "ok" && holds);

      if (overridden) expect(verdict).toBe("warn");
      if (status === "ok" || overriddenFor === undefined)
        return expect(message).not.toContain("accepted until");

      // Two of these could start a pipeline command.
      const shown = reason
        .replace(/#(?=#)/g, "# ")
        .replace(/\s+/g, " ")
        .trim();

      expect(message).toContain(shown);
      expect(message).toContain(holds ? "(accepted until" : "(was accepted until");
    });
  });

  it("has the verdict of onUnknown or mode", () => {
    whatever(({ status, overridden, verdict }, { onUnknown, mode }) => {
      if (overridden) return;
      const wanted = (status === "unknown" ? onUnknown : mode) ?? "error";
      const expected = { warn: "warn", error: "fail" }[wanted];
      expect(verdict).toBe(status === "ok" ? "pass" : expected);
    });
  });

  it("is plain data with a one-line message that is safe to print", () => {
    whatever((expiry, given) => {
      expect(expiry.message).not.toMatch(/[\r\n\u2028\u2029]/);
      expect(JSON.parse(JSON.stringify(expiry))).toEqual(expiry);
      expect(judge(given)).toEqual(expiry);
    });

    const name = "\u001b[31mevil\u202e.example\r\n<{%fg 1%}>";
    const subject = Object.freeze({ ...domain({ expiresAt: null }), domain: name });
    const reason = `sold \n\t in  spring${"x".repeat(400)}`;
    const override = Object.freeze({ until: "2026-01-01", reason });
    const rule = Object.freeze({ minimumDays: 3, override, now });
    const { message } = evaluateDomainExpiry(subject, rule);

    expect(message).toMatch(
      /^evil \.example <\{ %fg 1%\}> has no .* \(was accepted until 2026-01-01: sold in springx{400}\)$/,
    );
  });
});

it.each([
  [29, "expiring", "fail", "29 days left, 30 required: renew it"],
  [30, "expiring", "warn", "30 days left, with a warning below 60: renew it soon"],
  [59, "expiring", "warn", "59 days left, with a warning below 60: renew it soon"],
  [60, "ok", "pass", "60 days left"],
])("a warning before the bound with %i days left is %s, a %s", (days, status, verdict, said) => {
  const expiresAt = isoDate(now.getTime() + days * DAY);
  const expiry = evaluate({ expiresAt }, { minimumDays: 30, warnDays: 60 });
  expect(expiry).toMatchObject({ status, verdict });
  expect(expiry.message.endsWith(said)).toBe(true);
});

describe("a certificate that the rule asks for", () => {
  const expiresAt = "2027-12-31";
  const rule = { minimumDays: 30, certificateDays: 14 };

  it("is null where the rule does not ask, and not read: mocks may return a domain without one", () => {
    const { ssl: _none, ...components } = domain().components;
    const mocked = { ...domain(), components } as ReturnType<typeof domain>;
    const expiry = evaluateDomainExpiry(mocked, { minimumDays: 30, now });
    expect(expiry).toMatchObject({ certificate: null, verdict: "pass" });
  });

  it.each<[string, NonNullable<Parameters<typeof domain>[0]>["ssl"], string]>([
    ["ok", { expiresAt: "2026-03-24" }, "expires on 2026-03-24, 14 days left"],
    ["expiring", { expiresAt: "2026-03-23" }, "expires on 2026-03-23, 13 days left, 14 required"],
    ["expiring", { expiresAt: "2026-03-10T17:30:00Z" }, "expires on 2026-03-10, 0 days left, 14"],
    ["expired", { expiresAt: "2026-03-09" }, "expired on 2026-03-09: renew it now"],
    [
      "invalid",
      { expiresAt: "2026-12-31", lastFoundInvalidAt: "2026-03-09T00:00:00Z" },
      "was found invalid by its last check: see why, and replace it",
    ],
    ["unknown", {}, "was not checked yet: wait for its first check"],
    ["unmonitored", { isEnabled: false }, "is not monitored: switch its checks on in the service"],
    [
      "unreadable",
      { expiresAt: "in spring" },
      "has a date that cannot be read (expiresAt in spring",
    ],
  ])("is %s with %j", (status, ssl, said) => {
    const expiry = evaluate({ expiresAt, ssl }, rule);
    expect(expiry.certificate?.status).toBe(status);
    expect(expiry.verdict).toBe(status === "ok" ? "pass" : "fail");
    expect(expiry.message).toContain(`${expiresAt}, 661 days left; its certificate ${said}`);
  });

  it("is expiring although another of its dates cannot be read", () => {
    const ssl = { expiresAt: "2026-03-12", lastFoundInvalidAt: "24/10/2026 07:00" };
    const { certificate, verdict } = evaluate({ expiresAt, ssl }, { ...rule, onUnknown: "warn" });
    expect(certificate?.status).toBe("expiring");
    expect(verdict).toBe("fail");
  });

  it.each([
    [{ expiresAt: "2026-03-09" }, { mode: "warn" }, "warn"],
    [{ expiresAt: "2026-03-09" }, { onUnknown: "warn" }, "fail"],
    [{}, { mode: "warn" }, "fail"],
    [{}, { onUnknown: "warn" }, "warn"],
  ] as const)("%j is judged by mode, or by onUnknown: with %j %s", (ssl, reaction, verdict) => {
    expect(evaluate({ expiresAt, ssl }, { ...rule, ...reaction }).verdict).toBe(verdict);
  });

  it("a certificate and the registration together have the worse verdict, and one message with both", () => {
    const override = { until: "2026-03-10", reason: "moving" };
    const seed = { expiresAt: "2026-03-20", ssl: { expiresAt: "2026-12-31" } };

    expect(evaluate(seed, { ...rule, override })).toMatchObject({
      verdict: "warn",
      overridden: true,
      certificate: { daysLeft: 296 },
      message:
        "example.com expires on 2026-03-20, 10 days left, 30 required: renew it; " +
        "its certificate expires on 2026-12-31, 296 days left (accepted until 2026-03-10: moving)",
    });
  });
});

describe("an invalid rule", () => {
  it("is rejected with all of its problems at once", () => {
    const rule = {
      minimumDays: -1,
      maximumAgeHours: 0,
      mode: "ignore",
      onUnknown: "maybe",
      override: { until: "2026-02-30", reason: " ", by: "me" },
      minimumDay: 3,
    } as unknown as ExpiryRule;

    const message =
      "the expiry rule is not valid: minimumDays is not a whole number from 0 to 36500: use one such as 30; " +
      "maximumAgeHours is not a number above 0: use one such as 48; onUnknown is not a valid reaction: use error or warn; mode is not a valid reaction: use error or warn; " +
      "minimumDay is not a property of a rule: remove it; override.until is not a valid date: use one such as 2026-01-31; " +
      "override.reason is not a reason: write one in quotes; override.by is not a property of a rule: remove it";

    const refused = expect.objectContaining({ kind: "validation", message });
    expect(() => evaluateDomainExpiry(domain(), rule)).toThrow(refused);
  });

  const ofOverride = (override: unknown) => ({ minimumDays: 1, override });
  const endless = { maximumAgeHours: Number.POSITIVE_INFINITY };

  it.each([
    [{}, "minimumDays is not a whole number"],
    [{ minimumDays: 1.5 }, "minimumDays is not a whole number"],
    [{ minimumDays: "30" }, "minimumDays is not a whole number"],
    [{ minimumDays: 36_501 }, "minimumDays is not a whole number"],
    [{ minimumDays: 1, ...endless }, "maximumAgeHours is not a number above 0"],
    [{ minimumDays: 30, warnDays: 29 }, "warnDays is below minimumDays: raise it"],
    [{ minimumDays: 1, certificateDays: 1.5 }, "certificateDays is not a whole number"],
    [ofOverride(null), "override is not an exception: use { until, reason }"],
    [ofOverride({ until: 20_260_101, reason: "x" }), "override.until is not a valid date"],
    [ofOverride({ until: "2026-01-01" }), "override.reason is not a reason: write one in quotes"],
    [{ minimumDays: 1, now: "2026-01-01" }, "now is not a valid date: use a Date"],
    [{ minimumDays: 1, now: new Date(Number.NaN) }, "now is not a valid date: use a Date"],
    [null, "it is not an object"],
    [30, "it is not an object"],
  ])("such as %j is rejected", (rule, message) => {
    expect(() => evaluateDomainExpiry(domain(), rule as never)).toThrow(message);
  });
});
