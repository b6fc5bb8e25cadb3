"use strict";
const pulumi = require("@pulumi/pulumi");
const { NotificationChannel } = require("pulumi-domain-monitoring");

const config = new pulumi.Config("bench");
const domainId = config.require("domainId");

for (let number = 0; number < config.requireNumber("count"); number++) {
  new NotificationChannel(`channel-${number}`, {
    domainId,
    label: `Channel ${number}`,
    type: "slack",
    value: pulumi.secret(`https://hooks.example.com/services/T000/B000/destination-${number}`),
  });
}
