/** Domains and channels as a stack's export has them, and exports that are refused. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { readStackDomains, stackDomains } from "../../src/cli/stack";
import { temporaryDirectory } from "../support/temporary";
import { secretInput, stackExport } from "./command";

it("the domains of a stack are the distinct domainId inputs of its channels in order", () => {
  expect(stackDomains(stackExport(["b", "a", "b"]), "stack.json")).toEqual({
    ids: ["b", "a"],
    channels: [],
    notes: [],
  });
});

it("the domains of a stack are found in the state that this package has written", async () => {
  const file = path.join(__dirname, "../upgrades/state-0.1.0.json");
  const { ids, channels, notes } = await readStackDomains(file);

  expect({ ids, notes }).toEqual({ ids: ["11111111-1111-4111-8111-111111111111"], notes: [] });
  expect(channels.map(({ id, role }) => [id, role])).toEqual([
    ["4efa49a5-6164-4425-8555-161ae73f2dfe", "own"],
    ["ce3c2a21-014f-467e-ad99-61f46b87cdfe", "own"],
    ["1049f6e4-98a5-4687-b2f4-001cb04e5977", "own"],
    ["cf517c5a-27c6-43a9-8b5e-5daae95c6e80", "own"],
  ]);
});

it.each([
  secretInput({ ciphertext: "v1:abc" }),
  secretInput({ plaintext: '"the-secret-id"' }),
  undefined,
  "",
  {},
])("the domains of a stack omit %j, with a note that does not reveal it", (domainId) => {
  expect(stackDomains(stackExport(["a", domainId]), "stack.json")).toEqual({
    ids: ["a"],
    channels: [],
    notes: [
      "channel channel-1 was skipped: its domainId is missing or a secret, so pass the id with --domain",
    ],
  });
});

const CHANNEL = "7f0c9a52-6a7e-4a0e-9f3b-5f6a3c1d2e12";

it("the domains of a stack come with the channels in either form and lifecycle, of which those to be deleted and those only referred to are marked", () => {
  const exported = JSON.parse(stackExport(["a", "b", "c", "d", "e", "f"]));
  const [own, ofPlugin, replaced, reference, creating, other] = exported.deployment.resources;
  own.id = CHANNEL.toUpperCase();
  Object.assign(ofPlugin, { id: "managed", type: "domain-monitoring:index:NotificationChannel" });
  Object.assign(ofPlugin.inputs, {
    lifecycle: "managed",
    adopt: "7f0c9a52-6a7e-4a0e-9f3b-5f6a3c1d2e11",
  });

  // An interrupted replacement: the next update deletes this channel, which is in a domain that
  // the stack has left.
  Object.assign(replaced, { id: "replaced", delete: true });
  Object.assign(reference, { id: "d/reference", external: true });
  creating.id = "";
  other.type = "other:index:NotificationChannel";
  const { ids, channels, notes } = stackDomains(JSON.stringify(exported), "stack.json");

  expect({ ids, notes }).toEqual({ ids: ["a", "b", "d", "e"], notes: [] });
  expect(channels.map(({ id, role }) => [id, role])).toEqual([
    [CHANNEL, "own"],
    ["managed", "own"],
    ["replaced", "replaced"],
    ["reference", "reference"],
  ]);
});

it("the domains of a stack are read from an export of PowerShell, which is UTF-16, as from any other", async () => {
  const file = path.join(temporaryDirectory(), "stack.json");
  writeFileSync(file, `\ufeff${stackExport(["a"])}`, "utf16le");
  expect(await readStackDomains(file)).toMatchObject({ ids: ["a"] });
});

it("the domains of a stack cannot be read from a file that does not exist", async () => {
  await expect(readStackDomains("no.json")).rejects.toThrow(
    "no.json could not be read (ENOENT): check the path given to --from-stack",
  );
});

it.each([
  ["that was never deployed", { deployment: { manifest: {} } }],
  ["without resources", { deployment: { manifest: {}, resources: null } }],
])("no domains are in a stack %s", (_, content) => {
  expect(stackDomains(JSON.stringify(content), "stack.json").ids).toEqual([]);
});

it.each([
  ["resources: []", "is not valid JSON"],
  ["{}", "is not a stack export"],
  ['{"deployment":{"resources":[1]}}', "is not a stack export"],
])("the domains of a stack cannot be read from %j", (content, message) => {
  expect(() => stackDomains(content, "stack.json")).toThrow(
    `stack.json ${message}: use the output of \`pulumi stack export\``,
  );
});
