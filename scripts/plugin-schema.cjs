"use strict";
// Writes src/plugin/schema.json. Types and descriptions come from the declarations in src/, the
// inputs of resources from the core's tables, names and version from package.json, the programs from
// plugin-schema/examples.json. What none of these has is in plugin-schema/by-hand.json.
//
//     npm run generate -- schema
const fs = require("node:fs");
const path = require("node:path");
const manifest = require("../package.json");
const { identityOf } = require("./release/owner.cjs");
const { EXAMPLES, OVERVIEW, program, withExample } = require("./plugin-schema/examples.cjs");
const { Declarations, pascal } = require("./plugin-schema/declarations.cjs");
const hand = require("./plugin-schema/by-hand.json");

const target = path.join(__dirname, "../src/plugin/schema.json");

const token = (name) => `${hand.name}:index:${name}`;
const mapped = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));

/** The first lines: what package.json says of version and owner, and what languages need. */
function head() {
  const { homepage, repository, publisher, logoUrl, pluginDownloadURL, ...packages } =
    identityOf(manifest);
  const { version, license, keywords } = manifest;
  const { csharp, go, java, nodejs, python } = hand.language;
  return {
    name: hand.name,
    displayName: hand.displayName,
    version,
    description: hand.description,
    keywords: [...hand.kinds, ...keywords.filter((word) => word !== "pulumi")],
    homepage,
    license,
    repository,
    publisher,
    logoUrl,
    pluginDownloadURL,
    meta: hand.meta,
    language: {
      csharp: { rootNamespace: packages.rootNamespace, ...csharp },
      go: { importBasePath: `${packages.goModule}/domainmonitoring`, ...go },
      java: { basePackage: packages.basePackage, ...java },
      nodejs,
      python,
    },
  };
}

/**
 * The README of a generated SDK, where the schema can give one. The other languages show the
 * description.
 */
function readme(language, title, schema) {
  const page = (name) => `${schema.homepage}/blob/main/docs/${name}.md`;
  return [
    `# Domain Monitoring for Pulumi, in ${title}`,
    schema.description,
    `\`\`\`${language}\n${program(language, OVERVIEW, schema)}\`\`\``,
    "This package calls the provider plugin `domain-monitoring`, which needs Node on `PATH`.",
    `- [Install the plugin, and set the token](${page("installation-configuration")})`,
    `- [What each language offers](${page("languages")})`,
    `- [Messages, with their causes](${page("troubleshooting")})`,
  ].join("\n\n");
}

/** Stack config, and the arguments of an explicit provider. */
function settings(declarations) {
  const { SETTINGS, DEFAULTS } = require("../dist/names");
  const { properties } = declarations.object("ExplicitSettings", { isInput: true });
  const own = mapped(properties, ({ description, ...property }, name) => ({
    ...property,
    ...(name === "apiToken" ? { secret: true } : {}),
    description: name in DEFAULTS ? `${description} Default: ${DEFAULTS[name]}.` : description,
  }));
  const fromEnvironment = mapped(own, (property, name) => ({
    ...property,
    defaultInfo: { environment: [SETTINGS[name].variable] },
  }));
  return {
    config: { variables: { ...fromEnvironment, ...hand.config } },
    provider: { description: hand.provider, inputProperties: { ...own, ...hand.arguments } },
  };
}

/**
 * A resource: its class, the type of its arguments, the inputs and outputs of the core, the inputs
 * that replace it, and the table of its fields.
 */
function resource(declarations, { name, args, inputs, outputs, replacing, table }) {
  const own = hand.resources[name];
  const known = inputs.filter((input) => !hand.absent.includes(input));
  const taken = declarations.object(args, { isInput: true, wanted: known });
  const given = declarations.object(name, { wanted: outputs });
  const secret = (of) => (table[of]?.isSecret ? { secret: true } : {});
  const output = (property, of) => ({ ...property, ...secret(of), ...own.outputs[of] });
  const properties = mapped(given.properties, output);
  return {
    description: own.description,
    properties,
    required: given.required.filter((of) => !own.optional.includes(of)),
    inputProperties: mapped(taken.properties, ({ $ref, ...property }, of) => ({
      ...(own.oneOf.includes(of) ? { oneOf: [{ type: "string" }, { $ref }] } : { $ref }),
      ...property,
      ...secret(of),
      ...(replacing.includes(of) ? { willReplaceOnChanges: true } : {}),
      ...(typeof table[of]?.default === "boolean" ? { default: table[of].default } : {}),
      ...own.inputs[of],
    })),
    requiredInputs: taken.required,
    stateInputs: {
      description: own.state,
      properties: mapped(properties, (property, of) => ({ ...property, ...own.states[of] })),
    },
    aliases: [{ type: `pulumi-nodejs:dynamic/${hand.name}:${name}` }],
  };
}

function resources(declarations) {
  const channel = require("../dist/provider/record");
  const { INPUTS } = require("../dist/provider/domain/record");
  const { CHANNEL, DOMAIN } = require("../dist/client/fields");
  const { FACTS } = require("../dist/names");
  const made = [
    {
      name: "NotificationChannel",
      args: "CommonChannelArgs",
      inputs: channel.INPUTS,
      outputs: [...channel.SERVICE_INPUTS, ...FACTS, "lifecycle"],
      replacing: channel.SERVICE_INPUTS,
      table: CHANNEL,
    },
    {
      name: "Domain",
      args: "DomainArgs",
      inputs: INPUTS,
      outputs: [...INPUTS, "domainId", "createdAt"],
      replacing: ["domain"],
      table: DOMAIN,
    },
  ];
  return Object.fromEntries(made.map((one) => [token(one.name), resource(declarations, one)]));
}

/** The functions, in the order of the examples. */
function functions(declarations) {
  const called = Object.keys(EXAMPLES).filter((name) => !EXAMPLES[name].resource);
  return Object.fromEntries(
    called.map((name) => {
      const { args, result } = declarations.functionTypes(name);
      return [
        token(name),
        {
          description: declarations.description(name),
          inputs: { type: "object", ...declarations.object(args, { isInput: true }) },
          outputs: {
            description: declarations.description(`${name} result`, result),
            type: "object",
            ...declarations.object(result),
          },
        },
      ];
    }),
  );
}

/** The types that properties refer to. */
function types(declarations) {
  const enums = mapped(hand.enums, ({ description, values }) => ({
    description,
    type: "string",
    enum: Object.entries(values).map(([value, meaning]) => ({
      name: pascal(value),
      value,
      description: meaning,
    })),
  }));
  const found = { ...declarations.referredTo(), ...enums };
  const sorted = Object.keys(found).sort();
  return Object.fromEntries(sorted.map((name) => [token(name), found[name]]));
}

/** The schema as it has to be. */
function text() {
  const declarations = new Declarations(hand, token);
  const schema = {
    ...head(),
    ...settings(declarations),
    resources: resources(declarations),
    types: {},
    functions: functions(declarations),
  };
  schema.types = types(declarations);
  declarations.refuseUnused();
  for (const [key, described] of Object.entries({ ...schema.resources, ...schema.functions }))
    described.description = withExample(described.description, key.split(":")[2], schema);
  schema.language.nodejs.readme = readme("typescript", "TypeScript", schema);
  schema.language.python.readme = readme("python", "Python", schema);
  return `${JSON.stringify(schema, null, 2)}\n`;
}

if (require.main === module) fs.writeFileSync(target, text());

module.exports = { text, target };
