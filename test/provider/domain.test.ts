/** The provider of domains: what it sends, what is recorded and what users are told, counted at the service. */
import fc from "fast-check";
import { UNKNOWN } from "../../src/common/markers";
import type { Properties } from "../../src/provider/boundary";
import { domainProvider } from "../../src/provider/domain";
import {
  type Emulator,
  type EmulatorOptions,
  type FaultRule,
  startEmulator,
} from "../../src/testing/emulator";
import * as wire from "../client/support/wire";
import { failureOf } from "../support/failure";
import { ChannelStack, providerWith } from "./support/channel-stack";

const BY_HAND = { id: "11111111-1111-4111-8111-111111111111", domain: "example.com", label: "By hand" };
const shop: Properties = { domain: "shop.example", label: "Shop", enabledDnsRecords: ["A", "MX"] };

let service: Emulator;
let counted: number;

async function start(options: EmulatorOptions = {}): Promise<void> {
  service = await startEmulator({ lifecycle: "managed", domains: [BY_HAND], ...options });
  counted = 0;
}
beforeEach(() => start());
// Without back-off.
beforeEach(() => jest.spyOn(Math, "random").mockReturnValue(0));
afterEach(async () => {
  jest.restoreAllMocks();
  await service.close();
});

function settings(more: Record<string, string> = {}): Record<string, string> {
  return { baseUrl: service.url, apiToken: service.token, maxRetries: "0", ...more };
}

function stackOf(more?: Record<string, string>): ChannelStack {
  return new ChannelStack(settings(more), domainProvider);
}

/** A stack with this domain, whose requests are not counted. */
async function deployed(declared = shop, more?: Record<string, string>): Promise<ChannelStack> {
  const stack = stackOf(more);
  await stack.up(declared);
  asked();
  return stack;
}

/** Operations of the requests since the last call. */
function asked(): string[] {
  const names = service.requests.map(({ operation, method }) => operation ?? method);
  const since = names.slice(counted);
  counted = names.length;
  return since;
}

function fault(operation: FaultRule["operation"], rule: FaultRule): void {
  service.fault({ operation, ...rule });
}

/** The domains that were not made by hand. */
const created = () => service.domains().filter(({ id }) => id !== BY_HAND.id);
const failure = async (call: Promise<unknown>) => (await failureOf(call)).message;

describe("the inputs", () => {
  const problems = async (declared: Properties) => {
    const { failures } = await providerWith(settings(), undefined, domainProvider).check({}, declared);
    return failures.map(({ property, reason }) => [property, reason].join(""));
  };

  test.each([
    "https://example.com",
    "example.com/path",
    "example.com:443",
    "example com",
    "example",
    "",
    "-a.example",
    "a-.example",
    "a..example",
    "192.0.2.1",
    `${"a".repeat(64)}.example`,
    `${"a.".repeat(126)}example`,
    7,
    null,
    undefined,
  ])("refuse %p as a name", async (domain) => {
    expect(await problems({ domain, label: "Shop" })).toEqual([
      'domain is not a domain name: use one such as "example.com", without scheme, port and path',
    ]);
  });

  test.each([
    "example.com",
    "EXAMPLE.com.",
    "münchen.example",
    "xn--mnchen-3ya.example",
    "_a.b.example",
    "日本.example",
  ])("take %p as a name", async (domain) => {
    expect(await problems({ domain })).toEqual([]);
  });

  test("are checked all at once, before anything is sent", async () => {
    const long = `${"a".repeat(60)}.${"b".repeat(60)}.example`;

    expect(
      await problems({
        domain: "a b",
        label: "ab",
        description: 1,
        colour: true,
        whoisCheckInterval: 7,
        dnsCheckInterval: ["daily"],
        enabledDnsRecords: ["A", 1],
        deletionPolicy: "keep",
        adopt: "yes",
        labels: "x",
      }),
    ).toEqual([
      expect.stringMatching(/^domain is not a domain name/),
      "label has a length of 2: give it 3 to 100 characters",
      "description is not a string: give a text",
      "colour is not a string: give a text",
      "whoisCheckInterval is not a string: give a text",
      "dnsCheckInterval is not a string: give a text",
      'enabledDnsRecords is not a list of strings: give types of records such as "MX"',
      "deletionPolicy is not a valid value: use abandon or delete, or leave it out",
      "adopt is not a boolean: use true or false, or leave it out",
      "labels is not a property of a domain: remove it",
    ]);
    expect(await problems({ domain: long })).toEqual([
      "label has a length of 129: give it 3 to 100 characters",
    ]);
    expect(asked()).toEqual([]);
  });

  test("pass where they are unknown, at any depth", async () => {
    expect(await problems({ domain: UNKNOWN, label: UNKNOWN, enabledDnsRecords: ["A", UNKNOWN] })).toEqual(
      [],
    );
  });

  test("are recorded without what is left out, and with the policy", async () => {
    const provider = providerWith(settings(), undefined, domainProvider);
    const { inputs } = await provider.check(
      {},
      { ...shop, label: undefined, description: null, adopt: false },
    );

    expect(inputs).toEqual({
      domain: "shop.example",
      description: null,
      enabledDnsRecords: ["A", "MX"],
      deletionPolicy: "abandon",
    });
  });
});

