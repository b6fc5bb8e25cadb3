/** Creating a notification channel: the only write, and one that cannot be undone (interface.md, section 4.4). */
import { DomainMonitoringError } from "./errors";
import { type Http, loadSchemas, pathSegment } from "./internal/http";
import {
  type CallOptions,
  type CreateNotificationChannel,
  type NotificationChannelData,
  WEBHOOK_METHODS,
} from "./types";

/** Creates notification channels; made by the client. */
export class NotificationChannels {
  readonly #http: Http;

  /** @internal made by the client */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Creates a channel and returns it as the service reports it (interface.md, sections 2.4 and 4.4).
   *
   * The request is repeated only if the service refused it (429, or 401 to a token that has been replaced since) or if
   * nothing was written. If the answer was lost, the
   * error has `sent: "maybe"` and says what to check before creating again: this client cannot delete a channel.
   * @throws DomainMonitoringError; kind `validation` if the channel breaks the interface's rules
   */
  async create(
    domainId: string,
    channel: CreateNotificationChannel,
    call?: CallOptions,
  ): Promise<NotificationChannelData> {
    const { label, type } = channel;
    return this.#http.send(
      {
        name: "notificationChannels.create",
        method: "POST",
        path: `/api/domains/${pathSegment("domainId", domainId)}/notification-channels`,
        body: JSON.stringify(validate(channel)),
        read: loadSchemas().readCreatedChannel,
        identify: loadSchemas().identifyCreatedChannel,
        uncertaintyHint:
          `The channel ${JSON.stringify(label)} (${type}) of domain ${domainId} may have been created anyway: ` +
          "look for it in the service before running again, as another run creates another one",
        secrets: destinations(channel),
      },
      call,
    );
  }
}

/** The secrets of a channel. A webhook's method is not one. */
function destinations({ value, secondaryValue }: CreateNotificationChannel): (string | null | undefined)[] {
  const isMethod = WEBHOOK_METHODS.some((method) => method === secondaryValue);
  return [value, isMethod ? null : secondaryValue];
}

/** Converts a wire name to the caller's. */
function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

function validate(channel: CreateNotificationChannel): unknown {
  try {
    return loadSchemas().writeChannel(channel);
  } catch (error) {
    const issues =
      error instanceof Error && "issues" in error && Array.isArray(error.issues) ? error.issues : [];
    const texts = issues.map((issue) => `${camelCase(issue.path.join("."))}: ${issue.message}`);
    throw new DomainMonitoringError("validation", `the channel was not sent: ${texts.join("; ")}`);
  }
}
