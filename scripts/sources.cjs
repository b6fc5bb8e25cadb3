"use strict";
// The two compilers: TypeScript 7 takes a quarter of the time, and 5 has an API, by which scripts read
// the declarations.
const path = require("node:path");
const ts = require("typescript");

const root = path.join(__dirname, "..");

/** The command of TypeScript 7. */
const TSC = path.join(root, "node_modules/typescript-7/bin/tsc");

let program;

/** The sources of this package as TypeScript 5 reads them: once, as it takes seconds. */
function compiled() {
  if (program) return program;
  const host = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic({ messageText }) {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, "\n"));
    },
  };
  const settings = { types: ["node"], incremental: false, tsBuildInfoFile: undefined };
  const file = path.join(root, "tsconfig.json");
  const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(file, settings, host);
  const source = path.join(root, "src", "/").replaceAll(path.sep, "/");
  const files = fileNames.filter((name) => name.startsWith(source));
  program = ts.createProgram(files, options);
  return program;
}

module.exports = { compiled, root, TSC };
