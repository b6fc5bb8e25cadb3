/** The provider of domains, counted at the service: what it sends, records and tells. */
import { type Properties, UNKNOWN } from "../../src/provider/boundary";
import * as wire from "../client/support/wire";
import { type Fields, serveOddly } from "../support/odd-list";
import { fc } from "../support/properties";
import {
  deployed,
  failure,
  fault,
  onlyMessage,
  service,
  stackOf,
  takeRequests,
  useService,
} from "./support/service";

const ID = "11111111-1111-4111-8111-111111111111";
const BY_HAND = { id: ID, domain: "example.com", label: "By hand" };
const shop: Properties = { domain: "shop.example", label: "Shop", enabledDnsRecords: ["A", "MX"] };

useService("Domain", { domains: [BY_HAND] });

/** The domains that were not made by hand. */
const created = () => service.domains().filter(({ id }) => id !== BY_HAND.id);
const provider = () => stackOf().provider();

/** Serves the account's list with a changed record of this domain. */
function breakRecord(domain: string, change: (record: Fields) => Fields): Promise<void> {
  service.clearFaults();
  return serveOddly(service, "listDomains", "", (record) =>
    record.domain === domain ? change(record) : record,
  );
}

const responding = (extra: Properties) => ({ status: 201, body: { data: [wire.domain(extra)] } });
const unreadable = (record: Fields) => ({ ...record, components: null });

describe("the inputs", () => {
  const problems = async (declared: Properties) => {
    const { failures } = await provider().check({}, declared);
    return failures.map(({ property, reason }) => [property, reason].join(""));
  };

  const OTHERS = ["https://example.com", "example.com:443", "example com", "example", "192.0.2.1"];
  const parts = ["-a", "a-", "a.", "a".repeat(64), `${"a.".repeat(126)}a`];
  const NO_NAMES = [...OTHERS, 7, null, undefined, ...parts.map((label) => `${label}.example`)];

  test.each(NO_NAMES)("refuse %p", async (domain) => {
    expect(await problems({ domain, label: "Shop" })).toEqual([
      'domain is not a domain name: use one such as "example.com", without scheme, port and path',
    ]);
  });

  const NAMES = ["EXAMPLE.com.", "münchen.example", "xn--mnchen-3ya.example", "_a.b.example"];

  test.each([...NAMES, UNKNOWN])("take %p as a name", async (domain) => {
    expect(await problems({ domain, enabledDnsRecords: ["A", UNKNOWN] })).toEqual([]);
  });

  test("are checked all at once, before anything is sent", async () => {
    const texts = { description: 1, colour: true, whoisCheckInterval: 7, dnsCheckInterval: ["x"] };
    const others = { enabledDnsRecords: ["A", 1], labels: "x" };

    expect(await problems({ domain: "a b", label: "ab", ...texts, ...others })).toEqual([
      expect.stringMatching(/^domain is not a domain name/),
      "label has a length of 2: give it 3 to 100 characters",
      ...Object.keys(texts).map((name) => `${name} is not a string: give one`),
      'enabledDnsRecords is not a list of strings: give record types such as "MX"',
      "labels is not a property of a domain: remove it",
    ]);

    for (const label of [" Shop", "Shop\t", "   "])
      expect(await problems({ domain: "shop.example", label })).toEqual([
        "label begins or ends with whitespace: remove it",
      ]);

    // Without a label the name is the label.
    expect(await problems({ domain: `${"a".repeat(60)}.${"b".repeat(60)}.example` })).toEqual([
      "label has a length of 129: give it 3 to 100 characters",
    ]);
    expect(takeRequests()).toEqual([]);
  });

  test("are checked with the settings of their provider", async () => {
    const { failures } = await stackOf({ baseUrl: "monitoring" }).provider().check({}, shop);
    expect(failures).toEqual([{ property: "", reason: expect.stringContaining("baseUrl") }]);
  });

  test("are recorded without what is left out", async () => {
    const empty = { description: "", whoisCheckInterval: "", dnsCheckInterval: " " };
    const { inputs } = await provider().check({}, { ...shop, label: undefined, ...empty });
    const { label: _label, ...rest } = shop;
    expect(inputs).toEqual({ ...rest, description: null });
  });
});

