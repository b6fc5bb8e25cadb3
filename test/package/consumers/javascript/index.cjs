"use strict";
const {
  daysUntil,
  getDnsChangesOutput,
  getDomain,
  NotificationChannel,
  Provider,
} = require("pulumi-domain-monitoring");
const {
  DomainMonitoringClient,
  DomainMonitoringError,
  toInstant,
} = require("pulumi-domain-monitoring/client");
const { forbidChannelTypes } = require("pulumi-domain-monitoring/policy");
const { channel } = require("pulumi-domain-monitoring/provider");
const { startEmulator, TestStack } = require("pulumi-domain-monitoring/testing");

const exported = [
  ...[daysUntil, getDnsChangesOutput, getDomain, NotificationChannel, Provider],
  ...[DomainMonitoringClient, DomainMonitoringError, toInstant],
  ...[forbidChannelTypes, channel.check, startEmulator, TestStack],
];
process.stdout.write(String(exported.every((found) => found !== undefined)));
