/** Channels as programs declare them, and arbitrary ones for properties that hold for all. */
import { CHANNEL_TYPES, WEBHOOK_METHODS } from "../../../src/client/types";
import type { Properties } from "../../../src/provider/boundary";
import { fc } from "../../support/properties";

/** Secrets that no output of a test may hold. */
export const SLACK_URL = "https://hooks.slack.example/services/T000/B000/slack-secret";
export const WEBHOOK_URL = "https://hooks.example.com/in/webhook-secret?key=webhook-secret-key";
export const EMAIL = "email-secret@example.com";

/** The token of the services that tests start with one of their own. */
export const TOKEN = "token-secret-0123456789";
const SECRETS = [TOKEN, "slack-secret", "webhook-secret", "email-secret", "rotated-secret"];

export function expectNoSecret(text: string): void {
  for (const secret of SECRETS) expect(text).not.toContain(secret);
}

/** Id of the emulator's healthy example domain. */
export const DOMAIN = "11111111-1111-4111-8111-111111111111";

export const slackChannel: Properties = {
  domainId: DOMAIN,
  label: "Ops on-call",
  type: "slack",
  value: SLACK_URL,
};

export const webhookChannel: Properties = {
  domainId: DOMAIN,
  label: "Incident intake",
  type: "webhook",
  value: WEBHOOK_URL,
  secondaryValue: "PUT",
  dnsNotificationsEnabled: false,
};

export const emailChannel: Properties = {
  domainId: DOMAIN,
  label: "Registrar mailbox",
  type: "email",
  value: EMAIL,
};

/** The flags as outputs have them where none is declared. */
export const FLAGS = {
  whoisNotificationsEnabled: true,
  dnsNotificationsEnabled: true,
  sslNotificationsEnabled: true,
};

/** What a new channel has beside its inputs; `createdAt` is empty if only its id could be read. */
export function factsOf(channelId: string, typeHuman: string, createdAt: unknown = ""): Properties {
  const state = { isProtected: false, isDisabled: false, disabledReason: null };
  return { channelId, typeHuman, ...state, createdAt };
}

/** A text that no service would trim. */
const trimmed = (options: fc.StringConstraints) =>
  fc.string(options).filter((text) => text === text.trim() && !/[\r\n]/.test(text));

const flag = fc.option(fc.boolean(), { nil: null });

const destinations: Record<string, fc.Arbitrary<string>> = {
  email: fc.stringMatching(/^[a-z]{1,9}@[a-z]{1,9}\.example$/),
  webhook: fc.stringMatching(/^https?:\/\/[a-z]{1,9}\.example\/[\w-]{0,20}$/),
};

/** Any channel that breaks no rule, flags and optional inputs present or not. */
export const anyChannel: fc.Arbitrary<Properties> = fc
  .constantFrom(...CHANNEL_TYPES)
  .chain((type) =>
    fc.record(
      {
        domainId: fc.uuid(),
        label: trimmed({ unit: "grapheme-ascii", minLength: 3, maxLength: 100 }),
        type: fc.constant(type),
        value: fc.option(destinations[type] ?? fc.stringMatching(/^\S{1,40}$/), { nil: null }),
        secondaryValue:
          type === "webhook"
            ? fc.option(fc.constantFrom(...WEBHOOK_METHODS), { nil: null })
            : fc.option(trimmed({ minLength: 1 }), { nil: null }),
        whoisNotificationsEnabled: flag,
        dnsNotificationsEnabled: flag,
        sslNotificationsEnabled: flag,
      },
      { requiredKeys: ["domainId", "label", "type", "value"] },
    ),
  );
