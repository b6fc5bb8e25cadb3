/** The operations as OpenAPI routes. The schema that validates a request also documents it. */
import { createRoute, type RouteConfig, z } from "@hono/zod-openapi";
import { type AppParts, middlewareOf } from "./middleware";
import * as schemas from "./schemas";
import type { EmulatorOperation } from "./types";

/** Name under which the OpenAPI document knows the bearer token. */
export const BEARER_SCHEME = "apiToken";

const described = (description: string) => z.string().meta({ description });
const wholeText = (description: string) => z.string().meta({ pattern: "^\\d+$", description });
const requestId = { "X-Request-Id": described("Identifier of this request.") };
const rateLimitHeaders = {
  "X-RateLimit-Limit": wholeText("Requests in a window."),
  "X-RateLimit-Remaining": wholeText("Requests left in this window."),
  "X-RateLimit-Reset": wholeText("When the next window begins, in seconds since 1970."),
};

/** A whole number in a query: digits only, where `Number()` would also accept `1e1` or ` 5`. */
const queryNumber = (maximum: number, byDefault: number, description: string) =>
  z
    .string()
    .regex(/^\d{1,16}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(1).max(maximum))
    .optional()
    .transform((value) => value ?? byDefault)
    .openapi({ type: "integer", minimum: 1, maximum, default: byDefault, description });

/** Query of lists whose page size cannot be requested. */
const pageOnly = z.object({ page: queryNumber(Number.MAX_SAFE_INTEGER, 1, "Page number.") });

/** interface.md, section 8. */
const pageQuery = z.object({ per_page: queryNumber(100, 15, "Items per page."), ...pageOnly.shape });

const CHANNELS = "/api/domains/{domain_id}/notification-channels";
const CHANNEL = `${CHANNELS}/{channel_id}` as const;

