/** The meaning of the strings in a change record. */
import { decodeDnsValue, decodeWhoisValue } from "../../src/client";
import { fc } from "../support/properties";

describe("the value of a WHOIS change", () => {
  test("is the host names of name servers, or null where it is missing", () => {
    const names = ["a.example", "b.example"];
    expect(decodeWhoisValue("nameservers", JSON.stringify(names))).toEqual(names);
    expect(decodeWhoisValue("nameservers", "[]")).toEqual([]);
    expect(decodeWhoisValue("nameservers", null)).toBeNull();
  });

  test.each(["a.example, b.example", "", "[1]", '{"a":1}', "null", '["a"'])(
    "of name servers stays %p if it cannot be decoded",
    (text) => expect(decodeWhoisValue("nameservers", text)).toBe(text),
  );

  test("of another field is the string itself, whatever it looks like", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(decodeWhoisValue("registrar", text)).toBe(text);
      }),
    );
  });
});

describe("the value of a DNS change", () => {
  const texts = { host: fc.string(), value: fc.string(), tag: fc.string() };
  const numbers = { ttl: fc.nat(), priority: fc.nat(), port: fc.nat() };
  const record = fc.record(
    { ...texts, ...numbers },
    { requiredKeys: ["host", "value", "ttl"], noNullPrototype: true },
  );

  test("is its records, with every field that the service sent of them", () => {
    fc.assert(
      fc.property(fc.array(record), (records) => {
        expect(decodeDnsValue(JSON.stringify(records))).toEqual(records);
      }),
    );
  });

  test("leaves out a priority that is not a number", () => {
    const text = '[{"host":"@","value":"v","ttl":1,"priority":null}]';
    expect(decodeDnsValue(text)).toEqual([{ host: "@", value: "v", ttl: 1 }]);
  });

  test.each([
    ...[null, "", "192.0.2.1", "null", "{}", "[null]"],
    '[{"host":"@","value":"v"}]',
    '[{"host":"@","value":"v","ttl":"300"}]',
    '[{"host":"@","value":"v","ttl":1},7]',
  ])("is null for %p", (text) => expect(decodeDnsValue(text)).toBeNull());
});
