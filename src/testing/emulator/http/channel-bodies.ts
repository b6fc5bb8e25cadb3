/**
 * The bodies of a create and an update of a channel (interface.md, section 4.4). The rules are the emulator's own, and not the
 * client's: a mistake in one of them shows against the other.
 */
import { z } from "@hono/zod-openapi";
import { CHANNEL_TYPES, LABEL_LENGTH, WEBHOOK_METHODS } from "../../../client/types";
import type { Wire } from "../../../client/wire/names";

// JSON Schema cannot express refinements and defaults of the work, so the document states them separately.
const label = z
  .string()
  .refine(
    (text) => [...text].length >= LABEL_LENGTH.minimum && [...text].length <= LABEL_LENGTH.maximum,
    `must have ${LABEL_LENGTH.minimum} to ${LABEL_LENGTH.maximum} characters`,
  )
  .meta({ minLength: LABEL_LENGTH.minimum, maxLength: LABEL_LENGTH.maximum });
const type = z.enum(CHANNEL_TYPES);

const flags = <Schema extends z.ZodType>(flag: Schema) => ({
  whois_notifications_enabled: flag,
  dns_notifications_enabled: flag,
  ssl_notifications_enabled: flag,
});
const webhookMethods: readonly string[] = WEBHOOK_METHODS;

/** The rule for a webhook's method. */
function hasValidMethod(body: { type?: string; secondary_value?: string | null }) {
  const { type, secondary_value: method } = body;
  return type !== "webhook" || method === undefined || method === null || webhookMethods.includes(method);
}

const invalidMethod = {
  path: ["secondary_value"],
  error: `must be one of ${WEBHOOK_METHODS.join(", ")} for a webhook`,
};

/** The same rule in JSON Schema. */
const webhookMethodForms = [
  { properties: { type: { enum: CHANNEL_TYPES.filter((known) => known !== "webhook") } } },
  { properties: { secondary_value: { enum: [...WEBHOOK_METHODS, null] } } },
];

export const createBody = z
  .strictObject({
    label,
    type,
    value: z.string().nullable(),
    secondary_value: z
      .string()
      .nullish()
      .meta({ description: `For a webhook the HTTP method: ${WEBHOOK_METHODS.join(", ")}.` }),
    ...flags(z.boolean().nullish().meta({ default: true })),
  })
  .refine(hasValidMethod, invalidMethod)
  .meta({
    id: "CreateNotificationChannel",
    description: "Unknown fields are refused.",
    example: { label: "On call", type: "email", value: "on-call@example.com" },
    anyOf: webhookMethodForms,
  });

/** The body of an update, which the interface does not show. */
export function updateBody(acceptsNull: boolean) {
  const destination: z.ZodType<string | null> = acceptsNull ? z.string().nullable() : z.string();
  return z
    .strictObject({
      label,
      type,
      value: destination,
      secondary_value: destination,
      ...flags(z.boolean()),
    })
    .partial()
    .refine(hasValidMethod, invalidMethod)
    .meta({
      id: "UpdateNotificationChannel",
      description: "Fields that are left out stay. Unknown fields are refused.",
      example: { label: "On call" },
      anyOf: webhookMethodForms,
    });
}

/** The fields of a valid body, in camelCase. */
export function channelFields<T extends object>(body: Wire<T>): T {
  const fields = Object.entries(body).map(([name, value]) => [
    name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(fields);
}
