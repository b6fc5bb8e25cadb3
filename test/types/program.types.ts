/**
 * Functions, providers and components that the compiler accepts or refuses. See
 * notification-channel.types.ts.
 */
import type * as pulumi from "@pulumi/pulumi";
import type * as random from "@pulumi/random";
import {
  type ChannelSpec,
  DomainAlerts,
  type ExpiryRule,
  type FunctionOptions,
  getDnsChangesOutput,
  getDomain,
  getDomainOutput,
  getDomainsOutput,
  type OutputFunctionOptions,
  type Provider,
  requireDomainExpiryOutput,
} from "../../src";

declare const later: {
  text: pulumi.Output<string>;
  days: pulumi.Output<number>;
  rule: pulumi.Output<ExpiryRule>;
  mode: Promise<"warn">;
};

declare const resource: pulumi.Resource;
const id = "11111111-1111-4111-8111-111111111111";
const ops: ChannelSpec = { label: "Ops on-call", type: "slack", value: null };

export function functionsTakeTheOptionsOfPulumisOwn(
  invoke: pulumi.InvokeOptions,
  invokeOutput: pulumi.InvokeOutputOptions,
  provider: Provider,
  other: random.Provider,
): unknown {
  getDomain({ id }, invoke);
  const plugin = { version: "1.0.0", pluginDownloadURL: "x" };
  getDomain({ id }, { parent: resource, provider, async: true, ...plugin });
  // Refused at run time: a helper that passes options on does not know the provider's package.
  getDomain({ id }, { provider: other });
  getDomainOutput({ id: later.text }, invokeOutput);
  getDomainOutput({ id }, { parent: resource, dependsOn: [resource, Promise.resolve(resource)] });
  getDomain({ domain: "example.com" }, invoke);
  getDomainOutput({ domain: later.text }, invokeOutput);
  const either = (known: { id: string } | { domain: string }) => getDomain(known);
  either({ domain: "example.com" });
  // @ts-expect-error not by both
  getDomainOutput({ id: later.text, domain: "example.com" });
  getDomainsOutput({ limit: later.days }, invokeOutput).domains.apply((all) =>
    all.map(({ id: each }) => each),
  );

  const [plain, output] = [{} as FunctionOptions, {} as OutputFunctionOptions];
  const back: [pulumi.InvokeOptions, pulumi.InvokeOutputOptions] = [plain, output];

  return back;
}

export function outputFormsTakeOutputsAtEveryLevel(): void {
  getDnsChangesOutput({ domainId: later.text, limit: later.days });
  const override = { until: later.text, reason: later.text };
  const rule = { minimumDays: later.days, mode: later.mode, override };
  requireDomainExpiryOutput({ id: later.text, ...rule });

  // @ts-expect-error a text is no number
  requireDomainExpiryOutput({ id, minimumDays: later.text });
}

export function componentsTakeOutputsForTheirRule(): void {
  const own = { minimumDays: later.days, mode: later.mode };
  for (const expiry of [{ minimumDays: 30 }, own, later.rule, undefined])
    new DomainAlerts("ok", { domainId: later.text, channels: { ops }, expiry });

  new DomainAlerts("no", {
    domainId: id,
    channels: {},
    // @ts-expect-error there is no such mode
    expiry: { minimumDays: 30, mode: "ignore" },
  });
}

export function aChannelOfAComponentHasArgumentsAndOptions(): unknown {
  const hook: ChannelSpec = { label: "Hook", type: "webhook", value: null, secondaryValue: "PUT" };
  const kept: ChannelSpec = {
    ...ops,
    opts: { protect: true, aliases: [{ name: "old" }], dependsOn: resource },
  };

  // @ts-expect-error the domain is the component's
  const elsewhere: ChannelSpec = { ...hook, domainId: id };
  // @ts-expect-error options are not among the arguments
  const mixed: ChannelSpec = { ...ops, protect: true };

  return [kept, elsewhere, mixed];
}
