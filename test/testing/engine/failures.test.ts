import * as pulumi from "@pulumi/pulumi";
import { StackError } from "../../../src/testing/engine";
import { loadSdk } from "../../../src/testing/engine/sdk";
import { AnyProvider, bench, Dynamic, failure, Group, Probe, probeUrn } from "./support";

// Repairs, and what failures leave in the state, are compared with the real engine in ../parity.

describe("a failed check", () => {
  it("stops a preview with every problem of the resource, and shows the value of a secret as the real engine does", async () => {
    const { stack, log, program } = await bench();
    const problems: [string, string][] = [
      ["value", "is too short"],
      ["", "makes no sense"],
    ];
    program(() => void new Probe(log, "a", { value: pulumi.secret("hush"), problems }));

    const error = await failure(stack.preview());

    const resource = "pulumi-nodejs:dynamic/test:Probe resource 'a'";
    expect(error.message).toBe(
      `${resource}: property value value {&{{hush}}} has a problem: is too short\n${resource} has a problem: makes no sense`,
    );
    expect(error.result.diagnostics).toMatchObject([
      { severity: "error", urn: probeUrn("a") },
      { severity: "error", urn: probeUrn("a") },
    ]);
    expect(error.result.changes).toEqual({});
  });
});

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
  it("that gives no id has created nothing", async () => {
    const { stack, program } = await bench();
    const nameless: pulumi.dynamic.ResourceProvider = {
      async create() {
        return { id: "" };
      },
    };
    program(() => void new Dynamic(nameless, "a", {}));

    const { message, result } = await failure(stack.up());

    expect(message).toContain("plugin returned empty resource.ID from create");
    expect(result.resources).toEqual([]);
  });

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

  it("fails where two resources are the same one", async () => {
    const { stack, program } = await bench();
    program(() => {
      new Group("a");
      new Group("a");
    });

    const { message } = await failure(stack.preview());

    expect(message).toContain(
      "Duplicate resource URN 'urn:pulumi:test::test::test:index:Group::a'; try giving it a unique name",
    );
  });
});

describe("what this engine does not do", () => {
  const other = { some: "input" };
  class Other extends pulumi.CustomResource {
    constructor(name: string, options?: pulumi.CustomResourceOptions, type = "aws:s3/bucket:Bucket") {
      super(type, name, other, options);
    }
  }
  /** As a package's own SDK makes it, where the package is a parameterized one. */
  class Parameterized extends pulumi.CustomResource {
    constructor(name: string, options?: pulumi.CustomResourceOptions) {
      super("pulumi-nodejs:dynamic:Resource", name, other, options, false, Promise.resolve("a-reference"));
    }
  }
  const refusals = "the offline engine does not support";

  it.each<[string, string, (log: string) => unknown]>([
    [
      "stack references",
      "'ref': the offline engine does not support stack references",
      () => new pulumi.StackReference("ref", { name: "a/b/c" }),
    ],
    [
      "functions",
      "the offline engine does not support the function aws:index/getRegion:getRegion",
      () => pulumi.runtime.invoke("aws:index/getRegion:getRegion", {}).catch(() => {}),
    ],
    [
      "methods",
      `${refusals} the method aws:index:Vpc/subnets`,
      async () => {
        const monitor = pulumi.runtime.getMonitor();
        const request = new (loadSdk().resource.ResourceCallRequest)().setTok("aws:index:Vpc/subnets");
        await new Promise((resolve) => {
          monitor?.call(request, resolve);
        });
      },
    ],
    [
      "transforms of functions",
      `${refusals} invoke transforms`,
      () => pulumi.runtime.registerInvokeTransform(() => undefined),
    ],
    [
      "packages that are registered",
      `${refusals} parameterized packages`,
      async () => {
        const monitor = pulumi.runtime.getMonitor();
        await new Promise((resolve) => {
          monitor?.registerPackage(new (loadSdk().resource.RegisterPackageRequest)(), resolve);
        });
      },
    ],
    [
      "resources of parameterized packages",
      "'a': the offline engine does not support parameterized packages",
      () => new Parameterized("a"),
    ],
    [
      "lookups of parameterized packages",
      "'a': the offline engine does not support parameterized packages",
      () => new Parameterized("a", { id: "theirs" }),
    ],
    [
      "other providers' lookups",
      "aws:s3/bucket:Bucket resource 'b': the offline engine runs dynamic resources only",
      () => new Other("b", { id: "theirs" }),
    ],
    [
      "lookups with assets",
      "'a': the offline engine does not support assets and archives",
      (log) => new Probe(log, "a", { nested: new pulumi.asset.StringAsset("x") }, { id: "theirs" }),
    ],
    [
      "lookups of stacks",
      "'a': the offline engine does not support stack references",
      () => new Other("a", { id: "theirs" }, "pulumi:pulumi:StackReference"),
    ],
    [
      "replacements with another resource",
      "'b': the offline engine does not support the replaceWith option",
      (log) => new Probe(log, "b", {}, { replaceWith: [new Group("a")] }),
    ],
    [
      "environment variables of a provider",
      "'p': the offline engine does not support the envVarMappings option",
      () => new AnyProvider("p", {}, "pulumi-nodejs", { envVarMappings: { A: "B" } }),
    ],
    [
      "error hooks",
      `${refusals} error hooks`,
      (log) => {
        const hook = new pulumi.ErrorHook("hook", async () => false);
        return new Probe(log, "a", {}, { hooks: { onError: [hook] } });
      },
    ],
    [
      "a CLI of another version",
      `Pulumi CLI version ${loadSdk().version} does not satisfy the version range "<1.0.0"`,
      () => pulumi.requirePulumiVersion("<1.0.0"),
    ],
    [
      "other providers' resources",
      "aws:s3/bucket:Bucket resource 'b': the offline engine runs dynamic resources only",
      () => new Other("b"),
    ],
    [
      "other explicit providers",
      "pulumi:providers:aws resource 'p': the offline engine runs dynamic resources only",
      () => new AnyProvider("p", {}, "aws"),
    ],
    [
      "remote components",
      "does not support remote components",
      () => new pulumi.ComponentResource("aws:index:Vpc", "v", {}, {}, true),
    ],
    [
      "imports",
      "does not support the import option",
      (log) => new Probe(log, "a", {}, { import: "some-id" }),
    ],
    [
      "assets",
      "does not support assets and archives",
      (log) => new Probe(log, "a", { nested: new pulumi.asset.StringAsset("x") }),
    ],
    [
      "resource hooks",
      "does not support resource hooks",
      (log) => new Probe(log, "a", {}, { hooks: { beforeCreate: [() => {}] } }),
    ],
    [
      "replacement triggers",
      "does not support the replacementTrigger option",
      (log) => new Probe(log, "a", {}, { replacementTrigger: 1 }),
    ],
    [
      "hooks that a transform adds",
      "does not support resource hooks",
      (log) => {
        const add: pulumi.ResourceTransform = ({ props, opts }) => ({
          props,
          opts: { ...opts, hooks: { beforeCreate: [() => {}] } },
        });
        return new Probe(log, "a", {}, { transforms: [add] });
      },
    ],
    [
      "wildcards inside of property paths",
      "does not support wildcards inside of property paths",
      (log) => new Probe(log, "a", {}, { replaceOnChanges: ["nested.*"] }),
    ],
  ])("refuses %s by name", async (_, expected, act) => {
    const { stack, log, program } = await bench();
    program(async () => {
      await act(log);
      await new Promise(() => {});
    });

    const error = await failure(stack.up());

    expect(error).toBeInstanceOf(StackError);
    expect(error.message).toContain(expected);
  });
});
