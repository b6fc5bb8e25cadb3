"use strict";
const pulumi = require("@pulumi/pulumi");

const config = new pulumi.Config("bench");
const domainId = config.require("domainId");

// What a generated SDK's class does.
for (let number = 0; number < config.requireNumber("count"); number++) {
  new pulumi.CustomResource("domain-monitoring:index:NotificationChannel", `channel-${number}`, {
    domainId,
    label: `Channel ${number}`,
    type: "slack",
    value: pulumi.secret(`https://hooks.example.com/services/T000/B000/destination-${number}`),
  });
}
