"use strict";
const entries = ["", "/client", "/policy", "/provider"].map((entry) => `pulumi-domain-monitoring${entry}`);
const exported = [...entries, "domain-monitoring-emulator"].map((name) => Object.keys(require(name)));
process.stdout.write(JSON.stringify(exported.map((names) => names.length > 0)));
