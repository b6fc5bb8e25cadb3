/** What a new user follows first can be repeated word for word. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Emulator, startEmulator } from "../../src/testing";
import { realEngineAvailable } from "../support/engines";
import { readerEnvironment, section, stepsOf, walk } from "../support/walk";
import { pageAt } from "./support/markdown";

(realEngineAvailable ? describe : describe.skip)("what a new user follows, on the real engine", () => {
  let directory: string;
  let service: Emulator;
  beforeEach(async () => {
    directory = mkdtempSync(path.join(tmpdir(), "first-run-"));
    mkdirSync(path.join(directory, "project"));
    // As the README says: its smallest program looks its domain up by name.
    service = await startEmulator({ lifecycle: "managed" });
  });
  afterEach(async () => {
    await service.close();
    rmSync(directory, { recursive: true, force: true });
  });

  async function follow(text: string, secrets: Record<string, string>): Promise<string> {
    const said = await walk(stepsOf(text), {
      directory: path.join(directory, "project"),
      env: readerEnvironment(path.join(directory, "engine")),
      secrets,
      service,
    });
    for (const secret of [service.token, ...Object.values(secrets)]) expect(said).not.toContain(secret);
    return said;
  }

  it("the README's smallest program creates one channel, changes nothing by itself, and says what it leaves behind", async () => {
    const slackUrl = "https://hooks.slack.com/services/T000/B000/first-run-destination";

    const said = await follow(section(pageAt("README.md").text, "The smallest program"), { slackUrl });

    expect(said).toContain("+ 2 created");
    expect(said).toContain("2 unchanged");
    expect(said).toContain("leaves this stack. This package cannot delete it");
    expect(service.channels().map(({ label }) => label)).toEqual(["On-call"]);
  });

  it("the guide to the first channel ends with two channels, as it says", async () => {
    const said = await follow(pageAt("docs/get-started.md").text, { email: "first-channel@example.com" });

    expect(said).toMatch(/^ok +Pulumi SDK/m);
    expect(said).toMatch(/^ok +service +reachable, and the token is not refused/m);
    expect(said).toContain('Notification channel "Registrar desk" (email, domain 11111111');
    expect(said).toContain("is to be replaced (changed: label)");
    expect(service.channels().map(({ label }) => label)).toEqual(["Registrar desk", "Registrar team"]);
  });
});
