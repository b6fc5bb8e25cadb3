/** Resources that are replaced or deleted, in which order, and protected or retained ones. */
import * as pulumi from "@pulumi/pulumi";
import { AnyProvider, Group, type ProbeInputs } from "../../probe";
import { destroy, type Place, preview, refresh, type Scenario, scenariosOf, up } from "../scenario";
import { Minimal, Settings } from "../taught";

/** Two that are deleted before they are replaced, and one that is replaced with either. */
function twoRoots({ probe }: Place, value: string, ofRight: ProbeInputs = {}): void {
  const first = { deleteFirst: true, replaceOn: ["value"], value };
  const left = probe("left", first);
  const right = probe("right", { ...first, ...ofRight }, { dependsOn: left });
  probe("both", { value, nested: [left.made, right.made], replaceOn: ["nested"] });
}

/** The same, but only the first replaces the dependent; the second cannot be deleted. */
function oneOfTwo({ probe }: Place, value: string): void {
  const first = { deleteFirst: true, replaceOn: ["value"], value };
  const left = probe("left", first);
  const right = probe("right", { ...first, failDelete: "still in use" }, { dependsOn: left });
  probe("both", { value: right.made, nested: left.made, replaceOn: ["nested"] });
}

/** One that is deleted first, with two dependents in a row, of which the second has two such. */
function chain({ probe }: Place, value: string): void {
  const first = { deleteFirst: true, replaceOn: ["value"], value };
  const head = probe("head", first);
  const middle = probe("middle", { value, nested: head.made, replaceOn: ["nested"] });
  const other = probe("other", first);
  probe("apart");
  probe("end", { value, nested: [middle.made, other.made], replaceOn: ["nested"] });
}

/** One that is deleted before it is replaced, and a dependent that is created before. */
function halves({ probe }: Place, value: string, ofDependent: string, failDelete?: string): void {
  const root = probe("root", { deleteFirst: true, replaceOn: ["value"], value });

  probe("halved", {
    value: ofDependent,
    nested: root.made,
    replaceOn: ["nested", "value"],
    failDelete,
  });
}

/** One that is deleted before it is replaced, with two dependents, of which one is protected. */
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

/** A resource that is deleted before it is replaced, where the option says so. */
function rebuilt(
  { probe }: Place,
  value: string,
  deleteBeforeReplace: boolean,
  more: ProbeInputs = {},
): void {
  probe("a", { value, replaceOn: ["value"], ...more }, { deleteBeforeReplace });
}

/** One that is deleted before it is replaced, and a dependent: either create may fail. */
function pair(
  { probe }: Place,
  value: string,
  root: ProbeInputs = {},
  dependent: ProbeInputs = {},
): void {
  const first = probe("root", { deleteFirst: true, replaceOn: ["value"], value, ...root });
  probe("dependent", { nested: first.made, replaceOn: ["nested"], ...dependent });
}

/** A child of a component with these options. */
function inGroup({ probe }: Place, options: pulumi.ComponentResourceOptions): void {
  probe("a", {}, { parent: new Group("group", options) });
}

/** Resources of an explicit provider, whose argument may come from another resource. */
function configured({ probe }: Place, value: string, given?: pulumi.Output<string>) {
  const { made } = probe("a", { value });
  const provider = new AnyProvider("account", { "test:key": given ?? made });
  const parent = new Group("group", { providers: [provider] });
  probe("b", {}, { provider });

  return {
    own: new Settings("own", { provider }).keyLength,
    inherited: new Settings("inherited", { parent }).keyLength,
    other: new Settings("other").keyLength,
  };
}

