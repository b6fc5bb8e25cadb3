"use strict";

/** Stands for a module that is loaded when something of it is first used. */
module.exports = function lazily(load) {
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
