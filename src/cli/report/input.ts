/** Reads an earlier report, to render it again or to compare with it. */
import { z } from "zod";
import { canonicalId } from "../../client/rules";
import { messageOf } from "../../common/errors";
import { parseJson } from "../../common/text";
import { VERDICTS } from "../../rules/expiry-rule";
import { CHANGE_KINDS } from "../../rules/fields";
import { KINDS, SUBJECTS } from "../../rules/finding";
import { readGiven } from "../files";
import type { Report } from "./model";

const text = z.string();
const textOrNull = text.nullable();
const id = text.transform(canonicalId);
const dateless = z.number().nullable();

const failure = z.object({ kind: text, status: z.number().nullable(), message: text });

const fieldChange = z.object({
  kind: z.enum(CHANGE_KINDS),
  oldValue: textOrNull,
  newValue: textOrNull,
  changes: z.array(z.object({ id, createdAt: text })),
});

const finding = z.object({
  kind: z.enum(KINDS),
  about: z.enum([...SUBJECTS, "domain"]),
  field: textOrNull,
  state: text,
  verdict: z.enum(["warn", "fail", "unknown"]),
  urgency: z.number(),
  text,
  at: textOrNull,
  ids: z.array(id),
  change: fieldChange.nullable(),
  failure: failure.nullable(),
  isNew: z.boolean().nullable(),
  isKept: z.boolean(),
});

const dates = {
  expiresAt: textOrNull,
  daysLeft: dateless,
  actBy: textOrNull,
  checkedAt: textOrNull,
  text,
};

const registration = z.object({
  status: z.enum(["ok", "expiring", "expired", "stale", "unknown"]),
  ...dates,
});

const certificate = z.object({
  status: z.enum(["ok", "expiring", "expired", "invalid", "unreadable", "unknown", "unmonitored"]),
  ...dates,
  issuer: textOrNull,
  organization: textOrNull,
  unreadable: z.array(z.object({ field: text, value: text })),
});

const monitored = z.object({
  isEnabled: z.boolean(),
  checkInterval: textOrNull,
  checkStatus: textOrNull,
  latestCheckDetails: textOrNull,
  lastCheckedAt: textOrNull,
  nextCheckAt: textOrNull,
  lastManualCheckAt: textOrNull,
  changesDetectedAt: textOrNull,
  hasChangedRecently: z.boolean(),
  wasManuallyCheckedRecently: z.boolean(),
});

const components = z.object({
  whois: monitored,
  dns: monitored.extend({ enabledRecords: z.array(text) }),
  ssl: z.object({
    isEnabled: z.boolean(),
    issuer: textOrNull,
    organization: textOrNull,
    expiresAt: textOrNull,
    lastCheckedAt: textOrNull,
    lastFoundInvalidAt: textOrNull,
    lastConsideredValidAt: textOrNull,
    hasChangedRecently: z.boolean(),
  }),
});

const change = z.object({
  id,
  kind: z.enum(CHANGE_KINDS),
  fieldChanged: text,
  createdAt: text,
  summary: text,
});

const changes = z.object({ count: z.number(), changes: z.array(change) });

const domain = z.object({
  id,
  verdict: z.enum(VERDICTS),
  domain: textOrNull,
  label: textOrNull,
  registrar: textOrNull,
  findings: z.array(finding),
  remarks: z.array(text),
  registration: registration.nullable(),
  certificate: certificate.nullable(),
  components: components.nullable(),
  whoisChanges: changes.nullable(),
  dnsChanges: changes.nullable(),
});

const resolved = z.object({
  id,
  domain: textOrNull,
  kind: z.enum(KINDS),
  field: textOrNull,
  text,
});

/** Whoever adds a field gives it a default, so that earlier reports of version 1 stay readable. */
const document: z.ZodType<Report> = z.object({
  version: z.literal(1),
  title: text,
  generatedAt: z.iso.datetime(),
  exitCode: z.number(),
  kinds: z.array(z.enum(CHANGE_KINDS)),
  since: text,
  reviewSince: textOrNull,
  minimumDays: dateless,
  certificateDays: dateless,
  summary: z.object({
    domains: z.number(),
    pass: z.number(),
    warn: z.number(),
    fail: z.number(),
    unknown: z.number(),
  }),
  domains: z.array(domain),
  findings: z.array(finding),
  resolved: z.array(resolved).nullable(),
  notes: z.array(text),
});

/** The report in a text; undefined if it is none. */
export function parseReport(json: string): Report | undefined {
  return document.safeParse(parseJson(json)).data;
}

/** Reads a report that an option names. @throws Error with one line */
export async function readReport(file: string, option: string): Promise<Report> {
  const report = parseReport(await readGiven(file, option));
  if (!report)
    throw new Error(`${file} is not a report: use the output of \`report --format json\``);

  return report;
}

/** The findings of an earlier report, and a note if it is not there. */
export interface Earlier {
  found: Pick<Report, "domains" | "findings">;
  notes: string[];
}

/**
 * Reads the report to compare with. A missing one, as on the first night, is a note: it must not
 * stop an alarm.
 */
export async function readEarlier(file: string): Promise<Earlier> {
  try {
    return { found: await readReport(file, "--previous"), notes: [] };
  } catch (error) {
    const note = `everything counts as new, because there is no earlier report: ${messageOf(error)}`;
    return { found: { domains: [], findings: [] }, notes: [note] };
  }
}