/** Resources that a change of their value replaces, each in another way, or updates. */
function replacements(place: Place, value: string): void {
  const { probe } = place;
  const inputs = { value, replaceOn: ["value"] };
  probe("new-first", inputs);
  probe("deleted-first", { ...inputs, deleteFirst: true });
  // The option wins over the provider.
  probe("by-option", inputs, { deleteBeforeReplace: true });
  probe("against-provider", { ...inputs, deleteFirst: true }, { deleteBeforeReplace: false });
  probe("retained", inputs, { retainOnDelete: true });
  // `replaceOnChanges` acts on what the engine compares itself. The last of these has a provider
  // without a diff.
  new Minimal("elsewhere", { text: value, other: 1 }, { replaceOnChanges: ["other"] });
  probe("by-provider", { value }, { replaceOnChanges: ["value"] });
  new Minimal("by-engine", { text: value, other: 1 }, { replaceOnChanges: ["text"] });
  twoRoots(place, value);
  chain(place, value);
  whoseDependentLeaves(place, value);
  row(place, value);
}

/** Two that are deleted before they are replaced, and at first one replaced with either. */
function whoseDependentLeaves({ probe }: Place, value: string): void {
  const inputs = { deleteFirst: true, replaceOn: ["value"], value };
  const one = probe("one", inputs);
  const two = probe("two", inputs, { dependsOn: one });
  if (value === "1") probe("leaves", { nested: [one.made, two.made], replaceOn: ["nested"] });
}

/** A row of resources that depend on each other, and two more that leave. */
function row({ probe }: Place, value: string): void {
  const first = probe("first");
  const second = probe("second", {}, { dependsOn: first });
  probe("third", { nested: second.derived });
  probe("goes-with-first", {}, { deletedWith: first });
  if (value === "1") probe("leaves-first", {}, { dependsOn: probe("leaves-then") });
}

