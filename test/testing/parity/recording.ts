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
  const sorted = Object.fromEntries(scenarios.map(({ name }) => [name, recorded[name]]));
  writeFileSync(file, `${JSON.stringify({ engine, scenarios: sorted }, undefined, 1)}\n`);
}

/** @throws Error where the engine is not of the recorded version: what differs could be the version's */
export function expectVersion(recorded: string, here: string | undefined): void {
  if (recorded !== here)
    throw new Error(`recorded on ${recorded}, this is ${here}: record again with \`npm run record:engine\``);
}
