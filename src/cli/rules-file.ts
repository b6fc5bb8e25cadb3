/** The file of rules that is kept in Git, YAML or JSON: its schema, what is wrong in it by line, and the rules for one domain. */

import { type Document, isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import { z } from "zod";
import { isDate, toGivenInstant } from "../client/timestamps";
import { messageOf } from "../common/errors";
import { oneLine } from "../common/redact";
import { count } from "../common/text";
import { daysUntil } from "../rules/days";
import { comparableName } from "../rules/domain-names";
import { CHANGE_KINDS } from "../rules/reviewed-changes";
import type { DomainRules } from "../rules/verdict";
import { readGiven } from "./output";

const days = z
  .int("is not a whole number of days: use one such as 30")
  .min(0, "is below 0: use 0 or more")
  .max(36_500, "is above 36500: use fewer days");
const hours = z
  .number("is not a number of hours: use one such as 48")
  .positive("is not above 0: use a number such as 48");
const text = z.string("is not a text: put it in quotes").trim().min(1, "is empty: fill it in or remove it");

/** What may differ for a single domain. A part that is left out is as for the others. */
const parts = {
  registration: z
    .strictObject({ minimumDays: days, warnDays: days, maximumAgeHours: hours })
    .partial()
    .optional(),
  /** Null: the certificate is not looked at. */
  certificate: z.strictObject({ minimumDays: days }).nullable().optional(),
};

const schemaAt = (now: Date) => {
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
    .refine((date) => daysUntil(date, now) >= 0, "has passed: remove the exception, or give it a later date");
  const ofDomain = z.strictObject({
    ...parts,
    accept: z.strictObject({ until, reason: text }).optional(),
  });
  const file = z.strictObject({
    ...parts,
    /** Switched on, `HEALTHY`, and checked within `registration.maximumAgeHours`. */
    components: z
      .strictObject({
        required: z.array(z.enum(["whois", "dns", "ssl"], "is not a component: use whois, dns or ssl")),
      })
      .optional(),
    /** Those that have to be reviewed. */
    changes: z
      .strictObject({
        since,
        kinds: z
          .array(z.enum(CHANGE_KINDS, "is not a kind of changes: use whois or dns"))
          .min(1, "is empty: name whois or dns, or remove it")
          .default(["whois"]),
        fields: z.array(text).min(1, "is empty: name fields, or remove it for all of them").optional(),
        reviewed: z.array(text).default([]),
      })
      .optional(),
    /** Whether the channels of the service have to be those that stacks have recorded. */
    channels: z.strictObject({ recorded: z.boolean("is not a boolean: use true or false") }).optional(),
    /** By name. */
    domains: z.record(domainName, ofDomain).superRefine(refuseTwins).default({}),
  });
  return file.superRefine(refuseLateWarnings);
};

const domainName = z
  .string()
  .refine((name) => comparableName(name)?.includes("."), "is not a domain name: use one such as example.com");

function refuseTwins(domains: object, { addIssue }: z.RefinementCtx): void {
  const seen = new Set<string | undefined>();
  for (const name of Object.keys(domains)) {
    const key = comparableName(name);
    if (seen.has(key))
      addIssue({ code: "custom", path: [name], message: "is listed twice: keep one of them" });
    seen.add(key);
  }
}

interface Bounded {
  registration?: z.infer<typeof parts.registration>;
}

/** In the file alone; `bindRules` sees what options and file say together. */
function refuseLateWarnings(
  { registration, domains }: Bounded & { domains: Record<string, Bounded> },
  { addIssue }: z.RefinementCtx,
): void {
  const check = (
    path: string[],
    { minimumDays = 0, warnDays = minimumDays }: Bounded["registration"] = {},
  ) => {
    if (warnDays < minimumDays)
      addIssue({ code: "custom", path, message: "has warnDays below minimumDays: raise them" });
  };
  check(["registration"], registration);
  for (const [name, { registration: own }] of Object.entries(domains))
    if (own) check(["domains", name, "registration"], { ...registration, ...own });
}

/** What a file of rules says. */
export type Rules = z.infer<ReturnType<typeof schemaAt>>;

type Bounds = DomainRules["expiry"];

/**
 * The rules for a domain by its name.
 * @param given bounds of options, which take precedence over the file
 * @param defaults bounds where neither says otherwise; a certificate that has none is not looked at
 * @throws Error with one line if options and file together warn later than they fail
 */
export function bindRules(
  { domains, ...ofAll }: Rules,
  given: Partial<Bounds>,
  defaults: Pick<Bounds, "minimumDays" | "certificateDays">,
): (domain: string) => DomainRules {
  const ofDomain = new Map(Object.entries(domains).map(([name, own]) => [comparableName(name), own]));
  const rulesFor = (domain: string): DomainRules => {
    const own = ofDomain.get(comparableName(domain));
    const registration = { ...ofAll.registration, ...own?.registration };
    const certificate = own?.certificate === undefined ? ofAll.certificate : own.certificate;
    const certificateDays = certificate === undefined ? defaults.certificateDays : certificate?.minimumDays;
    return {
      expiry: {
        minimumDays: given.minimumDays ?? registration.minimumDays ?? defaults.minimumDays,
        warnDays: given.warnDays ?? registration.warnDays,
        maximumAgeHours: given.maximumAgeHours ?? registration.maximumAgeHours,
        certificateDays: given.certificateDays ?? certificateDays,
      },
      components: ofAll.components?.required ?? [],
      changes: ofAll.changes,
      accept: own?.accept,
    };
  };
  for (const name of ["", ...Object.keys(domains)]) {
    const { minimumDays, warnDays = minimumDays } = rulesFor(name).expiry;
    if (warnDays < minimumDays)
      throw new Error(
        `${name === "" ? "" : `${oneLine(name)}: `}a warning below ${count(warnDays, "day")} comes later than the ` +
          `violation below ${count(minimumDays, "day")}: raise --warn-days, or warnDays in the file of rules`,
      );
  }
  return rulesFor;
}

/** Reads a file of rules, if there is one. @throws Error with one line, which has the place of each problem */
export async function readRules(file: string | undefined, now: Date): Promise<Rules> {
  if (file === undefined) return { domains: {} };
  return parseRules(await readGiven(file, "--rules"), file, now);
}

/** The rules in a text. @param source is used in messages @throws Error with one line, which has the place of each problem */
export function parseRules(content: string, source: string, now: Date): Rules {
  const lines = new LineCounter();
  const document = parseDocument(content.replace(/^\ufeff/, ""), { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken)
    throw new Error(
      `${source}:${lines.linePos(broken.pos[0]).line}: not valid YAML or JSON: ${oneLine(broken.message)}`,
    );
  const found = schemaAt(now).safeParse(toValue(document, source), { error: wrongKind, reportInput: true });
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

/** What is said of a value of another kind, unless its schema says it. */
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

/** Where the key of a value begins, or the value in a list; otherwise what should have it, or the alias that it is behind. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  const holder = document.getIn(path.slice(0, -1), true);
  const pair = isMap<Node>(holder)
    ? holder.items.find(({ key }) => isScalar(key) && String(key.value) === String(path.at(-1)))
    : undefined;
  const found = pair?.key ?? document.getIn(path, true) ?? holder;
  if (isNode(found)) return found.range?.[0] ?? 0;
  return path.length > 0 ? offsetOf(document, path.slice(0, -1)) : 0;
}
