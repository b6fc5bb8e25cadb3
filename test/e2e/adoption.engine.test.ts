/**
 * Twenty channels made by hand become part of a stack, with the guide and the program that the
 * command writes. The guide's own program runs on the offline engine in
 * test/docs/typescript-blocks.test.ts.
 */
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type ChannelSeed, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { pageAt } from "../docs/support/markdown";
import { describeWithPulumi } from "../support/engines";
import { temporaryDirectory } from "../support/temporary";
import { readerEnvironment, type Step, stepsOf, walk } from "../support/walk";

const types = ["email", "slack", "webhook", "pushover", "discord"] as const;

/** Uses every type in turn. Some labels repeat, some channels are muted, and one is disabled. */
function handMade(number: number): ChannelSeed {
  const type = types[number % types.length] ?? "email";
  return {
    id: `${String(number).padStart(8, "0")}-0000-4000-8000-000000000000`,
    label: number < 10 ? `Team "${number}"` : "Büro",
    type,
    value: destination(type, `by-hand-${number}`),
    secondaryValue: type === "webhook" ? "PUT" : null,
    dnsNotificationsEnabled: number % 3 > 0,
    isDisabled: number === 7,
    disabledReason: number === 7 ? "Bounced" : null,
    createdAt: `2025-01-${String(number + 1).padStart(2, "0")} 00:00:00`,
  };
}

/** A destination that is valid for the type. */
function destination(type: string, word: string): string {
  if (type === "email") return `${word}@example.com`;
  return type === "pushover" ? word : `https://hooks.example.com/${word}`;
}

describeWithPulumi("twenty channels made by hand", () => {
  it("are taken over without a create and released without a delete, as the guide says", async () => {
    const directory = temporaryDirectory();
    const project = path.join(directory, "project");
    mkdirSync(project);
    const channels = Array.from({ length: 20 }, (_, number) => handMade(number));
    const id = "11111111-1111-4111-8111-111111111111";
    const domains = [{ id, domain: "example.com", channels }];
    await using service = await startEmulator({ lifecycle: "managed", domains });
    // test/docs/typescript-blocks.test.ts compiles the guide's program, so this one is not
    // compiled.
    const env = {
      ...readerEnvironment(path.join(directory, "engine")),
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    };

    let transcript = "";
    const take = async (step: Step) => {
      transcript += await walk([step], { directory: project, env, secrets: {}, service });
    };

    const page = pageAt("docs/import-and-adopt.md").text;
    const [guide = ""] = page.split("### Undo it");
    await take({ command: "npm install pulumi-domain-monitoring" });
    for (const step of stepsOf(guide)) {
      // The guide's program is for other channels. Here the command writes one.
      if (step.file !== "index.ts") await take(step);
    }

    expect(transcript).toContain("20 channels of 1 domain; written to index.ts");
    expect(transcript).toMatch(/ 2[01] to create\n/);
    expect(transcript.match(/is taken over/g)?.length).toBeGreaterThanOrEqual(20);
    expect(transcript).toContain("20 channels of 1 domain, 20 recorded in a stack");

    const rest = readFileSync(path.join(project, "more.ts"), "utf8");
    expect(rest).toContain("// There is no channel to take over.");

    const [, undo = ""] = /^### Undo it$(.*?)^###/ms.exec(page) ?? [];
    for (const step of stepsOf(undo)) await take(step);
    expect(transcript).toMatch(/ 2[01] deleted\n/);
    expect(transcript.match(/stays \(adopted\)/g)?.length).toBeGreaterThanOrEqual(20);

    // No channel was created or deleted, and each has kept its destination.
    const left = service.channels();
    expect(left.map(({ id }) => id).sort()).toEqual(channels.map(({ id }) => id));
    expect(left.map(({ value }) => value).sort()).toEqual(
      channels.map(({ value }) => value).sort(),
    );

    const changing = service.requests.filter(({ method }) => /POST|DELETE/.test(method));
    expect(changing).toEqual([]);

    for (const secret of [service.token, ...channels.map(({ value }) => value ?? "")])
      expect(transcript).not.toContain(secret);
  });
});
