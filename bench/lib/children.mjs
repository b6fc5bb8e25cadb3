/** Processes of our own, each with an end: what was forked is gone when the work is done, whatever came of it. */
import { fork } from "node:child_process";
import { once } from "node:events";

/**
 * Forks a module, waits for its first message, does the work with it, and ends it in every outcome.
 * The modules end by themselves when their parent goes away (`disconnect`), so that a killed bench leaves nothing.
 */
export async function withChild(module, { args = [], execArgv = [], signal } = {}, work) {
  const child = fork(module, args, { execArgv, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const gone = once(child, "exit");
  try {
    const [ready] = await Promise.race([
      once(child, "message", { signal }),
      gone.then(([code]) => {
        throw new Error(`${module} ended with ${code} before it was ready`);
      }),
    ]);
    return await work(ready, child);
  } finally {
    child.kill("SIGKILL");
    await gone;
  }
}

/** Asks a child and waits for its answer. */
export async function ask(child, question) {
  child.send(question);
  const [answer] = await once(child, "message");
  return answer;
}

/** A signal that fires at Ctrl+C, at SIGTERM or after so many minutes; the work then ends by its `finally` blocks. */
export function bounded(minutes) {
  const controller = new AbortController();
  const stop = (reason) => controller.abort(new Error(reason));
  const timer = setTimeout(() => stop(`the time limit of ${minutes} minutes is over`), minutes * 60_000);
  timer.unref();
  for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stop(`ended by ${name}`));
  return controller.signal;
}
