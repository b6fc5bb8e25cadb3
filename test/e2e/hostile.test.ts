/**
 * Both forms on a service whose answers contain secrets, pipeline commands and the engine's own
 * marks: what an engine shows and writes. test/provider/hostile.test.ts tries each field with each
 * text.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { PLUGIN_DIRECTORY } from "../plugin/support/plugin-process";
import { useEmulator } from "../support/emulator";
import {
  type Create,
  describeOnEngines,
  describeOnRealEngine,
  type EngineStack,
  messagesOf,
} from "../support/engines";
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
import { Projects } from "../support/project";

const DOMAIN = "11111111-1111-4111-8111-111111111111";
const HIDDEN = "hidden-label-of-the-channel";

const npm = `
  const pulumi = require("@pulumi/pulumi");
  const { Domain, NotificationChannel: Channel, ...functions } = require("pulumi-domain-monitoring");
  const invoke = (name, args) => functions[name](args);`;

const plugin = `
  const pulumi = require("@pulumi/pulumi");
  const token = (name) => "domain-monitoring:index:" + name;
  const [Channel, Domain] = ["NotificationChannel", "Domain"].map((name) => class extends pulumi.CustomResource {
    constructor(id, args) { super(token(name), id, args); }
  });
  const invoke = (name, args) => pulumi.runtime.invoke(token(name), args);`;

/** A program with this expression as the label of its channel. */
const programOf = (form: string, label = '"Ops on-call"') => `${form}
  const id = "${DOMAIN}";
  new Channel("ops", { domainId: id, label: ${label}, type: "slack", value: pulumi.secret("${OWN}"), lifecycle: "managed" });
  new Domain("shop", { domain: "shop.example", label: "Shop", description: "Text" });
  module.exports = async () => {
    await invoke("requireDomainExpiry", { id, minimumDays: 1, mode: "warn" });
    const { changes } = await invoke("getDnsChanges", { domainId: id });
    return { changes: changes.length };
  };`;

describeOnEngines("the npm form", (create) => scenarios(create, npm));
describeOnRealEngine("the plugin", (create) => scenarios(create, plugin, PLUGIN_DIRECTORY));

function scenarios(create: Create, form: string, directory?: string): void {
  const dnsChanges = [
    { oldValue: [], newValue: [{ host: "@", value: "text", ttl: 300 }] },
    { newValue: "text" },
  ];
  const domains = [{ id: DOMAIN, domain: "example.com", whoisChanges: [{}], dnsChanges }];
  const emulator = useEmulator({ token: TOKEN, lifecycle: "managed", domains });
  let service: HostileService;
  let workDir: string;
  let stack: EngineStack;

  beforeEach(async () => {
    service = await startHostile(emulator);
    workDir = new Projects().add("index.js", { "index.js": programOf(form) }, directory);
    stack = await create({
      workDir,
      config: { "domain-monitoring:baseUrl": service.url, "domain-monitoring:maxRetries": "0" },
      secrets: { "domain-monitoring:apiToken": TOKEN },
      keepsSecret: [OWN, HIDDEN],
    });
  });

  afterEach(() => service.close());

  it("shows and records nothing that a hostile service says", async () => {
    const texts = {
      ...everywhere(TEXTS.commands, ["description", "field_changed", "expires_at", "issuer"]),
      ...everywhere(TEXTS.mark, ["new_value", "identifier", "colour", "latest_check_details"]),
      ...everywhere(`${TEXTS.secrets} and ${OWN}`, ["type_human", "disabled_reason"]),
    };

    service.say(texts);
    const created = await stack.up();
    // With another label than the declared one, the channel would not be the stack's own.
    service.say({ ...texts, ...everywhere(TEXTS.commands, ["label"]) });
    const refreshed = await stack.refresh();
    service.say({});
    const body = { message: TEXTS.secrets, errors: { [TEXTS.secrets]: [TEXTS.commands] } };
    emulator.fault({ operation: "deleteNotificationChannel", status: 409, body });

    const refused = await stack.destroy();
    expect(created.failed).toBe(false);
    expect(refreshed.failed).toBe(false);
    expect(refused.failed).toBe(true);

    const shown = [created, refreshed, refused].flatMap((outcome) => messagesOf(outcome));
    expect(shown.join("\n")).toContain("# #vso[");
    expect(commandsIn(shown.join("\n"))).toEqual([]);
    expect(leaksIn(shown.join("\n"))).toEqual([]);
    expect(leaksIn(stack.written())).toEqual([]);
  });

  it("keeps a label sealed that was secret before an update of which nobody knows whether it was made", async () => {
    const declare = (label?: string) =>
      writeFileSync(path.join(workDir, "index.js"), programOf(form, label));

    declare(`pulumi.secret("${HIDDEN}")`);
    expect((await stack.up()).failed).toBe(false);

    declare();
    emulator.fault({
      operation: "updateNotificationChannel",
      status: 500,
      body: { message: `${HIDDEN} is busy` },
    });

    const lost = await stack.up();
    expect(lost.failed).toBe(true);
    expect(messagesOf(lost, "error").join("\n")).toContain("PATCH ");
    expect(await stack.refresh()).toMatchObject({ failed: false });
    expect(await stack.up()).toMatchObject({ failed: false });
    expect(emulator.channels()).toMatchObject([{ label: "Ops on-call" }]);
  });
}
