"use strict";
// The program of the deployments: channels in one of three forms, each with the same four inputs.
const pulumi = require("@pulumi/pulumi");

const config = new pulumi.Config("bench");

/** By form, what makes a constructor of resources. */
const FORMS = {
  ours: () => require("pulumi-domain-monitoring").NotificationChannel,
  // What a generated SDK's class does.
  plugin: () => pulumi.CustomResource.bind(null, "domain-monitoring:index:NotificationChannel"),
  // What Pulumi itself costs for a resource with these inputs and outputs: nothing is checked, no service is asked.
  floor: () => {
    const unknownYet = Object.fromEntries(
      require("floor-provider").outputs.map((name) => [name, undefined]),
    );
    return class extends pulumi.CustomResource {
      constructor(name, args) {
        const __provider = 'exports.handler=()=>require("floor-provider")';
        const inputs = { ...unknownYet, ...args, __provider };
        const type = "pulumi-nodejs:dynamic/domain-monitoring:Floor";
        super(type, name, inputs, { additionalSecretOutputs: ["value"] });
      }
    };
  },
};

const Channel = FORMS[config.require("form")]();
const domainId = config.require("domainId");
for (let number = 0; number < config.requireNumber("count"); number++)
  new Channel(`channel-${number}`, {
    domainId,
    label: `Channel ${number}`,
    type: "slack",
    value: pulumi.secret(`https://hooks.example.com/services/T000/B000/destination-${number}`),
  });
