"use strict";
// Writes src/plugin/schema.json: what the plugin offers to every Pulumi language, from the declarations in src/ and their
// comments, so that types, documentation and schema have one source.
//
//     npm run generate -- schema
const fs = require("node:fs");
const path = require("node:path");
const ts = require("typescript");
const manifest = require("../package.json");
const { identityOf } = require("./owner.cjs");
const { programOf, root } = require("./sources.cjs");
const { withExample } = require("./plugin-schema/examples.cjs");
const { FORMATS, languages, NAMES, TEXTS } = require("./plugin-schema/words.cjs");

const target = path.join(root, "src/plugin/schema.json");

const token = (name) => `domain-monitoring:index:${name}`;

/** TypeScript has one type for all numbers; these are whole ones. */
const WHOLE = new Set([
  ...["page", "perPage", "limit", "total", "ttl", "priority", "minimumDays"],
  ...["maxRetries", "concurrency"],
]);

/** Properties whose values are few and fixed, and the type that has them in other languages. */
const ENUMS = {
  type: "ChannelType",
  lifecycle: "Lifecycle",
  ...{ onOrphan: "Reaction", mode: "Reaction", onUnknown: "Reaction" },
};

/** Inputs that are not sent to the service, whose change replaces nothing. */
const OWN = ["lifecycle", "onOrphan"];

/** An input of the npm package alone: the option `import` does the same. */
const NOT_HERE = "adopt";

/** Secrets by the end of the declaration's name: a DNS record has a `value`, too. */
const SECRET = /^(?:.*Channel(?:Args|State)?\.(?:value|secondaryValue)|ProviderArgs\.apiToken)$/;

/** Functions by name: their arguments and their results, each as file and declaration. */
const FUNCTIONS = {
  getDomain: ["functions/get-domain#GetDomainArgs", "functions/get-domain#DomainResult"],
  getWhoisChanges: ["functions/changes#GetChangesArgs", "plugin/functions#WhoisChanges"],
  getDnsChanges: ["functions/changes#GetChangesArgs", "plugin/functions#DnsChanges"],
  requireDomainExpiry: [
    "functions/require-domain-expiry#RequireDomainExpiryArgs",
    "rules/expiry#DomainExpiry",
  ],
  getDomains: ["functions/get-domains#GetDomainsArgs", "functions/get-domains#GetDomainsResult"],
  getNotificationChannels: [
    "functions/get-notification-channels#GetNotificationChannelsArgs",
    "functions/get-notification-channels#GetNotificationChannelsResult",
  ],
};

/** Where they are documented. */
const DOCUMENTED = "program/functions";

const CHANNEL = "program/notification-channel";
const FILES = [
  CHANNEL,
  "program/provider",
  DOCUMENTED,
  ...Object.values(FUNCTIONS)
    .flat()
    .map((at) => at.split("#")[0]),
];

function createReader() {
  const file = (name) => path.join(root, "src", `${name}.ts`);
  const program = programOf(FILES.map(file));
  const checker = program.getTypeChecker();
  const symbolAt = (where) => {
    const [name, declaration] = where.split("#");
    const exported = checker.getExportsOfModule(
      checker.getSymbolAtLocation(program.getSourceFile(file(name))),
    );
    return exported.find((symbol) => symbol.name === declaration);
  };
  return { checker, symbolAt };
}

