import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { channel } from "../../src/provider";
import type { Properties } from "../../src/provider/boundary";
import { type Emulator, startEmulator } from "../../src/testing";
import { providerWith } from "../provider/support/channel-stack";
import { Cli } from "../support/cli";
import { realEngineAvailable } from "../support/engines";
import { JAVASCRIPT, Projects } from "../support/project";

interface RecordedResource {
  type: string;
  id: string;
  inputs: Properties;
  outputs: Properties;
}

/** States that releases have written; each stays here for ever (docs/contributing/upgrading.md). */
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

describe("a channel that an earlier version has recorded", () => {
  let service: Emulator;

  beforeEach(async () => {
    service = await startEmulator({ lifecycle: "managed" });
  });
  afterEach(() => service.close());

  const providerFor = (lifecycle: string) =>
    providerWith({ baseUrl: service.url, apiToken: service.token, lifecycle });

  it.each(states)("in %s gets no other key without the managed lifecycle, in any operation", async (name) => {
    for (const lifecycle of ["", "create-only"]) {
      const provider = providerFor(lifecycle);
      for (const { id, inputs, outputs } of channels(name)) {
        const checked = await provider.check(inputs, inputs);
        expect(checked.inputs).toEqual(withoutText(inputs));
        // As the state has them, in the order in which it is written.
        const asWritten = (properties: Properties) => JSON.stringify(Object.entries(properties).sort());
        const { outs } = await provider.update(id, outputs, checked.inputs);
        expect(asWritten(outs)).toBe(asWritten(withoutText(outputs)));
        const { props } = await provider.read(id, outputs);
        expect(asWritten(props)).toBe(asWritten(withoutText(outputs)));
      }
    }
    expect(service.requests).toEqual([]);
  });

  it.each(states)(
    "in %s is carried over by an update and one read, and back without a request",
    async (name) => {
      seed(service, name);
      const provider = providerFor("managed");
      for (const { id, inputs, outputs } of channels(name)) {
        const checked = await provider.check(inputs, inputs);
        expect(await provider.diff(id, outputs, checked.inputs)).toMatchObject({
          changes: true,
          replaces: [],
        });
        const { outs } = await provider.update(id, outputs, checked.inputs);
        expect(outs).toEqual({
          ...withoutText(outputs),
          createdAt: expect.any(String),
          lifecycle: "managed",
        });
        expect(await provider.diff(id, outs, checked.inputs)).toMatchObject({ changes: false });
        expect(await provider.read(id, outs)).toEqual({ id, props: outs, inputs: checked.inputs });

        const before = service.requests.length;
        const back = providerFor("create-only");
        const reverted = await back.check(checked.inputs, inputs);
        expect(reverted.inputs).toEqual(withoutText(inputs));
        expect((await back.update(id, outs, reverted.inputs)).outs).toEqual({
          ...withoutText(outputs),
          createdAt: outs.createdAt,
        });
        expect(service.requests).toHaveLength(before);
        await provider.delete(id, outs);
      }
      expect(service.requests.map(({ method }) => method)).toEqual(
        channels(name).flatMap(() => ["GET", "GET", "DELETE"]),
      );
      expect(service.channels()).toEqual([]);
    },
  );
});

/** The channels of a state, as the service has them. */
function seed(service: Emulator, name: string): void {
  for (const { id, inputs } of channels(name)) {
    const { domainId, ...channel } = withoutText(inputs);
    const given = Object.entries(channel).filter(([, value]) => value !== null);
    service.addChannel(String(domainId), { id, ...Object.fromEntries(given) });
  }
}

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

  it.each(states)(
    "in %s is carried over by updates alone, after which a destroy leaves none",
    async (name) => {
      await using service = await startEmulator({ lifecycle: "managed" });
      seed(service, name);
      const projects = new Projects();
      const program = readFileSync(path.join(__dirname, "program/index.js"), "utf8");
      const yaml = `name: upgrades\nruntime: ${JAVASCRIPT}\nmain: index.js\n`;
      const cli = new Cli(projects.add("index.js", { "index.js": program, "Pulumi.yaml": yaml }), {
        DOMAIN_MONITORING_BASE_URL: service.url,
        DOMAIN_MONITORING_API_TOKEN: service.token,
      });
      const run = async (...args: string[]) => {
        const finished = await cli.run(...args);
        expect(finished).toMatchObject({ code: 0 });
        return finished.output;
      };
      try {
        await run("stack", "init", "test");
        await run("stack", "import", "--file", path.join(__dirname, name));
        await run("config", "set", "domain-monitoring:lifecycle", "managed");
        // Nothing is recorded yet, so a destroy leaves them. Its process has the settings of the last update, not this one.
        const tooEarly = await cli.run("destroy", "--yes", "--skip-preview");
        expect(tooEarly.output).toContain("This package cannot delete it, so it stays in the service");
        expect(service.channels()).toHaveLength(4);
        await run("stack", "import", "--file", path.join(__dirname, name));

        const moved = await run("up", "--yes", "--skip-preview");
        expect(moved).toMatch(/~ 4 updated/);
        expect(moved).not.toMatch(/replaced|created|deleted/);
        await run("preview", "--expect-no-changes");
        await run("refresh", "--yes", "--skip-preview", "--expect-no-changes");
        expect(service.requests.map(({ method }) => method)).toEqual(Array(8).fill("GET"));
        await run("destroy", "--yes", "--skip-preview");
        expect(service.channels()).toEqual([]);
      } finally {
        cli.close();
      }
    },
  );
});

function withoutText({ __provider: _text, ...properties }: Properties): Properties {
  return properties;
}
