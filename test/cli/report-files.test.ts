/** A report as JUnit XML and as a calendar. */
import fc from "fast-check";
import { KINDS } from "../../src/rules/finding";
import {
  domainReport,
  finding,
  hostileReport,
  registered,
  renderCalendar,
  renderJunit,
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

    expect(contentOf("half.example.com", "change")).toMatch(
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
    const odd = finding("change", 'a < b & "c" \u0000 \ufffe \ud800 ]]> \'');
    const report = {
      ...hostileReport,
      domains: [...hostileReport.domains, domainReport({ findings: [odd] })],
    };

    const text = renderJunit(report);
    const rest = text
      .replace(/<(\/?[a-z-]+)((?: [a-z]+="[^"<>]*")*)\/?>/g, "")
      .replace(/^<\?.*\?>/, "");

    expect(rest.replaceAll("\n", "")).not.toMatch(
      /[<>\p{Cc}\ufffe\uffff]|&(?!(amp|lt|gt|quot|#39);)/u,
    );
  });
});

describe("a calendar", () => {
  const linesOf = (text: string) => text.replaceAll("\r\n ", "").split("\r\n");

  it("has the days to renew registrations, none in the past, each with a UID that stays", () => {
    const expiring = domainReport({ id: "a", domain: "a.example" });
    const late = registered("late.example", "expiring", "2026-03-13", 12);
    const renewed = (actBy: string) => ({
      ...late,
      registration: late.registration && { ...late.registration, actBy },
    });
    const lines = linesOf(
      renderCalendar({
        ...sampleReport,
        title: "All; of, it",
        domains: [renewed("2026-02-28"), expiring],
      }),
    );

    expect(lines).toEqual([
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//pulumi-domain-monitoring//report//EN",
      "X-WR-CALNAME:All\\; of\\, it",
      "BEGIN:VEVENT",
      "UID:registration-a@pulumi-domain-monitoring",
      "DTSTAMP:20260301T083000Z",
      "DTSTART;VALUE=DATE:20270130",
      "SUMMARY:Renew a.example",
      "DESCRIPTION:a.example expires on 2027-03-01\\, 365 days left",
      "TRANSP:TRANSPARENT",
      "END:VEVENT",
      "END:VCALENDAR",
      "",
    ]);
  });

  it("folds lines at 75 bytes without splitting or losing a character", () => {
    const text = fc.array(fc.constantFrom("a", "é", "例", "👩", "; ", "\\"), { maxLength: 200 });
    fc.assert(
      fc.property(text, (characters) => {
        const title = `x${characters.join("")}x`;
        const calendar = renderCalendar({ ...sampleReport, title });
        for (const line of calendar.split("\r\n")) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
          expect(Buffer.from(line).toString()).toBe(line);
        }

        const escaped = title.replace(/[\\;,]/g, "\\$&");

        expect(linesOf(calendar)).toContain(`X-WR-CALNAME:${escaped}`);
      }),
    );
  });

  it("has no property of a hostile service", () => {
    const names = linesOf(renderCalendar(hostileReport)).map((line) => line.split(/[:;]/)[0] ?? "");
    expect(
      names.filter(
        (name) =>
          !/^(BEGIN|END|VERSION|PRODID|X-WR-CALNAME|UID|DTSTAMP|DTSTART|SUMMARY|DESCRIPTION|TRANSP|)$/.test(
            name,
          ),
      ),
    ).toEqual([]);
  });
});