/** The routes of an emulator, whose options decide on statuses and headers, and on which of them are served. */
export function createRoutes(parts: AppParts) {
  const { options, store } = parts;
  /** Each has its name, needs the token, and passes the middleware before its work. */
  const route = <Path extends string, Route extends Omit<RouteConfig, "path"> & { path: Path }>(
    operationId: EmulatorOperation,
    config: Route,
  ) =>
    createRoute({
      ...config,
      operationId,
      security: [{ [BEARER_SCHEME]: [] }],
      middleware: middlewareOf(operationId, parts),
    });

  // Ids that exist, for readers who try the operations.
  const [{ id: example } = { id: undefined }] = store.domains();
  const domainId = z.string().openapi({ description: "The domain's identifier.", example });
  const domainIdOrNumber = z.string().openapi({
    // Always text in a path, so the validator does not distinguish the two.
    type: ["string", "integer"],
    description: "The domain's identifier, or its number.",
    example,
  });
  const channelId = z
    .string()
    .openapi({ description: "The channel's identifier.", example: store.channels(example)[0]?.id });
  const params = z.object({ domain_id: domainId });
  const channelParams = z.object({ domain_id: domainId, channel_id: channelId });

  const headers = z.object({ ...requestId, ...(options.rateLimit && rateLimitHeaders) });
  const answer = <Schema extends z.ZodType>(
    description: string,
    schema: Schema,
    more: z.ZodRawShape = {},
  ) => ({
    description,
    headers: headers.extend(more),
    content: { "application/json": { schema } },
  });
  const common = {
    401: answer("The bearer token is missing or wrong.", schemas.problem, {
      "WWW-Authenticate": described("The scheme to authenticate with."),
    }),
    ...(options.rateLimit && {
      429: answer("Too many requests.", schemas.problem, { "Retry-After": described("Seconds to wait.") }),
    }),
  };
  const refusals = { ...common, 404: answer("There is no such domain.", schemas.problem) };
  const noChannel = {
    ...common,
    404: answer("There is no such domain, or it has no such channel.", schemas.problem),
  };
  const invalid = { 422: answer("The input is not valid.", schemas.validationProblem) };
  const refusedBody = {
    400: answer("The body is not JSON.", schemas.problem),
    415: answer("The body's media type is not `application/json`.", schemas.problem),
    ...invalid,
  };
  const bodyOf = <Schema extends z.ZodType>(schema: Schema) => ({
    required: true,
    content: { "application/json": { schema } },
  });
  const isProtected = { 403: answer("The channel is protected.", schemas.problem) };
  const listRequest = { params: z.object({ domain_id: domainIdOrNumber }), query: pageQuery };
  const shown = "The channel, without its destination.";

  return {
    /** interface.md, section 4.1. */
    getDomain: route("getDomain", {
      method: "get",
      path: "/api/domains/{id}",
      summary: "Retrieve a domain",
      request: { params: z.object({ id: domainId }) },
      responses: {
        200: { ...answer("The domain, not wrapped.", schemas.domain), links: LINKS_OF_A_DOMAIN },
        ...refusals,
      },
    }),

    /** interface.md, section 4.2. */
    listWhoisChanges: route("listWhoisChanges", {
      method: "get",
      path: "/api/domains/{domain_id}/changes/whois",
      summary: "List WHOIS changes of a domain",
      request: listRequest,
      responses: { 200: answer("One page.", schemas.whoisPage), ...refusals, ...invalid },
    }),

    /** interface.md, section 4.3. */
    listDnsChanges: route("listDnsChanges", {
      method: "get",
      path: "/api/domains/{domain_id}/changes/dns",
      summary: "List DNS changes of a domain",
      request: listRequest,
      responses: { 200: answer("One page.", schemas.dnsPage), ...refusals, ...invalid },
    }),

    /** interface.md, section 4.4. */
    createNotificationChannel: route("createNotificationChannel", {
      method: "post",
      path: CHANNELS,
      summary: "Create a notification channel",
      request: { params, body: bodyOf(schemas.createChannel) },
      responses: {
        [options.createStatus]: answer(shown, schemas.createdChannel),
        ...refusals,
        ...refusedBody,
      },
    }),

    // The rest is not in the interface, and in the document only where it is served.

    listDomains: route("listDomains", {
      method: "get",
      path: "/api/domains",
      summary: "List the domains of the account",
      request: { query: pageOnly },
      responses: { 200: answer("One page.", schemas.domainPage), ...common, ...invalid },
    }),

    createDomain: route("createDomain", {
      method: "post",
      path: "/api/domains",
      summary: "Add a domain to the account",
      request: { body: bodyOf(schemas.createDomain) },
      responses: {
        [options.createStatus]: answer("The domain, in a list.", schemas.createdDomain),
        ...common,
        ...refusedBody,
      },
    }),

    updateDomain: route("updateDomain", {
      method: "patch",
      path: "/api/domains/{id}",
      summary: "Change a domain",
      request: { params: z.object({ id: domainId }), body: bodyOf(schemas.updateDomain) },
      responses: { 200: answer("The domain.", schemas.updatedDomain), ...refusals, ...refusedBody },
    }),

    deleteDomain: route("deleteDomain", {
      method: "delete",
      path: "/api/domains/{id}",
      summary: "Delete a domain with its history and its channels",
      request: { params: z.object({ id: domainId }) },
      responses: { 204: { description: "The domain was deleted.", headers }, ...refusals },
    }),

    listNotificationChannels: route("listNotificationChannels", {
      method: "get",
      path: CHANNELS,
      summary: "List the notification channels of a domain",
      request: { params, query: pageOnly },
      responses: { 200: answer("One page.", schemas.channelPage), ...refusals, ...invalid },
    }),

    getNotificationChannel: route("getNotificationChannel", {
      method: "get",
      path: CHANNEL,
      summary: "Retrieve a notification channel",
      request: { params: channelParams },
      responses: { 200: answer(shown, schemas.channel), ...noChannel },
    }),

    updateNotificationChannel: route("updateNotificationChannel", {
      method: "patch",
      path: CHANNEL,
      summary: "Change a notification channel",
      request: { params: channelParams, body: bodyOf(schemas.updateChannel) },
      responses: { 200: answer(shown, schemas.createdChannel), ...noChannel, ...isProtected, ...refusedBody },
    }),

    deleteNotificationChannel: route("deleteNotificationChannel", {
      method: "delete",
      path: CHANNEL,
      summary: "Delete a notification channel",
      request: { params: channelParams },
      responses: { 204: { description: "The channel was deleted.", headers }, ...noChannel, ...isProtected },
    }),
  };
}

/** The operations that take a domain's id. */
const LINKS_OF_A_DOMAIN = Object.fromEntries(
  ["listWhoisChanges", "listDnsChanges", "createNotificationChannel"].map((operationId) => [
    operationId,
    { operationId, parameters: { domain_id: "$response.body#/id" } },
  ]),
);
