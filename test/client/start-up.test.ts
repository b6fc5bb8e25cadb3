/** Constructing a client costs next to nothing: what is heavy loads with the first call. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryDirectory } from "../support/temporary";
import { CLOSED_PORT } from "./support/sockets";

const BUILT = path.resolve(__dirname, "../../dist/client/index.js");

// The tests' own module system is not Node's, so the built package is what can be asked. `npm test`
// builds first.
const whenBuilt = existsSync(BUILT) ? test : test.skip;

whenBuilt("the first call loads undici, the first response zod, and neither loads Pulumi", () => {
  const script = `
    const { DomainMonitoringClient } = require(${JSON.stringify(BUILT)});
    const server = require("node:http").createServer((_, response) => response.end("{}"));

    /** Calls the service at this port, and shows which modules are loaded then. */
    async function call(port) {
      const baseUrl = "http://127.0.0.1:" + port;
      const client = new DomainMonitoringClient({ baseUrl, apiToken: "t", maxRetries: 0 });
      await client.domains.get("x").catch(() => undefined);
      await client.close();
      console.log(Object.keys(require.cache).join());
    }

    server.listen(0, "127.0.0.1", async () => {
      await call(${CLOSED_PORT});
      await call(server.address().port);
      server.close();
    });`;
  const lines = execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }).split("\n");
  const [unanswered, answered] = lines.map((modules) =>
    ["undici", "zod", "@pulumi/pulumi"].filter((name) =>
      modules.includes(path.normalize(`/node_modules/${name}/`)),
    ),
  );

  expect(unanswered).toEqual(["undici"]);
  expect(answered).toEqual(["undici", "zod"]);
});

describe("an undici that this Node cannot load", () => {
  /** The error of a read, with the built package beside these files of undici. */
  function failureWith(undici: Record<string, string>): { message: string } {
    const directory = temporaryDirectory();
    const installed = path.join(directory, "node_modules/undici");
    mkdirSync(installed, { recursive: true });
    for (const [name, content] of Object.entries(undici))
      writeFileSync(path.join(installed, name), content);

    cpSync(path.dirname(path.dirname(BUILT)), path.join(directory, "dist"), { recursive: true });
    writeFileSync(path.join(directory, "package.json"), '{ "version": "0.0.0" }');
    const script = `
      const { DomainMonitoringClient } = require("./dist/client");
      const client = new DomainMonitoringClient({ baseUrl: "http://127.0.0.1:9", apiToken: "t" });
      client.domains.get("x").catch(({ message, attempts, cause }) =>
        console.log(JSON.stringify({ message, attempts, cause: String(cause.cause) })));`;

    const options = { cwd: directory, encoding: "utf8" } as const;
    return JSON.parse(execFileSync(process.execPath, ["-e", script], options));
  }

  whenBuilt("is named with the version of both, and not asked for again", () => {
    // undici 8 fails like this on Node 20, which has no zstd.
    const failed = failureWith({
      "package.json": '{ "version": "8.12.4" }',
      "index.js": "require('node:zlib').createNoSuchDecompressor.bind();",
    });

    expect(failed).toEqual({
      message:
        `GET /api/domains/x: could not reach the service (undici 8.12.4 does not load on Node ${process.versions.node}): ` +
        "see with `npm ls undici` what asks for that version, and install one that supports this Node",
      attempts: 1,
      cause: "TypeError: Cannot read properties of undefined (reading 'bind')",
    });
  });

  whenBuilt("is said to be missing where nothing is installed", () => {
    const { message } = failureWith({});
    expect(message).toContain("could not reach the service (undici does not load on Node ");
  });
});
