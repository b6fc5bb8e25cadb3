"use strict";
module.exports = require("./lazily.cjs")("@pulumi/pulumi/automation");
