/**
 * Projects whose program runs inline, as with the Automation API, in a process of its own: see
 * `inline-program.cjs`.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { EngineStack, Options, Outcome } from "./engines";

/** Creates a stack whose program is the `index.js` of a directory. */
export async function createInline(
  engine: "offline" | "real",
  { workDir, ...options }: Options,
): Promise<EngineStack> {
  const args = [engine, "index.js", JSON.stringify(options)];
  const child = fork(path.join(__dirname, "inline-program.cjs"), args, {
    cwd: workDir,
    env: { ...process.env, ...options.env },
  });

  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the process of the inline program ended with ${code}`);
  });

  // Also while nothing is asked of it.
  ended.catch(() => undefined);
  let written = "";

  async function ask(call: string) {
    child.send(call);
    const [answer] = await Promise.race([once(child, "message"), ended]);
    written = answer.written;
    return answer.outcome;
  }

  const run = async (operation: string) => withoutRepetition(await ask(operation));
  await Promise.race([once(child, "message"), ended]);

  return {
    preview: () => run("preview"),
    up: () => run("up"),
    refresh: () => run("refresh"),
    destroy: () => run("destroy"),
    state: () => ask("state"),
    written: () => written,
    async close() {
      child.send("close");
      await ended.catch(() => undefined);
    },
  };
}

/**
 * The SDK reports each error of an inline program, and at its end again the first of them, or all
 * of them in a line.
 */
function withoutRepetition(outcome: Outcome): Outcome {
  const messages = new Set<string>();
  const diagnostics = outcome.diagnostics.filter(({ severity, message }) => {
    if (severity !== "error") return true;
    const isRepeated = messages.has(message) || message.startsWith("One or more errors occurred");
    messages.add(message);
    return !isRepeated;
  });

  return { ...outcome, diagnostics };
}
