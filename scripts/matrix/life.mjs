/** What a cell must prove: a full lifecycle that leaves one channel, or an error in the preview that creates none. */
import { DOMAIN_ID } from "./programs.mjs";

const DESTINATION = "matrix-destination@example.com";

/** The time limit of a preview that fails with our error. About 3 s are expected. */
const LONGEST_REFUSAL_SECONDS = 10;

/** The stack's settings, with base address and token in stack config, in the environment, or missing. */
export function settingsOf(cell, service) {
  const inConfig = cell.settings === "config";
  const connection = connectionOf(service);
  return {
    config: {
      "cell:domainId": DOMAIN_ID,
      ...(inConfig ? { "domain-monitoring:baseUrl": service.url } : {}),
    },
    secrets: inConfig ? { "domain-monitoring:apiToken": service.token } : {},
    env: { CELL_DESTINATION: DESTINATION, ...(cell.settings === "environment" ? connection : {}) },
  };
}

function connectionOf(service) {
  return {
    DOMAIN_MONITORING_BASE_URL: service.url,
    DOMAIN_MONITORING_API_TOKEN: service.token,
  };
}

/** Preview, up, up without a change, refresh and destroy. @returns a note on it */
export async function liveThrough(stack, service) {
  const shown = [];
  const step = async (operation, channels) => {
    const { failed, text } = await stack[operation]();
    shown.push(text);
    if (failed) throw new Error(`${operation} failed:\n${text}`);
    const count = service.channels().length;
    if (count !== channels) throw new Error(`after ${operation} the service has ${count} channels`);
  };
  await step("preview", 0);
  await step("up", 1);
  await step("upAgain", 1);
  await step("refresh", 1);
  await step("destroy", 1);
  findNoSecret([...shown, stack.written()].join("\n"), service);
  return "";
}

/** A preview that must fail with the cell's message, in time. @returns a note with its seconds */
export async function beRefused(cell, stack, service) {
  // The first start reads Node and the SDK from disk, which must not be measured.
  const well = cell.settings === "missing" ? await stack.preview(connectionOf(service)) : undefined;
  if (well?.failed) throw new Error(`the preview with settings failed:\n${well.text}`);
  const { failed, text, seconds } = await stack.preview();
  if (!failed) throw new Error("the preview was to be refused, but went through");
  if (!text.includes(cell.refusal)) throw new Error(`the preview was refused for another reason:\n${text}`);
  if (service.channels().length > 0) throw new Error("a refused preview created a channel");
  findNoSecret([text, stack.written()].join("\n"), service);
  if (!cell.refusedBy && seconds > LONGEST_REFUSAL_SECONDS)
    throw new Error(`the preview ended after ${seconds.toFixed(1)} s`);
  const compared = well ? ` (one that goes through: ${well.seconds.toFixed(1)} s)` : "";
  return `by ${cell.refusedBy ?? "the constructor"}, preview over after ${seconds.toFixed(1)} s${compared}`;
}

function findNoSecret(text, service) {
  for (const secret of [service.token, DESTINATION]) {
    for (const form of [secret, Buffer.from(secret).toString("base64")]) {
      if (text.includes(form)) throw new Error("a secret is in clear in the output or in the state");
    }
  }
}
