/** The state of every release works with this version, and changes nothing by itself. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import type { Properties } from "../../src/provider/boundary";
import { PluginProcess, secret } from "../plugin/support/plugin-process";
import { providerWith } from "../provider/support/channel-stack";
import { environmentFor } from "../support/account";
import { AT_ONCE, Cli } from "../support/cli";
import { useEmulator } from "../support/emulator";
import { describeWithPulumi } from "../support/engines";
import { JAVASCRIPT, Projects } from "../support/project";

interface RecordedResource {
  type: string;
  id: string;
  inputs: Properties;
  outputs: Properties;
}

/** States that releases have written. They stay here for ever (docs/contributing/development.md). */
const states = readdirSync(__dirname).filter((name) => name.startsWith("state-"));

/** The channels in a state, with secrets in clear as the provider gets them. */
function channels(name: string): RecordedResource[] {
  const text = readFileSync(path.join(__dirname, name), "utf8");
  const state: { deployment: { resources: RecordedResource[] } } = JSON.parse(
    text,
    (_key, value) => (value?.plaintext === undefined ? value : JSON.parse(value.plaintext)),
  );

  return state.deployment.resources.filter(({ type }) => type.endsWith(":NotificationChannel"));
}

it("the state of every release is kept", () => {
  expect(states).toContain("state-0.1.0.json");
  for (const name of states) expect(channels(name)).toHaveLength(4);
});

describe("a channel that an earlier version has recorded", () => {
  const service = useEmulator({ lifecycle: "managed" });

  const providerFor = (lifecycle: string) =>
    providerWith({ baseUrl: service.url, apiToken: service.token, lifecycle });

  it.each(states)("in %s shows no difference as create-only, in any operation", async (name) => {
    // Uses the state's values in their recorded order.
    const asWritten = (properties: Properties) => JSON.stringify(Object.entries(properties).sort());

    const provider = providerFor("create-only");
    for (const { id, inputs, outputs } of channels(name)) {
      const recorded = withoutText(outputs);
      const checked = await provider.check(inputs, inputs);
      expect(checked).toEqual({ inputs: withoutText(inputs), failures: [] });

      const none = { changes: false, replaces: [] };
      expect(await provider.diff(id, outputs, inputs)).toMatchObject(none);

      const { outs } = await provider.update(id, outputs, checked.inputs);
      const read = await provider.read(id, outputs);
      expect(read).toEqual({ id, props: recorded });

      for (const written of [outs, read.props])
        expect(asWritten(written)).toBe(asWritten(recorded));
    }

    expect(service.requests).toEqual([]);
  });

  it.each(states)("in %s becomes managed by an update and one read, and back", async (name) => {
    seed(service, name);
    const provider = providerFor("managed");
    for (const { id, inputs, outputs } of channels(name)) {
      const checked = await provider.check(inputs, inputs);
      const inPlace = { changes: true, replaces: [] };
      expect(await provider.diff(id, outputs, checked.inputs)).toMatchObject(inPlace);

      const { outs } = await provider.update(id, outputs, checked.inputs);
      expect(outs).toEqual({
        ...withoutText(outputs),
        createdAt: expect.any(String),
        addressDigest: expect.any(String),
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
        addressDigest: outs.addressDigest,
      });
      expect(service.requests).toHaveLength(before);

      await providerFor("managed").delete(id, outs);
    }

    expect(service.requests.map(({ method }) => method)).toEqual(
      channels(name).flatMap(() => ["GET", "GET", "DELETE"]),
    );
    expect(service.channels()).toEqual([]);
  });

  it.each(states)("in %s is taken over by the plugin without a difference", async (name) => {
    const plugin = await PluginProcess.start();
    try {
      await plugin.configure({ baseUrl: service.url, apiToken: secret(service.token) });
      for (const { id, inputs, outputs } of channels(name)) {
        const declared = withoutText(inputs);
        expect((await plugin.check(declared, inputs)).failures).toEqual([]);
        const none = { changes: "none", replaces: [] };
        expect(await plugin.diff(id, outputs, declared)).toMatchObject(none);

        const { properties, ...read } = await plugin.read(id, outputs);
        expect(read).toMatchObject({ id, inputs: undefined });
        // It may be moved back.
        expect(properties.__provider).toBe(outputs.__provider);
      }

      expect(service.requests).toEqual([]);
    } finally {
      await plugin.stop();
    }
  });
});

/** The channels of a state, in the service's format. */
function seed(service: Emulator, name: string): void {
  for (const { id, inputs } of channels(name)) {
    const { domainId, ...channel } = withoutText(inputs);
    const given = Object.entries(channel).filter(([, value]) => value !== null);
    service.addChannel(String(domainId), { id, ...Object.fromEntries(given) });
  }
}

describeWithPulumi("a stack of an earlier version", () => {
  let cli: Cli;

  /** The stack of the program that wrote a state, with that state imported. */
  async function open(name: string, account: { url: string; token: string }): Promise<void> {
    const program = readFileSync(path.join(__dirname, "program/index.js"), "utf8");
    const yaml = `name: upgrades\nruntime: ${JAVASCRIPT}\nmain: index.js\n`;
    const files = { "index.js": program, "Pulumi.yaml": yaml };
    cli = new Cli(new Projects().add("index.js", files), environmentFor(account));
    await run("stack", "init", "test");
    await run("stack", "import", "--file", path.join(__dirname, name));
  }

  /** Runs a command that has to succeed. */
  async function run(...args: string[]): Promise<string> {
    const finished = await cli.run(...args);
    expect(finished).toMatchObject({ code: 0 });
    return finished.output;
  }

  it.each(states)("in %s shows no change, and is destroyed", async (name) => {
    // None of these may need the service.
    await open(name, { url: "http://127.0.0.1:1", token: "none" });
    await run("preview", "--expect-no-changes");
    await run("refresh", ...AT_ONCE, "--expect-no-changes");

    expect(await run("destroy", ...AT_ONCE)).toContain(
      "The service documents no way to delete a channel",
    );
  });

  it.each(states)("in %s becomes managed by updates alone, and is destroyed", async (name) => {
    await using service = await startEmulator({ lifecycle: "managed" });
    seed(service, name);
    await open(name, service);
    await run("config", "set", "domain-monitoring:lifecycle", "managed");

    const moved = await run("up", ...AT_ONCE);
    expect(moved).toMatch(/~ 4 updated/);
    expect(moved).not.toMatch(/replaced|created|deleted/);

    await run("preview", "--expect-no-changes");
    await run("refresh", ...AT_ONCE, "--expect-no-changes");
    expect(service.requests.map(({ method }) => method)).toEqual(Array(8).fill("GET"));

    await run("destroy", ...AT_ONCE);
    expect(service.channels()).toEqual([]);
  });
});

function withoutText({ __provider: _text, ...properties }: Properties): Properties {
  return properties;
}
