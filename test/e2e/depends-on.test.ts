/** A function that is told to wait for resources: it asks once they are there, and with a component all that is inside. */
import * as pulumi from "@pulumi/pulumi";
import { DomainAlerts, type DomainResult, getDomainOutput, NotificationChannel } from "../../src";
import { type Emulator, startEmulator } from "../../src/testing";
import { describeOnEngines } from "../support/engines";

const domainId = "11111111-1111-4111-8111-111111111111";
const token = "token-to-keep-secret";
const email = "desk-to-keep-secret@example.com";

type Dependencies = pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource>;

function component(name: string, parent?: pulumi.Resource): pulumi.ComponentResource {
  return new pulumi.ComponentResource("test:index:Component", name, {}, { parent });
}

function channel(parent?: pulumi.Resource): NotificationChannel {
  return new NotificationChannel(
    "desk",
    { domainId, label: "Desk", type: "email", value: email },
    { parent },
  );
}

/** A component that makes its channel while it is constructed in the background. */
class Late extends pulumi.ComponentResource {
  constructor() {
    super("test:index:Late", "late");
  }

  protected override async initialize(): Promise<void> {
    await Promise.resolve();
    channel(this);
  }
}

function withChannel(outer = component("outer")): pulumi.ComponentResource {
  channel(component("inner", component("middle", outer)));
  return outer;
}

const declarations: [string, () => Dependencies][] = [
  ["a channel", () => [channel()]],
  [
    "a component",
    () => {
      const outer = component("outer");
      channel(outer);
      return outer;
    },
  ],
  ["a component within components", () => [withChannel()]],
  ["the output of a component", () => pulumi.output([withChannel()])],
  ["the promise of a component", () => [Promise.resolve(withChannel())]],
  ["a component that is constructed in the background", () => [new Late()]],
];

describeOnEngines("a function that depends on resources", (create) => {
  let service: Emulator;

  beforeEach(async () => {
    service = await startEmulator({ token });
  });
  afterEach(async () => {
    await service.close();
  });

  function stackOf(ask: () => pulumi.Output<DomainResult>) {
    return create({
      program: () => ({ name: ask().domain }),
      config: { "domain-monitoring:baseUrl": service.url },
      secrets: { "domain-monitoring:apiToken": token },
      keepsSecret: [email],
    });
  }

  /** Methods of the requests so far, in the order in which they came. */
  const methods = () => service.requests.map(({ method }) => method);

  const asking: [string, () => pulumi.Output<DomainResult>][] = declarations.map(([what, declare]) => [
    what,
    () => getDomainOutput({ id: domainId }, { dependsOn: declare() }),
  ]);
  // Known in the preview already, as it is an input.
  asking.push(["a channel that an argument comes from", () => getDomainOutput({ id: channel().domainId })]);
  asking.push([
    "a channel that a component around it depends on",
    () => new DomainAlerts("alerts", { domainId, channels: {} }, { dependsOn: channel() }).domain,
  ]);

  it.each(asking)(
    "asks nothing in a preview while what it waits for is to be created, and then after it: %s",
    async (_what, ask) => {
      const stack = await stackOf(ask);
      expect(await stack.preview()).toMatchObject({ failed: false, changes: { create: expect.any(Number) } });
      expect(methods()).toEqual([]);
      const up = await stack.up();
      expect(up).toMatchObject({ failed: false, outputs: { name: { secret: false } } });
      expect(methods()).toEqual(["POST", "GET"]);
      expect(await stack.preview()).toMatchObject({ failed: false });
      expect(methods()).toEqual(["POST", "GET", "GET"]);
    },
  );

  it("waits for nothing in a component without resources, or for a channel that is only referred to", async () => {
    const stack = await stackOf(() => {
      const outer = component("outer");
      NotificationChannel.get("known", "known-id", { domainId }, { parent: outer });
      return getDomainOutput({ id: domainId }, { dependsOn: [outer, component("empty")] });
    });
    expect(await stack.preview()).toMatchObject({ failed: false });
    expect(await stack.up()).toMatchObject({ failed: false });
    expect(methods()).toEqual(["GET", "GET"]);
  });
});
