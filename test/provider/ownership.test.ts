/**
 * Whose a domain is: what proves that one is gone, and what a create makes the stack's own.
 * Channels: channel-ownership.test.ts.
 */
import type { Properties } from "../../src/provider/boundary";
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

const OTHER_TOKEN = "other-account-token";
const OTHERS = { [OTHER_TOKEN]: [{ domain: "other.example", label: "Other account" }] };
const shop: Properties = { domain: "shop.example", label: "Shop" };
const deletable: Properties = { ...shop, deletionPolicy: "delete" };

/** Advice of an error about a domain that may be in another account. */
const CONFIRM =
  /The API token may be another account's: .*run `pulumi config set domain-monitoring:abandon (\S+)`/;

useService("Domain", { domains: [BY_HAND], accounts: OTHERS });

const created = () => service.domains().filter(({ id }) => id !== BY_HAND.id);

const ids = () => service.domains().map(({ id }) => id);

/** Three domains of a stack, created by one process as the engine does, side by side. */
async function createThree() {
  const provider = stackOf().provider();
  const names = ["one.example", "two.example", "three.example"];

  return Promise.all(names.map((domain) => provider.create({ domain, deletionPolicy: "delete" })));
}

describe("a token of another account at the same address", () => {
  test("drops nothing in a refresh, and is named with the command that confirms", async () => {
    const recorded = await createThree();
    const provider = stackOf({ apiToken: OTHER_TOKEN }).provider();
    for (const { id, outs } of recorded) {
      const message = await failure(provider.read(id, outs));

      expect(message).toContain(`(id ${id}) is not read: got 404`);
      expect(message).toMatch(CONFIRM);
    }
  });

  test("drops nothing in a destroy", async () => {
    const recorded = await createThree();
    const provider = stackOf({ apiToken: OTHER_TOKEN }).provider();
    const deletes = recorded.map(({ id, outs }) => failure(provider.delete(id, outs)));
    for (const message of await Promise.all(deletes)) expect(message).toMatch(CONFIRM);

    expect(created()).toHaveLength(3);
  });

  test("is not recognised by a domain that the same run creates in its account", async () => {
    const [one] = await createThree();
    if (one) one.outs.otherDomains = undefined;
    const provider = stackOf({ apiToken: OTHER_TOKEN }).provider();
    await provider.create({ domain: "new.example" });

    expect(await failure(provider.delete(one?.id ?? "", one?.outs ?? {}))).toMatch(CONFIRM);
  });

  test("is not recognised by a domain that another run has created in its account", async () => {
    const [one] = await createThree();
    // As after a create that could not read the list.
    if (one) one.outs.otherDomains = undefined;
    const another = await stackOf({ apiToken: OTHER_TOKEN }).provider().create(shop);
    const provider = stackOf({ apiToken: OTHER_TOKEN }).provider();
    await provider.read(another.id, another.outs);

    expect(await failure(provider.read(one?.id ?? "", one?.outs ?? {}))).toMatch(CONFIRM);
  });
});

describe("another address, where domains have the same ids", () => {
  const MOVED =
    /got 404 at another base address .* another account's: .*run `pulumi config set domain-monitoring:abandon (\S+)` and `pulumi refresh --run-program`/;

  async function deployedElsewhere() {
    const stack = await deployed(deletable);
    await startOther({ lifecycle: "managed", domains: [BY_HAND] });
    Object.assign(stack.settings, { baseUrl: service.url, apiToken: service.token });

    return stack;
  }

  test("drops nothing, and one line names the command that confirms", async () => {
    const stack = await deployedElsewhere();
    const before = stack.recorded;
    const changed = { ...deletable, label: "Store" };
    for (const step of [() => stack.up(changed), () => stack.destroy()]) {
      expect(await failure(step())).toMatch(
        /is not (updated|deleted): it was recorded at another base address\. Correct the address, .* `pulumi refresh --run-program`/,
      );
      expect(stack.recorded).toEqual(before);
    }

    expect(takeRequests()).toEqual([]);

    const [, id] = MOVED.exec(await failure(stack.refresh())) ?? [];

    expect(id).toBe(before?.id);
    expect(stack.recorded).toEqual(before);

    stack.settings.abandon = String(before?.id);
    await stack.refresh();

    expect(stack.steps).toEqual(["gone"]);
  });

  test("proves what it did to a record of an earlier version, which names no address", async () => {
    const stack = await deployedElsewhere();
    delete stack.recorded?.outputs.addressDigest;
    await stack.refresh();
    expect(stack.steps).toEqual(["gone"]);
  });
});

