"use strict";
module.exports = require("./lazily.cjs")(() =>
  require("../../../node_modules/@pulumi/pulumi/automation/index.js"),
);
