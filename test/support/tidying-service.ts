/**
 * A service in front of an emulator that tidies what it is given, as Laravel's middleware and
 * mutators do: it trims texts, keeps an empty one as null, and has colours, intervals and types of
 * records in lower case.
 */
import { type RewritingService, startRewriting } from "./rewriting-service";

const IN_LOWER_CASE = ["colour", "whois_check_interval", "dns_check_interval"];

export function startTidyingService(emulator: string): Promise<RewritingService> {
  return startRewriting(emulator, { request: tidied, response: inLowerCase });
}

function tidied(name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const trimmed = value.trim();
  if (trimmed === "") return null;
  return IN_LOWER_CASE.includes(name) ? trimmed.toLowerCase() : trimmed;
}

/** In responses only, as the emulator takes types of records in upper case. */
function inLowerCase(name: string, value: unknown): unknown {
  return name === "enabled_records" ? String(value).toLowerCase().split(",") : value;
}
