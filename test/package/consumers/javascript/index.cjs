"use strict";
const entries = ["", "/client", "/policy", "/provider", "/testing"];
const exported = entries.map((entry) => Object.keys(require(`pulumi-domain-monitoring${entry}`)));
process.stdout.write(JSON.stringify(exported.map((names) => names.length > 0)));
