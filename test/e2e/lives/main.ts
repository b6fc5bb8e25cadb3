/**
 * Lives at random, in a process of their own: what fails in an inline program is an unhandled
 * rejection, which would end a test. Arguments: how many, and the seed. Exits with 1 if one breaks
 * a promise, and prints it.
 */
import fc from "fast-check";
import { startEmulator } from "../../../packages/domain-monitoring-emulator/src";
import { Life, OTHER_TOKEN, SEEDED } from "./life";
import { life } from "./steps";

async function main([lives, seed]: number[]): Promise<void> {
  await using service = await startEmulator({
    lifecycle: "managed",
    seed: 1,
    token: "secret-token-of-the-account",
    domains: [{ id: SEEDED, domain: "seeded.example" }, { domain: "witness.example" }],
    accounts: { [OTHER_TOKEN]: [{ domain: "other.example" }] },
  });

  process.env.DOMAIN_MONITORING_BASE_URL = service.url;
  // Waits between attempts have no length.
  Math.random = () => 0;
  const property = fc.asyncProperty(life, (steps) => new Life(service).live(steps));
  const { failed, errorInstance, numRuns } = await fc.check(property, { numRuns: lives, seed });
  if (!failed) return void process.stdout.write(`${numRuns} lives\n`);

  const story = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  process.stdout.write(`life ${numRuns} of seed ${seed}\n${story}\n`);
  process.exitCode = 1;
}

// A program that has failed is abandoned, with what it has under way.
process.on("unhandledRejection", () => undefined);
void main(process.argv.slice(2).map(Number));
