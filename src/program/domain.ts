/**
 * The resource of a monitored domain. It registers the provider's text and the inputs; the provider
 * is in `provider/domain/`.
 */
import * as pulumi from "@pulumi/pulumi";
import { DOMAIN, names, type UpdateDomain } from "../client/fields";
import { DOMAIN_PROVIDER_TEXT, DOMAIN_TOKEN } from "../names";
import type { InputsOf } from "./function-options";
import { checkDeployment, refuseImport } from "./internal/checks";
import { isOfType } from "./internal/sdk";

/**
 * Inputs of a {@link Domain}. Pulumi leaves inputs alone that are not declared: the service chooses
 * them, or somebody sets them there. Null clears `description` and `colour`.
 * @experimental
 */
export interface DomainArgs extends InputsOf<Omit<UpdateDomain, "label">> {
  /**
   * Name of the domain, such as `example.com`. Compared without case, trailing dot or IDNA form; any
   * other change replaces the domain.
   */
  domain: pulumi.Input<string>;

  /**
   * Display label: 3 to 100 characters, counted as code points. @default the name, for a new domain
   */
  label?: pulumi.Input<string | undefined>;
}

/** Outputs that are recorded. */
const OUTPUTS = [...names(DOMAIN), "domainId", "createdAt"];

/**
 * A monitored domain, with these settings. Pulumi takes over a domain that the account monitors
 * already, and sets what differs. A refresh reads it, and updates change it in place. You can't turn
 * WHOIS, DNS or SSL monitoring on or off: the API only has a toggle, which isn't safe to retry. Their
 * state and all dates come from `getDomain({ id: shop.id })`.
 *
 * Pulumi never deletes a domain: a warning names each one that leaves the stack.
 * @experimental the service documents only the create and the update
 *
 * @example
 * import { Domain } from "pulumi-domain-monitoring";
 *
 * const shop = new Domain("shop", { domain: "example.com", enabledDnsRecords: ["A", "MX"] });
 * export const domainId = shop.id;
 */
export class Domain extends pulumi.CustomResource {
  /** Type token, for policies. */
  static readonly __pulumiType = DOMAIN_TOKEN;

  /** Name of the domain. */
  declare readonly domain: pulumi.Output<string>;

  /** Display label, if it is declared. */
  declare readonly label: pulumi.Output<string | undefined>;

  /** Free text, if it is declared. */
  declare readonly description: pulumi.Output<string | null | undefined>;

  /** Colour of the label, if it is declared. */
  declare readonly colour: pulumi.Output<string | null | undefined>;

  /** How often the registration is checked, if it is declared. */
  declare readonly whoisCheckInterval: pulumi.Output<string | undefined>;

  /** How often DNS records are checked, if it is declared. */
  declare readonly dnsCheckInterval: pulumi.Output<string | undefined>;

  /** Monitored types of DNS records, if they are declared. */
  declare readonly enabledDnsRecords: pulumi.Output<string[] | undefined>;

  /** Id of the domain in the service; the same as `id`. */
  readonly domainId: pulumi.Output<string>;

  /** Creation time, `SQL-TS`, taken as UTC; empty if the service has another format. */
  declare readonly createdAt: pulumi.Output<string>;

  /** Whether an object is a `Domain`, even one made by another copy of this package. */
  static override isInstance(obj: unknown): obj is Domain {
    return isOfType(obj, DOMAIN_TOKEN);
  }

  /**
   * Refers to an existing domain, and reads it from the service.
   * @param id id of the domain in the service
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: Partial<DomainArgs>,
    opts?: pulumi.CustomResourceOptions,
  ): Domain {
    return new Domain(name, { ...state } as DomainArgs, { ...opts, id });
  }

  constructor(name: string, args: DomainArgs, opts?: pulumi.CustomResourceOptions) {
    refuseImport(
      "domain",
      name,
      opts,
      () => "remove it, because a Domain takes over what the account has",
    );
    checkDeployment(DOMAIN_TOKEN, opts);
    // Every output is listed, so that it always exists and is unknown in a preview.
    const outputs = Object.fromEntries(OUTPUTS.map((output) => [output, undefined]));

    super(
      DOMAIN_TOKEN,
      name,
      {
        ...outputs,
        ...args,
        __provider: DOMAIN_PROVIDER_TEXT,
      },
      opts,
    );

    // The recorded one is unknown in the preview of an update.
    this.domainId = this.id;
  }
}
