/** Days do not depend on the time zone of the process. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { evaluateDomainExpiry } from "../../src/rules/expiry";
import { domain } from "./support/domain";

const BUILT = path.join(__dirname, "../../dist/rules/expiry.js");

it("the days until a date are the same in every time zone of the process", () => {
  const script = `
    const { evaluateDomainExpiry } = require(${JSON.stringify(BUILT)});
    const { domain, rules, zones } = JSON.parse(process.argv[1]);
    console.log(JSON.stringify(zones.map((zone) => {
      process.env.TZ = zone;
      const of = ({ now, ...rule }) => evaluateDomainExpiry(domain, { ...rule, now: new Date(now) });
      return [new Date(0).getHours(), rules.map(of)];
    })));`;

  const subject = domain({ expiresAt: "2026-03-29", checkedAt: "2026-03-27T23:30:00.000000Z" });
  // These are the nights around clock changes in Europe and North America.
  const moments = ["2026-03-08T06:59:59Z", "2026-03-28T23:59:59.999Z", "2026-03-29T00:00:00Z"];
  moments.push("2026-03-29T01:30:00Z", "2026-03-29T23:59:59.999Z", "2026-03-30T00:00:00Z");
  const override = { until: "2026-03-29", reason: "Sold" };
  const rules = moments.map((now) => ({ minimumDays: 1, maximumAgeHours: 24, override, now }));
  const zones = ["UTC", "Pacific/Kiritimati", "Pacific/Marquesas"];
  zones.push("America/New_York", "Asia/Kathmandu");

  const args = ["-e", script, JSON.stringify({ domain: subject, rules, zones })];
  const printed = execFileSync(process.execPath, args, { encoding: "utf8" });
  const answers: [hour: number, unknown][] = JSON.parse(printed);
  const here = rules.map(({ now, ...rule }) =>
    evaluateDomainExpiry(subject, { ...rule, now: new Date(now) }),
  );

  // At 1970-01-01T00:00Z, each of these zones was in effect.
  expect(answers.map(([hour]) => hour)).toEqual([0, 13, 14, 19, 5]);

  for (const [, answer] of answers) expect(answer).toEqual(here);
});