describe("a create", () => {
  test("sends what is declared, and records it with the id and the time", async () => {
    const stack = await deployed(shop);
    const [domain] = created();
    const facts = { domainId: domain?.id, createdAt: expect.any(String) };
    expect(stack.recorded.outputs).toEqual({ ...shop, ...facts });

    // Without a label the name is the label.
    const other = await deployed({ domain: "unlabelled.example" });
    expect(created()).toContainEqual(expect.objectContaining({ label: "unlabelled.example" }));
    expect(other.recorded.outputs).not.toHaveProperty("label");
    expect(stack.messages).toEqual([]);
    expect(other.messages).toEqual([]);
  });

  test("takes over a domain that exists, in whatever form its name is written", async () => {
    const id = service.addDomain({ domain: "xn--mnchen-3ya.example" });
    const domain = "MÜNCHEN.example.";
    const stack = stackOf();
    await stack.up({ domain });

    expect(stack.recorded).toMatchObject({ id, outputs: { domain, domainId: id } });
    expect(onlyMessage(stack)).toBe(
      `Domain "${domain}" (id ${id}) is monitored already, so it is taken over`,
    );
    expect(takeRequests()).toEqual(["list"]);
  });

  test("sets what differs in a domain that it takes over, and nothing else", async () => {
    const stack = stackOf();
    await stack.up({ ...shop, domain: "example.com", description: "Ours" });

    expect(takeRequests()).toEqual(["list", "update"]);
    expect(service.domains()).toMatchObject([{ ...BY_HAND, label: "Shop" }]);
    expect(onlyMessage(stack)).toMatch(
      /is taken over\. This is set as declared: label, description, enabledDnsRecords$/,
    );
  });

  test("that cannot set what differs fails, and is repeated by the next update", async () => {
    fault("update", { status: 422 });
    const declared = { domain: "example.com", label: "Ours" };
    const stack = stackOf();

    expect(await failure(stack.up(declared))).toContain("is not taken over: PATCH ");

    await stack.up(declared);
    expect(stack.recorded).toMatchObject({ id: BY_HAND.id, outputs: { label: "Ours" } });
    expect(service.domains()).toHaveLength(1);
  });

  test("takes over no domain whose id cannot be recorded", async () => {
    await breakRecord("example.com", (record) => ({ ...record, id: "a/b" }));
    expect(await failure(stackOf().up({ domain: "example.com" }))).toContain(
      "is not taken over, because its id cannot be recorded: report that to the service",
    );
  });

  test("is refused where the account has the name twice", async () => {
    for (let twice = 0; twice < 2; twice++) service.addDomain({ domain: "twice.example" });
    const message = await failure(stackOf().up({ domain: "twice.example" }));
    expect(message).toMatch(/several of this name \(id \S+, id \S+\): remove all but one in the /);
    expect(takeRequests()).toEqual(["list"]);
  });

  test.each(["a/b", "..", "x; curl|sh", UNKNOWN])("refuses an answer's id %j, once", async (id) => {
    const shared = provider();
    fault("create", responding({ id }));
    for (const _attempt of [1, 2])
      expect(await failure(shared.create(shop))).toMatch(
        /"shop\.example".* the service responded with an id that cannot be recorded/,
      );
    expect(takeRequests().filter((operation) => operation === "create")).toHaveLength(1);
  });

  test("reads the list once for all domains of a run, and creates no name twice in it", async () => {
    const shared = provider();
    const twice = "is not created, because another resource of this run has it: remove one of them";
    const names = ["one.example", "two.example", "ONE.example", "three.example"];
    const creates = names.map((domain) => shared.create({ domain }).then(() => "created", String));

    expect(await Promise.all(creates)).toEqual([
      "created",
      "created",
      `Error: Domain "ONE.example" ${twice}`,
      "created",
    ]);
    const later = await failure(shared.create({ domain: "two.example." }));
    expect(later).toBe(`Domain "two.example." ${twice}`);
    expect(takeRequests()).toEqual(["list", "create", "create", "create"]);
  });

  test("is sent beside a domain that cannot be read, and not beside one that may have its name", async () => {
    await breakRecord("example.com", unreadable);
    await stackOf().up(shop);

    const creating = () => failure(stackOf().up({ domain: "new.example" }));
    const problem = "the list of domains cannot be used: domains.list: 1 record cannot be read";
    await breakRecord("example.com", ({ id }) => ({ id }));
    expect(await creating()).toContain(`is not created, because ${problem}`);

    const named = (record: Fields) => ({ ...unreadable(record), domain: "new.example" });
    await breakRecord("example.com", named);
    expect(await creating()).toContain(`is not created, because ${problem}`);
    expect(created()).toHaveLength(1);
  });

  test("creates nothing on a service without the operation, and says what to do", async () => {
    fault("create", { status: 405 });
    const message = await failure(stackOf().up(shop));
    expect(message).toContain("add the domain in its own settings and use its id");
  });

  test("keeps what is declared where the service has another value, and says so", async () => {
    fault("create", responding({ label: "SHOP" }));
    const stack = await deployed(shop);
    expect(onlyMessage(stack)).toContain("the service has another label than was declared");
    expect(stack.recorded.outputs).toMatchObject({ label: "Shop" });
  });
});

