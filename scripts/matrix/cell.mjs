/** Runs one cell: a full life that leaves one channel, or a preview that is refused and creates none. */
import path from "node:path";
import files from "../files-holding.cjs";
import { openStack } from "../real-engine.cjs";
import { succeed } from "../run.cjs";
import { DOMAIN_ID } from "./programs.mjs";
import { makeProject } from "./projects.mjs";
import { binDirectories } from "./tools.mjs";

const DESTINATION = "matrix-destination@example.com";

/** The time limit of a preview that fails with our error. About 3 s are expected, more where Node starts for the first time. */
const MAX_REFUSAL_SECONDS = 20;

/** Number of output lines shown for a failure; the cause is at the end. */
const DETAIL_LINES = 30;

/** Each operation, and how many channels the service has after it: a create-only channel stays. */
const LIFE = [
  ["preview", 0],
  ["up --yes --skip-preview", 1],
  ["up --yes --skip-preview --expect-no-changes", 1],
  ["refresh --yes --skip-preview --expect-no-changes", 1],
  ["destroy --yes --skip-preview", 1],
];

/**
 * @param context `directory` of the cell, `tarball` of the package, `tools`, where tools are installed, and `options` for `run`
 * @returns the cell's result (`works`, `refused` or `failed`), seconds, note and detail
 */
export async function runCell(cell, service, context) {
  const started = performance.now();
  const outcome = await attempt(cell, service, context).catch(({ message }) => {
    const lines = message.replaceAll(context.directory, "…").trim().split("\n");
    return { result: "failed", note: lines[0], detail: lines.slice(1).slice(-DETAIL_LINES).join("\n") };
  });
  return { name: cell.name, seconds: (performance.now() - started) / 1000, ...outcome };
}

async function attempt(cell, service, context) {
  const { options } = context;
  const bins = await binDirectories(cell, context);
  options.env.PATH = [...bins, options.env.PATH].join(path.delimiter);
  const node = (await succeed("node", ["--version"], options)).stdout.trim().slice(1);
  const made = await makeProject(cell, context).catch((error) => {
    if (cell.refusedBy !== "npm" || !error.message.includes(cell.refusal)) throw error;
  });
  if (!made) return { result: "refused", note: `Node ${node}, SDK ${cell.sdk}; by npm, nothing installed` };
  const { project, env, facts } = made;
  Object.assign(options.env, env);
  const { directory } = context;
  const settings = { ...settingsOf(cell, service), timeout: options.timeout };
  const pulumi = await openStack({ ...settings, project, directory, stack: "cell" });
  const { shown, note } = await (cell.refusal ? beRefused(cell, pulumi, service) : live(pulumi, service));
  findNoSecret(shown, directory, service);
  return { result: cell.refusal ? "refused" : "works", note: [`Node ${node}, ${facts}`, ...note].join("; ") };

  /** Base address and token are in stack config, in the environment, or missing. */
  function settingsOf({ settings }) {
    const env = { ...options.env, CELL_DESTINATION: DESTINATION };
    const config = { "cell:domainId": DOMAIN_ID };
    if (settings === "missing") return { config, env };
    if (settings === "config") {
      const secrets = { "domain-monitoring:apiToken": service.token };
      return { config: { ...config, "domain-monitoring:baseUrl": service.url }, secrets, env };
    }
    const connection = {
      DOMAIN_MONITORING_BASE_URL: service.url,
      DOMAIN_MONITORING_API_TOKEN: service.token,
    };
    return { config, env: { ...env, ...connection } };
  }
}

async function live(pulumi, service) {
  let shown = "";
  for (const [operation, channels] of LIFE) {
    shown += (await pulumi(operation.split(" "))).output;
    const count = service.channels().length;
    if (count !== channels) throw new Error(`after ${operation} the service has ${count} channels`);
  }
  return { shown, note: [] };
}

/** A preview that must fail with the cell's message, in time. */
async function beRefused({ refusal, refusedBy }, pulumi, service) {
  const { code, output, seconds } = await pulumi(["preview"], { mayFail: true });
  if (code === 0) throw new Error("the preview was to be refused, but went through");
  if (!output.includes(refusal)) throw new Error(`the preview was refused for another reason:\n${output}`);
  if (service.channels().length > 0) throw new Error("a refused preview created a channel");
  if (!refusedBy && seconds > MAX_REFUSAL_SECONDS)
    throw new Error(`the preview ended after ${seconds.toFixed(1)} s`);
  const note = `by ${refusedBy ?? "the constructor"}, preview over after ${seconds.toFixed(1)} s`;
  return { shown: output, note: [note] };
}

function findNoSecret(shown, directory, service) {
  const secrets = [service.token, DESTINATION];
  const forms = [...secrets, ...secrets.map((secret) => Buffer.from(secret).toString("base64"))];
  const places = ["state", "home"].flatMap((name) => files.filesHolding(path.join(directory, name), forms));
  if (places.length > 0 || forms.some((form) => shown.includes(form)))
    throw new Error(`a secret is in clear in the output or in the state ${places.join(", ")}`);
}
