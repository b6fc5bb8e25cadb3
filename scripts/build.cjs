"use strict";
// Compiles all packages to an empty dist/, so that no output of a removed source is packed:
// JavaScript without comments, which stay in the declarations, and only the declarations that an
// entry point leads to.
//
//     node scripts/build.cjs
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const ts = require("typescript");
const { PACKAGES, root } = require("./packed.cjs");
const { TSC } = require("./sources.cjs");

/** Of TypeScript 5, as 7 removes the declarations' comments with the code's. */
const printer = ts.createPrinter({ removeComments: true });

/** Moves what was compiled from a package's sources to its dist/. */
function write(compiled, directory) {
  const from = path.join(compiled, directory, "src");
  for (const name of fs.readdirSync(from, { recursive: true })) {
    if (!/\.(js|d\.ts)$/.test(name)) continue;
    const text = fs.readFileSync(path.join(from, name), "utf8");
    const written = name.endsWith(".js")
      ? printer.printFile(ts.createSourceFile(name, text, ts.ScriptTarget.ES2022))
      : // The page has no place in a package.
        text.replaceAll("interface.md", "the service's interface");
    const target = path.join(root, directory, "dist", name);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, written);
  }
}

/**
 * Removes the declarations that no entry point of a package leads to: nobody can import their
 * modules.
 */
function removeUnreachable(directory) {
  const { exports: exported } = require(path.join(directory, "package.json"));
  const reached = new Set();
  const visit = (file) => {
    if (reached.has(file)) return;
    reached.add(file);
    const text = fs.readFileSync(file, "utf8");
    for (const [, target] of text.matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*"(\.[^"]*)"/g)) {
      const base = path.join(path.dirname(file), target);
      visit([`${base}.d.ts`, path.join(base, "index.d.ts")].find((one) => fs.existsSync(one)));
    }
  };
  for (const { types } of Object.values(exported)) if (types) visit(path.join(directory, types));
  const dist = path.join(directory, "dist");
  for (const name of fs.readdirSync(dist, { recursive: true })) {
    const file = path.join(dist, name);
    if (name.endsWith(".d.ts") && !reached.has(file)) fs.rmSync(file);
  }
}

function build() {
  for (const directory of PACKAGES)
    fs.rmSync(path.join(root, directory, "dist"), { recursive: true, force: true });
  const compiled = fs.mkdtempSync(path.join(os.tmpdir(), "compiled-"));
  try {
    // More threads take twice the processor time, and on two cores as long.
    const args = [TSC, "--singleThreaded", "-p", "tsconfig.build.json", "--outDir", compiled];
    const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
    if (status !== 0) return false;
    for (const directory of PACKAGES) write(compiled, directory);
  } finally {
    fs.rmSync(compiled, { recursive: true, force: true });
  }
  for (const directory of PACKAGES) removeUnreachable(path.join(root, directory));
  fs.chmodSync(path.join(root, "dist/cli/main.js"), 0o755);
  return true;
}

if (!build()) process.exitCode = 1;
