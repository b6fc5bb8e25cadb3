/**
 * The order of a report, and what of it is one entry. Neither an entry nor a cut hides the steps of
 * a theft.
 */
import fc from "fast-check";
import { byUrgency, entriesOf, findingsOf } from "../../src/cli/report/entries";
import { MARKDOWN_BUDGET } from "../../src/cli/report/markdown";
import type { DomainReport, ReportedFinding } from "../../src/cli/report/model";
import { KINDS } from "../../src/rules/finding";
import {
  changed,
  domainReport,
  failed,
  finding,
  renderHtml,
  renderMarkdown,
  renderTable,
  sampleReport,
} from "./sample";

const reportOn = (domains: DomainReport[]) => ({ ...sampleReport, domains, findings: [] });

const named = (domain: string, ...findings: ReportedFinding[]) =>
  domainReport({ id: domain, domain, label: domain, verdict: "fail", findings });

/** The lines below a heading of the table. */
function linesBelow(heading: string, text: string): string[] {
  const lines = text.split("\n");
  const rest = lines.slice(lines.indexOf(heading) + 1);

  return rest.slice(0, rest.indexOf("")).map((line) => line.trim());
}

const moved = (count: number, target: (index: number) => string) =>
  Array.from({ length: count }, (_, index) =>
    named(
      `moved-${index}.example`,
      changed(
        "nameservers",
        "nameservers",
        `unreviewed change, nameservers: a → ${target(index)}`,
        `id-${index}`,
      ),
    ),
  );

const others = [
  named("shop.example", finding("certificate", "its certificate ends tomorrow", { urgency: 1 })),
  named("mail.example", changed("mail", "mx_records", "unreviewed change, MX", "mail")),
  named("open.example", changed("status", "status", "unreviewed change, status", "open")),
  named("stolen.example", changed("registrar", "registrar", "unreviewed change, Evil", "stolen")),
  named("gone.example", finding("domain", "is not in the account")),
  named("soon.example", finding("registration", "ends soon", { urgency: 9 })),
  named("sooner.example", finding("registration", "ends sooner", { urgency: 2 })),
];

it.each([
  ["the same", () => "b", ""],
  ["each its own", (index: number) => `b${index}`, "; the others differ"],
])(
  "200 domains with other name servers, %s, are one line in the order of the contract",
  (_, target, differ) => {
    const text = renderTable(reportOn([...moved(200, target), ...others]));
    const [first] = moved(1, target);

    expect(linesBelow("Violations", text)).toEqual([
      "stolen.example: unreviewed change, Evil (2026-02-28 02:10:00)",
      "open.example: unreviewed change, status (2026-02-28 02:10:00)",
      `200 domains (moved-0.example, moved-1.example, moved-2.example and 197 more): ${first?.findings[0]?.text}${differ}`,
      "gone.example: is not in the account",
      "sooner.example: ends sooner",
      "soon.example: ends soon",
      "shop.example: its certificate ends tomorrow",
      "mail.example: unreviewed change, MX (2026-02-28 02:10:00)",
    ]);
  },
);

it("up to ten domains with equal findings are one line with every name, and others keep theirs", () => {
  const equal = moved(10, () => "b");
  const names = equal.map(({ domain }) => domain).join(", ");

  expect(linesBelow("Violations", renderTable(reportOn(equal)))).toEqual([
    `10 domains (${names}): unreviewed change, nameservers: a → b`,
  ]);

  expect(linesBelow("Violations", renderTable(reportOn(moved(10, String))))).toHaveLength(10);
});

