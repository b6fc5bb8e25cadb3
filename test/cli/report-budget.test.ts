/** A Markdown report never exceeds the size that a platform allows for one comment. */
import { byUrgency, urgentFirst } from "../../src/cli/report/groups";
import { MARKDOWN_BUDGET } from "../../src/cli/report/markdown";
import type { DomainReport, ReportedFinding } from "../../src/cli/report/model";
import { render } from "../../src/cli/report/render";
import { KINDS } from "../../src/rules/finding";
import { fc } from "../support/properties";
import { finding, registered, reportOf, reportOn, undetermined } from "./sample";

const LIMIT = 65_536;

/** Texts that grow when they are escaped, or have characters of several bytes. */
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("example.com", "Company website", "") },
  fc
    .tuple(fc.constantFrom("@", "|", "<", "例", "👩‍💻", "e\u0301", "\ud800", "a"), fc.nat(400))
    .map(([unit, times]) => unit.repeat(times)),
);

const date = fc.option(fc.constantFrom("2026-03-13", "2035-01-01", "next spring"));

const changes = fc.array(
  fc.record({
    id: text,
    fieldChanged: text,
    kind: fc.constantFrom("whois", "dns"),
    createdAt: fc.constant("2026-02-20 10:00:00"),
    summary: fc.option(text),
    oldValue: fc.option(text),
    newValue: fc.option(text),
  }),
  { maxLength: 4 },
);

const found: fc.Arbitrary<ReportedFinding> = fc
  .record({
    kind: fc.constantFrom(...KINDS),
    verdict: fc.constantFrom("warn", "fail", "unknown"),
    urgency: fc.nat(3),
    text,
  })
  .map(({ kind, text, ...more }) => finding(kind, text, more));

const domain: fc.Arbitrary<DomainReport> = fc
  .record({
    id: text,
    domain: fc.option(text),
    label: fc.option(text),
    status: fc.constantFrom("ok", "expiring", "expired", "unknown"),
    expiresAt: date,
    daysLeft: fc.option(fc.integer({ min: -900, max: 4000 })),
    changes: fc.option(changes),
    findings: fc.array(found, { maxLength: 3 }).map((all) => all.toSorted(byUrgency)),
  })
  .map(({ status, expiresAt, daysLeft, ...rest }) => ({
    ...registered("example.com", status, expiresAt, daysLeft),
    ...rest,
  }));

it("any report is below the limit, and has the first rows of each group and the number of the others", () => {
  fc.assert(
    fc.property(
      fc.array(domain, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 150 }),
      fc.array(text, { maxLength: 4 }),
      (some, repeated, notes) => {
        const domains = Array.from({ length: repeated }, () => some)
          .flat()
          .map((one, index) => ({ ...one, domain: `row-${index}` }));
        const manyNotes = Array.from({ length: repeated }, () => notes).flat();
        const markdown = render({ ...reportOn(domains), notes: manyNotes }, "markdown");

        expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(MARKDOWN_BUDGET);
        expect(markdown.length).toBeLessThan(LIMIT);
        // Every folded section is closed, so that it hides nothing after it.
        expect(markdown.split("<details>").length).toBe(markdown.split("</details>").length);

        const shown = [...markdown.matchAll(/^\| [^|]+ \| (row-\d+)/gm)].map(([, name]) => name);
        expect(shown.length).toBeGreaterThan(0);

        for (const [isFine, more] of [
          [false, "less urgent domains"],
          [true, "domains that are fine"],
        ] as const) {
          const names = urgentFirst(domains)
            .filter(({ findings }) => (findings.length === 0) === isFine)
            .map((one) => one.domain);
          const rows = shown.filter((name) => names.includes(`${name}`));
          const cut = new RegExp(`^And (\\d+) more ${more}`, "m").exec(markdown)?.[1];

          expect(rows).toEqual(names.slice(0, rows.length));
          expect(Number(cut ?? 0)).toBe(names.length - rows.length);
        }
      },
    ),
    { numRuns: 20 },
  );
});

it("leaves to the table what the other parts do not need", () => {
  expect(render(reportOf(1000), "markdown").length).toBeGreaterThan(50_000);
});

it("says why nothing was determined, however many domains there are", () => {
  const domains = Array.from({ length: 500 }, (_, index) =>
    undetermined(`nobody-${index}`, 401, `nobody-${index}: the API token was not accepted`),
  );
  const markdown = render(reportOn(domains), "markdown");
  expect(markdown).toMatch(
    /^### Not determined\n\n- 500 domains \(nobody-0, nobody-1, nobody-2 and 497 more\): .* the API token was not accepted\n/m,
  );
});
