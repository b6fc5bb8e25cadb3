"use strict";
// The pictures of the README and the guides: a terminal with `npm run quickstart` and the timeline of a report, each light and
// dark. `npm run generate -- pictures` runs the quickstart with the `pulumi` command on PATH and writes what it printed to
// docs/images/quickstart.txt.
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { engineVersion } = require("./real-engine.cjs");

const root = path.join(__dirname, "..");
const images = path.join(root, "docs/images");
const transcript = path.join(images, "quickstart.txt");

const THEMES = {
  light: {
    ground: "#ffffff",
    frame: "#d5dae0",
    text: "#1b1f24",
    muted: "#59636e",
    good: "#1a7f64",
    bad: "#b45309",
  },
  dark: {
    ground: "#0f1318",
    frame: "#303841",
    text: "#e6eaef",
    muted: "#9aa5b1",
    good: "#3fb68b",
    bad: "#f0a94a",
  },
};
const COLUMNS = 104;
const CELL = { width: 7.8, height: 18 };
const MARGIN = 20;

/** Shortens the output: no progress, no repetitions, and no elements of lists in outputs. */
function condensed(printed) {
  const lines = [];
  let said = new Set();
  for (const line of printed.split("\n")) {
    if (/^\d+\. /.test(line)) said = new Set();
    // Progress, repetitions in a summary, and elements of lists.
    if (
      /^@ |(?:creating|deleting) \(|^(?:Previewing|Updating|Destroying|Diagnostics|Duration)|^ {2}pulumi:|messages$/.test(
        line,
      )
    )
      continue;
    if (/^ {5,}(?!\S* *\+)/.test(line) && !/^ {4}[+-] \d|^ {4}\d/.test(line)) continue;
    if (/^ {4}\]$|^The resources in the stack|^If you want to remove|pulumi:pulumi:Stack/.test(line))
      continue;
    const kept = line
      .replace(/: \[$/, ": [ … ]")
      .replace(/ \(\d+(?:\.\d+)?s\)/, "")
      .trimEnd();
    if (kept !== "" && said.has(kept)) continue;
    said.add(kept);
    if (kept === "" && /^$|^\d+\. /.test(lines.at(-1) ?? "")) continue;
    lines.push(kept);
  }
  return `${lines.join("\n").trim()}\n`;
}

function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

function colorOf(line, theme) {
  if (/^\$ |^\d+\. /.test(line)) return { fill: theme.text, weight: 700 };
  if (/^ *\+ /.test(line)) return { fill: theme.good };
  if (/^ *- {2}|^ *warning:/.test(line)) return { fill: theme.bad };
  return { fill: /^(?:Engine|Local service)/.test(line) ? theme.muted : theme.text };
}

/** A picture of a terminal with a text. */
function terminal(text, title, theme) {
  const rows = text
    .trimEnd()
    .split("\n")
    .map((line) => (line.length > COLUMNS ? `${line.slice(0, COLUMNS - 1)}…` : line))
    .map((row) => ({ row, ...colorOf(row, theme) }));
  const width = Math.ceil(COLUMNS * CELL.width + 2 * MARGIN);
  const height = rows.length * CELL.height + 2 * MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}">`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="${theme.ground}" stroke="${theme.frame}"/>`,
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, &quot;Liberation Mono&quot;, monospace" font-size="13">',
    ...rows.map(({ row, fill, weight }, index) =>
      row === ""
        ? ""
        : `<text x="${MARGIN}" y="${MARGIN + 13 + index * CELL.height}" fill="${fill}"${weight ? ` font-weight="${weight}"` : ""} xml:space="preserve" textLength="${(row.length * CELL.width).toFixed(1)}" lengthAdjust="spacingAndGlyphs">${escaped(row)}</text>`,
    ),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** Typical domains of a company, at a fixed time. */
const NOW = new Date("2027-01-15T09:00:00Z");
const DOMAINS = [
  { domain: "example.com", label: "Website", expiresAt: "2027-11-02", certificate: "2027-03-28 12:00:00" },
  { domain: "shop.example", label: "Shop", expiresAt: "2027-06-30", certificate: "2027-02-20 12:00:00" },
  { domain: "example.net", label: "Mail", expiresAt: "2027-02-01", certificate: "2027-04-11 12:00:00" },
  { domain: "former-brand.example", label: "Former brand", expiresAt: "2027-01-08", certificate: null },
  { domain: "campaign.example", label: "Campaign", expiresAt: null, certificate: "2027-05-05 12:00:00" },
];

/** The timeline that the report command draws, from a local service. */
async function timeline() {
  const { startEmulator } = require("../dist/testing/index.js");
  const { DomainMonitoringClient } = require("../dist/client/index.js");
  const { collectReport } = require("../dist/cli/report/collect.js");
  const { HATCH, renderTimeline } = require("../dist/cli/report/timeline.js");
  const { STYLE } = require("../dist/cli/report/html-style.js");
  const service = await startEmulator({
    domains: DOMAINS.map(({ certificate, ...domain }, index) => ({
      id: `d${index}`,
      ...domain,
      ssl: { isEnabled: certificate !== null, expiresAt: certificate },
    })),
  });
  const client = new DomainMonitoringClient({ baseUrl: service.url, apiToken: service.token });
  try {
    const report = await collectReport(
      { client, concurrency: 1, withRetry: (work) => work() },
      {
        title: "Domains",
        targets: DOMAINS.map((_, index) => ({ id: `d${index}` })),
        notes: [],
        since: "2027-01-01",
        minimumDays: 30,
        now: NOW,
      },
      () => {},
    );
    // The page has the pattern of expired registrations once, this picture in itself.
    const [pattern] = /<defs>.*<\/defs>/.exec(HATCH);
    const drawn = renderTimeline(report).replace("</desc>", `</desc>\n${pattern}`);
    const rules = STYLE.split("\n").filter((line) => line.startsWith("svg ."));
    // The page uses CSS variables for light and dark colors, which not every SVG viewer supports.
    const sets = STYLE.split("prefers-color-scheme: dark").map(
      (set) => new Map([...set.matchAll(/(--[\w-]+): (#\w+);/g)].map(([, name, color]) => [name, color])),
    );
    return ({ dark }) => {
      const colored = (text) => text.replace(/var\((--[\w-]+)\)/g, (_, name) => sets[dark ? 1 : 0].get(name));
      const style = [
        "svg text { fill: var(--text); font: 13px system-ui, sans-serif; font-variant-numeric: tabular-nums; }",
        ...rules,
      ].join("\n");
      const ground = '<rect width="100%" height="100%" rx="8" fill="var(--ground)"/>';
      const [head, title, ...rest] = drawn.split("\n");
      return `${[head, title, colored(`<style>${style}</style>`), colored(ground), ...rest].join("\n")}\n`;
    };
  } finally {
    await client.close();
    await service.close();
  }
}

/** All pictures by file name. */
async function render(text) {
  const drawn = await timeline();
  return Object.fromEntries(
    Object.entries(THEMES).flatMap(([name, theme]) => [
      [`quickstart-${name}.svg`, terminal(text, "npm run quickstart in a terminal", theme)],
      [`timeline-${name}.svg`, drawn({ dark: name === "dark" })],
    ]),
  );
}

async function main() {
  if (engineVersion() === undefined) throw new Error("there is no `pulumi` command on PATH: install it");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(__dirname, "example.cjs"), "quickstart"],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(`the quickstart failed:\n${stdout}${stderr}`);
  fs.mkdirSync(images, { recursive: true });
  fs.writeFileSync(transcript, `$ npm run quickstart\n${condensed(stdout)}`);
  for (const [name, picture] of Object.entries(await render(fs.readFileSync(transcript, "utf8")))) {
    fs.writeFileSync(path.join(images, name), picture);
  }
}

module.exports = { images, render, transcript };

if (require.main === module) {
  main().catch((error) => {
    process.stderr.write(`pictures: ${error.message}\n`);
    process.exitCode = 1;
  });
}
