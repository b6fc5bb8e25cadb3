"use strict";
module.exports = require("./lazily.cjs")("@npmcli/arborist");