const NOT_AGAIN =
  "The list of domains does not have it now, so it is not created again in this run";

describe("a create whose response is lost", () => {
  test("is not sent again in the run if the list lacks it, and is by the next one", async () => {
    fault("create", { reset: "before" });
    const stack = stackOf();
    const shared = stack.provider();
    const message = await failure(shared.create(shop));

    expect(message).toContain(NOT_AGAIN);
    expect(stack.messages).toEqual([message]);
    expect(await failure(shared.create(shop))).toBe(message);
    expect(stack.messages).toHaveLength(1);
    expect(takeRequests()).toEqual(["list", "create", "list", "list"]);

    await deployed(shop);
    expect(created()).toHaveLength(1);
  });

  test("is recorded by a repetition that finds it in the list", async () => {
    fault("create", { reset: "after" });
    fault("list", { status: 500, after: 1 });
    const shared = provider();

    expect(await failure(shared.create(shop))).toContain("The list of domains cannot be used (");
    expect(await shared.create(shop)).toMatchObject({ id: created()[0]?.id });
    expect(takeRequests().filter((name) => name === "create")).toHaveLength(1);
    expect(created()).toHaveLength(1);
  });
});

describe("a create whose response is another domain", () => {
  test("records the one that was made, or none", async () => {
    fault("create", responding({ id: BY_HAND.id, domain: "example.com" }));
    const message = await failure(stackOf().up(shop));

    expect(message).toContain(
      `the service responded with another domain, Domain "example.com" (id ${BY_HAND.id})`,
    );
    expect(message).toContain(NOT_AGAIN);
    expect(created()).toEqual([]);
  });

  test("records the one that the service has under a variant of the name", async () => {
    const provider = stackOf().provider();
    const first = await provider.create(shop);
    fault("create", responding({ id: first.id }));
    const second = await provider.create({ ...shop, domain: "www.shop.example" });

    expect(second).toMatchObject({ id: first.id, outs: { reportedDomain: "shop.example" } });
    expect(created()).toHaveLength(1);
  });
});

describe("a change", () => {
  test("of the name replaces the domain, and the old one is said to be monitored", async () => {
    const stack = await deployed(shop);
    const preview = await stack.preview({ ...shop, domain: UNKNOWN });
    expect(preview).toMatchObject({ replaces: ["domain"] });
    expect(stack.messages.at(-1)).toContain("may be replaced (domain is not known yet)");

    await stack.up({ ...shop, domain: "store.example" });
    expect(stack.steps).toEqual(["replace"]);
    expect(stack.messages[1]).toContain(") is replaced, and stays monitored");
    expect(stack.messages.at(-1)).toContain("is removed from this stack and is still monitored");
    expect(created()).toHaveLength(2);
  });

  test("whose response cannot be used is completed by one read, and not sent again", async () => {
    const stack = await deployed(shop);
    fault("update", { garbage: true });
    await stack.up({ ...shop, label: "Store" });
    expect(takeRequests()).toEqual(["update", "get"]);

    await stack.up({ ...shop, label: "Store" });
    expect(stack.steps).toEqual(["same"]);
  });

  test("whose response is lost is sent again, even if it is reverted", async () => {
    const stack = await deployed(shop);
    fault("update", { reset: "after" });
    const message = await failure(stack.up({ ...shop, label: "Store" }));
    expect(message).toMatch(
      /may or may not be updated: .*\. The next `pulumi up` sends label agai/,
    );

    await stack.up(shop);
    expect(created()).toMatchObject([{ label: "Shop" }]);

    await stack.up(shop);
    expect(stack.steps).toEqual(["same"]);
  });

  test("of a domain that is gone fails without a create", async () => {
    const stack = await deployed(shop);
    service.removeDomain(created()[0]?.id ?? "");
    const message = await failure(stack.up({ ...shop, label: "Store" }));
    expect(message).toMatch(
      /is not updated: PATCH .*run `pulumi refresh`, then `pulumi up`, which/,
    );
    expect(takeRequests()).toEqual(["update"]);
  });

  test("a setting that is no longer declared leaves the record, alone without a request", async () => {
    const stack = await deployed(shop);
    await stack.up({ domain: shop.domain, label: "Store" });
    expect(stack.recorded.outputs).not.toHaveProperty("enabledDnsRecords");

    takeRequests();
    await stack.up({ domain: shop.domain });
    expect(stack.steps).toEqual(["update"]);
    expect(takeRequests()).toEqual([]);

    const byHand = { label: "By hand", dns: { enabledRecords: ["TXT"] } };
    service.updateDomain(created()[0]?.id ?? "", byHand);
    const before = stack.recorded;
    await stack.refresh();

    expect(stack.recorded).toEqual(before);
  });
});

