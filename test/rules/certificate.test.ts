/** The state of a certificate, from dates in any format. expiry.test.ts has the rules for it. */
import { judgeCertificate } from "../../src/rules/certificate";
import { domain } from "./support/domain";

const now = new Date("2026-03-01T08:30:00Z");
const checked = "2026-03-01 06:00:00";
const dates = { lastCheckedAt: checked, lastConsideredValidAt: checked };
const { ssl } = domain({ ssl: { expiresAt: "2026-04-30 12:00:00", ...dates } }).components;

it.each([
  ["ok", {}],
  ["unmonitored", { isEnabled: false }],
  ["unknown", { expiresAt: null }],
  ["unreadable", { expiresAt: "next spring" }],
  ["expired", { expiresAt: "2026-03-01T10:29:59+02:00" }],
  ["ok", { expiresAt: "2026-03-01T10:30:01+02:00" }],
  ["ok", { expiresAt: "2026-03-01" }],
  ["expired", { expiresAt: "2026-02-28" }],
  // In the millisecond in which it expires.
  ["expired", { expiresAt: now.toISOString() }],
  // Found valid and invalid at the same time.
  ["ok", { lastFoundInvalidAt: checked }],
  ["invalid", { lastFoundInvalidAt: "2026-03-01 07:00:00" }],
  ["invalid", { lastFoundInvalidAt: "2026-03-01 07:00:00", lastConsideredValidAt: null }],
  ["invalid", { lastFoundInvalidAt: "2026-03-01T08:00:01+02:00" }],
  ["ok", { lastFoundInvalidAt: "2026-03-01T07:59:59+02:00" }],
  ["unreadable", { lastFoundInvalidAt: "lately" }],
  ["unreadable", { lastFoundInvalidAt: "lately", expiresAt: null }],
  ["unreadable", { lastFoundInvalidAt: "2026-02-01 07:00:00", lastConsideredValidAt: "lately" }],
  ["ok", { lastConsideredValidAt: "lately" }],
  ["expired", { lastFoundInvalidAt: "lately", expiresAt: "2026-02-28" }],
  ["invalid", { lastFoundInvalidAt: "2026-03-01 07:00:00", expiresAt: "next spring" }],
  ["unmonitored", { isEnabled: false, expiresAt: "next spring" }],
])("a certificate is %s with %j", (status, changed) => {
  expect(judgeCertificate({ ...ssl, ...changed }, null, now).state.status).toBe(status);
});

it.each([
  ["2026-04-30 12:00:00", 60],
  // This is the next day in UTC.
  ["2026-04-30T23:00:00-05:00", 61],
])("a certificate until %s keeps the date as served and counts UTC days", (expiresAt, daysLeft) => {
  const { state } = judgeCertificate({ ...ssl, expiresAt }, null, now);
  expect(state).toMatchObject({ expiresAt, daysLeft });
});

it("the state names each date that cannot be read, with the original string", () => {
  const checks = { lastFoundInvalidAt: "lately", lastConsideredValidAt: "once" };
  const dates = { expiresAt: "next spring", ...checks };
  const unreadable = Object.entries(dates).map(([field, value]) => ({ field, value }));
  const { state } = judgeCertificate({ ...ssl, ...dates }, null, now);
  const off = judgeCertificate({ ...ssl, ...dates, isEnabled: false }, null, now);

  expect(state).toMatchObject({ expiresAt: "next spring", daysLeft: null, unreadable });
  expect(off.state.unreadable).toEqual([]);
});
