/**
 * The processes of an engine, which do not all end with it: some have a group of their own, and a
 * language host may stay.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Those with this home (Linux only: elsewhere none are found). */
export function processesOf({ PULUMI_HOME }: NodeJS.ProcessEnv): number[] {
  return (existsSync("/proc") ? readdirSync("/proc") : [])
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) =>
      read(`/proc/${pid}/environ`).split("\0").includes(`PULUMI_HOME=${PULUMI_HOME}`),
    )
    .map(Number);
}

/** Kills processes, some of which may have ended already. */
export function kill(...pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Gone.
    }
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
