"use strict";
module.exports = require("../lazily.cjs")(() =>
  require("../../../../node_modules/@npmcli/arborist"),
);
