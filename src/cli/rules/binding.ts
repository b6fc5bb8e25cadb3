/**
 * The rules for one domain: from the file for all domains, its groups and itself, and from options.
 */
import { domainToUnicode } from "node:url";
import { canonicalId } from "../../client/rules";
import { comparable } from "../../common/text";
import { comparableName } from "../../rules/domain-names";
import type { ChangesRule, DomainRules } from "../../rules/domain-rules";
import { CHANGE_KINDS, type ChangeKind } from "../../rules/fields";
import type { Layer, Rules } from "./schema";

/** Bounds of options, which take precedence over the file. */
export interface GivenBounds {
  minimumDays?: number;
  warnDays?: number;
  maximumAgeHours?: number;
  certificateDays?: number;
  onUnknown?: "error" | "warn";
}

/** Bounds where neither the rules file nor an option says otherwise. */
const DEFAULT_DAYS = { registration: 30, certificate: 14 };

/** The rules of a command line and its file. */
export interface BoundRules {
  /** For a domain of which the file says nothing else. */
  defaults: DomainRules;

  /** For a domain by its name. */
  of: (domain: string) => DomainRules;
}

/**
 * @param isCertificateJudged whether certificates are judged where neither options nor file mention
 * them
 */
export function bindRules(
  rules: Rules,
  given: GivenBounds,
  isCertificateJudged: boolean,
): BoundRules {
  const byName = new Map(
    Object.entries(rules.domains ?? {}).map(([name, own]) => [comparableName(name), own]),
  );

  const base: Layer = { certificate: isCertificateJudged ? {} : null };
  // An option switches on what the file switches off for all, and nothing that it switches off for
  // some.
  const options: Layer = {
    registration: given.minimumDays === undefined ? undefined : {},
    certificate: given.certificateDays === undefined ? undefined : {},
  };

  const combine = (own: readonly Layer[]) => {
    const layers = [base, rules, options, ...own];
    return { ...combined(layers, given), changes: changesRule(rules, own) };
  };

  return {
    defaults: { ...combine([]), accept: [] },
    of(domain) {
      const own = byName.get(comparableName(domain));
      const groups = Object.values(rules.groups ?? {});
      const matching: Layer[] = groups.filter(({ names }) => isNamed(domain, names));
      const accept = own?.accept ?? [];

      return { ...combine(own ? [...matching, own] : matching), accept };
    },
  };
}

function combined(
  layers: readonly Layer[],
  given: GivenBounds,
): Omit<DomainRules, "accept" | "changes"> {
  const registration = layered<NonNullable<DomainRules["registration"]>>(
    { minimumDays: DEFAULT_DAYS.registration },
    layers.map((layer) => layer.registration),
  );

  const certificate = layered<NonNullable<DomainRules["certificate"]>>(
    { minimumDays: DEFAULT_DAYS.certificate },
    layers.map((layer) => layer.certificate),
  );

  const maximumAgeHours = given.maximumAgeHours ?? registration.rule.maximumAgeHours;
  const ofRegistration = {
    ...registration.rule,
    minimumDays: given.minimumDays ?? registration.rule.minimumDays,
    warnDays: given.warnDays ?? registration.rule.warnDays,
    onUnknown: given.onUnknown ?? registration.rule.onUnknown,
    maximumAgeHours,
  };

  const ofCertificate = {
    ...certificate.rule,
    minimumDays: given.certificateDays ?? certificate.rule.minimumDays,
    onUnknown: given.onUnknown ?? certificate.rule.onUnknown,
  };

  return {
    registration: registration.isJudged ? ofRegistration : null,
    certificate: certificate.isJudged ? ofCertificate : null,
    components: layers.findLast((layer) => layer.components)?.components?.required ?? [],
    maximumAgeHours,
  };
}

/**
 * Each layer is on top of those before it. Null switches a rule off, and a later layer switches it
 * on again.
 */
function layered<Rule>(defaults: Rule, layers: readonly (Partial<Rule> | null | undefined)[]) {
  let rule = defaults;
  let isJudged = true;

  for (const layer of layers) {
    if (layer === undefined) continue;
    isJudged = layer !== null;
    rule = { ...rule, ...layer };
  }

  return { rule, isJudged };
}

/** Changes are judged since one date, or not at all; groups and domains narrow them. */
function changesRule({ changes }: Rules, own: readonly Layer[]): ChangesRule | undefined {
  if (!changes) return undefined;

  let { kinds = DEFAULT_KINDS, fields, ignoreFields } = changes;
  for (const layer of own) {
    kinds = layer.changes?.kinds ?? kinds;
    fields = layer.changes?.fields ?? fields;
    ignoreFields = layer.changes?.ignoreFields ?? ignoreFields;
  }

  const { since, reviewed = [] } = changes;

  return { since, kinds, fields, ignoreFields, reviewed: reviewed.map(canonicalId) };
}

/** Kinds of changes that are judged unless the file says otherwise. */
const DEFAULT_KINDS: ChangeKind[] = ["whois"];

/** The kinds of changes that have to be read: all of them if none are judged. */
export function readKinds({ changes, groups = {}, domains = {} }: Rules): ChangeKind[] {
  if (!changes) return [...CHANGE_KINDS];

  const layers: (Layer | undefined)[] = [...Object.values(groups), ...Object.values(domains)];
  const asked = layers.flatMap((layer) => layer?.changes?.kinds ?? []);
  const all = new Set([...(changes.kinds ?? DEFAULT_KINDS), ...asked]);

  return CHANGE_KINDS.filter((kind) => all.has(kind));
}

/** Whether one of these patterns matches a name, in its form for DNS or for people. */
export function isNamed(domain: string, patterns: readonly string[]): boolean {
  const name = comparableName(domain) ?? domain;
  const forms = [name, domainToUnicode(name)];

  return patterns.some((pattern) => {
    const parts = comparable(pattern).split("*").map(escapeForPattern);
    const expression = new RegExp(`^${parts.join(".*")}$`);

    return forms.some((form) => expression.test(form));
  });
}

function escapeForPattern(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
}
