"use strict";
// `npm run bench`: measures, and writes the figures into bench/README.md.
const { runStep } = require("./steps.cjs");

runStep("bench", {
  client: {
    says: "our client and seven others, on the same loopback service; about 3 minutes",
    commands: ["npm run build", "npm ci --prefix bench", "node bench/client.mjs"],
  },
  deploy: {
    says: "our resource, dynamic and by the plugin, a first author's and an empty one; up to 40 minutes",
    commands: ["npm run build", "npm run build:plugin", "node bench/deploy.mjs"],
  },
  plugin: {
    says: "the processes of the provider plugin and the dynamic provider",
    commands: ["npm run build", "npm run build:plugin -- --standalone", "node bench/plugin.mjs"],
  },
});
