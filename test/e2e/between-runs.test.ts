/**
 * Nothing is lost between two runs: another spelling of an id, another address, an import, or a
 * resource that has not had its turn deletes no channel. On the real engine, in both forms, counted
 * at the service. Within a run: keepers.test.ts.
 */
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import * as wire from "../client/support/wire";
import { DOMAIN, EMAIL } from "../provider/support/channels";
import { type Declared, DeclaredStack, FORMS } from "../support/declared-stack";
import { realEngineAvailable } from "../support/engines";

const DOMAINS = [{ id: DOMAIN, domain: "example.com" }];

const ops: Declared = {
  name: "ops",
  args: { domainId: DOMAIN, label: "On call", type: "email", value: EMAIL, lifecycle: "managed" },
};

/** The same resource under another name or with other inputs. */
function changed(one: Declared, name: string, args: object = {}): Declared {
  return { ...one, name, args: { ...one.args, ...args } };
}

(realEngineAvailable ? describe : describe.skip).each(FORMS)(
  "between two runs, with the %s",
  (form) => {
    const isPlugin = form === "plugin";
    let service: Emulator;
    let stack: DeclaredStack;

    beforeEach(async () => {
      service = await startEmulator({ lifecycle: "managed", domains: DOMAINS });
      stack = await DeclaredStack.open(form, service);
    });

    afterEach(async () => {
      stack.close();
      await service.close();
    });

    const deletes = () => service.requests.filter(({ method }) => method === "DELETE");
    const channelIds = () => service.channels().map(({ id }) => id);

    /** Deploys this resource; returns the id of its channel. */
    async function deployed(one: Declared): Promise<string> {
      await stack.deploy(one);
      const { [one.name]: id = "" } = await stack.recorded();

      return id;
    }

    /** A reference to the channel in place of its declaration. */
    function reference(id: string): Declared {
      const get = isPlugin ? `${DOMAIN}/${id}` : id.toUpperCase();
      return { name: "ops", get, args: { domainId: DOMAIN, lifecycle: "managed" } };
    }

    /** The resource under this name that takes the channel over instead of creating one. */
    function taking(one: Declared, name: string, id: string): Declared {
      if (!isPlugin) return changed(one, name, { adopt: id });
      return { ...one, name, options: { import: `${DOMAIN}/${id}` } };
    }

    test("a reference in place of the declaration keeps the channel", async () => {
      const id = await deployed(ops);
      stack.declare(reference(id));
      const { code, output } = await stack.up();

      expect(deletes()).toEqual([]);
      expect(channelIds()).toEqual([id]);
      expect(code).toBe(0);
      expect(output).toContain("is not deleted");
    });

    test("a declaration in place of a reference says in the preview how to take the channel over", async () => {
      const id = await deployed(ops);
      await stack.deploy(reference(id));
      stack.declare(ops);
      const { output } = await stack.run("preview");

      expect(output).toMatch(isPlugin ? `import to "${DOMAIN}/${id}"` : `adopt: "${id}"`);
    });

    test.each(["destroy", "up"])(
      "`%s --refresh` at a copy of the service deletes nothing there",
      async (command) => {
        const id = await deployed(ops);
        await using copy = await startEmulator({ lifecycle: "managed", domains: DOMAINS });
        copy.addChannel(DOMAIN, { id, label: "On call" });
        stack.use(copy);
        stack.declare();
        const { code, output } = await stack.run(
          command,
          "--yes",
          "--skip-preview",
          "--refresh",
          "--run-program",
        );

        expect(copy.requests.filter(({ method }) => method !== "GET")).toEqual([]);
        expect(copy.channels()).toHaveLength(1);
        expect(code).not.toBe(0);
        expect(output).toMatch(/another base address.*domain-monitoring:movedFrom/);
      },
    );

    test("a service that has moved is consented to by movedFrom, and recorded by the next refresh", async () => {
      const id = await deployed(ops);
      await using moved = await startEmulator({ lifecycle: "managed", domains: DOMAINS });
      moved.addChannel(DOMAIN, { id, label: "On call" });
      stack.use(moved);
      await stack.run("config", "set", "domain-monitoring:movedFrom", service.url);

      expect(await stack.run("refresh", "--yes", "--skip-preview", "--run-program")).toMatchObject({
        code: 0,
      });

      await stack.run("config", "rm", "domain-monitoring:movedFrom");
      await stack.deploy(changed(ops, "ops", { label: "Day shift" }));

      expect(moved.channels()).toMatchObject([{ id, label: "Day shift" }]);
    });

    test("an imported channel knows its address, so nothing is deleted at another one", async () => {
      const id = service.addChannel(DOMAIN, { label: "On call", type: "email" });
      await stack.deploy(taking(ops, "ops", id));
      await stack.deploy(ops);
      await using copy = await startEmulator({ lifecycle: "managed", domains: DOMAINS });
      copy.addChannel(DOMAIN, { id, label: "On call" });
      stack.use(copy);
      stack.declare();
      const { code } = await stack.up();

      expect(code).not.toBe(0);
      expect(copy.channels()).toHaveLength(1);
    });

    test("a create with an equal declaration leaves the channel to the resource that has it", async () => {
      const id = await deployed(ops);
      const { label, type, createdAt: created_at } = service.channels()[0] ?? {};
      service.fault({
        operation: "createNotificationChannel",
        status: 201,
        body: { data: wire.channel({ id, label, type, created_at }) },
      });
      await stack.deploy(ops, changed(ops, "twin"));
      await stack.run("destroy", "--yes", "--skip-preview", "--target", stack.urn("twin"));

      expect(deletes()).toEqual([]);
      expect(await stack.recorded()).toEqual({ ops: id });
    });

    test("a create that is answered with a channel of the list's second page does not own it", async () => {
      const id = service.addChannel(DOMAIN, { label: "On call", type: "email" });
      for (let index = 1; index < 20; index += 1)
        service.addChannel(DOMAIN, { label: `Other ${index}`, type: "email" });

      const { createdAt: created_at } = service.channels().find((one) => one.id === id) ?? {};
      service.fault({
        operation: "createNotificationChannel",
        status: 201,
        body: { data: wire.channel({ id, label: "On call", type: "email", created_at }) },
      });
      await stack.deploy(ops);
      await stack.deploy();

      expect(deletes()).toEqual([]);
      expect(service.channels()).toHaveLength(20);
    });

    test("the preview refuses to replace a channel first that another resource takes over", async () => {
      const first = { ...ops, options: { deleteBeforeReplace: true } };
      const id = await deployed(first);
      stack.declare(
        {
          ...changed(first, "ops", { type: "slack", value: "https://hooks.example/a" }),
          options: { deleteBeforeReplace: true },
        },
        taking(ops, "next", id),
      );
      const { code, output } = await stack.run("preview");

      expect(code).not.toBe(0);
      expect(output).toMatch(/"next"|is to be replaced/);
      expect(channelIds()).toEqual([id]);
    });

    test("two resources that declare one channel are refused by the preview", async () => {
      const id = await deployed(ops);
      stack.declare(ops, taking(ops, "next", id));
      const { code, output } = await stack.run("preview");

      expect(code).not.toBe(0);
      expect(output).toContain("remove one of the two");
    });

    if (!isPlugin) return;

    test("an import does not show a label that the program keeps secret", async () => {
      const label = "Hidden from everybody";
      const id = service.addChannel(DOMAIN, { label, type: "email" });
      const secretLabel = { ...ops, secret: ["label"], args: { ...ops.args, label } };
      stack.declare(taking(secretLabel, "ops", id));
      const previewed = await stack.run("preview", "--diff");
      const json = await stack.run("preview", "--json");
      const { code, output } = await stack.up("--diff");

      expect(code).toBe(0);
      expect(previewed.output + json.output + output + stack.written()).not.toContain(label);
      expect(output).toContain(id);
    });
  },
);
