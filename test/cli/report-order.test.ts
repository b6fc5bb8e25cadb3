/**
 * The order of a report, which findings are one entry, and that Markdown never exceeds the size
 * that a platform allows for one comment.
 */
import { byUrgency, entriesOf, urgentFirst } from "../../src/cli/report/groups";
import { MARKDOWN_BUDGET } from "../../src/cli/report/markdown";
import type { DomainReport, ReportedFinding } from "../../src/cli/report/model";
import { render } from "../../src/cli/report/render";
import { KINDS } from "../../src/rules/finding";
import { fc } from "../support/properties";
import {
  domainReport,
  failed,
  finding,
  registered,
  reportOf,
  undetermined,
  reportOn as withChannels,
} from "./sample";

const reportOn = (domains: DomainReport[]) => withChannels(domains, []);

const named = (domain: string, ...findings: ReportedFinding[]) =>
  domainReport({ id: domain, domain, label: domain, verdict: "fail", findings });

/** The lines below a heading of the table. */
function linesBelow(heading: string, text: string): string[] {
  const lines = text.split("\n");
  const rest = lines.slice(lines.indexOf(heading) + 1);
  return rest.slice(0, rest.indexOf("")).map((line) => line.trim());
}

const moved = (count: number, registrar: (index: number) => string) =>
  Array.from({ length: count }, (_, index) =>
    named(
      `moved-${index}.example`,
      finding("registrar", `its registrar is ${registrar(index)}`, { about: "registrar" }),
    ),
  );

const others = [
  named("ended.example", finding("exception", "its exception ended")),
  named("quiet.example", finding("channel", "its channel is gone", { about: "channels" })),
  named("off.example", finding("component", "its DNS checks are off", { about: "dns" })),
  named("shop.example", finding("certificate", "its certificate ends tomorrow", { urgency: 1 })),
  named("gone.example", finding("domain", "is not in the account")),
  named("soon.example", finding("registration", "ends soon", { urgency: 9 })),
  named("sooner.example", finding("registration", "ends sooner", { urgency: 2 })),
];

it.each([
  ["the same", () => "Evil", ""],
  ["each its own", (index: number) => `Evil ${index}`, "; the others differ"],
])("200 domains with another registrar, %s, are one line in its order", (_, registrar, differ) => {
  const text = render(reportOn([...moved(200, registrar), ...others]), "table");
  const [first] = moved(1, registrar);

  expect(linesBelow("Violations", text)).toEqual([
    "gone.example: is not in the account",
    `200 domains (moved-0.example, moved-1.example, moved-2.example and 197 more): ${first?.findings[0]?.text}${differ}`,
    "sooner.example: ends sooner",
    "soon.example: ends soon",
    "shop.example: its certificate ends tomorrow",
    "off.example: its DNS checks are off",
    "quiet.example: its channel is gone",
    "ended.example: its exception ended",
  ]);
});

it("up to ten domains with equal findings are one line with every name, and others keep theirs", () => {
  const equal = moved(10, () => "Evil");
  const names = equal.map(({ domain }) => domain).join(", ");

  expect(linesBelow("Violations", render(reportOn(equal), "table"))).toEqual([
    `10 domains (${names}): its registrar is Evil`,
  ]);
  expect(linesBelow("Violations", render(reportOn(moved(10, String)), "table"))).toHaveLength(10);
});

it("more than ten rows that are alike are the first ones and a number", () => {
  const rows = render(reportOn([...moved(200, String), ...others]), "table")
    .split("\n")
    .slice(3);

  expect(rows.slice(0, 7).map((row) => row.replace(/ {2,}.*/, ""))).toEqual([
    "DOMAIN",
    "gone.example",
    "moved-0.example",
    "moved-1.example",
    "moved-2.example",
    'and 197 more under "Another registrar"',
    "sooner.example",
  ]);
});

