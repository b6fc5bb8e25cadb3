/**
 * What a dynamic resource can live through, told once for both engines. The resources are not this package's: probes
 * that write down every call of their provider, and the shapes that Pulumi's own guide to dynamic providers teaches.
 */
import * as pulumi from "@pulumi/pulumi";
import { JAVASCRIPT } from "../../support/project";
import { AnyProvider, Group, type Probe, type ProbeInputs } from "../engine/probe";
import { Counter, Defaulted, Minimal, RandomText, Settings } from "./taught";

/** What a program of a scenario works with. */
export interface Place {
  /** Makes a probe whose calls are logged. */
  probe(name: string, inputs?: ProbeInputs, options?: pulumi.CustomResourceOptions): Probe;
  /** Tells the probes' providers what a read finds from now on: changed properties, or that it is gone. */
  live(found: Record<string, unknown>): void;
}

/** A function, or the text of an `index.js` that finds the SDK: a scenario has only the ones or only the others. */
type Program = ((place: Place) => unknown) | string;

/** One operation; a program given with it stays until another is given. */
export type Step = ["preview" | "up" | "refresh" | "destroy", Program?];

export interface Scenario {
  name: string;
  secrets?: Record<string, string>;
  /** Files beside the program's, such as those of its configuration; only for programs in files. */
  files?: Record<string, string>;
  steps: Step[];
  /** Calls whose order is part of the promise: each of these comes after the one before it. */
  order?: string[];
}

const nothing: Program = () => undefined;

/** The head of a program in a file: a resource whose provider says what it does. */
const note = `
const pulumi = require("@pulumi/pulumi");
class Note extends pulumi.dynamic.Resource {
  constructor(name, text, options) {
    super({
      async check(olds, news) {
        if (news.text === "loud") {
          console.log("check says this");
          console.error("and complains");
        }
        return { inputs: news, failures: [] };
      },
      create: async (inputs) => ({ id: "note", outs: inputs }),
    }, name, { text }, options);
  }
}
`;

/** Two resources that are deleted before they are replaced, and one that is replaced with either. */
function twoRoots({ probe }: Place, value: string, ofRight: ProbeInputs = {}): void {
  const first = { deleteFirst: true, replaceOn: ["value"], value };
  const left = probe("left", first);
  const right = probe("right", { ...first, ...ofRight }, { dependsOn: left });
  probe("both", { value, nested: [left.made, right.made], replaceOn: ["nested"] });
}

/** The same, but only a change of the first replaces the dependent; the second cannot be deleted. */
function oneOfTwo({ probe }: Place, value: string): void {
  const first = { deleteFirst: true, replaceOn: ["value"], value };
  const left = probe("left", first);
  const right = probe("right", { ...first, failDelete: "still in use" }, { dependsOn: left });
  probe("both", { value: right.made, nested: left.made, replaceOn: ["nested"] });
}

/** One that is deleted first with two dependents in a row; the second depends on another such one, too. */
function chain({ probe }: Place, value: string): void {
  const first = { deleteFirst: true, replaceOn: ["value"], value };
  const head = probe("head", first);
  const middle = probe("middle", { value, nested: head.made, replaceOn: ["nested"] });
  const other = probe("other", first);
  probe("end", { value, nested: [middle.made, other.made], replaceOn: ["nested"] });
}

/** A resource that is deleted before it is replaced, and one that depends on it and is created before. */
function halves({ probe }: Place, value: string, ofDependent: string, failDelete?: string): void {
  const root = probe("root", { deleteFirst: true, replaceOn: ["value"], value });
  probe("halved", {
    value: ofDependent,
    nested: root.made,
    replaceOn: ["nested", "value"],
    failDelete,
  });
}

/** A resource that is deleted before it is replaced, with two dependents; the first of them may be protected. */
function guarded(
  { probe }: Place,
  value: string,
  protect: boolean,
  options?: pulumi.CustomResourceOptions,
): void {
  const root = probe("root", { deleteFirst: true, replaceOn: ["value"], value }, options);
  probe("kept", { nested: root.made, replaceOn: ["nested"] }, { protect });
  probe("other", { nested: root.made, replaceOn: ["nested"] });
}

/** A program that gives the configuration with these keys as its outputs, as texts. */
const configured = (...keys: string[]): Program => `
const pulumi = require("@pulumi/pulumi");
for (const key of ${JSON.stringify(keys)}) {
  const [name, namespace] = key.split(":").reverse();
  exports[key] = new pulumi.Config(namespace).get(name);
}
`;

