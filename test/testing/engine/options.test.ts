import * as pulumi from "@pulumi/pulumi";
import { AnyProvider, bench, failure, Group, Probe, probeUrn } from "./support";

describe("resource options", () => {
  it("ignoreChanges keeps the old input", async () => {
    const { stack, log, program, calls } = await bench();
    program(() => void new Probe(log, "a", { nested: { kept: 1, taken: 1 } }));
    await stack.up();
    calls();
    const options = { ignoreChanges: ["value", "nested.kept"] };
    program(() => void new Probe(log, "a", { value: "2", nested: { kept: 2, taken: 2 } }, options));

    const { changes, resources } = await stack.up();

    expect(changes).toEqual({ update: 1 });
    expect(calls()[0]?.news).toMatchObject({ value: "1", nested: { kept: 1, taken: 2 } });
    expect(resources).toMatchObject([{ inputs: { value: "1", nested: { kept: 1, taken: 2 } } }]);
  });

  it("ignoreChanges on everything leaves nothing to do", async () => {
    const { stack, log, program } = await bench();
    program(() => void new Probe(log, "a"));
    await stack.up();
    program(() => void new Probe(log, "a", { value: "2", nested: 1 }, { ignoreChanges: ["*"] }));

    expect((await stack.up()).changes).toEqual({ same: 1 });
  });

  it("replaceOnChanges has no effect on a provider that answers whether there are changes", async () => {
    const { stack, log, program } = await bench();
    const options = { replaceOnChanges: ["value"] };
    program(() => void new Probe(log, "a", {}, options));
    await stack.up();
    program(() => void new Probe(log, "a", { value: "2" }, options));

    expect((await stack.up()).changes).toEqual({ update: 1 });
  });

  it("protect refuses a replacement, at preview too", async () => {
    const { stack, log, program, order } = await bench();
    program(() => void new Probe(log, "a", { replaceOn: ["value"] }, { protect: true }));
    await stack.up();
    program(() => void new Probe(log, "a", { value: "2", replaceOn: ["value"] }, { protect: true }));
    order();

    const preview = await failure(stack.preview());
    const update = await failure(stack.up());

    for (const { message } of [preview, update])
      expect(message).toContain(`unable to replace resource "${probeUrn("a")}"`);
    expect(order().filter((call) => /create|delete/.test(call))).toEqual([]);
    program(() => void new Probe(log, "a", { value: "2", replaceOn: ["value"] }));
    expect((await stack.up()).changes).toEqual({ replace: 1 });
  });

  it("protect refuses to go with what is deleted first, at preview too, and reports on that", async () => {
    const { stack, log, program, order } = await bench();
    const at = (value: string) => () => {
      const root = new Probe(log, "root", { value, replaceOn: ["value"], deleteFirst: true });
      new Probe(log, "kept", { nested: root.made, replaceOn: ["nested"] }, { protect: true });
    };
    program(at("1"));
    await stack.up();
    program(at("2"));
    order();

    const preview = await failure(stack.preview());
    const update = await failure(stack.up());

    for (const { result } of [preview, update]) {
      expect(result.changes).toEqual({});
      expect(result.diagnostics).toEqual([
        {
          severity: "error",
          urn: probeUrn("root"),
          message: expect.stringContaining(
            `"${probeUrn("kept")}" as part of replacing "${probeUrn("root")}"`,
          ),
        },
      ]);
    }
    expect(order().filter((call) => /create|delete/.test(call))).toEqual([]);
  });

  it.each<[string, pulumi.Alias | string]>([
    ["a URN", probeUrn("old")],
    ["a name", { name: "old" }],
    ["a name and the root as parent", { name: "old", parent: pulumi.rootStackResource }],
  ])("aliases rename without replacing, by %s", async (_, alias) => {
    const { stack, log, program, order } = await bench();
    program(() => void new Probe(log, "old"));
    await stack.up();
    order();
    program(() => void new Probe(log, "new", { label: "old" }, { aliases: [alias] }));

    const { changes, resources } = await stack.up();

    expect(changes).toEqual({ same: 1 });
    expect(resources).toMatchObject([{ urn: probeUrn("new"), id: "id-old-1" }]);
  });

  it("aliases of a component carry its children along, and references follow", async () => {
    const { stack, log, program } = await bench();
    const grouped = (name: string, aliases: pulumi.Alias[]) => () => {
      const group = new Group(name, { aliases });
      const a = new Probe(log, "a", {}, { parent: group });
      new Probe(log, "b", { value: a.made });
    };
    program(grouped("old", []));
    await stack.up();
    program(grouped("new", [{ name: "old" }]));

    expect((await stack.up()).changes).toEqual({ same: 3 });
    expect((await stack.destroy()).changes).toEqual({ delete: 3 });
  });

  it("aliases move a resource into a component", async () => {
    const { stack, log, program } = await bench();
    program(() => void new Probe(log, "a"));
    await stack.up();
    program(() => {
      const parent = new Group("group");
      new Probe(log, "a", {}, { parent, aliases: [{ parent: pulumi.rootStackResource }] });
    });

    const { changes, resources } = await stack.up();

    expect(changes).toEqual({ create: 1, same: 1 });
    expect(resources.map(({ urn }) => urn)).toContain(probeUrn("a", "test:index:Group$"));
  });

  it.each<[string, string, (log: string) => void]>([
    [
      "one that another resource has",
      `Duplicate resource alias '${probeUrn("old")}' applied to resource with URN '${probeUrn("b")}' conflicting with resource with URN '${probeUrn("a")}'`,
      (log) => {
        new Probe(log, "a", {}, { aliases: [{ name: "old" }] });
        new Probe(log, "b", {}, { aliases: [{ name: "old" }] });
      },
    ],
    [
      "the name of a resource that has been declared",
      `Duplicate resource alias '${probeUrn("old")}' applied to resource with URN '${probeUrn("b")}' conflicting with resource with URN '${probeUrn("b")}'`,
      (log) => {
        const old = new Probe(log, "old");
        new Probe(log, "b", {}, { aliases: [{ name: "old" }], dependsOn: old });
      },
    ],
    [
      "the name of a resource that is declared later",
      `Duplicate resource URN '${probeUrn("old")}' conflicting with alias on resource with URN '${probeUrn("b")}'`,
      (log) => {
        const renamed = new Probe(log, "b", {}, { aliases: [{ name: "old" }] });
        new Probe(log, "old", {}, { dependsOn: renamed });
      },
    ],
  ])("aliases are refused: %s", async (_, expected, act) => {
    const { stack, log, program } = await bench();
    program(() => void new Probe(log, "old"));
    await stack.up();
    program(() => act(log));

    expect((await failure(stack.preview())).message).toContain(expected);
  });

  it("of a parent hold for its children", async () => {
    const { stack, log, program } = await bench();
    program(() => void new Probe(log, "a", {}, { parent: new Group("group", { protect: true }) }));
    await stack.up();

    const { result } = await failure(stack.destroy());

    expect(result.resources.map(({ name }) => name)).toEqual(["group", "a"]);
  });
});

