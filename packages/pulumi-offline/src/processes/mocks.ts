/**
 * Packages that no dynamic provider serves: the test's mocks answer for them, in this process. What
 * mocks are given and return has the form that it has with the SDK's own `setMocks`: a secret is an
 * envelope, an asset is an object.
 */
import type { runtime } from "@pulumi/pulumi";
import { deserializeProperties, serializeProperties } from "@pulumi/pulumi/runtime";
import { messageOf } from "../diagnostics";
import { ORGANIZATION } from "../project";
import { inRuntimeState, toStruct } from "../sdk";
import { parseUrn, STACK_REFERENCE_TYPE, type StackName } from "../state/urns";
import {
  copySecrets,
  equal,
  hasSecret,
  hasUnknown,
  isObject,
  type Properties,
  reveal,
  secret,
  UNKNOWN,
} from "../state/values";
import type { ResourceProvider } from "./provider-process";

/** Mocks do not answer for a function or a method of the program. */
export class Unanswered extends Error {}

/** The mocks of one operation. */
export class MockedPackages {
  readonly #mocks: runtime.Mocks;
  readonly #at: StackName;
  readonly #preview: boolean;

  constructor(mocks: runtime.Mocks, at: StackName, preview: boolean) {
    this.#mocks = mocks;
    this.#at = at;
    this.#preview = preview;
  }

  /**
   * A provider whose resources the mocks are asked for. Like a plugin that does not support
   * previews and does not compare, it leaves both to the engine.
   *
   * @param reference of an explicit provider, or empty
   */
  provider(reference: string): ResourceProvider {
    return {
      check: async (_urn, _olds, inputs) => ({ inputs, failures: [] }),
      diff: async () => ({
        changes: "unknown",
        replaces: [],
        deleteBeforeReplace: false,
      }),
      create: (urn, inputs) => this.newResource(urn, inputs, { provider: reference }),
      update: async (urn, { id }, inputs) =>
        (await this.newResource(urn, inputs, { id, provider: reference })).outputs,
      read: async (urn, id, inputs) => ({
        ...(await this.newResource(urn, inputs, { id, provider: reference })),
        inputs: undefined,
      }),
      delete: async () => {},
    };
  }

  /**
   * Asks for a resource: without an id for one to create, with it for one that exists, which keeps
   * it.
   *
   * @throws where mocks do not answer, or throw
   */
  async newResource(urn: string, inputs: Properties, { id = "", provider = "" } = {}) {
    const { type, name } = parseUrn(urn);
    const problem = (what: string) =>
      new Error(`${type} resource '${name}': mocks.newResource ${what} \`${lineFor(type)}\``);

    return await this.#inStack(async () => {
      const args = {
        type,
        name,
        inputs: this.#given(inputs),
        provider,
        custom: true,
        id,
      };

      let answer: unknown;
      try {
        answer = await this.#mocks.newResource(args);
      } catch (error) {
        throw problem(`failed (${messageOf(error)}): where it is to answer, add`);
      }

      if (!isObject(answer) || !isObject(answer.state))
        throw problem("does not answer for it: add");

      const outputs = await serializeProperties(urn, answer.state);
      if (type !== STACK_REFERENCE_TYPE)
        return { id: id || String(answer.id || `${name}_id`), outputs: asGiven(inputs, outputs) };

      if (!isObject(outputs.outputs)) throw problem("gives no outputs of the stack: add");

      return {
        id,
        outputs: {
          ...inputs,
          ...outputs,
          ...whichAreSecret(outputs.outputs, outputs),
        },
      };
    });
  }

  /**
   * Asks for the result of a function or a method. As the SDK does for functions, one with an
   * argument that a preview does not know is not called.
   *
   * @throws Unanswered where mocks return nothing
   */
  async call(what: "function" | "method", token: string, args: Properties, provider: string) {
    if (hasUnknown(args)) return { unknown: UNKNOWN };
    return await this.#inStack(async () => {
      let answer: unknown;
      try {
        answer = await this.#mocks.call({
          token,
          inputs: this.#given(args),
          provider,
        });
      } catch (error) {
        // The words of the real engine, for the program, which may catch it.
        const verb = what === "function" ? "invocation" : "call";
        throw new Error(`${verb} of ${token} returned an error: ${messageOf(error)}`);
      }

      if (isObject(answer)) return await serializeProperties(token, answer);

      const line = `if (args.token === "${token}") return { /* its result */ };`;

      throw new Unanswered(
        `the ${what} ${token}: mocks.call does not answer for it: add \`${line}\``,
      );
    });
  }

  #given(properties: Properties): Properties {
    return deserializeProperties(toStruct(properties));
  }

  #inStack<T>(ask: () => T): T {
    const { project, stack } = this.#at;

    return inRuntimeState(
      {
        project,
        stack,
        organization: ORGANIZATION,
        dryRun: this.#preview,
      },
      ask,
    );
  }
}

function lineFor(type: string): string {
  const answer =
    type === STACK_REFERENCE_TYPE
      ? "{ id: args.id, state: { outputs: { /* those of the other stack */ } } }"
      : // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code, to be added to a test
        "{ id: `${args.name}_id`, state: args.inputs }";

  return `if (args.type === "${type}") return ${answer};`;
}

/**
 * Outputs with the secrets of the inputs. One that is an input as it was keeps its form: mocks see
 * secrets further out.
 */
function asGiven(inputs: Properties, outputs: Properties): Properties {
  const kept = Object.entries(inputs).filter(
    ([name, input]) => hasSecret(input) && equal(reveal(input), reveal(outputs[name])),
  );

  return copySecrets(inputs, { ...outputs, ...Object.fromEntries(kept) });
}

/**
 * The outputs of a stack with the secret ones marked: those that mocks mark, or name as the real
 * engine does.
 */
function whichAreSecret(outputs: Properties, { secretOutputNames: named }: Properties): Properties {
  const isNamed = (name: string) => Array.isArray(named) && named.includes(name);
  const names = Object.keys(outputs).filter((name) => isNamed(name) || hasSecret(outputs[name]));
  const marked = names.map((name) => [
    name,
    hasSecret(outputs[name]) ? outputs[name] : secret(outputs[name]),
  ]);

  return {
    outputs: { ...outputs, ...Object.fromEntries(marked) },
    secretOutputNames: names.sort(),
  };
}
