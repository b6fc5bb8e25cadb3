"use strict";
// Writes the two pages that Pulumi's registry shows of a package, docs/_index.md and docs/installation-configuration.md, in its
// format, from the schema and package.json. Their samples are those of the schema.
//
//     npm run generate -- schema
const fs = require("node:fs");
const path = require("node:path");
const manifest = require("../package.json");
const { identityOf } = require("./release/owner.cjs");
const { LANGUAGES, program } = require("./plugin-schema/examples.cjs");

const root = path.join(__dirname, "..");

const frontMatter = (title, described) => `---
title: ${title}
meta_desc: ${described}
layout: package
---
`;

/** A program with some of the examples, in every language. */
function chooser(schema, names) {
  const blocks = LANGUAGES.map(
    (language) => `{{% choosable language ${language} %}}

\`\`\`${language}
${program(language, names, schema)}\`\`\`

{{% /choosable %}}
`,
  );
  return `{{< chooser language "${LANGUAGES.join(",")}" >}}
${blocks.join("")}{{< /chooser >}}
`;
}

function index(schema, { repository }) {
  const [about] = schema.resources["domain-monitoring:index:NotificationChannel"].description.split("\n");
  return `${frontMatter("Domain Monitoring", "Notification channels, WHOIS and DNS changes and registration expiry of monitored domains.")}
${schema.description}

\`NotificationChannel\`: ${about[0].toLowerCase()}${about.slice(1)}

This is a community package. It was tested against an emulator of the service's interface, and not with a live account.

## A channel, and a registration that has to last

The channel writes to Slack. \`requireDomainExpiry\` fails where the registration of the domain ends within 30 days.

${chooser(schema, ["NotificationChannel", "requireDomainExpiry"])}
C# and Java were not compiled or run; the others are run before each release.

## More

- [Installation and configuration](https://www.pulumi.com/registry/packages/${schema.name}/installation-configuration/)
- [Source, guides and examples](${repository}). For TypeScript alone there is also the npm package \`${manifest.name}\`, which needs no plugin.
`;
}

/** Settings in stack config with their variables; two of them have none, as each machine would decide another way. */
function settings({ config }) {
  const rows = Object.entries(config.variables).map(([name, { description }]) => {
    const upper = name.replace(/[A-Z]/g, "_$&").toUpperCase();
    const variable = ["lifecycle", "abandon"].includes(name) ? "none" : `\`DOMAIN_MONITORING_${upper}\``;
    return `| \`domain-monitoring:${name}\` | ${variable} | ${description.replaceAll("|", "\\|")} |`;
  });
  return ["| stack config | environment | meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

function installation(schema, { repository, goModule, rootNamespace, basePackage, pluginDownloadURL }) {
  const { nodejs, python, csharp } = schema.language;
  const namespace = `${rootNamespace}.${csharp.namespaces[schema.name]}`;
  return `${frontMatter("Domain Monitoring Installation & Configuration", "How to install and configure the Domain Monitoring provider for Pulumi.")}
## Installation

The SDKs are attached to each [release](${repository}/releases), and published as:

- JavaScript and TypeScript: \`npm install ${nodejs.packageName}\`
- Python: \`pip install ${python.packageName}\`
- Go: \`go get ${goModule}\`
- .NET: \`dotnet add package ${namespace}\`
- Java: not published; \`pulumi package add\` generates it as \`${basePackage}.${schema.name.replaceAll("-", "")}\`

The engine downloads the plugin by itself where an SDK is used. To install it beforehand, or for YAML:

\`\`\`sh
pulumi plugin install resource ${schema.name} v${schema.version} --server ${pluginDownloadURL}
\`\`\`

On linux-amd64 with glibc the plugin needs nothing else. On other systems it needs Node ${manifest.engines.node.replace(">=", "")} or newer on \`PATH\`.

## Configuration

\`\`\`sh
pulumi config set domain-monitoring:baseUrl https://monitoring.example.com
pulumi config set --secret domain-monitoring:apiToken
\`\`\`

Stack config comes before the environment. Base address and token have to be given, and a token in plain text is refused. An
explicit provider takes the same settings as arguments, for a second account.

${settings(schema)}
`;
}

/** Text by path from the root. */
function pages() {
  const schema = JSON.parse(fs.readFileSync(path.join(root, "src/plugin/schema.json"), "utf8"));
  const identity = identityOf(manifest);
  return {
    "docs/_index.md": index(schema, identity),
    "docs/installation-configuration.md": installation(schema, identity),
  };
}

if (require.main === module)
  for (const [name, text] of Object.entries(pages())) fs.writeFileSync(path.join(root, name), text);

module.exports = { pages };
