/**
 * The provider of domains: what it sends, what is recorded and what users are told, counted at the
 * service.
 */
import fc from "fast-check";
import type { FaultRule } from "../../packages/domain-monitoring-emulator/src";
import { type Properties, UNKNOWN } from "../../src/provider/boundary";
import * as wire from "../client/support/wire";
import {
  deployed,
  failure,
  fault,
  service,
  stackOf,
  startOther,
  takeRequests,
  useService,
} from "./support/service";

const BY_HAND = {
  id: "11111111-1111-4111-8111-111111111111",
  domain: "example.com",
  label: "By hand",
};

const shop: Properties = {
  domain: "shop.example",
  label: "Shop",
  enabledDnsRecords: ["A", "MX"],
};

const deletable: Properties = { ...shop, deletionPolicy: "delete" };

useService("Domain", { domains: [BY_HAND] });

/** The domains that were not made by hand. */
const created = () => service.domains().filter(({ id }) => id !== BY_HAND.id);

const provider = () => stackOf().provider();

describe("the inputs", () => {
  const problems = async (declared: Properties) => {
    const { failures } = await provider().check({}, declared);
    return failures.map(({ property, reason }) => [property, reason].join(""));
  };

  const NO_NAMES = [
    "https://example.com",
    "example.com:443",
    "example com",
    "example",
    "192.0.2.1",
    7,
    null,
  ];

  const LABELS = ["-a", "a-", "a.", "a".repeat(64), `${"a.".repeat(126)}a`].map(
    (label) => `${label}.example`,
  );

  test.each([...NO_NAMES, ...LABELS, undefined])("refuse %p as a name", async (domain) => {
    expect(await problems({ domain, label: "Shop" })).toEqual([
      'domain is not a domain name: use one such as "example.com", without scheme, port and path',
    ]);
  });

  test.each(["EXAMPLE.com.", "münchen.example", "xn--mnchen-3ya.example", "_a.b.example", UNKNOWN])(
    "take %p as a name",
    async (domain) => {
      expect(await problems({ domain, enabledDnsRecords: ["A", UNKNOWN] })).toEqual([]);
    },
  );

  test("are checked all at once, before anything is sent", async () => {
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
      "description is not a string: give one",
      "colour is not a string: give one",
      "whoisCheckInterval is not a string: give one",
      "dnsCheckInterval is not a string: give one",
      'enabledDnsRecords is not a list of strings: give types of records such as "MX"',
      "deletionPolicy is not a valid value: use abandon or delete, or leave it out",
      "adopt is not a boolean: use true or false, or leave it out",
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

  test("are recorded with the policy and without what is left out", async () => {
    const empty = {
      description: "",
      whoisCheckInterval: "",
      dnsCheckInterval: " ",
    };

    const declared = {
      ...shop,
      label: undefined,
      ...empty,
      adopt: false,
    };

    expect((await provider().check({}, declared)).inputs).toEqual({
      domain: "shop.example",
      description: null,
      enabledDnsRecords: ["A", "MX"],
      deletionPolicy: "abandon",
    });
  });
});

describe("a create", () => {
  test("sends what is declared, and records it with the id and the time", async () => {
    const stack = await deployed(shop);
    const [domain] = created();

    expect(stack.recorded?.outputs).toEqual({
      ...shop,
      deletionPolicy: "abandon",
      domainId: domain?.id,
      createdAt: expect.any(String),
      otherDomains: [BY_HAND.id],
      addressDigest: expect.any(String),
    });

    // Without a label the name is the label.
    const other = await deployed({ domain: "unlabelled.example" });

    expect(created()).toContainEqual(expect.objectContaining({ label: "unlabelled.example" }));
    expect(other.recorded?.outputs).not.toHaveProperty("label");
    expect(stack.messages).toEqual([]);
    expect(other.messages).toEqual([]);
  });

  test.each(["Example.COM.", "MÜNCHEN.example"])(
    "refuses %s, which is monitored already",
    async (domain) => {
      const other = service.addDomain({ domain: "xn--mnchen-3ya.example" });
      const id = domain.startsWith("E") ? BY_HAND.id : other;
      const message = await failure(stackOf().up({ domain }));

      expect(message).toContain(
        `is monitored already (id ${id}): to take it over, declare adopt: true`,
      );

      expect(takeRequests()).toEqual(["list"]);
    },
  );

  test.each(["a/b", "..", "x; curl|sh", UNKNOWN])(
    "names a domain that was created with the id %j, and creates no other one",
    async (id) => {
      const shared = provider();
      fault("create", { status: 201, body: wire.domain({ id, domain: "shop.example" }) });
      for (const _attempt of [1, 2])
        expect(await failure(shared.create(shop))).toMatch(
          /"shop\.example".* was created with an id that cannot be recorded: look for the domain in the service by its name/,
        );

      expect(takeRequests().filter((operation) => operation === "create")).toHaveLength(1);
    },
  );

  test("reads the list once for all domains of a run, and creates no name twice in it", async () => {
    const shared = provider();
    const creates = ["one.example", "two.example", "ONE.example", "three.example"].map((domain) =>
      shared.create({ domain, deletionPolicy: "abandon" }).then(
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

    expect(await failure(shared.create({ domain: "two.example." }))).toContain(
      "is monitored already (id ",
    );

    expect(takeRequests()).toEqual(["list", "create", "create", "create"]);
  });

  test("creates a domain again in the run that has deleted it", async () => {
    const { id, outs } = await provider().create(deletable);
    takeRequests();
    const shared = provider();
    await shared.delete(id, outs);

    expect((await shared.create(deletable)).id).not.toBe(id);
    expect(takeRequests()).toEqual(["delete", "list", "create"]);
    expect(created()).toHaveLength(1);
  });

  test("creates nothing if the list cannot be read", async () => {
    fault("list", { status: 404, times: "always" });

    expect(await failure(stackOf().up(shop))).toContain(
      "is not created, because the list of domains cannot be read",
    );

    expect(takeRequests()).toEqual(["list"]);
  });

  test("creates nothing on a service without the operation, and says what to do instead", async () => {
    await startOther({ lifecycle: "create-only" });
    expect(await failure(stackOf().up(shop))).toContain(
      "add the domain in its own settings and use its id",
    );
  });

  test("keeps what is declared where the service has another value, and says so", async () => {
    const created_at = new Date().toISOString().slice(0, 19).replace("T", " ");
    const answered = wire.domain({
      id: "33333333-3333-4333-8333-333333333333",
      label: "SHOP",
      created_at,
    });

    fault("create", { status: 201, body: { data: [answered] } });
    const stack = await deployed(shop);

    expect(stack.messages).toEqual([
      expect.stringContaining("the service has another label than was declared"),
    ]);

    expect(stack.recorded?.outputs).toMatchObject({ label: "Shop" });
  });
});

describe("a create whose response is lost", () => {
  test("is not sent again in the run if the list lacks it, and is by the next one", async () => {
    fault("create", { reset: "before" });
    const stack = stackOf();
    const shared = stack.provider();
    const message = await failure(shared.create(shop));

    expect(message).toContain(
      "The list of domains does not have it now, so it is not created again in this run",
    );

    expect(await failure(shared.create(shop))).toBe(message);
    expect(stack.messages).toEqual([message]);
    expect(takeRequests()).toEqual(["list", "create", "list", "list"]);

    await deployed(shop);

    expect(created()).toHaveLength(1);
  });

  test("is recorded by a repetition that finds it in the list", async () => {
    fault("create", { reset: "after" });
    fault("list", { status: 500, after: 1 });
    const shared = provider();

    expect(await failure(shared.create(shop))).toContain("The list of domains cannot be read (");
    expect(await shared.create(shop)).toMatchObject({ id: created()[0]?.id });
    expect(takeRequests().filter((name) => name === "create")).toHaveLength(1);
    expect(created()).toHaveLength(1);
  });

  test("is not recorded if the list has several", async () => {
    fault("create", { status: 500 });
    const twice = [wire.domain(), wire.domain({ id: BY_HAND.id.replaceAll("1", "2") })];
    fault("list", {
      after: 1,
      status: 200,
      body: wire.page(twice),
    });

    expect(await failure(stackOf().up(shop))).toMatch(
      /The list of domains has several \(id \S+, id \S+\)/,
    );
  });
});

describe("adopt", () => {
  const declared = {
    domain: "example.com",
    description: "Ours",
    deletionPolicy: "delete",
  };

  test("takes the domain over and sets what differs, and nothing deletes it while that is recorded", async () => {
    const stack = stackOf();
    await stack.up({ ...declared, adopt: true });

    expect(takeRequests()).toEqual(["list", "update"]);
    expect(stack.recorded).toMatchObject({
      id: BY_HAND.id,
      outputs: { adopt: true, domainId: BY_HAND.id },
    });

    expect(stack.messages).toEqual([
      expect.stringContaining("is taken over. No domain is created for it"),
    ]);

    expect(service.domains()).toMatchObject([{ label: "By hand" }]);

    await stack.destroy();

    expect(takeRequests()).toEqual([]);
    expect(stack.messages.at(-1)).toContain("was taken over with adopt");
  });

  test("sends nothing if nothing differs, and hands the domain over when it is removed", async () => {
    const same = {
      ...declared,
      description: undefined,
      label: "By hand",
    };

    const stack = await deployed({ ...same, adopt: true });
    await stack.up(same);

    expect(stack.steps).toEqual(["update"]);

    await stack.destroy();

    expect(takeRequests()).toEqual(["delete"]);
    expect(service.domains()).toEqual([]);
  });

  test("is refused for a domain that is missing, ambiguous or another resource's", async () => {
    for (let twice = 0; twice < 2; twice++) service.addDomain({ domain: "twice.example" });
    const shared = provider();
    const adopting = (domain: string) =>
      shared.create({
        domain,
        adopt: true,
        deletionPolicy: "abandon",
      });

    expect(await failure(adopting("none.example"))).toContain(
      "it is not monitored yet: remove adopt",
    );

    expect(await failure(adopting("twice.example"))).toContain("the account has several (id ");

    await adopting("example.com");

    expect(await failure(adopting("EXAMPLE.com"))).toContain(
      "another resource of this run also has it",
    );
  });

  test("an adoption that has failed keeps the domain from being deleted by its former resource", async () => {
    const { id = "", outputs = {} } = (await deployed(deletable)).recorded ?? {};
    const next = provider();
    fault("update", { status: 422 });

    expect(
      await failure(
        next.create({
          ...deletable,
          label: "Other",
          adopt: true,
        }),
      ),
    ).toContain("is not taken over");

    await next.delete(id, outputs);

    expect(created()).toHaveLength(1);
  });
});

describe("a change", () => {
  test.each([
    [shop, /^Domain "shop\.example" \(id \S+\) is to be replaced, and stays in the service/, 2],
    [deletable, /is to be replaced, and then deleted with its history and its channels/, 1],
  ])(
    "a change of the name replaces the domain, and the preview tells what happens to the old one",
    async (declared, expected, left) => {
      const stack = await deployed(declared);

      expect(await stack.preview({ ...declared, domain: UNKNOWN })).toMatchObject({
        replaces: ["domain"],
      });

      expect(stack.messages.at(-1)).toContain("may be replaced (domain is not known yet)");

      await stack.up({ ...declared, domain: "store.example" });

      expect(stack.steps).toEqual(["replace"]);
      expect(stack.messages[1]).toMatch(expected);
      expect(created()).toHaveLength(left);
    },
  );

  test.each<[string, FaultRule]>([
    ["204", { status: 204 }],
    ["something that cannot be used", { garbage: true }],
  ])(
    "a change whose response is %s is completed by one read, and not sent again",
    async (_case, rule) => {
      const stack = await deployed(shop);
      fault("update", rule);
      await stack.up({ ...shop, label: "Store" });

      expect(takeRequests()).toEqual(["update", "get"]);

      await stack.up({ ...shop, label: "Store" });

      expect(stack.steps).toEqual(["same"]);
    },
  );

  test("a change whose response is lost is sent again, even if it is reverted", async () => {
    const stack = await deployed(shop);
    fault("update", { reset: "after" });

    expect(await failure(stack.up({ ...shop, label: "Store" }))).toMatch(
      /may or may not be updated: .*\. The next `pulumi up` sends label again$/,
    );

    await stack.up(shop);

    expect(created()).toMatchObject([{ label: "Shop" }]);

    await stack.up(shop);

    expect(stack.steps).toEqual(["same"]);
  });

  test("a change of a domain that is gone fails without a create", async () => {
    const stack = await deployed(shop);
    service.removeDomain(created()[0]?.id ?? "");
    expect(await failure(stack.up({ ...shop, label: "Store" }))).toContain(
      "it is no longer in the service",
    );

    expect(takeRequests()).toEqual(["update", "list"]);
  });

  test("a setting that is no longer declared is recorded without a request", async () => {
    const stack = await deployed(shop);
    await stack.up({ domain: "shop.example" });

    expect(stack.steps).toEqual(["update"]);
    expect(takeRequests()).toEqual([]);

    service.updateDomain(created()[0]?.id ?? "", {
      label: "By hand",
      dns: { enabledRecords: ["TXT"] },
    });

    const before = stack.recorded;
    await stack.refresh();

    expect(stack.recorded).toEqual(before);
  });
});

describe("a refresh", () => {
  test("finds what was changed by hand, which the next update sets back", async () => {
    const declared = {
      ...shop,
      whoisCheckInterval: "weekly",
      colour: "#ffffff",
    };

    const stack = await deployed(declared);
    service.updateDomain(created()[0]?.id ?? "", {
      label: "By hand",
      description: "By hand",
      whois: { checkInterval: "daily" },
      dns: { enabledRecords: ["MX", "A"] },
    });

    await stack.refresh();

    expect(stack.steps).toEqual(["drift"]);

    const { enabledDnsRecords } = shop;
    const found = {
      label: "By hand",
      whoisCheckInterval: "daily",
      enabledDnsRecords,
    };

    expect(stack.recorded?.outputs).toMatchObject(found);
    expect(stack.recorded?.outputs).not.toHaveProperty("description");

    takeRequests();
    await stack.up(declared);

    expect(takeRequests()).toEqual(["update"]);
  });

  test("a refresh of a domain that is only referred to reads everything, and fails if it is not there", async () => {
    expect(await provider().read(BY_HAND.id, {})).toMatchObject({
      id: BY_HAND.id,
      props: {
        domain: "example.com",
        label: "By hand",
        domainId: BY_HAND.id,
        deletionPolicy: "abandon",
      },
    });

    const missing = "22222222-2222-4222-8222-222222222222";

    expect(await failure(provider().read(missing, {}))).toContain("the account has no such domain");
  });
});

describe("a destroy", () => {
  test("deletes the domain if that is recorded, and does not mind if it is gone", async () => {
    const stack = await deployed(deletable);
    await stack.destroy();

    expect(stack.messages).toEqual([]);
    expect(takeRequests()).toEqual(["delete"]);

    const other = await deployed(deletable);
    service.removeDomain(created()[0]?.id ?? "");
    await other.destroy();

    expect(takeRequests()).toEqual(["delete", "list"]);
    expect(other.messages).toEqual([expect.stringContaining("was no longer in the service")]);
  });

  test("a destroy that the service refuses keeps the domain in the stack, and says how to drop it from the state", async () => {
    const stack = await deployed(deletable);
    const id = created()[0]?.id ?? "";
    fault("delete", { status: 403 });

    expect(await failure(stack.destroy())).toContain(
      `pulumi config set domain-monitoring:abandon ${id}`,
    );

    stack.settings.abandon = id;
    await stack.destroy();

    expect(stack.messages.at(-1)).toContain(
      "because stack config domain-monitoring:abandon lists it",
    );
    expect(created()).toHaveLength(1);
  });
});

describe("a comparison", () => {
  const NAMES: Record<string, string> = {
    "shop.example": "shop.example",
    "SHOP.example.": "shop.example",
    "münchen.example": "xn--mnchen-3ya.example",
    "XN--mnchen-3ya.example": "xn--mnchen-3ya.example",
  };

  /** Texts and what they mean: free text, which may be cleared, and names without case. */
  const TEXTS: Record<string, string | null> = {
    One: "One",
    " One\n": "One",
    one: "one",
    "": null,
    " ": null,
  };

  const WORDS: Record<string, string | null> = {
    Red: "red",
    " RED ": "red",
    blue: "blue",
    "": null,
  };

  const RECORDS: Record<string, string> = {
    A: "A",
    a: "A",
    "mx ": "MX",
    MX: "MX",
    TXT: "TXT",
  };

  const word = fc.constantFrom(...Object.keys(WORDS));
  const declaration = fc.record(
    {
      domain: fc.constantFrom(...Object.keys(NAMES)),
      label: fc.constantFrom("One", "Two"),
      description: fc.option(fc.constantFrom(...Object.keys(TEXTS)), { nil: null }),
      colour: fc.option(word, { nil: null }),
      whoisCheckInterval: word,
      dnsCheckInterval: word,
      enabledDnsRecords: fc.array(fc.constantFrom(...Object.keys(RECORDS))),
      deletionPolicy: fc.constantFrom("abandon", "delete"),
      adopt: fc.boolean(),
    },
    { requiredKeys: ["domain"] },
  );

  /** The meaning of a declaration, written anew. */
  function meaning(declared: Properties): Record<string, unknown> {
    const {
      label,
      deletionPolicy = "abandon",
      adopt = false,
      enabledDnsRecords: records,
    } = declared;

    const meant = (name: string, words: Record<string, string | null>) => {
      const value = declared[name];
      return typeof value === "string" ? words[value] : value;
    };

    return {
      domain: meant("domain", NAMES),
      label,
      description: meant("description", TEXTS),
      colour: meant("colour", WORDS),
      // Null leaves an interval to the service.
      whoisCheckInterval: meant("whoisCheckInterval", WORDS) ?? undefined,
      dnsCheckInterval: meant("dnsCheckInterval", WORDS) ?? undefined,
      enabledDnsRecords: Array.isArray(records)
        ? [...new Set(records.map((record) => RECORDS[record]))].sort().join()
        : undefined,
      deletionPolicy,
      adopt,
    };
  }

  test("finds exactly the inputs whose meaning differs, and replaces for another name only", async () => {
    const comparing = provider();
    await fc.assert(
      fc.asyncProperty(declaration, declaration, async (before, after) => {
        const { inputs: olds } = await comparing.check({}, before);
        const { inputs: news } = await comparing.check(olds, after);
        const { changes, diffs, replaces } = await comparing.diff(
          "id",
          { ...olds, domainId: "id" },
          news,
        );

        const [one, other] = [meaning(before), meaning(after)];
        const expected = Object.keys(one)
          .filter((name) => one[name] !== other[name])
          .sort();

        expect([...diffs].sort()).toEqual(expected);
        expect(changes).toBe(expected.length > 0);
        expect(replaces).toEqual(expected.filter((name) => name === "domain"));
      }),
    );

    expect(takeRequests()).toEqual([]);
  });
});
