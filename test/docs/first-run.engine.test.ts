/** A new user's first pages work when they are followed word for word. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { useEmulator } from "../support/emulator";
import { describeWithPulumi } from "../support/engines";
import { temporaryDirectory } from "../support/temporary";
import { readerEnvironment, stepsOf, walk } from "../support/walk";
import { codeIn, pageAt } from "./support/markdown";

describeWithPulumi("what a new user follows", () => {
  const service = useEmulator({ token: "local-token" });
  let directory: string;

  beforeEach(() => {
    directory = temporaryDirectory();
    mkdirSync(path.join(directory, "project"));
  });

  async function follow(text: string): Promise<string> {
    const secrets = { email: "first-channel@example.com" };
    const said = await walk(stepsOf(text), {
      directory: path.join(directory, "project"),
      env: readerEnvironment(path.join(directory, "engine")),
      secrets,
      service,
    });

    for (const secret of [service.token, secrets.email]) expect(said).not.toContain(secret);

    return said;
  }

  it("the README's program creates one channel and later fails as shown", async () => {
    const { text } = pageAt("README.md");
    const [, example = ""] = /^## Example$(.*?)^## /ms.exec(text) ?? [];
    const [, deploy = ""] = /^## Configure and deploy$(.*?)^## Reports$/ms.exec(text) ?? [];
    // Stands for the files of `pulumi new typescript` and the installation.
    const made =
      "```yaml\nname: domains\nruntime: nodejs\nmain: index.ts\n```\n" +
      "```sh\npulumi stack init dev\nnpm install pulumi-domain-monitoring\n```\n";

    const said = await follow(`${made}${example}${deploy}`);
    expect(said).toContain("3 created");
    expect(service.channels().map(({ label }) => label)).toEqual(["Registrar desk"]);

    // A separate stack for the domain that ends soon.
    const fails = `pulumi stack init late
pulumi config set domain-monitoring:baseUrl ${service.url}
pulumi config set --secret domain-monitoring:apiToken
pulumi config set domainId 22222222-2222-4222-8222-222222222222
pulumi config set --secret email
pulumi preview`;

    const failed = await follow(`\`\`\`sh\n${fails}\n\`\`\``).catch(String);
    const shown = codeIn("README.md", /^Diagnostics:/);
    const comparable = (output: string) =>
      output
        // The package.json is missing, because `pulumi new` makes it.
        .replace(/^ *warning: Could not find a package\.json.*\n/gm, "")
        .replace(/\d{4}-\d\d-\d\d/g, "DATE")
        .replaceAll("domains-late", "domains-dev");

    expect(comparable(failed)).toContain(comparable(shown));
  });

  it("the guide for the start ends with two channels, as it says", async () => {
    const [onTheLocalService = ""] =
      pageAt("docs/get-started.md").text.split("## With your account");
    const installed = "```sh\nnpm install pulumi-domain-monitoring\n```\n";
    const said = await follow(`${installed}${onTheLocalService}`);

    expect(said).toMatch(/^ok +engine +pulumi v?\d/m);
    expect(said).toMatch(/^ok +service +reachable, and the token was not rejected/m);
    expect(said).toMatch(/"Registrar desk" \(.*\) stays\. The service documents no way/);
    expect(said).toMatch(/"Registrar team" \(.*\) stays/);
    const labels = service.channels().map(({ label }) => label);
    expect(labels).toEqual(["Registrar desk", "Registrar team"]);
  });
});
