"use strict";
const pulumi = require("@pulumi/pulumi");
const { NotificationChannel } = require("pulumi-domain-monitoring");

const domainId = new pulumi.Config("bench").require("domainId");
// Written by the benchmark before each operation.
const { count, label, destination, lifecycle } = require("./declared.json");

for (let number = 0; number < count; number++) {
  new NotificationChannel(`channel-${number}`, {
    domainId,
    label: `${label} ${number}`,
    type: "slack",
    value: pulumi.secret(`https://hooks.example.com/services/T000/B000/${destination}-${number}`),
    lifecycle,
  });
}
