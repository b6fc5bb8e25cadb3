/**
 * Variables with which the engine's processes of the SDK start as those of the offline engine do:
 * without the modules that it hardly ever uses, which are more than half of the start.
 */
const preload = require.resolve("../../packages/pulumi-offline/src/processes/preload");
export const quickSdk = { NODE_OPTIONS: `--require="${preload}"` };
