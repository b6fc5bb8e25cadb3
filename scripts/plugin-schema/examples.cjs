"use strict";
// The samples of the schema, and the registry's pages: each is said once, and written in every language.

const DOMAIN_ID = "11111111-1111-4111-8111-111111111111";

/**
 * By resource or function: what it is, the name of the variable, the arguments, and the property that is exported. A value is a
 * text, a whole number, `{ type, name, value }` of an enum, or `{ secret }`, a key of the stack's configuration.
 */
const EXAMPLES = {
  NotificationChannel: {
    title: "A channel of Slack",
    variable: "onCall",
    resource: "on-call",
    args: {
      domainId: DOMAIN_ID,
      label: "On-call",
      type: { type: "ChannelType", name: "Slack", value: "slack" },
      value: { secret: "slackUrl" },
    },
    shown: "channelId",
  },
  Domain: {
    title: "A domain to monitor",
    variable: "shop",
    resource: "shop",
    args: { domain: "shop.example", label: "Shop" },
    shown: "domainId",
  },
  getDomain: {
    title: "The day on which a registration ends",
    variable: "domain",
    args: { id: DOMAIN_ID },
    shown: "expiresAt",
  },
  getWhoisChanges: {
    title: "The latest changes of registration data",
    variable: "whois",
    args: { domainId: DOMAIN_ID, limit: 5 },
    shown: "changes",
  },
  getDnsChanges: {
    title: "The latest changes of DNS records",
    variable: "dns",
    args: { domainId: DOMAIN_ID, limit: 5 },
    shown: "changes",
  },
  requireDomainExpiry: {
    title: "A registration that has to last 30 days",
    variable: "expiry",
    args: { id: DOMAIN_ID, minimumDays: 30 },
    shown: "actBy",
  },
  getDomains: {
    title: "Every domain of the account",
    variable: "account",
    args: { limit: 100 },
    shown: "domains",
  },
  getNotificationChannels: {
    title: "The channels that a domain has",
    variable: "existing",
    args: { domainId: DOMAIN_ID },
    shown: "channels",
  },
  requireReviewedChanges: {
    title: "Changes of the registration that somebody has to review",
    variable: "review",
    args: { id: DOMAIN_ID, since: "2026-01-01" },
    shown: "message",
  },
};

const pascal = (name) => name[0].toUpperCase() + name.slice(1);
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const quoted = (value) => JSON.stringify(value);
const indented = (lines, by) => lines.map((line) => (line === "" ? "" : by + line));
const exported = ({ variable, shown }) => variable + pascal(shown);

/** A value by the way a language writes texts, numbers, enums and secrets. */
function literal(value, { text = quoted, number = String, constant, secret }) {
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return number(value);
  return value.secret ? secret(quoted(value.secret)) : constant(value);
}

/*
 * A language is how it writes the values of `literal`; `open` and `close`, the lines around the arguments of a resource or function;
 * `argument`, one of them; `show`, an output of the stack; and `program`, the whole of `config`, whether there is a secret, of what is
 * `declared` and what is `shown`, as lines. `language` is that of the schema, and `name` its name.
 */

const typescript = ({ language }) => ({
  constant: ({ type, name }) => `monitoring.${type}.${name}`,
  secret: (key) => `config.requireSecret(${key})`,
  open: ({ token, variable, resource }) => [
    resource
      ? `const ${variable} = new monitoring.${token}("${resource}", {`
      : `const ${variable} = monitoring.${token}Output({`,
  ],
  argument: (name, value) => `    ${name}: ${value},`,
  close: () => ["});"],
  show: (one) => `export const ${exported(one)} = ${one.variable}.${one.shown};`,
  program: ({ config, declared, shown }) => [
    'import * as pulumi from "@pulumi/pulumi";',
    `import * as monitoring from "${language.nodejs.packageName}";`,
    "",
    ...(config ? ["const config = new pulumi.Config();"] : []),
    ...declared,
    "",
    ...shown,
  ],
});

