"use strict";
// The sources, tests and examples as tsconfig.json has them, for scripts that compile or read them,
// and the two compilers: 7 takes a quarter of the time, and 5 has an API that reads declarations.
const path = require("node:path");
const ts = require("typescript");

const root = path.join(__dirname, "..");

/** The command of TypeScript 7. */
const TSC = path.join(root, "node_modules/typescript-7/bin/tsc");

/**
 * The files and the compiler's options, some of which are replaced, with the errors in
 * tsconfig.json.
 */
function compilerSettings(options) {
  const host = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic({ messageText }) {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, "\n"));
    },
  };
  return ts.getParsedCommandLineOfConfigFile(path.join(root, "tsconfig.json"), options, host);
}

module.exports = { compilerSettings, root, TSC };
