/** `npm run release -- pipelines`: the jobs of the workflow files, played against the local service. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { realEngineAvailable } from "../support/engines";
import { run } from "../support/run";
import { temporaryDirectory } from "../support/temporary";
import { root } from "./support/copy";

let temporary: string;

beforeEach(() => {
  temporary = temporaryDirectory();
});

async function rehearse(env: NodeJS.ProcessEnv): Promise<{ code: number | null; output: string }> {
  const script = path.join(root, "scripts/rehearse-pipeline.cjs");
  const { code, output } = await run(process.execPath, [script], { env: { ...env, TMPDIR: temporary } });
  return { code, output };
}

it("fails without pulumi, as nothing was rehearsed, and says so in one line", async () => {
  expect(await rehearse({ ...process.env, PATH: temporary })).toEqual({
    code: 1,
    output: "rehearse: there is no `pulumi` command on PATH, so nothing was rehearsed: install it\n",
  });
});

(realEngineAvailable ? describe : describe.skip)("the rehearsal, on the real engine", () => {
  it("shows a reviewer everything it should, and leaves nothing behind", async () => {
    const { code, output } = await rehearse(process.env);
    expect({ code, said: code === 0 ? "" : output }).toEqual({ code: 0, said: "" });
    for (const claim of [
      "its comment shows the channels to be created",
      "the three channels exist",
      "main once more creates nothing",
      "exit code 2, that of a registration to renew",
      "a night of the whole account also finds what DOMAIN_IDS does not name",
      "a domain that could not be determined is exit code 1",
      "a broken policy blocks the pull request",
      "a report that fails says that the deployment has succeeded",
      "without DOMAIN_IDS nothing is deployed",
      "the next main deploys nothing",
      "and lists the channel, which the stack has not recorded",
      "and the channel is there once",
      "the issue calls it a change of the service",
      "after this command the channel is as declared",
      "neither the token nor a destination was shown",
    ]) {
      expect(output).toContain(claim);
    }
    expect(readdirSync(temporary)).toEqual([]);
  }, 600_000);
});
