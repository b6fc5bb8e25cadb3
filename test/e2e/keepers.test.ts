/**
 * No delete removes an object that another resource of the same run keeps: on the real engine, in
 * both forms, counted at the service. Imports under a second name: test/plugin/keepers.test.ts.
 */
import {
  type Emulator,
  type FaultRule,
  startEmulator,
} from "../../packages/domain-monitoring-emulator/src";
import * as wire from "../client/support/wire";
import { DOMAIN, EMAIL, SLACK_URL } from "../provider/support/channels";
import { type Declared, DeclaredStack, FORMS } from "../support/declared-stack";
import { realEngineAvailable } from "../support/engines";

const ops: Declared = {
  name: "ops",
  args: { domainId: DOMAIN, label: "On call", type: "email", value: EMAIL, lifecycle: "managed" },
};

const shop: Declared = {
  name: "shop",
  type: "Domain",
  args: { domain: "shop.example", label: "Shop" },
};

const ONE_OF_TWO = /remove one of the two/;

/** The same resource under another name or with other inputs. */
function changed(one: Declared, name: string, args: object = {}): Declared {
  return { ...one, name, args: { ...one.args, ...args } };
}

/** The service responds to a create with this instead of doing it. */
function responding(data: object): FaultRule {
  return { status: 201, body: { data } };
}

