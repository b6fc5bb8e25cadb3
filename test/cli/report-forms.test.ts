/** A report as a table, as Markdown and in the forms for machines. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { escapeMarkdown } from "../../src/cli/report/markdown";
import { toJson } from "../../src/common/text";
import {
  certified,
  change,
  domainReport,
  hostileReport,
  registered,
  renderHtml,
  renderMarkdown,
  renderTable,
  reportOn,
  sampleReport,
} from "./sample";

function golden(form: string): string {
  return readFileSync(path.join(__dirname, "golden", `report.${form}.golden`), "utf8");
}

/** JSON for a golden file: a line for each object, with its place, and those in it below. */
function linesOf(place: string, object: object): string {
  const parts = Object.entries(object);
  const nested = parts.filter(([, part]) => hasObjects(part));
  const own = Object.fromEntries(parts.filter(([, part]) => !hasObjects(part)));
  const first = Array.isArray(object) ? "" : `${place} ${JSON.stringify(own)}\n`;

  return first + nested.map(([key, part]) => linesOf(`${place}.${key}`, part)).join("");
}

function hasObjects(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasObjects);
  return typeof value === "object" && value !== null;
}

describe("a report as a table", () => {
  it("fits into 80 columns with usual names and dates", () => {
    const long = { domain: "campaign-autumn.example", certificate: "unmonitored" } as const;
    const domains = [
      registered(long.domain, "expired", "2012-01-01", -5000),
      registered(long.domain, "ok", "2026-10-31", null),
      certified(long.domain, { status: long.certificate, daysLeft: 5000 }),
    ];

    const lines = renderTable(reportOn(domains)).split("\n");
    const rows = lines.slice(lines.findIndex((line) => line.startsWith("DOMAIN"))).slice(0, 4);
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(80);
  });

  it("has the same text in color, and only if color is enabled", () => {
    const colored = renderTable(sampleReport, true);
    expect(colored).toContain("\u001b[31mgone.example.org ");
    expect(colored).toContain("\u001b[31m  gone.example.org: is expired: renew it\u001b[39m\n");
    expect(stripVTControlCharacters(colored)).toBe(golden("table"));
  });

  it("passes no control character of the service to the terminal", () => {
    const hostile = domainReport({ domain: "a\u001b[2J\u009b31m\u202eb" });
    const text = renderTable(reportOn([hostile]));
    expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\p{Cf}/u);
    expect(text).toContain("a 31m b");
  });

  it("lists a few changes of each domain and counts the rest", () => {
    const changes = Array.from({ length: 7 }, (_, index) => change({ newValue: `value ${index}` }));
    const text = renderTable(reportOn([domainReport({ changes })]));

    expect(text).toContain("Former Registrar → value 4");
    expect(text).not.toContain("value 5");
    expect(text).toContain("and 2 more changes");
  });
});

it.each([
  ["1 added", null, "new", "1 added (nothing → new)"],
  [null, "old", "", "old → nothing"],
  [null, "same", "same", "same → same"],
])("a change summarized as %j is as the service has it", (summary, oldValue, newValue, shown) => {
  const changes = [
    change({ kind: "dns", fieldChanged: "mx_records", summary, oldValue, newValue }),
  ];

  expect(renderTable(reportOn([domainReport({ changes })]))).toContain(
    `example.com, 2026-02-20 10:00:00, DNS: mx_records: ${shown}\n`,
  );
});

it.each([
  ["www.evil.example", "www&#8203;.evil.example"],
  ["_www.evil.example (WWW.evil.example", "\\_www&#8203;.evil.example (WWW&#8203;.evil.example"],
  ["http://evil.example", "http:&#8203;//evil.example"],
  ["<https://evil.example>", "&lt;https:&#8203;//evil.example&gt;"],
  ["somebody@evil.example", "somebody@&#8203;evil.example"],
  ["@somebody", "@&#8203;somebody"],
  ["org/repository#123", "org/repository#&#8203;123"],
  ["gh-123, GH-123", "gh&#8203;-123, GH&#8203;-123"],
  ["www&#46;evil.example", "www&amp;#&#8203;46;evil.example"],
  ["see !12, %3, &4 and $5", "see !&#8203;12, %&#8203;3, &amp;&#8203;4 and \\$&#8203;5"],
  ["group/app!9, ~bug", "group/app!&#8203;9, \\~&#8203;bug"],
  ["urn:a$b::c", "urn:a\\$b::c"],
  ["high-5, example.com, 5 % of R&D!", "high-5, example.com, 5 % of R&amp;D!"],
])("Markdown separates %j, which would become a link in plain text", (text, escaped) => {
  expect(escapeMarkdown(text)).toBe(escaped);
});

it("Markdown has no markup, mention or link of the service", () => {
  const own = /<\/?(?:details|summary|br)>|^(?:#{2,3} |\*\*|- )/gm;
  const markdown = renderMarkdown(hostileReport).replace(own, "");
  expect(markdown.match(/&lt;img src=x/g)?.length).toBeGreaterThan(8);
  expect(markdown).not.toMatch(/<|@(?!&#8203;)|(?<!&)#(?!&#8203;)|:\/\/|(?<!\\)\[/);
});

it.each([
  ["table", renderTable(sampleReport)],
  ["markdown", renderMarkdown(sampleReport)],
  ["html", renderHtml(sampleReport).replace(/<style>.*<\/style>/s, "<style></style>")],
  ["json", linesOf("report", JSON.parse(toJson(sampleReport)))],
])("a report as %s matches the golden file, but for a style sheet", (form, text) => {
  expect(text).toBe(golden(form));
});

it("JSON is complete, and indented by two spaces", () => {
  expect(toJson(sampleReport)).toBe(JSON.stringify(sampleReport, null, 2));
});

it("JSON escapes what controls a terminal", () => {
  const json = toJson({ label: "\u001b\u009b\u007f\u2028" });
  expect(json).toBe('{\n  "label": "\\u001b\\u009b\\u007f\\u2028"\n}');
  expect(JSON.parse(json)).toEqual({ label: "\u001b\u009b\u007f\u2028" });
});
