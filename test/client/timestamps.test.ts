/** The service's dates as instants. */
import { toInstant } from "../../src/client";
import { isDate, toGivenInstant } from "../../src/client/timestamps";
import { fc } from "../support/properties";

const instants = fc.date({
  min: new Date("0000-01-01T00:00:00Z"),
  max: new Date("9999-12-31T23:59:59Z"),
  noInvalidDate: true,
});

test.each([
  ["2026-01-31T08:30:00.123456+02:00", "2026-01-31T06:30:00.123Z"],
  ["2026-01-31 08:30:00-05:30", "2026-01-31T14:00:00.000Z"],
  ["2026-01-31T08:30:00+0200", "2026-01-31T06:30:00.000Z"],
  ["2026-01-31T08:30:00Z", "2026-01-31T08:30:00.000Z"],
  ["2026-01-31t08:30:00z", "2026-01-31T08:30:00.000Z"],
  ["2026-01-31T08:30:00", "2026-01-31T08:30:00.000Z"],
])("%p, with an offset or without a fraction, is %s", (text, iso) => {
  expect(toInstant(text)?.toISOString()).toBe(iso);
});

test.each([
  ...["", "soon", "2026-02-30", "2026-13-01", "2026-1-31", " 2026-01-31", "20260131"],
  ...["2023-02-29 00:00:00", "2026-01-31 24:00:00", "2026-01-31 08:30", "-000001-01-01"],
  // 30 February exists in no zone, also where its instant would be 1 March in UTC.
  ...["2026-02-30T00:30:00+01:00", "2026-02-30T23:30:00-01:00", "2023-02-29 00:00:00+00:00"],
  ...["2026-01-31T24:00:00+00:00", "2026-01-31T08:30:00+24:00", "2026-01-31T08:30:00+01:60"],
  ...["2026-01-31T25:00:00Z", "2026-01-31T08:30:00+1", "2026-01-31T08:30:00 GMT"],
  ...["Jan 31 08:30:00 2026 GMT", "1769848200"],
])("%p is not a timestamp", (text) => {
  expect(toInstant(text)).toBeUndefined();
});

test("every instant survives a round trip through every offset", () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: -1439, max: 1439 }), (instant, minutes) => {
      const local = new Date(instant.getTime() + minutes * 60_000).toISOString();
      fc.pre(/^\d{4}-/.test(local));
      const hours = new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16);
      const offset = (minutes < 0 ? "-" : "+") + hours;
      expect(toInstant(local.replace("Z", offset))?.getTime()).toBe(instant.getTime());
    }),
  );
});

test("every instant survives a round trip through each of the formats", () => {
  fc.assert(
    fc.property(instants, (instant) => {
      const iso = instant.toISOString();
      const seconds = `${iso.slice(0, 19)}.000Z`;

      expect(toInstant(iso)?.toISOString()).toBe(iso);
      expect(toInstant(`${iso.slice(0, 23)}999Z`)?.toISOString()).toBe(iso);
      expect(toInstant(iso.slice(0, 19).replace("T", " "))?.toISOString()).toBe(seconds);
      expect(toInstant(iso.slice(0, 10))?.toISOString()).toBe(`${iso.slice(0, 10)}T00:00:00.000Z`);
    }),
  );
});

test.each([
  ["2024-02-29", true],
  ["2023-02-29", false],
  ["2026-01-31 08:30:00", false],
  ["2026-01-31T08:30:00Z", false],
  ["", false],
])("%p is a day: %p", (text, expected) => {
  expect(isDate(text)).toBe(expected);
});

test("a date that people give is a day or a time in UTC without a zone", () => {
  expect(toGivenInstant("2026-01-31")?.toISOString()).toBe("2026-01-31T00:00:00.000Z");
  expect(toGivenInstant("2026-01-31 08:30:00")?.toISOString()).toBe("2026-01-31T08:30:00.000Z");
  expect(toGivenInstant("2026-01-31T08:30:00Z")).toBeUndefined();
  expect(toGivenInstant("2026-02-30")).toBeUndefined();
});
