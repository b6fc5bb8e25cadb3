import { execFileSync } from "node:child_process";
import path from "node:path";
import { DEFAULTS, SETTINGS } from "../../src/names";
import { pageAt, pages, root } from "./support/markdown";

const reference = pages.filter(({ file }) => file.startsWith("docs/reference/"));
const headings = new Set(reference.flatMap(({ anchors }) => [...anchors]));

const missing = (names: string[]) => names.filter((name) => !headings.has(name.toLowerCase()));

describe("the reference", () => {
  it("has a heading for each public name of the package", () => {
    // The Output form is on the page of its function, and the error on the client's page.
    const names = Object.keys({ ...require("../../src"), ...require("../../src/policy") })
      .map((name) => name.replace(/Output$/, ""))
      .filter((name) => name !== "DomainMonitoringError");

    expect(names.length).toBeGreaterThan(15);
    expect(missing(names)).toEqual([]);
  });

  it("has a page for each command", () => {
    const help = execFileSync(process.execPath, [path.join(root, "dist/cli/main.js"), "--help"], {
      encoding: "utf8",
    });

    const commands = [...help.slice(help.indexOf("Commands:")).matchAll(/^ {2}([a-z]+)/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== "help");

    expect(commands.length).toBeGreaterThan(3);
    expect(missing(commands.map((name) => `pulumi-domain-monitoring-${name}`))).toEqual([]);
  });
});

it.each(["NotificationChannel", "Domain"])(
  "the samples of %s in other languages use what its schema has",
  (name) => {
    const { resources, types } = require("../../src/plugin/schema.json");
    const { inputProperties, requiredInputs, properties } =
      resources[`domain-monitoring:index:${name}`];

    const { args, shown } = require("../../scripts/plugin-schema/examples.cjs").EXAMPLES[name];

    expect(Object.keys(inputProperties)).toEqual(expect.arrayContaining(Object.keys(args)));
    expect(Object.keys(args)).toEqual(expect.arrayContaining(requiredInputs));
    expect(Object.keys(properties)).toContain(shown);

    if (args.type === undefined) return;

    const known = types["domain-monitoring:index:ChannelType"].enum;

    expect(known).toContainEqual(
      expect.objectContaining({ name: args.type.name, value: args.type.value }),
    );
  },
);

it("the guides and README stay short: what a reader looks up is in the reference", () => {
  const lines = (texts: string[]) => texts.join("").split("\n").length - 1;
  const guides = pages.filter(({ file }) => /^docs\/[^/]+$/.test(file));

  expect(lines(guides.map(({ text }) => text))).toBeLessThanOrEqual(2_100);
  expect(lines([pageAt("README.md").text])).toBeLessThanOrEqual(115);
});

it("the table of settings matches the code, with its defaults", () => {
  const defaults: Partial<Record<string, number>> = DEFAULTS;
  const row = /^\| `(domain-monitoring:\w+)` +\| `(\w+)` +\|.*\| (\S+) +\|$/gm;
  const told = [...pageAt("docs/configuration.md").text.matchAll(row)].map(
    ([, key, variable, byDefault]) => ({
      key,
      variable,
      byDefault,
    }),
  );

  const expected = Object.entries(SETTINGS).map(([name, setting]) => ({
    ...setting,
    byDefault: String(defaults[name] ?? "none"),
  }));

  expect(told).toEqual(expected);
});
