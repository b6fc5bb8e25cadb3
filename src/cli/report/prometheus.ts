/** A report as metrics in the Prometheus text format, for collectors of files and batch jobs. */

import { toInstant } from "../../client/timestamps";
import { nameOf } from "../text";
import type { Report } from "./model";
import { type ReportedDomain, reportedDomains } from "./texts";

/** Values by component, or a single one; unknown values are left out. */
type Values = number | undefined | Record<string, number | undefined>;

const METRICS: Record<string, { help: string; of: (domain: ReportedDomain) => Values }> = {
  registration_expiry_timestamp_seconds: {
    help: "Beginning of the day, in UTC, on which the registration expires.",
    of: ({ registration }) => unixSeconds(registration?.expiresAt),
  },
  certificate_expiry_timestamp_seconds: {
    help: "Time at which the certificate expires.",
    of: ({ certificate }) => unixSeconds(certificate?.expiresAt),
  },
  last_check_timestamp_seconds: {
    help: "Time of the last check of a component.",
    of: ({ components }) => ({
      whois: unixSeconds(components?.whois.lastCheckedAt),
      dns: unixSeconds(components?.dns.lastCheckedAt),
      ssl: unixSeconds(components?.ssl.lastCheckedAt),
    }),
  },
  violations: {
    help: "Number of violations of the rules that no exception accepts.",
    of: ({ domain, findings }) =>
      domain === null ? undefined : findings.filter(({ verdict }) => verdict === "fail").length,
  },
  determined: {
    help: "Whether everything about the domain could be determined (1) or not (0).",
    of: ({ verdict }) => (verdict === "unknown" ? 0 : 1),
  },
};

export function renderPrometheus(report: Report): string {
  const domains = reportedDomains(report);

  return Object.entries(METRICS)
    .map(([name, { help, of }]) => {
      const metric = `domain_monitoring_${name}`;
      const samples = domains.flatMap((domain) => samplesOf(metric, domain, of(domain)));

      return `# HELP ${metric} ${help}\n# TYPE ${metric} gauge\n${samples.join("")}`;
    })
    .join("");
}

function samplesOf(metric: string, domain: ReportedDomain, values: Values): string[] {
  const labels = `domain="${escaped(nameOf(domain))}",id="${escaped(domain.id)}"`;
  if (typeof values !== "object")
    return values === undefined ? [] : [`${metric}{${labels}} ${values}\n`];

  return Object.entries(values).flatMap(([component, value]) =>
    value === undefined ? [] : `${metric}{${labels},component="${component}"} ${value}\n`,
  );
}

function unixSeconds(date: string | null | undefined): number | undefined {
  const instant = toInstant(date ?? "");
  return instant && Math.floor(instant.getTime() / 1000);
}

function escaped(label: string): string {
  return label.replace(/["\\]/g, "\\$&");
}
