"use strict";
// The samples of the schema, and the registry's pages: each is said once, and written in every
// language.

/**
 * By resource or function: what the example is, the function that it comes after, the name of the
 * variable, the arguments, the property that is exported, and the id of an import. A value is a text, a whole number,
 * `{ type, name, value }` of an enum, `{ secret }`, a key of the stack's configuration, or
 * `{ of, result }`, a property of the result in that variable.
 */
const EXAMPLES = require("./examples.json");

/** The example that introduces the package. */
const OVERVIEW = "NotificationChannel";

const pascal = (name) => name[0].toUpperCase() + name.slice(1);
const snake = (name) => name.replace(/(?<!^)(?=[A-Z])/g, "_").toLowerCase();
const quoted = (value) => JSON.stringify(value);
const indented = (text, by) => text.replace(/^(?=.)/gm, by);
const exported = ({ variable, shown }) => variable + pascal(shown);

/** A value by the way a language writes texts, numbers, enums, secrets and results. */
function literal(value, { text = quoted, number = String, constant, secret, result }) {
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return number(value);
  if (value.secret) return secret(quoted(value.secret));
  return value.result ? result(value.of, value.result) : constant(value);
}

/*
 * A language is how it writes the values of `literal`; `argument`, one of a resource or function by its name; `call`, its declaration with these arguments; `output`,
 * one of the stack; and `program`, the whole of the calls and outputs, where `secrets` has the keys of secrets, `config` says whether there are any, and `chosen` has
 * the examples. `language` is that of the schema, and `name` its name.
 */

const typescript = ({ language }) => ({
  constant: ({ type, name }) => `monitoring.${type}.${name}`,
  secret: (key) => `config.requireSecret(${key})`,
  result: (variable, property) => `${variable}.${property}`,
  argument: (name, value) => `    ${name}: ${value},`,
  call: ({ token, variable, resource }, args) =>
    resource
      ? `const ${variable} = new monitoring.${token}("${resource}", {\n${args}\n});`
      : `const ${variable} = monitoring.${token}Output({\n${args}\n});`,
  output: (one) => `export const ${exported(one)} = ${one.variable}.${one.shown};`,
  program: ({ config, calls, outputs }) => `import * as pulumi from "@pulumi/pulumi";
import * as monitoring from "${language.nodejs.packageName}";

${config ? "const config = new pulumi.Config();\n" : ""}${calls}

${outputs}
`,
});

const python = ({ language }) => ({
  constant: ({ type, name }) => `monitoring.${type}.${snake(name).toUpperCase()}`,
  secret: (key) => `config.require_secret(${key})`,
  result: (variable, property) => `${snake(variable)}.${snake(property)}`,
  argument: (name, value) => `    ${snake(name)}=${value},`,
  call: ({ token, variable, resource }, args) =>
    resource
      ? `${snake(variable)} = monitoring.${token}(\n    "${resource}",\n${args}\n)`
      : `${snake(variable)} = monitoring.${snake(token)}_output(\n${args}\n)`,
  output: (one) => `pulumi.export("${exported(one)}", ${snake(one.variable)}.${snake(one.shown)})`,
  program: ({ config, calls, outputs }) => `import pulumi
import ${language.python.packageName} as monitoring

${config ? "config = pulumi.Config()\n" : ""}${calls}

${outputs}
`,
});

/** In Go, `GetX` reads a resource X, so that the function of this name has another one. */
function goFunction(token, { name, resources }) {
  const of = token.replace(/^get/, "");
  return of !== token && resources[`${name}:index:${of}`] ? `Lookup${of}` : pascal(token);
}

/** Arguments with their values below each other, as gofmt writes them. */
function aligned(args) {
  const parts = args.split("\n").map((line) => line.split(/(?<=:) (.*)/));
  const width = Math.max(...parts.map(([name]) => name.length));
  return parts.map(([name, value]) => `${name.padEnd(width)} ${value}`).join("\n");
}

