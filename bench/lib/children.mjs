/** A process of our own that is gone when the work is done, whatever came of it. */
import { fork } from "node:child_process";
import { once } from "node:events";

/**
 * Forks a module, waits for its first message, does the work with it, and ends it in every outcome.
 * The modules end by themselves when their parent goes away (`disconnect`), so that a killed bench
 * leaves nothing.
 */
export async function withChild(module, { args = [], execArgv = [] }, work) {
  const child = fork(module, args, { execArgv, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const gone = once(child, "exit");
  try {
    const [ready] = await Promise.race([
      once(child, "message"),
      gone.then(([code]) => {
        throw new Error(`${module} ended with ${code} before it was ready`);
      }),
    ]);
    return await work(ready);
  } finally {
    child.kill("SIGKILL");
    await gone;
  }
}
