import { writeFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { bench, failure, Group, Probe, probeUrn } from "./support";

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

  const unchanged = await stack.refresh();
  expect(unchanged.changes).toEqual({ same: 4 });
  expect(unchanged.outputs).toEqual(outputs);

  writeFileSync(`${log}.live`, JSON.stringify({ value: "drifted" }));
  const drifted = await stack.refresh();
  expect(drifted.changes).toEqual({ same: 1, update: 3 });
  expect(named("a", drifted)).toMatchObject({ inputs, outputs: inputs });
  expect(JSON.stringify(named("a", drifted))).not.toContain("drifted");
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
