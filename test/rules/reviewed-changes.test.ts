/** Changes in one line, and which of them change nothing. */
import fc from "fast-check";
import type { DnsRecord } from "../../src";
import type { DnsChange, WhoisChange } from "../../src/client/types";
import { describeChange } from "../../src/rules/reviewed-changes";

const change: DnsChange = {
  id: "b1",
  domainId: 1,
  fieldChanged: "mx_records",
  fieldChangedHuman: "MX",
  oldValue: null,
  newValue: null,
  oldValueFormatted: null,
  newValueFormatted: null,
  changeSummary: null,
  diff: null,
  identifier: "x",
  createdAt: "2026-02-25 10:00:00",
  createdAtHuman: null,
};

const mail = (value: string) => JSON.stringify([{ host: "@", value, ttl: 3600, priority: 10 }]);

const dns = (changed: Partial<DnsChange>) => describeChange("dns", { ...change, ...changed });

const whois = (fieldChanged: string, oldValue: string | null, newValue: string | null) => {
  const { fieldChangedHuman: _1, oldValueFormatted: _2, newValueFormatted: _3, ...rest } = change;
  const { changeSummary: _4, diff: _5, ...common } = rest;
  const one: WhoisChange = { ...common, fieldChanged, oldValue, newValue };

  return describeChange("whois", one);
};

it.each([
  [{}, "MX: altered @: value mail.example.com is now mail.example.net"],
  [{ oldValue: "[]" }, "MX: added @ mail.example.net (ttl 3600, priority 10)"],
  [{ newValue: "[]" }, "MX: removed @ mail.example.com (ttl 3600, priority 10)"],
  [{ oldValue: "gone", changeSummary: "1 record replaced" }, "MX: 1 record replaced"],
  [{ oldValue: "", newValue: "new" }, "MX: nothing → new"],
  [{ fieldChanged: "other", oldValue: null }, `other: nothing → ${mail("mail.example.net")}`],
])(
  "a change of records names them, or quotes the service where they cannot be decoded: %j",
  (changed, text) => {
    const values = { oldValue: mail("mail.example.com"), newValue: mail("mail.example.net") };
    expect(dns({ ...values, ...changed })?.summary).toBe(text);
  },
);

it.each([
  ['["a","b"]', "nameservers: a, b → nothing"],
  ["no JSON", "nameservers: no JSON → nothing"],
])("a change of name servers lists the hosts: %j", (oldValue, text) => {
  expect(whois("nameservers", oldValue, null)?.summary).toBe(text);
});

describe("equal sets are no change:", () => {
  it.each([
    [
      "nameservers",
      '["ns1.example.net","ns2.example.net"]',
      '["NS2.example.net.","ns1.example.net"]',
    ],
    ["nameservers", "ns1.example.net ns2.example.net", "NS2.EXAMPLE.NET, ns1.example.net."],
    [
      "status",
      "clientTransferProhibited, clientDeleteProhibited",
      "clientdeleteprohibited clienttransferprohibited",
    ],
    ["status", '["ok","locked"]', '["LOCKED","ok"]'],
    ["registrar", "Example Registrar, Inc.", "EXAMPLE REGISTRAR, INC"],
    ["registrar", "Example Registrar Inc.", "EXAMPLE  REGISTRAR, INC"],
    ["registrar", null, ""],
  ])("%s from %j to %j", (field, before, after) => {
    expect(whois(field, before, after)).toBeUndefined();
  });

  it.each([
    ["nameservers", '["ns1.example.net"]', '["ns1.example.net","ns2.example.net"]'],
    ["nameservers", '["ns1.example.net"]', '["ns1.evil.example"]'],
    ["status", "clientTransferProhibited", ""],
    ["registrar", "Example Registrar", "Registrar Example"],
    ["registrar", null, "Evil"],
    ["registrar", "東京", "京東"],
    ["nameservers", '[{"host":"a.example"}]', '[{"host":"evil.example"}]'],
  ])("but not %s from %j to %j", (field, before, after) => {
    expect(whois(field, before, after)).toBeDefined();
  });

  const record = (value: string, more: Partial<DnsRecord> = {}) => ({
    host: "@",
    value,
    ttl: 300,
    ...more,
  });

  const values = (before: DnsRecord[], after: DnsRecord[]) => ({
    oldValue: JSON.stringify(before),
    newValue: JSON.stringify(after),
  });

  it.each([
    [
      "mx_records",
      [record("mail.example.net")],
      [record("MAIL.example.net.", { host: "@." })],
      true,
    ],
    ["txt_records", [record("v=spf1 -all")], [record('"v=spf1 -all"')], true],
    ["txt_records", [record('"k=rsa; p=AB" "CD"')], [record("k=rsa; p=ABCD")], true],
    ["txt_records", [record('"say \\"hi\\""')], [record('say "hi"')], true],
    ["txt_records", [record("p=abcd")], [record("p=ABCD")], false],
    ["txt_records", [record('"a" b')], [record("a b")], false],
    ["a_records", [record("192.0.2.1")], [record("192.0.2.1", { ttl: 299 })], true],
    ["a_records", [record("192.0.2.1")], [record("192.0.2.2", { ttl: 299 })], false],
    ["soa_records", [record("ns1. host. 2026030101")], [record("ns1. host. 2026030102")], true],
    ["mx_records", [record("a", { priority: 1 })], [record("a", { priority: 2 })], false],
  ])("%s from %j to %j: %p", (fieldChanged, before, after, isEqual) => {
    expect(dns({ fieldChanged, ...values(before, after) }) === undefined).toBe(isEqual);
  });

  it("records that cannot be decoded are compared as they are", () => {
    expect(dns({ oldValue: "[1]", newValue: "[1]" })).toBeUndefined();
    expect(dns({ oldValue: "[1]", newValue: "[2]" })).toBeDefined();
  });

  const arbitrary = fc.record({
    host: fc.constantFrom("@", "www", "mail"),
    value: fc.constantFrom("a.example", "b.example", "192.0.2.1"),
    ttl: fc.constant(300),
  });

  it("in any order and repetition of records, and never where one is missing or new", () => {
    const records = fc.uniqueArray(arbitrary, {
      selector: (one) => JSON.stringify(one),
      minLength: 1,
    });

    fc.assert(
      fc.property(records, fc.nat(), fc.nat(), (list, first, second) => {
        const shuffled = list.toSorted((a, b) =>
          JSON.stringify(b).localeCompare(JSON.stringify(a)),
        );

        const repeated = [...shuffled, ...list.slice(first % list.length)];

        expect(dns(values(list, repeated))).toBeUndefined();

        const without = list.filter((_, index) => index !== second % list.length);

        expect(dns(values(list, without))).toBeDefined();
        expect(dns(values(without, list))).toBeDefined();
      }),
    );
  });
});