/** A project file with a section on configuration. */
const project = (config: string) => `name: test\nruntime: ${JAVASCRIPT}\nmain: index.js\nconfig:\n${config}`;

export const scenarios: Scenario[] = [
  {
    name: "a life: create, no change, update in place, destroy",
    steps: [
      ["preview", ({ probe }) => ({ made: probe("a").made })],
      ["up"],
      ["preview"],
      ["up"],
      ["preview", ({ probe }) => ({ made: probe("a", { value: "2" }).made })],
      ["up"],
      ["refresh"],
      ["destroy"],
      ["destroy"],
    ],
  },
  {
    name: "values of every kind",
    steps: [
      [
        "up",
        ({ probe }) => ({
          nested: probe("a", {
            nested: { none: null, list: [1, "two", [false], {}], text: "ä€😀\n", deep: { er: [null, 1.5] } },
          }).nested,
        }),
      ],
      ["up"],
    ],
  },
  {
    name: "a replacement, the new one first",
    steps: [
      ["up", ({ probe }) => probe("a", { replaceOn: ["value"] })],
      ["preview", ({ probe }) => probe("a", { replaceOn: ["value"], value: "2" })],
      ["up"],
    ],
    order: ["create a 1", "create a 2", "delete a 1"],
  },
  {
    name: "a replacement that the provider wants to delete first",
    steps: [
      ["up", ({ probe }) => probe("a", { replaceOn: ["value"], deleteFirst: true })],
      ["preview", ({ probe }) => probe("a", { replaceOn: ["value"], deleteFirst: true, value: "2" })],
      ["up"],
    ],
    order: ["create a 1", "delete a 1", "create a 2"],
  },
  {
    name: "deleteBeforeReplace, which wins over the provider",
    steps: [
      ["up", ({ probe }) => probe("a", { replaceOn: ["value"] }, { deleteBeforeReplace: true })],
      ["up", ({ probe }) => probe("a", { replaceOn: ["value"], value: "2" }, { deleteBeforeReplace: true })],
    ],
    order: ["create a 1", "delete a 1", "create a 2"],
  },
  {
    name: "dependents of what is deleted first are replaced with it",
    steps: [
      [
        "up",
        ({ probe }) => {
          const first = probe("first", { replaceOn: ["value"], deleteFirst: true });
          probe("second", { nested: first.made, replaceOn: ["nested"] });
          probe("apart");
        },
      ],
      [
        "up",
        ({ probe }) => {
          const first = probe("first", { replaceOn: ["value"], deleteFirst: true, value: "2" });
          probe("second", { nested: first.made, replaceOn: ["nested"] });
          probe("apart");
        },
      ],
    ],
    order: ["delete second 1", "delete first 1", "create first 2"],
  },
  {
    name: "a dependent of two that are deleted first is deleted once",
    steps: [
      ["up", (place) => void twoRoots(place, "1")],
      ["preview", (place) => void twoRoots(place, "2")],
      ["up"],
      ["up"],
    ],
    order: [
      "delete both 1",
      "delete left 1",
      "create left 2",
      "delete right 1",
      "create right 2",
      "create both 2",
    ],
  },
  {
    name: "a dependent of two that are deleted first, which leaves the program",
    steps: [
      ["up", (place) => void twoRoots(place, "1")],
      [
        "up",
        ({ probe }) => {
          const first = { deleteFirst: true, replaceOn: ["value"], value: "2" };
          probe("right", first, { dependsOn: probe("left", first) });
        },
      ],
    ],
    order: ["delete both 1", "delete left 1", "create left 2", "delete right 1", "create right 2"],
  },
  {
    name: "a chain of dependents, whose end depends on a second one that is deleted first",
    steps: [
      ["up", (place) => void chain(place, "1")],
      ["preview", (place) => void chain(place, "2")],
      ["up"],
    ],
    order: ["delete end 1", "delete middle 1", "delete head 1", "create head 2"],
  },
  {
    name: "an update that fails after a dependent of two was deleted",
    steps: [
      ["up", (place) => void twoRoots(place, "1", { failDelete: "still in use" })],
      ["up", (place) => void twoRoots(place, "2")],
      ["up"],
    ],
  },
  {
    name: "a dependent that an update which failed has deleted, and which only one of two replaces",
    steps: [
      ["up", (place) => void oneOfTwo(place, "1")],
      ["up", (place) => void oneOfTwo(place, "2")],
      ["up"],
    ],
  },
  {
    name: "a dependent's old half that is still there when what it depends on is deleted first",
    steps: [
      ["up", (place) => void halves(place, "1", "1", "still in use")],
      ["up", (place) => void halves(place, "1", "2")],
      ["preview", (place) => void halves(place, "2", "2")],
      ["up"],
    ],
  },
  {
    name: "a protected dependent of what is deleted first",
    steps: [
      ["up", (place) => void guarded(place, "1", true)],
      ["preview", (place) => void guarded(place, "2", true)],
      ["up"],
      ["up", (place) => void guarded(place, "2", false)],
      ["up", (place) => void guarded(place, "1", false)],
      ["up", (place) => void guarded(place, "2", false)],
    ],
  },
  {
    name: "a protected resource that is deleted first, and its protected dependent",
    steps: [
      ["up", (place) => void guarded(place, "1", true, { protect: true })],
      ["preview", (place) => void guarded(place, "2", true, { protect: true })],
      ["up"],
    ],
  },
  {
    name: "dependencies: creation in order, deletion against it",
    steps: [
      [
        "up",
        ({ probe }) => {
          const first = probe("first");
          const second = probe("second", {}, { dependsOn: first });
          probe("third", { nested: second.derived });
        },
      ],
      ["destroy"],
    ],
    order: [
      "create first 1",
      "create second 1",
      "create third 1",
      "delete third 1",
      "delete second 1",
      "delete first 1",
    ],
  },
  {
    name: "a value that is not known yet",
    steps: [
      [
        "preview",
        ({ probe }) => {
          const first = probe("first");
          const second = probe("second", { value: first.made, nested: { in: [first.derived] } });
          return { known: first.value, unknown: second.made, half: [first.value, first.made] };
        },
      ],
      ["up"],
    ],
  },
  {
    name: "what leaves the program is deleted",
    steps: [
      [
        "up",
        ({ probe }) => {
          probe("stays");
          probe("leaves", {}, { dependsOn: probe("leaves-too") });
        },
      ],
      ["preview", ({ probe }) => probe("stays")],
      ["up"],
    ],
  },
  {
    name: "problems of inputs",
    steps: [
      [
        "preview",
        ({ probe }) =>
          probe("a", {
            problems: [
              ["value", "is too small"],
              ["", "does not fit together"],
            ],
          }),
      ],
      ["up"],
    ],
  },
  {
    name: "a create that fails, and the next update",
    steps: [
      [
        "up",
        ({ probe }) => {
          probe("a", {}, { dependsOn: probe("fails", { fail: "no room" }) });
        },
      ],
      ["up", ({ probe }) => void probe("a", {}, { dependsOn: probe("fails") })],
    ],
  },
  {
    name: "a partial create, repaired by the next update",
    steps: [
      ["up", ({ probe }) => probe("a", { unready: ["not yet", "nor that"] })],
      ["preview"],
      ["up"],
      ["up"],
    ],
  },
  {
    name: "a delete that fails, and the next destroy",
    steps: [
      ["up", ({ probe }) => probe("a", { failDelete: "still in use" })],
      ["destroy"],
      ["up", ({ probe }) => probe("a")],
      ["destroy"],
    ],
  },
  {
    name: "an old half whose delete fails is deleted by the next update",
    steps: [
      ["up", ({ probe }) => probe("a", { replaceOn: ["value"], failDelete: "still in use" })],
      ["up", ({ probe }) => probe("a", { replaceOn: ["value"], value: "2" })],
      ["up"],
    ],
  },
  {
    name: "an update that fails",
    steps: [
      ["up", ({ probe }) => probe("a")],
      ["up", ({ probe }) => probe("a", { value: "2", failUpdate: "not now" })],
      ["up", ({ probe }) => probe("a", { value: "2" })],
    ],
  },
  {
    name: "drift, found by refresh and put right by update",
    steps: [
      ["up", ({ probe }) => probe("a")],
      [
        "refresh",
        ({ probe, live }) => {
          live({ value: "changed by hand" });
          return probe("a");
        },
      ],
      ["up"],
    ],
  },
  {
    name: "a resource that is gone is created again",
    steps: [
      [
        "up",
        ({ probe, live }) => {
          live({ gone: true });
          return probe("a");
        },
      ],
      ["refresh"],
      ["up"],
    ],
  },
  {
    name: "a lookup with get",
    steps: [
      ["preview", ({ probe }) => ({ made: probe("found", {}, { id: "existing" }).made })],
      ["up"],
      ["up", nothing],
    ],
  },
  {
    name: "protect",
    steps: [
      ["up", ({ probe }) => probe("a", { replaceOn: ["value"] }, { protect: true })],
      ["destroy"],
      ["preview", ({ probe }) => probe("a", { replaceOn: ["value"], value: "2" }, { protect: true })],
      ["up"],
      ["up", ({ probe }) => probe("a", { replaceOn: ["value"] }, { protect: false })],
      ["destroy"],
    ],
  },
  {
    name: "retainOnDelete",
    steps: [
      ["up", ({ probe }) => probe("a", { replaceOn: ["value"] }, { retainOnDelete: true })],
      ["up", ({ probe }) => probe("a", { replaceOn: ["value"], value: "2" }, { retainOnDelete: true })],
      ["destroy"],
    ],
  },
  {
    name: "deletedWith",
    steps: [
      [
        "up",
        ({ probe }) => {
          const house = probe("house");
          probe("room", {}, { deletedWith: house });
        },
      ],
      ["destroy"],
    ],
  },
  {
    name: "ignoreChanges",
    steps: [
      [
        "up",
        ({ probe }) => probe("a", { nested: { in: 1, out: 1 } }, { ignoreChanges: ["value", "nested.in"] }),
      ],
      [
        "up",
        ({ probe }) =>
          probe("a", { value: "2", nested: { in: 2, out: 1 } }, { ignoreChanges: ["value", "nested.in"] }),
      ],
      [
        "up",
        ({ probe }) =>
          probe("a", { value: "2", nested: { in: 2, out: 2 } }, { ignoreChanges: ["value", "nested.in"] }),
      ],
    ],
  },
  {
    name: "replaceOnChanges where the provider leaves the comparison to the engine",
    steps: [
      ["up", () => void new Minimal("a", { text: "one", other: 1 }, { replaceOnChanges: ["text"] })],
      ["preview", () => void new Minimal("a", { text: "two", other: 1 }, { replaceOnChanges: ["text"] })],
      ["up"],
    ],
  },
  {
    name: "aliases of a resource and of its component",
    steps: [
      [
        "up",
        ({ probe }) => {
          probe("old");
          probe("old-child", {}, { parent: new Group("old-group") });
        },
      ],
      [
        "up",
        ({ probe }) => {
          probe("new", { label: "old" }, { aliases: [{ name: "old" }] });
          const group = new Group("new-group", { aliases: [{ name: "old-group" }] });
          probe("old-child", {}, { parent: group });
        },
      ],
      ["up"],
    ],
  },
  {
    name: "a component with children, moved under another",
    steps: [
      [
        "up",
        ({ probe }) => {
          const outer = new Group("outer");
          probe("child", {}, { parent: new Group("inner", { parent: outer }) });
        },
      ],
      [
        "up",
        ({ probe }) => {
          const outer = new Group("outer");
          probe(
            "child",
            {},
            {
              parent: outer,
              aliases: [{ parent: "urn:pulumi:test::test::test:index:Group$test:index:Group::inner" }],
            },
          );
        },
      ],
      ["destroy"],
    ],
  },
  {
    name: "protection and retention of a component's children",
    steps: [
      [
        "up",
        ({ probe }) =>
          void probe("a", {}, { parent: new Group("group", { protect: true, retainOnDelete: true }) }),
      ],
      ["destroy"],
      ["up", ({ probe }) => void probe("a", {}, { parent: new Group("group", { retainOnDelete: true }) })],
      ["destroy"],
    ],
  },
  {
    name: "secrets: inputs, outputs of the same name, added ones, outputs of the stack",
    secrets: { "test:key": "value-to-keep-secret" },
    steps: [
      [
        "up",
        ({ probe }) => {
          const value = new pulumi.Config("test").requireSecret("key");
          const a = probe(
            "a",
            { value, nested: { list: [pulumi.secret(1), 2] } },
            { additionalSecretOutputs: ["made"] },
          );
          return { value: a.value, made: a.made, derived: a.derived, plain: "text" };
        },
      ],
      ["up"],
      ["refresh"],
    ],
  },
  {
    name: "an explicit provider, changed and removed",
    secrets: { "test:key": "token-to-keep-secret" },
    steps: [
      [
        "up",
        ({ probe }) => {
          const key = new pulumi.Config("test").requireSecret("key");
          probe("a", {}, { provider: new AnyProvider("account", { region: "north", key }) });
        },
      ],
      [
        "up",
        ({ probe }) => void probe("a", {}, { provider: new AnyProvider("account", { region: "south" }) }),
      ],
      ["up", nothing],
    ],
  },
  {
    name: "transforms: the resource's own, its parent's, the stack's",
    steps: [
      [
        "up",
        ({ probe }) => {
          const add =
            (word: string): pulumi.ResourceTransform =>
            ({ custom, props, opts }) =>
              custom
                ? { props: { ...props, value: pulumi.interpolate`${props.value} ${word}` }, opts }
                : undefined;
          pulumi.runtime.registerResourceTransform(add("stack"));
          const group = new Group("group", { transforms: [add("parent")] });
          probe("a", { value: "declared" }, { parent: group, transforms: [add("own")] });
        },
      ],
      ["up"],
    ],
  },
  {
    name: "transforms that change options",
    steps: [
      [
        "up",
        ({ probe }) => {
          const keep: pulumi.ResourceTransform = ({ props, opts }) => ({
            props,
            opts: { ...opts, protect: true, additionalSecretOutputs: ["made"] },
          });
          probe("a", {}, { transforms: [keep] });
        },
      ],
      ["destroy"],
    ],
  },
  {
    name: "messages of the program",
    steps: [
      [
        "up",
        async ({ probe }) => {
          const a = probe("a");
          await pulumi.log.info("information");
          await pulumi.log.warn("a warning", a);
          await pulumi.log.debug("hidden");
        },
      ],
    ],
  },
  {
    name: "an error that the program logs",
    steps: [["up", async () => await pulumi.log.error("logged")]],
  },
  {
    name: "outputs of the stack that come and go",
    steps: [
      ["up", () => ({ number: 1, list: [1, { two: 2 }], none: null, secret: pulumi.secret("x") })],
      ["up", () => ({ number: 2 })],
      ["destroy"],
    ],
  },
  {
    name: "taught: a provider with create alone",
    steps: [
      ["up", () => ({ length: new Minimal("a", { text: "four" }).length })],
      ["preview", () => ({ length: new Minimal("a", { text: "seven" }).length })],
      ["up"],
      ["refresh"],
      ["destroy"],
    ],
  },
  {
    name: "taught: random text, stable until its length changes",
    steps: [
      ["up", () => void new RandomText("a", { length: 8 })],
      ["up"],
      ["up", () => void new RandomText("a", { length: 9 })],
      ["destroy"],
    ],
  },
  {
    name: "taught: defaults made by check",
    steps: [
      ["preview", () => ({ size: new Defaulted("a", {}).size })],
      ["up"],
      ["up", () => ({ size: new Defaulted("a", { size: 3 }).size })],
      ["up", () => ({ size: new Defaulted("a", { size: -1 }).size })],
    ],
  },
  {
    name: "taught: configuration and a secret read in configure",
    secrets: { "test:key": "key-to-keep-secret" },
    steps: [["up", () => ({ length: new Settings("a").keyLength })], ["up"], ["destroy"]],
  },
  {
    name: "taught: an update in place that counts",
    steps: [
      ["up", () => ({ revision: new Counter("a", { text: "one" }).revision })],
      ["up", () => ({ revision: new Counter("a", { text: "two" }).revision })],
      ["refresh"],
      ["destroy"],
    ],
  },
  {
    name: "in files: a program and a provider that print",
    steps: [
      ["up", `${note} console.log("one\\n\\ntwo"); console.error("three"); new Note("a", "loud");`],
      ["up"],
    ],
  },
  {
    name: "in files: an exit code of its own",
    steps: [["up", `${note} process.exitCode = 3;`]],
  },
  {
    name: "in files: outputs by exports, and by a function that is awaited",
    steps: [
      ["up", `${note} exports.text = new Note("a", "text").text; exports.missing = undefined;`],
      ["up", `${note} module.exports = async () => ({ later: await Promise.resolve("value") });`],
    ],
  },
  {
    name: "in files: a transform leaves a secret secret",
    secrets: { "test:key": "value-to-keep-secret" },
    steps: [
      [
        "up",
        `${note}
        const text = new pulumi.Config().requireSecret("key");
        new Note("a", text, { transforms: [({ props, opts }) => ({ props, opts: { ...opts, protect: true } })] });`,
      ],
      ["up"],
    ],
  },
  {
    name: "in files: a transform that fails",
    steps: [
      [
        "up",
        `${note}
        const broken = () => { throw new Error("no such thing"); };
        new Note("a", "text", { transforms: [broken] });`,
      ],
    ],
  },
  {
    name: "in files: configuration of the stack's file, over values and defaults of the project's",
    secrets: { "test:overridden": "from-the-options" },
    files: {
      "Pulumi.yaml": project(`
  text: {type: string, default: text}
  number: {type: integer, default: 8080}
  flag: {type: boolean, default: true}
  list: {type: array, items: {type: array, items: {type: integer}}, default: [[1, 2], []]}
  tree: {type: object, default: {b: 1, a: {c: false}}}
  short: short
  "test:full": {default: full}
  "other:value": {value: of the project}
  "other:short": 3
  "other:taken": {value: of the project}
  changed: {type: integer, default: 1}
  overridden: {}
`),
      "Pulumi.test.yaml": `config:
  test:changed: 0x10
  other:taken: of the stack
  bare: bare
  other:config:old: old form
  overridden: of the file
  truth: yes
  fraction: 1.50
  big: 1e21
  day: 2020-01-31
  empty: ""
  nothing:
  nested: {list: [1, {deep: "ä"}], none: null, 1: one}
`,
    },
    steps: [
      [
        "up",
        configured(
          ...[
            "text",
            "number",
            "flag",
            "list",
            "tree",
            "short",
            "full",
            "changed",
            "bare",
            "overridden",
            "truth",
          ],
          ...["fraction", "big", "day", "empty", "nothing", "nested"],
          ...["other:value", "other:short", "other:taken", "other:old"],
        ),
      ],
    ],
  },
  {
    name: "in files: stacks configured in a directory of their own",
    files: {
      "Pulumi.yaml": `name: test\nruntime: ${JAVASCRIPT}\nstackConfigDir: stacks\n`,
      "stacks/Pulumi.test.yaml": "config: {test:place: stacks}\n",
    },
    steps: [["up", configured("place")]],
  },
  {
    name: "in files: the same, in the earlier way",
    files: {
      "Pulumi.yaml": `name: test\nruntime: ${JAVASCRIPT}\nconfig: stacks\n`,
      "stacks/Pulumi.test.yaml": "config: {test:place: stacks}\n",
    },
    steps: [["up", configured("place")]],
  },
  {
    name: "in files: a required value of the configuration is missing",
    files: {
      "Pulumi.yaml": project("  present: {default: 1}\n  other:present: 1\n  absent: {type: string}\n"),
    },
    steps: [["preview", configured()], ["up"], ["refresh"], ["destroy"]],
  },
  {
    name: "in files: several are",
    files: {
      "Pulumi.yaml": project("  b: {}\n  test:d: {type: string}\n  a: {description: first}\n"),
    },
    steps: [["up", configured()]],
  },
  {
    name: "in files: two are",
    files: { "Pulumi.yaml": project("  b: {}\n  a: {}\n") },
    steps: [["up", configured()]],
  },
  {
    name: "in files: a value of the configuration has another type",
    files: {
      "Pulumi.yaml": project("  a: {type: array, items: {type: array, items: {type: integer}}}\n"),
      "Pulumi.test.yaml": "config: {test:a: [[1, x]]}\n",
    },
    steps: [["up", configured()]],
  },
  ...(
    [
      ["string", "1", "passes"],
      ["string", "{a: 1}", "fails"],
      ["integer", '"12"', "passes"],
      ["integer", "1.5", "fails"],
      ["boolean", '"true"', "passes"],
      ["boolean", "1", "fails"],
      ["object", "[1]", "fails"],
      ["array, items: {type: string}", "{a: 1}", "fails"],
      ["array, items: {type: integer}", "[1.0, 2]", "passes"],
      ["array, items: {type: boolean}", '[true, "false"]', "passes"],
      ["string, secret: true", "clear", "fails"],
      ["string, secret: true, default: clear", "", "fails"],
    ] as const
  ).map(
    ([type, value, outcome]): Scenario => ({
      name: `in files: configuration of type ${type} ${outcome} with ${value}`,
      files: {
        "Pulumi.yaml": project(`  a: {type: ${type}}\n`),
        "Pulumi.test.yaml": value && `config: {test:a: ${value}}\n`,
      },
      steps: [["up", configured("a")]],
    }),
  ),
  {
    name: "in files: a secret value of the configuration is secret",
    secrets: { "test:a": "value-to-keep-secret" },
    files: { "Pulumi.yaml": project("  a: {type: string, secret: true}\n") },
    steps: [["up", `${note} exports.a = new pulumi.Config().requireSecret("a");`]],
  },
];
