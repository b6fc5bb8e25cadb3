/**
 * The rules file that is kept in Git, YAML or JSON: its schema, what is wrong in it by line, and
 * the rules for one domain.
 */

import { domainToUnicode } from "node:url";
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
} from "yaml";
import { z } from "zod";
import { isDate, toGivenInstant } from "../client/timestamps";
import { messageOf } from "../common/errors";
import { oneLine } from "../common/secrets";
import { comparable, either } from "../common/text";
import { daysUntil } from "../rules/days";
import { comparableName } from "../rules/domain-names";
import { SUBJECTS } from "../rules/finding";
import { COMPONENTS, type DomainRules } from "../rules/judge";
import { CHANGE_KINDS } from "../rules/reviewed-changes";
import { readGiven } from "./output";

const days = z
  .int("is not a whole number of days: use one such as 30")
  .min(0, "is below 0: use 0 or more")
  .max(36_500, "is above 36500: use fewer days");

const hours = z
  .number("is not a number of hours: use one such as 48")
  .positive("is not above 0: use a number such as 48");

const text = z
  .string("is not a text: put it in quotes")
  .trim()
  .min(1, "is empty: fill it in or remove it");

const texts = z.array(text).min(1, "is empty: fill it in or remove it");
const reaction = z.enum(["error", "warn"], "is not a reaction: use error or warn");

/**
 * Parts that may differ for groups and single domains. What is left out is as for the others; null
 * is not judged.
 */
const layer = {
  registration: z
    .strictObject({
      minimumDays: days,
      warnDays: days,
      maximumAgeHours: hours,
      onUnknown: reaction,
      registrars: texts,
    })
    .partial()
    .refine(({ minimumDays = 0, warnDays = minimumDays }) => warnDays >= minimumDays, {
      error: "has warnDays below minimumDays: raise them",
      abort: true,
    })
    .nullable()
    .optional(),
  certificate: z
    .strictObject({
      minimumDays: days,
      onUnknown: reaction,
      issuers: texts,
    })
    .partial()
    .nullable()
    .optional(),
  /** Switched on, `HEALTHY`, and checked within `registration.maximumAgeHours`. */
  components: z
    .strictObject({
      required: z.array(z.enum(COMPONENTS, "is not a component: use whois, dns or ssl")),
    })
    .optional(),
};

/** Longest exception, in days. */
const MAX_EXCEPTION_DAYS = 366;

const domainName = z
  .string()
  .refine(
    (name) => comparableName(name)?.includes("."),
    "is not a domain name: use one such as example.com",
  );

/**
 * The schema of the file on a day. An exception that has ended is no mistake: it is a finding of
 * its domain.
 */
export const rulesSchema = (now: Date) => {
  const since = text
    .refine((date) => toGivenInstant(date) !== undefined, {
      error: 'is not a date: use one such as 2026-01-31 or "2026-01-31 08:30:00", taken as UTC',
      abort: true,
    })
    .refine(
      (date) => (toGivenInstant(date) ?? now) <= now,
      "is in the future (in UTC): give a time from which changes are known",
    );

  const until = text
    .refine(isDate, { error: "is not a date: use one such as 2026-01-31", abort: true })
    .refine(
      (date) => daysUntil(date, now) <= MAX_EXCEPTION_DAYS,
      `is more than ${MAX_EXCEPTION_DAYS} days from today: use an earlier date`,
    );

  const exception = z.strictObject({
    about: z.enum(SUBJECTS, `is not a subject: use ${either(SUBJECTS)}`),
    until,
    reason: text,
  });

  const changes = z.strictObject({
    since,
    kinds: z
      .array(z.enum(CHANGE_KINDS, "is not a kind of changes: use whois or dns"))
      .min(1, "is empty: name whois or dns, or remove it")
      .default(["whois"]),
    fields: texts.optional(),
    ignoreFields: texts.optional(),
    reviewed: z.array(text).nullish(),
  });

  return z.strictObject({
    ...layer,
    changes: changes.optional(),
    /** Whether the channels of the service have to be those that stacks have recorded. */
    channels: z
      .strictObject({ recorded: z.boolean("is not a boolean: use true or false") })
      .optional(),
    groups: z.record(text, z.strictObject({ names: texts, ...layer })).default({}),
    domains: z
      .record(domainName, z.strictObject({ ...layer, accept: z.array(exception).optional() }))
      .superRefine(refuseTwins)
      .default({}),
  });
};

