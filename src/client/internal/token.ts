/**
 * The API token of a client: a text, or what a function of the caller returns, such as a vault's current token.
 *
 * The function is asked when a token is first needed, and again when the service has refused the one in use. Calls that
 * need an answer at the same time share one question.
 */
import { errorCode } from "../../common/errors";
import { type ApiTokenFunction, tokenProblem } from "../options";
import type { Deadline } from "./deadline";

/** Answer of the function: never rejected, as several calls wait for it and each has its own error. */
type Answer = { token: string } | { problem: string };

/** Number of tokens that are remembered for redaction: a service may still name an earlier one. */
const REMEMBERED = 10;

/** Codes of Node and undici. Any other text of the caller's error may be a secret. */
const HARMLESS_CODE = /^(E[A-Z]+|(UND_)?ERR_[A-Z_]+)$/;

export class ApiToken {
  /** Tokens that texts may contain; the first one is in use. */
  known: readonly string[] = [];
  readonly #ask: ApiTokenFunction | undefined;
  #question: Promise<Answer> | undefined;

  constructor(given: string | ApiTokenFunction) {
    if (typeof given === "string") this.known = [given];
    else this.#ask = given;
  }

  /** Whether there may be another token after the one in use. */
  get isRenewable(): boolean {
    return this.#ask !== undefined;
  }

  /**
   * The token to use; undefined if the call ended first.
   * @param refused a token that the service has refused: without a newer one, the function is asked
   */
  async get(deadline: Deadline, refused?: string): Promise<Answer | undefined> {
    const [current] = this.known;
    // While another call asks for a new token, the current one has been refused.
    if (!this.#question && current !== undefined && current !== refused) return { token: current };
    this.#question ??= this.#answer();
    const question = this.#question;
    const answer = await deadline.waitFor(question);
    if (question === this.#question) {
      // Also if the call ended first: the question may hang forever, so the next call asks anew.
      this.#question = undefined;
      if (answer && "token" in answer && answer.token !== current)
        this.known = [answer.token, ...this.known].slice(0, REMEMBERED);
    }
    return answer;
  }

  async #answer(): Promise<Answer> {
    let token: unknown;
    try {
      token = await this.#ask?.();
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
}
