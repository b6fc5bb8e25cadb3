import { checkNode, satisfies } from "../../src/cli/doctor/node";

describe("the versions that doctor compares", () => {
  it.each([
    ["20.18.1", ">=20.18.1", true],
    ["20.18.0", ">=20.18.1", false],
    ["22.0.0", ">=20.18.1", true],
    ["3.139.0", ">=3.139.0 <4", true],
    ["3.1390.0", ">=3.139.0 <4", true],
    ["4.0.0", ">=3.139.0 <4", false],
    ["3.248.0-alpha.1", ">=3.139.0 <4", true],
  ])("%s in %s: %s", (version, range, expected) => {
    expect(satisfies(version, range)).toBe(expected);
  });

  it("include the required version of Node", () => {
    const manifest = { version: "0.1.0", engines: { node: ">=20.18.1" } };
    expect(checkNode("18.0.0", manifest)).toMatchObject({
      state: "fix",
      text: expect.stringMatching(/^18\.0\.0 .* is not >=20\.18\.1: install a version that is$/),
    });
  });
});