describe("a lookup", () => {
  it("reads with the inputs as state, is not deleted, and does not belong to the stack", async () => {
    const { stack, log, program, calls } = await bench();
    program(() => ({ made: new Probe(log, "a", {}, { id: "theirs" }).made }));

    const first = await stack.up();
    const destroyed = await stack.destroy();

    expect(first.changes).toEqual({ read: 1 });
    expect(first.outputs).toEqual({ made: { value: "read", secret: false } });
    expect(first.resources).toMatchObject([
      { id: "theirs", inputs: { value: "1" }, outputs: { made: "read" } },
    ]);
    expect(destroyed.changes).toEqual({ discard: 1 });
    expect(calls()).toMatchObject([{ method: "read", id: "theirs", olds: { value: "1" } }]);
  });

  it("happens in a preview, unless the id is not known yet", async () => {
    const { stack, log, program, calls } = await bench();
    program(() => {
      const { made } = new Probe(log, "known", {}, { id: "theirs" });
      const later = new Probe(log, "later", {}, { id: new Probe(log, "a").made });
      return { made, later: later.made };
    });

    const { outputs, changes } = await stack.preview();

    expect(changes).toEqual({ create: 1, read: 2 });
    expect(outputs).toEqual({ made: { value: "read", secret: false } });
    expect(calls().filter(({ method }) => method === "read")).toMatchObject([{ label: "known" }]);
  });

  it("of what the stack owned under another id replaces that", async () => {
    const { stack, log, program, order } = await bench();
    program(() => void new Probe(log, "a"));
    await stack.up();
    order();
    program(() => void new Probe(log, "a", {}, { id: "theirs" }));

    const { changes } = await stack.up();

    expect(changes).toEqual({ replace: 1 });
    expect(order()).toEqual(["read a", "delete a"]);
  });
});

