/** The four operations as OpenAPI routes. The schema that validates a request also documents it. */
import { createRoute, type RouteConfig, z } from "@hono/zod-openapi";
import { PER_PAGE } from "../../../client/types";
import type { ResolvedOptions } from "../options";
import type { EmulatorOperation } from "../types";
import { createBody } from "./channel-bodies";
import { type AppParts, middlewareOf } from "./middleware";
import { documentedCreated, documentedDnsPage, documentedDomain, documentedWhoisPage } from "./openapi";

/** `per_page` of a request that leaves it out (interface.md, section 8). */
const DEFAULT_PER_PAGE = 15;

/** Name under which the OpenAPI document knows the bearer token. */
export const BEARER_SCHEME = "apiToken";

export const problem = z.object({ message: z.string() }).meta({ id: "Problem" });
const validationProblem = z
  .object({ message: z.string(), errors: z.record(z.string(), z.array(z.string())) })
  .meta({ id: "ValidationProblem", description: "`errors` maps field names to texts." });

const requestId = { "X-Request-Id": z.string().meta({ description: "Identifier of this request." }) };
const wholeText = z.string().meta({ pattern: "^\\d+$" });
const rateLimitHeaders = {
  "X-RateLimit-Limit": wholeText.meta({ description: "Requests in a window." }),
  "X-RateLimit-Remaining": wholeText.meta({ description: "Requests left in this window." }),
  "X-RateLimit-Reset": wholeText.meta({ description: "When the next window begins, in seconds since 1970." }),
};

/** A whole number in a query: digits only, where `Number()` would also accept `1e1` or ` 5`. */
const queryNumber = (minimum: number, maximum: number, byDefault: number, description: string) =>
  z
    .string()
    .regex(/^\d{1,16}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum))
    .optional()
    .transform((value) => value ?? byDefault)
    .openapi({ type: "integer", minimum, maximum, default: byDefault, description });

export const pageNumber = queryNumber(1, Number.MAX_SAFE_INTEGER, 1, "Page number.");

const pageQuery = z.object({
  per_page: queryNumber(PER_PAGE.minimum, PER_PAGE.maximum, DEFAULT_PER_PAGE, "Items per page."),
  page: pageNumber,
});

/** Routes of operations: each has its name, needs the token, and passes the middleware before its work. */
export function routesOf(parts: AppParts) {
  return <Path extends string, Route extends Omit<RouteConfig, "path"> & { path: Path }>(
    operationId: EmulatorOperation,
    route: Route,
  ) =>
    createRoute({
      ...route,
      operationId,
      security: [{ [BEARER_SCHEME]: [] }],
      middleware: middlewareOf(operationId, parts),
    });
}

/** @param example id of an existing domain, for readers who try the operations */
export function domainIdParameter(example?: string) {
  return z.string().openapi({ description: "The domain's identifier.", example });
}

/** Descriptions of the answers of all operations. */
export function answersOf({ rateLimit }: ResolvedOptions) {
  const headers = z.object({ ...requestId, ...(rateLimit && rateLimitHeaders) });
  const answer = <Schema extends z.ZodType>(
    description: string,
    schema: Schema,
    more: z.ZodRawShape = {},
  ) => ({
    description,
    headers: headers.extend(more),
    content: { "application/json": { schema } },
  });
  const header = (description: string) => z.string().meta({ description });
  const refusals = {
    401: answer("The bearer token is missing or wrong.", problem, {
      "WWW-Authenticate": header("The scheme to authenticate with."),
    }),
    404: answer("There is no such domain.", problem),
    ...(rateLimit && {
      429: answer("Too many requests.", problem, { "Retry-After": header("Seconds to wait.") }),
    }),
  };
  const invalid = answer("The input is not valid.", validationProblem);
  return { headers, answer, refusals, invalid };
}

/** The routes of an emulator, whose options decide on statuses and headers. */
export function createRoutes(parts: AppParts) {
  const { options, store } = parts;
  const route = routesOf(parts);
  const example = store.domains()[0]?.id;
  const domainId = domainIdParameter(example);
  const domainIdOrNumber = z.string().openapi({
    // Always text in a path, so the validator does not distinguish the two.
    type: ["string", "integer"],
    description: "The domain's identifier, or its number.",
    example,
  });
  const { answer, refusals, invalid } = answersOf(options);
  const listRequest = { params: z.object({ domain_id: domainIdOrNumber }), query: pageQuery };

  return {
    /** interface.md, section 4.1. */
    getDomain: route("getDomain", {
      method: "get",
      path: "/api/domains/{id}",
      summary: "Retrieve a domain",
      request: { params: z.object({ id: domainId }) },
      responses: {
        200: { ...answer("The domain, not wrapped.", documentedDomain), links: LINKS_OF_A_DOMAIN },
        ...refusals,
      },
    }),

    /** interface.md, section 4.2. */
    listWhoisChanges: route("listWhoisChanges", {
      method: "get",
      path: "/api/domains/{domain_id}/changes/whois",
      summary: "List WHOIS changes of a domain",
      request: listRequest,
      responses: { 200: answer("One page.", documentedWhoisPage), ...refusals, 422: invalid },
    }),

    /** interface.md, section 4.3. */
    listDnsChanges: route("listDnsChanges", {
      method: "get",
      path: "/api/domains/{domain_id}/changes/dns",
      summary: "List DNS changes of a domain",
      request: listRequest,
      responses: { 200: answer("One page.", documentedDnsPage), ...refusals, 422: invalid },
    }),

    /** interface.md, section 4.4. */
    createNotificationChannel: route("createNotificationChannel", {
      method: "post",
      path: "/api/domains/{domain_id}/notification-channels",
      summary: "Create a notification channel",
      request: {
        params: z.object({ domain_id: domainId }),
        body: { required: true, content: { "application/json": { schema: createBody } } },
      },
      responses: {
        [options.createStatus]: answer("The channel, without its destination.", documentedCreated),
        400: answer("The body is not JSON.", problem),
        ...refusals,
        415: answer("The body's media type is not `application/json`.", problem),
        422: invalid,
      },
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