/** The whole schema, in the order in which it is written. */
function schema() {
  const { checker, symbolAt } = createReader();
  const types = {};

  /** Properties of a declaration by name, with those that always have a value. */
  function object(where, only = () => true) {
    const symbol = symbolAt(where);
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    if (!type.isUnion()) return ofType(type, symbol.declarations[0], { only, of: symbol.name });
    return anyOf(
      type.types.map((each) => ofType(each, symbol.declarations[0], { only, of: each.symbol.name })),
    );
  }

  /** What no language but TypeScript has: one of several objects. Required is what all of them require. */
  function anyOf(members) {
    return {
      properties: Object.assign({}, ...members.map(({ properties }) => properties)),
      required: members[0].required.filter((name) =>
        members.every(({ required }) => required.includes(name)),
      ),
    };
  }

  function ofType(type, location, { only, of }) {
    const properties = {};
    const required = [];
    for (const symbol of checker.getPropertiesOfType(type)) {
      const declaration = symbol.declarations[0];
      if (!only(symbol, declaration)) continue;
      const own = unwrapped(checker, symbol, declaration, location);
      // Of one of several objects: what only another one has.
      if (isNothing(own)) continue;
      properties[symbol.name] = {
        ...shape(own, symbol.name),
        ...(SECRET.test(`${of}.${symbol.name}`) ? { secret: true } : {}),
        ...described(symbol, of),
      };
      if (!(symbol.flags & ts.SymbolFlags.Optional) && !mayBeNull(own)) required.push(symbol.name);
    }
    return { properties, required };
  }

  /** A type as the schema names it. */
  function shape(type, name) {
    const parts = (type.isUnion() ? type.types : [type]).filter((part) => !isNothing(part));
    const all = (flag) => parts.every((part) => part.flags & flag);
    if (ENUMS[name] && parts.every((part) => part.isStringLiteral())) {
      types[token(ENUMS[name])] ??= enumeration(ENUMS[name], parts);
      return { $ref: `#/types/${token(ENUMS[name])}` };
    }
    if (all(ts.TypeFlags.BooleanLike)) return { type: "boolean" };
    if (all(ts.TypeFlags.NumberLike)) return { type: WHOLE.has(name) ? "integer" : "number" };
    // Of an open list of values, the rest is an intersection with a text.
    if (all(ts.TypeFlags.StringLike | ts.TypeFlags.Intersection)) return { type: "string" };
    const [only, ...others] = parts;
    if (others.length > 0) throw new Error(`${name} has no type that every language can hold`);
    if (checker.isArrayType(only)) {
      const [item] = checker.getTypeArguments(only);
      return { type: "array", items: shape(item, name) };
    }
    return reference(only);
  }

  function reference(type) {
    const { name, declarations } = type.symbol;
    const options = { only: () => true, of: name };
    types[token(name)] ??= {
      ...described(type.symbol),
      type: "object",
      ...ofType(type, declarations[0], options),
    };
    return { $ref: `#/types/${token(name)}` };
  }

  function described(symbol, of) {
    const text = TEXTS[`${of}.${symbol.name}`] ?? cleaned(documentation(checker, symbol));
    if (!text) throw new Error(`${of ?? ""} ${symbol.name} has no description`);
    const isExperimental = of === "Function" && hasTag(checker, symbol, "experimental");
    return { description: isExperimental ? `${text} ${TEXTS.Experimental}` : text };
  }

  const identity = identityOf(manifest);
  const names = { name: "domain-monitoring", language: languages(identity) };
  const exemplified = (name, ...where) => ({
    description: withExample(described(...where).description, name, names),
  });

  const channel = symbolAt(`${CHANNEL}#NotificationChannel`);
  const isOutput = (_symbol, declaration) =>
    ts.isPropertyDeclaration(declaration) && declaration.type?.getText().startsWith("pulumi.Output<");
  const outputs = object(
    `${CHANNEL}#NotificationChannel`,
    (symbol, declaration) => !["id", "urn"].includes(symbol.name) && isOutput(symbol, declaration),
  );
  // After the outputs: the arguments of one member of the union have no `type` but their own.
  const inputs = object(`${CHANNEL}#WebhookChannelArgs`, ({ name }) => name !== NOT_HERE);
  const state = object(`${CHANNEL}#NotificationChannelState`);
  // The default is not recorded.
  outputs.required = outputs.required.filter((name) => name !== "lifecycle");
  const settings = object("program/provider#ProviderArgs");
  inputs.properties = inOrderOf(outputs.properties, inputs.properties);
  const defaults = {
    whoisNotificationsEnabled: true,
    dnsNotificationsEnabled: true,
    sslNotificationsEnabled: true,
  };
  for (const [name, property] of Object.entries(inputs.properties)) {
    if (!OWN.includes(name)) property.willReplaceOnChanges = true;
    if (name in defaults) property.default = defaults[name];
  }
  inputs.properties.onOrphan.default = "warn";
  inputs.properties.lifecycle.description += ` ${TEXTS.Experimental}`;

  const functions = Object.fromEntries(
    Object.entries(FUNCTIONS).map(([name, [args, result]]) => [
      token(name),
      {
        ...exemplified(name, symbolAt(`${DOCUMENTED}#${name}`), "Function"),
        inputs: { type: "object", ...object(args) },
        outputs: { ...described(symbolAt(result)), type: "object", ...object(result) },
      },
    ]),
  );

  return {
    name: names.name,
    displayName: "Domain Monitoring",
    version: manifest.version,
    description: TEXTS.Package,
    keywords: [
      "category/monitoring",
      "kind/native",
      ...manifest.keywords.filter((word) => word !== "pulumi"),
    ],
    homepage: identity.homepage,
    license: manifest.license,
    repository: identity.repository,
    publisher: identity.publisher,
    logoUrl: identity.logoUrl,
    pluginDownloadURL: identity.pluginDownloadURL,
    meta: { moduleFormat: "(.*)" },
    language: names.language,
    config: {
      variables: { ...settings.properties, abandon: { type: "string", description: TEXTS.abandon } },
    },
    provider: {
      description: TEXTS.Provider,
      inputProperties: settings.properties,
      requiredInputs: settings.required,
    },
    resources: {
      [token("NotificationChannel")]: {
        ...exemplified("NotificationChannel", channel),
        ...outputs,
        inputProperties: inputs.properties,
        requiredInputs: inputs.required,
        // All of them, as some languages have no other properties of what they only refer to.
        stateInputs: { description: TEXTS.State, properties: { ...outputs.properties, ...state.properties } },
        aliases: [{ type: "pulumi-nodejs:dynamic/domain-monitoring:NotificationChannel" }],
      },
    },
    types: Object.fromEntries(Object.entries(types).sort(([a], [b]) => (a < b ? -1 : 1))),
    functions,
  };
}

