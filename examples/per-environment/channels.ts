/**
 * Validates the channels in the stack's settings, so that a mistake is one clear message and not a
 * failed create.
 */
import * as pulumi from "@pulumi/pulumi";

const TYPES = ["email", "discord", "slack", "ms_teams", "pushover", "webhook"] as const;
const METHODS = ["POST", "PUT", "PATCH"] as const;

/** One channel of a stack. */
export interface ChannelSettings {
  label: string;
  type: (typeof TYPES)[number];
  /** Name of the secret in the stack's settings that contains the destination. */
  destination: string;
  /** HTTP method of a webhook. */
  method?: (typeof METHODS)[number];
}

/** The channels by name. @throws RunError with everything that is wrong */
export function readChannels(settings: unknown): Record<string, ChannelSettings> {
  const channels: Record<string, ChannelSettings> = {};
  const problems: string[] = [];
  if (typeof settings !== "object" || settings === null || Array.isArray(settings)) {
    throw new pulumi.RunError("config channels must be a map of channels by name: see README.md");
  }
  for (const [name, given] of Object.entries(settings)) {
    const { label, type, destination, method } = Object(given);
    const knownType = TYPES.find((known) => known === type);
    const knownMethod = METHODS.find((known) => known === method);
    if (typeof label !== "string") problems.push(`channels.${name}.label must be a text`);
    if (typeof destination !== "string")
      problems.push(`channels.${name}.destination must name a secret`);
    if (!knownType) problems.push(`channels.${name}.type must be one of ${TYPES.join(", ")}`);
    if (method !== undefined && !knownMethod)
      problems.push(`channels.${name}.method must be one of ${METHODS.join(", ")}`);
    if (knownType) channels[name] = { label, type: knownType, destination, method: knownMethod };
  }
  if (problems.length > 0) throw new pulumi.RunError(problems.join("\n"));
  return channels;
}
