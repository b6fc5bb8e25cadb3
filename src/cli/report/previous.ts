/** Compares a report with an earlier one: what is new since, and what is resolved. */
import { z } from "zod";
import { messageOf } from "../../common/errors";
import { parseJson } from "../../common/text";
import { KINDS } from "../../rules/finding";
import { readGiven } from "../output";
import type { DomainReport, Report, ReportedFinding, ResolvedFinding } from "./model";

const finding = z.object({
  kind: z.enum(KINDS),
  about: z.string(),
  state: z.string(),
  verdict: z.string(),
  text: z.string(),
  ids: z.array(z.string()),
});

const domain = z.object({
  id: z.string(),
  domain: z.string().nullable(),
  findings: z.array(finding),
});

const document = z.object({
  version: z.literal(1),
  domains: z.array(domain),
  findings: z.array(finding),
});

/** An earlier report, as far as it is compared. */
export type Previous = z.infer<typeof document>;

/**
 * Reads an earlier report. One that is not there, as on the first night, is a note: it must not
 * stop an alarm.
 */
export async function readPrevious(file: string): Promise<{ previous?: Previous; note?: string }> {
  try {
    const { data, error } = document.safeParse(parseJson(await readGiven(file, "--previous")));
    if (error) throw new Error(`${file} is not a report of --format json`);

    return { previous: data };
  } catch (error) {
    return { note: `everything counts as new, as there is no earlier report: ${messageOf(error)}` };
  }
}

/**
 * Marks what is new, and lists what is resolved: a finding that the same domain no longer has, or a
 * domain that is gone.
 * @param isWhole whether every domain of the account was read
 */
export function compareReports(
  report: Report,
  previous: Previous | undefined,
  isWhole: boolean,
): Report {
  const before = previous ? withUnnamed(previous) : [];
  const known = new Set(
    before.flatMap(({ id, findings }) => findings.map((one) => keyOf(id, one))),
  );

  const today = withUnnamed(report);
  const found = new Set(
    today.flatMap(({ id, findings }) => findings.map((one) => subjectOf(id, one))),
  );

  const marked = (id: string, findings: readonly ReportedFinding[]) =>
    findings.map((one) => ({ ...one, isNew: !known.has(keyOf(id, one)) }));

  const domains = new Map(report.domains.map((one) => [one.id, one]));
  // A finding that is missing proves nothing if the domain was not read, or not completely.
  const isProven = (id: string) => {
    const one = domains.get(id);
    return one ? one.verdict !== "unknown" : isWhole || id === "";
  };

  const resolved = before
    .filter(({ id }) => isProven(id))
    .flatMap(({ id, domain, findings }): ResolvedFinding[] =>
      findings
        .filter((one) => !found.has(subjectOf(id, one)))
        .map(({ kind, text }) => ({ id, domain, kind, text })),
    );

  return {
    ...report,
    domains: report.domains.map(
      (one): DomainReport => ({ ...one, findings: marked(one.id, one.findings) }),
    ),
    findings: marked("", report.findings),
    resolved,
  };
}

type Compared = Pick<Previous["findings"][number], "kind" | "about" | "state" | "verdict" | "ids">;

/** The domains, and one without a name for the findings about none. */
function withUnnamed({
  domains,
  findings,
}: Pick<Previous, "domains" | "findings">): Previous["domains"] {
  return [...domains, { id: "", domain: null, findings }];
}

/** A finding as bad as it is: one that has become worse is new. */
function keyOf(id: string, one: Compared): string {
  return JSON.stringify([subjectOf(id, one), one.state, one.verdict]);
}

/**
 * The trouble that a finding is about. Texts have the days that are left, so they are not compared.
 */
function subjectOf(id: string, { kind, about, ids }: Compared): string {
  return JSON.stringify([id, kind, about, ids]);
}
