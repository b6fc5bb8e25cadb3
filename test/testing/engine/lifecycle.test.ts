import * as pulumi from "@pulumi/pulumi";
import { barrier, bench, Group, Probe, probeUrn, startedProcesses } from "./support";

describe("a preview", () => {
  it("asks the provider to check, and creates nothing", async () => {
    const { stack, log, program, order } = await bench();
    program(() => void new Probe(log, "a"));

    const result = await stack.preview();

    expect(result.changes).toEqual({ create: 1 });
    expect(order()).toEqual(["check a"]);
    expect(result.resources).toEqual([]);
  });

  it("knows inputs and leaves out outputs that only a create can tell", async () => {
    const { stack, log, program } = await bench();
    program(() => {
      const { value, made, id } = new Probe(log, "a");
      return { value, made, id, plain: 1 };
    });

    const { outputs } = await stack.preview();

    expect(outputs).toEqual({ value: { value: "1", secret: false }, plain: { value: 1, secret: false } });
  });

  it("hands unknown values to check as the SDK's sentinel", async () => {
    const { stack, log, program, calls } = await bench();
    program(() => void new Probe(log, "b", { value: new Probe(log, "a").made }));

    await stack.preview();

    const [, check] = calls();
    expect(check).toMatchObject({ label: "b", news: { value: pulumi.runtime.unknownValue } });
  });

  it("runs as a dry run", async () => {
    const { stack, program } = await bench();
    const seen: boolean[] = [];
    program(() => void seen.push(pulumi.runtime.isDryRun()));

    await stack.preview();
    await stack.up();

    expect(seen).toEqual([true, false]);
  });
});

describe("an update", () => {
  it("creates, and reports state and outputs", async () => {
    const { stack, log, program, calls } = await bench();
    program(() => ({ made: new Probe(log, "a").made }));

    const { changes, outputs, resources, diagnostics } = await stack.up();

    expect(changes).toEqual({ create: 1 });
    expect(outputs).toEqual({ made: { value: "made 1", secret: false } });
    expect(diagnostics).toEqual([]);
    expect(resources).toMatchObject([
      {
        urn: probeUrn("a"),
        type: "pulumi-nodejs:dynamic/test:Probe",
        name: "a",
        id: "id-a-1",
        parent: "urn:pulumi:test::test::pulumi:pulumi:Stack::test-test",
        inputs: { label: "a", value: "1", __provider: expect.stringContaining("handler") },
        outputs: { label: "a", value: "1", made: "made 1", __provider: expect.stringContaining("handler") },
        secretOutputs: [],
      },
    ]);
    expect(calls()).toMatchObject([{ method: "check", olds: {} }, { method: "create" }]);
  });

  it("changes nothing when nothing has changed, and shows old inputs to check and old outputs to diff", async () => {
    const { stack, log, program, calls } = await bench();
    program(() => ({ made: new Probe(log, "a").made }));
    await stack.up();
    calls();

    const { changes, outputs } = await stack.up();

    expect(changes).toEqual({ same: 1 });
    expect(outputs).toEqual({ made: { value: "made 1", secret: false } });
    const [check, diff, ...rest] = calls();
    expect(check).toMatchObject({ method: "check", olds: { value: "1" }, news: { value: "1" } });
    expect(check?.olds).not.toHaveProperty("made");
    expect(diff).toMatchObject({
      method: "diff",
      id: "id-a-1",
      olds: { made: "made 1" },
      news: { value: "1" },
    });
    expect(rest).toEqual([]);
  });

  it("updates in place", async () => {
    const { stack, log, program, calls } = await bench();
    program(() => void new Probe(log, "a"));
    await stack.up();
    program(() => void new Probe(log, "a", { value: "2" }));
    const preview = await stack.preview();
    calls();

    const { changes, resources } = await stack.up();

    expect(preview.changes).toEqual({ update: 1 });
    expect(changes).toEqual({ update: 1 });
    expect(calls()[2]).toMatchObject({
      method: "update",
      id: "id-a-1",
      olds: { made: "made 1" },
      news: { value: "2" },
    });
    expect(resources).toMatchObject([
      { id: "id-a-1", inputs: { value: "2" }, outputs: { made: "updated 2" } },
    ]);
  });

  it("replaces by creating the new resource before it deletes the old one", async () => {
    const { stack, log, program, calls, order } = await bench();
    program(() => void new Probe(log, "a", { replaceOn: ["value"] }));
    await stack.up();
    order();
    program(() => void new Probe(log, "a", { value: "2", replaceOn: ["value"] }));

    const preview = await stack.preview();
    expect(order()).toEqual(["check a", "diff a", "check a"]);
    const { changes, resources } = await stack.up();

    expect(preview.changes).toEqual({ replace: 1 });
    expect(changes).toEqual({ replace: 1 });
    const made = calls();
    expect(made.map(({ method }) => method)).toEqual(["check", "diff", "check", "create", "delete"]);
    expect(made[2]).toMatchObject({ olds: {} });
    expect(made[4]).toMatchObject({ id: "id-a-1", olds: { made: "made 1" } });
    expect(resources).toMatchObject([{ id: "id-a-2" }]);
  });

  it.each([
    ["the provider", { deleteFirst: true }, undefined, ["delete a", "create a"]],
    ["the resource option", {}, true, ["delete a", "create a"]],
    ["the resource option against the provider", { deleteFirst: true }, false, ["create a", "delete a"]],
  ])("deletes first where %s says so", async (_, inputs, deleteBeforeReplace, expected) => {
    const { stack, log, program, order } = await bench();
    const options = { deleteBeforeReplace };
    program(() => void new Probe(log, "a", { replaceOn: ["value"], ...inputs }, options));
    await stack.up();
    order();
    program(() => void new Probe(log, "a", { value: "2", replaceOn: ["value"], ...inputs }, options));

    const { changes } = await stack.up();

    expect(changes).toEqual({ replace: 1 });
    expect(order().filter((call) => /create|delete/.test(call))).toEqual(expected);
  });

  it("deletes dependents that would be replaced, too, before a resource that cannot exist twice", async () => {
    const { stack, log, program, order } = await bench();
    const both = (value: string) => () => {
      const a = new Probe(log, "a", { value, replaceOn: ["value"], deleteFirst: true });
      new Probe(log, "b", { value: a.made, replaceOn: ["value"] });
    };
    program(both("1"));
    await stack.up();
    order();
    program(both("2"));

    const { changes } = await stack.up();

    expect(changes).toEqual({ replace: 2 });
    const acts = order().filter((call) => /create|delete/.test(call));
    expect(acts).toEqual(["delete b", "delete a", "create a", "create b"]);
  });

  it("deletes what has left the program, dependents first", async () => {
    const { stack, log, program, order } = await bench();
    program(() => {
      const a = new Probe(log, "a");
      const b = new Probe(log, "b", { value: a.made });
      new Probe(log, "c", {}, { dependsOn: [b] });
      new Probe(log, "stays");
    });
    await stack.up();
    order();
    program(() => void new Probe(log, "stays"));

    const preview = await stack.preview();
    expect(order()).toEqual(["check stays", "diff stays"]);
    const { changes, resources } = await stack.up();

    expect(preview.changes).toEqual({ same: 1, delete: 3 });
    expect(changes).toEqual({ same: 1, delete: 3 });
    expect(order().slice(2)).toEqual(["delete c", "delete b", "delete a"]);
    expect(resources.map(({ name }) => name)).toEqual(["stays"]);
  });

  it("creates side by side what does not depend on one another", async () => {
    const { stack, log, program } = await bench();
    const { url, close } = await barrier(2);
    program(() => {
      new Probe(log, "a", { barrier: url });
      new Probe(log, "b", { barrier: url });
    });

    const { changes } = await stack.up();

    close();
    expect(changes).toEqual({ create: 2 });
  });

  it("creates one after the other what depends on one another", async () => {
    const { stack, log, program, order } = await bench();
    program(() => {
      const a = new Probe(log, "a");
      const b = new Probe(log, "b", {}, { dependsOn: [a] });
      new Probe(log, "c", { value: b.made });
    });

    await stack.up();

    expect(order().filter((call) => call.startsWith("create"))).toEqual(["create a", "create b", "create c"]);
  });

  it("runs one provider process for all resources, and none where there are none", async () => {
    const { stack, log, program } = await bench();
    const before = startedProcesses();
    await stack.up();
    expect(startedProcesses()).toBe(before);
    program(() => {
      new Probe(log, "a");
      new Probe(log, "b");
    });

    await stack.up();

    expect(startedProcesses()).toBe(before + 1);
  });
});

