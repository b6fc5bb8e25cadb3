/** Every operation of the client, for what holds for each of them. */
import type { DomainMonitoringClient } from "../../../src/client";
import type { OperationName } from "../../../src/client/errors";
import { createChannel } from "./client";
import { DOMAIN_ID } from "./wire";

const OTHER_ID = "4ce28baa-1a63-4f71-9eb8-d9e5ba4bcb54";
const DOMAINS = "/api/domains";
const DOMAIN = `${DOMAINS}/${DOMAIN_ID}`;
const CHANNELS = `${DOMAIN}/notification-channels`;
const CHANNEL = `${CHANNELS}/${OTHER_ID}`;

/** The request that a call sends. */
interface Sent {
  sends: string;
  by(client: DomainMonitoringClient): Promise<unknown>;
}

export const OPERATIONS: Record<OperationName, Sent> = {
  "domains.get": { sends: `GET ${DOMAIN}`, by: ({ domains }) => domains.get(DOMAIN_ID) },
  "domains.list": { sends: `GET ${DOMAINS}`, by: ({ domains }) => domains.list() },
  "domains.create": {
    sends: `POST ${DOMAINS}`,
    by: ({ domains }) => domains.create({ domain: "shop.example", label: "Shop" }),
  },
  "domains.update": {
    sends: `PATCH ${DOMAIN}`,
    by: ({ domains }) => domains.update(DOMAIN_ID, { label: "Shop" }),
  },
  "whoisChanges.list": {
    sends: `GET ${DOMAIN}/changes/whois`,
    by: ({ whoisChanges }) => whoisChanges.list(DOMAIN_ID),
  },
  "dnsChanges.list": {
    sends: `GET ${DOMAIN}/changes/dns`,
    by: ({ dnsChanges }) => dnsChanges.list(DOMAIN_ID),
  },
  "notificationChannels.create": { sends: `POST ${CHANNELS}`, by: createChannel },
  "notificationChannels.list": {
    sends: `GET ${CHANNELS}`,
    by: ({ notificationChannels }) => notificationChannels.list(DOMAIN_ID),
  },
  "notificationChannels.get": {
    sends: `GET ${CHANNEL}`,
    by: ({ notificationChannels }) => notificationChannels.get(DOMAIN_ID, OTHER_ID),
  },
  "notificationChannels.update": {
    sends: `PATCH ${CHANNEL}`,
    by: ({ notificationChannels }) =>
      notificationChannels.update(DOMAIN_ID, OTHER_ID, { label: "Other" }),
  },
  "notificationChannels.delete": {
    sends: `DELETE ${CHANNEL}`,
    by: ({ notificationChannels }) => notificationChannels.delete(DOMAIN_ID, OTHER_ID),
  },
};
