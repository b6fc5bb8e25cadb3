import * as pulumi from "@pulumi/pulumi";
import { barrier, bench, Group, Probe, probeUrn, startedProcesses } from "./support";

// What an operation asks of providers, does and records is compared with the real engine in ../parity.

describe("an operation", () => {
  it("returns what there is, and in a preview only the outputs that are known", async () => {
    const { stack, log, program } = await bench();
    const dryRuns: boolean[] = [];
    program(() => {
      dryRuns.push(pulumi.runtime.isDryRun());
      const { value, made, id } = new Probe(log, "a");
      return { value, made, id, plain: 1 };
    });

    const preview = await stack.preview();
    const up = await stack.up();

    expect(dryRuns).toEqual([true, false]);
    expect(preview).toMatchObject({ changes: { create: 1 }, resources: [] });
    const known = { value: { value: "1", secret: false }, plain: { value: 1, secret: false } };
    expect(preview.outputs).toEqual(known);
    expect(up.changes).toEqual({ create: 1 });
    expect(up.outputs).toEqual({
      ...known,
      made: { value: "made 1", secret: false },
      id: { value: "id-a-1", secret: false },
    });
    expect(up.diagnostics).toEqual([]);
    expect(up.resources).toEqual([
      {
        urn: probeUrn("a"),
        type: "pulumi-nodejs:dynamic/test:Probe",
        name: "a",
        id: "id-a-1",
        parent: "urn:pulumi:test::test::pulumi:pulumi:Stack::test-test",
        inputs: { label: "a", value: "1", log, __provider: expect.stringContaining("handler") },
        outputs: expect.objectContaining({ label: "a", value: "1", made: "made 1" }),
        secretOutputs: [],
      },
    ]);
  });

  it("runs one provider process for all resources, side by side, and none where there are none", async () => {
    const { stack, log, program } = await bench();
    const before = startedProcesses();
    await stack.up();
    expect(startedProcesses()).toBe(before);
    const { url, close } = await barrier(2);
    program(() => {
      new Probe(log, "a", { barrier: url });
      new Probe(log, "b", { barrier: url });
    });

    const { changes } = await stack.up();

    close();
    expect(changes).toEqual({ create: 2 });
    expect(startedProcesses()).toBe(before + 1);
  });
});

describe("a component", () => {
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
    const { stack, program } = await bench();
    program(() => ({ urn: new Group("group").urn }));

    const [up, same, destroyed] = await Promise.all([stack.up(), stack.up(), stack.destroy()]);

    expect(up.changes).toEqual({ create: 1 });
    expect(same.changes).toEqual({ same: 1 });
    expect(Object.keys(same.outputs)).toEqual(["urn"]);
    expect(destroyed).toMatchObject({ changes: { delete: 1 }, resources: [] });
    expect(destroyed.outputs).toEqual({});
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
