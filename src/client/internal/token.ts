/** The API token of a call, where a function of the caller returns it, such as a vault's current one. */
import { errorCode } from "../../common/errors";
import { type ApiTokenFunction, tokenProblem } from "../options";

/** Codes of Node and undici. Any other text of the caller's error may be a secret. */
const HARMLESS_CODE = /^(E[A-Z]+|(UND_)?ERR_[A-Z_]+)$/;

/** Asks the function. Never rejected, as the call may have ended by then. */
export async function askForToken(ask: ApiTokenFunction): Promise<{ token: string } | { problem: string }> {
  let token: unknown;
  try {
    token = await ask();
  } catch (error) {
    const code = errorCode(error) ?? "";
    const named = HARMLESS_CODE.test(code) ? ` (${code})` : "";
    // Its message and its cause are hidden: they may name a token, or the vault's own secret.
    return { problem: `the function apiToken failed${named}: catch its error there to see why` };
  }
  const problem = tokenProblem(token);
  return problem === undefined
    ? { token: String(token) }
    : { problem: `the function apiToken returned no usable token: ${problem}` };
}
