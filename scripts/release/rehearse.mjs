/**
 * Publishes the packages and the plugin on loopback, and uses them from there as their users do: a
 * project that npm installs, a test with pulumi-offline, and a program in YAML whose plugin the
 * engine downloads. Other packages come from npm's configured registry. Leaves nothing behind.
 *
 *     npm run release -- rehearse
 */
import fs from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { startEmulator } from "domain-monitoring-emulator";
import { PACKAGES, packed, root } from "../packed.cjs";
import { cleanEnvironment, openStack } from "../real-engine.cjs";
import { succeed } from "../run.cjs";
import { cellOf, runCell } from "./cell.mjs";

const require = createRequire(import.meta.url);
const { version } = require("../../package.json");
const offline = require("../../packages/pulumi-offline/package.json");

const DOMAIN_ID = "11111111-1111-4111-8111-111111111111";

const YAML = `name: stranger
runtime: yaml
resources:
  on-call:
    type: domain-monitoring:NotificationChannel
    properties: { domainId: ${DOMAIN_ID}, label: On-call, type: email, value: ops@example.com }
outputs:
  channelId: \${on-call.id}
`;

/** A test of a dynamic provider, as in the README of pulumi-offline. */
const OFFLINE = `
const pulumi = require("@pulumi/pulumi");
const { TestStack } = require("pulumi-offline");
const provider = { create: async (inputs) => ({ id: "1", outs: inputs }) };
class Thing extends pulumi.dynamic.Resource {
  constructor(name, args) { super(provider, name, args); }
}
const program = async () => ({ size: new Thing("thing", { size: 5 }).urn });
TestStack.create({ program, project: "stranger", stack: "test" }).then(async (stack) => {
  const { changes } = await stack.up();
  await stack.close();
  if (changes.create !== 1) throw new Error(JSON.stringify(changes));
});
`;

async function listen(answer) {
  const server = createServer(answer);
  await new Promise((resolve, reject) =>
    server.on("error", reject).listen(0, "127.0.0.1", resolve),
  );
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}

/**
 * A registry that has what is published to it, and sends whoever asks for anything else to another
 * one.
 */
function startRegistry(elsewhere) {
  const published = new Map();
  return listen(async (request, response) => {
    const [name, tarball] = decodeURIComponent(request.url.slice(1)).split("/-/");
    if (request.method === "PUT") {
      published.set(name, JSON.parse(await text(request)));
      return response.writeHead(201).end("{}");
    }
    const known = published.get(name);
    if (!known)
      return response
        .writeHead(302, { Location: new URL(request.url.slice(1), elsewhere).href })
        .end();
    const { _attachments: attachments, ...document } = known;
    return response.end(
      tarball ? Buffer.from(attachments[tarball].data, "base64") : JSON.stringify(document),
    );
  });
}

/** The release's page, with the plugin's tarballs. */
function startPage() {
  return listen((request, response) => {
    const file = path.join(root, "dist-release", path.basename(request.url));
    if (!fs.existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Length": fs.statSync(file).size });
    fs.createReadStream(file).pipe(response);
  });
}

/** Says what was done, and how long it took. */
async function step(line, work) {
  const started = performance.now();
  await work;
  process.stdout.write(`${line} (${((performance.now() - started) / 1000).toFixed(0)} s)\n`);
}

async function rehearse(directory, registry, page) {
  const npmrc = path.join(directory, "npmrc");
  const host = registry.url.replace("http:", "");
  fs.writeFileSync(npmrc, `registry=${registry.url}/\n${host}/:_authToken=rehearsal\n`);
  // Without the registry that npm passes on to its scripts.
  const { npm_config_registry: _, NPM_CONFIG_REGISTRY: __, ...clean } = cleanEnvironment();
  const env = {
    ...clean,
    npm_config_userconfig: npmrc,
    npm_config_cache: path.join(directory, "cache"),
  };
  for (const { tarball, filename } of PACKAGES.map(packed)) {
    const args = ["publish", tarball, "--access", "public"];
    await step(`npm publish ${filename}`, succeed("npm", args, { cwd: directory, env }));
  }

  const [npm, yaml] = ["npm", "yaml"].map((name) => path.join(directory, name));
  for (const created of [npm, yaml]) fs.mkdirSync(created);
  await step(
    `pulumi-domain-monitoring@${version}, installed by npm: previewed, deployed, refreshed and destroyed`,
    runCell(cellOf(["--program", "ts-node"]), { directory: npm, spec: version, env }),
  );

  const project = { cwd: path.join(npm, "project"), env };
  const name = `pulumi-offline@${offline.version}`;
  await step(`npm install ${name}`, succeed("npm", ["install", "--silent", name], project));
  await step(`${name}, in a test`, succeed("node", ["-e", OFFLINE], project));

  await deployYaml(yaml, page, env);
}

/** The plugin as the registry's page says to install it. */
async function deployYaml(directory, page, env) {
  const project = path.join(directory, "project");
  fs.mkdirSync(project);
  fs.writeFileSync(path.join(project, "Pulumi.yaml"), YAML);
  const service = await startEmulator({ lifecycle: "managed" });
  try {
    const pulumi = await openStack({
      project,
      directory,
      stack: "test",
      env,
      config: {
        "domain-monitoring:baseUrl": service.url,
        "domain-monitoring:lifecycle": "managed",
      },
      secrets: { "domain-monitoring:apiToken": service.token },
    });
    for (const [line, channels] of [
      [`plugin install resource domain-monitoring v${version} --server ${page.url}`, 0],
      ["up --yes", 1],
      ["up --yes --skip-preview --refresh --expect-no-changes", 1],
      ["destroy --yes --skip-preview", 0],
    ]) {
      await step(`YAML: pulumi ${line}`, pulumi(line.split(" ")));
      const has = service.channels().length;
      if (has !== channels)
        throw new Error(`YAML: pulumi ${line}: the service has ${has} channels, not ${channels}`);
    }
  } finally {
    await service.close();
  }
}

const directory = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), "release-rehearsal-")));
const elsewhere = (
  await succeed("npm", ["config", "get", "registry"], { cwd: directory })
).stdout.trim();
const [registry, page] = await Promise.all([startRegistry(elsewhere), startPage()]);
try {
  await rehearse(directory, registry, page);
} catch (error) {
  process.stderr.write(`rehearse: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  await Promise.all([registry.close(), page.close()]);
  fs.rmSync(directory, { recursive: true, force: true });
}
