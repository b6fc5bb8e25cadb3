/**
 * The schema is written by hand. It has to agree with the declarations, the core's inputs and the
 * plugin's answers.
 */
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Emulator } from "../../packages/domain-monitoring-emulator/src";
import { CHANNEL_TYPES } from "../../src/client/types";
import { LIFECYCLES, SETTINGS } from "../../src/names";
import type { Properties } from "../../src/provider/boundary";
import { INPUTS as DOMAIN_INPUTS } from "../../src/provider/domain/record";
import { INPUTS, SERVICE_INPUTS } from "../../src/provider/record";
import { DOMAIN, slackChannel, webhookChannel } from "../provider/support/channels";
import { anyOf, type Declared, declared } from "./support/declared";
import { type PluginProcess, usePlugin } from "./support/plugin-process";

interface Property {
  type?: string;
  $ref?: string;
  oneOf?: Property[];
  items?: Property;
  secret?: boolean;
  default?: unknown;
  description?: string;
  defaultInfo?: { environment: string[] };
  willReplaceOnChanges?: boolean;
  language?: { csharp?: { name: string } };
}

interface ObjectType {
  properties: Record<string, Property>;
  required?: string[];
  enum?: { name: string; value: string }[];
}

interface Schema {
  config: { variables: Record<string, Property> };
  provider: { inputProperties: Record<string, Property>; requiredInputs?: string[] };
  resources: Record<
    string,
    ObjectType & {
      inputProperties: Record<string, Property>;
      requiredInputs: string[];
      stateInputs: ObjectType;
      aliases: { type: string }[];
    }
  >;
  types: Record<string, ObjectType>;
  functions: Record<string, { inputs: ObjectType; outputs: ObjectType }>;
}

const schema: Schema = require("../../src/plugin/schema.json");

function resource(name: string) {
  const found = schema.resources[`domain-monitoring:index:${name}`];
  if (!found) throw new Error(`the schema has no ${name}`);

  return found;
}

const channel = () => resource("NotificationChannel");

/** A property or an object in the notation of the declarations. */
function asDeclared(property: Property | undefined): Declared {
  const { $ref, oneOf, type, items } = property ?? {};
  const [, open] = oneOf ?? [];
  if (open) return asDeclared(open);
  if (items) return [asDeclared(items)];

  const named = schema.types[$ref?.replace("#/types/", "") ?? ""];
  if (named?.enum) return anyOf(named.enum.map(({ value }) => value));

  return named ? objectAsDeclared(named) : type === "integer" ? "number" : (type ?? "nothing");
}

