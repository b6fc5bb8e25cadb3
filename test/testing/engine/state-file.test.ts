import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { bench, Probe, temporaryDirectory } from "./support";

const passphrase = "a passphrase";
const hidden = "value-to-keep-secret";

describe("a state file", () => {
  const newFile = () => path.join(temporaryDirectory(), "deep", "state.json");

  async function stackWith(stateFile: string, secret = hidden) {
    const made = await bench({ stateFile, passphrase, secrets: { "test:key": secret } });
    made.program(() => {
      new Probe(made.log, "a", { nested: pulumi.secret({ list: [secret] }) });
    });
    return made;
  }

  it("carries a stack from one process to the next", async () => {
    const stateFile = newFile();
    const first = await stackWith(stateFile);
    expect((await first.stack.up()).changes).toEqual({ create: 1 });

    const second = await stackWith(stateFile);
    // The log's path is an input, and each bench has its own.
    second.program(() => {
      new Probe(first.log, "a", { nested: pulumi.secret({ list: [hidden] }) });
    });
    const { changes, resources } = await second.stack.up();

    expect(changes).toEqual({ same: 1 });
    expect(resources[0]?.secretOutputs).toEqual(["nested"]);
    expect((await second.stack.destroy()).changes).toEqual({ delete: 1 });
    const third = await stackWith(stateFile);
    expect((await third.stack.refresh()).resources).toEqual([]);
  });

  it("holds secrets encrypted, is for its owner and its passphrase alone, and is not touched by a preview", async () => {
    const stateFile = newFile();
    const { stack } = await stackWith(stateFile);
    await stack.up();

    const text = readFileSync(stateFile, "utf8");
    expect(text).toContain("ciphertext");
    for (const secret of [hidden, passphrase]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString("base64"));
    }
    expect(statSync(stateFile).mode & 0o077).toBe(0);
    await stack.preview();
    expect(readFileSync(stateFile, "utf8")).toBe(text);

    await expect(bench({ stateFile, passphrase: "another" })).rejects.toThrow(
      `the secrets in ${stateFile} were encrypted with another passphrase: give that one`,
    );
    await expect(bench({ stateFile, passphrase: "" })).rejects.toThrow("needs a passphrase");
  });

  it("is refused where it is no state", async () => {
    const stateFile = path.join(temporaryDirectory(), "state.json");
    for (const content of ["not JSON", '{ "format": 99 }']) {
      writeFileSync(stateFile, content);
      await expect(bench({ stateFile, passphrase })).rejects.toThrow(`${stateFile} is not a state file of`);
    }
  });
});
