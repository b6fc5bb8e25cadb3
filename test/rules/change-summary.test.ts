import * as fc from "fast-check";
import type { DnsRecord } from "../../src/client/change-values";
import {
  type DecodedDnsChange,
  type DnsChangesSummary,
  summarizeDnsChanges,
} from "../../src/rules/change-summary";
import { commandsIn } from "../support/hostile";

let count = 0;

function change(
  before: DnsRecord[] | null,
  after: DnsRecord[] | null,
  rest: Partial<DecodedDnsChange> = {},
): DecodedDnsChange {
  const createdAt = "2026-02-01 10:00:00";
  return {
    id: `change-${count++}`,
    fieldChanged: "a_records",
    createdAt,
    before,
    after,
    ...rest,
  };
}

const a = (value: string, ttl = 300, host = "example.com"): DnsRecord => ({ host, value, ttl });

const mx = (value: string, priority: number): DnsRecord => ({ ...a(value), priority });

function only(summary: DnsChangesSummary) {
  const found = summary.types[0]?.changes[0];
  if (!found || summary.total !== 1) throw new Error("expected one change");

  return found;
}

describe("a summary of DNS changes", () => {
  it("is empty for no changes", () => {
    expect(summarizeDnsChanges([])).toEqual({ total: 0, types: [], text: [] });
  });

  it.each([
    [
      "what was added and what was removed, but not what is there before and after",
      [a("192.0.2.1"), a("192.0.2.2")],
      [a("192.0.2.1"), a("192.0.2.3", 60, "www.example.com")],
      ["added www.example.com 192.0.2.3 (ttl 60)", "removed example.com 192.0.2.2 (ttl 300)"],
    ],
    [
      "a different ttl or priority of the same host and value as an alteration",
      [mx("mx1.example.com", 10), mx("mx2.example.com", 20)],
      [{ ...mx("mx1.example.com", 30), ttl: 60 }, mx("mx2.example.com", 20)],
      ["altered example.com mx1.example.com: ttl 300 is now 60, priority 10 is now 30"],
    ],
    [
      "a different value as an alteration if one record of a host was replaced by one other",
      [a("192.0.2.1"), a("192.0.2.9")],
      [a("192.0.2.9"), a("192.0.2.2", 60)],
      ["altered example.com: value 192.0.2.1 is now 192.0.2.2, ttl 300 is now 60"],
    ],
    [
      "no guess which record replaced which if a host had several",
      [a("192.0.2.1"), a("192.0.2.2")],
      [a("192.0.2.3")],
      [
        "added example.com 192.0.2.3 (ttl 300)",
        "removed example.com 192.0.2.1 (ttl 300)",
        "removed example.com 192.0.2.2 (ttl 300)",
      ],
    ],
    [
      "that only the order changed",
      [a("192.0.2.1"), a("192.0.2.2")],
      [a("192.0.2.2"), a("192.0.2.1")],
      ["nothing added, removed or altered"],
    ],
  ])("has %s", (_title, before, after, text) => {
    const summary = only(summarizeDnsChanges([change(before, after)]));

    expect(summary.text).toEqual(text);

    const linesOf = (kind: string) => text.filter((line) => line.startsWith(kind));

    expect(summary.added).toHaveLength(linesOf("added").length);
    expect(summary.removed).toHaveLength(linesOf("removed").length);
    expect(summary.altered).toHaveLength(linesOf("altered").length);
  });

  it.each([
    [null, [a("192.0.2.1")], "previous"],
    [[a("192.0.2.1")], null, "new"],
    [null, null, "previous and new"],
  ])("says what cannot be decoded: %j, %j", (before, after, which) => {
    const summary = summarizeDnsChanges([change(before, after)]);

    expect(only(summary)).toMatchObject({
      decoded: false,
      added: [],
      removed: [],
      altered: [],
      text: [`changed, but the ${which} records cannot be decoded: see oldValue and newValue`],
    });

    expect(summary.text[0]).toBe("A: 1 change: 0 added, 0 removed, 0 altered, 1 not decoded");
  });

  it("groups by record type, with the newest change first", () => {
    const summary = summarizeDnsChanges([
      change([], [mx("mx1.example.com", 10)], { fieldChanged: "mx_records" }),
      change([a("192.0.2.1")], [], { createdAt: "2026-01-01 00:00:00" }),
      change([], [a("192.0.2.1")], { createdAt: "2026-01-02 00:00:00" }),
      change([], [], { fieldChanged: "zone transfer" }),
    ]);

    expect(summary.text).toEqual([
      "A: 2 changes: 1 added, 1 removed, 0 altered",
      "A 2026-01-02 00:00:00: added example.com 192.0.2.1 (ttl 300)",
      "A 2026-01-01 00:00:00: removed example.com 192.0.2.1 (ttl 300)",
      "MX: 1 change: 1 added, 0 removed, 0 altered",
      "MX 2026-02-01 10:00:00: added example.com mx1.example.com (ttl 300, priority 10)",
      "zone transfer: 1 change: 0 added, 0 removed, 0 altered",
      "zone transfer 2026-02-01 10:00:00: nothing added, removed or altered",
    ]);
  });

  // There are few hosts, values and numbers, so that records often meet.
  const record: fc.Arbitrary<DnsRecord> = fc
    .record({
      host: fc.constantFrom("a", "b", "@"),
      value: fc.constantFrom("1", "2", "3"),
      ttl: fc.constantFrom(60, 300),
      priority: fc.option(fc.constantFrom(0, 10), { nil: undefined }),
    })
    .map(({ priority, ...rest }) => (priority === undefined ? rest : { ...rest, priority }));

  const records = fc.array(record, { maxLength: 7 });

  /** Checks everything that holds for any records before and after. */
  const whatever = (
    check: (done: ReturnType<typeof only>, before: DnsRecord[], after: DnsRecord[]) => void,
  ) =>
    fc.assert(
      fc.property(records, records, (before, after) =>
        check(only(summarizeDnsChanges([change(before, after)])), before, after),
      ),
    );

  it("transforms the records before into the records after", () => {
    whatever(({ added, removed, altered }, before, after) => {
      const gone = sorted([...removed, ...altered.map((pair) => pair.before)]);
      const kept = without(before, gone);

      expect(sorted([...kept, ...added, ...altered.map((pair) => pair.after)])).toEqual(
        sorted(after),
      );
    });
  });

  it("reports no alteration without a difference, and no record as added that existed unchanged", () => {
    whatever(({ added, removed, altered }) => {
      for (const pair of altered) {
        expect(pair.before.host).toBe(pair.after.host);
        expect(pair.before).not.toEqual(pair.after);
      }

      const names = (list: DnsRecord[]) => list.map(({ host, value }) => `${host} ${value}`);

      expect(names(added).filter((name) => names(removed).includes(name))).toEqual([]);
    });
  });

  it("does not depend on the order of changes or records", () => {
    const day = fc.integer({ min: 1, max: 3 }).map((number) => `2026-02-0${number} 12:00:00`);
    const some = fc.array(
      fc.tuple(
        fc.option(records),
        fc.option(records),
        day,
        fc.constantFrom("a_records", "mx_records", "x"),
      ),
      { maxLength: 5 },
    );

    fc.assert(
      fc.property(some, (list) => {
        const changes = list.map(([before, after, createdAt, fieldChanged], index) =>
          change(before, after, {
            createdAt,
            fieldChanged,
            id: `change-${index}`,
          }),
        );

        const copy = structuredClone(changes);
        const summary = summarizeDnsChanges(changes);

        expect(changes).toEqual(copy);

        const turned = changes.map((one) => ({
          ...one,
          before: one.before && [...one.before].reverse(),
          after: one.after && [...one.after].reverse(),
        }));

        expect(summarizeDnsChanges(turned.reverse())).toEqual(summary);
        // The summary is plain data.
        expect(JSON.parse(JSON.stringify(summary))).toEqual(summary);
      }),
    );
  });

  it("is safe to print on a terminal or in a pipeline", () => {
    const unit = fc.constantFrom(
      "a",
      " ",
      '"',
      "\n",
      "\u001b[31m",
      "\u202e",
      "\u2028",
      "\u0085",
      "ü",
      "##[",
      "::",
    );

    const texts = fc.string({ unit, maxLength: 6 });
    fc.assert(
      fc.property(texts, texts, texts, (host, value, fieldChanged) => {
        const { text } = summarizeDnsChanges([
          change([], [a(value, 60, host)], { fieldChanged, createdAt: value }),
        ]);

        expect(text).toHaveLength(2);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
        expect(text.join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/);
        expect(commandsIn(text.join("\n"))).toEqual([]);
      }),
    );

    const [, line] = summarizeDnsChanges([change([], [a('v=spf1 "x"\n', 60)])]).text;

    expect(line).toBe('A 2026-02-01 10:00:00: added example.com "v=spf1 \\"x\\"\\n" (ttl 60)');
  });

  it("reads each record a few times, however many there are", () => {
    let reads = 0;
    const counted = (record: DnsRecord): DnsRecord => ({
      ...record,
      get host() {
        reads++;
        return record.host;
      },
    });

    const records = (ttl: number) =>
      Array.from({ length: 20_000 }, (_, index) => a(`v${index}`, ttl, `h${index % 9}`));

    const summary = summarizeDnsChanges([
      change(records(60).map(counted), records(300).map(counted)),
    ]);

    expect(summary.types[0]?.changes[0]?.altered).toHaveLength(20_000);
    expect(reads).toBe(40_000);
  });

  function sorted(list: DnsRecord[]): string[] {
    return list
      .map(({ host, value, ttl, priority }) => JSON.stringify([host, value, ttl, priority]))
      .sort();
  }

  /** The records without the given ones, each removed once. Fails if one is missing. */
  function without(list: DnsRecord[], taken: string[]): DnsRecord[] {
    const rest = [...list];
    for (const text of taken) {
      const index = rest.findIndex((item) => sorted([item])[0] === text);

      expect(index).toBeGreaterThanOrEqual(0);

      rest.splice(index, 1);
    }

    return rest;
  }
});
