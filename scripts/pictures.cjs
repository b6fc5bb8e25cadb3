"use strict";
// The pictures on the page of pipelines: what `report` writes about four domains of the local
// service on the page's night, by the page's rules. Needs `chromium` on PATH, and a font for color
// emoji.
//
//     node scripts/pictures.cjs
//
// Beside them lies a digest of their words, by which a test notices that they are out of date.
const { execFile, spawnSync } = require("node:child_process");
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const { tmpdir } = require("node:os");
const path = require("node:path");
const { promisify } = require("node:util");

const root = path.join(__dirname, "..");
const IMAGES = path.join(root, "docs/images");
const DIGESTS = path.join(IMAGES, "pictures.json");
const COMMAND = path.join(root, "dist/cli/main.js");
const NOW = "2026-11-24T02:30:00.000Z";

const RULES = `registration: { minimumDays: 30, registrars: [Example Registrar] }
certificate: { minimumDays: 14 }
`;
const DOMAINS = [
  {
    domain: "moved.example",
    expiresAt: "2028-03-01",
    provider: "Other Registrar",
    whoisChanges: [
      {
        id: "3f0c1111-1111-4111-8111-111111111111",
        fieldChanged: "registrar",
        oldValue: "Example Registrar",
        newValue: "Other Registrar",
        createdAt: "2026-11-23 02:10:00",
      },
    ],
  },
  { domain: "shop.example", expiresAt: "2027-09-01", ssl: { expiresAt: "2026-11-25" } },
  { domain: "given-up.example", expiresAt: "2026-12-01" },
  { domain: "example.com", expiresAt: "2027-08-13", ssl: { expiresAt: "2027-02-01" } },
];

/** Makes a process believe that it is `NOW`. */
const STOPPED_CLOCK = `
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...given) {
      super(...(given.length > 0 ? given : ["${NOW}"]));
    }
    static now() {
      return Real.parse("${NOW}");
    }
  };`;

/** What `report` writes on that night: an HTML page, and the Markdown of comments and issues. */
async function documents() {
  const { startEmulator } = require("domain-monitoring-emulator");
  const directory = fs.mkdtempSync(path.join(tmpdir(), "pictures-"));
  const rules = path.join(directory, "domain-monitoring.yaml");
  const clock = path.join(directory, "clock.cjs");
  fs.writeFileSync(rules, RULES);
  fs.writeFileSync(clock, STOPPED_CLOCK);
  const service = await startEmulator({ domains: DOMAINS, now: NOW, seed: 1 });
  const env = {
    ...process.env,
    DOMAIN_MONITORING_BASE_URL: service.url,
    DOMAIN_MONITORING_API_TOKEN: service.token,
  };

  try {
    const report = (format) =>
      outputOf(
        ["-r", clock, COMMAND, "report", "--all", "--rules", rules, "--format", format],
        env,
      );

    return { report: await report("html"), comment: await report("markdown") };
  } finally {
    await service.close();
    fs.rmSync(directory, { recursive: true });
  }
}

/** The output of a command that exits with 2, as it found violations. */
async function outputOf(args, env) {
  const { code, stdout, stderr } = await promisify(execFile)(process.execPath, args, { env }).catch(
    (error) => error,
  );
  if (code !== 2) throw new Error(`the report exited with ${code ?? 0}: ${stderr}`);

  return stdout;
}

/** A digest of the words of a document, without its markup and style. */
function digest(text) {
  const words = text
    .replace(/<(style|script)\b[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

  return createHash("sha256").update(words).digest("hex").slice(0, 16);
}

/** The digests of the documents, by the names of the pictures. */
function digestsOf({ report, comment }) {
  return { report: digest(report), comment: digest(comment) };
}

const COMMENT_STYLE = `
  body { margin: 0; padding: 16px 24px; background: #fff; color: #1f2328;
    font: 14px/1.5 "DejaVu Sans", sans-serif; }
  h2, h3 { margin: 16px 0 8px; padding-bottom: 4px; border-bottom: 1px solid #d1d9e0; }
  ul { padding-left: 24px; }
  table { border-collapse: collapse; }
  th, td { padding: 4px 10px; border: 1px solid #d1d9e0; text-align: left; }
  pre, code { background: #f6f8fa; font: 12px/1.5 "DejaVu Sans Mono", monospace; }
  pre { padding: 12px; }`;

/** The comment as a page, about as a code host shows it. */
async function commentPage(markdown) {
  const { marked } = await import("marked");

  return `<!doctype html><meta charset="utf-8"><style>${COMMENT_STYLE}</style>${marked(markdown)}`;
}

/** Takes a picture of a page. */
function photograph(html, name, height) {
  const directory = fs.mkdtempSync(path.join(tmpdir(), "pictures-"));
  const page = path.join(directory, "page.html");
  fs.writeFileSync(page, html);
  const { error, status, stderr } = spawnSync(
    "chromium",
    [
      "--headless",
      "--no-sandbox",
      "--hide-scrollbars",
      "--disable-gpu",
      `--window-size=1040,${height}`,
      `--screenshot=${path.join(IMAGES, `${name}.png`)}`,
      `file://${page}`,
    ],
    { encoding: "utf8" },
  );
  fs.rmSync(directory, { recursive: true });
  if (error) throw new Error(`the pictures need chromium on PATH (${error.code}): install it`);
  if (status !== 0) throw new Error(`chromium exited with ${status}: ${stderr}`);
}

async function main() {
  const written = await documents();
  photograph(written.report, "report", 830);
  photograph(await commentPage(written.comment), "comment", 570);
  fs.writeFileSync(DIGESTS, `${JSON.stringify(digestsOf(written), undefined, 2)}\n`);
}

module.exports = { documents, digestsOf, DIGESTS };
if (require.main === module) main();
