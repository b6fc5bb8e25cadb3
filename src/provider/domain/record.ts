/** The inputs of a domain: their rules, the form in which they are recorded, and their comparison with the service. Pure. */
import { labelProblem } from "../../client/channel-rules";
import { DOMAIN_RULES, DOMAIN_SETTINGS } from "../../client/domain-rules";
import { sqlTsOrEmpty } from "../../client/timestamps";
import type { CreateDomain, Domain } from "../../client/types";
import { hasUnknown, isUnknown } from "../../common/markers";
import { oneLine } from "../../common/redact";
import { comparableName, isDomainName, NOT_A_NAME } from "../../rules/domain-names";
import { type Properties, pick } from "../boundary";

const RULES: Record<string, (value: unknown) => string | undefined> = {
  ...DOMAIN_RULES,
  domain: (value) => (typeof value === "string" && isDomainName(value) ? undefined : NOT_A_NAME),
  label: labelProblem,
  deletionPolicy: (value) =>
    value === "abandon" || value === "delete"
      ? undefined
      : "is not a valid value: use abandon or delete, or leave it out",
  adopt: (value) =>
    typeof value === "boolean" ? undefined : "is not a boolean: use true or false, or leave it out",
};

/** All inputs, in the order in which they are recorded. */
export const INPUTS = Object.keys(RULES);

/** All problems of declared inputs. No message repeats a value, and unknown values pass. */
export function problemsOf(declared: Properties): string[] {
  const { domain } = declared;
  // Without a label the name is sent as the label.
  const inputs = { domain, ...(isDomainName(String(domain)) && { label: domain }), ...normalise(declared) };
  const broken = Object.entries(inputs).flatMap(([name, value]) => {
    const problem = hasUnknown(value) ? undefined : RULES[name]?.(value);
    return problem === undefined ? [] : [`${name} ${problem}`];
  });
  const unknown = Object.keys(declared).filter((name) => !INPUTS.includes(name));
  return [...broken, ...unknown.map((name) => `${name} is not a property of a domain: remove it`)];
}

/** The form in which inputs are recorded and compared. Null means something only of a text that can be cleared. */
export function normalise(declared: Properties): Properties {
  const inputs: Properties = {};
  for (const name of INPUTS) {
    const value = declared[name];
    const isCleared = value === null && RULES[name]?.(value) === undefined;
    if (isCleared || (value !== null && value !== undefined)) inputs[name] = value;
  }
  if (inputs.adopt === false) delete inputs.adopt;
  return { ...inputs, deletionPolicy: inputs.deletionPolicy ?? "abandon" };
}

export function isSame(name: string, one: unknown, other: unknown): boolean {
  return comparable(name, one) === comparable(name, other);
}

function comparable(name: string, value: unknown): unknown {
  if (name === "domain") return comparableName(String(value)) ?? value;
  return Array.isArray(value) ? JSON.stringify([...new Set(value)].sort()) : value;
}

/** What the service has, by the names of the inputs. */
function settingsOf({ components: { whois, dns }, ...domain }: Domain): Properties {
  return {
    ...pick({ ...domain }, ["domain", "label", "description", "colour"]),
    whoisCheckInterval: whois.checkInterval,
    dnsCheckInterval: dns.checkInterval,
    enabledDnsRecords: dns.enabledRecords,
  };
}

export function importedFrom(domain: Domain): Properties {
  return Object.fromEntries(Object.entries(settingsOf(domain)).filter(([, value]) => value !== null));
}

/** What the service has of these inputs where it is not what is declared or recorded. */
export function differing(inputs: Properties, domain: Domain): Properties {
  const others = Object.entries(settingsOf(domain));
  return Object.fromEntries(
    others.filter(([name, value]) => name in inputs && !isSame(name, inputs[name], value)),
  );
}

export function toCreate(inputs: Properties): CreateDomain {
  const domain = String(inputs.domain);
  return { domain, label: domain, ...pick(inputs, DOMAIN_SETTINGS) };
}

/** Whether a domain is declared or recorded as one that was there before: it is not this stack's to delete. */
export function isAdopted({ adopt }: Properties): boolean {
  return adopt === true;
}

export function facts({ id, createdAt }: Domain): Properties {
  return { domainId: id, createdAt: sqlTsOrEmpty(createdAt) };
}

/** Name of a domain in messages, on one line. */
export function title({ domain }: Properties, id?: string): string {
  const name = typeof domain === "string" && !isUnknown(domain) ? oneLine(domain) : "?";
  return `Domain "${name}"${id === undefined ? "" : ` (id ${oneLine(id)})`}`;
}