describe("a service that has moved to another address", () => {
  const atNewAddress = () => service.url.replace("127.0.0.1", "localhost");

  test("is recorded by a refresh that finds the domain, without a difference", async () => {
    const stack = await deployed(deletable);
    const { addressDigest: before } = stack.recorded?.outputs ?? {};
    const changed = { ...deletable, label: "Store" };
    stack.settings.baseUrl = atNewAddress();
    await failure(stack.up(changed));
    await stack.refresh();

    expect(stack.steps).toEqual([]);
    expect(stack.recorded?.outputs.addressDigest).not.toBe(before);

    await stack.up(changed);
    service.removeDomain(stack.recorded?.id ?? "");
    await stack.refresh();

    expect(stack.steps).toEqual(["gone"]);
  });

  test("is the same address in another way to write it", async () => {
    const stack = await deployed(deletable);
    const { addressDigest } = stack.recorded?.outputs ?? {};
    stack.settings.baseUrl = `${service.url.replace("http", "HTTP")}/`;
    await stack.refresh();

    expect(stack.recorded?.outputs.addressDigest).toBe(addressDigest);
    expect(addressDigest).toMatch(/^[0-9a-f]{12}$/);
  });
});

describe("a domain that was removed by hand", () => {
  test.each([0, 1, 2])("is dropped, whichever read comes first: number %d", async (gone) => {
    const recorded = await createThree();
    const removed = recorded[gone]?.id ?? "";
    service.removeDomain(removed);
    const provider = stackOf().provider();
    // One after the other, as with --parallel 1, in every order of three.
    for (let turn = 0; turn < 3; turn++) {
      const { id, outs } = recorded[(gone + turn) % 3] ?? { id: "", outs: {} };
      expect((await provider.read(id, outs)).id).toBe(id === removed ? "" : id);
    }
  });

  test.each<[string, (gone: string) => Properties]>([
    ["name it", (gone) => ({ otherDomains: [gone] })],
    ["and its own are of an earlier version", () => ({ addressDigest: undefined })],
  ])("is dropped if its record names no other domain, and the others %s", async (_, evidence) => {
    const recorded = await createThree();
    const gone = recorded[0]?.id ?? "";
    service.removeDomain(gone);
    const provider = stackOf().provider();
    for (const { outs } of recorded)
      Object.assign(outs, { otherDomains: undefined }, evidence(gone));

    if (recorded[0]) recorded[0].outs.otherDomains = undefined;
    const reads = await Promise.all(recorded.map(({ id, outs }) => provider.read(id, outs)));

    expect(reads.map(({ id }) => id)).toEqual(["", recorded[1]?.id, recorded[2]?.id]);
  });

  test("as the only one of its account is dropped when stack config confirms it, without a request", async () => {
    await startOther({ lifecycle: "managed", domains: [] });
    const stack = await deployed(shop);
    service.removeDomain(stack.recorded?.id ?? "");
    const [, id] = CONFIRM.exec(await failure(stack.refresh())) ?? [];

    expect(id).toBe(stack.recorded?.id);

    takeRequests();
    stack.settings.abandon = String(id);
    await stack.refresh();

    expect(stack.steps).toEqual(["gone"]);
    expect(takeRequests()).toEqual([]);
    expect(stack.messages.at(-1)).toContain(
      "is dropped from the state, because stack config domain-monitoring:abandon lists it",
    );
  });

  test("a domain that was removed by hand with all others of its account does not prevent a destroy", async () => {
    const recorded = await createThree();
    const [first, ...rest] = recorded;
    service.removeDomain(first?.id ?? "");
    service.removeDomain(BY_HAND.id);
    const provider = stackOf().provider();
    for (const { id, outs } of rest) await provider.delete(id, outs);
    // All that its record names has been deleted by this process, for which the token has to be
    // theirs.
    await provider.delete(first?.id ?? "", {
      ...first?.outs,
      otherDomains: rest.map(({ id }) => id),
    });

    expect(service.domains()).toEqual([]);
  });
});

describe("the domains by which an account is recognised", () => {
  test("are no difference, and are added by a refresh where none are recorded", async () => {
    const stack = await deployed(shop);

    expect(stack.recorded?.outputs.otherDomains).toEqual([BY_HAND.id]);

    delete stack.recorded?.outputs.otherDomains;
    await stack.refresh();

    expect(stack.steps).toEqual([]);
    expect(stack.recorded?.outputs.otherDomains).toEqual([BY_HAND.id]);
    expect(takeRequests()).toEqual(["get", "list"]);

    // From then on without a request.
    await stack.refresh();

    expect(takeRequests()).toEqual(["get"]);
    expect(await stack.preview(shop)).toMatchObject({ changes: false });
  });

  test("stay recorded through an update, and are three at most", async () => {
    for (const domain of ["a.example", "b.example", "c.example", "d.example"])
      service.addDomain({ domain });

    const stack = await deployed(shop);
    const { otherDomains } = stack.recorded?.outputs ?? {};

    expect(otherDomains).toHaveLength(3);
    expect(ids()).toEqual(expect.arrayContaining(Array.isArray(otherDomains) ? otherDomains : []));

    for (const declared of [{ ...shop, label: "Store" }, { domain: "shop.example" }]) {
      await stack.up(declared);
      expect(stack.recorded?.outputs.otherDomains).toEqual(otherDomains);
    }
  });
});

