import * as pulumi from "@pulumi/pulumi";
import { RegisterPackageRequest, ResourceCallRequest } from "@pulumi/pulumi/proto/resource_pb";
import { version } from "@pulumi/pulumi/version";
import { AnyProvider, bench, failure, Group, Probe, probeUrn } from "./support";

// Repairs, and what failures leave in the state, are compared with the real engine in ../parity.

describe("a failed create", () => {
  it("is an error of its resource, lets others finish, and deletes nothing", async () => {
    const { stack, log, program, order } = await bench();
    program(() => {
      new Probe(log, "left");
      new Probe(log, "bad", { replaceOn: ["value"] });
    });
    await stack.up();
    order();
    program(() => {
      const fail = "no such thing\nat all";
      const bad = new Probe(log, "bad", { value: "2", replaceOn: ["value"], fail });
      new Probe(log, "good");
      new Probe(log, "dependent", { value: bad.made });
    });

    const error = await failure(stack.up());

    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("StackError");
    expect(error.message).toMatch(/^no such thing\nat all\nupdate failed\n\nDone until then:\n/);
    expect(error.result.diagnostics[0]).toEqual({
      severity: "error",
      message: "no such thing\nat all",
      urn: probeUrn("bad"),
    });
    expect(error.result.changes).toEqual({ create: 1 });
    expect(error.result.resources.map(({ id }) => id).sort()).toEqual(["id-bad-1", "id-good-1", "id-left-1"]);
    const acts = order().filter((call) => /create|delete/.test(call));
    expect(acts.sort()).toEqual(["create bad", "create good"]);
  });
});

describe("an operation that is to change nothing", () => {
  it("passes where it does, and else says what changed, and what was printed", async () => {
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
    const type = "pulumi-nodejs:dynamic/test:Probe";
    expect(result.steps).toEqual(
      expect.arrayContaining([
        { operation: "update", urn: probeUrn("kept"), type, name: "kept", changed: ["print", "value"] },
        { operation: "create", urn: probeUrn("third"), type, name: "third", changed: [] },
      ]),
    );
  });
});

describe("a provider", () => {
  it("whose process ends before it is ready says so", async () => {
    const { stack, log, program } = await bench({ env: { NODE_OPTIONS: "--no-such-option" } });
    program(() => void new Probe(log, "a"));

    const { message } = await failure(stack.up());

    expect(message).toContain("the dynamic provider process ended with 9 before it was ready");
  });
});

describe("a failing program", () => {
  it("fails with the message of a RunError alone, and deletes nothing", async () => {
    const { stack, program } = await bench();
    program(() => void new Group("old"));
    await stack.up();
    program(async () => {
      await new Promise((resolve) => new Group("new").urn.apply(resolve));
      throw new pulumi.RunError("the program says no");
    });

    const { message, result } = await failure(stack.up());

    expect(message).toBe("the program says no\n\nDone until then:\n  create new");
    expect(result.resources.map(({ name }) => name)).toEqual(["new", "old"]);
    expect(result.changes).toEqual({ create: 1 });
  });

  it("fails where it throws nothing at all", async () => {
    const { stack, program } = await bench();
    program(() => Promise.reject());

    expect((await failure(stack.up())).message).toBe("unknown error undefined");
  });

  it("keeps outputs that it did not reach", async () => {
    const { stack, program } = await bench();
    program(() => ({ kept: 1, changed: 1 }));
    await stack.up();
    program(() => {
      throw new pulumi.RunError("no");
    });

    const { result } = await failure(stack.up());

    expect(Object.keys(result.outputs).sort()).toEqual(["changed", "kept"]);
  });
});

