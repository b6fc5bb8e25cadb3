/** The programs: the same stack in each module system and build. */

export const DOMAIN_ID = "11111111-1111-4111-8111-111111111111";

/** The destination comes from the environment, as the engine masks only secrets of the stack config itself. */
const BODY = `
const domainId = new pulumi.Config().require("domainId");
const value = process.env.CELL_DESTINATION;
const channel = new NotificationChannel("alerts", { domainId, label: "Alerts", type: "email", value });
`;
const OUTPUTS = {
  channelId: "channel.channelId",
  destination: "channel.value",
  domain: "getDomainOutput({ id: domainId }).domain",
};

const NAMES = "getDomainOutput, NotificationChannel, Provider";
const required = (name = "pulumi-domain-monitoring") =>
  `const pulumi = require("@pulumi/pulumi");\nconst { ${NAMES} } = require("${name}");\n`;
const imported = `import * as pulumi from "@pulumi/pulumi";\nimport { ${NAMES} } from "pulumi-domain-monitoring";\n`;

const commonJsOutputs = Object.entries(OUTPUTS).map(([name, value]) => `exports.${name} = ${value};\n`);
const esmOutputs = Object.entries(OUTPUTS).map(([name, value]) => `export const ${name} = ${value};\n`);

const commonJs = required() + BODY + commonJsOutputs.join("");
const esm = imported + BODY + esmOutputs.join("");
const typeScript = esm.replace(
  "value = process.env.CELL_DESTINATION",
  "value: string | null = process.env.CELL_DESTINATION ?? null",
);

/**
 * The slowest known failure of a program with our error: one resource is in progress, and the error passes through a stack
 * frame of the SDK, whose source some versions of Node take many seconds to print.
 */
const pending = `${required()}
const elsewhere = new Provider("elsewhere", { baseUrl: "http://127.0.0.1:9", apiToken: "elsewhere" });
const domainId = new pulumi.Config().require("domainId");
const common = { domainId, type: "email", value: process.env.CELL_DESTINATION };
new NotificationChannel("first", { ...common, label: "First" }, { provider: elsewhere });
class Team extends pulumi.ComponentResource {
  async initialize() {
    return new NotificationChannel("second", { ...common, label: "Second" }, { parent: this });
  }
}
new Team("team:Team", "team", {}, {});
`;

/** As `pulumi new typescript` writes it. */
const TEMPLATE_TSCONFIG = {
  compilerOptions: {
    strict: true,
    outDir: "bin",
    target: "es2020",
    module: "commonjs",
    moduleResolution: "node",
    sourceMap: true,
  },
  files: ["index.ts"],
};
const NODE_TSCONFIG = {
  compilerOptions: {
    strict: true,
    outDir: "bin",
    target: "es2022",
    module: "node16",
    moduleResolution: "node16",
    skipLibCheck: true,
  },
  files: ["index.ts"],
};

/** For what Node runs after it has stripped the types. */
const STRIPPED_TSCONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: "esnext",
    module: "nodenext",
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
  },
  files: ["index.ts"],
};

const bundle = (...external) => [
  "esbuild",
  ["index.ts", "--bundle", "--minify", "--platform=node", "--outfile=bin/index.js"].concat(
    ["@pulumi/pulumi", ...external].map((name) => `--external:${name}`),
  ),
];
const ESBUILD = { esbuild: "^0.28.0" };
const NODE_TYPES = { "@types/node": "^20.19.0" };

/**
 * Each kind: its files, the file that the engine runs, the additional dependencies, and the command that builds it
 * (a command of the project's own dependencies with its arguments).
 */
export const PROGRAMS = {
  commonjs: { files: { "index.js": commonJs }, main: "index.js" },
  wrapped: { files: { "index.js": commonJs.replace(required(), required("team-alerts")) }, main: "index.js" },
  pending: { files: { "index.js": pending }, main: "index.js" },
  esm: { files: { "index.js": esm }, main: "index.js", manifest: { type: "module" } },
  "ts-node": {
    files: { "index.ts": typeScript, "tsconfig.json": JSON.stringify(TEMPLATE_TSCONFIG) },
    main: "index.ts",
    dependencies: NODE_TYPES,
  },
  "ts-node-node16": {
    files: { "index.ts": typeScript, "tsconfig.json": JSON.stringify(NODE_TSCONFIG) },
    main: "index.ts",
    dependencies: NODE_TYPES,
  },
  tsc: {
    files: { "index.ts": typeScript, "tsconfig.json": JSON.stringify(NODE_TSCONFIG) },
    main: "bin/index.js",
    dependencies: NODE_TYPES,
    build: ["tsc", []],
  },
  stripped: {
    files: { "index.ts": typeScript, "tsconfig.json": JSON.stringify(STRIPPED_TSCONFIG) },
    main: "index.ts",
    runtime: "{name: nodejs, options: {typescript: false}}",
    manifest: { type: "module" },
    dependencies: NODE_TYPES,
    build: ["tsc", []],
  },
  "bundle-external": {
    files: { "index.ts": typeScript },
    main: "bin/index.js",
    dependencies: ESBUILD,
    build: bundle("pulumi-domain-monitoring"),
  },
  "bundle-inline": {
    files: { "index.ts": typeScript },
    main: "bin/index.js",
    dependencies: ESBUILD,
    build: bundle(),
  },
};

/** `Pulumi.yaml` of a project. */
export function pulumiYaml(main, runtime = "nodejs") {
  return `name: cell\nruntime: ${runtime}\nmain: ${main}\n`;
}
