/**
 * TypeScript, loaded on the first look at it. The SDK loads it with its serializer of functions, which few test files reach,
 * and Jest loads every module anew for each file.
 */
let loaded;
const load = () => {
  loaded ??= require("../../node_modules/typescript/lib/typescript.js");
  return loaded;
};
module.exports = new Proxy({}, { get: (_target, key) => load()[key], has: (_target, key) => key in load() });
