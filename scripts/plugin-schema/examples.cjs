"use strict";
// The samples of the schema, the registry's pages and the rehearsal's programs: each is said once, and written in every language.

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
};

const pascal = (name) => name[0].toUpperCase() + name.slice(1);
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const quoted = (value) => JSON.stringify(value);
const indented = (lines, by) => lines.map((line) => (line === "" ? "" : by + line));
const each = (args, write) => Object.entries(args).map(([name, value]) => write(name, value));
const needsConfig = (chosen) => chosen.some(({ args }) => Object.values(args).some(({ secret }) => secret));
const exported = ({ variable, shown }) => variable + pascal(shown);

/** A value by the way a language writes texts, numbers, enums and secrets. */
function literal(value, { text = quoted, number = String, constant, secret }) {
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return number(value);
  return value.secret ? secret(quoted(value.secret)) : constant(value);
}

function typescript(chosen, { language }) {
  const form = {
    constant: ({ type, name }) => `monitoring.${type}.${name}`,
    secret: (key) => `config.requireSecret(${key})`,
  };
  return [
    'import * as pulumi from "@pulumi/pulumi";',
    `import * as monitoring from "${language.nodejs.packageName}";`,
    "",
    ...(needsConfig(chosen) ? ["const config = new pulumi.Config();"] : []),
    ...chosen.flatMap(({ token, variable, resource, args }) => [
      resource
        ? `const ${variable} = new monitoring.${token}("${resource}", {`
        : `const ${variable} = monitoring.${token}Output({`,
      ...each(args, (name, value) => `    ${name}: ${literal(value, form)},`),
      "});",
    ]),
    "",
    ...chosen.map((one) => `export const ${exported(one)} = ${one.variable}.${one.shown};`),
  ];
}

function python(chosen, { language }) {
  const form = {
    constant: ({ type, name }) =>
      `monitoring.${type}.${snake(name[0].toLowerCase() + name.slice(1)).toUpperCase()}`,
    secret: (key) => `config.require_secret(${key})`,
  };
  return [
    "import pulumi",
    `import ${language.python.packageName} as monitoring`,
    "",
    ...(needsConfig(chosen) ? ["config = pulumi.Config()"] : []),
    ...chosen.flatMap(({ token, variable, resource, args }) => [
      `${snake(variable)} = monitoring.${resource ? token : `${snake(token)}_output`}(`,
      ...(resource ? [`    "${resource}",`] : []),
      ...each(args, (name, value) => `    ${snake(name)}=${literal(value, form)},`),
      ")",
    ]),
    "",
    ...chosen.map((one) => `pulumi.export("${exported(one)}", ${snake(one.variable)}.${snake(one.shown)})`),
  ];
}

function go(chosen, { language }) {
  const form = {
    text: (text) => `pulumi.String(${quoted(text)})`,
    number: (number) => `pulumi.Int(${number})`,
    constant: ({ type, name }) => `monitoring.${type}${name}`,
    secret: (key) => `config.New(ctx, "").RequireSecret(${key})`,
  };
  const fields = (args) => each(args, (name, value) => `\t${pascal(name)}: ${literal(value, form)},`);
  const declared = chosen.flatMap(({ token, variable, resource, args }) =>
    resource
      ? [
          `${variable}, err := monitoring.New${token}(ctx, "${resource}", &monitoring.${token}Args{`,
          ...fields(args),
          "})",
          "if err != nil {",
          "\treturn err",
          "}",
        ]
      : [
          `${variable} := monitoring.${pascal(token)}Output(ctx, monitoring.${pascal(token)}OutputArgs{`,
          ...fields(args),
          "})",
        ],
  );
  const shown = chosen.map((one) => {
    const value = `${one.variable}.${pascal(one.shown)}${one.resource ? "" : "()"}`;
    return `ctx.Export("${exported(one)}", ${value})`;
  });
  return [
    "package main",
    "",
    "import (",
    `\tmonitoring "${language.go.importBasePath}"`,
    '\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"',
    ...(needsConfig(chosen) ? ['\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"'] : []),
    ")",
    "",
    "func main() {",
    "\tpulumi.Run(func(ctx *pulumi.Context) error {",
    ...indented([...declared, ...shown, "return nil"], "\t\t"),
    "\t})",
    "}",
  ];
}

