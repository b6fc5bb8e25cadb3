/**
 * Both forms on a service whose answers contain secrets, pipeline commands and the engine's own
 * marks: the output and files of the `pulumi` command. test/provider/hostile.test.ts tries each
 * field with each text.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { PLUGIN_DIRECTORY } from "../plugin/support/plugin-process";
import { Cli } from "../support/cli";
import { realEngineAvailable } from "../support/engines";
import {
  commandsIn,
  everywhere,
  type HostileService,
  leaksIn,
  OWN,
  startHostile,
  TEXTS,
  TOKEN,
} from "../support/hostile";
import { JAVASCRIPT, Projects } from "../support/project";

const DOMAIN = "11111111-1111-4111-8111-111111111111";
const HIDDEN = "hidden-label-of-the-channel";

/**
 * The plugin's resources and functions get the same names as those of `pulumi-domain-monitoring`.
 */
const PROGRAM = `
  const pulumi = require("@pulumi/pulumi");
  const own = require("pulumi-domain-monitoring");
  const { FORM, LABEL, SECRET_LABEL } = process.env;
  const token = (name) => "domain-monitoring:index:" + name;
  const ofPlugin = (name) => class extends pulumi.CustomResource {
    constructor(id, args) { super(token(name), id, args); }
  };
  const [Channel, Domain] = ["NotificationChannel", "Domain"].map((name) => FORM === "plugin" ? ofPlugin(name) : own[name]);
  const invoke = (name, args) => FORM === "plugin" ? pulumi.runtime.invoke(token(name), args) : own[name](args);
  const label = SECRET_LABEL ? pulumi.secret(SECRET_LABEL) : LABEL;
  const id = "${DOMAIN}";
  new Channel("ops", { domainId: id, label, type: "slack", value: pulumi.secret("${OWN}"), lifecycle: "managed" });
  new Domain("shop", { domain: "shop.example", label: "Shop", description: "Text", deletionPolicy: "delete" });
  module.exports = async () => {
    await invoke("requireReviewedChanges", { id, since: "2020-01-01", kinds: ["whois", "dns"], mode: "warn" });
    const { changes } = await invoke("getDnsChanges", { domainId: id });
    const { channels } = await invoke("getNotificationChannels", { domainId: id });
    return { changes: changes.length, reasons: channels.map(({ disabledReason }) => disabledReason) };
  };`;

let emulator: Emulator;
let service: HostileService;
let cli: Cli;

async function start(form: string): Promise<void> {
  const dnsChanges = [
    { oldValue: [], newValue: [{ host: "@", value: "text", ttl: 300 }] },
    { newValue: "text" },
  ];

  const domains = [{ id: DOMAIN, domain: "example.com", whoisChanges: [{}], dnsChanges }];
  emulator = await startEmulator({
    token: TOKEN,
    lifecycle: "managed",
    domains,
  });

  service = await startHostile(emulator);
  const workDir = new Projects().add("index.js", { "index.js": PROGRAM });
  const plugins = JSON.stringify({
    providers: [{ name: "domain-monitoring", path: PLUGIN_DIRECTORY }],
  });

  const project = `name: test\nruntime: ${JAVASCRIPT}\nmain: index.js\nplugins: ${plugins}\n`;
  writeFileSync(path.join(workDir, "Pulumi.yaml"), project);
  cli = new Cli(workDir, {
    FORM: form,
    LABEL: "Ops on-call",
    DOMAIN_MONITORING_BASE_URL: service.url,
    DOMAIN_MONITORING_API_TOKEN: TOKEN,
    DOMAIN_MONITORING_MAX_RETRIES: "0",
  });

  await cli.run("stack", "init", "test");
}

const up = () => cli.run("up", "--yes", "--skip-preview");

(realEngineAvailable ? describe : describe.skip).each(["dynamic", "plugin"])(
  "the form %s, on the real engine",
  (form) => {
    beforeEach(() => start(form));
    afterEach(async () => {
      cli.close();
      await service.close();
      await emulator.close();
    });

    it("shows and records nothing that a hostile service says", async () => {
      const commands = ["label", "description", "field_changed", "change_summary", "issuer"];
      const said = {
        ...everywhere(TEXTS.commands, commands),
        ...everywhere(TEXTS.mark, ["new_value", "identifier", "colour", "latest_check_details"]),
        ...everywhere(TEXTS.secrets, ["type_human", "disabled_reason", "created_at_human"]),
      };

      service.say(said);
      const created = await up();
      const drift = await cli.run("preview", "--refresh", "--diff");
      const refreshed = await cli.run("refresh", "--yes");
      service.say({});
      const message = { message: TEXTS.secrets, errors: { [TEXTS.secrets]: [TEXTS.commands] } };
      for (const operation of ["deleteDomain", "deleteNotificationChannel"] as const)
        emulator.fault({
          operation,
          status: 409,
          body: message,
        });

      const refused = await cli.run("destroy", "--yes", "--skip-preview");

      expect(created.code).toBe(0);
      expect(drift.code).toBe(0);
      expect(refreshed.code).toBe(0);
      expect(refused.code).not.toBe(0);

      const printed = [created, drift, refreshed, refused].map(({ output }) => output).join("\n");

      expect(printed).toContain("# #vso[");
      expect(commandsIn(printed)).toEqual([]);
      expect(leaksIn(printed)).toEqual([]);
      expect(leaksIn(cli.written())).toEqual([]);
    });

    it("keeps a label sealed that was secret before an update of which nobody knows whether it was made", async () => {
      cli.set("SECRET_LABEL", HIDDEN);

      expect((await up()).code).toBe(0);

      cli.set("SECRET_LABEL", "");
      emulator.fault({
        operation: "updateNotificationChannel",
        status: 500,
        body: { message: `${HIDDEN} is busy` },
      });

      const lost = await up();

      expect(lost.code).not.toBe(0);
      expect(lost.output).toContain("may or may not be updated");

      const refreshed = await cli.run("refresh", "--yes");
      const mended = await up();

      expect(mended.code).toBe(0);
      expect(lost.output + refreshed.output + mended.output).not.toContain(HIDDEN);
      expect(cli.written()).not.toContain(HIDDEN);
      expect(emulator.channels()).toMatchObject([{ label: "Ops on-call" }]);
    });
  },
);
