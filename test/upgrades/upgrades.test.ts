import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { channel } from "../../src/provider";
import type { Properties } from "../../src/provider/boundary";
import { Cli } from "../support/cli";
import { realEngineAvailable } from "../support/engines";

interface RecordedResource {
  type: string;
  id: string;
  inputs: Properties;
  outputs: Properties;
}

/** States that releases have written; each stays here for ever (docs/upgrading.md). */
const states = readdirSync(__dirname).filter((name) => name.startsWith("state-"));

/** The channels in a state, secrets in clear as the provider gets them. */
function channels(name: string): RecordedResource[] {
  const text = readFileSync(path.join(__dirname, name), "utf8");
  const state: { deployment: { resources: RecordedResource[] } } = JSON.parse(text, (_key, value) =>
    typeof value === "object" && value !== null && "plaintext" in value ? JSON.parse(value.plaintext) : value,
  );
  return state.deployment.resources.filter(({ type }) => type.endsWith(":NotificationChannel"));
}

describe("the state of an earlier version", () => {
  it("is kept", () => {
    expect(states).toContain("state-0.1.0.json");
  });

  it.each(states)("in %s shows no difference to the provider of today", async (name) => {
    expect(channels(name)).toHaveLength(4);
    const settings = new Map([
      ["domain-monitoring:baseUrl", "http://127.0.0.1:1"],
      ["domain-monitoring:apiToken", "none"],
    ]);
    await channel.configure({ config: { get: (key) => settings.get(key) } });
    for (const { id, inputs, outputs } of channels(name)) {
      const checked = await channel.check(inputs, inputs);
      expect(checked.failures).toEqual([]);
      expect(
        await channel.diff(id, outputs, { ...checked.inputs, __provider: inputs.__provider }),
      ).toMatchObject({
        changes: false,
        replaces: [],
      });
      const read = await channel.read(id, outputs);
      const { __provider: _text, ...recorded } = inputs;
      expect(read).toEqual({ id, props: withoutText(outputs), inputs: recorded });
    }
  });
});

const onRealEngine = realEngineAvailable ? describe : describe.skip;

onRealEngine("the state of an earlier version, on the real engine", () => {
  it.each(states)(
    "in %s is previewed, refreshed and destroyed by the code of today without a change",
    async (name) => {
      // No base address is reachable: neither preview nor refresh nor destroy may need the service.
      const environment = {
        DOMAIN_MONITORING_BASE_URL: "http://127.0.0.1:1",
        DOMAIN_MONITORING_API_TOKEN: "none",
      };
      const cli = new Cli(path.join(__dirname, "program"), environment);
      try {
        await cli.run("stack", "init", "test");
        expect((await cli.run("stack", "import", "--file", path.join(__dirname, name))).code).toBe(0);
        expect(await cli.run("preview", "--expect-no-changes")).toMatchObject({ code: 0 });
        expect(await cli.run("refresh", "--yes", "--skip-preview", "--expect-no-changes")).toMatchObject({
          code: 0,
        });
        const refused = await cli.run("destroy", "--yes", "--skip-preview");
        expect(refused.output).toContain('onOrphan is "error"');
      } finally {
        await cli.run("stack", "rm", "--force", "--yes", "test");
        cli.close();
      }
    },
  );
});

function withoutText({ __provider: _text, ...properties }: Properties): Properties {
  return properties;
}
