/** A function with dependsOn waits for the resources, and for everything inside a component. */
import * as pulumi from "@pulumi/pulumi";
import { DomainAlerts, type DomainResult, getDomainOutput, NotificationChannel } from "../../src";
import { settingsFor } from "../support/account";
import { useEmulator } from "../support/emulator";
import { describeOnEngines } from "../support/engines";

const token = "token-to-keep-secret";
const email = "desk-to-keep-secret@example.com";

type Dependencies = pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource>;

function component(name: string, parent?: pulumi.Resource): pulumi.ComponentResource {
  return new pulumi.ComponentResource("test:index:Component", name, {}, { parent });
}

function channel(domain: string, parent?: pulumi.Resource): NotificationChannel {
  const args = { domainId: domain, label: "Desk", type: "email", value: email } as const;
  return new NotificationChannel(`desk of ${domain}`, args, { parent });
}

/** A component that makes its channel while it is constructed in the background. */
class Late extends pulumi.ComponentResource {
  constructor(private readonly domain: string) {
    super("test:index:Late", "late");
  }

  protected override async initialize(): Promise<void> {
    await Promise.resolve();
    channel(this.domain, this);
  }
}

function withChannel(domain: string): pulumi.ComponentResource {
  const outer = component(`outer of ${domain}`);
  channel(domain, component(`inner of ${domain}`, component(`middle of ${domain}`, outer)));
  return outer;
}

/** Possible dependencies of a function. Each makes one channel for the domain. */
const declarations: Record<string, (domain: string) => Dependencies> = {
  "a channel": (domain) => [channel(domain)],
  "a component": withChannel,
  "the output of a component": (domain) => pulumi.output([withChannel(domain)]),
  "the promise of a component": (domain) => [Promise.resolve(withChannel(domain))],
  "a component that is constructed in the background": (domain) => [new Late(domain)],
};

/** Ways to wait for a channel. */
const asking: Record<string, (domain: string) => pulumi.Output<DomainResult>> = {
  ...Object.fromEntries(
    Object.entries(declarations).map(([what, declare]) => [
      what,
      (domain: string) => getDomainOutput({ id: domain }, { dependsOn: declare(domain) }),
    ]),
  ),
  // The preview already knows it, because it is an input.
  "a channel that an argument comes from": (domain) =>
    getDomainOutput({ id: channel(domain).domainId }),
  "a channel that a component around it depends on": (domain) =>
    new DomainAlerts("alerts", { domainId: domain, channels: {} }, { dependsOn: channel(domain) })
      .domain,
};

/** Ways that have no channel to wait for. */
const empty: Record<string, (domain: string) => pulumi.Output<DomainResult>> = {
  "a component without resources": (domain) =>
    getDomainOutput({ id: domain }, { dependsOn: component("empty") }),
  "a component whose channel is only referred to": (domain) => {
    const outer = component("referring");
    NotificationChannel.get("known", "known-id", { domainId: domain }, { parent: outer });
    return getDomainOutput({ id: domain }, { dependsOn: [outer] });
  },
};

/** One domain for each of them. */
const domains = Object.keys({ ...asking, ...empty }).map((what) => ({
  id: what.replaceAll(" ", "-"),
  what,
}));

describeOnEngines("a function that depends on resources", (create) => {
  const service = useEmulator({ token, domains: domains.map(({ id }) => ({ id })) });

  /** Methods of the requests about a domain so far, in order. */
  const methods = (id: string) =>
    service.requests
      .filter(({ path }) => path.split(/[/?]/).includes(id))
      .map(({ method }) => method);

  it("sends its requests only after the resources that it depends on", async () => {
    const stack = await create({
      program: () =>
        Object.fromEntries(
          domains.map(({ id, what }) => [id, { ...asking, ...empty }[what]?.(id).domain]),
        ),
      ...settingsFor(service),
      keepsSecret: [email],
    });
    const requests = () => Object.fromEntries(domains.map(({ id, what }) => [what, methods(id)]));
    const expected = (waiting: string[], others: string[]) =>
      Object.fromEntries(domains.map(({ what }) => [what, what in asking ? waiting : others]));

    expect(await stack.preview()).toMatchObject({
      failed: false,
      changes: { create: expect.any(Number) },
    });
    expect(requests()).toEqual(expected([], ["GET"]));

    const { failed, outputs } = await stack.up();
    expect(failed).toBe(false);
    expect(outputs).toMatchObject(
      Object.fromEntries(domains.map(({ id }) => [id, { secret: false }])),
    );
    expect(requests()).toEqual(expected(["POST", "GET"], ["GET", "GET"]));
    expect(await stack.preview()).toMatchObject({ failed: false });
    expect(requests()).toEqual(expected(["POST", "GET", "GET"], ["GET", "GET", "GET"]));
  });
});
