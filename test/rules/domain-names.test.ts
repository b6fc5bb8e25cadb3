/** How domain names are compared. */
import { comparableName } from "../../src/rules/domain-names";

describe("two names are one", () => {
  it.each([
    ["case", "Shop.EXAMPLE", "shop.example"],
    ["a final dot", "shop.example.", "shop.example"],
    ["the forms of IDNA", "bücher.example", "xn--bcher-kva.example"],
    ["case beyond ASCII", "BÜCHER.example", "bücher.example"],
    ["the dots of other scripts", "shop。example", "shop.example"],
  ])("two names that differ only in %s are one", (_what, one, other) => {
    expect(comparableName(one)).toBe(comparableName(other));
  });

  it("but not where a text is longer than any name", () => {
    const longest = `${"a".repeat(63)}.`.repeat(3) + "b".repeat(61);
    expect(comparableName(`${longest}.`)).toBe(longest);
    expect(comparableName(`${longest}bb`)).toBeUndefined();
    expect(comparableName("ü".repeat(5_000_000))).toBeUndefined();
  });

  it("but not where a letter differs, and not with a label more or less", () => {
    for (const other of ["shops.example", "www.shop.example", "shop.example.com", "example"])
      expect(comparableName(other)).not.toBe(comparableName("shop.example"));
  });
});

it.each([
  ...["", ".", " ", "shop .example", "https://shop.example", "shop.example/", "shop.example:443"],
  ...["a@shop.example", "%73hop.example", "xn--zz"],
])("%j is no name", (text) => expect(comparableName(text)).toBeUndefined());
