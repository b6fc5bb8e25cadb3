/** The reference names everything public, and the pages stay short. */
import { DEFAULTS, SETTINGS } from "../../src/names";
import { runInProcess } from "../cli/command";
import { pageAt, pages } from "./support/markdown";

/** The pages for users: guides and reference. */
const forUsers = pages.filter(({ file }) => /^docs\/(reference\/)?[^/]+$/.test(file));
const headings = new Set(forUsers.flatMap(({ anchors }) => [...anchors]));
const missing = (names: string[]) => names.filter((name) => !headings.has(name.toLowerCase()));

describe("the reference", () => {
  it("has a heading for each public name of the package", () => {
    // The Output form is on the page of its function, and the error on the client's page.
    const names = Object.keys(require("../../src"))
      .map((name) => name.replace(/Output$/, ""))
      .filter((name) => name !== "DomainMonitoringError");

    expect(names.length).toBeGreaterThan(15);
    expect(missing(names)).toEqual([]);
  });

  it("has a page for each command", async () => {
    const { stdout } = await runInProcess(["--help"]);
    const commands = [...stdout.slice(stdout.indexOf("Commands:")).matchAll(/^ {2}([a-z]+)/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== "help");

    expect(commands.toSorted()).toEqual(["channels", "doctor", "report"]);
    expect(missing(commands.map((name) => `pulumi-domain-monitoring-${name}`))).toEqual([]);
  });
});

it.each(["NotificationChannel", "Domain"])("the samples of a %s use what it has", (name) => {
  const { resources, types } = require("../../src/plugin/schema.json");
  const { inputProperties, requiredInputs, properties } =
    resources[`domain-monitoring:index:${name}`];

  const { args, shown } = require("../../scripts/plugin-schema/examples.cjs").EXAMPLES[name];
  expect(Object.keys(inputProperties)).toEqual(expect.arrayContaining(Object.keys(args)));
  expect(Object.keys(args)).toEqual(expect.arrayContaining(requiredInputs));
  expect(["id", ...Object.keys(properties)]).toContain(shown);

  if (args.type === undefined) return;

  const known = types["domain-monitoring:index:ChannelType"].enum;
  expect(known).toContainEqual(
    expect.objectContaining({ name: args.type.name, value: args.type.value }),
  );
});

/** A page without its blocks. */
const proseOf = (text: string) => text.replace(/^ *```.*?^ *```$/gms, "");
const wordsIn = (texts: string[]) => texts.join(" ").split(/\s+/).filter(Boolean).length;

describe("the pages stay short", () => {
  it("for users: at most 15,000 words outside of blocks, on some 30 pages", () => {
    expect(wordsIn(forUsers.map(({ text }) => proseOf(text)))).toBeLessThanOrEqual(15_000);
    expect(forUsers.length).toBeLessThanOrEqual(32);
    expect(pageAt("README.md").text.split("\n").length).toBeLessThanOrEqual(86);
  });

  it("for contributors: at most 7,500 words", () => {
    const contributing = pages.filter(({ file }) => file.startsWith("docs/contributing/"));
    expect(wordsIn(contributing.map(({ text }) => proseOf(text)))).toBeLessThanOrEqual(7_500);
  });

  it("no cell of a table is longer than 160 characters", () => {
    const long = [pageAt("README.md"), ...forUsers].flatMap(({ file, text }) =>
      proseOf(text)
        .split("\n")
        .filter((line) => line.startsWith("|"))
        .flatMap((line) => line.split(/(?<!\\)\|/))
        .filter((cell) => cell.trim().length > 160 && !/^[\s-]*$/.test(cell))
        .map((cell) => `${file}: ${cell.trim()}`),
    );

    expect(long).toEqual([]);
  });

  it("no interface is printed twice", () => {
    const printed = forUsers.flatMap(({ blocks }) =>
      blocks.flatMap(({ language, code }) =>
        language === "typescript"
          ? [...code.matchAll(/^interface (\w+)/gm)].map(([, name]) => name)
          : [],
      ),
    );

    expect(printed.length).toBeGreaterThan(20);
    expect(printed.filter((name, index) => printed.indexOf(name) < index)).toEqual([]);
  });
});

it("the page about the connection has each setting with its variable and its default", () => {
  const defaults: Partial<Record<string, number>> = DEFAULTS;
  const lines = pageAt("docs/connect.md").text.split("\n");

  for (const [name, { key, variable }] of Object.entries(SETTINGS)) {
    const row = lines.find((line) => line.includes(`\`${key}\``) && line.startsWith("|")) ?? "";
    expect(row).toContain(`\`${variable}\``);
    expect(row).toMatch(new RegExp(`\\| ${defaults[name] ?? ""}`));
  }
});

it("the page of versions says from when to when they were run", () => {
  const { layouts, languages } = require("../../docs/contributing/what-was-run.json");
  const days: string[] = layouts.map(({ day }: { day: string }) => day);
  days.push(languages.measured.slice(0, 10));
  const [first, last] = [days.toSorted()[0], days.toSorted().at(-1)];
  for (const day of days) expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(pageAt("docs/support-and-limits.md").text).toContain(`from ${first} to ${last}`);
});
