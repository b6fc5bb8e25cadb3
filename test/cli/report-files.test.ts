/** A report as JUnit XML. */
import { KINDS } from "../../src/rules/finding";
import {
  domainReport,
  finding,
  hostileReport,
  renderJunit,
  reportOn,
  sampleReport,
} from "./sample";

describe("JUnit XML", () => {
  const xml = renderJunit(sampleReport);
  const casesOf = (text: string, name: string) =>
    [
      ...text.matchAll(
        /<testcase classname="([^"]*)" name="([^"]*)"(?:\/>|>([\s\S]*?)<\/testcase>)/g,
      ),
    ].filter(([, domain]) => domain === name);

  it("has a case for each domain and kind, by which a platform tells new failures from old ones", () => {
    for (const { domain, id } of sampleReport.domains)
      expect(casesOf(xml, domain ?? id).map(([, , kind]) => kind)).toEqual([...KINDS]);
  });

  it("has a failure for a violation and an error for an undetermined finding", () => {
    const contentOf = (name: string, kind: string) =>
      casesOf(xml, name).find(([, , one]) => one === kind)?.[3];

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
    const [, tests, failures, errors] =
      /tests="(\d+)" failures="(\d+)" errors="(\d+)"/.exec(xml) ?? [];

    expect(Number(tests)).toBe(xml.match(/<testcase /g)?.length);
    expect(Number(failures)).toBe(xml.match(/<failure /g)?.length);
    expect(Number(errors)).toBe(xml.match(/<error /g)?.length);
  });

  it("is well-formed, whatever the service says", () => {
    const odd = finding("component", 'a < b & "c" \u0000 \ufffe \ud800 ]]> \'');
    const report = reportOn([...hostileReport.domains, domainReport({ findings: [odd] })]);
    const text = renderJunit(report);
    const rest = text
      .replace(/<(\/?[a-z-]+)((?: [a-z]+="[^"<>]*")*)\/?>/g, "")
      .replace(/^<\?.*\?>/, "");

    expect(rest.replaceAll("\n", "")).not.toMatch(
      /[<>\p{Cc}\ufffe\uffff]|&(?!(amp|lt|gt|quot|#39);)/u,
    );
  });
});
