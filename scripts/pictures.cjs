"use strict";
// The picture on the page of pipelines: what `report` writes about four domains of the local
// service on the page's night, by the page's rules. Needs `chromium` on PATH, and a font for color
// emoji.
//
//     node scripts/pictures.cjs
//
// Beside it lies a digest of its words, by which a test notices that it is out of date.
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

/** The HTML page that `report` writes on that night. */
async function page() {
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
    return await outputOf(
      ["-r", clock, COMMAND, "report", "--all", "--rules", rules, "--format", "html"],
      env,
    );
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

/** Takes a picture of a page. */
function photograph(html) {
  const directory = fs.mkdtempSync(path.join(tmpdir(), "pictures-"));
  const file = path.join(directory, "page.html");
  fs.writeFileSync(file, html);
  const { error, status, stderr } = spawnSync(
    "chromium",
    [
      "--headless",
      "--no-sandbox",
      "--hide-scrollbars",
      "--disable-gpu",
      "--window-size=1040,830",
      `--screenshot=${path.join(IMAGES, "report.png")}`,
      `file://${file}`,
    ],
    { encoding: "utf8" },
  );
  fs.rmSync(directory, { recursive: true });
  if (error) throw new Error(`the picture needs chromium on PATH (${error.code}): install it`);
  if (status !== 0) throw new Error(`chromium exited with ${status}: ${stderr}`);
}

async function main() {
  const html = await page();
  photograph(html);
  fs.writeFileSync(DIGESTS, `${JSON.stringify({ report: digest(html) }, undefined, 2)}\n`);
}

module.exports = { page, digest, DIGESTS };
if (require.main === module) main();
