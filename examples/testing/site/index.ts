import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";
import * as tls from "@pulumi/tls";
import { getDomainOutput, NotificationChannel } from "pulumi-domain-monitoring";

const config = new pulumi.Config();
const shared = new pulumi.StackReference(config.require("sharedStack"));
const domainId = shared.requireOutput("domainId");
const { domain } = getDomainOutput({ id: domainId });

const key = new tls.PrivateKey("key", { algorithm: "ECDSA", ecdsaCurve: "P256" });
const request = new tls.CertRequest("request", {
  privateKeyPem: key.privateKeyPem,
  subject: { commonName: domain },
  dnsNames: [domain],
});

const token = new random.RandomPassword("token", {
  length: 32,
  special: false,
  keepers: { rotation: config.require("rotation") },
});
const alerts = new NotificationChannel("alerts", {
  domainId,
  label: "Alerts of the site",
  type: "webhook",
  value: pulumi.interpolate`https://alerts.example.com/${token.result}`,
  secondaryValue: "POST",
});

export const channelId = alerts.id;
export const certificateRequest = request.certRequestPem;
