/** A report as metrics, read by a parser that others use. */
import { renderPrometheus } from "../../src/cli/report/prometheus";
import { certified, domainReport, finding, registered, sampleReport } from "./sample";

interface Family {
  name: string;
  help: string;
  type: string;
  metrics: { value: string; labels: Record<string, string> }[];
}
const parse: (text: string) => Family[] = require("parse-prometheus-text-format");

/** The values of one metric by the labels that tell them apart. */
function valuesOf(families: Family[], name: string): Record<string, number> {
  const { metrics = [] } = families.find((family) => family.name === `domain_monitoring_${name}`) ?? {};
  return Object.fromEntries(
    metrics.map(({ labels, value }) => [
      [labels.domain, labels.component].filter((label) => label !== undefined).join(" "),
      Number(value),
    ]),
  );
}

const at = (date: string) => Date.parse(date) / 1000;

it("metrics have their type and their help, and a parser reads them", () => {
  const families = parse(renderPrometheus(sampleReport));
  const names = ["registration_expiry_timestamp_seconds", "certificate_expiry_timestamp_seconds"];
  names.push("last_check_timestamp_seconds", "violations", "determined");
  expect(families.map(({ name, type }) => [name, type])).toEqual(
    names.map((name) => [`domain_monitoring_${name}`, "GAUGE"]),
  );
  for (const { help } of families) expect(help).toMatch(/^[A-Z].*\.$/);
});

it("metrics are times in seconds, and numbers of violations without those that are accepted", () => {
  const accepted = finding("registration", "expires (accepted)", { severity: "warning" });
  const domain = domainReport({ findings: [finding("change", "is new"), accepted] });
  const families = parse(renderPrometheus({ ...sampleReport, domains: [domain] }));
  const checked = at("2026-02-28T06:00:00Z");
  const expected = {
    registration_expiry_timestamp_seconds: { "example.com": at("2027-03-01") },
    certificate_expiry_timestamp_seconds: { "example.com": at("2026-04-30T12:00:00Z") },
    last_check_timestamp_seconds: {
      "example.com whois": checked,
      "example.com dns": checked,
      "example.com ssl": checked,
    },
    violations: { "example.com": 1 },
    determined: { "example.com": 1 },
  };
  for (const [name, values] of Object.entries(expected)) expect(valuesOf(families, name)).toEqual(values);
});

it("metrics have nothing for what is not known", () => {
  const nobody = sampleReport.domains.filter(({ domain }) => domain === null);
  const domains = [
    registered("new.example", "unknown", null, null),
    certified("odd.example", { status: "unreadable", expiresAt: "next spring" }),
    ...nobody,
  ];
  const families = parse(renderPrometheus({ ...sampleReport, domains }));
  expect(Object.keys(valuesOf(families, "registration_expiry_timestamp_seconds"))).toEqual(["odd.example"]);
  expect(Object.keys(valuesOf(families, "certificate_expiry_timestamp_seconds"))).toEqual(["new.example"]);
  expect(valuesOf(families, "violations")).toEqual({ "new.example": 1, "odd.example": 1 });
  expect(valuesOf(families, "determined")).toEqual({
    "new.example": 1,
    "odd.example": 1,
    [nobody[0]?.id ?? ""]: 0,
  });
});

it("a name keeps its quotes and backslashes, and cannot begin a line", () => {
  const domain = 'a"b\\n\ndomain_monitoring_violations{domain="forged"} 0';
  const text = renderPrometheus({ ...sampleReport, domains: [domainReport({ domain })] });
  expect(Object.keys(valuesOf(parse(text), "determined"))).toEqual([domain.replace("\n", " ")]);
  for (const line of text.trimEnd().split("\n"))
    expect(line).toMatch(/^(# (HELP|TYPE) )?domain_monitoring_\w+/);
});
