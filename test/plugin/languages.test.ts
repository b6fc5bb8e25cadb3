/**
 * Each example of the plugin goes through a channel's whole life on the real engine, by the
 * commands of its README. A language is skipped if its host is not on PATH, or if it needs packages
 * from a registry. `npm run release -- languages` runs all of them, and `npm run release --
 * record-languages` writes the counts.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { copyInto, root } from "../gitops/support/copy";
import { DOMAIN, SLACK_URL } from "../provider/support/channels";
import { AT_ONCE, Cli } from "../support/cli";
import { realEngineAvailable } from "../support/engines";
import type { Finished } from "../support/run";
import { temporaryDirectory } from "../support/temporary";
import { type InlineUpdate, inlineGo, inlinePython } from "./support/inline";
import { RELEASE_DIRECTORY } from "./support/plugin-process";
import { missing, record } from "./support/recorded";

const {
  usesPlugin,
}: { usesPlugin(text: string): boolean } = require("../../scripts/example/settings.cjs");

const { version }: { version: string } = require("../../package.json");

const TARBALL = path.join(
  RELEASE_DIRECTORY,
  `pulumi-resource-domain-monitoring-v${version}-linux-amd64.tar.gz`,
);

const OWN_TOKEN = "own-token-secret-0123456789";
const OTHER_TOKEN = "other-token-secret-0123456789";
/** Expiry of a domain that its rule allows. */
const KEPT = "2999-12-31";
const TYPE = "domain-monitoring:index:NotificationChannel";

/** The outputs of a channel, and those of them that always have a value. */
const { properties, required }: { properties: object; required: string[] } =
  require("../../src/plugin/schema.json").resources[TYPE];

/** The pieces of a program that the test changes, in one language. */
interface Language {
  name: string;
  host: string;
  file: string;

  /** The label of the channel `on-call`. */
  label: (text: string) => string;

  /** The export of the program that the others are added before. */
  exports: string;

  /** Exports an output of the channel `on-call`. */
  exporting: (key: string, output: string) => string;

  /** How the program is run inline (Automation API), where the language has that. */
  inline?: InlineUpdate;
}