describe("what this engine does not do", () => {
  class Other extends pulumi.CustomResource {
    constructor(name: string, options?: pulumi.CustomResourceOptions, type = "aws:s3/bucket:Bucket") {
      super(type, name, { some: "input" }, options);
    }
  }
  /** As a package's own SDK makes it, where the package is a parameterized one. */
  class Parameterized extends pulumi.CustomResource {
    constructor(name: string, options?: pulumi.CustomResourceOptions) {
      super("pulumi-nodejs:dynamic:Resource", name, {}, options, false, Promise.resolve("a-reference"));
    }
  }
  const asset = { nested: new pulumi.asset.StringAsset("x") };
  const refusals = "the offline engine does not support";

  it.each<[string, (log: string) => unknown]>([
    [
      `pulumi:pulumi:StackReference resource 'ref': ${refusals} stack references`,
      () => new pulumi.StackReference("ref", { name: "a/b/c" }),
    ],
    [
      `pulumi:pulumi:StackReference resource 'lookup': ${refusals} stack references`,
      () => new Other("lookup", { id: "theirs" }, "pulumi:pulumi:StackReference"),
    ],
    [
      `${refusals} the function aws:index/getRegion:getRegion`,
      () => pulumi.runtime.invoke("aws:index/getRegion:getRegion", {}).catch(() => {}),
    ],
    [
      `${refusals} the method aws:index:Vpc/subnets`,
      async () => {
        const request = new ResourceCallRequest().setTok("aws:index:Vpc/subnets");
        await new Promise((resolve) => {
          pulumi.runtime.getMonitor()?.call(request, resolve);
        });
      },
    ],
    [`${refusals} invoke transforms`, () => pulumi.runtime.registerInvokeTransform(() => undefined)],
    [
      `${refusals} parameterized packages`,
      async () => {
        const request = new RegisterPackageRequest();
        await new Promise((resolve) => {
          pulumi.runtime.getMonitor()?.registerPackage(request, resolve);
        });
      },
    ],
    [`'a': ${refusals} parameterized packages`, () => new Parameterized("a")],
    [`'lookup': ${refusals} parameterized packages`, () => new Parameterized("lookup", { id: "theirs" })],
    ["resource 'b': the offline engine runs dynamic resources only", () => new Other("b")],
    [
      "resource 'lookup': the offline engine runs dynamic resources only",
      () => new Other("lookup", { id: "theirs" }),
    ],
    [
      "pulumi:providers:aws resource 'p': the offline engine runs dynamic resources only",
      () => new AnyProvider("p", {}, "aws"),
    ],
    [`'a': ${refusals} assets and archives`, (log) => new Probe(log, "a", asset)],
    [`'lookup': ${refusals} assets and archives`, (log) => new Probe(log, "lookup", asset, { id: "theirs" })],
    [
      `${refusals} the replaceWith option`,
      (log) => new Probe(log, "b", {}, { replaceWith: [new Group("a")] }),
    ],
    [
      `${refusals} the replacementTrigger option`,
      (log) => new Probe(log, "a", {}, { replacementTrigger: 1 }),
    ],
    [
      `${refusals} the envVarMappings option`,
      () => new AnyProvider("p", {}, "pulumi-nodejs", { envVarMappings: { A: "B" } }),
    ],
    [`${refusals} the import option`, (log) => new Probe(log, "a", {}, { import: "some-id" })],
    [
      `${refusals} error hooks`,
      (log) => {
        const hook = new pulumi.ErrorHook("hook", async () => false);
        return new Probe(log, "a", {}, { hooks: { onError: [hook] } });
      },
    ],
    [`${refusals} resource hooks`, (log) => new Probe(log, "a", {}, { hooks: { beforeCreate: [() => {}] } })],
    [`${refusals} remote components`, () => new pulumi.ComponentResource("aws:index:Vpc", "v", {}, {}, true)],
    [
      `${refusals} wildcards inside of property paths`,
      (log) => new Probe(log, "a", {}, { replaceOnChanges: ["nested.*"] }),
    ],
    [
      `Pulumi CLI version ${version} does not satisfy the version range "<1.0.0"`,
      () => pulumi.requirePulumiVersion("<1.0.0"),
    ],
  ])("fails with: %s", async (expected, act) => {
    const { stack, log, program } = await bench();
    program(async () => {
      await act(log);
      await new Promise(() => {});
    });

    expect((await failure(stack.up())).message).toContain(expected);
  });
});
