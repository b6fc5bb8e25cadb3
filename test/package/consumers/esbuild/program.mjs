import { NotificationChannel } from "pulumi-domain-monitoring";

new NotificationChannel("mail", {
  domainId: "11111111-1111-4111-8111-111111111111",
  label: "Bundled",
  type: "email",
  value: "a@b.example",
});
