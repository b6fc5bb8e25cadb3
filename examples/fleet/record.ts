/**
 * Records what earlier runs deployed, in a file next to the fleet file, so that a run resumes where
 * the last one stopped.
 */
import { randomBytes, scryptSync } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";

interface Entry {
  /** Fingerprint of the deployed inputs. */
  inputs: string;
  result: "succeeded" | "failed";
  /** ISO 8601 in UTC. */
  at: string;
}

interface Content {
  version: 1;
  salt: string;
  stacks: Record<string, Entry>;
}

export class RunRecord {
  readonly #content: Content;

  constructor(private readonly file: string) {
    this.#content = read(file) ?? { version: 1, salt: randomBytes(16).toString("hex"), stacks: {} };
  }

  /**
   * A hash of a stack's inputs. It includes the destinations, so that a new one is deployed. As the
   * file may be in a pipeline's cache, the hash is slow, to make guessing destinations expensive.
   */
  fingerprint(inputs: unknown): string {
    return scryptSync(JSON.stringify(inputs), this.#content.salt, 24).toString("hex");
  }

  /** Whether the last run of this stack deployed exactly these inputs. */
  isDone(stack: string, fingerprint: string): boolean {
    const entry = this.#content.stacks[stack];
    return entry?.result === "succeeded" && entry.inputs === fingerprint;
  }

  /** Recorded stacks that are not in the list. */
  others(stacks: string[]): string[] {
    return Object.keys(this.#content.stacks).filter((stack) => !stacks.includes(stack));
  }

  /** Writes the file atomically after each stack, so that a killed run loses nothing. */
  note(stack: string, fingerprint: string, result: Entry["result"]): void {
    this.#content.stacks[stack] = { inputs: fingerprint, result, at: new Date().toISOString() };
    writeFileSync(`${this.file}.new`, `${JSON.stringify(this.#content, null, 2)}\n`);
    renameSync(`${this.file}.new`, this.file);
  }
}

function read(file: string): Content | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  const problem = `${file} is no record of this tool: remove it, and every stack is deployed again`;
  try {
    const content = JSON.parse(text);
    if (content.version === 1 && typeof content.salt === "string" && content.stacks) return content;
  } catch {
    throw new Error(problem);
  }
  throw new Error(problem);
}
