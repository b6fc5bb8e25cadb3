import * as pulumi from "@pulumi/pulumi";
import { AnyProvider, bench, Dynamic, failure, Group, Probe, probeUrn } from "./support";

// What each option does by itself is compared with the real engine in ../parity.

describe("resource options", () => {
  it("protect may be taken away by the update that replaces", async () => {
    const { stack, log, program } = await bench();
    program(() => void new Probe(log, "a", { replaceOn: ["value"] }, { protect: true }));
    await stack.up();
    program(() => void new Probe(log, "a", { value: "2", replaceOn: ["value"] }));

    expect((await stack.up()).changes).toEqual({ replace: 1 });
  });

  it("aliases rename and move without replacing, and references and children follow", async () => {
    const { stack, log, program } = await bench();
    program(() => {
      for (const name of ["by-urn", "by-name", "by-parent"]) new Probe(log, name, { label: name });
      new Probe(log, "moved");
      const group = new Group("old");
      new Probe(log, "user", { value: new Probe(log, "child", {}, { parent: group }).made });
    });
    const before = await stack.up();
    program(() => {
      const renamed = (old: string, alias: pulumi.Alias | string) =>
        new Probe(log, `new-${old}`, { label: old }, { aliases: [alias] });
      renamed("by-urn", probeUrn("by-urn"));
      renamed("by-name", { name: "by-name" });
      renamed("by-parent", { name: "by-parent", parent: pulumi.rootStackResource });
      const group = new Group("new", { aliases: [{ name: "old" }] });
      const from = { aliases: [{ parent: pulumi.rootStackResource }] };
      new Probe(log, "moved", {}, { parent: group, ...from });
      new Probe(log, "user", { value: new Probe(log, "child", {}, { parent: group }).made });
    });

    const { changes, resources } = await stack.up();

    expect(changes).toEqual({ same: 7 });
    const ids = (all: typeof resources) => all.map(({ id }) => id).sort();
    expect(ids(resources)).toEqual(ids(before.resources));
    const urns = resources.map(({ urn }) => urn);
    for (const name of ["by-urn", "by-name", "by-parent"]) expect(urns).toContain(probeUrn(`new-${name}`));
    for (const name of ["moved", "child"]) expect(urns).toContain(probeUrn(name, "test:index:Group$"));
    expect((await stack.destroy()).changes).toEqual({ delete: 7 });
  });

  const refusedAliases: [string, string, (log: string) => void][] = [
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
  ];

  it("aliases are refused where they are ambiguous", async () => {
    const { stack, log, program } = await bench();
    program(() => void new Probe(log, "old"));
    await stack.up();
    for (const [what, expected, act] of refusedAliases) {
      program(() => act(log));
      expect([what, (await failure(stack.preview())).message]).toEqual([
        what,
        expect.stringContaining(expected),
      ]);
    }
  });
});

describe("a lookup", () => {
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
    expect((await stack.destroy()).changes).toEqual({ discard: 1 });
    expect(order()).toEqual([]);
  });
});

describe("an explicit provider", () => {
  it("is configured with its own arguments, secrets in clear, for those that name it, and the default one with the stack's", async () => {
    const { stack, log, program } = await bench({ config: { "test:token": "stack's" } });
    program(() => {
      const provider = new AnyProvider("p", { "test:token": pulumi.secret("own") });
      const group = new Group("group", { providers: [provider] });
      return {
        own: new Configured("own", { provider }).token,
        inherited: new Configured("inherited", { parent: group }).token,
        other: new Configured("other").token,
        probe: new Probe(log, "a", {}, { provider }).made,
      };
    });

    const up = await stack.up();

    expect(up.changes).toEqual({ create: 6 });
    expect(up.outputs).toMatchObject({
      own: { value: "own", secret: false },
      inherited: { value: "own", secret: false },
      other: { value: "stack's", secret: false },
    });
    expect(up.resources[0]).toMatchObject({
      name: "p",
      type: "pulumi:providers:pulumi-nodejs",
      inputs: { "test:token": "[secret]" },
    });
    expect((await stack.refresh()).changes).toEqual({ same: 6 });
    expect((await stack.destroy()).changes).toEqual({ delete: 6 });
  });

  it("is not asked where its arguments are unknown in a preview", async () => {
    const { stack, log, program, order } = await bench();
    const chained = (value: string) => () => {
      const args = { "test:token": new Probe(log, "a", { value }).made };
      const provider = new AnyProvider("p", args);
      new Probe(log, "b", {}, { provider });
    };
    program(chained("1"));
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
class Configured extends Dynamic {
  declare readonly token: pulumi.Output<string>;

  constructor(name: string, options?: pulumi.CustomResourceOptions) {
    super(configured, name, { token: undefined }, options);
  }
}

const configured = {
  async configure(this: { token?: string }, request: pulumi.dynamic.ConfigureRequest) {
    this.token = request.config.get("test:token");
  },
  async create(this: { token?: string }) {
    return { id: "configured", outs: { token: this.token } };
  },
};
