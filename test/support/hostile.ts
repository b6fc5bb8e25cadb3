/**
 * A service that puts texts into its answers: the emulator, behind a server on loopback that
 * rewrites what it answers.
 */
import type { Emulator } from "../../packages/domain-monitoring-emulator/src";
import { UNKNOWN_VALUES } from "../../src/provider/boundary";
import { type RewritingService, startRewriting } from "./rewriting-service";

/** The token that the service knows, and the channel's destination. */
export const TOKEN = "7|qWvTzrKfHbNpLsDgXjMcYtRwZkBhVnQs0123";
export const OWN = "https://hooks.own.example/services/T0AB/own-hook-secret";

/** Forms in which a service may quote its token. */
const OF_TOKEN = [
  TOKEN,
  TOKEN.slice(0, 20),
  (TOKEN.match(/.{1,4}/g) ?? []).join(" "),
  Buffer.from(TOKEN).toString("hex"),
  Buffer.from(TOKEN).toString("base64"),
  Buffer.from(`Bearer ${TOKEN}`).toString("base64"),
];

/**
 * Commands that Azure and GitHub obey in a log, also with a character between that shows nothing.
 */
const COMMANDS = [
  "::error::x",
  "::add-mask::x",
  "##vso[task.complete]x",
  "##[error]x",
  "#\u200d#vso[x]y",
];

/** Texts that fields of a service's answers may hold. */
export const TEXTS = {
  secrets: OF_TOKEN.join(" and "),
  commands: COMMANDS.join("\n"),
  mark: UNKNOWN_VALUES.boolean as string,
};

/** Parts of a token, of ten letters and digits, plain and encoded: none may show up anywhere. */
const PARTS = OF_TOKEN.flatMap((form) => {
  const letters = form
    .replace(/[^a-z\d]/gi, "")
    .replace(/^QmVhcmVyI\w{2}/, "")
    .toLowerCase();

  return Array.from({ length: letters.length - 9 }, (_, at) => letters.slice(at, at + 10));
});

/** The parts of a text that give a secret away. */
export function leaksIn(shown: string): string[] {
  const letters = shown.replace(/[^a-z\d]/gi, "").toLowerCase();

  return [
    ...[OWN, "own-hook"].filter((secret) => shown.includes(secret)),
    ...PARTS.filter((part) => letters.includes(part)),
  ];
}

/** The lines of a text that a pipeline would obey. */
export function commandsIn(shown: string): string[] {
  return shown
    .split(/[\r\n\u2028\u2029]/)
    .filter((line) =>
      /#\p{DI}*#\p{DI}*(?:v\p{DI}*s\p{DI}*o)?\p{DI}*\[|^[\s\p{DI}]*:\p{DI}*:/u.test(line),
    );
}

export interface HostileService extends RewritingService {
  /**
   * Responds with these texts in the fields of these names from now on, at any depth. The others
   * are as the emulator has them.
   */
  say(texts: Record<string, string>): void;
}

export async function startHostile(emulator: Emulator): Promise<HostileService> {
  let said = new Map<string, string>();
  const service = await startRewriting(emulator.url, {
    response: (name, value) => said.get(name) ?? value,
  });

  return {
    ...service,
    say: (texts) => {
      said = new Map(Object.entries(texts));
    },
  };
}

/** The same text in these fields. */
export function everywhere(text: string, fields: readonly string[]): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field, text]));
}
