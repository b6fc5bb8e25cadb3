/**
 * The rules for one domain: from the file for all domains, its groups and itself, and from options.
 */
import { domainToUnicode } from "node:url";
import { inLowerCase } from "../../common/text";
import type { DomainRules } from "../../rules/components";
import { comparableName } from "../../rules/domain-names";
import type { Layer, Rules } from "./schema";

/** Bounds of options, which take precedence over the file. */
export interface GivenBounds {
  minimumDays?: number;
  certificateDays?: number;
}

type Registration = NonNullable<DomainRules["registration"]>;
type Certificate = NonNullable<DomainRules["certificate"]>;

/** Bounds where neither the rules file nor an option says otherwise. */
const REGISTRATION: Registration = { minimumDays: 30 };
const CERTIFICATE: Certificate = { minimumDays: 14 };

/** The rules of a command line and its file. */
export interface BoundRules {
  /** For a domain of which the file says nothing else. */
  defaults: DomainRules;

  /** For a domain by its name. */
  of: (domain: string) => DomainRules;
}

export function bindRules(rules: Rules, given: GivenBounds): BoundRules {
  const byName = new Map(
    Object.entries(rules.domains ?? {}).map(([name, own]) => [comparableName(name), own]),
  );

  return {
    defaults: { ...combined([rules], given), accept: [] },
    of(domain) {
      const own = byName.get(comparableName(domain));
      const groups = rules.groups.filter(({ names }) => isNamed(domain, names));
      const accept = own?.accept ?? [];

      return { ...combined([rules, ...groups, own ?? {}], given), accept };
    },
  };
}

/** Options change bounds: they never switch on a rule that the file switches off. */
function combined(layers: readonly Layer[], given: GivenBounds): Omit<DomainRules, "accept"> {
  const registration = layered(
    REGISTRATION,
    layers.map((layer) => layer.registration),
    given.minimumDays,
  );

  const certificate = layered(
    CERTIFICATE,
    layers.map((layer) => layer.certificate),
    given.certificateDays,
  );

  return {
    registration: registration.isJudged ? registration.rule : null,
    certificate: certificate.isJudged ? certificate.rule : null,
    components: layers.findLast((layer) => layer.components)?.components?.required ?? [],
    maximumAgeHours: registration.rule.maximumAgeHours,
  };
}

/**
 * Each layer is on top of those before it. Null switches a rule off, and a later layer switches it
 * on again.
 * @param given bound of an option
 */
function layered<Rule extends { minimumDays: number }>(
  defaults: Rule,
  layers: readonly (Partial<Rule> | null | undefined)[],
  given: number | undefined,
) {
  let rule = defaults;
  let isJudged = true;

  for (const layer of layers) {
    if (layer === undefined) continue;
    isJudged = layer !== null;
    rule = { ...rule, ...layer };
  }

  return { rule: { ...rule, minimumDays: given ?? rule.minimumDays }, isJudged };
}

/** Whether one of these patterns matches a name, in its form for DNS or for people. */
export function isNamed(domain: string, patterns: readonly string[]): boolean {
  const name = comparableName(domain) ?? domain;
  const forms = [name, domainToUnicode(name)];

  return patterns.some((pattern) => {
    const parts = inLowerCase(pattern).split("*").map(escapeForPattern);
    const expression = new RegExp(`^${parts.join(".*")}$`);

    return forms.some((form) => expression.test(form));
  });
}

function escapeForPattern(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
}
