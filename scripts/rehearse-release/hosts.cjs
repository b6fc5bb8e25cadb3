"use strict";
// What a release is published to, on loopback: an npm registry, and a server of files in place of the release's page.
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");

const listen = (server) =>
  new Promise((resolve, reject) => {
    server.on("error", reject).listen(0, "127.0.0.1", () => resolve(server.address().port));
  });

function closed(server) {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
}

/** Serves the files of a directory by their names. */
async function startPage(directory) {
  const server = http.createServer((request, response) => {
    const name = path.basename(new URL(request.url, "http://page").pathname);
    const file = path.join(directory, name);
    if (!fs.existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Length": fs.statSync(file).size });
    fs.createReadStream(file).pipe(response);
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  return { url, close: () => closed(server) };
}

/** A registry that has what is published to it, and all else from the registry that this machine uses. */
async function startRegistry(directory) {
  const installed = path.join(__dirname, "node_modules", "verdaccio");
  if (!fs.existsSync(installed)) {
    const { status } = spawnSync("npm", ["ci", "--ignore-scripts", "--prefix", __dirname], {
      stdio: "inherit",
    });
    if (status !== 0) throw new Error("the registry of the rehearsal could not be installed");
  }
  const { stdout } = spawnSync("npm", ["config", "get", "registry"], { encoding: "utf8" });
  const { runServer } = require(installed);
  const own = { access: "$all", publish: "$all", unpublish: "$all" };
  const server = await runServer({
    self_path: directory,
    storage: path.join(directory, "storage"),
    auth: { htpasswd: { file: path.join(directory, "htpasswd") } },
    uplinks: { ordinary: { url: stdout.trim(), timeout: "120s", max_fails: 100 } },
    packages: { "pulumi-domain-monitoring*": own, "**": { access: "$all", proxy: "ordinary" } },
    web: { enable: false },
    log: { type: "stdout", level: "fatal" },
  });
  const url = `http://127.0.0.1:${await listen(server)}/`;
  return { url, close: () => closed(server) };
}

module.exports = { startPage, startRegistry };
