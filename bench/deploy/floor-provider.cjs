"use strict";
const { randomUUID } = require("node:crypto");

/** What a channel has beside its inputs. */
const facts = {
  secondaryValue: null,
  whoisNotificationsEnabled: true,
  dnsNotificationsEnabled: true,
  sslNotificationsEnabled: true,
  channelId: "",
  typeHuman: "Slack",
  isProtected: false,
  isDisabled: false,
  disabledReason: null,
  createdAt: "2026-01-01 00:00:00",
};

module.exports = {
  outputs: Object.keys(facts),
  check: async (_olds, news) => ({ inputs: news, failures: [] }),
  diff: async () => ({ changes: false, replaces: [] }),
  create: async (inputs) => {
    const id = randomUUID();
    return { id, outs: { ...inputs, ...facts, channelId: id } };
  },
  delete: async () => {},
};