const python = ({ language }) => ({
  constant: ({ type, name }) =>
    `monitoring.${type}.${snake(name[0].toLowerCase() + name.slice(1)).toUpperCase()}`,
  secret: (key) => `config.require_secret(${key})`,
  open: ({ token, variable, resource }) =>
    resource
      ? [`${snake(variable)} = monitoring.${token}(`, `    "${resource}",`]
      : [`${snake(variable)} = monitoring.${snake(token)}_output(`],
  argument: (name, value) => `    ${snake(name)}=${value},`,
  close: () => [")"],
  show: (one) => `pulumi.export("${exported(one)}", ${snake(one.variable)}.${snake(one.shown)})`,
  program: ({ config, declared, shown }) => [
    "import pulumi",
    `import ${language.python.packageName} as monitoring`,
    "",
    ...(config ? ["config = pulumi.Config()"] : []),
    ...declared,
    "",
    ...shown,
  ],
});

const go = ({ language }) => ({
  text: (text) => `pulumi.String(${quoted(text)})`,
  number: (number) => `pulumi.Int(${number})`,
  constant: ({ type, name }) => `monitoring.${type}${name}`,
  secret: (key) => `config.New(ctx, "").RequireSecret(${key})`,
  open: ({ token, variable, resource }) => [
    resource
      ? `${variable}, err := monitoring.New${token}(ctx, "${resource}", &monitoring.${token}Args{`
      : `${variable} := monitoring.${pascal(token)}Output(ctx, monitoring.${pascal(token)}OutputArgs{`,
  ],
  argument: (name, value) => `\t${pascal(name)}: ${value},`,
  close: ({ resource }) => (resource ? ["})", "if err != nil {", "\treturn err", "}"] : ["})"]),
  show: (one) =>
    `ctx.Export("${exported(one)}", ${one.variable}.${pascal(one.shown)}${one.resource ? "" : "()"})`,
  program: ({ config, declared, shown }) => [
    "package main",
    "",
    "import (",
    `\tmonitoring "${language.go.importBasePath}"`,
    '\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"',
    ...(config ? ['\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"'] : []),
    ")",
    "",
    "func main() {",
    "\tpulumi.Run(func(ctx *pulumi.Context) error {",
    ...indented([...declared, ...shown, "return nil"], "\t\t"),
    "\t})",
    "}",
  ],
});

const csharp = ({ language, name }) => ({
  constant: ({ type, name: constant }) => `Monitoring.${type}.${constant}`,
  secret: (key) => `config.RequireSecret(${key})`,
  open: ({ token, variable, resource }) => [
    resource
      ? `var ${variable} = new Monitoring.${token}("${resource}", new()`
      : `var ${variable} = Monitoring.${pascal(token)}.Invoke(new()`,
    "{",
  ],
  argument: (field, value) => `    ${pascal(field)} = ${value},`,
  close: () => ["});"],
  show(one) {
    const property = pascal(one.shown);
    const value = one.resource ? `.${property}` : `.Apply(result => result.${property})`;
    return `    ["${exported(one)}"] = ${one.variable}${value},`;
  },
  program: ({ config, declared, shown }) => [
    "using System.Collections.Generic;",
    "using Pulumi;",
    `using Monitoring = ${language.csharp.rootNamespace}.${language.csharp.namespaces[name]};`,
    "",
    "return await Deployment.RunAsync(() =>",
    "{",
    ...(config ? ["    var config = new Config();"] : []),
    ...indented([...declared, "", "return new Dictionary<string, object?>", "{", ...shown, "};"], "    "),
    "});",
  ],
});

