/**
 * The schema of a rules file. A rule that is left out or empty is inherited; where a rule can be
 * switched off, null does that.
 */
import { z } from "zod";
import { either } from "../../common/text";
import { COMPONENTS } from "../../rules/components";
import { daysUntil } from "../../rules/days";
import { comparableName } from "../../rules/domain-names";
import { SUBJECTS } from "../../rules/finding";
import { DATE, DAYS, HOURS, MAX_DAYS, REACTION, REASON, type Scalar } from "../../rules/scalars";

/** A scalar by its place in the table; editors check it by a schema of their own. */
function scalar<T>({ parse, problem }: Scalar<T>, ofEditors: Record<string, unknown>) {
  return z.custom<T>((value) => parse(value) !== undefined, problem).meta(ofEditors);
}

const days = scalar(DAYS, { type: "integer", minimum: 0, maximum: MAX_DAYS });
const hours = scalar(HOURS, { type: "number", exclusiveMinimum: 0 });
const reaction = scalar(REACTION, { type: "string", enum: ["error", "warn"] });
const date = scalar(DATE, { type: "string", format: "date" });
const reason = scalar(REASON, { type: "string", minLength: 1 });

const text = z
  .string("is not a string: put it in quotes")
  .trim()
  .min(1, "is empty: fill it in or remove it");

const textList = z.array(text).min(1, "is empty: fill it in or remove it");

/** A key that may be left empty, as before its first line is written. */
function orEmpty<Schema extends z.ZodType>(schema: Schema) {
  return schema
    .nullable()
    .transform((value) => value ?? undefined)
    .optional();
}

const registration = z
  .strictObject({
    minimumDays: days,
    warnDays: days,
    maximumAgeHours: hours,
    onUnknown: reaction,
    registrars: textList,
  })
  .partial()
  .refine(({ minimumDays = 0, warnDays = minimumDays }) => warnDays >= minimumDays, {
    error: "has warnDays below minimumDays: raise them",
    abort: true,
  });

const certificate = z
  .strictObject({ minimumDays: days, onUnknown: reaction, issuers: textList })
  .partial();

/** Switched on, `HEALTHY`, and checked within `registration.maximumAgeHours`. */
const components = z.strictObject({
  required: orEmpty(z.array(z.enum(COMPONENTS, "is not a component: use whois, dns or ssl"))),
});

/** Parts that may differ for groups and single domains. */
const layer = {
  registration: registration.nullish(),
  certificate: certificate.nullish(),
  components: orEmpty(components),
};

const group = z.strictObject({ names: textList, ...layer });

/** Longest exception, in days. */
const MAX_EXCEPTION_DAYS = 366;

const domainName = z
  .string()
  .refine((name) => !name.includes("*"), {
    error: "is a pattern, and domains have names: write a group with it",
    abort: true,
  })
  .refine(
    (name) => comparableName(name)?.includes("."),
    "is not a domain name: use one such as example.com",
  );

/**
 * The schema of the file on a day. An exception that has ended is no mistake: it is a finding of
 * its domain.
 */
export const rulesSchema = (now: Date) => {
  const until = date.refine(
    (given) => daysUntil(given, now) <= MAX_EXCEPTION_DAYS,
    `is more than ${MAX_EXCEPTION_DAYS} days from today: use an earlier date`,
  );

  const exception = z.strictObject({
    about: z.enum(SUBJECTS, `is not a subject: use ${either(SUBJECTS)}`),
    until,
    reason,
  });

  const domain = z.strictObject({ ...layer, accept: orEmpty(z.array(exception)) });

  return z.strictObject({
    ...layer,
    /** Whether the channels of the service have to be the ones that stacks have recorded. */
    channels: orEmpty(
      z.strictObject({ recorded: z.boolean("is not a boolean: use true or false") }),
    ),
    groups: orEmpty(z.record(text, group)),
    domains: orEmpty(z.record(domainName, orEmpty(domain)).superRefine(refuseTwins)),
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

type Parsed = z.infer<ReturnType<typeof rulesSchema>>;

/** The contents of a rules file. */
export interface Rules extends Omit<Parsed, "groups"> {
  /** Each with its name, in the order of the file; an object would begin with names of digits. */
  groups: (Group & { name: string })[];
}

/** A group of domains. */
export type Group = z.infer<typeof group>;

/** The rules of a group, or of a domain. */
export type Layer = z.infer<z.ZodObject<typeof layer>>;
