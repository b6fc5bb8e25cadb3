/**
 * No delete removes an object that another resource of the same run keeps: on the real engine, in
 * both forms, counted at the service. Imports under a second name: test/plugin/keepers.test.ts.
 */
import {
  type Emulator,
  type FaultRule,
  startEmulator,
} from "../../packages/domain-monitoring-emulator/src";
import { DOMAIN, EMAIL } from "../provider/support/channels";
import { type Declared, DeclaredStack, FORMS } from "../support/declared-stack";
import { realEngineAvailable } from "../support/engines";

const ops: Declared = {
  name: "ops",
  args: { domainId: DOMAIN, label: "On call", type: "email", value: EMAIL, lifecycle: "managed" },
};

const shop: Declared = {
  name: "shop",
  type: "Domain",
  args: { domain: "shop.example", label: "Shop", deletionPolicy: "delete" },
};

/** The same resource under another name or with other inputs. */
function changed(one: Declared, name: string, args: object = {}): Declared {
  return { ...one, name, args: { ...one.args, ...args } };
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
    const shops = () => service.domains().filter(({ id }) => id !== DOMAIN);

    /** What the line about a delete that is not sent says. */
    const keptFor = (name: string) =>
      isPlugin
        ? new RegExp(`is not deleted.*(resource "${name}"|its replacement)`)
        : /is not deleted.*another resource of this run/;

    /** The resource under this name that takes an object over instead of creating one. */
    function taking(one: Declared, name: string, id: string): Declared {
      const isDomain = one.type === "Domain";
      if (!isPlugin) return changed(one, name, { adopt: isDomain || id });
      return { ...one, name, options: { import: isDomain ? id : `${DOMAIN}/${id}` } };
    }

    /** Deploys this resource; returns the id of its object. */
    async function deployed(one: Declared): Promise<string> {
      await stack.deploy(one);
      const { [one.name]: id = "" } = await stack.recorded();

      return id;
    }

    test.each<[what: string, one: Declared, fault: FaultRule]>(
      isPlugin
        ? [
            ["of a channel is not read", ops, { operation: "getNotificationChannel", status: 500 }],
            ["of a domain is not read", shop, { operation: "getDomain", status: 500 }],
          ]
        : [
            ["of a channel is not read", ops, { operation: "getNotificationChannel", status: 500 }],
            [
              "of a channel is refused",
              ops,
              { operation: "updateNotificationChannel", status: 422 },
            ],
            [
              "of a channel is lost",
              ops,
              { operation: "updateNotificationChannel", reset: "after" },
            ],
            ["of a domain is not read", shop, { operation: "listDomains", status: 500 }],
            ["of a domain is refused", shop, { operation: "updateDomain", status: 422 }],
            ["of a domain is lost", shop, { operation: "updateDomain", reset: "after" }],
          ],
    )("a takeover that fails keeps its object: one that %s", async (_what, one, fault) => {
      const id = await deployed(one);
      const next = taking(changed(one, one.name, { label: "Next" }), "next", id);
      service.fault(fault);
      stack.declare(next);
      const { code, output } = await stack.up("--continue-on-error");

      expect(deletes()).toEqual([]);
      expect(code).not.toBe(0);
      expect(output).toMatch(keptFor("next"));

      // Nothing is left to do but the takeover itself.
      await stack.deploy(next);

      expect(await stack.recorded()).toEqual({ next: id });
      expect([...channelIds(), ...shops().map((domain) => domain.id)]).toEqual([id]);
    });

    test.each([ops, shop])(
      "a channel that was taken over by --target, and is the stack's own since, is not deleted with the old $name",
      async (one) => {
        const id = await deployed(one);
        const target = ["--target", stack.urn("next", one.type)];
        stack.declare(taking(one, "next", id));

        expect(await stack.up(...target)).toMatchObject({ code: 0 });

        stack.declare(changed(one, "next"));

        expect(await stack.up(...target)).toMatchObject({ code: 0 });
        expect(await stack.recorded()).toEqual({ [one.name]: id, next: id });

        const { code, output } = await stack.up();

        expect(deletes()).toEqual([]);
        expect(output).toMatch(keptFor("next"));
        expect(code).toBe(0);
        expect(await stack.recorded()).toEqual({ next: id });

        // The other resource owns it since.
        await stack.deploy();

        expect(deletes()).toHaveLength(1);
      },
    );

    test("a lookup does not keep a domain that leaves the program", async () => {
      const id = await deployed(shop);
      stack.declare({ name: "other", type: "Domain", get: id });
      const { code, output } = await stack.up();

      expect(code).toBe(0);
      expect(shops()).toEqual([]);
      expect(output).not.toContain("adopt");
    });

    test("two equal channels never get one id, although the first is created in part", async () => {
      const first = "99999999-9999-4999-8999-999999999999";
      service.fault({
        operation: "createNotificationChannel",
        status: 201,
        body: { data: { id: first } },
      });
      stack.declare(ops, changed(ops, "twin"));
      const { code, output } = await stack.up("--continue-on-error", "--parallel", "1");

      expect(code).not.toBe(0);
      expect(output).toContain(`id ${first}) was created, but the rest`);

      const ids = Object.values(await stack.recorded());

      expect(ids).toContain(first);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toHaveLength(isPlugin ? 2 : 1);
    });
  },
);
