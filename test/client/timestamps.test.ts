/** The service's dates as instants. */
import fc from "fast-check";
import { toInstant } from "../../src/client";

test.each([
  ["2026-01-31T08:30:00.123456Z", "2026-01-31T08:30:00.123Z"],
  ["2026-01-31T08:30:00Z", "2026-01-31T08:30:00.000Z"],
  ["2026-01-31 08:30:00", "2026-01-31T08:30:00.000Z"],
  ["2026-01-31", "2026-01-31T00:00:00.000Z"],
  ["2024-02-29", "2024-02-29T00:00:00.000Z"],
])("%p is %s", (text, iso) => {
  expect(toInstant(text)?.toISOString()).toBe(iso);
});

test.each([
  "",
  "soon",
  "2026-02-30",
  "2023-02-29 00:00:00",
  "2026-13-01",
  "2026-01-31T25:00:00Z",
  "2026-01-31 24:00:00",
  "2026-01-31T08:30:00+01:00",
  "2026-01-31T08:30:00",
  "2026-01-31 08:30",
  "2026-1-31",
  " 2026-01-31",
  "20260131",
  "-000001-01-01",
])("%p is none", (text) => {
  expect(toInstant(text)).toBeUndefined();
});

const instants = fc.date({
  min: new Date("0000-01-01T00:00:00Z"),
  max: new Date("9999-12-31T23:59:59Z"),
  noInvalidDate: true,
});

test("every instant comes back from each of the formats", () => {
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

test("no text makes it throw or give an invalid date", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?$/)), (text) => {
      const instant = toInstant(text);
      expect(instant === undefined || !Number.isNaN(instant.getTime())).toBe(true);
    }),
  );
});
