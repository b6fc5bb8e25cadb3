/**
 * The operations of `lifecycle: "managed"`: their routes and what they do. None of them is in the interface;
 * docs/beyond-the-interface.md names the sources. Answers that no source states are options.
 */
import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { UpdateNotificationChannel } from "../../../client/types";
import type { ChannelResponse, EmulatedChannel, ManagedOptions } from "../types";
import { channelFields, updateBody } from "./channel-bodies";
import { type AppParts, type EmulatorEnv, refuseMethod } from "./middleware";
import { documentedChannel, documentedChannelPage, documentedCreated, documentedDomainPage } from "./openapi";
import { addressOf, renderChannel, renderDomain, renderPage } from "./render";
import { answersOf, domainIdParameter, pageNumber, problem, routesOf } from "./routes";

const LIST = "/api/domains/{domain_id}/notification-channels";
const CHANNEL = `${LIST}/{channel_id}` as const;

/** Other addresses of the service in the place of a channel's id. They are not served. */
const NOT_AN_ID = ["history", "bulk"];

/** Adds the operations to an application that serves the interface. */
export function serveManagedLifecycle(
  app: OpenAPIHono<EmulatorEnv>,
  parts: AppParts,
  managed: Required<ManagedOptions>,
): void {
  const { store, clock, options } = parts;
  const routes = createManagedRoutes(parts, managed);
  const responseIn = (form: ChannelResponse, channel: EmulatedChannel) => {
    const rendered = renderChannel(channel, clock.now());
    return form === "bare" ? rendered : { data: rendered };
  };
  const protection = { message: "The channel is protected." };

  const pageOf = <Stored, Item>(
    c: Context,
    oldestFirst: readonly Stored[],
    page: number,
    render: (stored: Stored, now: Date) => Item,
  ) =>
    renderPage({
      items: options.listOrder === "newest-first" ? oldestFirst.toReversed() : oldestFirst,
      page,
      perPage: managed.perPage,
      address: `${addressOf(c)}?page=`,
      render: (stored) => render(stored, clock.now()),
    });

  for (const segment of NOT_AN_ID) app.all(`${routes.list.getRoutingPath()}/${segment}`, (c) => c.notFound());

  app.openapi(routes.listDomains, (c) =>
    c.json(pageOf(c, store.domains(), c.req.valid("query").page, renderDomain), 200),
  );

  app.openapi(routes.list, (c) =>
    c.json(pageOf(c, store.channels(c.get("domain").id), c.req.valid("query").page, renderChannel), 200),
  );

  app.openapi(routes.get, (c) => c.json(responseIn(managed.getResponse, c.get("channel")), 200));

  app.openapi(routes.update, (c) => {
    const channel = c.get("channel");
    if (channel.isProtected) return c.json(protection, managed.protectedStatus);
    // Without a body and its type there is nothing that could have been checked.
    if (c.req.header("Content-Type") === undefined)
      return c.json({ message: "The body's media type is not `application/json`." }, 415);
    const changes = channelFields<UpdateNotificationChannel>(c.req.valid("json"));
    return c.json(responseIn(managed.updateResponse, store.updateChannel(channel.id, changes)), 200);
  });

  app.openapi(routes.delete, (c) => {
    const { id, isProtected } = c.get("channel");
    if (isProtected) return c.json(protection, managed.protectedStatus);
    store.removeChannel(id);
    if (managed.deleteStatus === 204) return c.body(null, 204);
    return c.json({ message: "The channel was deleted." }, 200);
  });

  app.all(routes.listDomains.getRoutingPath(), refuseMethod("GET", "HEAD"));
  app.all(routes.get.getRoutingPath(), refuseMethod("GET", "HEAD", "PATCH", "DELETE"));
}

function createManagedRoutes(parts: AppParts, managed: Required<ManagedOptions>) {
  const { options, store } = parts;
  const route = routesOf(parts);
  const [domain] = store.domains();
  const { headers, answer, refusals, invalid } = answersOf(options);
  const params = z.object({ domain_id: domainIdParameter(domain?.id) });
  const channelParams = params.extend({
    channel_id: z.string().openapi({
      description: "The channel's identifier.",
      example: store.channels(domain?.id)[0]?.id,
    }),
  });
  const documented = { bare: documentedChannel, wrapped: documentedCreated };
  const missing = {
    ...refusals,
    404: answer("There is no such domain, or it has no such channel.", problem),
  };
  const protection = { [managed.protectedStatus]: answer("The channel is protected.", problem) };
  // There is always a list of domains, if an empty one.
  const { 404: _, ...refused } = refusals;
  const query = z.object({ page: pageNumber });
  return {
    listDomains: route("listDomains", {
      method: "get",
      path: "/api/domains",
      summary: "List the domains of the account",
      request: { query },
      responses: { 200: answer("One page.", documentedDomainPage), ...refused, 422: invalid },
    }),
    list: route("listNotificationChannels", {
      method: "get",
      path: LIST,
      summary: "List the notification channels of a domain",
      request: { params, query },
      responses: { 200: answer("One page.", documentedChannelPage), ...refusals, 422: invalid },
    }),
    get: route("getNotificationChannel", {
      method: "get",
      path: CHANNEL,
      summary: "Retrieve a notification channel",
      request: { params: channelParams },
      responses: {
        200: answer("The channel, without its destination.", documented[managed.getResponse]),
        ...missing,
      },
    }),
    update: route("updateNotificationChannel", {
      method: "patch",
      path: CHANNEL,
      summary: "Change a notification channel",
      request: {
        params: channelParams,
        body: {
          required: true,
          content: { "application/json": { schema: updateBody(managed.acceptsNull) } },
        },
      },
      responses: {
        200: answer("The channel, without its destination.", documented[managed.updateResponse]),
        400: answer("The body is not JSON.", problem),
        ...missing,
        ...protection,
        415: answer("The body's media type is not `application/json`.", problem),
        422: invalid,
      },
    }),
    delete: route("deleteNotificationChannel", {
      method: "delete",
      path: CHANNEL,
      summary: "Delete a notification channel",
      request: { params: channelParams },
      responses: {
        ...(managed.deleteStatus === 204
          ? { 204: { description: "The channel was deleted.", headers } }
          : { 200: answer("The channel was deleted.", problem) }),
        ...missing,
        ...protection,
      },
    }),
  };
}
