/** A report as HTML: it stands alone, escapes all texts, and draws each day in its place. */
import { groupsOf, urgentFirst } from "../../src/cli/report/groups";
import { render } from "../../src/cli/report/render";
import { renderTimeline, timeScale } from "../../src/cli/report/timeline";
import { fc } from "../support/properties";
import {
  certified,
  domainReport,
  failed,
  hostileReport,
  registered,
  reportOf,
  reportOn,
  sampleReport,
} from "./sample";

/**
 * Fails if the markup is not well-formed XML: every tag closed, every attribute quoted, no stray
 * character.
 */
function expectWellFormed(markup: string): void {
  const open: string[] = [];
  const tags = /<(\/?)([\w:-]+)(?:\s+[\w:-]+="[^"<]*")*\s*(\/?)>/g;
  const text = markup.replace(tags, (tag, closing: string, name: string, empty: string) => {
    // What closes another tag stays, and is found below.
    if (closing) return open.pop() === name ? "" : tag;
    if (!empty) open.push(name);

    return "";
  });

  expect(open).toEqual([]);
  expect(text).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot|#39);)/);
}

/** The boxes of the texts in the picture, for a font with wide characters. */
function textBoxes(svg: string): { text: string; from: number; to: number; y: number }[] {
  const texts = [
    ...svg.matchAll(/<text( class="([\w ]+)")? x="([\d.]+)" y="([\d.]+)"([^>]*)>([^<]*)</g),
  ];

  return texts.map(([, , kind = "", x, y, rest = "", text = ""]) => {
    const length = text.length * (kind.includes("note") ? 6.4 : 7.4);
    const from = rest.includes("middle") ? Number(x) - length / 2 : Number(x);
    return { text, from, to: from + length, y: Number(y) };
  });
}

function overlapping(svg: string): string[] {
  const boxes = textBoxes(svg);
  return boxes.flatMap((a, index) =>
    boxes
      .slice(index + 1)
      .filter((b) => Math.abs(a.y - b.y) < 12 && a.from < b.to && b.from < a.to)
      .map((b) => `${a.text} on ${b.text}`),
  );
}

