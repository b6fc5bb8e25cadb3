/** The meaning of the strings in a change record. */
import { decodeDnsValue, decodeWhoisValue } from "../../src/client";
import { fc } from "../support/properties";

describe("the value of a WHOIS change", () => {
  test("the value of a WHOIS change of name servers is their host names", () => {
    expect(decodeWhoisValue("nameservers", '["a.example","b.example"]')).toEqual([
      "a.example",
      "b.example",
    ]);

    expect(decodeWhoisValue("nameservers", "[]")).toEqual([]);
  });

  test.each(["a.example, b.example", "", "[1]", '{"a":1}', "null", '["a"'])(
    "the value of a WHOIS change of name servers stays %p if it cannot be decoded",
    (text) => {
      expect(decodeWhoisValue("nameservers", text)).toBe(text);
    },
  );

  test("the value of a WHOIS change of another field is the string itself, whatever it looks like", () => {
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
      tag: fc.string(),
      port: fc.nat(),
    },
    { requiredKeys: ["host", "value", "ttl"], noNullPrototype: true },
  );

  test("is its records, with every field that the service sent of them", () => {
    fc.assert(
      fc.property(fc.array(record), (records) => {
        expect(decodeDnsValue(JSON.stringify(records))).toEqual(records);
      }),
    );
  });

  test("shows a change of a CAA record's tag", () => {
    const caa = (tag: string) =>
      decodeDnsValue(`[{"host":"@","value":"v","ttl":1,"tag":"${tag}"}]`);
    expect(caa("issue")).not.toEqual(caa("iodef"));
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
