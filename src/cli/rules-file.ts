/** The file of rules that is kept in Git, YAML or JSON: its schema, what is wrong in it by line, and the rules for one domain. */
import { readFile } from "node:fs/promises";
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { z } from "zod";
import { isDate, toGivenInstant } from "../client/timestamps";
import { errorCode } from "../common/errors";
import { count } from "../common/text";
import { daysUntil } from "../rules/days";
import { comparableName } from "../rules/domain-names";
import { CHANGE_KINDS } from "../rules/reviewed-changes";
import type { ChangesRule, DomainRules } from "../rules/verdict";
import { plain } from "./text";

const days = z
  .int("is not a whole number of days: use one such as 30")
  .min(0, "is below 0: use 0 or more")
  .max(36_500, "is above 36500: use fewer days");
const hours = z
  .number("is not a number of hours: use one such as 48")
  .positive("is not above 0: use a number such as 48");
const text = z.string("is not a text: put it in quotes").trim().min(1, "is empty: say it or remove it");

const day = text.refine(isDate, "is not a date: use one such as 2026-01-31");

/** What may differ for a single domain. A part that is left out is as for the others. */
const parts = {
  registration: z
    .strictObject({ minimumDays: days, warnDays: days, maximumAgeHours: hours })
    .partial()
    .optional(),
  /** Null: the certificate is not looked at. */
  certificate: z.strictObject({ minimumDays: days }).nullable().optional(),
};

const since = text.refine(
  (value) => toGivenInstant(value) !== undefined,
  'is not a date: use one such as 2026-01-31 or "2026-01-31 08:30:00", taken as UTC',
);

const schema = z.strictObject({
  ...parts,
  /** Switched on, `HEALTHY`, and checked within `registration.maximumAgeHours`. */
  components: z
    .strictObject({
      required: z.array(z.enum(["whois", "dns", "ssl"], "is not a component: use whois, dns or ssl")),
    })
    .optional(),
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
  channels: z.strictObject({ recorded: z.boolean("is neither true nor false: use one of both") }).optional(),
  domains: z
    .record(
      z.string(),
      z.strictObject({ ...parts, accept: z.strictObject({ until: day, reason: text }).optional() }),
    )
    .default({}),
});

type RulesText = z.infer<typeof schema>;

/** Bounds in force where neither the file nor an option says otherwise; a certificate that has none is not looked at. */
export interface DefaultBounds {
  minimumDays: number;
  certificateDays?: number;
}

/** Bounds that were given as options, which come before the file. */
export type GivenBounds = Partial<DefaultBounds> & { warnDays?: number; maximumAgeHours?: number };

/** The rules of an account. */
export class Rules {
  readonly #rules: RulesText;
  readonly #ofDomain: ReadonlyMap<string, { name: string; own: RulesText["domains"][string] }>;

  constructor(rules: RulesText = { domains: {} }) {
    this.#rules = rules;
    this.#ofDomain = new Map(
      Object.entries(rules.domains).map(([name, own]) => [comparableName(name) ?? name, { name, own }]),
    );
  }

  /** Days that registrations must last where a domain has no bound of its own; undefined if the file does not say. */
  get minimumDays(): number | undefined {
    return this.#rules.registration?.minimumDays;
  }

  /** Changes that have to be reviewed; undefined if none have to be. */
  get changes(): ChangesRule | undefined {
    return this.#rules.changes;
  }

  /** Whether the channels of the service have to be those that stacks have recorded. */
  get requiresRecordedChannels(): boolean {
    return this.#rules.channels?.recorded ?? false;
  }

  /** The domains that have rules of their own. */
  get names(): string[] {
    return [...this.#ofDomain.values()].map(({ name }) => name);
  }

  /**
   * The rules for a domain by its name.
   * @throws Error with one line if options and file together warn later than they fail
   */
  bind(given: GivenBounds, defaults: DefaultBounds): (domain: string) => DomainRules {
    const rulesFor = (domain: string) => this.#rulesFor(domain, given, defaults);
    for (const name of ["", ...this.names]) {
      const { minimumDays, warnDays = minimumDays } = rulesFor(name).expiry;
      if (warnDays < minimumDays)
        throw new Error(
          `${name === "" ? "" : `${plain(name)}: `}a warning below ${count(warnDays, "day")} comes later than the ` +
            `violation below ${count(minimumDays, "day")}: raise --warn-days, or warnDays in the file of rules`,
        );
    }
    return rulesFor;
  }

  #rulesFor(domain: string, given: GivenBounds, defaults: DefaultBounds): DomainRules {
    const own = this.#ofDomain.get(comparableName(domain) ?? domain)?.own;
    const { registration, certificate } = this.#rules;
    const bound = own?.certificate === undefined ? certificate : own.certificate;
    const {
      certificateDays = bound === undefined ? defaults.certificateDays : bound?.minimumDays,
      ...others
    } = given;
    return {
      expiry: {
        minimumDays: defaults.minimumDays,
        ...registration,
        ...own?.registration,
        ...defined(others),
        certificateDays,
      },
      components: this.#rules.components?.required ?? [],
      changes: this.changes,
      accept: own?.accept,
    };
  }
}

