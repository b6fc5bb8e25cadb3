/**
 * Runs random lives in a separate process: an inline program that fails leaves an unhandled
 * rejection, which would end a test. Arguments: the number of lives, and the seed. Prints a broken
 * promise and exits with 1.
 */
import { startEmulator } from "../../../packages/domain-monitoring-emulator/src";
import { fc } from "../../support/properties";
import { Life, OTHER_TOKEN, SEEDED } from "./life";
import { life } from "./steps";

async function main([lives, seed]: number[]): Promise<void> {
  // Where the package is not built every update fails, and no promise is put to the test.
  require.resolve("pulumi-domain-monitoring");

  await using service = await startEmulator({
    lifecycle: "managed",
    seed: 1,
    // Lists have several pages.
    perPage: 2,
    token: "secret-token-of-the-account",
    domains: [{ id: SEEDED, domain: "seeded.example" }, { domain: "witness.example" }],
    accounts: { [OTHER_TOKEN]: [{ domain: "other.example" }] },
  });

  // Retries do not wait.
  Math.random = () => 0;
  const property = fc.asyncProperty(life, (steps) => new Life(service).live(steps));
  const { failed, errorInstance, numRuns } = await fc.check(property, { numRuns: lives, seed });
  if (!failed) return void process.stdout.write(`${numRuns} lives\n`);

  const story = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  process.stdout.write(`life ${numRuns} of seed ${seed}\n${story}\n`);
  process.exitCode = 1;
}

// Abandons a failed program together with its pending work.
process.on("unhandledRejection", () => undefined);
void main(process.argv.slice(2).map(Number));
