import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmulator } from "../../src/testing";
import { realEngineAvailable } from "../support/engines";
import { pageAt, root } from "./support/markdown";

interface Step {
  file?: string;
  code?: string | number;
  command?: string;
  output?: string;
}

interface Walk {
  readerEnvironment: (directory: string) => NodeJS.ProcessEnv;
  stepsOf: (markdown: string) => Step[];
  walk: (steps: Step[], world: object) => Promise<Step[]>;
}

const { readmeSteps }: { readmeSteps: () => Step[] } = require("../../scripts/first-run.cjs");
const { readerEnvironment, stepsOf, walk }: Walk = require("../../scripts/first-run/walk.cjs");

describe("the transcript of the first run", () => {
  const { blocks } = pageAt("docs/first-run.md");

  it("has the README's commands in the README's order; `npm run first-run` updates it", () => {
    const commands = blocks.flatMap(({ code }) => /^\$ (.*)$/m.exec(code)?.[1] ?? []);
    expect(commands).toEqual(readmeSteps().flatMap(({ command }) => command ?? []));
    expect(commands.length).toBeGreaterThan(8);
  });

  it("has the README's files", () => {
    const files = readmeSteps().filter(({ file }) => file !== undefined);
    expect(files.map(({ file }) => file)).toEqual(["Pulumi.yaml", "index.ts"]);
    for (const { code } of files)
      expect(blocks.map((block) => block.code)).toContain(`${String(code).trim()}\n`);
  });

  it("shows one channel created, none the second time, and what the destroy leaves behind", () => {
    const said = blocks.map(({ code }) => code).join("\n");
    expect(said).toContain("+ 2 created");
    expect(said).toContain("2 unchanged");
    expect(said).toContain("leaves this stack. This package cannot delete it");
  });
});

(realEngineAvailable ? describe : describe.skip)("the guide to the first channel, on the real engine", () => {
  it("can be repeated word for word, and its change leaves two channels", async () => {
    const directory = mkdtempSync(path.join(tmpdir(), "first-channel-"));
    const project = path.join(directory, "project");
    mkdirSync(project);
    const service = await startEmulator();
    try {
      const transcript = await walk(stepsOf(pageAt("docs/first-channel.md").text), {
        directory: project,
        env: readerEnvironment(path.join(directory, "engine")),
        modules: path.join(root, "node_modules"),
        secrets: { email: "first-channel@example.com" },
        service,
      });
      const said = transcript.map(({ output = "" }) => output).join("\n");
      expect(said).toMatch(/^ok +Pulumi SDK/m);
      expect(said).toMatch(/^ok +service +reachable, and the token is not refused/m);
      expect(said).toContain('Notification channel "Registrar desk" (email, domain 11111111');
      expect(said).toContain("is to be replaced (changed: label)");
      expect(service.channels().map(({ label }) => label)).toEqual(["Registrar desk", "Registrar team"]);
      expect(said).not.toContain(service.token);
      expect(said).not.toContain("first-channel@example.com");
    } finally {
      await service.close();
      rmSync(directory, { recursive: true, force: true });
    }
    // A dozen commands one after the other, some of which start the engine twice.
  }, 240_000);
});
