/**
 * `DomainAlerts` in every language: a domain's channels, of which none is created before the
 * domain's expiry has been judged. It has the type, names and outputs of the npm package's
 * component (`program/domain-alerts.ts`), so that a stack moves from one to the other.
 */
import { Alias } from "@pulumi/pulumi/proto/alias_pb";
import { type ConstructRequest, ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import type {
  RegisterResourceRequest,
  RegisterResourceResponse,
} from "@pulumi/pulumi/proto/resource_pb";
import { hasUnknown, RESOURCE_MARK, SECRET_MARKER, UNKNOWN, wrapSecret } from "../common/markers";
import { parseUrn } from "../common/urn";
import { packageVersion } from "../common/version";
import type { DomainResult } from "../functions/domains";
import { invalid, requireId } from "../functions/function";
import { enforce } from "../functions/require-domain-expiry";
import { ALERTS_TOKEN, CHANNEL_TOKEN, PLUGIN_CHANNEL_TOKEN } from "../names";
import { type Properties, runGuarded } from "../provider/boundary";
import type { Connection } from "../provider/connection";
import { evaluateDomainExpiry } from "../rules/expiry";
import { checkExpiryRule } from "../rules/expiry-rule";
import { withoutNulls } from "./functions";
import type { EngineLog } from "./log";
import {
  childRegistration,
  componentRegistration,
  formerUrns,
  ResourceMonitor,
  setOptions,
} from "./monitor";
import { fromStruct, openDeeply, partsOf, toStruct } from "./values";

interface ComponentContext {
  connection: Connection;

  /**
   * Reference to the provider that is asked, which is the channels' too; undefined if the engine
   * does not tell it.
   */
  provider: string | undefined;
  log: EngineLog;
}

/** Registers a component and its channels. @throws Error with one line */
export async function construct(
  request: ConstructRequest,
  { connection, provider = "", log }: ComponentContext,
): Promise<ConstructResponse> {
  if (request.getType() !== ALERTS_TOKEN)
    throw new Error(`${request.getType()} is not a component of this plugin: use ${ALERTS_TOKEN}`);

  const inputs = fromStruct(request.getInputs());
  const domainId = openDeeply(inputs.domainId);
  const expiry = openDeeply(inputs.expiry);
  const id = requireId(domainId.value, "domainId");
  const { rule } = withoutNulls({ rule: expiry.value });

  if (rule !== undefined && !hasUnknown(rule)) checkExpiryRule(rule);
  const component = componentRegistration(request);
  const registrations = channelRegistrations(component, inputs);

  const monitor = new ResourceMonitor(request.getMonitorendpoint());

  try {
    const urn = (await monitor.register(component)).getUrn();
    const domain = await judgedDomain(id, rule, connection, (line) => log.warn(line, urn));
    const channels = await Promise.all(
      registrations.map(async ([key, registration]) => {
        registration.setParent(urn).setProvider(provider);
        // The engine derives them too, but only in the update that renames the component. If that
        // one ends before the channel's turn, the next one would create the channel again.
        for (const former of formerUrns(component, urn))
          for (const type of [CHANNEL_TOKEN, PLUGIN_CHANNEL_TOKEN])
            registration.addAliases(new Alias().setUrn(channelUrn(former, type, key)));

        return [key, await monitor.register(registration)] as const;
      }),
    );

    // A preview does not know every id yet, and a channel that failed has none.
    const existing = channels.filter(
      ([, channel]) => request.getDryrun() || channel.getId() !== "",
    );

    // A result computed from a secret is itself secret.
    const markSecret =
      domainId.isSecret || expiry.isSecret ? wrapSecret : (value: unknown) => value;
    const domainName = markSecret(domain ? domain.domain : UNKNOWN);
    const expiresAt = markSecret(domain ? domain.expiresAt : UNKNOWN);
    const channelIds = Object.fromEntries(existing.map(([key, channel]) => [key, idOf(channel)]));

    await monitor.registerOutputs(urn, {
      domainId: markSecret(id),
      domainName,
      expiresAt,
      channelIds,
    });

    const references = existing.map(([key, channel]) => [key, referenceTo(channel)]);
    const channelsByName = Object.fromEntries(references);
    const state = {
      domain: markSecret(domain ?? UNKNOWN),
      expiresAt,
      channelIds,
      channels: channelsByName,
    };

    const response = new ConstructResponse().setUrn(urn).setState(toStruct(state));
    const urns = existing.map(([, channel]) => channel.getUrn());
    const dependencies = new ConstructResponse.PropertyDependencies().setUrnsList(urns);

    response
      .getStatedependenciesMap()
      .set("channelIds", dependencies)
      .set("channels", dependencies);

    return response;
  } finally {
    monitor.close();
  }
}

/** URN of a channel of a component with this URN. */
function channelUrn(component: string, type: string, key: string): string {
  const { stack, project, qualifiedType, name } = parseUrn(component);
  return `urn:pulumi:${stack}::${project}::${qualifiedType}$${type}::${name}-${key}`;
}

/** The channels by their names, without parent and provider. */
function channelRegistrations(
  component: RegisterResourceRequest,
  { domainId, channels }: Properties,
): [name: string, registration: RegisterResourceRequest][] {
  const named = partsOf(channels);
  if (!named)
    throw invalid(
      "channels is not a map of channels by name, or not known in this preview: write the names in the program",
    );

  return Object.entries(named).map(([key, given]) => {
    const parts = partsOf(given);
    if (!parts)
      throw invalid(
        `channel ${JSON.stringify(key)} is not a map of inputs, or not known in this preview: write it in the program`,
      );

    const { opts, ...inputs } = parts;
    const registration = childRegistration(component, {
      type: PLUGIN_CHANNEL_TOKEN,
      name: `${component.getName()}-${key}`,
      inputs: { ...inputs, domainId },
    });

    // The type that it has in the npm package.
    registration.addAliases(new Alias().setSpec(new Alias.Spec().setType(CHANNEL_TOKEN)));
    const { options } = withoutNulls({ options: openDeeply(opts).value });

    setOptions(registration, options);

    return [key, registration];
  });
}

/** The domain once its rule, if there is one, lets it pass; undefined if either is unknown. */
async function judgedDomain(
  id: string,
  rule: unknown,
  connection: Connection,
  warn: (line: string) => Promise<void>,
): Promise<DomainResult | undefined> {
  if (hasUnknown(id)) return undefined;

  const domain = await runGuarded({}, () => connection.client.domains.get(id));
  if (rule === undefined) return domain;
  if (hasUnknown(rule)) return undefined;

  checkExpiryRule(rule);
  await enforce(evaluateDomainExpiry(domain, rule), { warn, failure: (line) => new Error(line) });

  return domain;
}

function idOf(channel: RegisterResourceResponse): string {
  return channel.getId() || UNKNOWN;
}

/** A channel as a value: SDKs make the resource of it. */
function referenceTo(channel: RegisterResourceResponse): Properties {
  return {
    [SECRET_MARKER.key]: RESOURCE_MARK,
    urn: channel.getUrn(),
    id: idOf(channel),
    packageVersion: packageVersion(),
  };
}
