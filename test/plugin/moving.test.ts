/**
 * Follows the guide from the npm package to the plugin and back on the real engine, with the lines
 * that the page shows.
 */
import ts from "typescript";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { pageAt } from "../docs/support/markdown";
import { DOMAIN, SLACK_URL, TOKEN } from "../provider/support/channels";
import { environmentFor } from "../support/account";
import { AT_ONCE } from "../support/cli";
import { describeWithPulumi } from "../support/engines";
import { SdkProject } from "./support/sdk";

const [move, back] = pageAt("docs/moving-to-the-plugin.md").blocks.filter(
  ({ language }) => language === "diff",
);

/** The program before or after a diff. */
function side(diff: string | undefined, other: "-" | "+"): string {
  const lines = (diff ?? "").split("\n").filter((line) => !line.startsWith(other));
  return lines.map((line) => line.slice(1)).join("\n");
}

it("begins the way back with the program that the way there began with", () => {
  expect(side(move?.code, "+")).toContain("new DomainAlerts(");
  expect(side(back?.code, "+")).toBe(side(move?.code, "+"));
});

describeWithPulumi("moving", () => {
  let service: Emulator;
  let project: SdkProject;

  beforeAll(async () => {
    service = await startEmulator({ token: TOKEN });
    project = new SdkProject(environmentFor(service));
    await project.prepare();
    await project.run("config", "set", "domainId", DOMAIN);
    await project.run("config", "set", "--secret", "slackUrl", SLACK_URL);
  });

  afterAll(() => service.close());

  function program(code: string): void {
    const { outputText } = ts.transpileModule(code, {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    });

    project.program(outputText);
  }

  function channels() {
    const recorded = project.cli.resources<{ type: string; id?: string }>();
    return recorded.filter(({ type }) => type.endsWith(":NotificationChannel"));
  }

  it("takes every channel over in both directions without a difference, and records only the component anew", async () => {
    program(side(move?.code, "+"));
    await project.run("up", ...AT_ONCE);
    const ids = channels()
      .map(({ id }) => id)
      .sort();

    expect(ids).toHaveLength(3);

    const there = [
      side(move?.code, "-"),
      "domain-monitoring:index:NotificationChannel",
      /Resources:\s+- 1 deleted\s+4 unchanged\n/,
    ] as const;

    const home = [
      side(back?.code, "-"),
      "pulumi-nodejs:dynamic/domain-monitoring:NotificationChannel",
      /Resources:\s+\+ 1 created\s+4 unchanged\n/,
    ] as const;

    for (const [code, type, changes] of [there, home, there]) {
      program(code);
      expect(await project.run("preview")).not.toMatch(/^ +[-+~]+ .*:NotificationChannel /m);
      expect(await project.run("up", ...AT_ONCE)).toMatch(changes);

      await project.run("refresh", ...AT_ONCE, "--expect-no-changes");
      await project.run("up", ...AT_ONCE, "--expect-no-changes");
      const moved = channels();

      expect(new Set(moved.map((channel) => channel.type))).toEqual(new Set([type]));
      expect(moved.map(({ id }) => id).sort()).toEqual(ids);
    }

    expect(service.requests.filter(({ method }) => method === "POST")).toHaveLength(3);

    await project.run("destroy", ...AT_ONCE);

    // Proves that the searched text contains the channel.
    expect(project.cli.written()).toContain("Registrar desk");

    for (const secret of [TOKEN, SLACK_URL]) expect(project.cli.written()).not.toContain(secret);
  });
});
