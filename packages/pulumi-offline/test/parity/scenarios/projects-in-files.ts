/** Projects in files: what their processes print and give, and their configuration. */
import { JAVASCRIPT } from "../../../../../test/support/project";
import type { Program, Scenario } from "../scenario";

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

/** A program of components, each registered after the one before it: names, and former names where they have some. */
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
const project = (config: string) => `name: test\nruntime: ${JAVASCRIPT}\nmain: index.js\nconfig:\n${config}`;

export const projectsInFiles: Scenario[] = [
  {
    name: "in files: a program and a provider that print",
    steps: [["up", `${note} console.log("one\\n\\ntwo"); console.error("three"); new Note("a", "loud");`]],
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
    name: "in files: a value that the project declares secret, and that a transform leaves so",
    secrets: { "test:key": "value-to-keep-secret" },
    files: { "Pulumi.yaml": project("  key: {type: string, secret: true}\n") },
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
    name: "in files: names and former names that two resources have",
    steps: [
      ["up", components(["old"])],
      ["preview", components(["a", "old"], ["b", "old"])],
      ["preview", components(["old"], ["b", "old"])],
      ["preview", components(["b", "old"], ["old"])],
      ["preview", components(["old"], ["old"])],
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
    name: "in files: configuration of the types that are declared",
    files: {
      "Pulumi.yaml": project(`
  string: {type: string}
  integer: {type: integer}
  boolean: {type: boolean}
  integers: {type: array, items: {type: integer}}
  booleans: {type: array, items: {type: boolean}}
`),
      "Pulumi.test.yaml": `config:
  test:string: 1
  test:integer: "12"
  test:boolean: "true"
  test:integers: [1.0, 2]
  test:booleans: [true, "false"]
`,
    },
    steps: [["up", configured("string", "integer", "boolean", "integers", "booleans")]],
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
      ["string", "{a: 1}"],
      ["integer", "1.5"],
      ["boolean", "1"],
      ["object", "[1]"],
      ["array, items: {type: string}", "{a: 1}"],
      ["string, secret: true", "clear"],
      ["string, secret: true, default: clear", ""],
    ] as const
  ).map(
    ([type, value]): Scenario => ({
      name: `in files: configuration of type ${type} fails with ${value}`,
      files: {
        "Pulumi.yaml": project(`  a: {type: ${type}}\n`),
        "Pulumi.test.yaml": value && `config: {test:a: ${value}}\n`,
      },
      steps: [["up", configured()]],
    }),
  ),
];
