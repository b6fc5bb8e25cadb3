import { checkNode } from "../../src/cli/doctor/node";

it.each([
  ["20.18.1", ">=20.18.1", "ok"],
  ["20.18.0", ">=20.18.1", "fix"],
  ["20.9.0", ">=20.18.1", "fix"],
  ["22.0.0", ">=20.18.1", "ok"],
  ["3.139.0", ">=3.139.0 <4", "ok"],
  ["3.1390.0", ">=3.139.0 <4", "ok"],
  ["4.0.0", ">=3.139.0 <4", "fix"],
  ["3.248.0-alpha.1", ">=3.139.0 <4", "ok"],
])("doctor says of the version %s where %s is needed: %s", (version, node, state) => {
  const check = checkNode(version, { version: "0.1.0", engines: { node } });
  expect(check).toMatchObject({ state, text: expect.stringContaining(version) });
});
