import { NotificationChannel } from "pulumi-domain-monitoring";

new NotificationChannel("packed", {
  domainId: "11111111-1111-4111-8111-111111111111",
  label: "Packed",
  type: "email",
  value: "packed@example.com",
});