describe("a create", () => {
  test("sends what is declared, and records it with the id and the time", async () => {
    const stack = await deployed();
    const [domain] = created();

    expect(stack.recorded?.outputs).toEqual({
      ...shop,
      deletionPolicy: "abandon",
      domainId: domain?.id,
      createdAt: expect.any(String),
    });
    expect(stack.told).toEqual([]);
  });

  test("gives a domain without a label its name", async () => {
    const stack = await deployed({ domain: "shop.example" });

    expect(created()).toMatchObject([{ label: "shop.example" }]);
    expect(stack.recorded?.outputs).not.toHaveProperty("label");
  });

  test.each(["example.com", "Example.COM."])("refuses %s, which is monitored already", async (domain) => {
    const message = await failure(stackOf().up({ domain }));

    expect(message).toContain(
      `is monitored already (id ${BY_HAND.id}): to take it over, declare adopt: true`,
    );
    expect(message).toContain(`import: "${BY_HAND.id}"`);
    expect(asked()).toEqual(["listDomains"]);
  });

  test("compares internationalized names in both forms", async () => {
    service.addDomain({ domain: "xn--mnchen-3ya.example" });

    expect(await failure(stackOf().up({ domain: "MÜNCHEN.example" }))).toContain("is monitored already");
  });

  test("reads the list once for all domains of a run, and creates no name twice in it", async () => {
    const provider = providerWith(settings(), undefined, domainProvider);
    const creates = ["one.example", "two.example", "ONE.example", "three.example"].map((domain) =>
      provider.create({ domain, deletionPolicy: "abandon" }).then(
        () => "created",
        (error: Error) => error.message,
      ),
    );

    expect(await Promise.all(creates)).toEqual([
      "created",
      "created",
      expect.stringContaining("another resource is creating it"),
      "created",
    ]);
    expect(await failure(provider.create({ domain: "two.example." }))).toContain("is monitored already (id ");
    expect(asked()).toEqual(["listDomains", "createDomain", "createDomain", "createDomain"]);
  });

  test("creates a domain again in the run that has deleted it", async () => {
    const provider = providerWith(settings(), undefined, domainProvider);
    const inputs = { ...shop, deletionPolicy: "delete" };
    const { id, outs } = await provider.create(inputs);
    await provider.delete(id, outs);

    expect((await provider.create(inputs)).id).not.toBe(id);
    expect(asked()).toEqual(["listDomains", "createDomain", "deleteDomain", "createDomain"]);
    expect(created()).toHaveLength(1);
  });

  test.each([403, 404, 405, 500])("creates nothing if the list answers %d", async (status) => {
    fault("listDomains", { status, times: "always" });

    expect(await failure(stackOf().up(shop))).toContain(
      "is not created, as the list of domains cannot be read",
    );
    expect(asked()).toEqual(["listDomains"]);
  });

  test("creates nothing on a service without the operation, and says what to do instead", async () => {
    await service.close();
    await start({ lifecycle: "create-only" });

    expect(await failure(stackOf().up(shop))).toContain("add the domain in its own settings and use its id");
    expect(service.domains()).toHaveLength(1);
  });

  test("names the field that the service refuses, and may be repeated", async () => {
    const errors = { whois_check_interval: ["The interval is not in your plan."] };
    fault("createDomain", { status: 422, body: { message: "The data was invalid.", errors } });
    const stack = stackOf();

    expect(await failure(stack.up({ ...shop, whoisCheckInterval: "hourly" }))).toMatch(
      /whois_check_interval: The interval is not in your plan/,
    );
    await stack.up({ ...shop, whoisCheckInterval: "daily" });
    expect(created()).toHaveLength(1);
  });

  test("keeps what is declared where the service has another value, and says so", async () => {
    fault("createDomain", {
      status: 201,
      body: { data: [wire.domain({ id: BY_HAND.id, label: "SHOP" })] },
    });
    const stack = await deployed();

    expect(stack.told).toEqual([expect.stringContaining("the service has another label than was declared")]);
    expect(stack.recorded?.outputs).toMatchObject({ label: "Shop" });
  });
});

