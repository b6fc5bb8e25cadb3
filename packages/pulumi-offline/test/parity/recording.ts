/**
 * The recorded behaviour of the real engine in each scenario. `recorded.json` is of one version,
 * which the offline engine follows; `recorded-latest.json` is of a later one, and has only the
 * scenarios in which that behaves otherwise.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Entry } from "./transcript";

interface Recording {
  /** Version of the engine. */
  engine: string;
  scenarios: Record<string, Entry[]>;
}

const FILES = { pinned: "recorded.json", latest: "recorded-latest.json" };

/** A recording as it lies there; the latest has only what differs. */
export function readRecording(which: keyof typeof FILES): Recording {
  return JSON.parse(readFileSync(path.join(__dirname, FILES[which]), "utf8"));
}

/** Writes the complete recording of a version into the file that is for it. */
export function writeRecording({ engine, scenarios: recorded }: Recording): void {
  const pinned = readRecording("pinned");
  const which = engine === pinned.engine ? "pinned" : "latest";
  const written = Object.entries(recorded).filter(
    ([name, entries]) => which === "pinned" || !isDeepStrictEqual(entries, pinned.scenarios[name]),
  );

  const text = textOf({ engine, scenarios: Object.fromEntries(written) }, 5);
  writeFileSync(path.join(__dirname, FILES[which]), `${text}\n`);
}

/** JSON that a person can compare: so many levels in lines, but for what is short. */
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
