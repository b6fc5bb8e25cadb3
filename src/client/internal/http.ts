/**
 * State that all calls of a client share: settings, limiter and connections; and closing them in
 * order.
 */
import type { Dispatcher } from "undici";
import { redactor } from "../../common/secrets";
import type { Redactor } from "../../common/text";
import { VERSION } from "../../names";
import type { Settings } from "../options";
import type { Attempt } from "./attempt";
import { type Limiter, sharedLimiter } from "./limits";
import type { Operation } from "./operation";
import { UndiciNotLoaded } from "./unreached";

export class Http {
  readonly settings: Settings;
  readonly limiter: Limiter;
  readonly #releaseLimiter: () => void;

  readonly #headers: string[];

  /** Removes the token from a text. */
  readonly redact: Redactor;
  #dispatcher: Dispatcher | undefined;
  #callsUnderWay = 0;
  #onIdle: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(settings: Settings) {
    this.settings = settings;
    const { apiToken, concurrency } = settings;
    const { limiter, release } = sharedLimiter(settings, concurrency);

    this.limiter = limiter;
    this.#releaseLimiter = release;
    this.#dispatcher = settings.dispatcher;
    this.redact = redactor([apiToken]);
    const own = `pulumi-domain-monitoring/${VERSION} node/${process.versions.node}`;
    const userAgent = settings.userAgent ? `${settings.userAgent} ${own}` : own;

    // Without the last one, any coding of the response would be allowed (RFC 9110, section 12.5.3).
    this.#headers = [
      "authorization",
      `Bearer ${apiToken}`,
      "accept",
      "application/json",
      "user-agent",
      userAgent,
      "accept-encoding",
      "identity",
    ];
  }

  /** Whether it no longer takes calls. */
  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  // Calls are counted, not kept: a set of the promises costs a tenth of the CPU time of a page,
  // because the collector copies their responses.

  /** Begins a call, which `close` waits for. */
  begin(): void {
    this.#callsUnderWay++;
  }

  /** Ends a call. */
  end(): void {
    if (--this.#callsUnderWay === 0) this.#onIdle?.();
  }

  /** Sends a request. The first one loads undici. */
  dispatch({ method, path, body }: Operation<unknown>, attempt: Attempt): void {
    const { origin, pathPrefix } = this.settings;
    try {
      this.#dispatcher ??= loadTransport().createDispatcher(origin);
      // It is unknown whether the caller's dispatcher calls `onRequestStart` before it writes.
      if (this.settings.dispatcher && method !== "GET") attempt.start();
      const typed = ["content-type", "application/json"];
      const headers = body === undefined ? this.#headers : [...this.#headers, ...typed];
      const request = {
        origin,
        path: pathPrefix + path,
        method,
        headers,
        body,
      };

      this.#dispatcher.dispatch(request, attempt);
    } catch (error) {
      // An invalid proxy variable, or an error in the caller's own dispatcher.
      attempt.fail(error);
    }
  }

  /**
   * Waits for calls in progress, then closes the connections; a dispatcher given by the caller
   * stays open.
   */
  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    if (this.#callsUnderWay > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }

    this.#releaseLimiter();
    // `close` would wait for connection attempts whose calls have already ended.
    if (this.#dispatcher !== this.settings.dispatcher) await this.#dispatcher?.destroy();
  }
}

function loadTransport(): typeof import("./transport") {
  try {
    return require("./transport");
  } catch (error) {
    throw new UndiciNotLoaded(undiciVersion(), error);
  }
}

function undiciVersion(): string | undefined {
  try {
    const manifest: { version: string } = require("undici/package.json");
    return manifest.version;
  } catch {
    return undefined;
  }
}

/** As {@link loadSchemas}, for lists. */
export function loadListSchemas(): typeof import("../wire-lists") {
  return require("../wire-lists");
}

/** Loads zod, which takes 40 ms, so only the first call does it: a preview may need none. */
export function loadSchemas(): typeof import("../wire") {
  return require("../wire");
}
