"use strict";
// Compiles all packages to an empty dist/, so that no output of a removed source is packed:
// JavaScript without comments, which stay in the declarations, and only the declarations that an
// entry point leads to.
//
//     node scripts/build.cjs [--check]
//
// With --check, the types of tests and examples are checked as well: in one program with the
// sources that takes two thirds of the time of a build and `npm run typecheck`.
const fs = require("node:fs");
const path = require("node:path");
const ts = require("typescript");
const { PACKAGES, root } = require("./packed.cjs");
const { compilerSettings } = require("./sources.cjs");

/** As the compiler names files, which is with `/` on every system. */
const ROOT = root.replaceAll(path.sep, "/");
/**
 * Never written: the compiler puts everything below one directory, and a package's sources belong
 * in its own dist/.
 */
const OUTPUT = `${ROOT}/compiled`;
const packageOf = (file) =>
  PACKAGES.find((directory) => file.startsWith(path.posix.join(ROOT, directory, "src/")));
// The plugin is a bundle of its own.
const isBuilt = (file) => packageOf(file) !== undefined && !file.startsWith(`${ROOT}/src/plugin/`);

const printer = ts.createPrinter({ removeComments: true });

function write(name, text) {
  const source = name.replace(OUTPUT, ROOT);
  const directory = path.join(root, packageOf(source));
  const target = path.join(directory, "dist", path.relative(path.join(directory, "src"), source));
  const written = name.endsWith(".js")
    ? printer.printFile(ts.createSourceFile(name, text, ts.ScriptTarget.ES2022))
    : // The page has no place in a package.
      text.replaceAll("interface.md", "the service's interface");
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, written);
}

/** Compiles what is built and checks the types of all files. @returns whether it found no errors */
function compile(all) {
  const { fileNames, options, errors } = compilerSettings({
    noEmit: false,
    declaration: true,
    incremental: false,
    tsBuildInfoFile: undefined,
    rootDir: ROOT,
    outDir: OUTPUT,
  });
  const program = ts.createProgram({
    rootNames: all ? fileNames : fileNames.filter(isBuilt),
    options,
    configFileParsingDiagnostics: errors,
  });
  const built = program.getSourceFiles().filter(({ fileName }) => isBuilt(fileName));
  const diagnostics = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSemanticDiagnostics(),
    ...built.flatMap((file) => program.emit(file, write).diagnostics),
  ];
  const host = {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => root,
    getNewLine: () => "\n",
  };
  process.stderr.write(ts.formatDiagnosticsWithColorAndContext(diagnostics, host));
  return diagnostics.length === 0;
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

for (const directory of PACKAGES)
  fs.rmSync(path.join(root, directory, "dist"), { recursive: true, force: true });
if (compile(process.argv.includes("--check"))) {
  for (const directory of PACKAGES) removeUnreachable(path.join(root, directory));
  fs.chmodSync(path.join(root, "dist/cli/main.js"), 0o755);
} else process.exitCode = 1;