function java({ language, name }) {
  const packageName = `${language.java.basePackage}.${name.replaceAll("-", "")}`;
  const functions = `${name.split("-").map(pascal).join("")}Functions`;
  const imports = ({ token, resource, args }) => [
    ...(resource ? [token, `${token}Args`] : [functions, `inputs.${pascal(token)}Args`]),
    ...Object.values(args).flatMap(({ type }) => (type ? [`enums.${type}`] : [])),
  ];
  return {
    constant: ({ type, name: constant }) => `${type}.${constant}`,
    secret: (key) => `ctx.config().requireSecret(${key})`,
    open: ({ token, variable, resource }) => [
      resource
        ? `var ${variable} = new ${token}("${resource}", ${token}Args.builder()`
        : `var ${variable} = ${functions}.${token}(${pascal(token)}Args.builder()`,
    ],
    argument: (field, value) => `    .${field}(${value})`,
    close: () => ["    .build());"],
    show(one) {
      const value = one.resource ? `.${one.shown}()` : `.applyValue(result -> result.${one.shown}())`;
      return `ctx.export("${exported(one)}", ${one.variable}${value});`;
    },
    program: ({ chosen, declared, shown }) => [
      "import com.pulumi.Pulumi;",
      ...[...new Set(chosen.flatMap(imports))].sort().map((line) => `import ${packageName}.${line};`),
      "",
      "public class App {",
      "    public static void main(String[] args) {",
      "        Pulumi.run(ctx -> {",
      ...indented([...declared, ...shown], " ".repeat(12)),
      "        });",
      "    }",
      "}",
    ],
  };
}

/** Further `options` go to each resource and function: YAML has no other way to say where the plugin is. */
function yaml({ name, options }) {
  const more = options ? [`options: ${quoted(options)}`] : [];
  const section = (heading, lines) => (lines.length > 0 ? [heading, ...indented(lines, "  ")] : []);
  return {
    constant: ({ value }) => value,
    secret: (key) => `\${${JSON.parse(key)}}`,
    open: ({ token, variable, resource }) =>
      resource
        ? [`${variable}:`, `  type: ${name}:${token}`, `  name: ${resource}`, "  properties:"]
        : [`${variable}:`, "  fn::invoke:", `    function: ${name}:${token}`, "    arguments:"],
    argument: (field, value, { resource }) => `${resource ? "    " : "      "}${field}: ${value}`,
    close: ({ resource }) => indented(more, resource ? "  " : "    "),
    show: (one) => `${exported(one)}: \${${one.variable}.${one.shown}}`,
    program({ chosen, declare, shown }) {
      const secrets = chosen.flatMap(({ args }) => Object.values(args).flatMap(({ secret }) => secret ?? []));
      const declared = (isResource) =>
        chosen.filter(({ resource }) => (resource !== undefined) === isResource).flatMap(declare);
      return [
        ...section(
          "config:",
          secrets.map((key) => `${key}: { type: string, secret: true }`),
        ),
        ...section("variables:", declared(false)),
        ...section("resources:", declared(true)),
        ...section("outputs:", shown),
      ];
    },
  };
}

const WRITERS = { typescript, python, go, csharp, java, yaml };

/**
 * A program in one of the languages of `WRITERS` that has some of the examples, by their names.
 * @param schema the schema, of which `name` and `language` are used, and `options` for YAML
 */
function program(language, names, schema) {
  const writer = WRITERS[language](schema);
  const chosen = names.map((token) => ({ token, ...EXAMPLES[token] }));
  const declare = (one) => [
    ...writer.open(one),
    ...Object.entries(one.args).map(([name, value]) => writer.argument(name, literal(value, writer), one)),
    ...writer.close(one),
  ];
  const lines = writer.program({
    chosen,
    declare,
    declared: chosen.flatMap(declare),
    shown: chosen.map(writer.show),
    config: chosen.some(({ args }) => Object.values(args).some(({ secret }) => secret)),
  });
  return `${lines.join("\n")}\n`;
}

/** The description of a resource or function with its example in every language, as Pulumi's registry and SDKs show them. */
function withExample(description, token, schema) {
  const programs = Object.keys(WRITERS).map(
    (language) => `\`\`\`${language}\n${program(language, [token], schema)}\`\`\``,
  );
  return [
    description,
    "{{% examples %}}\n## Example Usage",
    `{{% example %}}\n### ${EXAMPLES[token].title}`,
    ...programs,
    "{{% /example %}}\n{{% /examples %}}",
  ].join("\n\n");
}

module.exports = { EXAMPLES, LANGUAGES: Object.keys(WRITERS), program, withExample };
