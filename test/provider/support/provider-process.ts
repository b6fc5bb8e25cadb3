/**
 * The SDK's own dynamic-provider process, asked as the engine asks it: the constant text under
 * `__provider` in every bag of properties, secrets in clear.
 */
import path from "node:path";
import { sdkScript } from "../../../packages/pulumi-offline/src/sdk";
import { PROVIDER_TEXT } from "../../../src/names";
import { ProviderClient } from "../../support/provider-client";

const ROOT = path.join(__dirname, "../../..");

/**
 * Starts the process and sends it this stack config, by full key, as the engine does before
 * anything else.
 */
export async function startProvider(
  config: Record<string, string>,
  env: Record<string, string>,
): Promise<ProviderClient> {
  const started = await ProviderClient.launch(
    [process.execPath, sdkScript(ROOT, "dynamic-provider"), "127.0.0.1:1"],
    {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        PULUMI_NODEJS_PROJECT: "test",
        ...env,
      },
      // The last one ends the process with this one.
      stdio: ["pipe", "pipe", "pipe", "pipe"],
    },
  );

  const client = new ProviderClient(started, { urn: "", added: { __provider: PROVIDER_TEXT } });
  await client.configureAs("", config);

  return client;
}
