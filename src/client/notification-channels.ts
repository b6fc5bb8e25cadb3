/**
 * Creating a notification channel (interface.md, section 4.4), and the operations on channels that
 * the service does not document.
 */
import { MAX_QUOTED, type Quote } from "../common/secrets";
import { DomainMonitoringError } from "./errors";
import {
  CHANNEL_FIELDS,
  type CreateNotificationChannel,
  changeProblems,
  channelProblems,
  destinationsOf,
  type UpdateNotificationChannel,
} from "./fields";
import { send } from "./internal/call";
import { CHANNEL_ADVICE } from "./internal/failure";
import { type Http, loadListSchemas, loadSchemas } from "./internal/http";
import { iterateList } from "./lists";
import type { CallOptions } from "./options";
import {
  type IterateChannelsRequest,
  type ListChannelsRequest,
  type Page,
  pageQuery,
} from "./pages";
import { isUuid, pathSegment, refuse } from "./rules";
import type { NotificationChannelData } from "./types";

/** Creates, lists, reads, changes and deletes notification channels. Made by the client. */
export class NotificationChannels {
  readonly #http: Http;

  /** @internal made by the client */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Creates a channel and returns it as the service reports it (interface.md, sections 2.4 and
   * 4.4).
   *
   * The request is repeated only if the service refused it with 429, or if nothing was written. If
   * the channel may exist anyway, the error has `sent: "maybe"` and says what to check before
   * creating again: the documented interface cannot delete a channel.
   * @throws DomainMonitoringError; kind `validation` if the channel breaks the interface's rules
   */
  async create(
    domainId: string,
    channel: CreateNotificationChannel,
    call?: CallOptions,
  ): Promise<NotificationChannelData> {
    const { label, type } = channel;
    refuse("the channel", channelProblems(channel));

    return send(this.#http, call, {
      name: "notificationChannels.create",
      method: "POST",
      path: channelsPath(domainId),
      body: loadSchemas().encode(channel, CHANNEL_FIELDS),
      publicTexts: [label],
      read: (response, { quote }) => withQuotedTexts(loadSchemas().readChannel(response), quote),
      identify: loadSchemas().identifyCreatedChannel,
      uncertaintyHint:
        `The channel ${JSON.stringify(label)} (${type}) of domain ${domainId} may have been created anyway: ` +
        "look for it in the service before running again, because another run creates another one",
      secrets: destinationsOf(channel),
    });
  }

  /**
   * One page of a domain's channels, in the order served. Records that cannot be read are in its
   * `unreadable`.
   * @experimental the service does not document it: see "Managed channels" at the package's
   * homepage
   * @throws DomainMonitoringError; kind `http` with status 403, 404 or 405 may mean that the
   * service lacks the operation
   */
  async list(
    domainId: string,
    request: ListChannelsRequest = {},
    call?: CallOptions,
  ): Promise<Page<NotificationChannelData>> {
    return send(this.#http, call, {
      name: "notificationChannels.list",
      method: "GET",
      path: channelsPath(domainId) + pageQuery({ page: request.page }),
      read(response, gates) {
        const page = loadListSchemas().readChannelPage(response, gates);
        return { ...page, data: page.data.map((channel) => withQuotedTexts(channel, gates.quote)) };
      },
      meanings: CHANNEL_ADVICE,
    });
  }

  /**
   * Every readable channel of a domain, as `whoisChanges.iterate` returns every change.
   * @experimental the service does not document it: see "Managed channels" at the package's
   * homepage
   * @throws DomainMonitoringError; kind `response` if the list has more than `maxPages` pages or
   * keeps changing, and at the end, with `unreadable`, if it has records that cannot be read
   */
  iterate(
    domainId: string,
    { maxPages }: IterateChannelsRequest = {},
    call?: CallOptions,
  ): AsyncIterable<NotificationChannelData> {
    const operation = "notificationChannels.list";
    const list = (page: number, options: CallOptions) => this.list(domainId, { page }, options);

    return iterateList(this.#http, { operation, domainId, maxPages, list }, call);
  }

  /**
   * One channel. No response has its destination.
   * @experimental the service does not document it: see "Managed channels" at the package's
   * homepage
   * @throws DomainMonitoringError; kind `validation` if the id is not a UUID, kind `http` with
   * status 404 if there is no such channel, or no such operation
   */
  async get(domainId: string, id: string, call?: CallOptions): Promise<NotificationChannelData> {
    return send(this.#http, call, {
      name: "notificationChannels.get",
      method: "GET",
      path: channelPath(domainId, id),
      read: (response, { quote }) =>
        withQuotedTexts(loadSchemas().readChannel(response, id), quote),
      meanings: CHANNEL_ADVICE,
    });
  }

  /**
   * Changes the given fields and returns the channel as the service reports it.
   *
   * The request is repeated as a read is, even if its response was lost: a second one changes
   * nothing more. If it stays unclear whether any of them was carried out, the error has `sent:
   * "maybe"`.
   * @experimental the service does not document it: see "Managed channels" at the package's
   * homepage
   * @throws DomainMonitoringError; kind `validation` for an unknown field, a value of another type,
   * or no field at all
   */
  async update(
    domainId: string,
    id: string,
    changes: UpdateNotificationChannel,
    call?: CallOptions,
  ): Promise<NotificationChannelData> {
    refuse("the change", changeProblems(changes));

    return send(this.#http, call, {
      name: "notificationChannels.update",
      method: "PATCH",
      path: channelPath(domainId, id),
      body: loadSchemas().encode(changes, CHANNEL_FIELDS),
      publicTexts: [changes.label],
      read: (response, { quote }) =>
        withQuotedTexts(loadSchemas().readChannel(response, id), quote),
      meanings: CHANNEL_ADVICE,
      uncertaintyHint: `The channel ${id} may have been changed anyway: the same change can be sent again`,
      secrets: destinationsOf(changes),
    });
  }

  /**
   * Deletes a channel. Every status of success counts, unless an HTML page comes with it. No other
   * body is read.
   *
   * The request is repeated as a read is. A 404 is an error: with `sent: "maybe"` an earlier
   * request of this call may have deleted the channel, and without, somebody else may have, or the
   * address is wrong.
   * @experimental the service does not document it: see "Managed channels" at the package's
   * homepage
   */
  async delete(domainId: string, id: string, call?: CallOptions): Promise<void> {
    return send(this.#http, call, {
      name: "notificationChannels.delete",
      method: "DELETE",
      path: channelPath(domainId, id),
      read: () => undefined,
      ignoresBody: true,
      meanings: CHANNEL_ADVICE,
      uncertaintyHint: `The channel ${id} may have been deleted anyway: a repeated delete then gets 404`,
    });
  }
}

/**
 * A channel whose texts have passed the gate, because any of them may quote a destination. The
 * label is the program's own, and the id has a gate of its own.
 */
function withQuotedTexts(
  { id, label, ...channel }: NotificationChannelData,
  quote: Quote,
): NotificationChannelData {
  const texts = Object.entries(channel).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, quote(value, MAX_QUOTED)]] : [],
  );

  return { id, label, ...channel, ...Object.fromEntries(texts) };
}

function channelsPath(domainId: string): string {
  return `/api/domains/${pathSegment("domainId", domainId)}/notification-channels`;
}

/** Accepts only UUIDs: the service has other paths there, such as `history`. */
function channelPath(domainId: string, id: string): string {
  const path = channelsPath(domainId);
  if (isUuid(id)) return `${path}/${id}`;

  throw new DomainMonitoringError(
    "validation",
    "id is not a valid channel id: use the channel's UUID",
  );
}
