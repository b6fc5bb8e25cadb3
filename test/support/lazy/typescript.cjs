"use strict";
module.exports = require("./lazily.cjs")("typescript");
