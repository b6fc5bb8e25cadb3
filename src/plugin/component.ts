/**
 * `DomainAlerts` in every language: a domain's channels, of which none is created before the
 * domain's expiry has been judged. It has the type and the names of the npm package's component
 * (`program/domain-alerts.ts`), so that a stack moves from one to the other, and its outputs without
 * `channels`: not every generated SDK reads resources out of a map.
 */
import { Alias } from "@pulumi/pulumi/proto/alias_pb";
import { type ConstructRequest, ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import type { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import { parseUrn } from "../common/urn";
import type { DomainResult } from "../functions/domains";
import { ID, invalid, parsed } from "../functions/function";
import { enforce } from "../functions/require-domain-expiry";
import { ALERTS_TOKEN, CHANNEL_TOKEN, PLUGIN_CHANNEL_TOKEN } from "../names";
import { hasUnknown, type Properties, runGuarded, UNKNOWN, wrapSecret } from "../provider/boundary";
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

/** A channel of a component. */
interface Channel {
  /** Its name within the component. */
  key: string;

  /** Without the component's URN, which is known once the component is registered. */
  registration: RegisterResourceRequest;
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
  const { domainId: id } = parsed({ domainId: domainId.value }, { domainId: ID });
  const { rule } = withoutNulls({ rule: expiry.value });

  if (rule !== undefined && !hasUnknown(rule)) checkExpiryRule(rule);
  const component = componentRegistration(request);
  const channels = channelsOf(component, inputs);
  const monitor = new ResourceMonitor(request.getMonitorendpoint());

  try {
    const urn = (await monitor.register(component)).getUrn();
    const domain = await judgedDomain(id, rule, connection, (line) => log.warn(line, urn));
    const former = formerUrns(component, urn);
    const registered = await Promise.all(
      channels.map(async ({ key, registration }) => {
        registration.setParent(urn).setProvider(provider);
        addFormerUrns(registration, key, former);

        return { key, channel: await monitor.register(registration) };
      }),
    );

    // A preview does not know every id yet, and a channel that failed has none.
    const existing = registered.filter(
      ({ channel }) => request.getDryrun() || channel.getId() !== "",
    );

    // A result computed from a secret is itself secret.
    const isSecret = domainId.isSecret || expiry.isSecret;
    const marked = (value: unknown) => (isSecret ? wrapSecret(value) : value);
    const domainName = marked(domain ? domain.domain : UNKNOWN);
    const expiresAt = marked(domain ? domain.expiresAt : UNKNOWN);
    const channelIds = Object.fromEntries(
      existing.map(({ key, channel }) => [key, channel.getId() || UNKNOWN]),
    );

    await monitor.registerOutputs(urn, {
      domainId: marked(id),
      domainName,
      expiresAt,
      channelIds,
    });

    const state = { domain: marked(domain ?? UNKNOWN), expiresAt, channelIds };
    const response = new ConstructResponse().setUrn(urn).setState(toStruct(state));
    const dependencies = new ConstructResponse.PropertyDependencies();

    dependencies.setUrnsList(existing.map(({ channel }) => channel.getUrn()));
    response.getStatedependenciesMap().set("channelIds", dependencies);

    return response;
  } finally {
    monitor.close();
  }
}

/**
 * Adds the URNs that a channel had below the component's former ones. The engine derives them too,
 * but only in the update that renames the component. If that one ends before the channel's turn,
 * the next one would create the channel again.
 */
function addFormerUrns(
  registration: RegisterResourceRequest,
  key: string,
  components: readonly string[],
): void {
  for (const component of components)
    for (const type of [CHANNEL_TOKEN, PLUGIN_CHANNEL_TOKEN]) {
      const { stack, project, qualifiedType, name } = parseUrn(component);
      const urn = `urn:pulumi:${stack}::${project}::${qualifiedType}$${type}::${name}-${key}`;
      registration.addAliases(new Alias().setUrn(urn));
    }
}

/** The channels that a component is declared with. */
function channelsOf(
  component: RegisterResourceRequest,
  { domainId, channels }: Properties,
): Channel[] {
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

    return { key, registration };
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