function csharp(chosen, { language, name }) {
  const form = {
    constant: ({ type, name: constant }) => `Monitoring.${type}.${constant}`,
    secret: (key) => `config.RequireSecret(${key})`,
  };
  const declared = chosen.flatMap(({ token, variable, resource, args }) => [
    resource
      ? `var ${variable} = new Monitoring.${token}("${resource}", new()`
      : `var ${variable} = Monitoring.${pascal(token)}.Invoke(new()`,
    "{",
    ...each(args, (field, value) => `    ${pascal(field)} = ${literal(value, form)},`),
    "});",
  ]);
  return [
    "using System.Collections.Generic;",
    "using Pulumi;",
    `using Monitoring = ${language.csharp.rootNamespace}.${language.csharp.namespaces[name]};`,
    "",
    "return await Deployment.RunAsync(() =>",
    "{",
    ...indented(
      [
        ...(needsConfig(chosen) ? ["var config = new Config();"] : []),
        ...declared,
        "",
        "return new Dictionary<string, object?>",
        "{",
        ...chosen.map((one) => {
          const property = pascal(one.shown);
          const value = one.resource
            ? `${one.variable}.${property}`
            : `${one.variable}.Apply(result => result.${property})`;
          return `    ["${exported(one)}"] = ${value},`;
        }),
        "};",
      ],
      "    ",
    ),
    "});",
  ];
}

function java(chosen, { language, name }) {
  const packageName = `${language.java.basePackage}.${name.replaceAll("-", "")}`;
  const functions = `${name.split("-").map(pascal).join("")}Functions`;
  const form = {
    constant: ({ type, name: constant }) => `${type}.${constant}`,
    secret: (key) => `ctx.config().requireSecret(${key})`,
  };
  const imports = chosen.flatMap(({ token, resource, args }) => [
    ...(resource
      ? [`${packageName}.${token}`, `${packageName}.${token}Args`]
      : [`${packageName}.${functions}`, `${packageName}.inputs.${pascal(token)}Args`]),
    ...Object.values(args).flatMap(({ type }) => (type ? [`${packageName}.enums.${type}`] : [])),
  ]);
  const declared = chosen.flatMap(({ token, variable, resource, args }) => [
    resource
      ? `var ${variable} = new ${token}("${resource}", ${token}Args.builder()`
      : `var ${variable} = ${functions}.${token}(${pascal(token)}Args.builder()`,
    ...each(args, (field, value) => `    .${field}(${literal(value, form)})`),
    "    .build());",
  ]);
  const shown = chosen.map((one) => {
    const value = one.resource
      ? `${one.variable}.${one.shown}()`
      : `${one.variable}.applyValue(result -> result.${one.shown}())`;
    return `ctx.export("${exported(one)}", ${value});`;
  });
  return [
    "import com.pulumi.Pulumi;",
    ...[...new Set(imports)].sort().map((line) => `import ${line};`),
    "",
    "public class App {",
    "    public static void main(String[] args) {",
    "        Pulumi.run(ctx -> {",
    ...indented([...declared, ...shown], " ".repeat(12)),
    "        });",
    "    }",
    "}",
  ];
}

/** Further `options` go to each resource and function: YAML has no other way to say where the plugin is. */
function yaml(chosen, { name, options = {} }) {
  const form = { constant: ({ value }) => value, secret: (key) => `\${${JSON.parse(key)}}` };
  const more = Object.keys(options).length === 0 ? [] : [`options: ${quoted(options)}`];
  const resources = chosen.filter(({ resource }) => resource);
  const functions = chosen.filter(({ resource }) => !resource);
  const section = (heading, lines) => (lines.length > 0 ? [heading, ...indented(lines, "  ")] : []);
  const fields = (args) =>
    indented(
      each(args, (field, value) => `${field}: ${literal(value, form)}`),
      "    ",
    );
  const secrets = chosen.flatMap(({ args }) => Object.values(args).flatMap(({ secret }) => secret ?? []));
  return [
    ...section(
      "config:",
      secrets.map((key) => `${key}: { type: string, secret: true }`),
    ),
    ...section(
      "variables:",
      functions.flatMap(({ token, variable, args }) => [
        `${variable}:`,
        "  fn::invoke:",
        ...indented([`function: ${name}:${token}`, "arguments:"], "    "),
        ...indented(fields(args), "  "),
        ...indented(more, "    "),
      ]),
    ),
    ...section(
      "resources:",
      resources.flatMap(({ token, variable, resource, args }) => [
        `${variable}:`,
        ...indented([`type: ${name}:${token}`, `name: ${resource}`, "properties:"], "  "),
        ...fields(args),
        ...indented(more, "  "),
      ]),
    ),
    ...section(
      "outputs:",
      chosen.map((one) => `${exported(one)}: \${${one.variable}.${one.shown}}`),
    ),
  ];
}

const WRITERS = { typescript, python, go, csharp, java, yaml };

/**
 * A program in one of the languages of `WRITERS` that has some of the examples, by their names.
 * @param schema the schema, of which `name` and `language` are used, and `options` for YAML
 */
function program(language, names, schema) {
  const chosen = names.map((token) => ({ token, ...EXAMPLES[token] }));
  return `${WRITERS[language](chosen, schema).join("\n")}\n`;
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
