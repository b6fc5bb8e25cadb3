"use strict";
const path = require("node:path");

const MODULES = path.join(__dirname, "../../../node_modules");

/**
 * Stands for a module that is loaded when something of it is first used. For processes of Node, whose
 * modules jest does not share, the offline engine's preload does this.
 */
module.exports = function lazily(name) {
  // By its path: the name alone is what this stands for.
  const load = () => require(path.join(MODULES, name));

  return new Proxy(
    {},
    {
      get(_target, key) {
        // To an `import * as`, this is a module that needs no copy of its properties.
        if (key === "__esModule") return true;
        return key === "default" ? (load().default ?? load()) : load()[key];
      },
    },
  );
};
