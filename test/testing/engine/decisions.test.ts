import { parsePath, valueAt, withOldValues } from "../../../src/testing/engine/state/paths";
import { deletionOrder, type ResourceState } from "../../../src/testing/engine/state/state";
import { earlierUrns, makeUrn, parseUrn } from "../../../src/testing/engine/state/urns";
import {
  copySecrets,
  equal,
  inGoSyntax,
  redact,
  reveal,
  secret,
} from "../../../src/testing/engine/state/values";
import { type Decision, decide } from "../../../src/testing/engine/steps/decide";

const at = { stack: "dev", project: "web" };

function state(urn: string, changed: Partial<ResourceState> = {}): ResourceState {
  return {
    urn,
    type: "t",
    custom: true,
    id: urn,
    external: false,
    inputs: {},
    outputs: {},
    dependencies: [],
    propertyDependencies: {},
    additionalSecretOutputs: [],
    ignoreChanges: [],
    replaceOnChanges: [],
    protect: false,
    retainOnDelete: false,
    initErrors: [],
    ...changed,
  };
}

describe("decide", () => {
  const decision: Decision = {
    old: state("a", { inputs: { x: 1, y: { z: 1 } } }),
    inputs: { x: 1, y: { z: 1 } },
    diff: { changes: "none", replaces: [], deleteBeforeReplace: false },
    replaceOnChanges: [],
    deleteBeforeReplace: undefined,
  };
  const diff = (
    changes: "none" | "some" | "unknown",
    replaces: string[] = [],
    deleteBeforeReplace = false,
  ) => ({
    diff: { changes, replaces, deleteBeforeReplace },
  });
  const changed = { inputs: { x: 2, y: { z: 1 } } };

  it.each<[string, Partial<Decision>, object]>([
    ["creates what there is not", { old: undefined }, { operation: "create" }],
    ["leaves what does not change", {}, { operation: "same" }],
    ["updates what changes", diff("some"), { operation: "update" }],
    ["believes the provider rather than the inputs", { ...changed, ...diff("none") }, { operation: "same" }],
    [
      "compares inputs where the provider does not say",
      { ...changed, ...diff("unknown") },
      { operation: "update" },
    ],
    ["compares inputs where there is no provider", { ...changed, diff: undefined }, { operation: "update" }],
    ["replaces", diff("some", ["x"]), { operation: "replace", deleteFirst: false }],
    ["does not replace without changes", diff("none", ["x"]), { operation: "same" }],
    [
      "deletes first where the provider says so",
      diff("some", ["x"], true),
      { operation: "replace", deleteFirst: true },
    ],
    [
      "lets the option win",
      { ...diff("some", ["x"], true), deleteBeforeReplace: false },
      { operation: "replace", deleteFirst: false },
    ],
    [
      "replaces on a change that it found itself",
      { ...changed, ...diff("unknown"), replaceOnChanges: ["x"] },
      { operation: "replace", deleteFirst: false },
    ],
    [
      "and not on another",
      { ...changed, ...diff("unknown"), replaceOnChanges: ["y.z"] },
      { operation: "update" },
    ],
    [
      "nor on one that the provider found",
      { ...changed, ...diff("some"), replaceOnChanges: ["x"] },
      { operation: "update" },
    ],
    [
      "updates after a partial create",
      { old: state("a", { ...changed, initErrors: ["e"] }), ...changed },
      { operation: "update" },
    ],
    [
      "or replaces then",
      { old: state("a", { initErrors: ["e"] }), replaceOnChanges: ["#initerror"] },
      { operation: "replace", deleteFirst: false },
    ],
    [
      "finishes a replacement",
      { old: state("a", { pendingReplacement: true }) },
      { operation: "replace", deleteFirst: false },
    ],
  ])("%s", (_, given, expected) => {
    expect(decide({ ...decision, ...given })).toEqual(expected);
  });
});

describe("URNs", () => {
  const stack = makeUrn(at, "pulumi:pulumi:Stack", "web-dev", undefined);
  const group = makeUrn(at, "my:Group", "g", stack);

  it("hold the types of the parents, the stack's left out", () => {
    const child = makeUrn(at, "my:Child", "a::b", group);

    expect(child).toBe("urn:pulumi:dev::web::my:Group$my:Child::a::b");
    expect(parseUrn(child)).toEqual({ qualifiedType: "my:Group$my:Child", type: "my:Child", name: "a::b" });
  });

  it("follow aliases, and those of the parent", () => {
    const renamed = new Map([[group, makeUrn(at, "my:Group", "old", stack)]]);
    const alias = { name: "", type: "my:Former", stack: "", project: "", parent: "", noParent: false };

    const urns = earlierUrns(
      at,
      { type: "my:Child", name: "g-child", parent: group, aliases: [alias] },
      renamed,
    );

    expect(urns).toEqual([
      "urn:pulumi:dev::web::my:Group$my:Former::g-child",
      "urn:pulumi:dev::web::my:Group$my:Child::old-child",
      "urn:pulumi:dev::web::my:Group$my:Former::old-child",
    ]);
  });
});

describe("property paths", () => {
  it.each([
    ["a", ["a"]],
    ["a.b[0].c", ["a", "b", 0, "c"]],
    ['a["b.c"].d', ["a", "b.c", "d"]],
    ["*", ["*"]],
  ])("%s", (text, path) => {
    expect(parsePath(text)).toEqual(path);
  });

  it("reach into secrets, and give old values back", () => {
    const olds = { a: secret({ b: 1 }), gone: 1 };
    const news = { a: secret({ b: 2, c: 3 }), added: 4 };

    expect(valueAt(news, ["a", "b"])).toBe(2);
    expect(withOldValues(news, olds, ["a.b", "added", "gone", "not.there"])).toEqual({
      a: secret({ b: 1, c: 3 }),
      gone: 1,
    });
    expect(withOldValues(news, olds, ["*"])).toEqual(olds);
  });
});

describe("values", () => {
  it("show, hide and compare secrets", () => {
    const value = { list: [secret("x")], deep: { v: secret(secret(1)) } };

    expect(reveal(value)).toEqual({ list: ["x"], deep: { v: 1 } });
    expect(redact(value)).toEqual({ list: ["[secret]"], deep: { v: "[secret]" } });
    expect(equal(value, structuredClone(value))).toBe(true);
    expect(equal(value, reveal(value))).toBe(false);
  });

  it("pass secretness on by name, into objects and not into lists", () => {
    const inputs = { a: secret(1), o: { p: secret(1), q: 1 }, l: [secret(1)], absent: secret(1) };

    expect(copySecrets(inputs, { a: 2, o: { p: 2, q: 2 }, l: [2], b: 2 })).toEqual({
      a: secret(2),
      o: { p: secret(2), q: 2 },
      l: secret([2]),
      b: 2,
    });
  });

  it("print as the real engine's do in a failed check", () => {
    expect(inGoSyntax({ b: [1, true, null], a: secret("x") })).toBe(
      "{map[a:{&{{x}}} b:{[{1} {true} {<nil>}]}]}",
    );
  });
});

describe("deletion order", () => {
  it("puts dependents, children and users of a provider first", () => {
    const provider = state("provider");
    const base = state("base", { provider: "provider::id" });
    const child = state("child", { parent: "base" });
    const user = state("user", { propertyDependencies: { x: ["child"] } });
    const free = state("free");
    const all = [provider, base, child, user, free];

    const groups = deletionOrder(all, all).map((group) => group.map(({ urn }) => urn));

    expect(groups).toEqual([["user"], ["child"], ["base"], ["provider", "free"]]);
  });
});