(realEngineAvailable ? describe : describe.skip).each(FORMS)(
  "one object, one keeper, with the %s",
  (form) => {
    const isPlugin = form === "plugin";
    let service: Emulator;
    let stack: DeclaredStack;

    beforeEach(async () => {
      const domains = [{ id: DOMAIN, domain: "example.com" }];
      service = await startEmulator({ lifecycle: "managed", domains });
      stack = await DeclaredStack.open(form, service);
    });

    afterEach(async () => {
      stack.close();
      await service.close();
    });

    const deletes = () => service.requests.filter(({ method }) => method === "DELETE");
    const channelIds = () => service.channels().map(({ id }) => id);

    /** What the line about a delete that is not sent says. */
    const keptFor = (name: string) =>
      new RegExp(`is not deleted.*(resource "${name}"|its replacement)`);

    /** The resource under this name that takes an object over instead of creating one. */
    function taking(one: Declared, name: string, id: string): Declared {
      if (!isPlugin) return changed(one, name, { adopt: id });
      return { ...one, name, options: { import: `${DOMAIN}/${id}` } };
    }

    /** Deploys this resource; returns the id of its object. */
    async function deployed(one: Declared): Promise<string> {
      await stack.deploy(one);
      const { [one.name]: id = "" } = await stack.recorded();

      return id;
    }

    describe("a create whose response is the channel that the stack has", () => {
      test.each<[how: string, next: Declared, isForced?: boolean]>([
        ["another type", changed(ops, "ops", { type: "slack", value: SLACK_URL })],
        ["--replace", ops, true],
        ["another name without an alias", changed(ops, "desk")],
      ])("does not delete it: %s", async (_how, next, isForced = false) => {
        const id = await deployed(ops);
        const { label, type, createdAt: created_at } = service.channels()[0] ?? {};
        service.fault({
          operation: "createNotificationChannel",
          ...responding(wire.channel({ id, label, type, created_at })),
        });

        stack.declare(next);
        const { code, output } = await stack.up(
          ...(isForced ? ["--replace", stack.urn("ops")] : []),
        );

        expect(deletes()).toEqual([]);
        expect(channelIds()).toEqual([id]);
        expect(output).toMatch(keptFor(next.name));
        expect(code).toBe(0);
        expect(await stack.recorded()).toEqual({ [next.name]: id });
        // The plugin refuses adopt.
        if (isPlugin) expect(output).not.toMatch(/declare adopt|remove adopt/);
      });
    });

    test.each([false, true])(
      "a forced replacement whose response is a new channel deletes the old one, before it: %j",
      async (deleteBeforeReplace) => {
        const id = await deployed({ ...ops, options: { deleteBeforeReplace } });

        expect(await stack.up("--replace", stack.urn("ops"))).toMatchObject({ code: 0 });
        expect(channelIds()).toEqual([expect.not.stringMatching(id)]);
        expect(await stack.recorded()).toEqual({ ops: channelIds()[0] });
      },
    );

    test.each<[what: string, fault: FaultRule]>(
      isPlugin
        ? [["is not read", { operation: "getNotificationChannel", status: 500 }]]
        : [
            ["is not read", { operation: "getNotificationChannel", status: 500 }],
            ["is refused", { operation: "updateNotificationChannel", status: 422 }],
            ["is lost", { operation: "updateNotificationChannel", reset: "after" }],
          ],
    )("a takeover that fails keeps its channel: one that %s", async (_what, fault) => {
      const id = await deployed(ops);
      const next = taking(changed(ops, "ops", { label: "Next" }), "next", id);
      service.fault(fault);
      stack.declare(next);
      const { code, output } = await stack.up("--continue-on-error");

      expect(deletes()).toEqual([]);
      expect(code).not.toBe(0);
      expect(output).toMatch(keptFor("next"));

      // Nothing is left to do but the takeover itself.
      await stack.deploy(next);

      expect(await stack.recorded()).toEqual({ next: id });
      expect(channelIds()).toEqual([id]);
    });

    test("a channel that was taken over by --target, and is the stack's own since, is not deleted with the old one", async () => {
      const id = await deployed(ops);
      const target = ["--target", stack.urn("next")];
      stack.declare(taking(ops, "next", id));

      expect(await stack.up(...target)).toMatchObject({ code: 0 });

      stack.declare(changed(ops, "next"));

      expect(await stack.up(...target)).toMatchObject({ code: 0 });
      expect(await stack.recorded()).toEqual({ ops: id, next: id });

      const { code, output } = await stack.up();

      expect(deletes()).toEqual([]);
      expect(output).toMatch(keptFor("next"));
      expect(code).toBe(0);
      expect(await stack.recorded()).toEqual({ next: id });

      // The other resource owns it since.
      await stack.deploy();

      expect(deletes()).toHaveLength(1);
    });

    test("a domain that leaves, is renamed or is replaced stays monitored, and no delete is sent", async () => {
      const id = await deployed(shop);
      const renamed = changed(shop, "store");
      stack.declare(renamed);
      const { code, output } = await stack.up();

      expect(code).toBe(0);
      expect(output).toContain("is monitored already, so it is taken over");
      expect(output).toContain("is removed from this stack and is still monitored");
      expect(await stack.recorded()).toEqual({ store: id });

      expect(await stack.up("--replace", stack.urn("store", "Domain"))).toMatchObject({ code: 0 });
      expect(await stack.recorded()).toEqual({ store: id });

      await stack.deploy(changed(renamed, "store", { domain: "store.example" }));
      await stack.deploy();

      expect(service.domains().map(({ domain }) => domain)).toEqual(
        expect.arrayContaining(["shop.example", "store.example"]),
      );

      expect(deletes()).toEqual([]);
    });

    test("a managed resource that takes a channel over which a create-only one has is named by the preview", async () => {
      const createOnly = changed(ops, "ops", { lifecycle: "create-only" });
      const id = await deployed(createOnly);
      stack.declare(createOnly, taking(ops, "next", id));
      for (const { output } of [await stack.run("preview"), await stack.up()]) {
        expect(output).toMatch(ONE_OF_TWO);
        if (isPlugin) expect(output).toMatch(/resource "(ops|next)"/);
      }

      // Whichever of the two is removed.
      await stack.deploy(createOnly);

      expect(channelIds()).toEqual([id]);
      expect(deletes()).toEqual([]);
    });

    test("at another address than the recorded one nothing is changed or deleted", async () => {
      const id = await deployed(ops);
      await using copy = await startEmulator({ lifecycle: "managed", domains: service.domains() });

      copy.addChannel(DOMAIN, { id, label: "On call" });
      stack.use(copy);
      // A destroy uses the settings of the last update.
      await stack.deploy(ops);
      const before = await stack.recorded();
      stack.declare(changed(ops, "ops", { label: "Day shift" }));

      for (const command of ["up", "destroy"]) {
        const { code, output } = await stack.run(
          command,
          "--yes",
          "--skip-preview",
          "--parallel",
          "1",
        );

        expect(code).not.toBe(0);
        expect(output).toMatch(/another base address.*movedFrom/);
      }

      expect(copy.requests.filter(({ method }) => method !== "GET")).toEqual([]);
      expect(await stack.recorded()).toEqual(before);
    });

    test("two equal channels never get one id, although the first is created in part", async () => {
      const first = "99999999-9999-4999-8999-999999999999";
      service.fault({ operation: "createNotificationChannel", ...responding({ id: first }) });
      stack.declare(ops, changed(ops, "twin"));
      const { code, output } = await stack.up("--continue-on-error", "--parallel", "1");

      expect(code).not.toBe(0);
      expect(output).toContain(`id ${first}) was created, but the rest`);

      const ids = Object.values(await stack.recorded());

      expect(ids).toContain(first);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toHaveLength(2);
    });

    test("the channel of a resource that is renamed is not said to belong to none", async () => {
      const id = await deployed(ops);
      stack.declare(changed(ops, "desk"));
      const { code, output } = await stack.up();

      expect(code).toBe(0);
      expect(output).not.toContain("belongs to no resource");
      expect(channelIds()).toEqual([expect.not.stringMatching(id)]);
    });
  },
);
