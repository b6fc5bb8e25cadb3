/**
 * The order of a report, and its grouping of equal findings. Neither grouping nor a cut loses a
 * finding.
 */
import fc from "fast-check";
import { renderMarkdown } from "../../src/cli/report/markdown";
import type { DomainReport, ReportedFinding } from "../../src/cli/report/model";
import { renderTable } from "../../src/cli/report/table";
import { byUrgency, entriesOf, toReview } from "../../src/cli/report/urgency";
import { KINDS } from "../../src/rules/finding";
import { domainReport, finding, sampleReport } from "./sample";

const reportOn = (domains: DomainReport[]) => ({
  ...sampleReport,
  domains,
  findings: [],
});

const named = (domain: string, ...findings: ReportedFinding[]) =>
  domainReport({
    id: domain,
    domain,
    label: domain,
    verdict: "fail",
    findings,
  });

const change = (text: string, id: string, kind: ReportedFinding["kind"] = "control") =>
  finding(kind, text, { at: "2026-02-28 02:10:00", ids: [id] });

const moved = Array.from({ length: 200 }, (_, index) =>
  named(`moved-${index}.example`, change("unreviewed change, nameservers: a → b", `id-${index}`)),
);

const others = [
  named("shop.example", finding("certificate", "its certificate ends tomorrow", { urgency: 1 })),
  named("stolen.example", change("unreviewed change, registrar: A → Evil", "stolen")),
  named("gone.example", finding("domain", "is not in the account")),
  named("soon.example", finding("registration", "ends soon", { urgency: 9 })),
  named("sooner.example", finding("registration", "ends sooner", { urgency: 2 })),
];

it("200 equal changes are one line that hides no other finding", () => {
  const lines = renderTable(reportOn([...moved, ...others])).split("\n");
  const from = lines.indexOf("Violations");

  expect(lines.slice(from + 1, from + 7)).toEqual([
    "  gone.example: is not in the account",
    "  stolen.example: unreviewed change, registrar: A → Evil (2026-02-28 02:10:00)",
    "  200 domains (moved-0.example, moved-1.example, moved-2.example and 197 more): unreviewed change, nameservers: a → b",
    "  sooner.example: ends sooner",
    "  soon.example: ends soon",
    "  shop.example: its certificate ends tomorrow",
  ]);
});

it("two equal changes of one domain are one line with both times", () => {
  const twice = named("a.example", change("same", "one"), {
    ...change("same", "two"),
    at: "2026-02-27 01:00:00",
  });

  expect(renderTable(reportOn([twice]))).toContain(
    "  a.example: same (2026-02-28 02:10:00, 2026-02-27 01:00:00)\n",
  );
});

it("shortened Markdown keeps urgent findings and counts the lines it left out", () => {
  const many = Array.from({ length: 3000 }, (_, index) =>
    named(
      `domain-${index}.example`,
      change(`unreviewed change, number ${index}`, `id-${index}`, "change"),
    ),
  );

  const markdown = renderMarkdown(reportOn([...many, ...others]));

  expect(markdown).toContain("stolen.example");
  expect(markdown).toContain('    - "stolen" # stolen.example\n');
  expect(markdown).toMatch(
    /^- and \d+ more less urgent violations: the formats json and html have all of them$/m,
  );

  const [, cut] = /^ {4}# and (\d+) more changes to review: /m.exec(markdown) ?? [];

  expect(Number(cut) + (markdown.match(/^ {4}- "/gm)?.length ?? 0)).toBe(3001);
});

const found = fc.record({
  kind: fc.constantFrom(...KINDS),
  verdict: fc.constantFrom("fail", "warn", "unknown"),
  urgency: fc.nat(2),
  text: fc.constantFrom("one", "two", "three"),
  ids: fc.array(fc.uuid(), { maxLength: 2 }),
});

const reports = fc
  .array(fc.array(found, { maxLength: 4 }), { maxLength: 8 })
  .map((all) =>
    all.map((of, index) =>
      named(`${index}.example`, ...of.map(({ kind, text, ...more }) => finding(kind, text, more))),
    ),
  );

it("grouping loses no finding and keeps the order of urgency", () => {
  fc.assert(
    fc.property(reports, (domains) => {
      const entries = entriesOf(reportOn(domains));
      const grouped = entries.flatMap(({ of }) => of);
      const all = domains.flatMap(({ domain, findings }) =>
        findings.map((one) => ({ name: domain, finding: one })),
      );

      expect(grouped).toHaveLength(all.length);
      expect(new Set(grouped.map((one) => one.finding))).toEqual(
        new Set(all.map((one) => one.finding)),
      );

      for (const { finding: first, of } of entries)
        for (const one of of)
          expect(one.finding).toMatchObject({ text: first.text, verdict: first.verdict });

      const order = entries.map(({ finding: first }) => first);

      expect(order).toEqual(order.toSorted(byUrgency));
    }),
  );
});

it("every id of an unaccepted change is listed once, with its domain", () => {
  fc.assert(
    fc.property(reports, (domains) => {
      const expected = domains.flatMap(({ domain, findings }) =>
        findings
          .filter(({ verdict, about }) => verdict === "fail" && about === "changes")
          .flatMap(({ ids }) => ids.map((id) => `${id} ${domain}`)),
      );

      const listed = toReview(entriesOf(reportOn(domains))).map(({ id, name }) => `${id} ${name}`);

      expect(listed.toSorted()).toEqual(expected.toSorted());
    }),
  );
});
