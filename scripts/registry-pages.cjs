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

/** A program with some of the examples, in the languages that it was run in. */
function chooser(schema, names) {
  const languages = LANGUAGES.filter((language) => !["csharp", "java"].includes(language));
  const blocks = languages.map(
    (language) => `{{% choosable language ${language} %}}

\`\`\`${language}
${program(language, names, schema)}\`\`\`

{{% /choosable %}}
`,
  );
  return `{{< chooser language "${languages.join(",")}" >}}
${blocks.join("")}{{< /chooser >}}
`;
}

/** What the package has, as lists with links to the registry's page of each: the first sentence of its description. */
function features({ name, resources, functions }) {
  const item = ([token, { description }]) => {
    const own = token.split(":")[2];
    const [sentence] = description.split("\n")[0].split(/(?<=\.) /);
    return `- [\`${own}\`](https://www.pulumi.com/registry/packages/${name}/api-docs/${own.toLowerCase()}/): ${sentence}`;
  };
  return [resources, functions].flatMap((offered) => Object.entries(offered).map(item)).join("\n");
}

function index(schema, { repository }) {
  return `${frontMatter("Domain Monitoring", "Notification channels, WHOIS and DNS changes and registration expiry of monitored domains.")}
Declare who is notified about your domains, read WHOIS and DNS changes as outputs, and fail a preview before a registration runs out.

This is a community package, not an official Domainwarden package. It implements an API that Domainwarden's public documentation and PHP client match. It was tested against an emulator of that API, not with a live account.

## Features

${features(schema)}

**Channels are create-only by default.** The documented API can create channels but not read, update or delete them. If you change a channel, Pulumi creates a second one; if you remove it, it stays in the service. Warnings name every channel that stays. With \`lifecycle: "managed"\`, which is experimental, channels are updated and deleted.

## Example

This program creates a Slack channel, and fails if the registration of the domain ends within 30 days. It was run in each language shown, but not in C# and Java.

${chooser(schema, ["NotificationChannel", "requireDomainExpiry"])}
## Learn more

- [Installation and configuration](https://www.pulumi.com/registry/packages/${schema.name}/installation-configuration/)
- [Guides, examples and source](${repository})
`;
}

/** Settings in stack config with their environment variables, where they have one. */
function settings({ config }) {
  const rows = Object.entries(config.variables).map(([name, { description, defaultInfo }]) => {
    const variable = defaultInfo ? `\`${defaultInfo.environment[0]}\`` : "none";
    return `| \`domain-monitoring:${name}\` | ${variable} | ${description.replaceAll("|", "\\|")} |`;
  });
  return ["| stack config | environment | meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

function installation(schema, { repository, goModule, rootNamespace, basePackage, pluginDownloadURL }) {
  const { nodejs, python, csharp } = schema.language;
  const namespace = `${rootNamespace}.${csharp.namespaces[schema.name]}`;
  const npm = (name) => `[\`${name}\`](https://www.npmjs.com/package/${name})`;
  const go = goModule.replace(/^[^/]+/, "pkg.go.dev/$&");
  return `${frontMatter("Domain Monitoring Installation & Configuration", "How to install and configure the Domain Monitoring provider for Pulumi.")}
## Installation

Nothing is published yet. Each [release](${repository}/releases) will have the plugin and these packages:

- JavaScript and TypeScript: ${npm(manifest.name)}, which needs no plugin, or the plugin's SDK ${npm(nodejs.packageName)}
- Python: [\`${python.packageName}\`](https://pypi.org/project/${python.packageName.replaceAll("_", "-")}/)
- Go: [\`${goModule}\`](https://${go})
- .NET: [\`${namespace}\`](https://www.nuget.org/packages/${namespace})
- Java: not published, and never generated; its package would be \`${basePackage}.${schema.name.replaceAll("-", "")}\`

With an SDK of a release, Pulumi downloads the plugin. The plugin needs Node ${manifest.engines.node.replace(">=", "")} or newer on \`PATH\`, except on linux-amd64 with glibc. For YAML, or to install it yourself, run:

\`\`\`sh
pulumi plugin install resource ${schema.name} v${schema.version} --server ${pluginDownloadURL}
\`\`\`

## Credentials

Create an API token in the account settings of the service. The token needs permission to read domains and create channels. To look domains up by name, it must also list domains. For managed channels, it must also read, update and delete channels.

Set the token and the address of the service, without \`/api\`, as environment variables, or as stack config, which takes precedence. For a second account, pass them to an explicit provider. Set the token with \`--secret\`: a preview fails if stack config has it in plain text.

\`\`\`sh
export DOMAIN_MONITORING_BASE_URL=https://monitoring.example.com
export DOMAIN_MONITORING_API_TOKEN=XXXXXXXX
pulumi config set ${schema.name}:baseUrl https://monitoring.example.com
pulumi config set --secret ${schema.name}:apiToken
\`\`\`

## Configuration

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
