/**
 * Resources of another package: a plugin serves them to the real engine, mocks that answer the same
 * to the offline one.
 */
import * as pulumi from "@pulumi/pulumi";
import { AnyProvider, Group } from "../../probe";
import { lookup, Thing } from "../package";
import { destroy, preview, refresh, type Scenario, scenariosOf, up } from "../scenario";

const secrets = { "test:key": "value-to-keep-secret" };

/** Outputs of a stack, to which another can refer. */
const outputs = () => {
  const hidden = pulumi.secret("value-to-keep-secret");
  return { zone: "a-zone", hidden, named: hidden };
};

export const mockedPackages: Scenario[] = scenariosOf({
  "other packages: a life, with previews whose outputs are not known": {
    isUsual: true,
    mocked: true,
    steps: [
      preview(() => pair({ value: "1", other: { list: [1, null, { deep: true }] } })),
      up(),
      preview(),
      up(),
      preview(() => pair({ value: "2" })),
      up(),
      up(() => ({ made: new Thing("a", { value: "2" }).made })),
      refresh(),
      destroy(),
    ],
  },
  "other packages: secrets among inputs and outputs": {
    mocked: true,
    secrets,
    steps: [
      up(() => {
        const value = new pulumi.Config("test").requireSecret("key");
        const a = new Thing("a", { value: "1", other: { a: value, b: 1 } });
        const b = new Thing("b", { value: "1" }, { additionalSecretOutputs: ["made"] });
        return { other: a.other, value: a.value, made: b.made };
      }),
      preview(),
      refresh(),
      up(),
      destroy(),
    ],
  },
  "other packages: replaced by an option, before and after the old one is deleted, with dependents":
    {
      mocked: true,
      steps: [up(() => replaced("1")), preview(() => replaced("2")), up(), up(), destroy()],
    },
  "other packages: looked up, imported, imported again by another id": {
    mocked: true,
    steps: [
      preview(() => takenOver("theirs", "id-1")),
      up(),
      preview(),
      up(),
      up(() => takenOver("another", "id-2")),
      refresh(),
      up(() => ({ id: new Thing("taken", { value: "changed" }).id })),
      destroy(),
    ],
  },
  "other packages: imported, and to be replaced while the program still names its id": {
    mocked: true,
    steps: [up(() => imported("existing")), preview(() => imported("changed")), up()],
  },
  "other packages: explicit providers, own and of a parent": {
    mocked: true,
    steps: [up(() => provided("one")), preview(() => provided("two")), up(), destroy()],
  },
  "other packages: a create and an update that fail, with what comes after them": {
    mocked: true,
    steps: [
      up(() => {
        const a = new Thing("a", { value: "1" });
        const b = new Thing("b", { value: a.made, fail: "no room" });
        new Thing("c", { value: b.made });
      }),
      up(() => void new Thing("a", { value: "2", fail: "no change" })),
      up(() => ({ made: new Thing("a", { value: "2" }).made })),
      destroy(),
    ],
  },
  "other packages: functions and methods, also with what is not known": {
    mocked: true,
    steps: [
      preview(() => {
        const a = new Thing("a", { value: "1" });
        const known = lookup("text");
        const later = lookup(a.made);
        const secret = lookup(pulumi.secret("secret"));
        const refused = pulumi.runtime
          .invoke("mini:index:lookup", { text: "unknown" })
          .catch(({ message }) => message);

        return { known, later, secret: secret.text, hidden: lookup("text", true), refused };
      }),
      up(),
      up(() => {
        const a = new Thing("a", { value: "1" });
        const args = { __self__: a, text: "by method" };
        return {
          text: pulumi.runtime.call<{ text: string }>("mini:index:Thing/describe", args, a).text,
        };
      }),
      destroy(),
    ],
  },
  "other packages: a reference to a stack, and which of its outputs are secret": {
    mocked: true,
    secrets,
    steps: [
      up(outputs),
      preview(() => {
        const stack = new pulumi.StackReference("organization/test/test");
        new Thing("a", { value: stack.requireOutput("zone"), other: stack.getOutput("hidden") });
        const none = stack.getOutput("none").apply((value) => value === undefined);

        return {
          ...outputs(),
          plain: stack.getOutput("zone"),
          secret: stack.requireOutput("hidden"),
          named: stack.getOutput("named"),
          details: stack.getOutputDetails("hidden").then(({ secretValue }) => secretValue),
          none,
        };
      }),
      up(),
      up(outputs),
      destroy(),
    ],
  },
});

/** Two of which one depends on what the other makes, and on a component. */
function pair(inputs: ConstructorParameters<typeof Thing>[1]) {
  const a = new Thing("a", inputs);
  const b = new Thing("b", { value: a.made, other: a.id }, { dependsOn: new Group("group") });
  return { id: b.id, made: b.made, value: a.value };
}

function takenOver(lookedUp: string, id: string) {
  const found = new Thing("found", {}, { id: lookedUp });
  const taken = new Thing("taken", { value: "existing" }, { import: id });
  return { found: found.value, id: taken.id, made: taken.value };
}

function replaced(value: string) {
  const first = new Thing(
    "first",
    { value },
    { replaceOnChanges: ["value"], deleteBeforeReplace: true },
  );
  const dependent = new Thing("dependent", { value: first.made }, { replaceOnChanges: ["value"] });
  new Thing("updated", { value: first.made });
  const last = new Thing("last", { value }, { replaceOnChanges: ["*"] });
  new Thing("after", { value: last.id });

  return { dependent: dependent.id, last: last.id };
}

function imported(value: string): void {
  new Thing("taken", { value }, { import: "id-1", replaceOnChanges: ["value"] });
}

function provided(region: string) {
  const provider = new AnyProvider("own", { region }, "mini");
  const group = new Group("group", { providers: [provider] });
  new Thing("child", { value: "1" }, { parent: group });
  new Thing("own", { value: "1" }, { provider });
  new Thing("default", { value: "1" });
  new AnyProvider("unused", { region }, "mini");
}