describe("an explicit provider", () => {
  const token = { "test:token": "own" };

  it("is a resource with a process of its own, for those that name it", async () => {
    const { stack, log, program } = await bench();
    program(() => {
      const provider = new AnyProvider("p", token);
      new Probe(log, "a", {}, { provider });
      new Probe(log, "b", {}, { parent: new Group("group", { providers: [provider] }) });
      new Probe(log, "c");
    });

    const preview = await stack.preview();
    const up = await stack.up();
    const refresh = await stack.refresh();
    const destroy = await stack.destroy();

    expect(preview.changes).toEqual({ create: 5 });
    expect(up.changes).toEqual({ create: 5 });
    expect(up.resources.map(({ type }) => type)).toContain("pulumi:providers:pulumi-nodejs");
    expect(refresh.changes).toEqual({ same: 5 });
    expect(destroy.changes).toEqual({ delete: 5 });
  });

  it("is configured with its own arguments, secrets in clear, and the default one with the stack's", async () => {
    const { stack, log, program } = await bench({ config: { "test:token": "stack's" } });
    program(() => {
      const provider = new AnyProvider("p", {
        "test:token": pulumi.secret("own"),
      });
      return { own: new Configured(log, "a", { provider }).token, other: new Configured(log, "b").token };
    });

    const { outputs, resources } = await stack.up();

    expect(outputs).toEqual({
      own: { value: "own", secret: false },
      other: { value: "stack's", secret: false },
    });
    expect(resources[0]).toMatchObject({ name: "p", inputs: { "test:token": "[secret]" } });
  });

  it("takes new arguments in place, and goes with its resources", async () => {
    const { stack, log, program } = await bench();
    const withToken = (value: string) => () => {
      const provider = new AnyProvider("p", { "test:token": value });
      new Configured(log, "a", { provider });
    };
    program(withToken("1"));
    const first = await stack.up();
    program(withToken("2"));

    const second = await stack.up();
    program(() => undefined);
    const third = await stack.up();

    expect(second.changes).toEqual({ update: 1, same: 1 });
    expect(second.resources[0]?.id).toBe(first.resources[0]?.id);
    expect(third.changes).toEqual({ delete: 2 });
  });

  it("is not asked where its arguments are unknown in a preview", async () => {
    const { stack, log, program, order } = await bench();
    const chained = (value: string) => () => {
      const args = { "test:token": new Probe(log, "a", { value }).made };
      const provider = new AnyProvider("p", args);
      new Probe(log, "b", {}, { provider });
    };
    program(chained("1"));
    expect((await stack.preview()).changes).toEqual({ create: 3 });
    expect(order()).toEqual(["check a"]);
    await stack.up();
    program(chained("2"));
    order();

    const { changes, diagnostics } = await stack.preview();

    expect(changes).toEqual({ update: 3 });
    expect(order()).toEqual(["check a", "diff a"]);
    expect(diagnostics).toMatchObject([
      {
        severity: "warning",
        urn: probeUrn("b"),
        message: expect.stringContaining("inputs that are not known"),
      },
    ]);
  });
});

/** Tells what its provider was configured with. */
class Configured extends pulumi.dynamic.Resource {
  declare readonly token: pulumi.Output<string>;

  constructor(log: string, name: string, options?: pulumi.CustomResourceOptions) {
    super(configured, name, { token: undefined, log }, options);
  }
}

const configured = {
  token: undefined as string | undefined,
  async configure(request: pulumi.dynamic.ConfigureRequest) {
    this.token = request.config.get("test:token");
  },
  async create() {
    return { id: "configured", outs: { token: this.token } };
  },
};
