"use strict";
// Loads TypeScript in a process that is not Jest's.
const { transformFileSync } = require("@swc/core");

const jsc = { parser: { syntax: "typescript" }, target: "es2022" };
require.extensions[".ts"] = (module, file) => {
  module._compile(transformFileSync(file, { jsc, module: { type: "commonjs" } }).code, file);
};
