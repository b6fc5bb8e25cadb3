/**
 * Resources that are created, kept, updated in place, read and refreshed, with the options and
 * messages of a program.
 */
import * as pulumi from "@pulumi/pulumi";
import { UNKNOWN_VALUES } from "../../../src/state/values";
import { type Call, Group, type ProbeInputs, probeUrn } from "../../probe";
import {
  destroy,
  type Place,
  preview,
  refresh,
  type Scenario,
  type Step,
  scenariosOf,
  up,
} from "../scenario";
import { Counter, Defaulted, Minimal, RandomText, Settings } from "../taught";

/** Values of every kind that a program can give. */
const ofEveryKind = {
  none: null,
  list: [1, "two", [false], {}],
  text: "ä€😀\n",
  deep: { er: [null, 1.5] },
};

/**
 * A resource with each kind of value, one that is made from what is not known in a preview, and two
 * that are only read.
 */
async function declared({ probe }: Place) {
  const a = probe("a", { nested: ofEveryKind });
  const first = probe("first");
  const second = probe("second", { value: first.made, nested: { in: [first.derived] } });
  const found = probe("found", {}, { id: "existing" });
  probe("found-later", {}, { id: first.made });
  await pulumi.log.info("information");
  await pulumi.log.warn("a warning", first);
  await pulumi.log.debug("hidden");

  return {
    made: a.made,
    nested: a.nested,
    known: first.value,
    unknown: second.made,
    half: [first.value, first.made],
    found: found.made,
  };
}

/** Secrets of a resource, as outputs of the stack. */
function secrets({ probe }: Place) {
  const value = new pulumi.Config("test").requireSecret("key");
  const nested = { list: [pulumi.secret(1), 2] };
  const a = probe("secret", { value, nested }, { additionalSecretOutputs: ["made"] });
  return { value: a.value, made: a.made, derived: a.derived, plain: "text" };
}

/** Resources of which some changes of these inputs are ignored. */
function ignoring({ probe }: Place, value: string, nested: object): void {
  const inputs = { value, nested: { ...nested, list: [{ "b.c": value, other: value }] } };
  probe("by-path", inputs, { ignoreChanges: ["value", 'nested.list[0]["b.c"]', "not.there"] });
  probe("as-a-whole", inputs, { ignoreChanges: ["nested"] });
  probe("added-and-gone", inputs, { ignoreChanges: ["nested.added", "nested.gone"] });
  probe(
    "secretly",
    { nested: pulumi.secret({ in: value, out: value }) },
    { ignoreChanges: ["nested.in"] },
  );

  probe("all", inputs, { ignoreChanges: ["*"] });
}

/** Resources that get another name or parent. */
function beforeTheyMove({ probe }: Place): void {
  for (const name of ["old", "by-urn"]) probe(name);
  const parent = new Group("old-group");
  probe("user", { value: probe("old-child", {}, { parent }).made });
  probe("old-group-child", { label: "prefixed" }, { parent });
  const inner = new Group("inner", { parent: new Group("outer") });
  probe("moved", {}, { parent: inner });
}

/**
 * The same under their later names: by alias of the resource, of its component, and by its URN or
 * its former parent.
 */
function afterTheyMoved({ probe }: Place): void {
  probe("new", { label: "old" }, { aliases: [{ name: "old" }] });
  probe("renamed", { label: "by-urn" }, { aliases: [probeUrn("by-urn")] });
  const group = new Group("new-group", { aliases: [{ name: "old-group" }] });
  probe("user", { value: probe("old-child", {}, { parent: group }).made });
  probe("new-group-child", { label: "prefixed" }, { parent: group });
  const parent = "urn:pulumi:test::test::test:index:Group$test:index:Group::inner";
  probe("moved", {}, { parent: new Group("outer"), aliases: [{ parent }] });
}

/** A resource of each provider that decides by itself. */
function taught(text: string, counted: string, length: number, size?: number) {
  // Stable until its length changes.
  new RandomText("random", { length });

  return {
    length: new Minimal("minimal", { text }).length,
    revision: new Counter("counter", { text: counted }).revision,
    keyLength: new Settings("settings").keyLength,
    size: new Defaulted("defaulted", { size }).size,
  };
}

/** A program with a resource whose provider answers these calls with these texts. */
function answering(texts: { [Method in Call["method"]]?: string }, inputs: ProbeInputs = {}) {
  const answers = Object.fromEntries(
    Object.entries(texts).map(([method, text]) => [method, text.split("-")]),
  );

  return ({ probe }: Place) => void probe("a", { answers, ...inputs });
}

