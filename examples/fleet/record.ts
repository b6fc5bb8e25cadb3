/** What earlier runs have done, kept beside the fleet file, so that a run goes on where the last one ended. */
import { randomBytes, scryptSync } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";

interface Entry {
  /** Of the inputs that were deployed. */
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
   * Stands for the inputs of a stack. Destinations are among them, so that a new one is deployed; as the file may lie in a
   * pipeline's cache, it is made so that trying out addresses against it is slow.
   */
  fingerprint(inputs: unknown): string {
    return scryptSync(JSON.stringify(inputs), this.#content.salt, 24).toString("hex");
  }

  /** Whether exactly these inputs were deployed by the last run of this stack. */
  isDone(stack: string, fingerprint: string): boolean {
    const entry = this.#content.stacks[stack];
    return entry?.result === "succeeded" && entry.inputs === fingerprint;
  }

  /** Stacks that were deployed once and are not among these. */
  others(stacks: string[]): string[] {
    return Object.keys(this.#content.stacks).filter((stack) => !stacks.includes(stack));
  }

  /** Written after each stack and in one step, so that a run that is killed loses nothing. */
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
