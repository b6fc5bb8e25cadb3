"use strict";
// The sources, tests and examples as tsconfig.json has them, for scripts that compile or read them.
const path = require("node:path");
const ts = require("typescript");

const root = path.join(__dirname, "..");

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

module.exports = { compilerSettings, root };
