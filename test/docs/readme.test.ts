import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator, TestStack } from "../../src/testing";
import { Projects } from "../support/project";

const root = path.join(__dirname, "../..");
const readme = readFileSync(path.join(root, "README.md"), "utf8");

interface Block {
  heading: string;
  code: string;
}

/** The code blocks of the README in a language, each with the heading that it stands under. */
function blocks(language: string): Block[] {
  const found: Block[] = [];
  for (const section of readme.split(/^## /m)) {
    const heading = section.split("\n", 1)[0] ?? "";
    for (const match of section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))) {
      found.push({ heading, code: match[1] ?? "" });
    }
  }
  return found;
}

describe("the README", () => {
  let projects: Projects;
  let service: Emulator;

  beforeAll(() => {
    projects = new Projects();
  });
  afterAll(() => {
    projects.remove();
  });
  beforeEach(async () => {
    service = await startEmulator();
  });
  afterEach(async () => {
    await service.close();
  });

  /** A project whose program is the block. */
  function project(code: string): string {
    const compilerOptions = {
      target: "ES2022",
      lib: ["ES2023", "ESNext.Disposable"],
      module: "node16",
      moduleResolution: "node16",
      types: ["node"],
      strict: true,
      skipLibCheck: true,
      outDir: "built",
    };
    return projects.add("index.ts", {
      "index.ts": code,
      "tsconfig.json": JSON.stringify({ compilerOptions, files: ["index.ts"] }),
    });
  }

  const all = blocks("ts");
  const testing = all.filter(({ heading }) => heading.startsWith("Testing"));
  const programs = all.filter((block) => !testing.includes(block));

  it("has the blocks that are run here", () => {
    expect(programs.map(({ heading }) => heading)).toEqual([
      "The smallest program",
      "Reading domains and changes",
      "Expiry as a decision",
      "A second account",
      "The client alone",
    ]);
    expect(testing).toHaveLength(1);
  });

  it.each(programs.map(({ heading, code }) => [heading, code]))(
    "shows a program under “%s” that compiles and deploys twice without a change",
    async (_heading, code) => {
      const stack = await TestStack.create({
        workDir: project(code),
        config: { domainId: "11111111-1111-4111-8111-111111111111" },
        secrets: { slackUrl: "https://hooks.slack.com/services/readme" },
        env: {
          DOMAIN_MONITORING_BASE_URL: service.url,
          DOMAIN_MONITORING_API_TOKEN: service.token,
          SUBSIDIARY_URL: service.url,
          SUBSIDIARY_TOKEN: service.token,
        },
      });
      try {
        await stack.preview();
        const { outputs } = await stack.up();
        expect(Object.keys(outputs).length).toBeGreaterThan(0);
        expect(Object.keys((await stack.up()).changes).filter((operation) => operation !== "same")).toEqual(
          [],
        );
      } finally {
        await stack.close();
      }
    },
  );

  it("shows a test that passes", () => {
    const workDir = project(testing[0]?.code ?? "");
    execFileSync(process.execPath, [require.resolve("typescript/bin/tsc"), "-p", workDir], { stdio: "pipe" });
    const report = execFileSync(process.execPath, ["--test", "built/index.js"], {
      cwd: workDir,
      encoding: "utf8",
    });
    expect(report).toMatch(/pass 1\b/);
  });

  it("names its commands as package.json has them", () => {
    const { scripts }: { scripts: Record<string, string> } = require("../../package.json");
    const shell = blocks("sh")
      .map(({ code }) => code)
      .join("\n");
    for (const [, script] of shell.matchAll(/npm (?:run )?(test|quickstart)\b/g))
      expect(scripts).toHaveProperty(script ?? "");
    expect(readFileSync(path.join(root, ".ci/run"), "utf8")).toContain("npm ci && npm test");
    expect(shell).toContain("npm ci && npm test");
    expect(shell).toContain("npm ci && npm run quickstart");
  });
});