describe("a create", () => {
  /** A domain of months ago that the list has only after the create, as a list that lags has it. */
  function appearsLater(): string {
    const id = service.addDomain({ domain: "shop.example" });
    fault("list", { status: 200, body: wire.page([]) });

    return id;
  }

  test.each(["reset", "500"])(
    "a create that failed (%s) does not own an older domain of that name",
    async (how) => {
      const id = appearsLater();
      fault("create", how === "reset" ? { reset: "before" } : { status: 500 });
      const stack = await deployed(deletable);

      expect(stack.recorded).toMatchObject({ id, outputs: { adopted: true } });
      expect(stack.messages.at(-1)).toContain(
        "which may be older than the request. It is recorded as adopted",
      );

      await stack.refresh();
      await stack.up({ ...deletable, label: "Store" });
      await stack.destroy();

      expect(stack.messages.at(-1)).toContain(
        "It stays in the service and is still monitored, because it is recorded as adopted",
      );

      expect(ids()).toContain(id);
    },
  );

  test("a create whose response is another domain records the one that was made, or none", async () => {
    const another = {
      status: 201,
      body: { data: [wire.domain({ id: BY_HAND.id, domain: "example.com" })] },
    };

    fault("create", another);
    const message = await failure(stackOf().up(deletable));

    expect(message).toContain(
      `the service responded with another domain, Domain "example.com" (id ${BY_HAND.id})`,
    );

    expect(message).toContain(
      "The list of domains does not have it now, so it is not created again in this run",
    );

    expect(ids()).toEqual([BY_HAND.id]);
  });

  test("a create whose response is another resource's domain adopts it", async () => {
    const provider = stackOf().provider();
    const first = await provider.create(deletable);
    const answer = (extra: Properties) => ({ status: 201, body: { data: [wire.domain(extra)] } });
    fault(
      "create",
      answer({
        id: first.id,
        domain: "www.shop.example",
        created_at: first.outs.createdAt,
      }),
    );

    const second = await provider.create({ ...deletable, domain: "www.shop.example" });

    expect(second).toMatchObject({ id: first.id, outs: { adopted: true } });

    await provider.delete(second.id, second.outs);
    await provider.delete(first.id, first.outs);

    expect(created()).toHaveLength(1);
  });

  test("a create that leads to an adopted domain hands it over when adopt is declared and removed", async () => {
    const id = appearsLater();
    fault("create", { reset: "before" });
    const stack = await deployed(deletable);
    await stack.up({ ...deletable, adopt: true });

    expect(stack.recorded?.outputs).not.toHaveProperty("adopted");

    await stack.up(deletable);
    await stack.destroy();

    expect(ids()).not.toContain(id);
  });
});

describe("a service that keeps www.shop.example as shop.example", () => {
  const www = { ...deletable, domain: "www.shop.example" };

  async function renamedByService() {
    const stack = await deployed(www);
    const id = stack.recorded?.id ?? "";
    service.updateDomain(id, { domain: "shop.example" });
    await stack.refresh();

    return { stack, id };
  }

  test("does not replace the domain, and both names are recorded", async () => {
    const { stack, id } = await renamedByService();

    expect(stack.recorded?.outputs).toMatchObject({
      domain: "www.shop.example",
      reportedDomain: "shop.example",
    });

    expect(stack.recorded?.inputs).toMatchObject({ domain: "www.shop.example" });
    expect(stack.messages.at(-1)).toContain('the service keeps it as "shop.example"');

    await stack.up(www);

    expect(stack.steps).toEqual(["same"]);

    await stack.up({ ...www, label: "Store" });

    expect(ids()).toContain(id);
  });

  test("leaves the domain as it is when the program declares the kept name", async () => {
    const { stack, id } = await renamedByService();
    await stack.up({ ...deletable, domain: "shop.example" });

    expect(stack.steps).toEqual(["update"]);
    expect(stack.recorded).toMatchObject({ id, outputs: { domain: "shop.example" } });
    expect(stack.recorded?.outputs).not.toHaveProperty("reportedDomain");
    expect(ids()).toContain(id);
  });
});

describe("a resource that was renamed, and adopts the domain of the old one", () => {
  test.each(["adopted first", "side by side"])(
    "keeps the domain in a destroy, %s",
    async (order) => {
      const old = await deployed(deletable);
      const { id = "", outputs = {} } = old.recorded ?? {};
      const adopter = stackOf();
      await adopter.up({ ...deletable, adopt: true });
      const next = stackOf().provider();
      const deletes = [
        () => next.delete(id, adopter.recorded?.outputs ?? {}),
        () => next.delete(id, outputs),
      ];

      if (order === "side by side") await Promise.all(deletes.toReversed().map((run) => run()));
      else for (const run of deletes) await run();

      expect(created()).toMatchObject([{ id }]);
    },
  );

  test("does not keep a domain that is replaced by one to adopt", async () => {
    const stack = await deployed(deletable);
    await stack.up({
      ...deletable,
      domain: "example.com",
      adopt: true,
    });

    expect(stack.recorded?.id).toBe(BY_HAND.id);
    expect(created()).toEqual([]);
  });
});
