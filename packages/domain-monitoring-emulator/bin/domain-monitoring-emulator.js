#!/usr/bin/env node
// Not in dist/: npm links a command only where its file exists when the package is installed, and a clone is built later.
require("../dist/command.js").runCommand(process.argv.slice(2));
