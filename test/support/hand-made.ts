/** The channels of docs/import-and-adopt.md, as somebody made them by hand. */
import type { ChannelSeed } from "../../packages/domain-monitoring-emulator/src";

/** Id of the domain that has them. */
export const GUIDE_DOMAIN = "11111111-1111-4111-8111-111111111111";

/** They are adopted, but for the first, which the service protects. */
export const GUIDE_CHANNELS: ChannelSeed[] = [
  {
    id: "33333333-3333-4333-8333-333333333333",
    label: "Account owner",
    type: "email",
    isProtected: true,
    createdAt: "2025-03-01 09:00:00",
  },
  {
    id: "44444444-4444-4444-8444-444444444444",
    label: "Registrar desk",
    type: "email",
    createdAt: "2025-04-07 14:12:31",
  },
  {
    id: "55555555-5555-4555-8555-555555555555",
    label: "On-call",
    type: "slack",
    sslNotificationsEnabled: false,
    createdAt: "2025-06-19 08:45:10",
  },
  {
    id: "66666666-6666-4666-8666-666666666666",
    label: "Automation",
    type: "webhook",
    secondaryValue: "PUT",
    createdAt: "2025-11-02 16:30:00",
  },
];