const snake = (name: string) => name.replace(/[A-Z]/g, "_$&").toLowerCase();
const pascal = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`;

const languages: Record<string, Language> = {
  yaml: {
    name: "YAML",
    host: "yaml",
    file: "Pulumi.yaml",
    label: (text) => `label: ${text}\n`,
    exports: "  channelIds:\n",
    exporting: (key, output) => `  ${key}: \${on-call.${output}}\n`,
  },
  python: {
    name: "Python",
    host: "python",
    file: "__main__.py",
    label: (text) => `label="${text}",\n`,
    exports: 'pulumi.export(\n    "channelIds"',
    exporting: (key, output) => `pulumi.export("${key}", on_call.${snake(output)})\n`,
    inline: inlinePython,
  },
  go: {
    name: "Go",
    host: "go",
    file: "main.go",
    label: (text) => `pulumi.String("${text}"),\n`,
    exports: 'ctx.Export("channelIds"',
    exporting: (key, output) => `ctx.Export("${key}", onCall.${pascal(output)})\n\t\t`,
    inline: inlineGo,
  },
  "typescript-plugin": {
    name: "TypeScript",
    host: "nodejs",
    file: "index.ts",
    label: (text) => `label: "${text}",\n`,
    exports: "export const channelIds",
    exporting: (key, output) => `export const ${key} = onCall.${output};\n`,
  },
  java: {
    name: "Java",
    host: "java",
    file: "src/main/java/myproject/App.java",
    label: (text) => `.label("${text}")\n`,
    exports: 'ctx.export("channelIds"',
    exporting: (key, output) => `ctx.export("${key}", onCall.${output}());\n        `,
  },
};

/**
 * Error of a Java language host that is older than the engine. It comes after the SDK was written,
 * and in Java there is nothing to link.
 */
const OLD_JAVA_HOST = "unknown method Link";

it("knows every example of the plugin", () => {
  const examples = readdirSync(path.join(root, "examples")).filter((name) => {
    const manifest = path.join(root, "examples", name, "Pulumi.yaml");
    return existsSync(manifest) && usesPlugin(readFileSync(manifest, "utf8"));
  });

  expect(Object.keys(languages).sort()).toEqual(examples.sort());
});

/** What was measured, and of which steps. */
const rows: string[][] = [];
const headings = new Set<string>();

for (const [example, language] of Object.entries(languages)) {
  const reason = missing([`pulumi-language-${language.host}`], example !== "yaml");
  const title = `the plugin's example ${example}, on the real engine${reason ? ` (${reason})` : ""}`;
  (realEngineAvailable && !reason ? describe : describe.skip)(title, () => {
    let own: Emulator;
    let other: Emulator;
    let workDir: string;
    let cli: Cli;
    let printed = "";

    beforeAll(async () => {
      [own, other] = await Promise.all([
        startEmulator({ token: OWN_TOKEN, lifecycle: "managed" }),
        startEmulator({ token: OTHER_TOKEN, lifecycle: "managed" }),
      ]);

      own.updateDomain(DOMAIN, { expiresAt: KEPT });
      workDir = temporaryDirectory();
      copyInto(workDir, path.join("examples", example));
      cli = new Cli(workDir, { PULUMI_OPTION_SUPPRESS_PROGRESS: "true" });
      const installed = await cli.installPlugin(TARBALL);

      expect(installed).toMatchObject({ code: 0 });

      const { code, output } = example === "yaml" ? installed : await cli.run("install");
      if (!output.includes(OLD_JAVA_HOST)) expect({ code, output }).toMatchObject({ code: 0 });
      await cli.run("stack", "init", "test");
      const settings = {
        "domain-monitoring:baseUrl": own.url,
        domainName: "example.com",
        subsidiaryUrl: other.url,
        subsidiaryDomainName: "example.org",
      };

      const secrets = {
        "domain-monitoring:apiToken": OWN_TOKEN,
        slackUrl: SLACK_URL,
        subsidiaryToken: OTHER_TOKEN,
      };

      for (const setting of Object.entries(settings)) await cli.run("config", "set", ...setting);
      for (const secret of Object.entries(secrets))
        await cli.run("config", "set", "--secret", ...secret);
    });

    afterAll(() => Promise.all([own.close(), other.close()]));

    const seen = new Set<object>();

    /** Counts the requests to both accounts since the last call. */
    function takeRequests(): { reads: number; creates: number } {
      const since = [...own.requests, ...other.requests].filter((request) => !seen.has(request));
      for (const request of since) seen.add(request);
      const creates = since.filter(({ method }) => method === "POST").length;
      return { reads: since.length - creates, creates };
    }

    const cells: string[] = [];

    async function step(heading: string | undefined, ...args: string[]) {
      const start = process.hrtime.bigint();
      const finished = await cli.run(...args);
      const seconds = Number(process.hrtime.bigint() - start) / 1e9;
      printed += finished.output;
      const requests = takeRequests();
      if (heading) {
        headings.add(heading);
        cells.push(`${seconds.toFixed(1)} s, ${requests.reads}+${requests.creates}`);
      }

      return { ...finished, requests };
    }

    function edit(from: string, to: string): void {
      const file = path.join(workDir, language.file);
      const text = readFileSync(file, "utf8");
      expect(text).toContain(from);

      // Replaces only the first match; a function keeps `$` literal.
      const edited = text.replace(from, () => to);
      writeFileSync(file, edited);
    }

    /** The channels in the service and in the state, which a failing update must not change. */
    function recorded(): unknown[] {
      const urns = cli.resources<{ urn: string }>().map(({ urn }) => urn);
      const ofChannels = urns.filter((urn) => urn.includes(`${TYPE}::`));
      return [own.channels(), other.channels(), ofChannels.sort()];
    }

    type Update = () => Promise<Finished>;

    const upAs = (heading?: string) => () => step(heading, "up", ...AT_ONCE);

    /** Expects an update to fail with this line first, and to change nothing that is looked at. */
    async function expectFailure(line: string, update: Update, look = recorded): Promise<void> {
      const before = look();
      const failed = await update();
      const [error] = /^ *error: .*/m.exec(failed.output) ?? [];

      expect(failed.code).not.toBe(0);
      expect(error).toContain(line);
      expect(look()).toEqual(before);
    }

    /** Updates while the rule of a function fails, and while a lookup does. */
    async function expectFailingFunctions(rule: Update, lookup = rule, look = recorded) {
      own.updateDomain(DOMAIN, { expiresAt: "2001-02-03" });
      await expectFailure("example.com expired on 2001-02-03", rule, look);
      own.updateDomain(DOMAIN, { expiresAt: KEPT });
      own.fault({ operation: "listDomains", status: 404 });
      await expectFailure("404", lookup, look);
    }

    /** The channels that wait for the rule, which a failing update on a new stack must not create. */
    const gated = () => own.channels();

    it("sends exactly the expected requests in every operation", async () => {
      const exported = Object.keys(properties).map((output) =>
        language.exporting(`onCall_${output}`, output),
      );

      edit(language.exports, exported.join("") + language.exports);

      expect(await step("preview", "preview")).toMatchObject({ code: 0, requests: { creates: 0 } });

      const up = await step("up", "up", ...AT_ONCE);
      expect(up).toMatchObject({ code: 0, requests: { creates: 3 } });
      expect(up.output).toContain("+ 5 created");

      const outputs = JSON.parse((await cli.run("stack", "output", "--json")).output);
      const wanted = required.map((output) => `onCall_${output}`);

      expect(Object.keys(outputs)).toEqual(expect.arrayContaining(wanted));
      expect(outputs).toMatchObject({ onCall_label: "On-call", onCall_value: "[secret]" });

      await expectFailingFunctions(upAs("failing rule"), upAs("failing lookup"));

      const again = await step("no-op up", "up", ...AT_ONCE, "--expect-no-changes");
      expect(again).toMatchObject({ code: 0, requests: { creates: 0 } });

      const refreshed = await step("refresh", "refresh", ...AT_ONCE, "--expect-no-changes");
      expect(refreshed).toMatchObject({ code: 0, requests: { creates: 0 } });

      edit(language.label("On-call"), language.label("Renamed"));
      const replaced = await step("replace", "up", ...AT_ONCE);
      expect(replaced).toMatchObject({ code: 0, requests: { creates: 1 } });
      expect(replaced.output).toMatch(/\+-1 replaced/);
      expect(replaced.output).toMatch(/"On-call" \(id \S+, domain \S+\) stays/);

      edit(language.label("Renamed"), language.label("x"));
      const failed = await step("failure", "preview");
      expect(failed.code).not.toBe(0);
      expect(failed.output).toMatch(/label .* 1: .* 3 .* 100 /);
      expect(failed).toMatchObject({ requests: { creates: 0 } });
      edit(language.label("x"), language.label("Renamed"));

      const destroyed = await step("destroy", "destroy", ...AT_ONCE);
      expect(destroyed).toMatchObject({ code: 0, requests: { reads: 0, creates: 0 } });

      for (const name of ["Renamed", "Pager", "On-call"])
        expect(destroyed.output).toContain(`"${name}" (`);

      const labels = own.channels().map(({ label }) => label);
      expect(labels.sort()).toEqual(["On-call", "Pager", "Renamed"]);
      expect(other.channels()).toHaveLength(1);

      // On a new stack, without a preview: the channels of the domain depend on the functions.
      await expectFailingFunctions(upAs(), upAs(), gated);

      const { inline } = language;
      if (inline) {
        const update: Update = async () => {
          const finished = await inline(workDir, cli.environment);
          printed += finished.output;
          return finished;
        };

        expect(await update()).toMatchObject({ code: 0 });
        expect(own.channels()).toHaveLength(5);
        await expectFailingFunctions(update);
      }

      const settings = readFileSync(path.join(workDir, "Pulumi.test.yaml"), "utf8");
      const written = printed + cli.written() + settings;

      // Proves that the searched text contains the channel.
      expect(/"label": ?"Renamed"/.test(cli.written())).toBe(true);

      for (const secret of [OWN_TOKEN, OTHER_TOKEN, SLACK_URL]) {
        expect(written).not.toContain(secret);
        expect(written).not.toContain(Buffer.from(secret).toString("base64"));
      }

      rows.push([language.name, ...cells]);
      // In Go every program is compiled.
    }, 900_000);
  });
}

afterAll(() => {
  record("languages", ["", ...headings], rows, Object.keys(languages).length);
});