it("HTML has each finding of an entry, and repeats no name that a line of many has", () => {
  const html = render(reportOn(moved(40, String)), "html");
  expect(html).toMatch(/<li><details><summary>40 domains \(moved-0\.example, /);
  for (let index = 0; index < 40; index += 1)
    expect(html).toContain(`<li>moved-${index}.example: its registrar is ${index}`);

  const equal = render(reportOn(moved(10, () => "Evil")), "html");
  expect(equal).toMatch(/<li>10 domains \(.*\): its reg/);
});

it("failures that differ only in the domain are one line with their number", () => {
  const domains = Array.from({ length: 7 }, (_, index) =>
    domainReport({
      id: `id-${index}`,
      domain: `${index}.example`,
      ...failed("dns", 500, `GET /api/domains/id-${index}/changes/dns: got 500`),
    }),
  );

  expect(linesBelow("Not determined", render(reportOn(domains), "table"))).toEqual([
    "7 domains (0.example, 1.example, 2.example, 3.example, 4.example, 5.example, 6.example): DNS changes could not be determined: GET /api/domains/…/changes/dns: got 500",
  ]);
});

it("Markdown that is too long has the most urgent, and says what it cut", () => {
  const notes = Array.from({ length: 400 }, (_, index) => `note ${index} ${"x".repeat(300)}`);
  const report = { ...reportOn([...moved(200, String), ...others]), notes };
  const markdown = render(report, "markdown");

  for (const line of ["gone.example: is not in the account", "200 domains"])
    expect(markdown).toContain(`- ${line}`);

  expect(markdown).toMatch(/^- and \d+ more notes: the formats json and html have all of them$/m);
});

/** Any finding with such a text. */
const findingOf = (text: fc.Arbitrary<string>) =>
  fc
    .record({
      kind: fc.constantFrom(...KINDS),
      verdict: fc.constantFrom("fail", "warn", "unknown"),
      urgency: fc.nat(3),
      text,
    })
    .map(({ kind, text, ...more }) => finding(kind, text, more));

const few = findingOf(fc.constantFrom("one", "two", "three"));
const reports = fc
  .array(fc.array(few, { maxLength: 4 }), { maxLength: 30 })
  .map((all) => all.map((of, index) => named(`${index}.example`, ...of)));

it("entries lose no finding, keep the order of urgency, and are one for each kind of many", () => {
  fc.assert(
    fc.property(reports, (domains) => {
      const all = reportOn(domains).findings;
      const entries = entriesOf(all);
      const grouped = entries.flatMap(({ of }) => of);

      expect(grouped).toHaveLength(all.length);
      expect(new Set(grouped)).toEqual(new Set(all));

      const order = entries.map(({ of: [first] }) => first);
      expect(order).toEqual(order.toSorted(byUrgency));
      for (const { of, isSame } of entries) {
        const [one] = of;
        const isAlone = entries.every(
          ({ of: [other] }) =>
            other === one ||
            other.kind !== one.kind ||
            other.verdict !== one.verdict ||
            other.about !== one.about,
        );

        expect(isSame || (isAlone && of.length > 10)).toBe(true);
      }
    }),
  );
});

/** Texts that grow when they are escaped, or have characters of several bytes. */
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("example.com", "Company website", "") },
  fc
    .tuple(fc.constantFrom("@", "|", "<", "例", "👩‍💻", "e\u0301", "\ud800", "a"), fc.nat(400))
    .map(([unit, times]) => unit.repeat(times)),
);

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

const domain: fc.Arbitrary<DomainReport> = fc
  .record({
    id: text,
    label: fc.option(text),
    status: fc.constantFrom("ok", "expiring", "expired", "unknown"),
    expiresAt: fc.option(fc.constantFrom("2026-03-13", "2035-01-01", "next spring")),
    daysLeft: fc.option(fc.integer({ min: -900, max: 4000 })),
    changes: fc.option(changes),
    findings: fc.array(findingOf(text), { maxLength: 3 }).map((all) => all.toSorted(byUrgency)),
  })
  .map(({ status, expiresAt, daysLeft, ...rest }) => ({
    ...registered("example.com", status, expiresAt, daysLeft),
    ...rest,
  }));

it("Markdown of any report is below the limit of one comment, and has the first rows of each group and the number of the others", () => {
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
        const markdown = render({ ...withChannels(domains), notes: manyNotes }, "markdown");

        expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(MARKDOWN_BUDGET);
        expect(markdown.length).toBeLessThan(65_536);
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

it("Markdown leaves to the table what the other parts do not need", () => {
  expect(render(reportOf(1000), "markdown").length).toBeGreaterThan(50_000);
});

it("Markdown says why nothing was determined, however many domains there are", () => {
  const domains = Array.from({ length: 500 }, (_, index) =>
    undetermined(`nobody-${index}`, 401, `nobody-${index}: the API token was not accepted`),
  );
  expect(render(withChannels(domains), "markdown")).toMatch(
    /^### Not determined\n\n- 500 domains \(nobody-0, nobody-1, nobody-2 and 497 more\): .* the API token was not accepted\n/m,
  );
});
