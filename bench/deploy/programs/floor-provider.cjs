"use strict";
let created = 0;

module.exports = {
  check: async (_olds, news) => ({ inputs: news, failures: [] }),
  diff: async () => ({ changes: false, replaces: [] }),
  create: async (inputs) => ({ id: `floor-${created++}`, outs: inputs }),
  delete: async () => {},
};
