/** Deploys every team's stack, one after the other: `npm run fleet`, or with `-- --preview`. */
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { readFleet } from "./fleet-file";

const workDir = process.cwd();
const isPreview = process.argv.includes("--preview");

async function main(): Promise<void> {
  const failed: string[] = [];
  for (const stackName of Object.keys(readFleet(workDir).teams)) {
    process.stdout.write(`== ${stackName}\n`);
    const stack = await LocalWorkspace.createOrSelectStack({ stackName, workDir });
    const options = { onOutput: (text: string) => void process.stdout.write(text) };
    try {
      await (isPreview ? stack.preview(options) : stack.up(options));
    } catch (error) {
      // One team's mistake does not block the others. Look at the error before running it again: a
      // channel may exist although its create failed.
      failed.push(stackName);
      process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    }
  }
  process.stdout.write(failed.length > 0 ? `failed: ${failed.join(", ")}\n` : "all deployed\n");
  process.exitCode = failed.length > 0 ? 1 : 0;
}

void main();