it("HTML has each finding of an entry", () => {
  const html = renderHtml(reportOn(moved(40, String)));

  expect(html).toMatch(/<li><details><summary>40 domains \(moved-0\.example, /);
  for (let index = 0; index < 40; index += 1)
    expect(html).toContain(
      `<li>moved-${index}.example: unreviewed change, nameservers: a → ${index}`,
    );
});

it("new findings of an entry come first", () => {
  const wave = moved(40, String).map((one, index) => ({
    ...one,
    findings: one.findings.map((found) => ({ ...found, isNew: index === 39 })),
  }));

  expect(linesBelow("Violations", renderTable(reportOn(wave)))).toEqual([
    expect.stringMatching(
      /^1 new: 40 domains \(moved-39\.example, moved-0\.example, .* → 39; the others differ$/,
    ),
  ]);
});

it("failures that differ only in the domain are one line with their number", () => {
  const domains = Array.from({ length: 7 }, (_, index) =>
    domainReport({
      id: `id-${index}`,
      domain: `${index}.example`,
      ...failed("dns", 500, `GET /api/domains/id-${index}/changes/dns: got 500`),
    }),
  );

  expect(linesBelow("Not determined", renderTable(reportOn(domains)))).toEqual([
    "7 domains (0.example, 1.example, 2.example, 3.example, 4.example, 5.example, 6.example): DNS changes could not be determined: GET /api/domains/…/changes/dns: got 500",
  ]);
});

it("Markdown that is too long has every change of control, and says what it cut", () => {
  const routine = Array.from({ length: 400 }, (_, index) =>
    named(
      `busy-${index}.example`,
      changed("change", `field-${index}`, `unreviewed change ${"x".repeat(300)}`, `busy-${index}`),
    ),
  );

  const markdown = renderMarkdown(reportOn([...routine, ...moved(200, String), ...others]));

  expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(MARKDOWN_BUDGET);
  for (const line of ["stolen.example: unreviewed", "open.example: unreviewed", "200 domains"])
    expect(markdown).toContain(`- ${line}`);

  for (const [id, about] of [
    ["stolen", "stolen.example, registrar"],
    ["open", "open.example, status"],
    ["id-199", "moved-199.example, nameservers"],
  ])
    expect(markdown).toContain(`    - "${id}" # ${about}, 2026-02-28\n`);

  expect(markdown).toMatch(
    /^- and \d+ more less urgent violations: the formats json and html have all of them$/m,
  );

  const [, cut] = /^ {4}# and (\d+) more changes to review: /m.exec(markdown) ?? [];

  expect(Number(cut) + (markdown.match(/^ {4}- "/gm)?.length ?? 0)).toBe(603);
});

it("ids to review stand in two blocks, each with domain, field and date", () => {
  const many = changed("change", "a_records", "2 unreviewed changes, A: …", "one", "two");
  const text = renderTable(reportOn([named("a.example", many), ...others]));

  expect(text).toContain(`
If these other changes were intended, add to the rules file
changes:
  reviewed:
    - "mail" # mail.example, MX, 2026-02-28
    - "one" # a.example, A, 2026-02-28
    - "two" # a.example, A, 2026-02-27

If these changes of registrar, status or name servers were intended, add to the rules file
changes:
  reviewed:
    - "stolen" # stolen.example, registrar, 2026-02-28
    - "open" # open.example, status, 2026-02-28
`);
});

const found = fc.record({
  kind: fc.constantFrom(...KINDS),
  verdict: fc.constantFrom("fail", "warn", "unknown"),
  urgency: fc.nat(2),
  text: fc.constantFrom("one", "two", "three"),
  field: fc.option(fc.constantFrom("a", "b")),
});

const reports = fc
  .array(fc.array(found, { maxLength: 4 }), { maxLength: 30 })
  .map((all) =>
    all.map((of, index) =>
      named(`${index}.example`, ...of.map(({ kind, text, ...more }) => finding(kind, text, more))),
    ),
  );

it("entries lose no finding, keep the order of urgency, and are one for each kind and field of many", () => {
  fc.assert(
    fc.property(reports, (domains) => {
      const all = findingsOf(reportOn(domains));
      const entries = entriesOf(all);
      const grouped = entries.flatMap(({ of }) => of);

      expect(grouped).toHaveLength(all.length);
      expect(new Set(grouped)).toEqual(new Set(all));

      const order = entries.map(({ finding: first }) => first);

      expect(order).toEqual(order.toSorted(byUrgency));
      for (const { finding: one, of, isSame } of entries) {
        const isAlone = entries.every(
          ({ finding: other }) =>
            other === one ||
            other.kind !== one.kind ||
            other.field !== one.field ||
            other.verdict !== one.verdict ||
            other.about !== one.about,
        );

        expect(isSame || (isAlone && of.length > 10)).toBe(true);
      }
    }),
  );
});