describe("a create whose answer is lost", () => {
  test.each<[string, FaultRule]>([
    ["after the work", { reset: "after" }],
    ["in its body", { reset: "body" }],
    ["as garbage", { garbage: true }],
  ])("%s is recorded by the list", async (_case, rule) => {
    fault("createDomain", rule);
    const stack = await deployed();

    expect(stack.told).toEqual([expect.stringContaining("was created, as the list of domains shows")]);
    expect(stack.recorded?.id).toBe(created()[0]?.id);
    await stack.up(shop);
    expect(stack.steps).toEqual(["same"]);
    expect(created()).toHaveLength(1);
  });

  test("is not sent again in the run if the list lacks it, and is by the next one", async () => {
    fault("createDomain", { reset: "before" });
    const told: string[] = [];
    const provider = providerWith(settings(), (line) => told.push(line), domainProvider);
    const inputs = { ...shop, deletionPolicy: "abandon" };

    const message = await failure(provider.create(inputs));

    expect(message).toContain(
      "The list of domains does not have it now, so it is not created again in this run",
    );
    expect(await failure(provider.create(inputs))).toBe(message);
    expect(told).toEqual([message]);
    expect(asked()).toEqual(["listDomains", "createDomain", "listDomains", "listDomains"]);
    await deployed();
    expect(created()).toHaveLength(1);
  });

  test("is recorded by a repetition that finds it in the list", async () => {
    fault("createDomain", { reset: "after" });
    fault("listDomains", { status: 500, after: 1 });
    const provider = providerWith(settings(), undefined, domainProvider);
    const inputs = { ...shop, deletionPolicy: "abandon" };

    expect(await failure(provider.create(inputs))).toContain("The list of domains cannot be read (");
    expect(await provider.create(inputs)).toMatchObject({ id: created()[0]?.id });
    expect(asked().filter((name) => name === "createDomain")).toHaveLength(1);
    expect(created()).toHaveLength(1);
  });

  test("is not recorded if the list has several", async () => {
    fault("createDomain", { status: 500 });
    const twice = [wire.domain(), wire.domain({ id: BY_HAND.id.replaceAll("1", "2") })];
    fault("listDomains", { after: 1, status: 200, body: wire.page(twice) });

    expect(await failure(stackOf().up(shop))).toMatch(/The list of domains has several \(id \S+, id \S+\)/);
  });
});

