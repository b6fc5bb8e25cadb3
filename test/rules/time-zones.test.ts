/** Days do not depend on the time zone of the process. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { daysUntil, evaluateDomainExpiry } from "../../src";
import { domain } from "./support/domain";

it("the days until a date are the same in every time zone of the process", () => {
  const module = (name: string) => JSON.stringify(path.join(__dirname, "../../dist/rules", name));
  const script = `
    const { daysUntil } = require(${module("days.js")});
    const { evaluateDomainExpiry } = require(${module("expiry.js")});
    const { domain, rules, zones } = JSON.parse(process.argv[1]);
    console.log(JSON.stringify(zones.map((zone) => {
      process.env.TZ = zone;
      return [new Date(0).getHours(), rules.map(({ now, ...rule }) => [
        daysUntil(domain.expiresAt, new Date(now)),
        evaluateDomainExpiry(domain, { ...rule, now: new Date(now) }),
      ])];
    })));`;

  const subject = domain({ expiresAt: "2026-03-29", checkedAt: "2026-03-27T23:30:00.000000Z" });
  // These are the nights around clock changes in Europe and North America.
  const moments = ["2026-03-08T06:59:59Z", "2026-03-28T23:59:59.999Z", "2026-03-29T00:00:00Z"];
  moments.push("2026-03-29T01:30:00Z", "2026-03-29T23:59:59.999Z", "2026-03-30T00:00:00Z");
  const override = { until: "2026-03-29", reason: "Sold" };
  const rule = { minimumDays: 1, maximumAgeHours: 24, override };
  const rules = moments.map((now) => ({ ...rule, now }));
  const zones = ["UTC", "Pacific/Kiritimati", "Pacific/Marquesas"];
  zones.push("America/New_York", "Asia/Kathmandu");

  const args = ["-e", script, JSON.stringify({ domain: subject, rules, zones })];
  const child = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (child.status !== 0) throw new Error(child.stderr);

  const answers: [hour: number, unknown][] = JSON.parse(child.stdout);
  const here = rules.map(({ now: moment, ...rule }) => [
    daysUntil("2026-03-29", new Date(moment)),
    evaluateDomainExpiry(subject, { ...rule, now: new Date(moment) }),
  ]);

  // At 1970-01-01T00:00Z, each of these zones was in effect.
  expect(answers.map(([hour]) => hour)).toEqual([0, 13, 14, 19, 5]);

  for (const [, answer] of answers) expect(answer).toEqual(here);
});
