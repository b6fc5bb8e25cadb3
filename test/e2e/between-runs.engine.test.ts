/**
 * Nothing is lost between two runs: another spelling of an id, another address, an import, or a
 * resource that has not had its turn deletes no channel. On the real engine, in both forms, counted
 * at the service. Within a run: keepers.engine.test.ts.
 */
import {
  type Emulator,
  type EmulatorOperation,
  startEmulator,
} from "../../packages/domain-monitoring-emulator/src";
import * as wire from "../client/support/wire";
import { DOMAIN, SLACK_URL } from "../provider/support/channels";
import {
  changed,
  type Declared,
  describeDeclaredStacks,
  ops,
  SERVICE,
  useDeclaredStack,
} from "../support/declared-stack";

describeDeclaredStacks("between two runs, with the %s", (form) => {
  const isPlugin = form === "plugin";
  const { service, stack } = useDeclaredStack(form);

  /** A reference to the channel in place of its declaration. */
  function reference(id: string): Declared {
    const get = isPlugin ? `${DOMAIN}/${id}` : id.toUpperCase();
    return { name: "ops", get, args: { domainId: DOMAIN, lifecycle: "managed" } };
  }

  /** A copy of the service with the channel of this id. */
  async function startCopy(id: string): Promise<Emulator> {
    const copy = await startEmulator(SERVICE);
    copy.addChannel(DOMAIN, { id, label: "On call" });
    stack.use(copy);
    return copy;
  }

  test("a reference in place of the declaration keeps the channel, and the preview of the way back says how to take it over", async () => {
    const id = await stack.deployed(ops);
    stack.declare(reference(id));
    const { code, output } = await stack.up();

    expect(stack.deletes).toEqual([]);
    expect(stack.channelIds).toEqual([id]);
    expect(code).toBe(0);
    expect(output).toContain("is not deleted");

    stack.declare(ops);
    expect((await stack.run("preview")).output).toMatch(
      isPlugin ? `import to "${DOMAIN}/${id}"` : `adopt: "${id}"`,
    );
  });

  test("no command changes, deletes or drops anything at a copy of the service", async () => {
    const id = await stack.deployed(ops);
    await using copy = await startCopy(id);
    // A destroy uses the settings of the last update.
    await stack.deploy(ops);
    stack.declare(changed(ops, "ops", { label: "Day shift" }));
    for (const [command, ...options] of [
      ["up"],
      ["refresh"],
      ["destroy"],
      ["up", "--refresh"],
      ["destroy", "--refresh", "--run-program"],
    ] as const) {
      const { code, output } = await stack.change(command, ...options);
      expect({ command, code }).not.toEqual({ command, code: 0 });
      expect(output).toMatch(/another base address.*domain-monitoring:movedFrom/);
      expect(output).not.toContain(copy.url);
    }

    expect(copy.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(copy.channels()).toMatchObject([{ id, label: "On call" }]);
    expect(stack.recorded()).toEqual({ ops: id });
  });

  test("a service that has moved is consented to by movedFrom, and recorded by the next refresh", async () => {
    const id = await stack.deployed(ops);
    await using moved = await startCopy(id);
    await stack.run("config", "set", "domain-monitoring:movedFrom", service.url);

    expect(await stack.change("refresh", "--run-program")).toMatchObject({ code: 0 });

    await stack.run("config", "rm", "domain-monitoring:movedFrom");
    await stack.deploy(changed(ops, "ops", { label: "Day shift" }));
    expect(moved.channels()).toMatchObject([{ id, label: "Day shift" }]);
  });

  test("an imported channel knows its address, so nothing is deleted at another one", async () => {
    const id = service.addChannel(DOMAIN, { label: "On call", type: "email" });
    // An import without a destination needs no update that would record the address.
    const imported = isPlugin ? changed(ops, "ops", { value: undefined }) : ops;
    await stack.deploy(stack.taking(imported, "ops", id));
    await stack.deploy(imported);
    await using copy = await startCopy(id);
    stack.declare();

    expect((await stack.up()).code).not.toBe(0);
    expect(copy.channels()).toHaveLength(1);
  });

  test("a create with an equal declaration leaves the channel to the resource that has it", async () => {
    const id = await stack.deployed(changed(ops, "first"));
    // Two records name the channel, because the first one is left out of the run that takes it over.
    for (const program of [stack.taking(ops, "ops", id), ops]) {
      stack.declare(program);

      expect(await stack.up("--target", stack.urn("ops"))).toMatchObject({ code: 0 });
    }

    await stack.deploy(ops, changed(ops, "twin"));

    expect(stack.deletes).toEqual([]);
    expect(stack.recorded()).toMatchObject({ ops: id, twin: expect.not.stringMatching(id) });
  });

  test("a create that is answered with a channel of the list's second page does not own it", async () => {
    const id = service.addChannel(DOMAIN, { label: "On call", type: "email" });
    for (let index = 1; index < 20; index += 1)
      service.addChannel(DOMAIN, { label: `Other ${index}`, type: "email" });

    stack.respondWith(id);
    await stack.deploy(ops);
    await stack.deploy();

    expect(stack.deletes).toEqual([]);
    expect(service.channels()).toHaveLength(20);
  });

  test("a record that waits for its delete leaves the channel to the resource that was given it since", async () => {
    const id = await stack.deployed(ops);
    const next = changed(ops, "ops", { type: "slack", value: SLACK_URL });
    const neighbour: Declared = { name: "shop", type: "Domain", args: { domain: "shop.example" } };
    stack.respondWith(id);
    service.fault({ operation: "createDomain", status: 422 });
    stack.declare(next, neighbour);
    expect((await stack.up("--parallel", "1")).code).not.toBe(0);

    stack.declare(next);
    const { code, output } = await stack.up();

    expect(code).toBe(0);
    expect(stack.deletes).toEqual([]);
    expect(stack.channelIds).toEqual([id]);
    expect(output).toContain("is not deleted, because its replacement has it");
  });

  test("the preview refuses to replace a channel first that another resource takes over, and two that declare it", async () => {
    const first = { ...ops, options: { deleteBeforeReplace: true } };
    const id = await stack.deployed(first);
    const next = stack.taking(ops, "next", id);
    for (const [current, line] of [
      [changed(first, "ops", { type: "slack", value: SLACK_URL }), /"next"|is replaced/],
      [first, /remove one of the two/],
    ] as const) {
      stack.declare(current, next);
      const { code, output } = await stack.run("preview");
      expect(code).not.toBe(0);
      expect(output).toMatch(line);
    }

    expect(stack.channelIds).toEqual([id]);
  });

  test("a create whose response has only an id says what would make a second channel", async () => {
    const id = service.addChannel(DOMAIN, { label: "On call", type: "email" });
    service.fault({ operation: "createNotificationChannel", status: 201, body: { data: { id } } });
    stack.declare(ops);
    const { code, output } = await stack.up();

    expect(code).not.toBe(0);
    expect(output).toContain("unless the resource has the option replaceOnChanges");

    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(stack.channelIds).toEqual([id]);
  });

  test("an update costs one request, however the service writes its dates", async () => {
    const channel = { label: "On call", type: "email", created_at: "31 January 2026, 8 am" };
    const id = service.addChannel(DOMAIN, { label: "On call", type: "email" });
    const respond = (operation: EmulatorOperation, label: string) => {
      const data = wire.channel({ ...channel, id, label });
      service.fault({ operation, status: 201, body: { data } });
    };

    respond("createNotificationChannel", "On call");
    await stack.deploy(ops);
    const before = service.requests.length;
    respond("updateNotificationChannel", "Day shift");
    await stack.deploy(changed(ops, "ops", { label: "Day shift" }));

    expect(service.requests.slice(before).map(({ method }) => method)).toEqual(["PATCH"]);
  });

  test("a destroy with two records of one channel says of each what is true at the end", async () => {
    const id = await stack.deployed(changed(ops, "first"));
    stack.declare(stack.taking(ops, "ops", id));
    await stack.up("--target", stack.urn("ops"));
    // One at a time, in the order of the state: the resource that created it has its turn first.
    await stack.recordLast("ops");
    const { code, output } = await stack.change("destroy", "--parallel", "1");
    const isDeleted = stack.deletes.length > 0;

    expect(code).toBe(0);
    expect(stack.channelIds).toEqual(isDeleted ? [] : [id]);
    expect(/\bstays\b|is not deleted/.test(output)).toBe(!isDeleted);
  });

  if (!isPlugin) return;

  test("an import does not show a label that the program keeps secret", async () => {
    const label = "Hidden from everybody";
    const id = service.addChannel(DOMAIN, { label, type: "email" });
    const secretLabel = { ...ops, secret: ["label"], args: { ...ops.args, label } };
    stack.declare(stack.taking(secretLabel, "ops", id));
    const previewed = await stack.run("preview", "--diff");
    const json = await stack.run("preview", "--json");
    const { code, output } = await stack.up("--diff");

    expect(code).toBe(0);
    expect(previewed.output + json.output + output + stack.written()).not.toContain(label);
    expect(output).toContain(id);
  });
});
