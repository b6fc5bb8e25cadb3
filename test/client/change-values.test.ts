/** The meaning of the strings in a change record. */
import fc from "fast-check";
import { decodeDnsValue, decodeWhoisValue } from "../../src/client";
import { isSameDns, isSameWhois } from "../../src/client/change-values";

describe("the value of a WHOIS change", () => {
  test("of name servers is their host names", () => {
    expect(decodeWhoisValue("nameservers", '["a.example","b.example"]')).toEqual([
      "a.example",
      "b.example",
    ]);

    expect(decodeWhoisValue("nameservers", "[]")).toEqual([]);
  });

  test.each(["a.example, b.example", "", "[1]", '{"a":1}', "null", '["a"'])(
    "of name servers stays %p if it cannot be decoded",
    (text) => {
      expect(decodeWhoisValue("nameservers", text)).toBe(text);
    },
  );

  test("of another field is the string itself, whatever it looks like", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(decodeWhoisValue("registrar", text)).toBe(text);
      }),
    );
  });

  test("may be missing", () => {
    expect(decodeWhoisValue("nameservers", null)).toBeNull();
  });
});

describe("the value of a DNS change", () => {
  const record = fc.record(
    {
      host: fc.string(),
      value: fc.string(),
      ttl: fc.nat(),
      priority: fc.nat(),
    },
    { requiredKeys: ["host", "value", "ttl"], noNullPrototype: true },
  );

  test("is its records, each with the known fields", () => {
    fc.assert(
      fc.property(fc.array(record), (records) => {
        const text = JSON.stringify(records.map((known) => ({ ...known, extra: true })));
        expect(decodeDnsValue(text)).toEqual(records);
      }),
    );
  });

  test("leaves out a priority that is not a number", () => {
    const text = '[{"host":"@","value":"v","ttl":1,"priority":null}]';
    expect(decodeDnsValue(text)).toEqual([{ host: "@", value: "v", ttl: 1 }]);
  });

  test.each([
    null,
    "",
    "192.0.2.1",
    "null",
    "{}",
    "[null]",
    '[{"host":"@","value":"v"}]',
    '[{"host":"@","value":"v","ttl":"300"}]',
    '[{"host":"@","value":"v","ttl":1},7]',
  ])("is null for %p", (text) => {
    expect(decodeDnsValue(text)).toBeNull();
  });
});

describe("values before and after a change", () => {
  const records = (...values: string[]) =>
    JSON.stringify(
      values.map((value) => ({
        host: "@",
        value,
        ttl: 300,
      })),
    );

  test.each<[string, string | null, string | null, boolean]>([
    ["nameservers", '["a.example","b.example"]', '["B.example.","a.example"]', true],
    ["nameservers", '["a.example"]', '["a.example","c.example"]', false],
    ["nameservers", '[{"host":"a.example"}]', '[{"host":"evil.example"}]', false],
    ["status", '[{"code":"ok"}]', '[{"code":"ok"}]', true],
    ["status", "ok clientTransferProhibited", "clienttransferprohibited, OK", true],
    ["status", "ok clientTransferProhibited", "ok", false],
    ["registrar", "Example Registrar", "example registrar", true],
    ["registrar", "Example Registrar", "Evil", false],
    ["registrar", null, "Evil", false],
  ])(
    "of the WHOIS field %s, %p and %p, are the same: %p",
    (fieldChanged, oldValue, newValue, same) => {
      expect(
        isSameWhois({
          fieldChanged,
          oldValue,
          newValue,
        }),
      ).toBe(same);
    },
  );

  test.each<[string, string | null, string | null, boolean]>([
    [
      "mx_records",
      records("mx1.example", "mx2.example"),
      records("MX2.example.", "mx1.example"),
      true,
    ],
    ["mx_records", records("mx1.example"), records("evil.example"), false],
    ["txt_records", records('"v=spf1 " "-all"'), records("v=spf1 -all"), true],
    ["txt_records", records("Token"), records("token"), false],
    ["a_records", "not decoded", "not decoded", true],
    ["a_records", "not decoded", null, false],
  ])(
    "of the DNS records %s, %p and %p, are the same: %p",
    (fieldChanged, oldValue, newValue, same) => {
      expect(
        isSameDns({
          fieldChanged,
          oldValue,
          newValue,
        }),
      ).toBe(same);
    },
  );
});
