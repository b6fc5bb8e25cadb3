/** What the real engine did in each scenario, and which version of it. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { scenarios } from "./scenarios";
import type { Entry } from "./transcript";

interface Recording {
  /** Version of the engine. */
  engine: string;
  scenarios: Record<string, Entry[]>;
}

const file = path.join(__dirname, "recorded.json");

export function readRecording(): Recording {
  return JSON.parse(readFileSync(file, "utf8"));
}

export function writeRecording({ engine, scenarios: recorded }: Recording): void {
  const names = scenarios.map(({ name }) => name).filter((name) => name in recorded);
  const sorted = Object.fromEntries(names.map((name) => [name, recorded[name]]));
  writeFileSync(file, `${textOf({ engine, scenarios: sorted }, 5)}\n`);
}

/** JSON that a person can compare: so many levels of it broken into lines, but for what is short. */
function textOf(value: unknown, levels: number, indent = ""): string {
  const text = JSON.stringify(value);
  if (levels === 0 || text.length < 120 || typeof value !== "object" || value === null) return text;
  const inner = `${indent} `;
  const parts = Array.isArray(value)
    ? value.map((element) => textOf(element, levels - 1, inner))
    : Object.entries(value).map(
        ([key, part]) => `${JSON.stringify(key)}: ${textOf(part, levels - 1, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}

/** @throws Error where the engine is not of the recorded version: what differs could be the version's */
export function expectVersion(recorded: string, here: string | undefined): void {
  if (recorded !== here)
    throw new Error(`recorded on ${recorded}, this is ${here}: record again with \`npm run record:engine\``);
}