describe("adopt", () => {
  test("takes the domain over and sets what differs, and nothing deletes it while that is recorded", async () => {
    const stack = stackOf();
    const declared = { domain: "example.com", description: "Ours", deletionPolicy: "delete", adopt: true };
    await stack.up(declared);

    expect(asked()).toEqual(["listDomains", "updateDomain"]);
    expect(stack.recorded).toMatchObject({ id: BY_HAND.id, outputs: { adopt: true, domainId: BY_HAND.id } });
    expect(stack.told).toEqual([expect.stringContaining("is taken over: no domain is created")]);
    expect(service.domains()).toMatchObject([{ label: "By hand" }]);
    await stack.destroy();
    expect(asked()).toEqual([]);
    expect(stack.told.at(-1)).toContain("was taken over with adopt");
  });

  test("sends nothing if nothing differs, and hands the domain over when it is removed", async () => {
    const stack = await deployed({
      domain: "example.com",
      label: "By hand",
      adopt: true,
      deletionPolicy: "delete",
    });
    await stack.up({ domain: "example.com", label: "By hand", deletionPolicy: "delete" });

    expect(stack.steps).toEqual(["update"]);
    await stack.destroy();
    expect(asked()).toEqual(["deleteDomain"]);
    expect(service.domains()).toEqual([]);
  });

  test("is refused for a domain that is not there, that is there twice, and that another resource has", async () => {
    service.addDomain({ domain: "twice.example" });
    service.addDomain({ domain: "twice.example" });
    const provider = providerWith(settings(), undefined, domainProvider);
    const adopting = (domain: string) => provider.create({ domain, adopt: true, deletionPolicy: "abandon" });

    expect(await failure(adopting("none.example"))).toContain("it is not monitored yet: remove adopt");
    expect(await failure(adopting("twice.example"))).toContain("the account has several (id ");
    await adopting("example.com");
    expect(await failure(adopting("EXAMPLE.com"))).toContain("another resource of this stack has it");
  });

  test("keeps the domain if the resource that had it is deleted in the same run", async () => {
    const provider = providerWith(settings(), undefined, domainProvider);
    const { id, outs } = await provider.create({ ...shop, deletionPolicy: "delete" });
    const next = providerWith(settings(), undefined, domainProvider);
    await next.create({ ...shop, adopt: true, deletionPolicy: "delete" });

    await next.delete(id, outs);

    expect(created()).toHaveLength(1);
  });
});

describe("a change", () => {
  test("sends only what has changed", async () => {
    const stack = await deployed();
    await stack.up({ ...shop, label: "Store", description: null, enabledDnsRecords: ["MX", "A"] });

    expect(stack.steps).toEqual(["update"]);
    expect(asked()).toEqual(["updateDomain"]);
    expect(created()).toMatchObject([{ label: "Store" }]);
  });

  test("of the name replaces the domain, and says what becomes of the old one", async () => {
    const stack = await deployed();
    await stack.up({ ...shop, domain: "store.example" });

    expect(stack.steps).toEqual(["replace"]);
    expect(stack.told).toEqual([
      expect.stringMatching(/^Domain "shop\.example" \(id \S+\) is to be replaced, and stays in the service/),
      expect.stringContaining("It stays in the service and is still monitored"),
    ]);
    expect(created().map(({ domain }) => domain)).toEqual(["shop.example", "store.example"]);
  });

  test("of the name deletes the old domain where that is recorded", async () => {
    const stack = await deployed({ ...shop, deletionPolicy: "delete" });
    await stack.up({ ...shop, domain: "store.example", deletionPolicy: "delete" });

    expect(stack.told).toEqual([
      expect.stringContaining("is to be replaced, and then deleted with its history"),
    ]);
    expect(created().map(({ domain }) => domain)).toEqual(["store.example"]);
  });

  test("may replace the domain where its name is not known yet", async () => {
    const stack = await deployed();

    expect(await stack.preview({ ...shop, domain: UNKNOWN })).toMatchObject({ replaces: ["domain"] });
    expect(stack.told.at(-1)).toContain("may be replaced (domain is not known yet)");
  });

  test.each<[string, FaultRule]>([
    ["before", { reset: "before" }],
    ["after", { reset: "after" }],
    ["with 500", { status: 500 }],
  ])("whose answer is lost %s the work is sent again, also if it is reverted", async (_case, rule) => {
    const stack = await deployed();
    fault("updateDomain", rule);

    expect(await failure(stack.up({ ...shop, label: "Store" }))).toContain("may or may not be updated: ");
    expect(stack.told.at(-1)).toContain("The next `pulumi up` sends label again");
    await stack.up(shop);
    expect(created()).toMatchObject([{ label: "Shop" }]);
    await stack.up(shop);
    expect(stack.steps).toEqual(["same"]);
  });

  test("of a domain that is gone fails without a create", async () => {
    const stack = await deployed();
    service.removeDomain(created()[0]?.id ?? "");

    expect(await failure(stack.up({ ...shop, label: "Store" }))).toContain("it is no longer in the service");
    expect(asked()).toEqual(["updateDomain", "listDomains"]);
  });

  test("of what is no longer declared is recorded without a request", async () => {
    const stack = await deployed();
    await stack.up({ domain: "shop.example" });

    expect(stack.steps).toEqual(["update"]);
    expect(asked()).toEqual([]);
    service.updateDomain(created()[0]?.id ?? "", { label: "By hand", dns: { enabledRecords: ["TXT"] } });
    const before = stack.recorded;
    await stack.refresh();
    expect(stack.recorded).toEqual(before);
  });
});

