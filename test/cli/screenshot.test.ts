import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { renderHtml } from "../../src/cli/report/html";
import { run } from "../support/run";
import { temporaryDirectory } from "../support/temporary";
import { reportOf, sampleReport } from "./sample";

const chromiumAvailable = spawnSync("chromium", ["--version"]).status === 0;
const onChromium = chromiumAvailable ? describe : describe.skip;

/** Values of Chromium's setting for the reader's preference. */
const SCHEMES = { dark: 0, light: 1 };

onChromium("the page in a browser (where there is a `chromium` command)", () => {
  let directory: string;

  beforeAll(() => {
    directory = temporaryDirectory();
  });

  /** Opens a page in a profile of its own; returns what the browser printed. */
  async function open(name: string, html: string, ...flags: string[]): Promise<string> {
    const file = path.join(directory, `${name}.html`);
    writeFileSync(file, html);
    const quiet = ["--no-first-run", "--disable-background-networking", "--disable-component-update"];
    const { code, stdout } = await run(
      "chromium",
      [
        ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-sync", ...quiet],
        `--user-data-dir=${path.join(directory, `profile-${name}`)}`,
        ...flags,
        pathToFileURL(file).href,
      ],
      { timeout: 50_000, killSignal: "SIGKILL" },
    );
    expect(code).toBe(0);
    return stdout;
  }

  async function screenshot(name: string, html: string, scheme: keyof typeof SCHEMES): Promise<Buffer> {
    const file = path.join(directory, `${name}.png`);
    const flags = [`--blink-settings=preferredColorScheme=${SCHEMES[scheme]}`, "--window-size=1200,1000"];
    await open(name, html, ...flags, `--screenshot=${file}`);
    return readFileSync(file);
  }

  it("renders in light and in dark, and the two differ", async () => {
    const html = renderHtml(sampleReport);
    const light = await screenshot("light", html, "light");
    const dark = await screenshot("dark", html, "dark");
    for (const png of [light, dark]) {
      expect(png.subarray(1, 4).toString("latin1")).toBe("PNG");
      // An empty page of this size has less than ten thousand bytes.
      expect(png.length).toBeGreaterThan(40_000);
    }
    expect(light.equals(dark)).toBe(false);
  });

  it("shows the picture with all its rows, and no markup from a label", async () => {
    const dom = await open("dom", renderHtml(sampleReport), "--dump-dom");
    expect(dom).toMatch(/<svg [^>]*role="img"/);
    expect(dom.match(/class="date /g)).toHaveLength(sampleReport.domains.length);
    expect(dom).not.toMatch(/<img|onerror="|<script/);
  });

  it("shows only the group that is chosen, also one that is folded", async () => {
    // Without the buttons, which alone would make the pictures differ.
    const html = renderHtml(reportOf(200)).replace("</style>", ".filter { visibility: hidden; }</style>");
    const only = (key: string) =>
      html.replace(" checked>", ">").replace(`id="only-${key}"`, `id="only-${key}" checked`);
    const pages = {
      all: html,
      registration: only("registration"),
      later: only("later"),
      folded: only("later").replaceAll("content-visibility: visible", ""),
    };
    const pictures = new Map<string, Buffer>();
    for (const [name, page] of Object.entries(pages))
      pictures.set(name, await screenshot(name, page, "light"));
    const different = new Set([...pictures.values()].map((png) => png.toString("base64")));
    expect(different.size).toBe(4);
  });
});
