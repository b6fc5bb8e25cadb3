/** What still runs when a cell is over. */
import { readdirSync, readlinkSync } from "node:fs";

/**
 * Ends the processes that still run in a cell's directory. The engine starts plugins in separate process groups, so they survive
 * if it is killed. Only Linux shows a process's directory; elsewhere plugins exit when they notice that the engine is gone.
 */
export function endStragglers(directory) {
  if (process.platform !== "linux") return;
  for (const pid of readdirSync("/proc").map(Number).filter(Number.isInteger)) {
    if (pid !== process.pid && runsIn(pid, directory)) process.kill(pid, "SIGKILL");
  }
}

function runsIn(pid, directory) {
  try {
    return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${directory}/`);
  } catch {
    return false;
  }
}
