import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { bench, failure, Group, Probe, probeUrn, temporaryDirectory } from "./support";

// What providers get, and what a refresh and a destroy do, is compared with the real engine in ../parity.

it("secrets stay secret in the state by name, as a whole in a list, by option, and after a refresh", async () => {
  const { stack, log, program } = await bench();
  const hidden = pulumi.secret("hush");
  program(() => {
    new Group("group");
    const a = new Probe(log, "a", { value: hidden, nested: { open: "o", shut: hidden } });
    new Probe(log, "list", { nested: ["x", hidden] });
    const options = { additionalSecretOutputs: ["derived", "absent"] };
    const added = new Probe(log, "added", { value: hidden }, options);
    return { value: a.value, made: a.made, derived: added.derived };
  });
  const inputs = { value: "[secret]", nested: { open: "o", shut: "[secret]" } };
  const outputs = {
    value: { value: "hush", secret: true },
    made: { value: "made hush", secret: false },
    derived: { value: "derived hush", secret: true },
  };

  const up = await stack.up();

  const named = (name: string, { resources } = up) => resources.find((resource) => resource.name === name);
  expect(named("a")).toMatchObject({
    inputs,
    outputs: { ...inputs, made: "made hush" },
    secretOutputs: ["value"],
  });
  expect(named("list")).toMatchObject({ inputs: { nested: "[secret]" }, outputs: { nested: "[secret]" } });
  expect(named("added")?.outputs).toMatchObject({ derived: "[secret]", made: "made hush" });
  expect(named("added")?.secretOutputs.toSorted()).toEqual(["derived", "value"]);
  expect(up.outputs).toEqual(outputs);

  writeFileSync(`${log}.live`, JSON.stringify({ value: "drifted" }));
  const drifted = await stack.refresh();
  expect(drifted.changes).toEqual({ same: 1, update: 3 });
  expect(named("a", drifted)).toMatchObject({ inputs, outputs: inputs });
  expect(JSON.stringify(named("a", drifted))).not.toContain("drifted");
  expect(drifted.outputs).toEqual(outputs);
});

it("a destroy refuses a protected resource by name, and keeps what that depends on", async () => {
  const { stack, log, program, order } = await bench();
  program(() => {
    const base = new Probe(log, "base");
    new Probe(log, "kept", { value: base.made }, { protect: true });
    new Probe(log, "other");
  });
  await stack.up();
  order();

  const { message, result } = await failure(stack.destroy());

  expect(message).toContain(`resource "${probeUrn("kept")}" cannot be deleted\nbecause it is protected.`);
  expect(result.changes).toEqual({ delete: 1 });
  expect(order()).toEqual(["delete other"]);
  expect(result.resources.map(({ name }) => name)).toEqual(["base", "kept"]);
});

describe("a state file", () => {
  const passphrase = "a passphrase";
  const hidden = "value-to-keep-secret";

  it("carries a stack from one process to the next, with secrets encrypted, for its owner and its passphrase alone", async () => {
    const stateFile = path.join(temporaryDirectory(), "deep", "state.json");
    const options = { stateFile, passphrase, secrets: { "test:key": hidden } };
    const first = await bench(options);
    const program = () => void new Probe(first.log, "a", { nested: pulumi.secret({ list: [hidden] }) });
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
      await expect(bench({ stateFile, passphrase })).rejects.toThrow(`${stateFile} is not a state file of`);
    }
  });
});