const go = (schema) => ({
  text: (text) => `pulumi.String(${quoted(text)})`,
  number: (number) => `pulumi.Int(${number})`,
  constant: ({ type, name }) => `monitoring.${type}${name}`,
  secret: (key) => `config.New(ctx, "").RequireSecret(${key})`,
  result: (variable, property) => `${variable}.${pascal(property)}()`,
  argument: (name, value) => `\t${pascal(name)}: ${value},`,
  call({ token, variable, resource }, args) {
    const name = resource ? token : goFunction(token, schema);
    return resource
      ? `${variable}, err := monitoring.New${name}(ctx, "${resource}", &monitoring.${name}Args{\n${aligned(args)}\n})\nif err != nil {\n\treturn err\n}`
      : `${variable} := monitoring.${name}Output(ctx, monitoring.${name}OutputArgs{\n${aligned(args)}\n})`;
  },
  output: (one) =>
    `ctx.Export("${exported(one)}", ${one.variable}.${one.shown === "id" ? "ID()" : pascal(one.shown) + (one.resource ? "" : "()")})`,
  program: ({ config, calls, outputs }) => `package main

import (
	monitoring "${schema.language.go.importBasePath}"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
${config ? '\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"\n' : ""})

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
${indented(`${calls}\n${outputs}\nreturn nil`, "\t\t")}
	})
}
`,
});

/** The member of a class for a property, which the schema may name. */
const csharpMember = (name, property) => property?.language?.csharp?.name ?? pascal(name);

const csharp = ({ language, name: namespace, resources }) => ({
  constant: ({ type, name }) => `Monitoring.${type}.${name}`,
  secret: (key) => `config.RequireSecret(${key})`,
  result: (variable, property) => `${variable}.Apply(result => result.${pascal(property)})`,
  argument(name, value, token) {
    const property = resources[`${namespace}:index:${token}`]?.inputProperties[name];
    return `    ${csharpMember(name, property)} = ${value},`;
  },
  call: ({ token, variable, resource }, args) =>
    resource
      ? `var ${variable} = new Monitoring.${token}("${resource}", new()\n{\n${args}\n});`
      : `var ${variable} = Monitoring.${pascal(token)}.Invoke(new()\n{\n${args}\n});`,
  output(one) {
    const property = pascal(one.shown);
    const value = one.resource ? `.${property}` : `.Apply(result => result.${property})`;
    return `    ["${exported(one)}"] = ${one.variable}${value},`;
  },
  program: ({ config, calls, outputs }) => `using System.Collections.Generic;
using Pulumi;
using Monitoring = ${language.csharp.rootNamespace}.${language.csharp.namespaces[namespace]};

return await Deployment.RunAsync(() =>
{
${config ? "    var config = new Config();\n" : ""}${indented(calls, "    ")}

    return new Dictionary<string, object?>
    {
${indented(outputs, "    ")}
    };
});
`,
});

function java({ language, name: schemaName }) {
  const module = schemaName.replaceAll("-", "");
  const packageName = `${language.java.basePackage}.${module}`;
  const functions = `${pascal(module)}Functions`;
  const imports = ({ token, resource, args }) => [
    ...(resource ? [token, `${token}Args`] : [functions, `inputs.${pascal(token)}Args`]),
    ...Object.values(args).flatMap(({ type, name }) => (name ? [`enums.${type}`] : [])),
  ];
  return {
    constant: ({ type, name }) => `${type}.${name}`,
    secret: (key) => `ctx.config().requireSecret(${key})`,
    result: (variable, property) => `${variable}.applyValue(result -> result.${property}())`,
    argument: (name, value) => `    .${name}(${value})`,
    call: ({ token, variable, resource }, args) =>
      resource
        ? `var ${variable} = new ${token}("${resource}", ${token}Args.builder()\n${args}\n    .build());`
        : `var ${variable} = ${functions}.${token}(${pascal(token)}Args.builder()\n${args}\n    .build());`,
    output(one) {
      const value = one.resource
        ? `.${one.shown}()`
        : `.applyValue(result -> result.${one.shown}())`;
      return `ctx.export("${exported(one)}", ${one.variable}${value});`;
    },
    program({ chosen, calls, outputs }) {
      const imported = [...new Set(chosen.flatMap(imports))].sort();
      return `import com.pulumi.Pulumi;
${imported.map((line) => `import ${packageName}.${line};\n`).join("")}
public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
${indented(`${calls}\n${outputs}`, " ".repeat(12))}
        });
    }
}
`;
    },
  };
}

