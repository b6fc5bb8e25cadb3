/**
 * The schema agrees with the plugin's answers and suits every language. That it is current:
 * test/docs/from-declarations.test.ts.
 */
import { z } from "zod";
import { CHANNEL_TYPES } from "../../src/client/types";
import { LIFECYCLES, SETTINGS } from "../../src/names";
import type { Properties } from "../../src/provider/boundary";
import { DOMAIN, slackChannel, webhookChannel } from "../provider/support/channels";
import { usePlugin } from "./support/plugin-process";

interface Property {
  type?: string;
  secret?: boolean;
  description?: string;
  defaultInfo?: { environment: string[] };
  language?: { csharp?: { name: string } };
}

interface ObjectType {
  properties: Record<string, Property>;
  required?: string[];
  enum?: { name: string; value: string }[];
}

interface Resource extends ObjectType {
  inputProperties: Record<string, Property>;
  stateInputs: ObjectType;
}

interface Schema {
  config: { variables: Record<string, Property> };
  provider: { inputProperties: Record<string, Property>; requiredInputs?: string[] };
  resources: Record<string, Resource>;
  types: Record<string, ObjectType>;
  functions: Record<string, { inputs: ObjectType; outputs: ObjectType }>;
}

const schema: Schema = require("../../src/plugin/schema.json");

const EXAMPLES: Record<string, { resource?: string; args: Properties }> =
  require("../../scripts/plugin-schema/examples.cjs").EXAMPLES;

/** So that the rule of the example does not fail, and reads everything. */
const MORE_ARGUMENTS: Record<string, Properties> = {
  requireDomainExpiry: { certificateDays: 1, mode: "warn", onUnknown: "warn" },
};

function resource(name: string) {
  const found = schema.resources[`domain-monitoring:index:${name}`];
  if (!found) throw new Error(`the schema has no ${name}`);
  return found;
}

const channel = () => resource("NotificationChannel");

/**
 * A type as strict JSON Schema: undescribed properties are refused, and enums become their values.
 */
function jsonSchema({ properties, required }: ObjectType): Parameters<typeof z.fromJSONSchema>[0] {
  const text = JSON.stringify({ properties, required, $defs: schema.types });

  return JSON.parse(text.replaceAll("#/types/", "#/$defs/"), (_key, found) => {
    if (found.properties) return { ...found, type: "object", additionalProperties: false };
    if (found.enum) return { enum: found.enum.map((one: { value: string }) => one.value) };
    return found;
  });
}

/** Expects a value to match the schema; null stands for a missing value. */
function expectFitting(value: object, type: ObjectType | undefined): void {
  if (!type) throw new Error("the schema has no such type");
  const present = JSON.parse(JSON.stringify(value), (_key, part) => part ?? undefined);
  expect(z.fromJSONSchema(jsonSchema(type)).safeParse(present).error).toBeUndefined();
}

