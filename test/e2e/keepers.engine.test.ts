/**
 * No delete removes an object that another resource of the same run keeps: on the real engine, in
 * both forms, counted at the service.
 */
import type { FaultRule } from "../../packages/domain-monitoring-emulator/src";
import { SLACK_URL } from "../provider/support/channels";
import {
  changed,
  type Declared,
  describeDeclaredStacks,
  ops,
  useDeclaredStack,
} from "../support/declared-stack";

const args = { domain: "shop.example", label: "Shop" };
const shop: Declared = { name: "shop", type: "Domain", args };

const ONE_OF_TWO = /remove one of the two/;

describeDeclaredStacks("one object, one keeper, with the %s", (form) => {
  const isPlugin = form === "plugin";
  const { service, stack } = useDeclaredStack(form);

  /** What the line about a delete that is not sent says. */
  const keptFor = (name: string) =>
    new RegExp(`is not deleted.*(resource "${name}"|its replacement)`);

  test.each<[how: string, next: Declared, isForced?: boolean]>([
    ["another type", changed(ops, "ops", { type: "slack", value: SLACK_URL })],
    ["--replace", ops, true],
    ["another name without an alias", changed(ops, "desk")],
  ])(
    "a create whose response is the channel that the stack has does not delete it: %s",
    async (_how, next, isForced = false) => {
      const id = await stack.deployed(ops);
      stack.respondWith(id);
      stack.declare(next);
      const { code, output } = await stack.up(...(isForced ? ["--replace", stack.urn("ops")] : []));
      expect(stack.deletes).toEqual([]);
      expect(stack.channelIds).toEqual([id]);
      expect(output).toMatch(keptFor(next.name));
      expect(code).toBe(0);
      expect(stack.recorded()).toEqual({ [next.name]: id });
      // The plugin refuses adopt.
      if (isPlugin) expect(output).not.toMatch(/declare adopt|remove adopt/);
    },
  );

  test.each([false, true])(
    "a forced replacement deletes the old one, first: %j",
    async (deleteBeforeReplace) => {
      const id = await stack.deployed({ ...ops, options: { deleteBeforeReplace } });
      expect(await stack.up("--replace", stack.urn("ops"))).toMatchObject({ code: 0 });
      expect(stack.channelIds).toEqual([expect.not.stringMatching(id)]);
      expect(stack.recorded()).toEqual({ ops: stack.channelIds[0] });
    },
  );

  const failing: [what: string, fault: FaultRule][] = [
    ["is not read", { operation: "getNotificationChannel", status: 500 }],
    ["is refused", { operation: "updateNotificationChannel", status: 422 }],
    ["is lost", { operation: "updateNotificationChannel", reset: "after" }],
  ];

  // An import of the plugin only reads.
  test.each(isPlugin ? failing.slice(0, 1) : failing)(
    "a takeover that fails keeps its channel: one that %s",
    async (_what, fault) => {
      const id = await stack.deployed(ops);
      const next = stack.taking(changed(ops, "ops", { label: "Next" }), "next", id);
      service.fault(fault);
      stack.declare(next);
      const { code, output } = await stack.up("--continue-on-error");

      expect(stack.deletes).toEqual([]);
      expect(code).not.toBe(0);
      expect(output).toMatch(keptFor("next"));

      // Nothing is left to do but the takeover itself.
      await stack.deploy(next);
      expect(stack.recorded()).toEqual({ next: id });
      expect(stack.channelIds).toEqual([id]);
    },
  );

  test.each(["--target", "the whole update"])(
    "a channel that was taken over by --target, then owned by %s, stays",
    async (by) => {
      const id = await stack.deployed(ops);
      const target = ["--target", stack.urn("next")];
      stack.declare(stack.taking(ops, "next", id));

      expect(await stack.up(...target)).toMatchObject({ code: 0 });

      stack.declare(changed(ops, "next"));
      if (by === "--target") expect(await stack.up(...target)).toMatchObject({ code: 0 });
      expect(stack.recorded()).toEqual({ ops: id, next: id });

      const { code, output } = await stack.up();
      expect(stack.deletes).toEqual([]);
      expect(output).toMatch(keptFor("next"));
      expect(code).toBe(0);
      expect(stack.recorded()).toEqual({ next: id });

      // The other resource owns it since.
      await stack.deploy();
      expect(stack.deletes).toHaveLength(1);
    },
  );

  test("a domain that leaves, is renamed or is replaced stays monitored, and no delete is sent", async () => {
    const id = await stack.deployed(shop);
    const renamed = changed(shop, "store");
    stack.declare(renamed);
    const { code, output } = await stack.up();

    expect(code).toBe(0);
    expect(output).toContain("is monitored already, so it is taken over");
    expect(output).toContain("is removed from this stack and is still monitored");
    expect(stack.recorded()).toEqual({ store: id });
    expect(await stack.up("--replace", stack.urn("store", "Domain"))).toMatchObject({ code: 0 });
    expect(stack.recorded()).toEqual({ store: id });

    await stack.deploy(changed(renamed, "store", { domain: "store.example" }));
    await stack.deploy();
    expect(service.domains().map(({ domain }) => domain)).toEqual(
      expect.arrayContaining(["shop.example", "store.example"]),
    );
    expect(stack.deletes).toEqual([]);
  });

  test("a managed resource that takes a channel over which a create-only one has is named by the preview", async () => {
    const createOnly = changed(ops, "ops", { lifecycle: "create-only" });
    const id = await stack.deployed(createOnly);
    stack.declare(createOnly, stack.taking(ops, "next", id));
    for (const { output } of [await stack.run("preview"), await stack.up()]) {
      expect(output).toMatch(ONE_OF_TWO);
      if (isPlugin) expect(output).toMatch(/resource "(ops|next)"/);
    }

    // Whichever of the two is removed.
    await stack.deploy(createOnly);
    expect(stack.channelIds).toEqual([id]);
    expect(stack.deletes).toEqual([]);
  });

  test("two equal channels never get one id, although the first is created in part", async () => {
    const first = "99999999-9999-4999-8999-999999999999";
    const body = { data: { id: first } };
    service.fault({ operation: "createNotificationChannel", status: 201, body });
    stack.declare(ops, changed(ops, "twin"));
    const { code, output } = await stack.up("--continue-on-error", "--parallel", "1");

    expect(code).not.toBe(0);
    expect(output).toContain(`id ${first}) was created, but the rest`);

    const ids = Object.values(stack.recorded());
    expect(ids).toContain(first);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(2);
  });

  test("the channel of a resource that is renamed is not said to belong to none", async () => {
    const id = await stack.deployed(ops);
    stack.declare(changed(ops, "desk"));
    const { code, output } = await stack.up();

    expect(code).toBe(0);
    expect(output).not.toContain("belongs to no resource");
    expect(stack.channelIds).toEqual([expect.not.stringMatching(id)]);
  });
});