describe("a refresh", () => {
  test("finds what was changed by hand, which the next update sets back", async () => {
    const declared = { ...shop, whoisCheckInterval: "weekly", colour: "#ffffff" };
    const stack = await deployed(declared);
    const byHand = { label: "By hand", description: "By hand", whois: { checkInterval: "daily" } };
    service.updateDomain(stack.recorded.id, { ...byHand, dns: { enabledRecords: ["MX", "A"] } });
    await stack.refresh();
    expect(stack.steps).toEqual(["drift"]);

    const { enabledDnsRecords } = shop;
    const found = { label: "By hand", whoisCheckInterval: "daily", enabledDnsRecords };
    expect(stack.recorded.outputs).toMatchObject(found);
    expect(stack.recorded.outputs).not.toHaveProperty("description");

    takeRequests();
    await stack.up(declared);
    expect(takeRequests()).toEqual(["update"]);
  });

  test("of a domain that is only referred to reads everything, and fails if there is none", async () => {
    const { id, domain, label } = BY_HAND;
    const props = { domain, label, domainId: id };
    expect(await provider().read(id, {})).toMatchObject({ id, props });

    const missing = "22222222-2222-4222-8222-222222222222";
    expect(await failure(provider().read(missing, {}))).toContain("the account has no such domain");
  });

  test("of a domain that the account lacks drops it, and the next update has it monitored", async () => {
    const stack = await deployed(shop);
    service.removeDomain(stack.recorded.id);
    // Another record that cannot be read is no obstacle.
    await breakRecord("example.com", unreadable);
    takeRequests();
    await stack.refresh();

    expect(stack.steps).toEqual(["gone"]);
    expect(takeRequests()).toEqual(["get", "list"]);
    expect(onlyMessage(stack)).toMatch(
      /is not in the account, so it leaves the state, and the next `pulumi up` adds/,
    );

    service.clearFaults();
    await stack.up(shop);
    expect(created()).toMatchObject([{ id: stack.recorded.id, label: "Shop" }]);
  });

  test("of a domain that was removed and added again records the new one, and names both", async () => {
    const stack = await deployed(shop);
    const before = stack.recorded.id;
    service.removeDomain(before);
    const id = service.addDomain({ domain: "SHOP.example", label: "Again" });
    await stack.refresh();

    expect(stack.recorded).toMatchObject({ id, outputs: { domainId: id, label: "Again" } });
    expect(onlyMessage(stack)).toBe(
      `Domain "shop.example" (id ${before}) is not in the account, which monitors the name as Domain ${id}: that one is recorded`,
    );

    await stack.up(shop);
    expect(created()).toMatchObject([{ id, label: "Shop" }]);
  });

  test("reads the list once for all domains that are gone", async () => {
    const shared = stackOf().provider();
    const names = ["one.example", "two.example", "three.example"];
    const recorded = await Promise.all(names.map((domain) => shared.create({ domain })));
    for (const { id } of recorded) service.removeDomain(id);
    takeRequests();
    const next = provider();
    const read = await Promise.all(recorded.map(({ id, outs }) => next.read(id, outs)));

    expect(read.map(({ id }) => id)).toEqual(["", "", ""]);
    expect(takeRequests().filter((name) => name === "list")).toHaveLength(1);
  });

  test.each<[string, RegExp, () => unknown]>([
    ["the list cannot be read", /: GET \//, () => fault("list", { status: 403 })],
    [
      "the list has the domain, unreadable",
      /: domains\.list: 1 record cannot be read/,
      () => breakRecord("shop.example", unreadable),
    ],
  ])("drops nothing if %s", async (_case, problem, breakList) => {
    const stack = await deployed(shop);
    await breakList();
    service.removeDomain(stack.recorded.id);
    const message = await failure(stack.refresh());

    expect(message).toContain("is not read: got 404, and the list of domains cannot be used");
    expect(message).toMatch(problem);
    expect(stack.recorded).toBeDefined();
  });
});

test("a read keeps what another version recorded, and the inputs", async () => {
  const { id, inputs, outputs } = (await deployed(shop)).recorded;
  const props = { ...outputs, ofAnotherVersion: true };
  expect(await provider().read(id, props)).toEqual({ id, props, inputs });
});

test("a destroy sends nothing, and says once why the domains are still monitored", async () => {
  const stack = stackOf();
  const shared = stack.provider();
  for (const id of ["one", "two"]) await shared.delete(id, { domain: `${id}.example` });

  expect(stack.messages).toEqual([
    'Domain "one.example" (id one) is removed from this stack and is still monitored. Pulumi deletes no domain, because its ' +
      "history and its channels would go with it. To stop monitoring it, remove it in the service",
    'Domain "two.example" (id two) is removed from this stack and is still monitored',
  ]);
  expect(takeRequests()).toEqual([]);
});

describe("a service that keeps www.shop.example as shop.example", () => {
  const www = { ...shop, domain: "www.shop.example" };

  async function renamedByService() {
    const stack = await deployed(www);
    const id = stack.recorded.id;
    service.updateDomain(id, { domain: "shop.example" });
    await stack.refresh();

    return { stack, id };
  }

  test("does not replace the domain, and both names are recorded", async () => {
    const { stack, id } = await renamedByService();
    const names = { domain: "www.shop.example", reportedDomain: "shop.example" };
    expect(stack.recorded.outputs).toMatchObject(names);
    expect(stack.recorded.inputs).toMatchObject({ domain: "www.shop.example" });
    expect(stack.messages.at(-1)).toContain('the service keeps it as "shop.example"');

    await stack.up(www);
    expect(stack.steps).toEqual(["same"]);

    await stack.up({ ...www, label: "Store" });
    expect(created()).toMatchObject([{ id }]);
  });

  test("leaves the domain as it is when the program declares the kept name", async () => {
    const { stack, id } = await renamedByService();
    await stack.up(shop);

    expect(stack.steps).toEqual(["update"]);
    expect(stack.recorded).toMatchObject({ id, outputs: { domain: "shop.example" } });
    expect(stack.recorded.outputs).not.toHaveProperty("reportedDomain");
    expect(created()).toMatchObject([{ id }]);
  });
});

const INTERVALS = [["daily", " Daily "], ["weekly"], ["", null, undefined]];

/** Values of each input: those in one list mean the same. */
const MEANINGS: Record<string, unknown[][]> = {
  domain: [
    ["shop.example", "SHOP.example."],
    ["münchen.example", "xn--mnchen-3ya.example", "XN--mnchen-3ya.example"],
  ],
  label: [["One"], ["Two"], [undefined]],
  // Free text, which may be cleared.
  description: [["One", " One\n"], ["one"], ["", " ", null], [undefined]],
  colour: [["Red", "red", " RED "], ["blue"], ["", null], [undefined]],
  // Null leaves an interval to the service.
  whoisCheckInterval: INTERVALS,
  dnsCheckInterval: INTERVALS,
  enabledDnsRecords: [
    [
      ["A", "MX"],
      ["mx ", "a", "A"],
    ],
    [["TXT"]],
    [[]],
    [undefined],
  ],
};

const NAMES = Object.keys(MEANINGS);

/** Any declaration: for each input, which of its values, and which meaning that has. */
const declaration = fc.record(
  Object.fromEntries(
    Object.entries(MEANINGS).map(([name, meanings]) => {
      const forms = meanings.flatMap((values, meaning) =>
        values.map((value) => ({ value, meaning })),
      );
      return [name, fc.constantFrom(...forms)];
    }),
  ),
);

test("a comparison finds exactly the inputs whose meaning differs, and replaces for another name only", async () => {
  const comparing = provider();
  await fc.assert(
    fc.asyncProperty(declaration, declaration, async (before, after) => {
      const declared = (of: typeof before) =>
        Object.fromEntries(NAMES.map((name) => [name, of[name]?.value]));

      const { inputs: olds } = await comparing.check({}, declared(before));
      const { inputs: news } = await comparing.check(olds, declared(after));
      const outputs = { ...olds, domainId: "id" };
      const { changes, diffs, replaces } = await comparing.diff("id", outputs, news);
      const expected = NAMES.filter((name) => before[name]?.meaning !== after[name]?.meaning);

      expect([...diffs].sort()).toEqual(expected.sort());
      expect(changes).toBe(expected.length > 0);
      expect(replaces).toEqual(expected.filter((name) => name === "domain"));
    }),
  );

  expect(takeRequests()).toEqual([]);
});
