/** A DomainAlerts from its preview to its removal. Failing ones: requirements.test.ts. */
import * as pulumi from "@pulumi/pulumi";
import { startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { NotificationChannel, Provider } from "../../src";
import { DomainAlerts, type DomainAlertsArgs } from "../../src/program/domain-alerts";
import { settingsFor } from "../support/account";
import { useEmulator } from "../support/emulator";
import { describeOnEngines, messagesOf } from "../support/engines";

const domainId = "44444444-4444-4444-8444-444444444444";
const token = "token-to-keep-secret";
const address = "destination-to-keep-secret@example.com";
const hook = "https://hooks.example.com/services/destination-to-keep-secret";
const ops = { label: "Ops on-call", type: "slack", value: hook } as const;
const desk = { label: "Registrar desk", type: "email", value: address } as const;

describeOnEngines("the life of a DomainAlerts", (create, engine) => {
  const domain = { id: domainId, domain: "example.dev", expiresAt: "2999-12-31" };
  const service = useEmulator({ token, lifecycle: "managed", domains: [domain] });

  function stackOf(program: () => unknown) {
    return create({ program, ...settingsFor(service), keepsSecret: [address, hook] });
  }

  function alerts(args: Partial<DomainAlertsArgs> = {}, opts?: pulumi.ComponentResourceOptions) {
    return new DomainAlerts("website", { domainId, channels: { ops, desk }, ...args }, opts);
  }

  it("is previewed for an unknown domain, and not changed by another dependency", async () => {
    const expiry = { minimumDays: 30 };
    // Stands for a resource that makes the domain: known after the channel has been created.
    const site = () => new NotificationChannel("site", { ...desk, label: "Site", domainId });
    const stack = await stackOf(() => {
      const id = site().channelId.apply(() => domainId);
      const { expiresAt, channelIds, domain } = alerts({ domainId: id, expiry });
      return { expiresAt, channelIds, name: domain.domain };
    });

    expect(await stack.preview()).toMatchObject({ failed: false, changes: { create: 4 } });
    expect(service.requests).toEqual([]);

    const up = await stack.up();
    expect(up).toMatchObject({ failed: false, changes: { create: 4 } });

    const ids = Object.fromEntries(service.channels(domainId).map(({ id, label }) => [label, id]));
    expect(up.outputs).toEqual({
      expiresAt: { value: "2999-12-31", secret: false },
      name: { value: "example.dev", secret: false },
      channelIds: { value: { ops: ids[ops.label], desk: ids[desk.label] }, secret: false },
    });

    // On the offline engine: test/e2e/life.test.ts.
    if (engine === "real") expect((await stack.refresh()).failed).toBe(false);
    const before = service.requests.length;

    stack.change(() => {
      const first = new NotificationChannel("first", { ...desk, label: "First", domainId });
      const later = { minimumDays: first.channelId.apply(() => 30) };
      alerts({ expiry: later }, { dependsOn: [first, site()] });
    });

    const preview = await stack.preview();
    expect(preview).toMatchObject({ failed: false, changes: { create: 1, same: 4 } });
    expect(messagesOf(preview, "warning")).toEqual([]);
    expect(service.requests).toHaveLength(before);
    expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 1, same: 4 } });
    expect(service.requests.slice(before).map(({ method }) => method)).toEqual(["POST", "GET"]);
  });

  it("takes in channels of the stack and renames them, without a create", async () => {
    const stack = await stackOf(() => {
      new NotificationChannel("old-ops", { ...ops, domainId });
      new NotificationChannel("desk", { ...desk, domainId });
    });

    expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 2 } });

    const top = pulumi.rootStackResource;
    stack.change(() =>
      alerts({
        channels: {
          ops: { ...ops, opts: { aliases: [{ name: "old-ops", parent: top }] } },
          desk: { ...desk, opts: { aliases: [{ name: "desk", parent: top }] } },
        },
      }),
    );

    expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 1, same: 2 } });

    stack.change(() => {
      const onCall = { ...ops, opts: { aliases: [{ name: "website-ops" }] } };
      const args = { domainId, channels: { onCall, desk } };
      return new DomainAlerts("site", args, { aliases: [{ name: "website" }] });
    });

    expect(await stack.up()).toMatchObject({ failed: false, changes: { same: 3 } });
    expect(service.channels()).toHaveLength(2);
  });

  it("inherits provider, name and options from a user's component", async () => {
    await using other = await startEmulator({
      token: "other-token-to-keep-secret",
      domains: [{ id: domainId, domain: "other.example" }],
    });

    class Team extends pulumi.ComponentResource {
      readonly domainName: pulumi.Output<string>;

      constructor(name: string, label: string, opts: pulumi.ComponentResourceOptions) {
        super("test:index:Team", name, {}, opts);
        const site = new pulumi.ComponentResource("test:index:Site", "site", {}, { parent: this });
        const kept = { protect: true, ignoreChanges: ["label"] };
        const channels = { ops: { ...ops, label, opts: kept }, desk };
        this.domainName = alerts({ channels }, { parent: site }).domain.domain;
      }
    }

    const team = (name: string, label: string, aliases: pulumi.Alias[] = []) => {
      const provider = new Provider("other", { baseUrl: other.url, apiToken: other.token });
      const providers = { "pulumi-nodejs": provider };
      const { domainName } = new Team(name, label, { aliases, providers });

      return { domainName };
    };

    const stack = await stackOf(() => team("team", ops.label));
    expect(await stack.up()).toMatchObject({
      failed: false,
      changes: { create: 6 },
      outputs: { domainName: { value: "other.example" } },
    });

    stack.change(() => team("crew", "Another label", [{ name: "team" }]));
    expect(await stack.up()).toMatchObject({ failed: false, changes: { same: 6 } });

    const refused = await stack.destroy();
    expect(refused.failed).toBe(true);
    expect(messagesOf(refused, "error").join()).toMatch(
      /website-ops" cannot be deleted\s+because it is protected/,
    );
    expect(other.channels()).toHaveLength(2);
    expect(service.requests).toEqual([]);
    expect(stack.written()).not.toContain(other.token);
  });

  it("records its domain, and has ids that are known in the preview of an update", async () => {
    let dependent = 0;
    const declare = (label: string) => () => {
      const { channelIds } = alerts({ channels: { ops: { ...ops, label, lifecycle: "managed" } } });
      channelIds.apply(() => dependent++);
    };

    const stack = await stackOf(declare(ops.label));
    expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 2 } });
    // Policies and other programs read them from there.
    expect((await stack.state()).find(({ urn }) => urn.includes("DomainAlerts::"))).toMatchObject({
      outputs: { domainId, domainName: expect.any(String), expiresAt: expect.any(String) },
    });

    stack.change(declare("Ops by day"));
    dependent = 0;
    expect(await stack.preview()).toMatchObject({ failed: false, changes: { update: 1, same: 1 } });
    // So nothing that depends on them seems to change.
    expect(dependent).toBe(1);
  });
});
