import { writeFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { bench, failure, Group, Probe, probeUrn } from "./support";

describe("secrets", () => {
  it("reach the provider in clear, and are secret again in what comes back under the same name", async () => {
    const { stack, log, program, calls } = await bench();
    const hidden = pulumi.secret("hush");
    program(() => {
      const { value, made } = new Probe(log, "a", { value: hidden, nested: { open: "o", shut: hidden } });
      return { value, made };
    });

    await stack.up();
    const { resources, outputs } = await stack.up();

    const [check, create, checkAgain, diff] = calls();
    for (const call of [check, create, checkAgain, diff]) {
      expect(call?.news).toMatchObject({ value: "hush", nested: { open: "o", shut: "hush" } });
    }
    expect(diff?.olds).toMatchObject({ value: "hush", made: "made hush" });
    expect(resources).toMatchObject([
      {
        inputs: { value: "[secret]", nested: { open: "o", shut: "[secret]" } },
        outputs: { value: "[secret]", nested: { open: "o", shut: "[secret]" }, made: "made hush" },
        secretOutputs: ["value"],
      },
    ]);
    expect(outputs).toEqual({
      value: { value: "hush", secret: true },
      made: { value: "made hush", secret: false },
    });
  });

  it("make a list secret as a whole where one element is", async () => {
    const { stack, log, program } = await bench();
    program(() => void new Probe(log, "a", { nested: ["x", pulumi.secret("y")] }));

    const { resources } = await stack.up();

    expect(resources).toMatchObject([{ inputs: { nested: "[secret]" }, outputs: { nested: "[secret]" } }]);
  });

  it("are marked by additionalSecretOutputs where the name differs", async () => {
    const { stack, log, program } = await bench();
    const options = { additionalSecretOutputs: ["derived", "absent"] };
    program(() => ({ derived: new Probe(log, "a", { value: pulumi.secret("hush") }, options).derived }));

    const { resources, outputs } = await stack.up();

    expect(resources[0]?.outputs).toMatchObject({ derived: "[secret]", made: "made hush" });
    expect(resources[0]?.secretOutputs).toEqual(expect.arrayContaining(["derived", "value"]));
    expect(outputs).toEqual({ derived: { value: "derived hush", secret: true } });
  });
});

describe("a refresh", () => {
  it("finds nothing to change where the provider reads what is in the state", async () => {
    const { stack, log, program, calls } = await bench();
    program(() => {
      new Group("group");
      return { made: new Probe(log, "a").made };
    });
    await stack.up();
    calls();

    const { changes, outputs } = await stack.refresh();

    expect(changes).toEqual({ same: 2 });
    expect(outputs).toEqual({ made: { value: "made 1", secret: false } });
    expect(calls()).toMatchObject([
      { method: "read", id: "id-a-1", olds: { made: "made 1" } },
      { method: "diff" },
    ]);
  });

  it("takes over what has changed, inputs too, so that the next update puts it right", async () => {
    const { stack, log, program, calls } = await bench();
    program(() => void new Probe(log, "a"));
    await stack.up();
    writeFileSync(`${log}.live`, JSON.stringify({ value: "drifted" }));
    calls();

    const { changes, resources } = await stack.refresh();

    expect(changes).toEqual({ update: 1 });
    expect(resources).toMatchObject([{ inputs: { value: "drifted" }, outputs: { value: "drifted" } }]);
    const [, diff] = calls();
    expect(diff).toMatchObject({ method: "diff", olds: { value: "drifted" }, news: { value: "1" } });
    expect((await stack.up()).changes).toEqual({ update: 1 });
  });

  it("drops what is gone, which the next update creates again", async () => {
    const { stack, log, program } = await bench();
    program(() => void new Probe(log, "b", { value: new Probe(log, "a").made }));
    await stack.up();
    writeFileSync(`${log}.live`, JSON.stringify({ gone: true }));

    const { changes, resources } = await stack.refresh();

    expect(changes).toEqual({ delete: 2 });
    expect(resources).toEqual([]);
    expect((await stack.up()).changes).toEqual({ create: 2 });
  });

  it("keeps the secrets of the state", async () => {
    const { stack, log, program } = await bench();
    program(() => void new Probe(log, "a", { value: pulumi.secret("hush") }));
    await stack.up();
    writeFileSync(`${log}.live`, JSON.stringify({ value: "drifted" }));

    const { resources } = await stack.refresh();

    expect(resources).toMatchObject([{ inputs: { value: "[secret]" }, outputs: { value: "[secret]" } }]);
  });
});

describe("a destroy", () => {
  it("deletes everything, dependents first, by outputs alone", async () => {
    const { stack, log, program, calls } = await bench();
    program(() => {
      const group = new Group("group");
      const a = new Probe(log, "a", {}, { parent: group });
      new Probe(log, "b", { value: a.made });
    });
    await stack.up();
    calls();

    const { changes, resources, outputs } = await stack.destroy();

    expect(changes).toEqual({ delete: 3 });
    expect(resources).toEqual([]);
    expect(outputs).toEqual({});
    expect(calls()).toMatchObject([
      { method: "delete", id: "id-b-made 1", olds: { made: "made made 1" } },
      { method: "delete", id: "id-a-1", olds: { made: "made 1" } },
    ]);
  });

  it("refuses a protected resource by name, and keeps what that depends on", async () => {
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

  it("leaves alone what is retained, also when it is replaced", async () => {
    const { stack, log, program, order } = await bench();
    const retained = (value: string) => () =>
      void new Probe(log, "a", { value, replaceOn: ["value"] }, { retainOnDelete: true });
    program(retained("1"));
    await stack.up();
    program(retained("2"));
    await stack.up();

    const { changes } = await stack.destroy();

    expect(changes).toEqual({ delete: 1 });
    expect(order().filter((call) => call.startsWith("delete"))).toEqual([]);
  });

  it("leaves to another resource what is deleted with it", async () => {
    const { stack, log, program, order } = await bench();
    program(() => void new Probe(log, "part", {}, { deletedWith: new Probe(log, "whole") }));
    await stack.up();
    order();

    const { changes } = await stack.destroy();

    expect(changes).toEqual({ delete: 2 });
    expect(order()).toEqual(["delete whole"]);
  });
});
