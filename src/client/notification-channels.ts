/** Creating a notification channel: the only write there is, and one that cannot be undone (interface.md, section 4.4). */
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
   * Creates a channel and returns what the service says of it (interface.md, sections 2.4 and 4.4).
   *
   * It is sent again only where the service refused it (429) or where nothing was written. Where the answer was lost, the
   * error has `sent: "maybe"` and says what to look for before creating again: this client cannot delete a channel.
   * @throws DomainMonitoringError; kind `validation` where the channel breaks the interface's rules
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

/** What of a channel no text may show. A webhook's method is part of every message and no secret. */
function destinations({ value, secondaryValue }: CreateNotificationChannel): (string | null | undefined)[] {
  const isMethod = WEBHOOK_METHODS.some((method) => method === secondaryValue);
  return [value, isMethod ? null : secondaryValue];
}

/** The caller's name of a field on the wire. */
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