/** Without the members that are undefined, which would hide others. */
function defined<T extends object>(given: T): Partial<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** Reads a file of rules, if there is one. @throws Error with one line, which has the place of each problem */
export async function readRules(file: string | undefined, now: Date): Promise<Rules> {
  if (file === undefined) return new Rules();
  let content: string;
  try {
    content = await readFile(file, "utf8");
  } catch (error) {
    throw new Error(
      `${file} could not be read (${errorCode(error) ?? "unknown error"}): check the path given to --rules`,
    );
  }
  return parseRules(content, file, now);
}

/** The rules in a text. @param source is used in messages @throws Error with one line, which has the place of each problem */
export function parseRules(content: string, source: string, now: Date): Rules {
  const lines = new LineCounter();
  const document = parseDocument(content.replace(/^\ufeff/, ""), { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken)
    throw new Error(
      `${source}:${lines.linePos(broken.pos[0]).line}: not valid YAML or JSON: ${plain(broken.message)}`,
    );
  const found = schema.safeParse(document.toJS() ?? {});
  const problems = found.success ? domainProblems(found.data, now) : found.error.issues.flatMap(problemsOf);
  if (found.success && problems.length === 0) return new Rules(found.data);
  const said = problems.map(({ path, problem }) => {
    const isMissing = path.length > 0 && !document.hasIn(path);
    const { line } = lines.linePos(offsetOf(document.contents, path));
    return `${source}:${line}: ${plain(path.join(".")) || "the file"} ${isMissing ? "is missing: add it" : problem}`;
  });
  throw new Error(said.join("; "));
}

interface Problem {
  path: PropertyKey[];
  problem: string;
}

const NO_GROUP = "is not a group of rules: write it as { name: value }";

/** What is said of a value of another kind, by what zod expected. */
const KINDS: Record<string, string> = {
  object: NO_GROUP,
  record: NO_GROUP,
  array: "is not a list: write it as [one, another]",
};

function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      problem: "is not a rule of this version: correct or remove it",
    }));
  const isAsNamed = issue.code !== "invalid_type" || !issue.message.startsWith("Invalid");
  return [
    { path: issue.path, problem: isAsNamed ? issue.message : (KINDS[issue.expected] ?? issue.message) },
  ];
}

/** What no schema of a single value sees: names, exceptions that have ended, and a date from which nothing can have changed. */
function domainProblems({ registration, changes, domains }: RulesText, now: Date): Problem[] {
  const named = new Set<string>();
  const ofDomains = Object.entries(domains).flatMap(([name, own]): Problem[] => {
    const key = comparableName(name);
    if (key === undefined || !key.includes("."))
      return [{ path: ["domains", name], problem: "is not a domain name: use one such as example.com" }];
    if (named.has(key)) return [{ path: ["domains", name], problem: "is there twice: make one of both" }];
    named.add(key);
    const bounds = { ...registration, ...own.registration };
    return [
      ...boundProblems(["domains", name, "registration"], bounds),
      ...(own.accept && daysUntil(own.accept.until, now) < 0
        ? [
            {
              path: ["domains", name, "accept"],
              problem: `ended on ${own.accept.until}: remove the exception, or give it a later date`,
            },
          ]
        : []),
    ];
  });
  const isAhead = changes && (toGivenInstant(changes.since) ?? now) > now;
  const ahead = {
    path: ["changes", "since"],
    problem: "is in the future (in UTC): give a time from which changes are known",
  };
  return [...boundProblems(["registration"], registration ?? {}), ...(isAhead ? [ahead] : []), ...ofDomains];
}

function boundProblems(path: string[], bounds: { minimumDays?: number; warnDays?: number }): Problem[] {
  const { minimumDays = 0, warnDays } = bounds;
  const isBelow = warnDays !== undefined && warnDays < minimumDays;
  return isBelow ? [{ path, problem: "has warnDays below minimumDays: raise them" }] : [];
}

/** Where a value begins, or its key if there is one; of a missing value, that of what should have it. */
function offsetOf(node: Node | null, path: readonly PropertyKey[]): number {
  const [step, ...rest] = path;
  const start = node?.range?.[0] ?? 0;
  if (step === undefined) return start;
  if (isSeq<Node>(node)) {
    const item = node.items[Number(step)];
    return item ? offsetOf(item, rest) : start;
  }
  if (!isMap<Node, Node | null>(node)) return start;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
  if (!pair) return start;
  return rest.length === 0 || !pair.value ? (pair.key.range?.[0] ?? start) : offsetOf(pair.value, rest);
}
