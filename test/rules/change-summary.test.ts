import * as fc from "fast-check";
import { getDnsChanges } from "../../src";
import { DomainMonitoringClient } from "../../src/client";
import type { DnsRecord } from "../../src/client/change-values";
import {
  type DecodedDnsChange,
  type DnsChangesSummary,
  summarizeDnsChanges,
} from "../../src/rules/change-summary";
import { startEmulator } from "../../src/testing";

let count = 0;

function change(
  before: DnsRecord[] | null,
  after: DnsRecord[] | null,
  rest: Partial<DecodedDnsChange> = {},
): DecodedDnsChange {
  const createdAt = "2026-02-01 10:00:00";
  return { id: `change-${count++}`, fieldChanged: "a_records", createdAt, before, after, ...rest };
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

  it("lists what was added and what was removed", () => {
    const { added, removed, altered, text } = only(
      summarizeDnsChanges([
        change([a("192.0.2.1"), a("192.0.2.2")], [a("192.0.2.1"), a("192.0.2.3", 60, "www.example.com")]),
      ]),
    );
    expect({ added, removed, altered }).toEqual({
      added: [a("192.0.2.3", 60, "www.example.com")],
      removed: [a("192.0.2.2")],
      altered: [],
    });
    expect(text).toEqual([
      "added www.example.com 192.0.2.3 (ttl 60)",
      "removed example.com 192.0.2.2 (ttl 300)",
    ]);
  });

  it("treats a different ttl or priority of the same host and value as an alteration", () => {
    const { added, removed, text } = only(
      summarizeDnsChanges([
        change(
          [mx("mx1.example.com", 10), mx("mx2.example.com", 20)],
          [{ ...mx("mx1.example.com", 30), ttl: 60 }, mx("mx2.example.com", 20)],
          { fieldChanged: "mx_records" },
        ),
      ]),
    );
    expect({ added, removed }).toEqual({ added: [], removed: [] });
    expect(text).toEqual(["altered example.com mx1.example.com: ttl 300 is now 60, priority 10 is now 30"]);
  });

  it("treats a different value as an alteration if one record of a host was replaced by one other", () => {
    const kept = a("192.0.2.9");
    const { text } = only(summarizeDnsChanges([change([a("192.0.2.1"), kept], [kept, a("192.0.2.2", 60)])]));
    expect(text).toEqual(["altered example.com: value 192.0.2.1 is now 192.0.2.2, ttl 300 is now 60"]);
  });

  it("does not guess which record replaced which if a host had several", () => {
    const { added, removed, altered } = only(
      summarizeDnsChanges([change([a("192.0.2.1"), a("192.0.2.2")], [a("192.0.2.3"), a("192.0.2.4")])]),
    );
    expect([added.length, removed.length, altered.length]).toEqual([2, 2, 0]);
  });

  it("says if only the order changed", () => {
    const { text } = only(
      summarizeDnsChanges([change([a("192.0.2.1"), a("192.0.2.2")], [a("192.0.2.2"), a("192.0.2.1")])]),
    );
    expect(text).toEqual(["nothing added, removed or altered"]);
  });

  it.each([
    [
      null,
      [a("192.0.2.1")],
      "changed, but the previous records cannot be decoded: see oldValue and newValue",
    ],
    [[a("192.0.2.1")], null, "changed, but the new records cannot be decoded: see oldValue and newValue"],
    [
      null,
      null,
      "changed, but the previous and the new records cannot be decoded: see oldValue and newValue",
    ],
  ])("says what cannot be decoded: %j, %j", (before, after, line) => {
    const summary = summarizeDnsChanges([change(before, after)]);
    expect(only(summary)).toMatchObject({
      decoded: false,
      added: [],
      removed: [],
      altered: [],
      text: [line],
    });
    expect(summary.text[0]).toBe("A: 1 change: 0 added, 0 removed, 0 altered, 1 not decoded");
  });

  it("groups by record type, newest first, with a line of counts for each", () => {
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

  it("summarizes the changes of the emulator", async () => {
    await using service = await startEmulator();
    const client = new DomainMonitoringClient({ baseUrl: service.url, apiToken: service.token });
    const { changes } = await getDnsChanges(
      { domainId: "11111111-1111-4111-8111-111111111111" },
      { client },
    ).finally(() => client.close());
    expect(
      summarizeDnsChanges(changes).types.map(({ type, changes: list }) => [type, list[0]?.text]),
    ).toEqual([
      ["A", ["altered example.com: value 192.0.2.10 is now 192.0.2.20"]],
      [
        "MX",
        [
          "added example.com mail1.example.net (ttl 3600, priority 10)",
          "added example.com mail2.example.net (ttl 3600, priority 20)",
          "removed example.com mail.former.example (ttl 3600, priority 10)",
        ],
      ],
    ]);
  });

  // Few hosts, values and numbers, so that records often meet.
  const record: fc.Arbitrary<DnsRecord> = fc
    .record({
      host: fc.constantFrom("a", "b", "@"),
      value: fc.constantFrom("1", "2", "3"),
      ttl: fc.constantFrom(60, 300),
      priority: fc.option(fc.constantFrom(0, 10), { nil: undefined }),
    })
    .map(({ priority, ...rest }) => (priority === undefined ? rest : { ...rest, priority }));
  const records = fc.array(record, { maxLength: 7 });

  it("transforms the records before into the records after", () => {
    fc.assert(
      fc.property(records, records, (before, after) => {
        const { added, removed, altered } = only(summarizeDnsChanges([change(before, after)]));
        const expected = sorted([...removed, ...altered.map((pair) => pair.before)]);
        const kept = without(before, expected);
        expect(sorted([...kept, ...added, ...altered.map((pair) => pair.after)])).toEqual(sorted(after));
      }),
    );
  });

  it("reports no alteration without a difference, and no record as added that existed unchanged", () => {
    fc.assert(
      fc.property(records, records, (before, after) => {
        const { added, removed, altered } = only(summarizeDnsChanges([change(before, after)]));
        for (const pair of altered) {
          expect(pair.before.host).toBe(pair.after.host);
          expect(pair.before).not.toEqual(pair.after);
        }
        const names = (list: DnsRecord[]) => list.map(({ host, value }) => `${host} ${value}`);
        expect(names(added).filter((name) => names(removed).includes(name))).toEqual([]);
      }),
    );
  });

  it("swaps added and removed when a change is undone", () => {
    fc.assert(
      fc.property(records, records, (before, after) => {
        const done = only(summarizeDnsChanges([change(before, after)]));
        const undone = only(summarizeDnsChanges([change(after, before)]));
        expect(undone.altered).toHaveLength(done.altered.length);
        expect([undone.added.length, undone.removed.length]).toEqual([
          done.removed.length,
          done.added.length,
        ]);
      }),
    );
  });

  it("does not depend on the order of changes or records, is plain data, and does not modify its input", () => {
    const day = fc.integer({ min: 1, max: 3 }).map((number) => `2026-02-0${number} 12:00:00`);
    const some = fc.array(
      fc.tuple(fc.option(records), fc.option(records), day, fc.constantFrom("a_records", "mx_records", "x")),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(some, (list) => {
        const changes = list.map(([before, after, createdAt, fieldChanged], index) =>
          change(before, after, { createdAt, fieldChanged, id: `change-${index}` }),
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
        expect(JSON.parse(JSON.stringify(summary))).toEqual(summary);
      }),
    );
  });

  it("is safe to print: one line each, without terminal control or bidirectional characters", () => {
    const unit = fc.constantFrom("a", " ", '"', "\n", "\u001b[31m", "\u202e", "\u2028", "\u0085", "ü");
    const texts = fc.string({ unit, maxLength: 6 });
    fc.assert(
      fc.property(texts, texts, texts, (host, value, fieldChanged) => {
        const { text } = summarizeDnsChanges([
          change([], [a(value, 60, host)], { fieldChanged, createdAt: value }),
        ]);
        expect(text).toHaveLength(2);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
        expect(text.join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/);
      }),
    );
    const line = summarizeDnsChanges([change([], [a('v=spf1 "x"\n', 60)])]).text[1];
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
    const summary = summarizeDnsChanges([change(records(60).map(counted), records(300).map(counted))]);
    expect(summary.types[0]?.changes[0]?.altered).toHaveLength(20_000);
    expect(reads).toBe(40_000);
  });

  function sorted(list: DnsRecord[]): string[] {
    return list.map(({ host, value, ttl, priority }) => JSON.stringify([host, value, ttl, priority])).sort();
  }

  /** The records without those that are given, each taken once; fails where one is not there. */
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
