/** The four operations as OpenAPI routes. The schemas are the client's own: what validates a request documents it. */
import { createRoute, z } from "@hono/zod-openapi";
import {
  wireCreateNotificationChannel,
  wireDnsChange,
  wireDomain,
  wireNotificationChannel,
  wirePage,
  wireWhoisChange,
} from "../../client/schemas";
import { LABEL_LENGTH, PER_PAGE, WEBHOOK_METHODS } from "../../client/types";

/** What `per_page` is where a request leaves it out (interface.md, section 8). */
export const DEFAULT_PER_PAGE = 15;

/** Name under which the OpenAPI document knows the bearer token. */
export const BEARER_SCHEME = "apiToken";

const problem = z.object({ message: z.string() }).meta({ id: "Problem" });
const validationProblem = z
  .object({ message: z.string(), errors: z.record(z.string(), z.array(z.string())) })
  .meta({ id: "ValidationProblem", description: "`errors` maps field names to texts." });

const headers = z.object({ "X-Request-Id": z.string().meta({ description: "Identifier of this request." }) });

const answer = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  headers,
  content: { "application/json": { schema } },
});

const unauthenticated = answer("The bearer token is missing or wrong.", problem);
const noSuchDomain = answer("There is no such domain.", problem);
const invalid = answer("The input breaks the rules.", validationProblem);

const domainId = z.string().meta({ description: "The domain's identifier." });

const pageQuery = z.object({
  per_page: z.coerce
    .number()
    .int()
    .min(PER_PAGE.minimum)
    .max(PER_PAGE.maximum)
    .default(DEFAULT_PER_PAGE)
    .meta({ description: "Items per page." }),
  page: z.coerce.number().int().min(1).default(1).meta({ description: "Page number." }),
});

const webhookMethods: readonly string[] = WEBHOOK_METHODS;

// JSON Schema cannot see into a refinement, so the bounds of the label are stated once more for the document.
const createChannelBody = wireCreateNotificationChannel
  .extend({
    label: wireCreateNotificationChannel.shape.label.meta({
      minLength: LABEL_LENGTH.minimum,
      maxLength: LABEL_LENGTH.maximum,
    }),
    secondary_value: wireCreateNotificationChannel.shape.secondary_value.meta({
      description: `For a webhook the HTTP method: ${WEBHOOK_METHODS.join(", ")}.`,
    }),
  })
  .refine(
    ({ type, secondary_value: method }) =>
      type !== "webhook" || method === undefined || method === null || webhookMethods.includes(method),
    { path: ["secondary_value"], error: `must be one of ${WEBHOOK_METHODS.join(", ")} for a webhook` },
  )
  .meta({ id: "CreateNotificationChannel", description: "Fields other than these are refused." });

const security = [{ [BEARER_SCHEME]: [] }];

/** interface.md, section 4.1. */
export const getDomainRoute = createRoute({
  method: "get",
  path: "/api/domains/{id}",
  operationId: "getDomain",
  summary: "Retrieve a domain",
  security,
  request: { params: z.object({ id: domainId }) },
  responses: {
    200: answer("The domain, not wrapped.", wireDomain.meta({ id: "Domain" })),
    401: unauthenticated,
    404: noSuchDomain,
  },
});

const listRequest = { params: z.object({ domain_id: domainId }), query: pageQuery };

/** interface.md, section 4.2. */
export const listWhoisChangesRoute = createRoute({
  method: "get",
  path: "/api/domains/{domain_id}/changes/whois",
  operationId: "listWhoisChanges",
  summary: "List WHOIS changes of a domain, newest first",
  security,
  request: listRequest,
  responses: {
    200: answer(
      "One page.",
      wirePage(wireWhoisChange.meta({ id: "WhoisChange" })).meta({ id: "WhoisChangePage" }),
    ),
    401: unauthenticated,
    404: noSuchDomain,
    422: invalid,
  },
});

/** interface.md, section 4.3. */
export const listDnsChangesRoute = createRoute({
  method: "get",
  path: "/api/domains/{domain_id}/changes/dns",
  operationId: "listDnsChanges",
  summary: "List DNS changes of a domain, newest first",
  security,
  request: listRequest,
  responses: {
    200: answer("One page.", wirePage(wireDnsChange.meta({ id: "DnsChange" })).meta({ id: "DnsChangePage" })),
    401: unauthenticated,
    404: noSuchDomain,
    422: invalid,
  },
});

const created = z.object({ data: wireNotificationChannel.meta({ id: "NotificationChannel" }) });

/** interface.md, section 4.4. */
export const createNotificationChannelRoute = createRoute({
  method: "post",
  path: "/api/domains/{domain_id}/notification-channels",
  operationId: "createNotificationChannel",
  summary: "Create a notification channel",
  security,
  request: {
    params: z.object({ domain_id: domainId }),
    body: { required: true, content: { "application/json": { schema: createChannelBody } } },
  },
  responses: {
    201: answer("The channel, without its destination.", created.meta({ id: "CreatedNotificationChannel" })),
    400: answer("The body is not JSON.", problem),
    401: unauthenticated,
    404: noSuchDomain,
    415: answer("The body's media type is not `application/json`.", problem),
    422: invalid,
  },
});
