"use strict";
const entries = ["", "/client", "/provider"].map((entry) => `pulumi-domain-monitoring${entry}`);
const names = [...entries, "domain-monitoring-emulator"];
const withoutExports = names.filter((name) => Object.keys(require(name)).length === 0);
process.stdout.write(JSON.stringify({ withoutExports }));
