import * as pulumi from "@pulumi/pulumi";
import { AnyProvider, bench, Dynamic, failure, Group, Probe, probeUrn } from "./support";

// What each option does by itself is compared with the real engine in ../parity.

describe("resource options", () => {
  it("aliases rename and move without replacing, and references and children follow", async () => {
    const { stack, log, program } = await bench();
    program(() => {
      for (const name of ["by-urn", "by-parent"]) new Probe(log, name, { label: name });
      new Probe(log, "moved");
      const group = new Group("old");
      new Probe(log, "user", { value: new Probe(log, "child", {}, { parent: group }).made });
    });
    const before = await stack.up();
    program(() => {
      const renamed = (old: string, alias: pulumi.Alias | string) =>
        new Probe(log, `new-${old}`, { label: old }, { aliases: [alias] });
      renamed("by-urn", probeUrn("by-urn"));
      renamed("by-parent", { name: "by-parent", parent: pulumi.rootStackResource });
      const group = new Group("new", { aliases: [{ name: "old" }] });
      const from = { aliases: [{ parent: pulumi.rootStackResource }] };
      new Probe(log, "moved", {}, { parent: group, ...from });
      new Probe(log, "user", { value: new Probe(log, "child", {}, { parent: group }).made });
    });

    const { changes, resources } = await stack.up();

    expect(changes).toEqual({ same: 6 });
    const ids = (all: typeof resources) => all.map(({ id }) => id).sort();
    expect(ids(resources)).toEqual(ids(before.resources));
    const urns = resources.map(({ urn }) => urn);
    for (const name of ["by-urn", "by-parent"]) expect(urns).toContain(probeUrn(`new-${name}`));
    for (const name of ["moved", "child"]) expect(urns).toContain(probeUrn(name, "test:index:Group$"));
  });

  const groupUrn = (name: string) => `urn:pulumi:test::test::test:index:Group::${name}`;
  const registered = (group: Group) => new Promise((resolve) => group.urn.apply(resolve));
  const refusedAliases: [string, string, () => unknown][] = [
    [
      "one that another resource has",
      `Duplicate resource alias '${groupUrn("old")}' applied to resource with URN '${groupUrn("b")}' conflicting with resource with URN '${groupUrn("a")}'`,
      async () => {
        await registered(new Group("a", { aliases: [{ name: "old" }] }));
        new Group("b", { aliases: [{ name: "old" }] });
      },
    ],
    [
      "the name of a resource that has been declared",
      `Duplicate resource alias '${groupUrn("old")}' applied to resource with URN '${groupUrn("b")}' conflicting with resource with URN '${groupUrn("b")}'`,
      async () => {
        await registered(new Group("old"));
        new Group("b", { aliases: [{ name: "old" }] });
      },
    ],
    [
      "the name of a resource that is declared later",
      `Duplicate resource URN '${groupUrn("old")}' conflicting with alias on resource with URN '${groupUrn("b")}'`,
      async () => {
        await registered(new Group("b", { aliases: [{ name: "old" }] }));
        new Group("old");
      },
    ],
  ];

  it("aliases are refused where they are ambiguous", async () => {
    const { stack, program } = await bench();
    program(() => void new Group("old"));
    await stack.up();
    for (const [what, expected, act] of refusedAliases) {
      program(act);
      expect([what, (await failure(stack.preview())).message]).toEqual([
        what,
        expect.stringContaining(expected),
      ]);
    }
  });

  it("a transform leaves what a resource depends on, so that it is deleted first", async () => {
    const { stack, log, program, order } = await bench();
    program(() => {
      const first = new Probe(log, "first");
      const add: pulumi.ResourceTransform = ({ props, opts }) => ({
        props: { ...props, value: pulumi.interpolate`${props.value} word` },
        opts,
      });
      new Probe(log, "second", { value: first.made }, { transforms: [add] });
    });
    await stack.up();
    order();

    await stack.destroy();

    expect(order()).toEqual(["delete second", "delete first"]);
  });
});

it("a replacement may take protection away, or follow from a lookup of what the stack owned under another id", async () => {
  const { stack, log, program, order } = await bench();
  program(() => {
    new Probe(log, "kept", { replaceOn: ["value"] }, { protect: true });
    new Probe(log, "a");
  });
  await stack.up();
  order();
  program(() => {
    new Probe(log, "kept", { value: "2", replaceOn: ["value"] });
    new Probe(log, "a", {}, { id: "theirs" });
  });

  expect((await stack.up()).changes).toEqual({ replace: 2 });
  expect(order().filter((call) => call.endsWith(" a"))).toEqual(["read a", "delete a"]);
  expect((await stack.destroy()).changes).toEqual({ delete: 1, discard: 1 });
  expect(order()).toEqual(["delete kept"]);
});

it("a lookup happens in a preview, unless the id is not known yet", async () => {
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

it("an explicit provider has its own arguments, secrets in clear, and is not asked while they are unknown in a preview", async () => {
  const { stack, log, program, order } = await bench({ config: { "test:token": "stack's" } });
  const withToken = (value: string, token?: pulumi.Output<string>) => () => {
    const { made } = new Probe(log, "a", { value });
    const provider = new AnyProvider("p", { "test:token": token ?? made });
    const group = new Group("group", { providers: [provider] });
    new Probe(log, "b", {}, { provider });
    return {
      own: new Configured("own", { provider }).token,
      inherited: new Configured("inherited", { parent: group }).token,
      other: new Configured("other").token,
    };
  };
  program(withToken("1", pulumi.secret("own")));

  const up = await stack.up();

  expect(up.changes).toEqual({ create: 7 });
  expect(up.outputs).toMatchObject({
    own: { value: "own", secret: false },
    inherited: { value: "own", secret: false },
    other: { value: "stack's", secret: false },
  });
  expect(up.resources.find(({ name }) => name === "p")).toMatchObject({
    type: "pulumi:providers:pulumi-nodejs",
    inputs: { "test:token": "[secret]" },
  });
  program(withToken("2"));
  order();

  const { changes, diagnostics } = await stack.preview();

  expect(changes).toEqual({ same: 2, update: 5 });
  expect(order()).toEqual(["check a", "diff a"]);
  const message = expect.stringContaining("inputs that are not known");
  expect(diagnostics).toHaveLength(3);
  expect(diagnostics).toEqual(expect.arrayContaining([{ severity: "warning", urn: probeUrn("b"), message }]));
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
