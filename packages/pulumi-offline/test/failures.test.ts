/** How operations, providers and programs fail. */
import * as pulumi from "@pulumi/pulumi";
import { bench, failure, Group, Probe, probeUrn } from "./support";

// Repairs, and what failures leave in the state, are compared with the real engine in ../parity.

it("an operation that is to change nothing passes if nothing changes, and otherwise says what changed", async () => {
  const { stack, log, program } = await bench();
  const { stack: unchanged, program: group } = await bench();
  group(() => void new Group("group"));
  await unchanged.up();

  expect((await unchanged.up({ expectNoChanges: true })).changes).toEqual({ same: 1 });

  program(() => {
    new Probe(log, "kept");
    new Probe(log, "other", { replaceOn: ["nested"] });
  });

  await stack.up();

  program(() => {
    new Probe(log, "kept", { value: "2", print: "looking\nclosely" });
    new Probe(log, "other", { replaceOn: ["nested"], nested: 2 });
    new Probe(log, "third");
  });

  const { message, result } = await failure(stack.preview({ expectNoChanges: true }));

  const [cause, done, printed] = message.split("\n\n");
  expect(cause).toContain("no changes were expected, but there are some: ");

  for (const step of ["update kept (print, value)", "replace other (nested)", "create third"]) {
    expect(cause).toContain(step);
    expect(done).toContain(`\n  ${step}`);
  }

  expect(printed).toBe("Printed by the program and its providers:\n  looking\n  closely");
  // Information without a resource, one for each line.
  expect(result.diagnostics.slice(0, 2)).toEqual([
    { severity: "info", message: "looking" },
    { severity: "info", message: "closely" },
  ]);

  const step = (operation: string, name: string, changed: string[]) => {
    const type = "pulumi-nodejs:dynamic/test:Probe";
    return { operation, urn: probeUrn(name), type, name, changed };
  };
  const [kept, third] = [step("update", "kept", ["print", "value"]), step("create", "third", [])];
  expect(result.steps).toEqual(expect.arrayContaining([kept, third]));
});

it("a provider whose process ends before it is ready is named", async () => {
  const { stack, log, program } = await bench({ env: { NODE_OPTIONS: "--no-such-option" } });
  program(() => void new Probe(log, "a"));
  const { message } = await failure(stack.up());
  expect(message).toContain("the dynamic provider process ended with 9 before it was ready");
});

describe("a failing program", () => {
  it("fails with the RunError's message alone, and keeps resources and outputs", async () => {
    const { stack, program } = await bench();
    program(() => {
      new Group("old");
      return { kept: 1, changed: 1 };
    });

    await stack.up();
    program(async () => {
      await new Promise((resolve) => new Group("new").urn.apply(resolve));
      throw new pulumi.RunError("the program says no");
    });

    const error = await failure(stack.up());
    expect(error.name).toBe("StackError");
    expect(error.message).toBe("the program says no\n\nDone until then:\n  create new");
    expect(error.result.resources.map(({ name }) => name)).toEqual(["new", "old"]);
    expect(error.result.changes).toEqual({ create: 1 });
    expect(Object.keys(error.result.outputs).sort()).toEqual(["changed", "kept"]);
  });

  it("fails where it throws nothing at all", async () => {
    const { stack, program } = await bench();
    program(() => Promise.reject());
    expect((await failure(stack.up())).message).toBe("unknown error undefined");
  });
});