describe("the schema", () => {
  it.each(["NotificationChannel", "Domain"])("has every output of a %s as state", (name) => {
    const { stateInputs, properties } = resource(name);

    // Without these, some languages have no outputs for a resource obtained with `get`.
    expect(Object.keys(stateInputs.properties)).toEqual(Object.keys(properties));
  });

  it("has the destination of a channel as a secret wherever it is", () => {
    const { inputProperties, properties, stateInputs } = channel();
    for (const bag of [inputProperties, properties, stateInputs.properties]) {
      const secrets = Object.keys(bag).filter((name) => bag[name]?.secret);
      expect(secrets).toEqual(["value", "secondaryValue"]);
    }
  });

  it.each([
    ["ChannelType", "type", CHANNEL_TYPES],
    ["Lifecycle", "lifecycle", LIFECYCLES],
  ])("has every %s with a name in an enum, which %s uses", (type, property, values) => {
    const known = schema.types[`domain-monitoring:index:${type}`]?.enum ?? [];
    expect(known.map(({ value }) => value)).toEqual([...values]);

    for (const { name } of known) expect(name).toMatch(/^[A-Z][A-Za-z]+$/);
    const { inputProperties, properties, stateInputs } = channel();
    const reference = { $ref: `#/types/domain-monitoring:index:${type}` };
    for (const bag of [properties, stateInputs.properties])
      expect(bag[property]).toMatchObject(reference);

    // With the enum alone, `pulumi import` ends with "fatal: A failure has occurred: unexpected
    // schema type" instead of code, where nothing is known of the channel.
    const input = property === "type" ? { oneOf: [{ type: "string" }, reference] } : reference;
    expect(inputProperties[property]).toMatchObject(input);
  });

  it("has no class in C# with a member of its own name, which that language alone refuses (CS0542)", () => {
    const member = ([name, { language }]: [string, Property]) =>
      language?.csharp?.name ?? `${name[0]?.toUpperCase()}${name.slice(1)}`;

    const types = Object.entries({ ...schema.resources, ...schema.types });
    const classes = types.map(([token, { properties = {}, enum: values = [] }]) => ({
      name: token.split(":")[2],
      members: [...Object.entries(properties).map(member), ...values.map(({ name }) => name)],
    }));

    expect(classes.map(({ name }) => name)).toContain("Domain");
    expect(classes.filter(({ name = "", members }) => members.includes(name))).toEqual([]);
  });

  it("has the token as the only secret setting, and requires none", () => {
    for (const settings of [schema.config.variables, schema.provider.inputProperties])
      expect(Object.keys(settings).filter((name) => settings[name]?.secret)).toEqual(["apiToken"]);

    // Missing settings may come from the environment.
    expect(schema.provider.requiredInputs).toBeUndefined();
  });

  it("asks for one version of Pulumi's SDK at least, in both languages that would differ", () => {
    const { language } = require("../../src/plugin/schema.json");
    const minimum = "3.231.0";
    expect(language.nodejs.dependencies).toEqual({ "@pulumi/pulumi": `^${minimum}` });
    expect(language.python.requires).toEqual({ pulumi: `>=${minimum},<4.0.0` });
  });

  it("names environment variables for stack config, and none for an explicit provider", () => {
    const named = (settings: Record<string, Property>) =>
      Object.entries(settings).flatMap(([name, { defaultInfo }]) =>
        defaultInfo ? [[name, ...defaultInfo.environment]] : [],
      );
    const variables = Object.entries(SETTINGS).map(([name, { variable }]) => [name, variable]);
    expect(named(schema.config.variables).sort()).toEqual(variables.sort());
    // An explicit provider would otherwise send the environment's token to another account's base
    // address.
    expect(named(schema.provider.inputProperties)).toEqual([]);
  });

  it("describes the options of `pulumi do` without backticks", () => {
    const functions = Object.values(schema.functions).map(({ inputs }) => inputs.properties);
    const bags = [channel().inputProperties, schema.provider.inputProperties, ...functions];
    const typed = bags.flatMap((bag) =>
      Object.values(bag).filter(({ type }) => type !== undefined),
    );
    const texts = typed.map(({ description = "" }) => description);
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.filter((text) => text.includes("`"))).toEqual([]);
    expect(JSON.stringify(schema)).not.toContain('"description":"`');
  });
});

describe("responses of the plugin", () => {
  const { emulator, plugin } = usePlugin({ lifecycle: "managed" });

  it("fit the schema for a channel, with and without its optional inputs", async () => {
    for (const given of [slackChannel, webhookChannel, { ...slackChannel, value: null }]) {
      const { properties } = await plugin.create(given);
      const opened = Object.entries(properties).map(([name, part]) => [name, given[name] ?? part]);
      expectFitting(Object.fromEntries(opened), channel());
    }
  });

  it("fit the schema, even before a domain's first check", async () => {
    const unchecked = emulator.addDomain({ checked: false });
    emulator.addChannel(unchecked, { isDisabled: true, disabledReason: "Bounced" });
    for (const id of [DOMAIN, unchecked]) {
      for (const [name, example] of Object.entries(EXAMPLES)) {
        if (example.resource !== undefined) continue;
        const given = { ...example.args, ...MORE_ARGUMENTS[name] };
        const asked = Object.keys(given).filter((key) => key === "id" || key === "domainId");
        const args = { ...given, ...Object.fromEntries(asked.map((key) => [key, id])) };
        const called = schema.functions[`domain-monitoring:index:${name}`];
        expectFitting(args, called?.inputs);
        expectFitting(await plugin.invoke(name, args), called?.outputs);
      }
    }
  });
});
