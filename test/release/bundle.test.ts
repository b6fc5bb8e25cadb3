/** The packed package's client in a bundle. `npm run release -- cell` bundles programs. */
import { cpSync } from "node:fs";
import path from "node:path";
import { startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { installTarball, root } from "../package/support/packed";
import { run } from "../support/run";
import { temporaryDirectory } from "../support/temporary";

const esbuild = require.resolve("esbuild/bin/esbuild");

const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

it("a bundle of the client runs where nothing is installed", async () => {
  const [project, empty] = [temporaryDirectory(), temporaryDirectory()];
  installTarball(project, []);
  const program = path.join(root, "test/package/consumers/javascript/client.mjs");
  cpSync(program, path.join(project, "client.mjs"));

  const outfile = path.join(empty, "client.mjs");
  const options = ["--bundle", "--platform=node", "--format=esm", "--log-level=error"];
  const args = ["client.mjs", ...options, `--banner:js=${REQUIRE}`, `--outfile=${outfile}`];
  // A script, or the program itself where the script after its installation has run.
  const bundled = await run(esbuild, args, { cwd: project });
  expect(bundled).toMatchObject({ code: 0, output: "" });

  await using service = await startEmulator();
  const env = { SERVICE_URL: service.url, SERVICE_TOKEN: service.token };
  const { code, output } = await run(process.execPath, [outfile], { cwd: empty, env });
  expect({ code, output }).toEqual({ code: 0, output: "example.com" });
});
