/** What a new user follows first can be repeated word for word. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { realEngineAvailable } from "../support/engines";
import { temporaryDirectory } from "../support/temporary";
import { readerEnvironment, stepsOf, walk } from "../support/walk";
import { pageAt } from "./support/markdown";

(realEngineAvailable ? describe : describe.skip)("what a new user follows, on the real engine", () => {
  let directory: string;
  let service: Emulator;
  beforeEach(async () => {
    directory = temporaryDirectory();
    mkdirSync(path.join(directory, "project"));
    service = await startEmulator({ token: "local-token" });
  });
  afterEach(() => service.close());

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

  it("the README's program creates one channel, and changes nothing by itself", async () => {
    const [, ...shown] = pageAt("README.md").text.split(/^(?=## (?:Install|Changes))/m);
    // What `pulumi new typescript` would have made.
    const made =
      "```yaml\nname: domains\nruntime: nodejs\nmain: index.ts\n```\n```sh\npulumi stack init dev\n```\n";

    const said = await follow(`${made}${shown[0]}`, { email: "first-channel@example.com" });

    const [, sample = ""] = /Sample output, abridged:\n\n```text\n(.*?)```/s.exec(shown[0] ?? "") ?? [];
    const dated = (text: string) => text.replace(/"\d{4}-\d\d-\d\d"/g, '"DATE"');
    expect(dated(said)).toContain(dated(sample));
    expect(said).toContain("3 unchanged");
    expect(service.channels().map(({ label }) => label)).toEqual(["Registrar desk"]);
  });

  it("the guide for the start ends with two channels, as it says", async () => {
    const [onTheLocalService = ""] = pageAt("docs/get-started.md").text.split("## With your account");
    const said = await follow(onTheLocalService, { email: "first-channel@example.com" });

    expect(said).toMatch(/^ok +engine +pulumi v?\d/m);
    expect(said).toMatch(/^ok +service +reachable, and the token is not refused/m);
    expect(said).toContain('Notification channel "Registrar desk" (email, domain 11111111');
    expect(said).toContain("is to be replaced (changed: label)");
    expect(said).toMatch(/"Registrar desk" \(.*\) stays in the service/);
    expect(service.channels().map(({ label }) => label)).toEqual(["Registrar desk", "Registrar team"]);
  });
});
