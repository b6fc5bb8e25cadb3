/**
 * Rules of faults: what a valid one is, as an object, JSON or text, and which request each hits.
 * `effects.ts` does what they say.
 */
import { z } from "zod";
import { flag, oneOf, onlyFields, type ResolvedOptions, whole } from "./options";
import { LISTED, MANAGED, OPERATIONS } from "./served";
import type { EmulatorOperation, FaultRule } from "./types";

/** The options that decide which operations are served. */
export type Served = Pick<ResolvedOptions, "lifecycle" | "listDomains">;

/** The longest wait that a timer of Node.js can hold. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/** Statuses whose responses have no body. */
export const STATUSES_WITHOUT_BODY = [204, 205, 304];

const point = oneOf(["before", "after", "headers", "body"]);
const TIMES = 'must be at least 1, or "always"';

const fields = {
  operation: oneOf(Object.keys(OPERATIONS) as EmulatorOperation[]),
  times: z.union(
    [z.literal(["always", Number.POSITIVE_INFINITY]), z.number().min(1, TIMES)],
    TIMES,
  ),
  after: z.number("must be a number").min(0, "must not be negative"),
  delayMs: whole("of milliseconds from 1", 1, MAX_WAIT_MS),
  status: whole("from 200 to 599", 200, 599),
  headers: z.record(z.string(), z.string("must be text"), "must be names with text"),
  body: z.unknown(),
  garbage: flag,
  truncate: whole("of bytes from 0", 0),
  reset: point,
  stall: point,
} satisfies { [Name in keyof FaultRule]-?: z.ZodType<FaultRule[Name]> };

type Field = keyof FaultRule;

/** Effects of a rule; the other fields say when, or belong to one of these. */
const EFFECTS: Field[] = ["status", "headers", "garbage", "truncate", "delayMs", "reset", "stall"];
/** Effects that only show in a response that is sent. */
const IN_ANSWER: Field[] = ["status", "headers", "garbage", "truncate"];
/** Effects that only show in a response that has a body. */
const IN_BODY: Field[] = ["body", "garbage", "truncate", "reset", "stall"];

/** A rule that has an effect. Each message continues "a fault" or "a fault's `field`". */
export const faultRule: z.ZodType<FaultRule> = onlyFields(fields).superRefine(
  (rule, { addIssue }) => {
    const refuse = (field: Field | undefined, message: string) =>
      addIssue({
        code: "custom",
        path: field === undefined ? [] : [field],
        message,
      });

    const has = (field: Field) => rule[field] !== undefined && rule[field] !== false;

    if (!EFFECTS.some(has)) return refuse(undefined, `needs one of ${EFFECTS.join(", ")}`);

    if (has("body") && !has("status"))
      refuse("body", "needs a `status`: without one the real response is sent");

    if (has("reset") && has("stall"))
      refuse("stall", "cannot be combined with `reset`: a request ends only once");

    const ending = has("reset") ? "reset" : "stall";
    const unsent = IN_ANSWER.find(has);

    if ((rule[ending] === "before" || rule[ending] === "after") && unsent !== undefined)
      refuse(
        unsent,
        `has no effect with \`${ending}: "${rule[ending]}"\`, which sends no response`,
      );

    const bodily = IN_BODY.find(has);

    if (STATUSES_WITHOUT_BODY.includes(rule.status ?? 0) && bodily !== undefined)
      refuse(bodily, `has no effect with the status ${rule.status}, whose responses have no body`);
  },
);

/** @throws RangeError for a rule that is not valid, has no effect or can hit nothing */
function checkFaultRule(rule: unknown, { lifecycle, listDomains }: Served): FaultRule {
  const checked = validFaultRule(rule);
  const { operation = "getDomain" } = checked;
  const start: string | undefined = OPERATIONS[operation];
  if ((start === MANAGED && lifecycle !== "managed") || (start === LISTED && !listDomains))
    throw new RangeError(
      `a fault's \`operation\` is ${operation}, which is not served: start the emulator ${start}`,
    );

  return checked;
}

function validFaultRule(rule: unknown): FaultRule {
  const checked = faultRule.safeParse(rule);
  if (checked.success) return checked.data;

  const { path = [], message = "is not valid" } = checked.error.issues[0] ?? {};

  throw new RangeError(
    path.length === 0 ? `a fault ${message}` : `a fault's \`${path.join(".")}\` ${message}`,
  );
}

/**
 * Reads a rule as it is written on a command line: as JSON, or in the short form
 * `operation:name=value,name=value`, where the operation may be left out and `headers.NAME=value`
 * adds a header.
 *
 * @throws RangeError that says what to change
 */
export function readFaultRule(text: string): FaultRule {
  return validFaultRule(text.trimStart().startsWith("{") ? fromJson(text) : fromShortForm(text));
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RangeError('not valid JSON: use an object such as {"status": 503}');
  }
}

function fromShortForm(text: string): object {
  const [, operation = "*", parts = ""] = /^(?:([A-Za-z*]+):)?(.*)$/s.exec(text.trim()) ?? [];
  const rule: Record<string, unknown> = operation === "*" ? {} : { operation };

  for (const part of parts.split(",")) {
    const [, header, name = "", value = ""] =
      /^(?:headers\.([\w-]+)|([\w.-]+))=(.*)$/s.exec(part.trim()) ?? [];

    if (header !== undefined) rule.headers = Object.assign(rule.headers ?? {}, { [header]: value });
    else if (name !== "") rule[name] = name === "body" ? value : scalarIn(value);
    else
      throw new RangeError(
        `"${part}" is not of the form name=value: use getDomain:status=503,times=2`,
      );
  }

  return rule;
}

function scalarIn(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

interface PendingFault {
  readonly rule: FaultRule;

  /** Matching requests to let pass before the first hit. */
  after: number;

  /** Hits that are left. */
  times: number;
}

/** The faults of one emulator. */
export class Faults {
  readonly #served: Served;
  readonly #initial: readonly FaultRule[];
  #pending: PendingFault[] = [];

  /**
   * @throws RangeError that says what to change, for a rule that is not valid, has no effect or can
   * hit nothing
   */
  constructor(rules: readonly FaultRule[], served: Served) {
    this.#served = served;
    this.#initial = rules.map((rule) => checkFaultRule(rule, served));
    this.reset();
  }

  /** @throws RangeError as the constructor */
  add(given: FaultRule): void {
    const rule = checkFaultRule(given, this.#served);
    const { after = 0, times = 1 } = rule;
    this.#pending.push({
      rule,
      after,
      times: times === "always" ? Number.POSITIVE_INFINITY : times,
    });
  }

  clear(): void {
    this.#pending = [];
  }

  /** Back to the initial rules, as if they had hit nothing yet. */
  reset(): void {
    this.clear();
    for (const rule of this.#initial) this.add(rule);
  }

  /**
   * Counts a request and returns the rule that hits it: the oldest one that is due. Every other
   * matching rule counts it too, so that no rule depends on the others.
   */
  take(operation: EmulatorOperation): FaultRule | undefined {
    let hit: FaultRule | undefined;
    for (const fault of this.#pending) {
      if ((fault.rule.operation ?? operation) !== operation) continue;
      if (fault.after > 0) {
        fault.after -= 1;
      } else if (hit === undefined) {
        hit = fault.rule;
        fault.times -= 1;
      }
    }

    this.#pending = this.#pending.filter(({ times }) => times > 0);

    return hit;
  }
}
