import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readStackDomains, stackDomains } from "../../src/cli/from-stack";
import { secretInput, stackExport } from "./command";

const SECRET_NOTE = "channel channel-1 was skipped: its domainId is a secret, so give the id by --domain";

describe("the domains of a stack", () => {
  it("are the domainId inputs of its channels, each once, in their order", () => {
    expect(stackDomains(stackExport(["b", "a", "b"]), "stack.json")).toEqual({ ids: ["b", "a"], notes: [] });
  });

  it("are found in the state that this package has written", () => {
    const file = path.join(__dirname, "../upgrades/state-0.1.0.json");
    return expect(readStackDomains(file)).resolves.toEqual({
      ids: ["11111111-1111-4111-8111-111111111111"],
      notes: [],
    });
  });

  it.each([
    ["encrypted", secretInput({ ciphertext: "v1:abc" })],
    ["in clear, as by --show-secrets", secretInput({ plaintext: '"the-secret-id"' })],
  ])("leave out an id that is a secret, with a note that does not tell it (%s)", (_, secret) => {
    expect(stackDomains(stackExport(["a", secret]), "stack.json")).toEqual({
      ids: ["a"],
      notes: [SECRET_NOTE],
    });
  });

  it.each([[undefined], [null], [""], [7], [{}]])("leave out %p, which is no id, with a note", (domainId) => {
    const { ids, notes } = stackDomains(stackExport([domainId]), "stack.json");
    expect(ids).toEqual([]);
    expect(notes).toEqual(["channel channel-0 was skipped: it has no domainId, so give the id by --domain"]);
  });

  it("leave out other resources and channels that wait for their deletion", () => {
    const exported = JSON.parse(stackExport(["a", "b"]));
    exported.deployment.resources[0].delete = true;
    exported.deployment.resources.push({
      urn: "urn:pulumi:test::project::other:index:Thing::x",
      type: "other:index:Thing",
      inputs: { domainId: "c" },
    });
    expect(stackDomains(JSON.stringify(exported), "stack.json").ids).toEqual(["b"]);
  });

  it("are found in a deployment alone and in the file of a local backend too", () => {
    const { deployment } = JSON.parse(stackExport(["a"]));
    const inBackend = { version: 3, checkpoint: { stack: "test", latest: deployment } };
    for (const content of [deployment, inBackend]) {
      expect(stackDomains(JSON.stringify(content), "stack.json").ids).toEqual(["a"]);
    }
  });

  it("are none in a stack that was never deployed", () => {
    for (const deployment of [{ manifest: {} }, { manifest: {}, resources: null }]) {
      expect(stackDomains(JSON.stringify({ version: 3, deployment }), "stack.json").ids).toEqual([]);
    }
  });

  it("are read behind the mark that Windows shells put in front", () => {
    expect(stackDomains(`\ufeff${stackExport(["a"])}`, "stack.json").ids).toEqual(["a"]);
  });

  it.each([
    ["", "stack.json is not valid JSON: use the output of `pulumi stack export`"],
    ["resources: []", "stack.json is not valid JSON: use the output of `pulumi stack export`"],
    ["{}", "stack.json is not a stack export: use the output of `pulumi stack export`"],
    ["[]", "stack.json is not a stack export: use the output of `pulumi stack export`"],
    [
      '{"deployment":{"resources":[1]}}',
      "stack.json is not a stack export: use the output of `pulumi stack export`",
    ],
  ])("cannot be read from %j", (content, message) => {
    expect(() => stackDomains(content, "stack.json")).toThrow(message);
  });

  it("cannot be read from a file that is not there", async () => {
    const directory = mkdtempSync(path.join(tmpdir(), "from-stack-"));
    try {
      const missing = path.join(directory, "missing.json");
      await expect(readStackDomains(missing)).rejects.toThrow(
        `${missing} could not be read (ENOENT): check the path given to --from-stack`,
      );
      const file = path.join(directory, "stack.json");
      writeFileSync(file, stackExport(["a"]));
      expect((await readStackDomains(file)).ids).toEqual(["a"]);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