const yaml = ({ name: schemaName }) => ({
  constant: ({ value }) => value,
  secret: (key) => quoted(`\${${JSON.parse(key)}}`),
  result: (variable, property) => quoted(`\${${variable}.${property}}`),
  argument: (name, value) => `${name}: ${value}`,
  call: ({ token, variable, resource }, args) =>
    resource
      ? `${variable}:\n  type: ${schemaName}:${token}\n  name: ${resource}\n  properties:\n${indented(args, "    ")}`
      : `${variable}:\n  fn::invoke:\n    function: ${schemaName}:${token}\n    arguments:\n${indented(args, "      ")}`,
  output: (one) => `${exported(one)}: \${${one.variable}.${one.shown}}`,
  program({ chosen, call, outputs, secrets }) {
    const sections = {
      config: secrets.map((key) => `${key}: { type: string, secret: true }`),
      variables: chosen.filter(({ resource }) => !resource).map(call),
      resources: chosen.filter(({ resource }) => resource).map(call),
      outputs: [outputs],
    };
    return Object.entries(sections)
      .map(([name, texts]) =>
        texts.length > 0 ? `${name}:\n${indented(texts.join("\n"), "  ")}\n` : "",
      )
      .join("");
  },
});

const WRITERS = { typescript, python, go, csharp, java, yaml };

/**
 * A program in one of the languages of `WRITERS` with the example of a resource or function, and
 * the one that it comes after.
 * @param schema the schema, of which `name`, `language` and `resources` are used
 */
function program(language, name, schema) {
  const writer = WRITERS[language](schema);
  const { after } = EXAMPLES[name];
  const chosen = [...(after ? [after] : []), name].map((token) => ({ token, ...EXAMPLES[token] }));
  const secrets = chosen.flatMap(({ args }) =>
    Object.values(args).flatMap(({ secret }) => secret ?? []),
  );
  const call = (one) => {
    const args = Object.entries(one.args).map(([name, value]) =>
      writer.argument(name, literal(value, writer), one.token),
    );
    return writer.call(one, args.join("\n"));
  };
  return writer.program({
    chosen,
    call,
    calls: chosen.map(call).join("\n"),
    outputs: chosen.map(writer.output).join("\n"),
    secrets,
    config: secrets.length > 0,
  });
}

/** How a resource is imported, in the form that Pulumi's registry and SDKs show. */
function importOf({ token, resource, import: { id, note } }, schema) {
  const command = `pulumi import ${schema.name}:index:${token} ${resource} ${id}`;
  return `## Import\n\n${note}\n\n\`\`\`sh\n${command}\n\`\`\``;
}

/**
 * The description of a resource or function with its example in every language, and for a resource
 * how to import it, as Pulumi's registry and SDKs show them.
 */
function withExample(description, token, schema) {
  const programs = Object.keys(WRITERS).map(
    (language) => `\`\`\`${language}\n${program(language, token, schema)}\`\`\``,
  );
  const example = { token, ...EXAMPLES[token] };
  return [
    description,
    "{{% examples %}}\n## Example Usage",
    `{{% example %}}\n### ${example.title}`,
    ...programs,
    "{{% /example %}}\n{{% /examples %}}",
    ...(example.import ? [importOf(example, schema)] : []),
  ].join("\n\n");
}

module.exports = { EXAMPLES, LANGUAGES: Object.keys(WRITERS), OVERVIEW, program, withExample };
