"use strict";
// What the engine itself costs for a resource with these inputs: the provider process does nothing, no service is asked.
const pulumi = require("@pulumi/pulumi");

const config = new pulumi.Config("bench");
const domainId = config.require("domainId");

class Floor extends pulumi.CustomResource {
  constructor(name, args) {
    const __provider = 'exports.handler=()=>require("floor-provider")';
    super("pulumi-nodejs:dynamic/bench:Floor", name, { ...args, __provider });
  }
}

for (let number = 0; number < config.requireNumber("count"); number++) {
  new Floor(`channel-${number}`, {
    domainId,
    label: `Channel ${number}`,
    type: "slack",
    value: pulumi.secret(`https://hooks.example.com/services/T000/B000/destination-${number}`),
  });
}
