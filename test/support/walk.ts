/**
 * Follows a Markdown page exactly, as a new user would: its `yaml` and `ts` blocks become
 * Pulumi.yaml and index.ts, its `sh` lines are run one after the other in an empty directory,
 * against the local service and with the packages of this repository.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Emulator } from "../../packages/domain-monitoring-emulator/src";
import { engineEnvironment } from "../../scripts/real-engine.cjs";
import { run } from "./run";

const MODULES = path.join(__dirname, "../../node_modules");
const MAIN = path.join(__dirname, "../../dist/cli/main.js");
/** Where the pages start the local service. */
const LOCAL_SERVICE = "http://127.0.0.1:8080";
const FILES: Record<string, string> = { yaml: "Pulumi.yaml", ts: "index.ts" };

/** A file to write, or a command to run. */
export type Step = { file: string; code: string } | { file?: undefined; command: string };

interface World {
  /** An empty directory. */
  directory: string;
  env: NodeJS.ProcessEnv;

  /** Answers of a person at the prompts for secrets, by key; the service's token is known. */
  secrets: Record<string, string>;
  service: Emulator;
}

/** The page's steps, in order. */
export function stepsOf(markdown: string): Step[] {
  return [...markdown.matchAll(/^```(yaml|ts|sh)\n(.*?)^```/gms)].flatMap(
    ([, language = "", code = ""]): Step[] =>
      language === "sh"
        ? code
            .trim()
            .split("\n")
            .map((line) => ({ command: line.replace(/\s+#.*$/, "") }))
        : [{ file: FILES[language] ?? "", code }],
  );
}

/** The shell command here, and the input that a person would type. */
function translate(command: string, { service, secrets }: World): { line: string; input: string } {
  if (command.startsWith("npm install "))
    return { line: `ln -s '${MODULES}' node_modules`, input: "" };

  if (/\bnpx /.test(command))
    return { line: command.replace(/\bnpx \S+/, `node '${MAIN}'`), input: "" };

  const [, key] = /^pulumi config set --secret (\S+)$/.exec(command) ?? [];
  const typed = key === "domain-monitoring:apiToken" ? service.token : secrets[key ?? ""];
  if (key && typed === undefined) throw new Error(`the walk has no value for the secret ${key}`);

  const line = command
    .replace(/(domain-monitoring:baseUrl) \S+/, `$1 ${service.url}`)
    // A person would confirm the preview with yes.
    .replace(/^pulumi (up|destroy|stack rm)\b/, "pulumi $1 --yes");

  return { line, input: key ? `${typed}\n` : "" };
}

/** Takes the steps, each of which must succeed. @returns what the commands printed */
export async function walk(steps: Step[], world: World): Promise<string> {
  let transcript = "";
  for (const step of steps) {
    if (step.file !== undefined) {
      writeFileSync(path.join(world.directory, step.file), step.code);
      continue;
    }

    // The service is already running.
    if (step.command.startsWith("npx domain-monitoring-emulator")) continue;

    if (step.command.startsWith("export ")) {
      for (const word of step.command.split(" ").slice(1)) {
        const [name = "", value = ""] = word.split("=");
        world.env[name] = value.replace(LOCAL_SERVICE, world.service.url);
      }

      continue;
    }

    const { line, input } = translate(step.command, world);
    const { code, output } = await run("sh", ["-c", line], {
      cwd: world.directory,
      env: world.env,
      input,
    });

    transcript += output;
    if (code !== 0) throw new Error(`\`${step.command}\` ended with exit code ${code}:\n${output}`);
  }

  return transcript;
}

/** The environment of a reader who has not configured anything yet. */
export function readerEnvironment(directory: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...engineEnvironment(directory),
    // A variable of this machine must not replace a setting that the reader makes.
    DOMAIN_MONITORING_BASE_URL: "",
    DOMAIN_MONITORING_API_TOKEN: "",
  };
}
