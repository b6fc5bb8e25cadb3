/**
 * Variables with which the engine's processes of the SDK start as those of the offline engine do,
 * without the modules that it hardly ever uses, which are more than half of the start; and with
 * which npm does not start to tell its version.
 */
import path from "node:path";

const preload = require.resolve("../../packages/pulumi-offline/src/processes/preload");
const first = path.join(__dirname, "on-path-first");

export const quickSdk = {
  NODE_OPTIONS: `--require="${preload}"`,
  PATH: [first, process.env.PATH].join(path.delimiter),
};