describe("a report as HTML", () => {
  const page = render(sampleReport, "html");

  it("needs no scripts and no external resources", () => {
    expect(page).not.toMatch(
      /<script|<link|<img|<iframe|<object|@import|javascript:|\son\w+=["']/i,
    );

    expect(page).not.toMatch(/<[^>]*\s(?:src|href|action)=|url\((?!#)/i);
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  it("escapes all text from the service and the command line", () => {
    const hostile = render(hostileReport, "html");
    expect(hostile).not.toContain("<img");
    expect(hostile).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expectWellFormed(hostile.slice(hostile.indexOf("<svg"), hostile.indexOf("</svg>") + 6));
    expectWellFormed(hostile.slice(hostile.indexOf("<table"), hostile.indexOf("</table>") + 8));
  });

  it("shows column names in the cells instead of a timeline on a narrow screen", () => {
    const narrow = [...page.matchAll(/@media \(max-width: 700px\) \{\n([\s\S]*?)\n\}/g)]
      .map(([, css]) => css)
      .join("\n");

    expect(narrow).toContain("figure { display: none; }");
    expect(narrow).toContain(".narrow { display: block; }");
    expect(narrow).not.toMatch(/min-width: [1-9]/);

    const [heads = ""] = /<thead>.*<\/thead>/.exec(page) ?? [];
    const columns = [...heads.matchAll(/<th scope="col">([^<]*)</g)].map(([, column]) => column);
    expect(columns.length).toBeGreaterThan(3);
    for (const [index, column] of columns.slice(1).entries())
      expect(narrow).toContain(`td:nth-of-type(${index + 1})::before { content: "${column}"; }`);
  });
});

describe("the timeline", () => {
  it.each([
    ["40 domains", reportOf(40)],
    ["domains in every state", sampleReport],
  ])("the timeline of %s has no overlapping text and none outside the picture", (_, report) => {
    const svg = renderTimeline(report);
    expectWellFormed(svg);
    expect(overlapping(svg)).toEqual([]);

    const width = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
    expect(textBoxes(svg).filter(({ from, to }) => from < 0 || to > width)).toEqual([]);
    expect(svg.match(/class="date /g)).toHaveLength(report.domains.length);
  });

  it("ends a date beyond the picture in an arrow, and one within in a circle", () => {
    const barOf = (date: string) => {
      const svg = renderTimeline(reportOn([registered("example.com", "ok", date, 365)]));
      return /<g class="bar ok"><rect [^>]*\/><(\w+) /.exec(svg)?.[1];
    };

    expect(barOf("2027-03-01")).toBe("circle");
    expect(barOf("2036-03-01")).toBe("path");
  });

  it("draws a certificate that ends soon in its color, and no band if the minimum is 0 days", () => {
    const expiresAt = "2026-03-10T00:00:00Z";
    const domains = [certified("a.example", { status: "expiring", expiresAt, daysLeft: 9 })];
    const svg = renderTimeline({ ...sampleReport, minimumDays: 0, domains });
    const bars = [...svg.matchAll(/<g class="bar (\w+)">/g)].map(([, state]) => state);
    expect(bars).toEqual(["ok", "expiring"]);
    expect(svg).not.toContain('class="bound"');
  });

  it("places days in order and within its bounds, with ticks that do not overlap", () => {
    const now = new Date("2026-03-01T08:30:00Z");
    const offsets = fc.array(fc.integer({ min: -4000, max: 4000 }), { maxLength: 20 });
    fc.assert(
      fc.property(offsets, fc.integer({ min: 0, max: 36_500 }), (days, bound) => {
        const instants = days.map((offset) => new Date(now.getTime() + offset * 86_400_000));
        const dates = instants.map((at) => at.toISOString().slice(0, 10));
        const domains = dates.map((date) => registered("a", "ok", date, 0));
        const scale = timeScale(domains, now, bound);
        const sorted = [...instants, now].sort((a, b) => a.getTime() - b.getTime());
        const places = sorted.map((instant) => scale.position(instant).x);

        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(places.every((x) => x >= 236 && x <= 762)).toBe(true);

        const gaps = scale.ticks.slice(1).map(({ x }, index) => x - (scale.ticks[index]?.x ?? 0));
        expect(scale.ticks.length).toBeGreaterThan(0);
        expect(gaps.every((gap) => gap > 45)).toBe(true);
      }),
    );
  });
});

it("domains are in the order of their most urgent findings, and so are their groups", () => {
  const lapsed = (domain: string, daysLeft: number) =>
    certified(domain, { status: "expired", daysLeft: -daysLeft });

  const unknown = {
    ...registered("unknown", "ok", "2026-04-10", 40),
    ...failed("dns", 500, "later"),
  };

  const expiring = registered("expiring", "expiring", "2026-03-13", 12);
  const sorted = urgentFirst([unknown, lapsed("later", 1), expiring, lapsed("sooner", 5)]);
  expect(sorted.map(({ domain }) => domain)).toEqual(["expiring", "sooner", "later", "unknown"]);
  const keys = groupsOf(sorted).map(({ key }) => key);
  expect(keys).toEqual(["registration", "certificate", "unknown"]);
});

it("a page of 1,000 domains takes less than 400 kB, with bars only for domains that do not pass", () => {
  const domains = Array.from({ length: 1000 }, (_, index) => {
    const name = `domain-${index}.example`;

    return index % 100 === 0
      ? registered(name, "expiring", "2026-03-13", 12)
      : domainReport({ id: name, domain: name, label: name });
  });
  const page = render(reportOn(domains), "html");
  expect(page.match(/class="date /g)).toHaveLength(10);
  expect(page.match(/<tr><th scope="row"/g)).toHaveLength(1000);
  expect(page).toContain("Domains that are fine have no bars in a report of this size.");
  expect(Buffer.byteLength(page)).toBeLessThan(400_000);
});

describe("a page of 200 domains", () => {
  const report = reportOf(200);
  report.domains.push(...sampleReport.domains);
  const page = render(report, "html");
  const [figure = "", tables = ""] = page.split("</figure>");
  const groups = [
    ...figure.matchAll(
      /<details class="group" data-in="(\w+)"( open)?>\n<summary>([^<]*) <span>(\d+) domains?</g,
    ),
  ].map(
    ([, key, open, heading, count]) => [key, heading, open !== undefined, Number(count)] as const,
  );

  const pictures = page.match(/<svg [^>]*role="img"[\s\S]*?<\/svg>/g) ?? [];
  const rowsOf = (markup: string) => markup.match(/class="date /g)?.length;

  it("has a picture for each group and opens those with findings", () => {
    expect(groups).toEqual([
      ["registrar", "Another registrar", true, 1],
      ["registration", "Registration expired, ending too soon or not known", true, 123],
      [
        "certificate",
        "Certificate expired, invalid, of another issuer, ending too soon or not known",
        true,
        3,
      ],
      ["component", "Checks that are required", true, 2],
      ["unknown", "Not determined", true, 2],
      ["warn", "Warnings", true, 1],
      ["year", "Fine, registration ends within a year", false, 42],
      ["later", "Fine for longer than a year", false, 40],
    ]);
    expect(pictures.map(rowsOf)).toEqual(groups.map(([, , , count]) => count));
  });

  it("gives each picture an axis that fits its own dates", () => {
    const months = pictures.map((svg) =>
      [...svg.matchAll(/<g class="tick">.*?>(\w+ \d+)</g)].map(([, month]) => month),
    );

    expect(months[1]).toContain("Apr 2026");
    expect(months[7]).not.toContain("Apr 2026");
    expect(months[7]).toContain("Jan 2028");
  });

  it("has every domain in the tables once, in the same groups, and folds those that are fine", () => {
    const bodies = [...page.matchAll(/<tbody data-in="(\w+)">([\s\S]*?)<\/tbody>/g)];
    expect(bodies.map(([, key, rows]) => [key, rows?.match(/<tr>/g)?.length])).toEqual(
      groups.map(([key, , , count]) => [key, count]),
    );

    const folded = [...tables.matchAll(/<details class="group" data-in="(\w+)"( open)?>/g)];
    expect(folded.map(([, key, open]) => [key, open])).toEqual([
      ["year", undefined],
      ["later", undefined],
    ]);
  });

  it("filters pictures and table by radio buttons and a style sheet", () => {
    const buttons = [
      ...page.matchAll(
        /<input type="radio" name="only" id="only-(\w+)"( checked)?> (.*?) <b>(\d+)</g,
      ),
    ];

    expect(buttons.map(([, ...parts]) => parts)).toEqual([
      ["all", " checked", "All", "214"],
      ...groups.map(([key, heading, , count]) => [key, undefined, heading, `${count}`]),
    ]);

    for (const [key] of groups)
      expect(page).toContain(
        `body:has(#only-${key}:checked) [data-in]:not([data-in="${key}"]) { display: none; }`,
      );
  });

  it("is well-formed and overlaps no text", () => {
    const main = page.slice(page.indexOf("<figure"), page.indexOf("<h2>Changes"));
    expectWellFormed(main.replaceAll(" open>", ">"));
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

    expect(new Set(ids).size).toBe(ids.length);

    for (const svg of pictures) expect(overlapping(svg)).toEqual([]);
  });
});

it.each([
  [24, true],
  [25, false],
])("%i domains are in one picture without a filter: %p", (count, together) => {
  const html = render(reportOf(count), "html");
  expect(html.match(/role="img"/g)?.length === 1).toBe(together);
  expect(html.includes('class="filter"')).toBe(!together);
  expect(html).toContain("No change is known since 2026-01-30.");
});
