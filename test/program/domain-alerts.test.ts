/** What a DomainAlerts declares, looks up and judges, and the options of its channels. */
import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";
import { DomainMonitoringError, NotificationChannel, Provider } from "../../src";
import {
  type ChannelSpec,
  DomainAlerts,
  type DomainAlertsArgs,
} from "../../src/program/domain-alerts";
import { useEmulator } from "../support/emulator";
import { failureOf } from "../support/failure";
import { beginRun, configureFor, idle, knownValue, type Registered } from "./support/in-process";

const domainId = "44444444-4444-4444-8444-444444444444";
const slack: ChannelSpec = { label: "Ops on-call", type: "slack", value: null };
const mail: ChannelSpec = { label: "Registrar desk", type: "email", value: "desk@example.com" };

describe("a DomainAlerts", () => {
  let registered: Registered[];
  let warnings: jest.SpyInstance;

  const service = useEmulator({
    domains: [{ id: domainId, domain: "example.dev", expiresAt: "2999-12-31" }],
  });

  beforeEach(async () => {
    registered = await beginRun({ preview: false });
    configureFor(service);
    warnings = jest.spyOn(pulumi.log, "warn").mockResolvedValue();
  });

  afterEach(async () => {
    await idle();
    warnings.mockRestore();
  });

  /** The error of a component with these arguments, which registers nothing. */
  async function refusalOf(args: Partial<DomainAlertsArgs>): Promise<Error> {
    const before = [...registered];
    const all = { domainId, channels: { ops: slack }, ...args };
    const error = await failureOf((async () => new DomainAlerts("website", all))());
    await idle();
    expect(registered).toEqual(before);

    return error;
  }

  it("declares its channels as children with stable names, for its domain", async () => {
    const alerts = new DomainAlerts("website", { domainId, channels: { ops: slack, desk: mail } });
    await idle();
    const [component, ...channels] = registered;

    const type = "domain-monitoring:index:DomainAlerts";
    expect(component).toMatchObject({ name: "website", type });
    expect(channels.map(({ name }) => name)).toEqual(["website-ops", "website-desk"]);
    expect(channels.map(({ inputs }) => inputs.domainId)).toEqual([domainId, domainId]);
    expect(await knownValue(pulumi.output(alerts.channels.ops?.urn))).toBe(
      "urn:pulumi:stack::project::domain-monitoring:index:DomainAlerts$pulumi-nodejs:dynamic/domain-monitoring:NotificationChannel::website-ops",
    );
    expect(NotificationChannel.isInstance(alerts.channels.desk)).toBe(true);
    expect(DomainAlerts.isInstance(alerts)).toBe(true);
    expect(DomainAlerts.isInstance(alerts.channels.ops)).toBe(false);
  });

  it.each([
    ["channels", pulumi.secret({ ops: slack })],
    ["channels", Promise.resolve({ ops: slack })],
    ['channel "ops"', { ops: pulumi.secret(slack) }],
  ])("refuses %s as a secret, an output or a promise with one line", async (what, channels) => {
    const error = await refusalOf({ channels: channels as unknown as Record<string, ChannelSpec> });
    expect(error.message).toBe(
      `${what} of a DomainAlerts is an output, a secret or a promise: write the object itself in the program; its inputs may be such values`,
    );
  });

  it("judges no rule that is undefined once it is known", async () => {
    const expiry = pulumi.output(undefined);
    const alerts = new DomainAlerts("website", { domainId, channels: { ops: slack }, expiry });
    expect(await knownValue(alerts.expiresAt)).toBe("2999-12-31");
    expect(warnings).not.toHaveBeenCalled();
  });

  it("refuses a rule that makes no sense with one line, before anything is registered", async () => {
    const error = await refusalOf({ expiry: { minimumDays: -1, mode: "ignore" as "warn" } });
    expect(error).toBeInstanceOf(DomainMonitoringError);
    expect(error.message).toContain("minimumDays is not a whole number");
    expect(error.message).toContain("mode is not a valid reaction");
    expect(error.stack).toBe(error.message);
  });

  it("refuses a name in place of the id by the argument's own name, before anything is registered", async () => {
    const error = await refusalOf({ domainId: "example.dev" });
    expect(error).toBeInstanceOf(DomainMonitoringError);
    expect(error.message).toMatch(/^domainId .*example\.dev/);
  });

  it("evaluates a rule of outputs when it is known, and warns about the component", async () => {
    const gone = service.addDomain({ domain: "gone.example", expiresAt: "2001-02-03" });
    const late = { minimumDays: pulumi.output(30), mode: Promise.resolve("warn" as const) };
    const rules = [
      late,
      pulumi.output({ minimumDays: 30, mode: "warn" as const }),
      Promise.resolve(late),
    ];

    for (const [index, expiry] of rules.entries()) {
      const alerts = new DomainAlerts(`gone-${index}`, { domainId: gone, channels: {}, expiry });
      expect(await knownValue(alerts.expiresAt)).toBe("2001-02-03");
      expect(warnings).toHaveBeenCalledTimes(index + 1);
      expect(warnings).toHaveBeenLastCalledWith(
        expect.stringMatching(/^gone\.example expired on 2001-02-03/),
        alerts,
      );
    }
  });

  describe("with options for a channel", () => {
    it("creates the channel in the account of a provider among them, and looks the domain up in its own", async () => {
      const baseUrl = "https://other.example";
      const provider = new Provider("other", { baseUrl, apiToken: "other" });

      const { domain } = new DomainAlerts("website", {
        domainId,
        channels: { ops: { ...slack, opts: { provider } }, desk: mail },
      });

      expect((await knownValue(domain)).domain).toBe("example.dev");

      await idle();
      const used = Object.fromEntries(registered.map(({ name, provider: of }) => [name, of]));
      expect(used["website-ops"]).toContain("::other::other-id");
      expect(used["website-desk"]).toBe("");
    });

    it("refuses another parent among them with one line, before anything is registered", async () => {
      const parent = new random.RandomPet("pet");
      await idle();
      const ops = { ...slack, opts: { parent } };
      const error = await refusalOf({ channels: { desk: mail, ops } });
      expect(error.message).toBe(
        'channel "ops" of a DomainAlerts has a parent in its opts: remove it, because the component is its parent',
      );
      expect(error.stack).toBe(error.message);
      expect(registered.map(({ name }) => name)).toEqual(["pet"]);
    });
  });
});
