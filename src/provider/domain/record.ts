/**
 * The inputs of a domain: their rules, the form in which they are recorded, and their comparison
 * with the service. Pure.
 */

import { type CreateDomain, DOMAIN, DOMAIN_SETTINGS, type Field, names } from "../../client/fields";
import { edgeProblem, labelProblem, problemsOf } from "../../client/rules";
import { sqlTsOrEmpty } from "../../client/timestamps";
import type { Domain } from "../../client/types";
import { oneLine, tidied } from "../../common/text";
import { comparableName, isDomainName, NOT_A_NAME } from "../../rules/domain-names";
import { hasUnknown, isUnknown, type Properties, pick } from "../boundary";

/** All inputs, in the order in which they are recorded. */
const INPUT: Readonly<Record<string, Field>> = {
  ...DOMAIN,
  domain: {
    rule: (value) => (typeof value === "string" && isDomainName(value) ? undefined : NOT_A_NAME),
    comparable: (value) => comparableName(String(value)) ?? value,
  },
  label: { rule: (value) => labelProblem(value) ?? edgeProblem(value) },
};

/** Names of all inputs. */
export const INPUTS = names(INPUT);

/** All problems of declared inputs. No message repeats a value, and unknown values pass. */
export function domainProblems(declared: Properties): string[] {
  const { domain } = declared;
  const inputs: Properties = { domain, ...normalise(declared) };

  // Without a label the name is sent as the label. A problem of the name is reported once.
  if (isDomainName(String(domain))) inputs.label ??= domain;
  const known = Object.keys(inputs).filter((name) => !hasUnknown(inputs[name]));
  const others = Object.keys(declared).filter((name) => !INPUTS.includes(name));

  return [
    ...problemsOf(inputs, INPUT, known),
    ...others.map((name) => `${name} is not a property of a domain: remove it`),
  ];
}

/**
 * The form in which inputs are recorded and compared. An empty string is null, which differs from a
 * missing one only for a property that can be cleared.
 */
export function normalise(declared: Properties): Properties {
  const inputs: Properties = {};

  for (const name of INPUTS) {
    const isEmpty = tidied(declared[name]) === null && name !== "label";
    const value = isEmpty ? null : declared[name];
    const isCleared = value === null && INPUT[name]?.rule(value, {}) === undefined;

    if (isCleared || (value !== null && value !== undefined)) inputs[name] = value;
  }

  return inputs;
}

export function isSame(name: string, one: unknown, other: unknown): boolean {
  return comparable(name, one) === comparable(name, other);
}

function comparable(name: string, value: unknown): unknown {
  return (INPUT[name]?.comparable ?? tidied)(value);
}

/** The settings in the service, by the names of the inputs. */
function settingsOf({ components: { whois, dns }, ...domain }: Domain): Properties {
  return {
    ...pick({ ...domain }, ["domain", "label", "description", "colour"]),
    whoisCheckInterval: whois.checkInterval,
    dnsCheckInterval: dns.checkInterval,
    enabledDnsRecords: dns.enabledRecords,
  };
}

export function importedFrom(domain: Domain): Properties {
  return Object.fromEntries(
    Object.entries(settingsOf(domain)).filter(([, value]) => value !== null),
  );
}

/**
 * The settings in the service that differ from the declared or recorded ones. The name is not a
 * setting.
 */
export function differing(inputs: Properties, domain: Domain): Properties {
  const { domain: _name, ...settings } = settingsOf(domain);
  const others = Object.entries(settings);

  return Object.fromEntries(
    others.filter(([name, value]) => name in inputs && !isSame(name, inputs[name], value)),
  );
}

/**
 * Whether a service may keep one name as the other, as it does with `www.shop.example` and
 * `shop.example`.
 */
export function isVariant(one: unknown, other: unknown): boolean {
  const [a = "", b = ""] = [one, other].map((name) => comparableName(String(name)));
  return a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
}

export function toCreate(inputs: Properties): CreateDomain {
  const domain = String(inputs.domain);
  return {
    domain,
    label: domain,
    ...pick(inputs, DOMAIN_SETTINGS),
  };
}

/**
 * The outputs that only the service knows of a domain that is declared by this name. The declared
 * name stays recorded beside another one that the service reports, because only a change in the
 * program may replace the domain.
 */
export function facts(declared: unknown, { id, createdAt, domain }: Domain): Properties {
  const known = { domainId: id, createdAt: sqlTsOrEmpty(createdAt) };

  return isSame("domain", declared, domain)
    ? known
    : { ...known, reportedDomain: oneLine(domain, 253) };
}

/** Name of a domain in messages, on one line. */
export function title({ domain }: Properties, id?: string): string {
  if (id !== undefined && domain === undefined) return `Domain ${oneLine(id)}`;
  const name = typeof domain === "string" && !isUnknown(domain) ? oneLine(domain) : "?";

  return `Domain "${name}"${id === undefined ? "" : ` (id ${oneLine(id)})`}`;
}