function refuseTwins(domains: object, { addIssue }: z.RefinementCtx): void {
  const seen = new Set<string | undefined>();
  for (const name of Object.keys(domains)) {
    const key = comparableName(name);
    if (seen.has(key))
      addIssue({
        code: "custom",
        path: [name],
        message: "is listed twice: keep one of them",
      });

    seen.add(key);
  }
}

/** The contents of a rules file. */
export type Rules = z.infer<ReturnType<typeof rulesSchema>>;

type Layer = Pick<Rules, keyof typeof layer>;

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
    Object.entries(rules.domains).map(([name, own]) => [comparableName(name), own]),
  );

  const base: Layer = { certificate: isCertificateJudged ? {} : null };
  // An option switches on what the file switches off for all, and nothing that it switches off for
  // some.
  const options: Layer = {
    registration: given.minimumDays === undefined ? undefined : {},
    certificate: given.certificateDays === undefined ? undefined : {},
  };

  const combine = (own: readonly Layer[]) =>
    combined([base, rules, options, ...own], rules.changes, given);

  return {
    defaults: { ...combine([]), accept: [] },
    of(domain) {
      const own = byName.get(comparableName(domain));
      const groups = Object.values(rules.groups).filter(({ names }) => isNamed(domain, names));
      const accept = own?.accept ?? [];

      return { ...combine(own ? [...groups, own] : groups), accept };
    },
  };
}

function combined(
  layers: readonly Layer[],
  changes: Rules["changes"],
  given: GivenBounds,
): Omit<DomainRules, "accept"> {
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
    changes: changes && { ...changes, reviewed: changes.reviewed ?? [] },
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

/**
 * Reads a rules file, if there is one. @throws Error with one line, which has the place of each
 * problem
 */
export async function readRules(file: string | undefined, now: Date): Promise<Rules> {
  if (file === undefined) return { groups: {}, domains: {} };
  return parseRules(await readGiven(file, "--rules"), file, now);
}

/**
 * The rules in a text. @param source is used in messages @throws Error with one line, which has the
 * place of each problem
 */
export function parseRules(content: string, source: string, now: Date): Rules {
  const lines = new LineCounter();
  const document = parseDocument(content.replace(/^\ufeff/, ""), {
    lineCounter: lines,
    prettyErrors: false,
  });

  const [broken] = document.errors;
  if (broken)
    throw new Error(
      `${source}:${lines.linePos(broken.pos[0]).line}: not valid YAML or JSON: ${oneLine(broken.message)}`,
    );

  const found = rulesSchema(now).safeParse(toValue(document, source), {
    error: wrongKind,
    reportInput: true,
  });

  if (found.success) return found.data;

  const said = found.error.issues.flatMap(problemsOf).map(({ path, problem }) => {
    const { line } = lines.linePos(offsetOf(document, path));
    return `${source}:${line}: ${oneLine(path.join(".")) || "the file"} ${problem}`;
  });

  throw new Error(said.join("; "));
}

/** An alias without an anchor, or too many of them, is found only here. */
function toValue(document: Document, source: string): unknown {
  try {
    return document.toJS() ?? {};
  } catch (error) {
    throw new Error(`${source}: not valid YAML or JSON: ${oneLine(messageOf(error))}`);
  }
}

/** Problem text for a value of another kind, unless its schema has one. */
function wrongKind({ code, expected }: z.core.$ZodRawIssue): string | undefined {
  if (code !== "invalid_type") return undefined;
  return expected === "array"
    ? "is not a list: write it as [one, another]"
    : "is not a group of rules: write it as { name: value }";
}

function problemsOf(issue: z.core.$ZodIssue): { path: PropertyKey[]; problem: string }[] {
  const { path, message } = issue;
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({
        path: [...path, key],
        problem: "is not a rule of this version: correct or remove it",
      }));
    case "invalid_key":
      return issue.issues.map((ofKey) => ({ path, problem: ofKey.message }));
    case "invalid_type":
      return [{ path, problem: issue.input === undefined ? "is missing: add it" : message }];
    default:
      return [{ path, problem: message }];
  }
}

/**
 * Where the key of a value begins, or the value in a list; otherwise what should have it, or the
 * alias that it is behind.
 */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  const holder = document.getIn(path.slice(0, -1), true);
  const pair = isMap<Node>(holder)
    ? holder.items.find(({ key }) => isScalar(key) && String(key.value) === String(path.at(-1)))
    : undefined;

  const found = pair?.key ?? document.getIn(path, true) ?? holder;
  if (isNode(found)) return found.range?.[0] ?? 0;

  return path.length > 0 ? offsetOf(document, path.slice(0, -1)) : 0;
}
