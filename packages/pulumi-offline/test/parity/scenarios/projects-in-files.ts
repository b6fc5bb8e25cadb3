/** Projects in files: what their processes print and give, and their configuration. */
import { JAVASCRIPT } from "../../../../../test/support/project";
import {
  destroy,
  type Program,
  preview,
  refresh,
  type Scenario,
  scenariosOf,
  up,
} from "../scenario";

/**
 * The head of a program in a file: a resource whose provider says what it does. It is text already,
 * because the SDK's serializer takes longer than such a program.
 */
const note = `
const pulumi = require("@pulumi/pulumi");
const provider = {
  async check(olds, news) {
    if (news.text === "loud") {
      console.log("check says this");
      console.error("and complains");
    }
    return { inputs: news, failures: [] };
  },
  async create(inputs) {
    if (inputs.text === "refused") throw new Error("no room");
    return { id: "note", outs: inputs };
  },
};
const __provider = "exports.handler = () => ({" + provider.check + "," + provider.create + "});";
class Note extends pulumi.CustomResource {
  constructor(name, text, options) {
    super("pulumi-nodejs:dynamic:Resource", name, { text, __provider }, options);
  }
}
`;

/** A program with two: one prints, the other has a secret, which a transform leaves so. */
const notes = `${note}
const key = new pulumi.Config().requireSecret("key");
const kept = ({ props, opts }) => ({ props, opts: { ...opts, protect: true } });
const a = new Note("a", "loud");
new Note("b", key, { transforms: [kept] });
`;

/**
 * The end of a program whose resources fail. The SDK reads files between a program that is no
 * function and the stack's outputs: where these come as the engine closes, it prints that they were
 * lost.
 */
const asFunction = (statement: string) => `module.exports = () => { ${statement} return {}; };`;

/** A program of components, one registered after the other: names, and former ones. */
const components = (...all: [name: string, former?: string][]): Program => `
const pulumi = require("@pulumi/pulumi");
module.exports = async () => {
  for (const [name, former] of ${JSON.stringify(all)}) {
    const options = { aliases: former ? [{ name: former }] : [] };
    await new Promise((resolve) => new pulumi.ComponentResource("test:index:Group", name, {}, options).urn.apply(resolve));
  }
};
`;

/** A program that gives the configuration with these keys as its outputs, as texts. */
const configured = (...keys: string[]): Program => `
const pulumi = require("@pulumi/pulumi");
for (const key of ${JSON.stringify(keys)}) {
  const [name, namespace] = key.split(":").reverse();
  exports[key] = new pulumi.Config(namespace).get(name);
}
`;

/** A project file with a section on configuration. */
const project = (config: string) =>
  `name: test\nruntime: ${JAVASCRIPT}\nmain: index.js\nconfig:\n${config}`;

/** A project whose stack has this value for a key of this type, which does not fit. */
const ofType = (type: string, value?: string): Omit<Scenario, "name"> => ({
  files: {
    "Pulumi.yaml": project(`  a: {type: ${type}}\n`),
    "Pulumi.test.yaml": value === undefined ? "" : `config: {test:a: ${value}}\n`,
  },
  steps: [up(configured())],
});

export const projectsInFiles: Scenario[] = scenariosOf({
  "in files: prints of program and provider, outputs by exports and by a function, a secret that a transform leaves so, an exit code, and a create that fails, after which nothing is deleted":
    {
      isUsual: true,
      secrets: { "test:key": "value-to-keep-secret" },
      files: { "Pulumi.yaml": project("  key: {type: string, secret: true}\n") },
      steps: [
        up(`${notes}
        console.log("one\\n\\ntwo");
        console.error("three");
        exports.text = a.text;
        exports.missing = undefined;`),
        up(`${notes} module.exports = async () => ({ later: await Promise.resolve("value") });`),
        up("process.exitCode = 3;"),
        // Such a program ends with the exit code 0.
        up(`${note} ${asFunction('new Note("c", "refused");')}`),
      ],
    },
  "in files: a transform that fails": [
    up(`${note}
        const broken = () => { throw new Error("no such thing"); };
        ${asFunction('new Note("a", "text", { transforms: [broken] });')}`),
  ],
  "in files: names and former names that two resources have": [
    up(components(["old"])),
    preview(components(["a", "old"], ["b", "old"])),
    preview(components(["old"], ["b", "old"])),
    preview(components(["b", "old"], ["old"])),
    preview(components(["old"], ["old"])),
  ],
  "in files: configuration of the stack's file in a directory of its own, over values and defaults of the project's":
    {
      secrets: { "test:overridden": "from-the-options" },
      files: {
        "Pulumi.yaml": `stackConfigDir: stacks\n${project(`
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
  string: {type: string}
  integer: {type: integer}
  boolean: {type: boolean}
  integers: {type: array, items: {type: integer}}
  booleans: {type: array, items: {type: boolean}}
`)}`,
        "stacks/Pulumi.test.yaml": `config:
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
  test:string: 1
  test:integer: "12"
  test:boolean: "true"
  test:integers: [1.0, 2]
  test:booleans: [true, "false"]
`,
      },
      steps: [
        up(
          configured(
            ...["text", "number", "flag", "list", "tree", "short", "full", "changed", "bare"],
            ...["overridden", "truth", "fraction", "big", "day", "empty", "nothing", "nested"],
            ...["string", "integer", "boolean", "integers", "booleans"],
            ...["other:value", "other:short", "other:taken", "other:old"],
          ),
        ),
      ],
    },
  "in files: the same directory, named in the earlier way": {
    files: {
      "Pulumi.yaml": `name: test\nruntime: ${JAVASCRIPT}\nconfig: stacks\n`,
      "stacks/Pulumi.test.yaml": "config: {test:place: stacks}\n",
    },
    steps: [up(configured("place"))],
  },
  "in files: a required value of the configuration is missing": {
    files: {
      "Pulumi.yaml": project(
        "  present: {default: 1}\n  other:present: 1\n  absent: {type: string}\n",
      ),
    },
    steps: [preview(configured()), up(), refresh(), destroy()],
  },
  "in files: several are": {
    files: {
      "Pulumi.yaml": project("  b: {}\n  test:d: {type: string}\n  a: {description: first}\n"),
    },
    steps: [up(configured())],
  },
  "in files: a value of the configuration has another type": ofType(
    "array, items: {type: array, items: {type: integer}}",
    "[[1, x]]",
  ),
  "in files: configuration of type string fails with {a: 1}": ofType("string", "{a: 1}"),
  "in files: configuration of type integer fails with 1.5": ofType("integer", "1.5"),
  "in files: configuration of type boolean fails with 1": ofType("boolean", "1"),
  "in files: configuration of type object fails with [1]": ofType("object", "[1]"),
  "in files: configuration of type array, items: {type: string} fails with {a: 1}": ofType(
    "array, items: {type: string}",
    "{a: 1}",
  ),
  "in files: configuration of type string, secret: true fails with clear": ofType(
    "string, secret: true",
    "clear",
  ),
  "in files: configuration of type string, secret: true, default: clear fails with ": ofType(
    "string, secret: true, default: clear",
  ),
});
