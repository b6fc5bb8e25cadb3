/** The functions in a program: what they return, which account they ask, and how they fail. */
import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";
import {
  DomainMonitoringError,
  type FunctionOptions,
  getDnsChanges,
  getDomain,
  getDomainOutput,
  getWhoisChanges,
  getWhoisChangesOutput,
  Provider,
  type ProviderArgs,
} from "../../src";
import { DomainMonitoringClient } from "../../src/client";
import { useEmulator } from "../support/emulator";
import { failureOf } from "../support/failure";
import { fc } from "../support/properties";
import { beginRun, configureFor, idle, knownValue, unknownOutput } from "./support/in-process";

const domainId = "44444444-4444-4444-8444-444444444444";

const component = (name: string, opts: pulumi.ComponentResourceOptions) =>
  new pulumi.ComponentResource("test:index:Site", name, {}, opts);

describe("the functions of a program", () => {
  const service = useEmulator({
    domains: [{ id: domainId, domain: "example.dev", whoisChanges: [], dnsChanges: [] }],
  });

  beforeEach(async () => {
    await beginRun({ preview: false });
    configureFor(service);
  });

  afterEach(idle);

  it("read a domain with the stack's settings, and give an output that is not secret", async () => {
    const domain = await getDomain({ id: domainId });
    expect(domain).toMatchObject({ id: domainId, components: { dns: { isEnabled: true } } });
    expect(JSON.stringify(domain)).not.toMatch(/human/i);

    const output = getDomainOutput({ id: pulumi.output(domainId) });
    expect(await knownValue(output)).toEqual(domain);
    expect(await pulumi.isSecret(output)).toBe(false);
  });

  it("ask nothing in a preview while an argument is unknown", async () => {
    await beginRun({ preview: true });
    const reached: unknown[] = [];
    getDomainOutput({ id: unknownOutput() }).apply((domain) => reached.push(domain));
    getWhoisChangesOutput({ domainId: unknownOutput() }).apply((changes) => reached.push(changes));
    await idle();

    expect(reached).toEqual([]);
    expect(service.requests).toEqual([]);
  });

  it("end a program with one line for a provider without a token", () => {
    // Only TypeScript requires it.
    const args = { baseUrl: "https://other.example" } as ProviderArgs;
    expect(() => new Provider("other", args)).toThrow(
      "argument apiToken of a Provider is missing: pass the token of the account at its baseUrl",
    );
  });

  it("end a program with one line for an error of another copy's client", async () => {
    let Copy = DomainMonitoringClient;
    jest.isolateModules(() => {
      ({ DomainMonitoringClient: Copy } = require("../../src/client"));
    });

    const client = new Copy({ baseUrl: service.url, apiToken: service.token });
    const failing = getDomain({ id: "22222222-2222-4222-8222-222222222222" }, { client });
    const error: unknown = await failing.catch((reason: unknown) => reason);
    expect(error).not.toBeInstanceOf(DomainMonitoringError);
    expect(error).toMatchObject({ kind: "http", status: 404 });
    expect(pulumi.RunError.isInstance(error)).toBe(true);

    await client.close();
  });

  describe("with a parent", () => {
    let provider: Provider;

    const other = useEmulator({ domains: [{ id: domainId, domain: "other.example" }] });

    beforeEach(() => {
      provider = new Provider("other", { baseUrl: other.url, apiToken: other.token });
    });

    async function bothForms(opts: FunctionOptions): Promise<string[]> {
      const { domain } = await getDomain({ id: domainId }, opts);
      return [domain, await knownValue(getDomainOutput({ id: domainId }, opts).domain)];
    }

    it("ask the account of its provider, even several levels up", async () => {
      const outer = component("outer", { providers: [provider, new random.Provider("random")] });
      const parent = component("inner", { parent: component("middle", { parent: outer }) });
      expect(await bothForms({ parent })).toEqual(["other.example", "other.example"]);
      expect(service.requests).toEqual([]);
    });

    it("ask the account of their own provider first, and with a client no account at all", async () => {
      const mine = new Provider("mine", { baseUrl: service.url, apiToken: service.token });
      const parent = component("outer", { providers: [provider] });

      expect(await bothForms({ parent, provider: mine })).toEqual(["example.dev", "example.dev"]);

      const client = new DomainMonitoringClient({ baseUrl: service.url, apiToken: service.token });
      const foreign = new random.Provider("random");
      for (const opts of [{ parent }, { provider: foreign }])
        expect(await bothForms({ ...opts, client })).toEqual(["example.dev", "example.dev"]);

      await client.close();
      expect(other.requests).toEqual([]);
    });

    it("ask the stack's own account where it has no provider, or one of another package", async () => {
      const foreign = component("foreign", { provider: new random.Provider("random") });
      for (const parent of [component("none", {}), foreign])
        expect(await bothForms({ parent })).toEqual(["example.dev", "example.dev"]);
    });

    it("ask the account of a Provider that another copy of the package made", async () => {
      let Copy = Provider;
      jest.isolateModules(() => {
        // One SDK, as a peer dependency is; two of this package, as a component from npm may bring.
        jest.doMock("@pulumi/pulumi", () => pulumi);
        ({ Provider: Copy } = require("../../src/program/provider"));
        jest.dontMock("@pulumi/pulumi");
      });

      const foreign = new Copy("copy", { baseUrl: other.url, apiToken: other.token });
      expect(foreign).not.toBeInstanceOf(Provider);
      expect(Provider.isInstance(foreign)).toBe(true);
      expect(await bothForms({ provider: foreign })).toEqual(["other.example", "other.example"]);
    });

    it("refuse its settings while they are unknown in a preview, but wait for them in the Output form", async () => {
      await beginRun({ preview: true });
      const late = new Provider("late", { baseUrl: other.url, apiToken: unknownOutput() });
      const parent = component("outer", { providers: [late] });
      const error = await failureOf(getDomain({ id: domainId }, { parent }));

      expect(error.message).toContain("are not known yet in this preview: use the Output form");

      const output = getDomainOutput({ id: domainId }, { parent });
      expect(await Reflect.get(output, "isKnown")).toBe(false);
      expect(other.requests).toEqual([]);
    });
  });

  it("refuse another package's provider with one line and no request", async () => {
    const plain = new (class extends pulumi.ProviderResource {})("pulumi-nodejs", "plain");
    const parent = component("site", { providers: [plain] });
    const set = Object.assign(new random.Provider("set"), { settings: pulumi.output({}) });
    const cases: [FunctionOptions, string][] = [
      [{ provider: new random.Provider("random") }, "random"],
      [{ provider: set }, "random"],
      [{ provider: plain }, "pulumi-nodejs"],
      [{ parent }, "pulumi-nodejs"],
    ];

    for (const [opts, name] of cases) {
      const line =
        `a provider of the package "${name}" has no account for this function: ` +
        "pass a Provider of pulumi-domain-monitoring, or none for the stack's own account";
      const error = await failureOf(getDomain({ id: domainId }, opts));
      expect(error.message).toBe(line);
      expect(error.stack).toBe(line);
      expect(() => getDomainOutput({ id: domainId }, opts)).toThrow(line);
    }

    expect(service.requests).toEqual([]);
  });

  it("wait for a component of another process by its URN: its children are not known here", async () => {
    const remote = new pulumi.ComponentResource("other:index:Remote", "remote", {}, {}, true);
    const output = getDomainOutput({ id: domainId }, { dependsOn: [remote] });
    expect(await knownValue(output.id)).toBe(domainId);
  });

  describe("for changes", () => {
    // Values of each kind: test/client/change-values.test.ts.
    it("have decoded values, and no texts that change by themselves", async () => {
      service.addChange(domainId, "whois", { fieldChanged: "nameservers", newValue: ["ns1"] });
      const whois = await getWhoisChanges({ domainId });
      expect(whois).toMatchObject({ total: 1, truncated: false, changes: [{ after: ["ns1"] }] });
      expect(JSON.stringify(whois)).not.toMatch(/Human/);

      service.addChange(domainId, "dns", { oldValue: "no JSON" });
      const { changes } = await getDnsChanges({ domainId });
      expect(changes).toMatchObject([{ before: null, oldValue: "no JSON" }]);
    });

    it("come newest first, bounded by since and limit", async () => {
      const day = fc
        .integer({ min: 1, max: 28 })
        .map((number) => `2026-02-${String(number).padStart(2, "0")} 12:00:00`);

      const scenario = fc.record({
        days: fc.array(day, { maxLength: 12 }),
        limit: fc.integer({ min: 1, max: 15 }),
        since: fc.option(day, { nil: undefined }),
        perPage: fc.integer({ min: 1, max: 5 }),
      });

      await fc.assert(
        fc.asyncProperty(scenario, async ({ days, limit, since, perPage }) => {
          const id = service.addDomain();
          for (const createdAt of days) service.addChange(id, "whois", { createdAt });
          const asked = { domainId: id, limit, perPage, ...(since && { since }) };
          const result = await getWhoisChanges(asked);
          const matching = days.filter((at) => since === undefined || at >= since);
          const expected = [...matching].sort().reverse().slice(0, limit);
          expect(result.changes.map(({ createdAt }) => createdAt)).toEqual(expected);
          expect(result).toMatchObject({ total: days.length, truncated: matching.length > limit });

          const keys = result.changes.map(({ createdAt, id: change }) => `${createdAt} ${change}`);
          expect(keys).toEqual([...keys].sort().reverse());
        }),
        { numRuns: 25 },
      );
    });

    it("come as served with a page", async () => {
      for (let number = 1; number <= 5; number++)
        service.addChange(domainId, "whois", { createdAt: `2026-03-0${number} 00:00:00` });

      const result = await getWhoisChanges({ domainId, page: 2, perPage: 2 });
      expect(result).toMatchObject({ total: 5, truncated: true });
      const dates = result.changes.map(({ createdAt }) => createdAt);
      expect(dates).toEqual(["2026-03-03 00:00:00", "2026-03-02 00:00:00"]);

      const path = `/api/domains/${domainId}/changes/whois?per_page=2&page=2`;
      expect(service.requests).toEqual([expect.objectContaining({ path })]);
    });

    it.each([
      [{ page: 1, limit: 3 }, "page cannot be combined with limit"],
      [{ limit: 0 }, "limit is not a whole number"],
      [{ perPage: 101 }, "perPage is not a whole number from 1 to 100"],
      [{ page: 0 }, "page is not a whole number"],
      [{ since: "yesterday" }, "since is not a valid date"],
      [{ since: "2026-02-30" }, "since is not a valid date"],
    ])("refuse %j and say why", async (args, message) => {
      const error = await failureOf(getWhoisChanges({ domainId, ...args }));
      expect(error).toMatchObject({ kind: "validation" });
      expect(error.message).toContain(message);
      expect(service.requests).toEqual([]);
    });
  });
});
