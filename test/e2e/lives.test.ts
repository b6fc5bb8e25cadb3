/** Random lives of stacks on the offline engine: none breaks a promise of the pages. */
import path from "node:path";
import { run } from "../support/run";
import { isQuick, LIVES as USUAL_LIVES } from "../support/scope";

const { LIVES = USUAL_LIVES, SEED = "43" } = process.env;
/** Lives are shorter in `npm test`. */
const SCOPE = isQuick ? "TEST_SCOPE=offline " : "";
const AGAIN = `${SCOPE}LIVES=${LIVES} SEED=${SEED} npx jest test/e2e/lives.test.ts`;

it(
  "no life of a stack breaks a promise",
  async () => {
    const typescript = path.join(__dirname, "../support/typescript.cjs");
    const main = path.join(__dirname, "lives/main.ts");
    // The SDK takes a stack trace of each promise, which is a tenth of the time.
    const node = ["--stack-trace-limit=0", "-r", typescript];
    const { output } = await run(process.execPath, [...node, main, LIVES, SEED]);
    if (output !== `${LIVES} lives\n`) throw new Error(`${output}\nTo repeat it: ${AGAIN}`);
  },
  60_000 + Number(LIVES) * 4_000,
);
