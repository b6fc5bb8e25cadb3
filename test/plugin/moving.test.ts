/** The guide from the npm package to the plugin and back, by the lines that the page shows, on the real engine. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import ts from "typescript";
import { type Emulator, startEmulator } from "../../src/testing/emulator";
import { pageAt, root } from "../docs/support/markdown";
import { Cli } from "../support/cli";
import { realEngineAvailable } from "../support/engines";
import { JAVASCRIPT } from "../support/project";
import { EXECUTABLE, PLUGIN_DIRECTORY } from "./support/plugin-process";

const TOKEN = "token-secret-0123456789";
const SLACK_URL = "https://hooks.slack.com/services/destination-to-keep-secret";
const SDK = "pulumi-domain-monitoring-sdk";

const [move, back] = pageAt("docs/moving-to-the-plugin.md").blocks.filter(
  ({ language }) => language === "diff",
);

/** A diff's program before it or after it. */
function side(diff: string | undefined, other: "-" | "+"): string {
  const lines = (diff ?? "").split("\n").filter((line) => !line.startsWith(other));
  return lines.map((line) => line.slice(1)).join("\n");
}

it("begins the way back with the program that the way there began with", () => {
  expect(side(move?.code, "+")).toContain("new DomainAlerts(");
  expect(side(back?.code, "+")).toBe(side(move?.code, "+"));
});

(realEngineAvailable ? describe : describe.skip)("moving, on the real engine", () => {
  let service: Emulator;
  let workDir: string;
  let cli: Cli;

  beforeAll(async () => {
    service = await startEmulator({ token: TOKEN });
    workDir = mkdtempSync(path.join(tmpdir(), "moving-"));
    writeFileSync(
      path.join(workDir, "Pulumi.yaml"),
      `name: moving\nruntime: ${JAVASCRIPT}\nmain: index.js\n`,
    );
    writeFileSync(path.join(workDir, "package.json"), "{}");
    const modules = path.join(workDir, "node_modules");
    mkdirSync(modules);
    symlinkSync(path.join(root, "node_modules/@pulumi"), path.join(modules, "@pulumi"));
    symlinkSync(root, path.join(modules, "pulumi-domain-monitoring"));
    cli = new Cli(workDir, { DOMAIN_MONITORING_BASE_URL: service.url, DOMAIN_MONITORING_API_TOKEN: TOKEN });
    await generateSdk(modules);
    const file = ["--file", PLUGIN_DIRECTORY];
    await run("plugin", "install", "resource", "domain-monitoring", "0.1.0", ...file);
    await run("stack", "init", "test");
    await run("config", "set", "domainId", "11111111-1111-4111-8111-111111111111");
    await run("config", "set", "--secret", "slackUrl", SLACK_URL);
  });
  afterAll(async () => {
    cli.close();
    rmSync(workDir, { recursive: true, force: true });
    await service.close();
  });

  /** As `pulumi install` does it, but for the packages that it fetches. */
  async function generateSdk(modules: string): Promise<void> {
    const out = path.join(workDir, "generated");
    await run("package", "gen-sdk", EXECUTABLE, "--language", "nodejs", "--out", out);
    const sdk = path.join(modules, SDK);
    renameSync(path.join(out, "nodejs"), sdk);
    symlinkSync(path.join(root, "node_modules/@types"), path.join(modules, "@types"));
    execFileSync(process.execPath, [require.resolve("typescript/bin/tsc"), "--types", "node", "-p", sdk]);
    // As its script after an installation: the compiled code looks for its version beside itself.
    renameSync(path.join(sdk, "package.json"), path.join(sdk, "bin/package.json"));
    writeFileSync(path.join(sdk, "package.json"), JSON.stringify({ main: "bin/index.js" }));
  }

  async function run(...args: string[]): Promise<string> {
    const finished = await cli.run(...args);
    if (finished.code !== 0) throw new Error(finished.output);
    return finished.output;
  }

  function program(code: string): void {
    const { outputText } = ts.transpileModule(code, {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    });
    writeFileSync(path.join(workDir, "index.js"), outputText);
  }

  interface Recorded {
    type: string;
    id?: string;
  }

  async function channels(): Promise<Recorded[]> {
    const exported: { deployment: { resources: Recorded[] } } = JSON.parse(await run("stack", "export"));
    return exported.deployment.resources.filter(({ type }) => type.endsWith(":NotificationChannel"));
  }

  it("takes every channel over without a difference or a create, forth, back and forth, and destroys them", async () => {
    const quick = ["--yes", "--skip-preview"];
    program(side(move?.code, "+"));
    await run("up", ...quick);
    const ids = (await channels()).map(({ id }) => id).sort();
    expect(ids).toHaveLength(3);

    const forms = [
      [side(move?.code, "-"), "domain-monitoring:index:NotificationChannel"],
      [side(back?.code, "-"), "pulumi-nodejs:dynamic/domain-monitoring:NotificationChannel"],
      [side(move?.code, "-"), "domain-monitoring:index:NotificationChannel"],
    ] as const;
    for (const [code, type] of forms) {
      program(code);
      expect(await run("preview")).not.toMatch(/to (create|replace|delete|update)/);
      expect(await run("up", ...quick)).toMatch(/Resources:\s+5 unchanged\n/);
      await run("refresh", ...quick, "--expect-no-changes");
      await run("up", ...quick, "--expect-no-changes");
      const moved = await channels();
      expect(new Set(moved.map((channel) => channel.type))).toEqual(new Set([type]));
      expect(moved.map(({ id }) => id).sort()).toEqual(ids);
    }
    expect(service.requests.filter(({ method }) => method === "POST")).toHaveLength(3);
    await run("destroy", ...quick);
    // What is searched is what was written.
    expect(cli.written()).toContain("Registrar desk");
    for (const secret of [TOKEN, SLACK_URL]) expect(cli.written()).not.toContain(secret);
  });
});
