/**
 * The operations of `lifecycle: "managed"`: their routes and what they do. None of them is in the interface;
 * docs/beyond-the-interface.md names the sources. Answers that no source states are options.
 */
import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { UpdateNotificationChannel } from "../../../client/types";
import type { ChannelResponse, EmulatedChannel, ManagedOptions } from "../types";
import type { AppParts } from "./app";
import { channelFields, updateBody } from "./channel-bodies";
import { type EmulatorEnv, findChannel, middlewareOf, refuseMethod } from "./middleware";
import { documentedChannel, documentedChannelPage, documentedCreated } from "./openapi";
import { paginate, renderChannel } from "./render";
import { answersOf, domainIdParameter, pageNumber, problem, security } from "./routes";

const LIST = "/api/domains/{domain_id}/notification-channels";
const CHANNEL = `${LIST}/{channel_id}`;

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

  for (const segment of NOT_AN_ID) app.all(`${routes.list.getRoutingPath()}/${segment}`, (c) => c.notFound());

  app.openapi({ ...routes.list, middleware: middlewareOf("listNotificationChannels", parts) }, (c) => {
    const channels = store.channels(c.get("domain").id);
    const { origin, pathname } = new URL(c.req.url);
    const paged = paginate({
      items: options.listOrder === "newest-first" ? channels.toReversed() : channels,
      page: c.req.valid("query").page,
      perPage: managed.perPage,
      link: (page) => `${origin}${pathname}?page=${page}`,
    });
    return c.json({ ...paged, data: paged.data.map((each) => renderChannel(each, clock.now())) }, 200);
  });

  app.openapi(
    { ...routes.get, middleware: middlewareOf("getNotificationChannel", parts, findChannel) },
    (c) => c.json(responseIn(managed.getResponse, c.get("channel")), 200),
  );

  app.openapi(
    { ...routes.update, middleware: middlewareOf("updateNotificationChannel", parts, findChannel) },
    (c) => {
      const channel = c.get("channel");
      if (channel.isProtected) return c.json(protection, managed.protectedStatus);
      // Without a body and its type there is nothing that could have been checked.
      if (c.req.header("Content-Type") === undefined)
        return c.json({ message: "The body's media type is not `application/json`." }, 415);
      const changed = store.updateChannel(
        channel.id,
        channelFields<UpdateNotificationChannel>(c.req.valid("json")),
      );
      return c.json(responseIn(managed.updateResponse, changed), 200);
    },
  );

  app.openapi(
    { ...routes.delete, middleware: middlewareOf("deleteNotificationChannel", parts, findChannel) },
    (c) => {
      const { id, isProtected } = c.get("channel");
      if (isProtected) return c.json(protection, managed.protectedStatus);
      store.removeChannel(id);
      if (managed.deleteStatus === 204) return c.body(null, 204);
      return c.json({ message: "The channel was deleted." }, 200);
    },
  );

  app.all(routes.get.getRoutingPath(), refuseMethod("GET", "HEAD", "PATCH", "DELETE"));
}

function createManagedRoutes({ options, store }: AppParts, managed: Required<ManagedOptions>) {
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
  return {
    list: createRoute({
      method: "get",
      path: LIST,
      operationId: "listNotificationChannels",
      summary: "List the notification channels of a domain",
      security,
      request: { params, query: z.object({ page: pageNumber }) },
      responses: { 200: answer("One page.", documentedChannelPage), ...refusals, 422: invalid },
    }),
    get: createRoute({
      method: "get",
      path: CHANNEL,
      operationId: "getNotificationChannel",
      summary: "Retrieve a notification channel",
      security,
      request: { params: channelParams },
      responses: {
        200: answer("The channel, without its destination.", documented[managed.getResponse]),
        ...missing,
      },
    }),
    update: createRoute({
      method: "patch",
      path: CHANNEL,
      operationId: "updateNotificationChannel",
      summary: "Change a notification channel",
      security,
      request: {
        params: channelParams,
        body: {
          required: true,
          content: {
            "application/json": {
              schema: updateBody(managed.acceptsNull),
            },
          },
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
    delete: createRoute({
      method: "delete",
      path: CHANNEL,
      operationId: "deleteNotificationChannel",
      summary: "Delete a notification channel",
      security,
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
