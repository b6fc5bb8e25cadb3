// One channel of every shape that a state can hold. Change it only by adding: what releases have recorded stays as it is.
const { NotificationChannel } = require("pulumi-domain-monitoring");

const domainId = "11111111-1111-4111-8111-111111111111";

new NotificationChannel("mail", {
  domainId,
  label: "Registrar desk",
  type: "email",
  value: "desk@example.com",
});
new NotificationChannel("webhook", {
  domainId,
  label: "Automation",
  type: "webhook",
  value: "https://automation.example.com/hook",
  secondaryValue: "PATCH",
  dnsNotificationsEnabled: false,
});
new NotificationChannel("none", {
  domainId,
  label: "No destination",
  type: "pushover",
  value: null,
});
new NotificationChannel("refusing", {
  domainId,
  label: "Ünïcode 🛰️",
  type: "slack",
  value: "https://hooks.slack.com/services/x",
  sslNotificationsEnabled: null,
});
