/**
 * Mistakes in programs, each with the last line of the compiler's message: it names the mistake, in
 * words that a reader of the program knows.
 */
export const PRELUDE = `
import { DomainAlerts, getDomain, getDomainOutput, NotificationChannel } from "pulumi-domain-monitoring";
const domainId = "11111111-1111-4111-8111-111111111111";
const known = { domainId, label: "Ops on-call", value: null };
const slack = new NotificationChannel("slack", { ...known, type: "slack" });
`;

const NO_METHOD = `Type '"GET"' is not assignable to type 'Input<"PATCH" | "POST" | "PUT" | null | undefined>'.`;

/** Messages by the code of the mistake; `…` is a list of literals in no fixed order. */
export const MISTAKES: Record<string, string> = {
  'new NotificationChannel("x", { ...known, type: "webhook", secondaryValue: "GET" })': NO_METHOD,
  'new NotificationChannel("x", { ...known, type: slack.type, secondaryValue: "GET" })': NO_METHOD,
  'new NotificationChannel("x", { ...known, type: "fax" })':
    'Type \'"fax"\' is not assignable to type \'"webhook" | …',
  'new NotificationChannel("x", { label: "Ops", value: null, type: "slack" })':
    "Property 'domainId' is missing in type '{ label: string; value: null; type: \"slack\"; }' but required in type 'OtherChannelArgs'.",
  'new NotificationChannel("x", { ...known, type: "slack", lable: "Ops" })':
    "Object literal may only specify known properties, but 'lable' does not exist in type 'OtherChannelArgs'. Did you mean to write 'label'?",
  'new DomainAlerts("x", { domainId, channels: { ops: { label: "Ops", type: "webhook", value: null, secondaryValue: "GET" } } })':
    NO_METHOD,
  'new DomainAlerts("x", { domainId, channels: { ops: { label: "Ops", type: "slack", value: null, opts: { protekt: true } } } })':
    "Object literal may only specify known properties, but 'protekt' does not exist in type 'CustomResourceOptions'. Did you mean to write 'protect'?",
  'new DomainAlerts("x", { domainId, channels: {}, expiry: { minimumDays: "30" } })':
    "Type 'string' is not assignable to type 'Input<number>'.",
  "getDomain({ id: domainId }, { dependsOn: slack })":
    "Object literal may only specify known properties, and 'dependsOn' does not exist in type 'FunctionOptions'.",
  "getDomain({ id: slack.domainId })":
    "Type 'Output<string>' is not assignable to type 'string | undefined'.",
  'getDomain({ id: domainId, domain: "example.com" })':
    "Type 'string' is not assignable to type 'undefined'.",
  'getDomain({ name: "example.com" })':
    "Object literal may only specify known properties, and 'name' does not exist in type 'GetDomainArgs'.",
  "getDomain({})": "Argument of type '{}' is not assignable to parameter of type 'GetDomainArgs'.",
};
