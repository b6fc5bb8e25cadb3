/** Fault rules that come as text: from the command line, or as JSON over the control endpoint. */
import { z } from "zod";
import { BREAKING_POINTS, checkFault } from "./fault-check";
import type { FaultRule } from "./fault-types";
import { OPERATIONS } from "./operations";

/** The shape of a rule. Whether its parts go together is asked of `fault-check.ts`. */
export const faultRule: z.ZodType<FaultRule> = z.strictObject({
  operation: z.enum(OPERATIONS).optional(),
  times: z.union([z.number(), z.literal("always")]).optional(),
  after: z.number().optional(),
  probability: z.number().optional(),
  seed: z.number().optional(),
  delayMs: z.number().optional(),
  status: z.number().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
  contentType: z.string().optional(),
  garbage: z.boolean().optional(),
  truncate: z.number().optional(),
  drip: z.strictObject({ chunkBytes: z.number(), everyMs: z.number() }).optional(),
  reset: z.enum(BREAKING_POINTS).optional(),
  stall: z.enum(BREAKING_POINTS).optional(),
  refuseMs: z.number().optional(),
});

/**
 * Reads a rule as it is written on a command line: as JSON, or in the short form
 * `operation:name=value,name=value`, where the operation may be left out and a dot leads into `headers` and `drip`.
 *
 * @throws RangeError that says what to change
 */
export function readFaultRule(text: string): FaultRule {
  const read = faultRule.safeParse(text.trimStart().startsWith("{") ? fromJson(text) : fromShortForm(text));
  if (!read.success) {
    const [issue] = read.error.issues;
    const where = issue?.path.join(".");
    throw new RangeError(where ? `${where}: ${issue?.message}` : (issue?.message ?? "is no rule"));
  }
  checkFault(read.data);
  return read.data;
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RangeError("starts like JSON and is none");
  }
}

function fromShortForm(text: string): Record<string, unknown> {
  const [, operation, parts = ""] = /^(?:([A-Za-z*]+):)?(.*)$/s.exec(text.trim()) ?? [];
  const rule: Record<string, unknown> = {};
  if (operation !== undefined && operation !== "*") rule.operation = operation;
  const groups = new Map<string, Record<string, unknown>>();
  for (const part of parts.split(",")) {
    const [, group, name = "", value = ""] = /^(?:(\w+)\.)?([\w-]+)=(.*)$/s.exec(part.trim()) ?? [];
    if (name === "")
      throw new RangeError(`"${part}" is not of the form name=value, as in getDomain:status=503,times=2`);
    if (group === undefined) {
      rule[name] = TEXTS.includes(name) ? value : scalarIn(value);
    } else {
      const members = groups.get(group) ?? {};
      members[name] = group === "headers" ? value : scalarIn(value);
      groups.set(group, members);
      rule[group] = members;
    }
  }
  return rule;
}

/** Parts of a rule that stay text, whatever they look like. */
const TEXTS = ["body", "contentType"];

function scalarIn(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