/** The type inside `pulumi.Input<…>` and `pulumi.Output<…>`, without undefined. */
function unwrapped(checker, symbol, declaration, location) {
  const node = declaration.type;
  const isWrapped =
    node && ts.isTypeReferenceNode(node) && /^pulumi\.(Input|Output)$/.test(node.typeName.getText());
  if (isWrapped) return checker.getTypeFromTypeNode(node.typeArguments[0]);
  return checker.getTypeOfSymbolAtLocation(symbol, location);
}

function isNothing(type) {
  return Boolean(type.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined));
}

function mayBeNull(type) {
  return type.isUnion() && type.types.some((part) => part.flags & ts.TypeFlags.Null);
}

function enumeration(name, parts) {
  const values = parts.map(({ value }) => ({
    name: NAMES[value] ?? value[0].toUpperCase() + value.slice(1),
    value,
    ...(TEXTS[`${name}.${value}`] ? { description: TEXTS[`${name}.${value}`] } : {}),
  }));
  return { description: TEXTS[name], type: "string", enum: values };
}

/** What a user always gives comes first, as in the outputs; the rest follows. */
function inOrderOf(model, properties) {
  const names = [
    ...new Set([...Object.keys(model).filter((name) => name in properties), ...Object.keys(properties)]),
  ];
  return Object.fromEntries(names.map((name) => [name, properties[name]]));
}

function hasTag(checker, symbol, tag) {
  return symbol.getJsDocTags(checker).some(({ name }) => name === tag);
}

function documentation(checker, symbol) {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  const byDefault = symbol.getJsDocTags(checker).find(({ name }) => name === "default");
  const said = byDefault && ts.displayPartsToString(byDefault.text);
  return [text, said && `Default: ${said}.`].filter(Boolean).join(" ");
}

/** For readers who have neither this repository nor TypeScript. */
function cleaned(text) {
  return text
    .replace(/ ?\(interface\.md, sections? [^)]*\)/g, "")
    .replace(/`(DATE|SQL-TS|ISO-UTC)`/g, (_all, name) => `\`${FORMATS[name]}\``)
    .replace(/\{@link (\S+?)\}/g, "`$1`")
    .replace(/\s+/g, " ")
    .trim();
}

const text = () => `${JSON.stringify(schema(), null, 2)}\n`;

if (require.main === module) fs.writeFileSync(target, text());

module.exports = { text, target };
