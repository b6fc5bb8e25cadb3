/** A report as metrics, read by a common parser. */
import { certified, domainReport, failed, finding, renderPrometheus, reportOn } from "./sample";

interface Family {
  name: string;
  help: string;
  type: string;
  metrics: { value: string; labels: Record<string, string> }[];
}

const parse: (text: string) => Family[] = require("parse-prometheus-text-format");

it("metrics count unaccepted violations and leave out unknown times", () => {
  const accepted = finding("registration", "expires (accepted)", { verdict: "warn" });
  const nothing = { registration: null, certificate: null, components: null };

  const domains = [
    domainReport({ findings: [finding("component", "is off"), accepted] }),
    {
      ...certified("odd.example", { status: "unreadable", expiresAt: "next spring" }),
      components: null,
    },
    domainReport({ id: "nobody", ...failed("domain", 404, "not found"), domain: null, ...nothing }),
  ];

  const families = parse(renderPrometheus(reportOn(domains)));
  for (const { type, help } of families) expect(`${type} ${help}`).toMatch(/^GAUGE [A-Z].*\.$/);
  const samples = families.flatMap(({ name, metrics }) =>
    metrics.map(({ labels, value }) =>
      [name, labels.domain, labels.component, value].filter((part) => part !== undefined).join(" "),
    ),
  );

  const seconds = (date: string) => Date.parse(date) / 1000;
  const checked = seconds("2026-02-28T06:00:00Z");
  expect(samples).toEqual(
    [
      `registration_expiry_timestamp_seconds example.com ${seconds("2027-03-01")}`,
      `registration_expiry_timestamp_seconds odd.example ${seconds("2027-03-01")}`,
      `certificate_expiry_timestamp_seconds example.com ${seconds("2026-04-30T12:00:00Z")}`,
      ...["whois", "dns", "ssl"].map(
        (name) => `last_check_timestamp_seconds example.com ${name} ${checked}`,
      ),
      "violations example.com 1",
      "violations odd.example 1",
      "violations channels of unknown domains 1",
      "determined example.com 1",
      "determined odd.example 1",
      "determined nobody 0",
      "determined channels of unknown domains 0",
    ].map((sample) => `domain_monitoring_${sample}`),
  );
});

it("a name keeps its quotes and backslashes, and cannot begin a line", () => {
  const domain = 'a"b\\n\ndomain_monitoring_violations{domain="forged"} 0';
  const report = reportOn([domainReport({ domain })], []);
  const text = renderPrometheus(report);
  const names = parse(text).flatMap(({ metrics }) => metrics.map(({ labels }) => labels.domain));

  expect(new Set(names)).toEqual(new Set([domain.replace("\n", " ")]));

  for (const line of text.trimEnd().split("\n"))
    expect(line).toMatch(/^(# (HELP|TYPE) )?domain_monitoring_\w+/);
});
