/**
 * The SDK's own dynamic-provider process, asked as the engine asks it: the constant text under `__provider` in every bag of
 * properties, secrets in clear.
 */
import path from "node:path";
import { sdkScript } from "../../../packages/pulumi-offline/src/sdk";
import { PROVIDER_TEXT } from "../../../src/names";
import { ProviderClient } from "../../support/provider-client";

const PRELOAD = require.resolve("../../../packages/pulumi-offline/src/processes/preload");
const ROOT = path.join(__dirname, "../../..");

/** How a process is configured. */
export interface ProcessOptions {
  /** Stack config by full key. @default none */
  config?: Record<string, string>;
  /** Environment variables besides PATH. @default none */
  env?: Record<string, string>;
  /** Start as the engine does: with all that the SDK loads, which takes half a second more. @default as the offline engine does */
  loadsAll?: boolean;
}

/** Starts the process and sends it its configuration, as the engine does before anything else. */
export async function startProvider({
  config = {},
  env = {},
  loadsAll = false,
}: ProcessOptions = {}): Promise<ProviderClient> {
  const preload = loadsAll ? [] : ["-r", PRELOAD];
  const started = await ProviderClient.launch(
    [process.execPath, ...preload, sdkScript(ROOT, "dynamic-provider"), "127.0.0.1:1"],
    {
      cwd: ROOT,
      env: { PATH: process.env.PATH, PULUMI_NODEJS_PROJECT: "test", ...env },
      // The last one ends the process with this one.
      stdio: ["pipe", "pipe", "pipe", "pipe"],
    },
  );
  const client = new ProviderClient(started, { urn: "", added: { __provider: PROVIDER_TEXT } });
  await client.configureAs("", config);
  return client;
}
