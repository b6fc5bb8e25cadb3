/**
 * Imports of the plugin, on the real engine: one object under two names is deleted under neither.
 * What both forms have in common is tested in test/e2e/keepers.test.ts.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { DOMAIN, EMAIL } from "../provider/support/channels";
import { type Declared, DeclaredStack } from "../support/declared-stack";
import { realEngineAvailable } from "../support/engines";
import { temporaryDirectory } from "../support/temporary";

const channel = { label: "On call", type: "email", value: EMAIL };

const ops: Declared = {
  name: "ops",
  args: { domainId: DOMAIN, lifecycle: "managed", ...channel },
};

const shop: Declared = {
  name: "shop",
  type: "Domain",
  args: { domain: "shop.example", label: "Shop", deletionPolicy: "delete" },
};

(realEngineAvailable ? describe : describe.skip)(
  "an object under two names, on the real engine",
  () => {
    let service: Emulator;
    let stack: DeclaredStack;

    /** The ids to import by. */
    let ids: { ops: string; shop: string };

    beforeEach(async () => {
      const domains = [{ id: DOMAIN, domain: "example.com" }];
      service = await startEmulator({ lifecycle: "managed", domains });
      stack = await DeclaredStack.open("plugin", service);
      await stack.deploy(ops, shop);
      const { ops: channelId, shop: domainId = "" } = await stack.recorded();
      ids = { ops: `${DOMAIN}/${channelId}`, shop: domainId };
    });

    afterEach(async () => {
      stack.close();
      await service.close();
    });

    /** Both resources under other names, which import their objects. */
    const imported = (): Declared[] => [
      { ...ops, name: "mail", options: { import: ids.ops } },
      { ...shop, name: "store", options: { import: ids.shop } },
    ];

    function expectBothKept(output: string, by: [channel: string, domain: string]): void {
      expect(service.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
      expect(service.channels()).toHaveLength(1);
      expect(service.domains()).toHaveLength(2);

      for (const name of by)
        expect(output).toMatch(new RegExp(`is not deleted.*resource "${name}"`));
    }

    async function importFile(): Promise<void> {
      const resources = imported().map(({ name, type, options }) => ({
        type: stack.token(type),
        name,
        id: options?.import,
      }));

      const file = path.join(temporaryDirectory(), "import.json");
      writeFileSync(file, JSON.stringify({ resources }));
      const options = ["--yes", "--skip-preview", "--protect=false", "--generate-code=false"];

      expect(await stack.run("import", "--file", file, ...options)).toMatchObject({ code: 0 });
    }

    test("through an import file stays when the unchanged program removes the second name", async () => {
      await importFile();
      const { code, output } = await stack.up();

      expectBothKept(output, ["ops", "shop"]);
      expect(code).toBe(0);
      expect(Object.keys(await stack.recorded()).sort()).toEqual(["ops", "shop"]);
    });

    test("is named by the preview and by the update, and stays when the first name is removed", async () => {
      await importFile();
      const renamed = imported().map(({ options: _, ...declared }) => declared);
      stack.declare(ops, shop, ...renamed);
      for (const { output } of [await stack.run("preview"), await stack.up()])
        for (const name of ["(ops|mail)", "(shop|store)"])
          expect(output).toMatch(
            new RegExp(
              `resource "${name}".*remove one of the two|remove one of the two.*"${name}"`,
            ),
          );

      stack.declare(...renamed);
      const { code, output } = await stack.up();

      expectBothKept(output, ["mail", "store"]);
      expect(code).toBe(0);

      // The last name owns it.
      await stack.deploy();

      expect(service.channels()).toEqual([]);
      expect(service.domains()).toHaveLength(1);
    });

    test("through a rename with the option import stays in the same update", async () => {
      stack.declare(...imported());
      const { code, output } = await stack.up();

      expectBothKept(output, ["mail", "store"]);
      expect(code).toBe(0);
      expect(Object.keys(await stack.recorded()).sort()).toEqual(["mail", "store"]);
    });

    test("a channel that moves into DomainAlerts stays, and belongs to the component from then on", async () => {
      const channels = { ops: { ...channel, lifecycle: "managed", opts: { import: ids.ops } } };
      const args = { domainId: DOMAIN, channels };
      stack.declare(shop, { name: "alerts", type: "DomainAlerts", args });
      const { code, output } = await stack.up();

      expect(code).toBe(0);
      expect(service.channels()).toHaveLength(1);
      expect(output).toMatch(/is not deleted.*resource "alerts-ops"/);

      await stack.deploy(shop);

      expect(service.channels()).toEqual([]);
    });
  },
);
