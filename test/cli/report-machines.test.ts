/** A report for other programs: as JSON, as JUnit XML, and as metrics that a common parser reads. */
import { render } from "../../src/cli/report/render";
import { toJson } from "../../src/common/text";
import { KINDS } from "../../src/rules/finding";
import {
  certified,
  domainReport,
  finding,
  hostileReport,
  reportOn,
  sampleReport,
  undetermined,
} from "./sample";

describe("JSON", () => {
  it("is complete, and indented by two spaces", () => {
    expect(render(sampleReport, "json")).toBe(`${JSON.stringify(sampleReport, null, 2)}\n`);
  });

  it("escapes what controls a terminal", () => {
    const json = toJson({ label: "\u001b\u009b\u007f\u2028" });
    expect(json).toBe('{\n  "label": "\\u001b\\u009b\\u007f\\u2028"\n}');
    expect(JSON.parse(json)).toEqual({ label: "\u001b\u009b\u007f\u2028" });
  });
});

describe("JUnit XML", () => {
  const xml = render(sampleReport, "junit");
  const cases = [
    ...xml.matchAll(/<testcase classname="([^"]*)" name="([^"]*)"(?:\/>|>([\s\S]*?)<\/testcase>)/g),
  ];

  const casesOf = (name: string) => cases.filter(([, domain]) => domain === name);

  it("has a case for each domain and kind, by which a platform tells new failures from old ones", () => {
    for (const { domain, id } of sampleReport.domains)
      expect(casesOf(domain ?? id).map(([, , kind]) => kind)).toEqual([...KINDS]);
  });

  it("has a failure for a violation and an error for an undetermined finding", () => {
    const contentOf = (name: string, kind: string) =>
      casesOf(name).find(([, , one]) => one === kind)?.[3];

    expect(contentOf("soon.example.org", "registration")).toBe(
      '<failure message="is expiring: renew it">is expiring: renew it</failure>',
    );
    expect(contentOf("half.example.com", "changes")).toMatch(
      /^<error message="DNS changes could not be /,
    );
    expect(contentOf("parked.example.net", "registration")).toMatch(
      /^<system-out>expires on 2026-03-04/,
    );
    expect(contentOf("example.com", "registration")).toBeUndefined();
    expect(contentOf("channels of unknown domains", "channel")).toMatch(
      /^<error message="channel desk/,
    );
  });

  it("counts its cases, failures and errors", () => {
    const count = (element: string) => xml.split(`<${element} `).length - 1;
    expect(xml).toContain(
      `<testsuites tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}">`,
    );
  });

  it("is well-formed, whatever the service says", () => {
    const odd = finding("component", 'a < b & "c" \u0000 \ufffe \ud800 ]]> \'');
    const report = reportOn([...hostileReport.domains, domainReport({ findings: [odd] })]);
    const rest = render(report, "junit")
      .replace(/<(\/?[a-z-]+)((?: [a-z]+="[^"<>]*")*)\/?>/g, "")
      .replace(/^<\?.*\?>/, "");

    expect(rest.replaceAll("\n", "")).not.toMatch(
      /[<>\p{Cc}\ufffe\uffff]|&(?!(amp|lt|gt|quot|#39);)/u,
    );
  });
});

describe("metrics", () => {
  interface Family {
    name: string;
    help: string;
    type: string;
    metrics: { value: string; labels: Record<string, string> }[];
  }

  const parse: (text: string) => Family[] = require("parse-prometheus-text-format");

  it("count unaccepted violations and leave out unknown times", () => {
    const accepted = finding("registration", "expires (accepted)", { verdict: "warn" });
    const domains = [
      domainReport({ findings: [finding("component", "is off"), accepted] }),
      {
        ...certified("odd.example", { status: "unreadable", expiresAt: "next spring" }),
        components: null,
      },
      undetermined("nobody", 404, "not found"),
    ];

    const families = parse(render(reportOn(domains), "prometheus"));
    for (const { type, help } of families) expect(`${type} ${help}`).toMatch(/^GAUGE [A-Z].*\.$/);

    const samples = families.flatMap(({ name, metrics }) =>
      metrics.map(({ labels: { domain, component = "" }, value }) =>
        `${name} ${domain} ${component} ${value}`.replace("  ", " "),
      ),
    );

    const seconds = (date: string) => Date.parse(date) / 1000;
    const checked = seconds("2026-02-28T06:00:00Z");
    expect(samples).toEqual(
      [
        `registration_expiry_timestamp_seconds example.com ${seconds("2027-03-01")}`,
        `registration_expiry_timestamp_seconds odd.example ${seconds("2027-03-01")}`,
        `certificate_expiry_timestamp_seconds example.com ${seconds("2026-04-30T12:00:00Z")}`,
        `last_check_timestamp_seconds example.com whois ${checked}`,
        `last_check_timestamp_seconds example.com dns ${checked}`,
        `last_check_timestamp_seconds example.com ssl ${checked}`,
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

  it("keep the quotes and backslashes of a name, which cannot begin a line", () => {
    const domain = 'a"b\\n\ndomain_monitoring_violations{domain="forged"} 0';
    const text = render(reportOn([domainReport({ domain })], []), "prometheus");
    const names = parse(text).flatMap(({ metrics }) => metrics.map(({ labels }) => labels.domain));

    expect(new Set(names)).toEqual(new Set([domain.replace("\n", " ")]));

    for (const line of text.trimEnd().split("\n"))
      expect(line).toMatch(/^(# (HELP|TYPE) )?domain_monitoring_\w+/);
  });
});
