/** The domains that an emulator serves unless it is given others: one healthy, one to renew, one not yet checked. */

import type { DomainSeed } from "../types";
import { DAY, dateOnly, sqlTimestamp } from "./time";

function mailServer(value: string, priority: number) {
  return { host: "example.com", value, ttl: 3600, priority };
}

/**
 * Three domains in different states, with fixed ids and with dates relative to the given time.
 *
 * 1. `example.com` is healthy, expires in a year and has WHOIS and DNS changes.
 * 2. `example.org` expires in twelve days.
 * 3. `example.net` was just added: nothing has been checked, so what checks find out is null.
 */
export function exampleDomains(now: Date): DomainSeed[] {
  const daysAgo = (days: number) => sqlTimestamp(new Date(now.getTime() - days * DAY));
  const inDays = (days: number) => dateOnly(new Date(now.getTime() + days * DAY));
  return [
    {
      id: "11111111-1111-4111-8111-111111111111",
      domain: "example.com",
      label: "Company website",
      description: "The public website and its mail",
      provider: "Example Registrar",
      expiresAt: inDays(365),
      whoisChanges: [
        {
          id: "a1111111-1111-4111-8111-111111111111",
          fieldChanged: "nameservers",
          createdAt: daysAgo(20),
        },
        {
          id: "a2222222-2222-4222-8222-222222222222",
          fieldChanged: "registrar",
          createdAt: daysAgo(21),
        },
      ],
      dnsChanges: [
        {
          id: "b1111111-1111-4111-8111-111111111111",
          fieldChanged: "mx_records",
          oldValue: [mailServer("mail.former.example", 10)],
          newValue: [mailServer("mail1.example.net", 10), mailServer("mail2.example.net", 20)],
          createdAt: daysAgo(3),
        },
        {
          id: "b2222222-2222-4222-8222-222222222222",
          fieldChanged: "a_records",
          oldValue: [{ host: "example.com", value: "192.0.2.10", ttl: 3600 }],
          newValue: [{ host: "example.com", value: "192.0.2.20", ttl: 3600 }],
          createdAt: daysAgo(19),
        },
      ],
    },
    {
      id: "22222222-2222-4222-8222-222222222222",
      domain: "example.org",
      label: "Campaign site",
      provider: "Example Registrar",
      expiresAt: inDays(12),
    },
    {
      id: "33333333-3333-4333-8333-333333333333",
      domain: "example.net",
      label: "New domain",
      checked: false,
    },
  ];
}
