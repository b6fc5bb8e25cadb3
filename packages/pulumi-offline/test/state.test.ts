/** A state file carries a stack to another process, and is refused where it is none. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { bench, Probe, temporaryDirectory } from "./support";

describe("a state file", () => {
  const passphrase = "a passphrase";
  const hidden = "value-to-keep-secret";

  it("carries a stack to another process, encrypted and readable by its owner only", async () => {
    const stateFile = path.join(temporaryDirectory(), "deep", "state.json");
    const options = { stateFile, passphrase, secrets: { "test:key": hidden } };

    const first = await bench(options);
    const program = () =>
      void new Probe(first.log, "a", { nested: pulumi.secret({ list: [hidden] }) });

    first.program(program);
    expect((await first.stack.up()).changes).toEqual({ create: 1 });

    const text = readFileSync(stateFile, "utf8");
    expect(text).toContain("ciphertext");

    for (const secret of [hidden, passphrase]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString("base64"));
    }

    expect(statSync(stateFile).mode & 0o077).toBe(0);
    await expect(bench({ stateFile, passphrase: "another" })).rejects.toThrow(
      `the secrets in ${stateFile} were encrypted with another passphrase: give that one`,
    );
    await expect(bench({ stateFile, passphrase: "" })).rejects.toThrow("needs a passphrase");

    const second = await bench(options);
    second.program(program);
    const { changes, resources } = await second.stack.preview();

    expect(changes).toEqual({ same: 1 });
    expect(resources[0]?.secretOutputs).toEqual(["nested"]);
    // A preview does not touch it.
    expect(readFileSync(stateFile, "utf8")).toBe(text);
    expect((await second.stack.destroy()).changes).toEqual({ delete: 1 });
    expect((await (await bench(options)).stack.refresh()).resources).toEqual([]);
  });

  it("is refused where it is no state", async () => {
    const stateFile = path.join(temporaryDirectory(), "state.json");
    for (const content of ["not JSON", '{ "format": 99 }']) {
      writeFileSync(stateFile, content);
      await expect(bench({ stateFile, passphrase })).rejects.toThrow(
        `${stateFile} is not a state file of`,
      );
    }
  });
});
