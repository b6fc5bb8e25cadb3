/**
 * The connection of a provider process: its settings, and the client that is created from them on
 * first use.
 */
import { createHash } from "node:crypto";
import { DomainMonitoringClient } from "../client/client";
import { type CallOptions, rateLimitNotice } from "../client/options";
import { messageOf, shellWord, type Warn } from "../common/text";
import {
  type Configuration,
  findSetting,
  resolveAbandoned,
  resolveConfiguration,
  resolveLifecycle,
  resolveMovedFrom,
  type SettingSources,
} from "../config";
import { ABANDON_KEY, ARGUMENT_PREFIX, ARGUMENTS, type Lifecycle } from "../names";
import type { Properties } from "./boundary";

/** Ids in a command that users are told to run: a message of over 2,000 characters is cut. */
const MAX_ABANDONED = 35;

/** Shared by the operations of a provider. */
export interface OperationContext {
  connection: Connection;

  /** Shows a line. */
  warn: Warn;
  call?: Pick<CallOptions, "timeoutMs" | "secrets">;

  /**
   * URN of the resource that the call is about. @default unknown: a dynamic provider does not get
   * it
   */
  urn?: string;
}

export class Connection {
  #stackConfig: (key: string) => unknown = () => undefined;
  #configuration: Configuration | undefined;
  #client: DomainMonitoringClient | undefined;
  readonly #mentions = new Map<string, number>();
  readonly #refused = new Set<string>();

  /**
   * The failures of creates of this process that were or may have been carried out: by the digest
   * of a channel's inputs, a PartialFailure if the channel exists; and by the name of a domain.
   */
  readonly failedCreates = new Map<string, Error>();

  /**
   * @param explicit arguments of an explicit provider. @default as `configure` finds them
   * @param warn shows a line about the account, and not about a resource
   */
  constructor(
    private readonly explicit?: SettingSources["explicit"],
    private readonly warn: Warn = () => undefined,
  ) {}

  /** Takes the settings. Missing ones are reported by the call that needs them. */
  configure(get: (key: string) => string | undefined): void {
    this.#stackConfig = get;
    this.#configuration = undefined;
  }

  /** Problem of the settings, in one line; undefined if calls can be made. */
  get problem(): string | undefined {
    try {
      this.#resolve();
      resolveLifecycle(this.#sources());
      resolveMovedFrom(this.#sources());

      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  }

  /** The client. @throws DomainMonitoringError of kind `configuration` */
  get client(): DomainMonitoringClient {
    this.#client ??= new DomainMonitoringClient({
      ...this.#resolve(),
      onRateLimit: rateLimitNotice(this.warn),
    });

    return this.#client;
  }

  /**
   * Digest of the base address, which may be a secret. @throws DomainMonitoringError of kind
   * `configuration`
   */
  get addressDigest(): string {
    const { origin, pathPrefix } = this.#resolve().account;
    return digestOf(origin + pathPrefix);
  }

  /** Whether a record was made at another address, and not the one that the service has moved from. */
  isElsewhere({ addressDigest }: Properties): boolean {
    if (addressDigest === undefined || addressDigest === this.addressDigest) return false;

    const movedFrom = resolveMovedFrom(this.#sources());
    return movedFrom === undefined || addressDigest !== digestOf(movedFrom);
  }

  /**
   * The lifecycle of channels that do not declare one; the default if it is not valid, which is a
   * `problem`.
   */
  get lifecycle(): Lifecycle {
    try {
      return resolveLifecycle(this.#sources());
    } catch {
      return "create-only";
    }
  }

  /** Whether a delete only drops this channel from the state, so that it stays in the service. */
  isAbandoned(id: string): boolean {
    return resolveAbandoned(this.#sources()).includes(id);
  }

  /**
   * The command by which a delete only drops this channel from the state, beside those listed
   * already or refused in this process, as many as a message may have. A refresh and a destroy know
   * of it only with `--run-program`, or after an update, which would create again what a destroy has
   * dropped.
   */
  abandonCommand(id: string): string {
    this.#refused.add(id);
    const ids = new Set([...resolveAbandoned(this.#sources()), ...this.#refused]);
    const last = [...ids].slice(-MAX_ABANDONED);

    return `pulumi config set ${ABANDON_KEY} ${shellWord(last.join(","), "ID")}`;
  }

  /** Whether the state keeps the token, so that a refresh and a destroy use the last update's. */
  get isTokenRecorded(): boolean {
    const found = findSetting("apiToken", this.#sources());
    return found !== undefined && found.place !== "environment";
  }

  /** Mentions a topic. Returns how often this run has, with this time. */
  mention(topic: string): number {
    const count = (this.#mentions.get(topic) ?? 0) + 1;
    this.#mentions.set(topic, count);

    return count;
  }

  /** Mentions a topic. Returns whether this run had not yet. */
  firstMention(topic: string): boolean {
    return this.mention(topic) === 1;
  }

  /** The sentences that this run has not shown yet; they are the same for many resources. */
  explained(...texts: string[]): string[] {
    return texts.filter((text) => this.firstMention(text));
  }

  /** The settings, checked once. @throws DomainMonitoringError of kind `configuration` */
  #resolve(): Configuration {
    this.#configuration ??= resolveConfiguration(this.#sources());
    return this.#configuration;
  }

  /** The arguments among the settings. Numbers arrive as numbers, despite the SDK's types. */
  #arguments(): SettingSources["explicit"] {
    const get = this.#stackConfig;
    return Object.fromEntries(
      ARGUMENTS.map((name) => [name, get(ARGUMENT_PREFIX + name) ?? undefined]),
    );
  }

  #sources(): SettingSources {
    return {
      explicit: this.explicit ?? this.#arguments(),
      // The provider cannot see here whether a value is a secret; the program, or the plugin's
      // service, refuses a plaintext token.
      stackConfig: (key) => {
        const value = this.#stackConfig(key) ?? undefined;
        return value === undefined ? undefined : { value: String(value), plaintext: false };
      },
      environment: process.env,
    };
  }
}

/** Creates one value per connection. */
export function onePerConnection<T>(
  make: (connection: Connection) => T,
): (connection: Connection) => T {
  const known = new WeakMap<Connection, T>();

  return (connection) => {
    const one = known.get(connection) ?? make(connection);
    known.set(connection, one);

    return one;
  };
}

/** A short digest of an address, which may be a secret. */
function digestOf(address: string): string {
  return createHash("sha256").update(address).digest("hex").slice(0, 12);
}
