/** What is created, kept, updated in place, read and refreshed, with the options and messages of a program. */
import * as pulumi from "@pulumi/pulumi";
import { Group } from "../../probe";
import type { Place, Program, Scenario } from "../scenario";
import { Counter, Defaulted, Minimal, RandomText, Settings } from "../taught";

const nothing: Program = () => undefined;

/** Values of every kind that a program can give. */
const ofEveryKind = { none: null, list: [1, "two", [false], {}], text: "ä€😀\n", deep: { er: [null, 1.5] } };

/** Secrets of a resource, as outputs of the stack. */
function secrets({ probe }: Place) {
  const value = new pulumi.Config("test").requireSecret("key");
  const a = probe(
    "a",
    { value, nested: { list: [pulumi.secret(1), 2] } },
    { additionalSecretOutputs: ["made"] },
  );
  return { value: a.value, made: a.made, derived: a.derived, plain: "text" };
}

/** Resources of which some changes of these inputs are ignored. */
function ignoring({ probe }: Place, value: string, nested: object): void {
  const inputs = { value, nested: { ...nested, list: [{ "b.c": value, other: value }] } };
  probe("by-path", inputs, { ignoreChanges: ["value", 'nested.list[0]["b.c"]', "not.there"] });
  probe("as-a-whole", inputs, { ignoreChanges: ["nested"] });
  probe("added-and-gone", inputs, { ignoreChanges: ["nested.added", "nested.gone"] });
  probe("secret", { nested: pulumi.secret({ in: value, out: value }) }, { ignoreChanges: ["nested.in"] });
  probe("all", inputs, { ignoreChanges: ["*"] });
}

/** A resource of each provider that decides by itself. */
function taught(text: string, counted: string, length: number) {
  // Stable until its length changes.
  new RandomText("random", { length });
  return {
    length: new Minimal("minimal", { text }).length,
    revision: new Counter("counter", { text: counted }).revision,
    keyLength: new Settings("settings").keyLength,
  };
}

export const creatingAndUpdating: Scenario[] = [
  {
    name: "a life, with values of every kind: create, no change, update in place, destroy",
    steps: [
      [
        "preview",
        ({ probe }) => {
          const a = probe("a", { nested: ofEveryKind });
          return { made: a.made, nested: a.nested };
        },
      ],
      ["up"],
      ["preview"],
      ["up"],
      ["preview", ({ probe }) => ({ made: probe("a", { value: "2", nested: ofEveryKind }).made })],
      ["up"],
      ["refresh"],
      ["destroy"],
      ["destroy"],
    ],
  },
  {
    name: "a value that is not known yet, a lookup with get, and messages; all of it leaves the program",
    steps: [
      [
        "preview",
        async ({ probe }) => {
          const first = probe("first");
          const second = probe("second", { value: first.made, nested: { in: [first.derived] } });
          const found = probe("found", {}, { id: "existing" });
          probe("found-later", {}, { id: first.made });
          await pulumi.log.info("information");
          await pulumi.log.warn("a warning", first);
          await pulumi.log.debug("hidden");
          return {
            known: first.value,
            unknown: second.made,
            half: [first.value, first.made],
            found: found.made,
          };
        },
      ],
      ["up"],
      ["up", nothing],
    ],
  },
  {
    name: "problems of inputs",
    steps: [
      [
        "preview",
        ({ probe }) =>
          probe("a", {
            value: pulumi.secret("hush"),
            nested: { b: [1, true, null], a: pulumi.secret("hush") },
            problems: [
              ["value", "is too small"],
              ["nested", "is too deep"],
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
    name: "an update that fails",
    steps: [
      ["up", ({ probe }) => probe("a")],
      ["up", ({ probe }) => probe("a", { value: "2", failUpdate: "not now" })],
      ["up", ({ probe }) => probe("a", { value: "2" })],
    ],
  },
  {
    name: "drift, and a resource that is gone, found by refresh and put right by update",
    steps: [
      [
        "up",
        ({ probe, live }) => {
          live({ value: "changed by hand" });
          return probe("a");
        },
      ],
      ["refresh"],
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
    name: "ignoreChanges: by path, behind a secret, of what is added and taken away, and of all",
    steps: [
      ["up", (place) => ignoring(place, "1", { gone: 1 })],
      ["up", (place) => ignoring(place, "2", { added: 1 })],
    ],
  },
  {
    name: "aliases of a resource and of its component, and a child that moves under another",
    steps: [
      [
        "up",
        ({ probe }) => {
          for (const name of ["old", "by-urn"]) probe(name);
          const parent = new Group("old-group");
          probe("user", { value: probe("old-child", {}, { parent }).made });
          probe("old-group-child", { label: "prefixed" }, { parent });
          const inner = new Group("inner", { parent: new Group("outer") });
          probe("moved", {}, { parent: inner });
        },
      ],
      [
        "up",
        ({ probe }) => {
          probe("new", { label: "old" }, { aliases: [{ name: "old" }] });
          const byUrn = "urn:pulumi:test::test::pulumi-nodejs:dynamic/test:Probe::by-urn";
          probe("renamed", { label: "by-urn" }, { aliases: [byUrn] });
          const group = new Group("new-group", { aliases: [{ name: "old-group" }] });
          probe("user", { value: probe("old-child", {}, { parent: group }).made });
          probe("new-group-child", { label: "prefixed" }, { parent: group });
          const parent = "urn:pulumi:test::test::test:index:Group$test:index:Group::inner";
          probe("moved", {}, { parent: new Group("outer"), aliases: [{ parent }] });
        },
      ],
      ["up"],
      ["destroy"],
    ],
  },
  {
    name: "secrets: inputs, outputs of the same name, added ones, outputs of the stack, which come and go",
    secrets: { "test:key": "value-to-keep-secret" },
    steps: [
      [
        "up",
        (place) => {
          const number = { number: 1, list: [1, { two: 2 }], none: null, secret: pulumi.secret("x") };
          return { ...secrets(place), ...number };
        },
      ],
      ["up", (place) => ({ ...secrets(place), number: 2 })],
      [
        "up",
        (place) => {
          place.live({ value: "changed-by-hand", nested: ["a", "list"] });
          return secrets(place);
        },
      ],
      ["refresh"],
      ["destroy"],
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
          const a = probe("a", { value: "declared" }, { parent: group, transforms: [add("own")] });
          probe("dependent", { value: a.made }, { transforms: [add("own")] });
        },
      ],
      ["up"],
      ["destroy"],
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
    name: "an error that the program logs",
    steps: [["up", async () => await pulumi.log.error("logged")]],
  },
  {
    name: "taught: create alone, random text, an update that counts, and configuration read in configure",
    secrets: { "test:key": "key-to-keep-secret" },
    steps: [
      ["up", () => taught("four", "one", 8)],
      ["preview", () => taught("seven", "two", 8)],
      ["up", () => taught("seven", "two", 9)],
      ["refresh"],
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
];