export const replacingAndDeleting: Scenario[] = scenariosOf({
  "replacements and deletions: the new one first or the old one, by provider, option or engine, with dependents, in order":
    {
      isUsual: true,
      steps: [
        up((place) => replacements(place, "1")),
        preview((place) => replacements(place, "2")),
        up(),
        up(),
        destroy(),
      ],
      order: [
        "create new-first 1, create new-first 2, delete new-first 1, delete new-first 2",
        "create deleted-first 1, delete deleted-first 1, create deleted-first 2",
        "create by-option 1, delete by-option 1, create by-option 2",
        "create against-provider 1, create against-provider 2, delete against-provider 1",
        // A dependent of two resources that are deleted first is deleted once.
        "delete both 1, delete left 1, create left 2, delete right 1, create right 2, create both 2",
        "delete leaves 1, delete one 1, create one 2, delete two 1, create two 2",
        "delete end 1, delete middle 1, delete head 1, create head 2",
        "create leaves-then 1, create leaves-first 1, delete leaves-first 1, delete leaves-then 1",
        "create first 1, create second 1, create third 1",
        "delete third 1, delete second 1, delete first 1",
      ],
    },
  "replaceOnChanges of a partial create": [
    up(({ probe }) => probe("a", { unready: ["not yet"] }, { replaceOnChanges: ["#initerror"] })),
    up(),
  ],
  "a create that gives no id": [up(() => new Minimal("a", { text: "" }))],
  "an update that fails after a dependent of two was deleted": [
    up((place) => twoRoots(place, "1", { failDelete: "still in use" })),
    up((place) => twoRoots(place, "2")),
    up(),
  ],
  "a dependent that an update which failed has deleted, and which only one of two replaces": [
    up((place) => oneOfTwo(place, "1")),
    up((place) => oneOfTwo(place, "2")),
    up(),
  ],
  "a dependent's old half that is still there when what it depends on is deleted first": [
    up((place) => halves(place, "1", "1", "still in use")),
    up((place) => halves(place, "1", "2")),
    preview((place) => halves(place, "2", "2")),
    up(),
  ],
  "a protected dependent of what is deleted first": [
    up((place) => guarded(place, "1", true)),
    preview((place) => guarded(place, "2", true)),
    up(),
    up((place) => guarded(place, "2", false)),
    up((place) => guarded(place, "1", false)),
    up((place) => guarded(place, "2", false)),
  ],
  "a protected resource that is deleted first, and its protected dependent": [
    up((place) => guarded(place, "1", true, { protect: true })),
    preview((place) => guarded(place, "2", true, { protect: true })),
    up(),
  ],
  "a delete that fails, and the next destroy": [
    up(({ probe }) => probe("a", { failDelete: "still in use" })),
    destroy(),
    up(({ probe }) => probe("a")),
    destroy(),
  ],
  "an old half whose delete fails is deleted by the next update": [
    up(({ probe }) => probe("a", { replaceOn: ["value"], failDelete: "still in use" })),
    up(({ probe }) => probe("a", { replaceOn: ["value"], value: "2" })),
    up(),
  ],
  "a create that fails after its old half was deleted: the next update, with and without deleting first, refresh and destroy":
    [
      up((place) => rebuilt(place, "1", true)),
      up((place) => rebuilt(place, "2", true, { fail: "no room" })),
      preview((place) => rebuilt(place, "2", true)),
      up(),
      // The old half is deleted again, once: what fails as well does not repeat it.
      up((place) => rebuilt(place, "3", true, { fail: "no room" })),
      preview((place) => rebuilt(place, "3", false)),
      up(),
      up(),
      up((place) => rebuilt(place, "4", true, { fail: "no room" })),
      up((place) => rebuilt(place, "4", false, { fail: "no room" })),
      up((place) => rebuilt(place, "4", false, { unready: ["not yet"] })),
      up((place) => rebuilt(place, "4", false)),
      up((place) => rebuilt(place, "5", true, { fail: "no room" })),
      refresh(),
      destroy(),
    ],
  "the same, where the second delete fails": [
    up((place) => rebuilt(place, "1", true, { deletedOnce: true })),
    up((place) => rebuilt(place, "2", true, { fail: "no room", deletedOnce: true })),
    up((place) => rebuilt(place, "2", false, { deletedOnce: true })),
    up(),
  ],
  "the same, where the program only reads the resource from then on": [
    up((place) => rebuilt(place, "1", true)),
    up((place) => rebuilt(place, "2", true, { fail: "no room" })),
    up(({ probe }) => probe("a", {}, { id: "existing" })),
    up(),
  ],
  "a resource that the program only reads from then on, and whose delete fails": [
    up(({ probe }) => probe("a", { failDelete: "still in use" })),
    up(({ probe }) => probe("a", {}, { id: "existing" })),
    up(),
  ],
  "what is deleted first with its dependent: either cannot be created, or both are deleted again": [
    up((place) => pair(place, "1")),
    up((place) => pair(place, "2", { fail: "no room" })),
    preview((place) => pair(place, "2")),
    up(),
    up((place) => pair(place, "3", { fail: "no room" })),
    preview((place) => pair(place, "3", { deleteFirst: false })),
    up(),
    up((place) => pair(place, "4", {}, { fail: "no room" })),
    preview((place) => pair(place, "4")),
    up(),
    up(),
  ],
  protect: {
    isUsual: true,
    steps: [
      up(({ probe }) => {
        probe("a", { replaceOn: ["value"], nested: probe("base").made }, { protect: true });
        probe("other");
      }),
      destroy(),
      preview(({ probe }) => probe("a", { replaceOn: ["value"], value: "2" }, { protect: true })),
      up(),
      up(({ probe }) => probe("a", { replaceOn: ["value"], value: "2" }, { protect: false })),
      destroy(),
    ],
  },
  "protection and retention of a component's children": [
    up((place) => inGroup(place, { protect: true, retainOnDelete: true })),
    destroy(),
    up((place) => inGroup(place, { retainOnDelete: true })),
    destroy(),
  ],
  "explicit providers: changed, removed, with arguments of their own, also of a component, and not known in a preview":
    {
      secrets: { "test:key": "of-the-stack-to-keep-secret" },
      steps: [
        up((place) => {
          const key = new pulumi.Config("test").requireSecret("key");
          place.probe("c", {}, { provider: new AnyProvider("changed", { region: "north", key }) });
          return configured(place, "1", pulumi.secret("own-to-keep-secret"));
        }),
        preview((place) => {
          place.probe("c", {}, { provider: new AnyProvider("changed", { region: "south" }) });
          return configured(place, "2");
        }),
        up(),
        up(() => undefined),
      ],
    },
});
