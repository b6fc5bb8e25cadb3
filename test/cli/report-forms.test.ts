/** A report as people read it: as a table, as Markdown and, by its golden file, as HTML. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { escapeMarkdown } from "../../src/cli/report/markdown";
import { render } from "../../src/cli/report/render";
import {
  certified,
  change,
  domainReport,
  hostileReport,
  registered,
  reportOn,
  sampleReport,
} from "./sample";

function golden(form: string): string {
  return readFileSync(path.join(__dirname, "golden", `report.${form}.golden`), "utf8");
}

describe("a report as a table", () => {
  it("fits into 80 columns with usual names and dates", () => {
    const name = "campaign-autumn.example";
    const domains = [
      registered(name, "expired", "2012-01-01", -5000),
      registered(name, "ok", "2026-10-31", null),
      certified(name, { status: "unmonitored", daysLeft: 5000 }),
    ];

    const lines = render(reportOn(domains), "table").split("\n");
    const rows = lines.slice(lines.findIndex((line) => line.startsWith("DOMAIN"))).slice(0, 4);
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(80);
  });

  it("has the same text in color, and only if color is enabled", () => {
    const colored = render(sampleReport, "table", true);
    expect(colored).toContain("\u001b[31mgone.example.org ");
    expect(colored).toContain("\u001b[31m  gone.example.org: is expired: renew it\u001b[39m\n");
    expect(stripVTControlCharacters(colored)).toBe(golden("table"));
  });

  it("passes no control character of the service to the terminal", () => {
    const hostile = domainReport({ domain: "a\u001b[2J\u009b31m\u202eb" });
    const text = render(reportOn([hostile]), "table");
    expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\p{Cf}/u);
    expect(text).toContain("a 31m b");
  });

  it("lists a few changes of each domain and counts the rest", () => {
    const changes = Array.from({ length: 7 }, (_, index) => change({ newValue: `value ${index}` }));
    const text = render(reportOn([domainReport({ changes })]), "table");

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

  expect(render(reportOn([domainReport({ changes })]), "table")).toContain(
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
  const markdown = render(hostileReport, "markdown").replace(own, "");
  expect(markdown.match(/&lt;img src=x/g)?.length).toBeGreaterThan(8);
  expect(markdown).not.toMatch(/<|@(?!&#8203;)|(?<!&)#(?!&#8203;)|:\/\/|(?<!\\)\[/);
});

it.each([
  ["table", render(sampleReport, "table")],
  ["markdown", render(sampleReport, "markdown")],
  ["html", render(sampleReport, "html").replace(/<style>.*<\/style>/s, "<style></style>")],
])("a report as %s matches the golden file, but for a style sheet", (form, text) => {
  expect(text).toBe(golden(form));
});