describe("a component", () => {
  it("is counted, stays the same, and gives its type to the URNs of its children", async () => {
    const { stack, log, program } = await bench();
    program(() => {
      const outer = new Group("outer");
      const inner = new Group("inner", { parent: outer });
      new Probe(log, "a", {}, { parent: inner });
    });

    const first = await stack.up();
    const second = await stack.up();

    expect(first.changes).toEqual({ create: 3 });
    expect(second.changes).toEqual({ same: 3 });
    const { urn, parent } = second.resources.find(({ name }) => name === "a") ?? {};
    expect(urn).toBe(probeUrn("a", "test:index:Group$test:index:Group$"));
    expect(parent).toBe("urn:pulumi:test::test::test:index:Group$test:index:Group::inner");
  });

  it("keeps its registered outputs, secrets hidden", async () => {
    const { stack, program } = await bench();
    program(() => {
      class Outputs extends pulumi.ComponentResource {
        constructor() {
          super("test:index:Outputs", "o");
          this.registerOutputs({ plain: 1, hidden: pulumi.secret("hush") });
        }
      }
      new Outputs();
    });

    const { resources } = await stack.up();

    expect(resources).toMatchObject([
      { outputs: { plain: 1, hidden: "[secret]" }, secretOutputs: ["hidden"] },
    ]);
  });
});

describe("a stack", () => {
  it("starts empty, and can be destroyed and refreshed then", async () => {
    const { stack } = await bench();

    expect(await stack.destroy()).toMatchObject({ changes: {}, resources: [] });
    expect(await stack.refresh()).toMatchObject({ changes: {}, resources: [] });
  });

  it("runs its operations one after the other", async () => {
    const { stack, log, program } = await bench();
    program(() => void new Probe(log, "a"));

    const [up, same, destroyed] = await Promise.all([stack.up(), stack.up(), stack.destroy()]);

    expect([up.changes, same.changes, destroyed.changes]).toEqual([
      { create: 1 },
      { same: 1 },
      { delete: 1 },
    ]);
  });

  it("runs beside others in one process", async () => {
    const benches = await Promise.all([bench({ project: "one" }), bench({ project: "two" })]);
    for (const { log, program } of benches) {
      program(async () => {
        const project = pulumi.getProject();
        const { made } = new Probe(log, project);
        await new Promise((resolve) => setImmediate(resolve));
        new Probe(log, `${pulumi.getProject()}-later`);
        return { made };
      });
    }

    const results = await Promise.all(benches.map(({ stack }) => stack.up()));

    expect(results.map(({ resources }) => resources.map(({ name }) => name).sort())).toEqual([
      ["one", "one-later"],
      ["two", "two-later"],
    ]);
  });
});
