"use strict";
// Fills src/plugin/schema.json in, which is kept by hand: what package.json says of version and
// owner, the READMEs of SDKs, and the examples.
//
//     npm run generate -- schema
const fs = require("node:fs");
const path = require("node:path");
const manifest = require("../package.json");
const { identityOf } = require("./release/owner.cjs");
const { OVERVIEW, program, withExample } = require("./plugin-schema/examples.cjs");

const target = path.join(__dirname, "../src/plugin/schema.json");

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

/** The schema as it has to be. */
function text() {
  const schema = JSON.parse(fs.readFileSync(target, "utf8"));
  const { homepage, repository, publisher, logoUrl, pluginDownloadURL, ...packages } =
    identityOf(manifest);
  const { version, license, keywords } = manifest;
  Object.assign(schema, {
    version,
    license,
    homepage,
    repository,
    publisher,
    logoUrl,
    pluginDownloadURL,
  });
  const kinds = schema.keywords.filter((word) => word.includes("/"));
  schema.keywords = [...kinds, ...keywords.filter((word) => word !== "pulumi")];
  schema.language.csharp.rootNamespace = packages.rootNamespace;
  schema.language.go.importBasePath = `${packages.goModule}/domainmonitoring`;
  schema.language.java.basePackage = packages.basePackage;
  schema.language.nodejs.readme = readme("typescript", "TypeScript", schema);
  schema.language.python.readme = readme("python", "Python", schema);
  for (const [token, described] of Object.entries({ ...schema.resources, ...schema.functions })) {
    const [text] = described.description.split("\n\n{{% examples %}}");
    described.description = withExample(text, token.split(":")[2], schema);
  }
  return `${JSON.stringify(schema, null, 2)}\n`;
}

if (require.main === module) fs.writeFileSync(target, text());

module.exports = { text, target };
