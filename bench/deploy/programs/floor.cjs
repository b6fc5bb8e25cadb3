"use strict";
// What Pulumi itself costs for a resource with these inputs and outputs: nothing is checked, no service is asked.
const pulumi = require("@pulumi/pulumi");
const { outputs } = require("floor-provider");

const config = new pulumi.Config("bench");
const domainId = config.require("domainId");

const unknownYet = Object.fromEntries(outputs.map((name) => [name, undefined]));

class Floor extends pulumi.CustomResource {
  constructor(name, args) {
    const __provider = 'exports.handler=()=>require("floor-provider")';
    super(
      "pulumi-nodejs:dynamic/domain-monitoring:Floor",
      name,
      { ...unknownYet, ...args, __provider },
      { additionalSecretOutputs: ["value"] },
    );
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