function objectAsDeclared({ properties, required = [] }: ObjectType): Declared {
  const entries = Object.entries(properties).map(([name, property]) => [
    required.includes(name) ? name : `${name}?`,
    asDeclared(property),
  ]);

  return Object.fromEntries(entries);
}

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
  it("is filled in; if not, run `npm run generate -- schema`", () => {
    const {
      target,
      text,
    }: { text(): string; target: string } = require("../../scripts/plugin-schema.cjs");

    expect(readFileSync(target, "utf8")).toBe(text());
  });

  it("has exactly the declared functions, settings and states", () => {
    const functions = Object.entries(schema.functions).flatMap(([token, { inputs, outputs }]) => {
      const name = token.replace("domain-monitoring:index:", "");
      return [
        [`${name}, arguments`, objectAsDeclared(inputs)],
        [`${name}, result`, objectAsDeclared(outputs)],
      ];
    });

    const { properties, required } = channel();
    const { lifecycle, ...outputs } = properties;
    const {
      lifecycle: _ofChannels,
      abandon: _ofDeletes,
      movedFrom: _ofRecords,
      ...settings
    } = schema.provider.inputProperties;
    // The default lifecycle is not recorded.
    const recorded = objectAsDeclared({ properties: outputs, required });

    const wanted = declared({
      "getDomain, arguments": "functions/domains#GetDomainArgs",
      "getDomain, result": "functions/domains#DomainResult",
      "getWhoisChanges, arguments": "functions/changes#GetChangesArgs",
      "getWhoisChanges, result": "plugin/functions#WhoisChanges",
      "getDnsChanges, arguments": "functions/changes#GetChangesArgs",
      "getDnsChanges, result": "plugin/functions#DnsChanges",
      "requireDomainExpiry, arguments": "functions/require-domain-expiry#RequireDomainExpiryArgs",
      "requireDomainExpiry, result": "functions/require-domain-expiry#RequireDomainExpiryResult",
      "getDomains, arguments": "functions/domains#GetDomainsArgs",
      "getDomains, result": "functions/domains#GetDomainsResult",
      "getNotificationChannels, arguments":
        "functions/get-notification-channels#GetNotificationChannelsArgs",
      "getNotificationChannels, result":
        "functions/get-notification-channels#GetNotificationChannelsResult",
      channel: "program/notification-channel#NotificationChannel",
      domain: "program/domain#Domain",
      settings: "config#ExplicitSettings",
    });

    // The service may know more types; a generated SDK takes the result as the input.
    const { channels } = wanted["getNotificationChannels, result"] as { channels: [object] };
    Object.assign(channels[0], { type: asDeclared(properties.type) });

    expect({
      ...Object.fromEntries(functions),
      channel: { ...(recorded as object), lifecycle: asDeclared(lifecycle) },
      domain: objectAsDeclared(resource("Domain")),
      settings: objectAsDeclared({ properties: settings }),
    }).toEqual(wanted);
  });

  it.each([
    ["NotificationChannel", INPUTS, [...SERVICE_INPUTS], ["domainId", "label", "type"]],
    ["Domain", DOMAIN_INPUTS, ["domain"], ["domain"]],
  ])(
    "has for a %s the inputs of the core, and says which are required and which replace it",
    (name, inputs, replacing, required) => {
      const { inputProperties, requiredInputs, stateInputs, properties, aliases } = resource(name);
      // The option `import` replaces adopt, and only this package's own programs set the others.
      const absent = ["adopt", "secretLabel", "resourceName"];
      const names = inputs.filter((input) => !absent.includes(input));

      expect(Object.keys(inputProperties)).toEqual(names);
      expect(names.filter((input) => inputProperties[input]?.willReplaceOnChanges)).toEqual(
        replacing,
      );

      expect([...requiredInputs].sort()).toEqual(required);
      expect(aliases).toEqual([{ type: `pulumi-nodejs:dynamic/domain-monitoring:${name}` }]);
      // Without these, some languages have no outputs for a resource obtained with `get`.
      expect(Object.keys(stateInputs.properties)).toEqual(Object.keys(properties));
    },
  );

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

    const classes = Object.entries({ ...schema.resources, ...schema.types }).map(
      ([token, type]) => {
        const values = (type.enum ?? []).map(({ name }) => name);
        return {
          name: token.split(":")[2],
          members: Object.entries(type.properties ?? {})
            .map(member)
            .concat(values),
        };
      },
    );

    expect(classes.map(({ name }) => name)).toContain("Domain");
    expect(classes.filter(({ name = "", members }) => members.includes(name))).toEqual([]);
  });

  it("has every setting, with the token as the only secret", () => {
    for (const settings of [schema.config.variables, schema.provider.inputProperties]) {
      const names = Object.keys(settings).filter(
        (name) => !["abandon", "movedFrom"].includes(name),
      );

      expect(names.sort()).toEqual([...Object.keys(SETTINGS), "lifecycle"].sort());

      expect(Object.keys(settings).filter((name) => settings[name]?.secret)).toEqual(["apiToken"]);
      expect(settings.lifecycle?.$ref).toBe("#/types/domain-monitoring:index:Lifecycle");
    }

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
    const typed = bags
      .flatMap((bag) => Object.values(bag))
      .filter(({ type }) => type !== undefined);

    const texts = typed.map(({ description = "" }) => description);

    expect(texts.length).toBeGreaterThan(20);
    expect(texts.filter((text) => text.includes("`"))).toEqual([]);
    expect(JSON.stringify(schema)).not.toContain('"description":"`');
  });
});

describe("responses of the plugin", () => {
  let emulator: Emulator;
  let plugin: PluginProcess;

  usePlugin({ lifecycle: "managed" }, (started) => {
    ({ emulator, plugin } = started);
  });

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
      const calls: Record<string, Properties> = {
        getDomain: { id },
        requireDomainExpiry: {
          id,
          minimumDays: 1,
          certificateDays: 1,
          mode: "warn",
          onUnknown: "warn",
        },
        getWhoisChanges: { domainId: id },
        getDnsChanges: { domainId: id },
        getDomains: { limit: 100 },
        getNotificationChannels: { domainId: id },
      };

      expect(Object.keys(schema.functions).sort()).toEqual(
        Object.keys(calls)
          .map((name) => `domain-monitoring:index:${name}`)
          .sort(),
      );

      for (const [name, args] of Object.entries(calls)) {
        const called = schema.functions[`domain-monitoring:index:${name}`];
        expectFitting(args, called?.inputs);
        expectFitting(await plugin.invoke(name, args), called?.outputs);
      }
    }
  });
});
