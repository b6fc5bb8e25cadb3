/** Dynamic resources that are not this package's, for tests of the offline engine. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";

type Properties = Record<string, unknown>;
type Options = pulumi.CustomResourceOptions;

/** A call of a probe's provider, as it wrote it into the log. */
export interface Call {
  method: "check" | "diff" | "create" | "read" | "update" | "delete";
  label: string;
  id?: string;
  olds?: Properties;
  news?: Properties;
}

/** Writes a call into the log. As text it is beside the provider's methods. */
function written({ log, label }: Properties, call: Omit<Call, "label">): void {
  require("node:fs").appendFileSync(log, `${JSON.stringify({ ...call, label })}\n`);
}

/** What a create or an update throws that is partly done. */
function partial(id: string, properties: Properties, reasons: string[]): Error {
  return Object.assign(new Error("unready"), { id, properties, reasons });
}

/**
 * A provider that writes down every call and does what the inputs ask for. Its methods are turned
 * into text and run in the provider process, so that each of them stands alone.
 */
const provider: pulumi.dynamic.ResourceProvider = {
  async check(olds, news) {
    written(news, { method: "check", olds, news });
    if (news.print) process.stderr.write(`${news.print}\n`);
    const problems: [string, string][] = news.problems ?? [];
    const failures = problems.map(([property, reason]) => ({ property, reason }));
    const made = news.answers?.check?.join("-");

    return { inputs: made ? { ...news, label: made } : news, failures };
  },
  async diff(id, olds, news) {
    written(news, { method: "diff", id, olds, news });
    const differs = (key: string) => JSON.stringify(olds[key]) !== JSON.stringify(news[key]);
    const replaces = (news.replaceOn ?? []).filter(differs);
    const own = ["made", "derived", "__provider"];
    const all = Object.keys({ ...olds, ...news });
    const changes = all.some((key) => !own.includes(key) && differs(key));

    return { changes, replaces, deleteBeforeReplace: news.deleteFirst === true };
  },
  async create(inputs) {
    written(inputs, { method: "create", news: inputs });
    if (inputs.barrier) {
      await new Promise((resolve, reject) => {
        require("node:http").get(inputs.barrier, resolve).on("error", reject);
      });
    }

    if (inputs.fail) throw new Error(inputs.fail);

    const made = inputs.answers?.create?.join("-") ?? `made ${inputs.value}`;
    const outs = { ...inputs, made, derived: `derived ${inputs.value}` };
    const id = `id-${inputs.label}-${inputs.value}`;
    if (inputs.unready) throw partial(id, outs, inputs.unready);

    return { id, outs };
  },
  async read(id, props) {
    written(props, { method: "read", id, olds: props });
    const fs = require("node:fs");
    const live = `${props?.log}.live`;
    if (!fs.existsSync(live)) return { id, props: { ...props, made: props?.made ?? "read" } };

    const { gone, ...found } = JSON.parse(fs.readFileSync(live, "utf8"));
    if (gone) return { id: "" };

    return { id, props: { ...props, ...found }, inputs: { ...props, ...found } };
  },
  async update(id, olds, news) {
    written(news, { method: "update", id, olds, news });
    if (news.failUpdate) throw new Error(news.failUpdate);
    const made = news.answers?.update?.join("-") ?? `updated ${news.value}`;
    const outs = { ...news, made, derived: `derived ${news.value}` };
    if (news.unreadyUpdate) throw partial(id, outs, news.unreadyUpdate);

    return { outs };
  },
  async delete(id, props) {
    written(props, { method: "delete", id, olds: props });
    if (props.failDelete) throw new Error(props.failDelete);
    if (!props.deletedOnce) return;

    const mark = `${props.log}.${id}.deleted`;
    if (require("node:fs").existsSync(mark)) throw new Error("already deleted");

    require("node:fs").writeFileSync(mark, "");
  },
};

/** The inputs of a probe; what the outputs are made of, and how its provider behaves. */
export interface ProbeInputs {
  /** Its name in the log. @default its name */
  label?: string;
  value?: pulumi.Input<string>;
  nested?: pulumi.Input<unknown>;

  /** Properties whose change replaces. */
  replaceOn?: string[];
  deleteFirst?: boolean;
  problems?: [property: string, reason: string][];
  fail?: string;
  failUpdate?: string;
  failDelete?: string;

  /** A second delete of it fails. */
  deletedOnce?: boolean;
  unready?: string[];
  unreadyUpdate?: string[];

  /** A URL that a create waits for. */
  barrier?: string;

  /** Text that a check writes to standard error. */
  print?: string;

  /**
   * Parts of a text that a call answers with. In one piece, the engine could give it a meaning on
   * its way to the provider.
   */
  answers?: { [Method in Call["method"]]?: string[] };
}

/**
 * As the SDK's serializer would have it, which takes TypeScript and a second of each test file to
 * find out.
 */
const code = `${written}
${partial}
exports.handler = () => ({ ${Object.values(provider).map(String).join(",\n")} });`;

/** The URN of a probe in the stack of these tests. */
export const probeUrn = (name: string) =>
  `urn:pulumi:test::test::pulumi-nodejs:dynamic/test:Probe::${name}`;

/** A dynamic resource of these tests. */
export class Probe extends pulumi.CustomResource {
  declare readonly value: pulumi.Output<string>;
  declare readonly nested: pulumi.Output<unknown>;
  declare readonly made: pulumi.Output<string>;
  declare readonly derived: pulumi.Output<string>;

  constructor(log: string, name: string, inputs: ProbeInputs = {}, options?: Options) {
    const outputs = { made: undefined, derived: undefined, __provider: code };
    const props = { ...outputs, value: "1", label: name, log, ...inputs };
    super("pulumi-nodejs:dynamic/test:Probe", name, props, options);
  }
}

type ProviderOptions = ConstructorParameters<typeof pulumi.ProviderResource>[3];

/** An explicit provider. */
export class AnyProvider extends pulumi.ProviderResource {
  constructor(name: string, args: pulumi.Inputs, pkg = "pulumi-nodejs", options?: ProviderOptions) {
    super(pkg, name, args, options);
  }
}

/** A component of these tests. */
export class Group extends pulumi.ComponentResource {
  constructor(name: string, options?: pulumi.ComponentResourceOptions) {
    super("test:index:Group", name, {}, options);
  }
}

/** The calls in a log, which is emptied. */
export function takeCalls(log: string): Call[] {
  const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
  rmSync(log, { force: true });
  return lines.filter(Boolean).map((line) => JSON.parse(line) as Call);
}
