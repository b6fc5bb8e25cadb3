/**
 * A package as others publish them, made of mocks: the offline engine is given these, and the real
 * one a plugin that answers with them. What both were asked is written down in the same words.
 */
import * as pulumi from "@pulumi/pulumi";

/** The mocks of the package, and what they were asked. */
export function mockedPackage() {
  const log: string[] = [];
  const inClear = (value: unknown) =>
    JSON.stringify(value, (_key, part) => (isSecret(part) ? part.value : part));

  const mocks: pulumi.runtime.Mocks = {
    newResource: ({ type, name, inputs, id }) => {
      // The real engine asks no plugin about providers.
      if (type.startsWith("pulumi:providers:")) return { id: crypto.randomUUID(), state: inputs };
      if (type === "pulumi:pulumi:StackReference") {
        const named = "value-to-keep-secret";
        const outputs = { zone: "a-zone", hidden: pulumi.secret(named), named };
        return { id, state: { outputs, secretOutputNames: ["named"] } };
      }

      // The engines differ in what an import or a lookup passes on.
      log.push(id ? `${name} ${id}` : `create ${name} ${inClear(inputs)}`);
      if (inputs.fail) throw new Error(inputs.fail);

      const { value = "existing" } = inputs;

      return { id: `${name}-${value}`, state: { ...inputs, value, made: `made ${value}` } };
    },
    call: ({ token, inputs }) => {
      log.push(`${token} ${inputs.text}`);
      if (inputs.text === "unknown") throw new Error("there is no such text");

      return {
        text: `${inputs.text}, found`,
        ...(inputs.hide && { hidden: pulumi.secret("value-to-keep-secret") }),
      };
    },
  };

  /** Requests since the last call, without those for explicit providers. */
  const asked = () => log.splice(0);

  return { mocks, asked };
}

function isSecret(value: unknown): value is { value: unknown } {
  return typeof value === "object" && value !== null && "4dabf18193072939515e22adb298388d" in value;
}

interface ThingInputs {
  value?: pulumi.Input<string>;
  other?: pulumi.Input<unknown>;

  /** The error of a create or an update. */
  fail?: string;
}

/** A resource of the package. */
export class Thing extends pulumi.CustomResource {
  declare readonly value: pulumi.Output<string>;
  declare readonly other: pulumi.Output<unknown>;
  declare readonly made: pulumi.Output<string>;

  constructor(name: string, inputs: ThingInputs = {}, options?: pulumi.CustomResourceOptions) {
    const outputs = { value: undefined, other: undefined, made: undefined };
    super("mini:index:Thing", name, { ...outputs, ...inputs }, options);
  }
}

export function lookup(text: pulumi.Input<string>, hide = false): pulumi.Output<{ text: string }> {
  return pulumi.runtime.invokeOutput("mini:index:lookup", { text, hide });
}
