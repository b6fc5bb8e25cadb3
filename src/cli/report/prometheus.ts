/** A report as metrics in the Prometheus text format, which its collectors for files and batch jobs take. */
import { toInstantWithOffset } from "../../client/timestamps";
import { plain } from "../text";
import type { DomainReport, Report } from "./model";
import { nameOf } from "./words";

/** One value; undefined if it is not known, and then left out. */
interface Sample {
  component?: string;
  value: number | undefined;
}

interface Metric {
  name: string;
  help: string;
  samples: (domain: DomainReport) => Sample[];
}

const METRICS: Metric[] = [
  {
    name: "registration_expiry_timestamp_seconds",
    help: "Beginning of the day, in UTC, on which the registration expires.",
    samples: ({ registration }) => [{ value: seconds(registration?.expiresAt) }],
  },
  {
    name: "certificate_expiry_timestamp_seconds",
    help: "Time at which the certificate expires.",
    samples: ({ certificate }) => [{ value: seconds(certificate?.expiresAt) }],
  },
  {
    name: "last_check_timestamp_seconds",
    help: "Time of the last check of a component.",
    samples: ({ components }) =>
      Object.entries(components ?? {}).map(([component, { lastCheckedAt }]) => ({
        component,
        value: seconds(lastCheckedAt),
      })),
  },
  {
    name: "violations",
    help: "Number of violations of the rules that no exception accepts.",
    samples: ({ domain, findings }) => [
      { value: domain === null ? undefined : findings.filter(({ severity }) => severity === "error").length },
    ],
  },
  {
    name: "determined",
    help: "Whether everything about the domain could be determined (1) or not (0).",
    samples: ({ problems }) => [{ value: problems.length === 0 ? 1 : 0 }],
  },
];

/** Renders the metrics. */
export function renderPrometheus({ domains }: Report): string {
  return METRICS.map(({ name, help, samples }) => {
    const metric = `domain_monitoring_${name}`;
    const lines = domains.flatMap((domain) =>
      samples(domain).flatMap(({ value, ...labels }) =>
        value === undefined
          ? []
          : `${metric}${labelled({ domain: nameOf(domain), id: domain.id, ...labels })} ${value}\n`,
      ),
    );
    return `# HELP ${metric} ${help}\n# TYPE ${metric} gauge\n${lines.join("")}`;
  }).join("");
}

function seconds(date: string | null | undefined): number | undefined {
  const instant = toInstantWithOffset(date ?? "");
  return instant && Math.floor(instant.getTime() / 1000);
}

function labelled(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(
    ([name, text]) => `${name}="${plain(text).replace(/["\\]/g, "\\$&")}"`,
  );
  return `{${pairs.join(",")}}`;
}