describe("a refresh", () => {
  test("finds what was changed by hand, which the next update sets back", async () => {
    const stack = await deployed({ ...shop, whoisCheckInterval: "weekly", colour: "#ffffff" });
    const [domain] = created();
    service.updateDomain(domain?.id ?? "", {
      label: "By hand",
      description: "By hand",
      whois: { checkInterval: "daily" },
      dns: { enabledRecords: ["MX", "A"] },
    });
    await stack.refresh();

    expect(stack.steps).toEqual(["drift"]);
    expect(stack.recorded?.outputs).toMatchObject({
      label: "By hand",
      whoisCheckInterval: "daily",
      enabledDnsRecords: ["A", "MX"],
    });
    expect(stack.recorded?.outputs).not.toHaveProperty("description");
    asked();
    await stack.up({ ...shop, whoisCheckInterval: "weekly", colour: "#ffffff" });
    expect(asked()).toEqual(["updateDomain"]);
  });

  test("drops a domain that was removed by hand, with the list as proof", async () => {
    const stack = await deployed();
    service.removeDomain(created()[0]?.id ?? "");
    await stack.refresh();

    expect(stack.steps).toEqual(["gone"]);
    expect(asked()).toEqual(["getDomain", "listDomains"]);
  });

  test.each<[string, FaultRule[], string]>([
    ["the list still has it", [], "answered 404, but the account's list still has it"],
    [
      "the list cannot be read",
      [{ operation: "listDomains", status: 404, times: "always" }],
      "the account's list, which would prove that it is gone, cannot be read",
    ],
  ])("keeps a domain that answers 404 if %s", async (_case, rules, message) => {
    const stack = await deployed();
    fault("getDomain", { status: 404 });
    for (const rule of rules) service.fault(rule);

    expect(await failure(stack.refresh())).toContain(message);
    expect(stack.recorded).toBeDefined();
  });

  test("of what is only referred to reads everything, and fails if it is not there", async () => {
    const provider = providerWith(settings(), undefined, domainProvider);

    expect(await provider.read(BY_HAND.id, {})).toMatchObject({
      id: BY_HAND.id,
      props: { domain: "example.com", label: "By hand", domainId: BY_HAND.id, deletionPolicy: "abandon" },
    });
    const missing = "22222222-2222-4222-8222-222222222222";
    expect(await failure(provider.read(missing, {}))).toContain("the account has no such domain");
  });
});