export const creatingAndUpdating: Scenario[] = scenariosOf({
  "lives: values of every kind and not known yet, lookups, messages, aliases, ignoreChanges, and taught providers":
    {
      secrets: { "test:key": "key-to-keep-secret" },
      steps: [
        preview(async (place) => {
          ignoring(place, "1", { gone: 1 });
          beforeTheyMove(place);

          return { ...(await declared(place)), ...taught("four", "one", 8) };
        }),
        up(),
        preview(),
        up(),
        preview((place) => {
          ignoring(place, "2", { added: 1 });
          afterTheyMoved(place);
          const { made } = place.probe("a", { value: "2", nested: ofEveryKind });

          return { made, ...taught("seven", "two", 9, 3) };
        }),
        up(),
        up(),
        refresh(),
        destroy(),
        destroy(),
      ],
    },
  "marks of unknown values in what a provider answers": [
    ...Object.values(UNKNOWN_VALUES).map((mark): Step => up(answering({ create: mark }))),
    preview(answering({ check: UNKNOWN_VALUES.object })),
    up(),
    up(answering({})),
    up((place) => {
      place.live({ nested: [{ deep: UNKNOWN_VALUES.number }] });
      answering({ update: UNKNOWN_VALUES.array })(place);
    }),
    refresh(),
    destroy(),
  ],
  // The real engine records a resource without an id, and its next operation ends with a stack
  // trace of Go.
  "the mark of an unknown value in a partial create": [
    up(answering({ create: UNKNOWN_VALUES.string }, { unready: ["wait"] })),
  ],
  "problems of inputs": {
    isUsual: true,
    steps: [
      preview(({ probe }) =>
        probe("a", {
          value: pulumi.secret("hush"),
          nested: { b: [1, true, null], a: pulumi.secret("hush") },
          problems: [
            ["value", "is too small"],
            ["nested", "is too deep"],
            ["", "does not fit together"],
          ],
        }),
      ),
      up(),
    ],
  },
  "a create that fails, with what leaves the program; the next update, and one that fails": {
    isUsual: true,
    steps: [
      up(({ probe }) => {
        probe("leaves");
      }),
      up(
        ({ probe }) =>
          void probe("a", {}, { dependsOn: probe("fails", { fail: "no room\nat all" }) }),
      ),
      up(({ probe }) => void probe("a", {}, { dependsOn: probe("fails") })),
      up(({ probe }) => void probe("fails", { value: "2", failUpdate: "not now" })),
      up(({ probe }) => void probe("fails", { value: "2" })),
    ],
  },
  "a partial create, repaired by the next update": {
    isUsual: true,
    steps: [
      up(({ probe }) => probe("a", { unready: ["not yet", "nor that"] })),
      preview(),
      up(),
      up(),
    ],
  },
  "a partial update, which the program takes back": {
    isUsual: true,
    steps: [
      up(({ probe }) => probe("a")),
      up(({ probe }) => probe("a", { value: "2", unreadyUpdate: ["not yet"] })),
      preview(({ probe }) => probe("a")),
      up(),
    ],
  },
  "secrets among inputs and outputs, which come and go; drift, and what is gone, found by refresh and put right":
    {
      isUsual: true,
      secrets: { "test:key": "value-to-keep-secret" },
      steps: [
        up((place) => {
          const number = {
            number: 1,
            list: [1, { two: 2 }],
            none: null,
            secret: pulumi.secret("x"),
          };
          return { ...secrets(place), ...number };
        }),
        up((place) => {
          place.probe("drifts");
          place.live({ value: "changed-by-hand", nested: ["a", "list"] });
          return { ...secrets(place), number: 2 };
        }),
        refresh(),
        up((place) => {
          place.probe("drifts");
          place.live({ gone: true });
          return secrets(place);
        }),
        refresh(),
        up(),
        destroy(),
      ],
    },
  "transforms: the resource's own, its parent's, the stack's, and of options": [
    up(({ probe }) => {
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
      const keep: pulumi.ResourceTransform = ({ props, opts }) => ({
        props,
        opts: { ...opts, protect: true, additionalSecretOutputs: ["made"] },
      });

      probe("kept", {}, { transforms: [keep] });
    }),
    up(),
    destroy(),
  ],
  "an error that the program logs": [up(async () => await pulumi.log.error("logged"))],
});
