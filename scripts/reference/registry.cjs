"use strict";
// What the pages that Pulumi's registry shows, docs/_index.md and
// docs/installation-configuration.md, have of the schema and of package.json, by name.
const fs = require("node:fs");
const path = require("node:path");
const manifest = require("../../package.json");
const schema = require("../../src/plugin/schema.json");
const { OVERVIEW, program } = require("../plugin-schema/examples.cjs");
const { identityOf } = require("../release/owner.cjs");
const { table } = require("../tables.cjs");
const { root } = require("../sources.cjs");

/** Resources with a link to the registry's page of each: the first sentence of its description. */
function features() {
  const items = Object.entries(schema.resources).map(([token, { description }]) => {
    const name = token.split(":")[2];
    const [sentence] = description.split("\n")[0].split(/(?<=\.) /);
    const mark = /(?:^|\. )Experimental: /.test(description) ? " (experimental)" : "";
    const page = `https://www.pulumi.com/registry/packages/${schema.name}/api-docs/${name.toLowerCase()}/`;
    return `- [\`${name}\`](${page})${mark}: ${sentence}`;
  });
  return items.join("\n");
}

/** A program with two of the examples, in the languages that it was run in. */
function programs() {
  const languages = ["typescript", "python", "go", "java", "yaml"];
  const blocks = languages.map((language) => {
    const code = program(language, OVERVIEW, schema);
    return `{{% choosable language ${language} %}}\n\n\`\`\`${language}\n${code}\`\`\`\n\n{{% /choosable %}}\n`;
  });
  return `{{< chooser language "${languages.join(",")}" >}}\n${blocks.join("")}{{< /chooser >}}`;
}

/** The packages of each language. */
function packages() {
  const { goModule, basePackage } = identityOf(manifest);
  const { nodejs, python } = schema.language;
  // Without links: nobody owns the names yet.
  return [
    `- JavaScript and TypeScript: \`${manifest.name}\`, which needs no plugin, or the plugin's SDK \`${nodejs.packageName}\``,
    `- Python: \`${python.packageName}\``,
    `- Go: \`${goModule}\``,
    `- Java: not published; the package of the generated SDK is \`${basePackage}.${schema.name.replaceAll("-", "")}\``,
  ].join("\n");
}

/** The command that installs the plugin of this version. */
function install() {
  const { name, version, pluginDownloadURL } = schema;
  return `\`\`\`sh\npulumi plugin install resource ${name} v${version} --server ${pluginDownloadURL}\n\`\`\``;
}

/** The first sentences of a description: a cell of a table stays short. */
function beginningOf(description) {
  const sentences = description.split(/(?<=\.) /);
  while (sentences.length > 1 && sentences.join(" ").length > 160) sentences.pop();
  return sentences.join(" ");
}

/** The caveat about the names, until the changelog has a day for this version. */
function published() {
  const changelog = fs.readFileSync(path.join(root, "CHANGELOG.md"), "utf8");
  if (!changelog.includes(`## [${manifest.version}] - not yet published`)) return "";
  const { homepage } = identityOf(manifest);
  return `Nothing is published yet, and somebody else may register the names: [until then](${homepage}#install), build from a clone.`;
}

/** Settings in stack config with their environment variables, where they have one. */
function settings() {
  const rows = Object.entries(schema.config.variables).map(
    ([name, { description, defaultInfo }]) => {
      const variable = defaultInfo ? `\`${defaultInfo.environment[0]}\`` : "none";
      return [`\`${schema.name}:${name}\``, variable, beginningOf(description)];
    },
  );
  return table(["stack config", "environment", "meaning"], rows);
}

/** By the name in the marker of a page. */
const PARTS = { features, install, packages, programs, published, settings };

module.exports = { PARTS };