describe("a destroy", () => {
  test("leaves the domain in the service unless it is to be deleted, and names it", async () => {
    const stack = await deployed();
    const [domain] = created();
    await stack.destroy();

    expect(asked()).toEqual([]);
    expect(stack.told).toEqual([
      `Domain "shop.example" (id ${domain?.id}) leaves this stack. It stays in the service and is still monitored, as its ` +
        'recorded deletionPolicy is "abandon"',
    ]);
  });

  test("deletes the domain if that is recorded, and does not mind if it is gone", async () => {
    const stack = await deployed({ ...shop, deletionPolicy: "delete" });
    await stack.destroy();
    expect(asked()).toEqual(["deleteDomain"]);
    expect(stack.told).toEqual([]);

    const other = await deployed({ ...shop, deletionPolicy: "delete" });
    service.removeDomain(created()[0]?.id ?? "");
    await other.destroy();
    expect(asked()).toEqual(["deleteDomain", "listDomains"]);
    expect(other.told).toEqual([expect.stringContaining("was no longer in the service")]);
  });

  test("that the service refuses keeps the domain in the stack, and says how to let it go", async () => {
    const stack = await deployed({ ...shop, deletionPolicy: "delete" });
    const id = created()[0]?.id ?? "";
    fault("deleteDomain", { status: 403 });

    expect(await failure(stack.destroy())).toContain(`pulumi config set domain-monitoring:abandon ${id}`);
    stack.settings.abandon = id;
    await stack.destroy();
    expect(stack.told.at(-1)).toContain("as stack config domain-monitoring:abandon lists it");
    expect(created()).toHaveLength(1);
  });
});

describe("a comparison", () => {
  const records = fc.array(fc.constantFrom("A", "AAAA", "MX", "TXT"));
  const text = fc.constantFrom("One", "Two");
  const declaration = fc.record(
    {
      domain: fc.constantFrom(
        "shop.example",
        "SHOP.example.",
        "other.example",
        "münchen.example",
        "XN--mnchen-3ya.example",
      ),
      label: text,
      description: fc.option(text, { nil: null }),
      colour: fc.option(text, { nil: null }),
      whoisCheckInterval: text,
      dnsCheckInterval: text,
      enabledDnsRecords: records,
      deletionPolicy: fc.constantFrom("abandon", "delete"),
      adopt: fc.boolean(),
    },
    { requiredKeys: ["domain"] },
  );
  const NAMES: Record<string, string> = {
    "SHOP.example.": "shop.example",
    "münchen.example": "xn--mnchen-3ya.example",
    "XN--mnchen-3ya.example": "xn--mnchen-3ya.example",
  };

  /** What a declaration means, written anew. */
  function meaning(declared: Properties): Record<string, unknown> {
    const { domain, enabledDnsRecords, deletionPolicy = "abandon", adopt = false, ...texts } = declared;
    const set = Array.isArray(enabledDnsRecords) ? [...new Set(enabledDnsRecords)].sort().join() : undefined;
    return {
      ...texts,
      domain: NAMES[String(domain)] ?? domain,
      enabledDnsRecords: set,
      deletionPolicy,
      adopt,
    };
  }

  test("finds exactly the inputs whose meaning differs, and replaces for another name only", async () => {
    const provider = providerWith(settings(), undefined, domainProvider);
    await fc.assert(
      fc.asyncProperty(declaration, declaration, async (before, after) => {
        const { inputs: olds } = await provider.check({}, before);
        const { inputs: news } = await provider.check(olds, after);
        const { changes, diffs, replaces } = await provider.diff("id", { ...olds, domainId: "id" }, news);
        const [one, other] = [meaning(before), meaning(after)];
        const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
        const expected = names.filter((name) => one[name] !== other[name]).sort();
        expect([...diffs].sort()).toEqual(expected);
        expect(changes).toBe(expected.length > 0);
        expect(replaces).toEqual(expected.filter((name) => name === "domain"));
      }),
    );
    expect(asked()).toEqual([]);
  });
});
