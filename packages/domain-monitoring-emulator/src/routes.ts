/**
 * An operation as a route: how it is described, what is checked before its work, and how it fails.
 */
import { createRoute, type OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import { HTTPException } from "hono/http-exception";
import type { EmulatorEnv } from "./context";
import { type AppParts, middlewareOf } from "./middleware";
import { problem, validationProblem } from "./schemas";
import type { EmulatorOperation } from "./types";

/** Name under which the OpenAPI document knows the bearer token. */
export const BEARER_SCHEME = "apiToken";

const PROTECTED = "The channel is protected.";
const OTHER_TYPE = "The body's media type is not `application/json`.";

interface Operation<Query extends z.ZodObject, Body extends z.ZodType> {
  method: "get" | "post" | "patch" | "delete";
  path: string;
  summary: string;
  query?: Query;
  body?: Body;

  /** Without a schema the response is empty. */
  answer: [description: string, schema?: z.ZodType];

  /** @default 200, or 204 for an empty response */
  status?: AppParts["options"]["createStatus"];
  links?: Record<string, object>;
  work(request: ValidRequest<z.output<Query>, z.output<Body>>): unknown;
}

interface ValidRequest<Query, Body> extends Pick<EmulatorEnv["Variables"], "domain" | "channel"> {
  url: string;
  query: Query;
  body: Body;
}

const described = (description: string) => z.string().meta({ description });

const wholeText = (description: string) => z.string().meta({ pattern: "^\\d+$", description });

const rateLimitHeaders = {
  "X-RateLimit-Limit": wholeText("Requests in a window."),
  "X-RateLimit-Remaining": wholeText("Requests left in this window."),
  "X-RateLimit-Reset": wholeText("When the next window begins, in seconds since 1970."),
};

/**
 * Returns a function that adds an operation to the application. The options decide on headers and
 * statuses.
 */
export function operationsOf(app: OpenAPIHono<EmulatorEnv>, parts: AppParts) {
  const ids = describedIds(parts);

  return function serve<Query extends z.ZodObject, Body extends z.ZodType>(
    operationId: EmulatorOperation,
    operation: Operation<Query, Body>,
  ): void {
    const { method, path, summary, query, body, status } = operation;
    const [, schema] = operation.answer;
    const changesChannel = path.includes("{channel_id}") && method !== "get";
    const route = createRoute({
      operationId,
      method,
      path,
      summary,
      request: {
        params: paramsOf(path, ids),
        query,
        body: body && { required: true, content: { "application/json": { schema: body } } },
      },
      responses: responsesOf(operation, parts),
      security: [{ [BEARER_SCHEME]: [] }],
      middleware: middlewareOf(operationId, parts),
    });

    app.openapi<RouteConfig, { out: { query: z.output<Query>; json: z.output<Body> } }>(
      route,
      (c) => {
        const channel = c.get("channel");
        if (changesChannel && channel.isProtected)
          throw new HTTPException(403, { message: PROTECTED });

        // Without a body and its type nothing has been checked; a create then misses what it
        // requires.
        if (method === "patch" && c.req.header("Content-Type") === undefined)
          throw new HTTPException(415, { message: OTHER_TYPE });

        const { url } = c.req;
        const domain = c.get("domain");
        const query = c.req.valid("query");
        const body = c.req.valid("json");
        const result = operation.work({ url, domain, channel, query, body });

        return schema === undefined ? c.body(null, 204) : c.json(result ?? null, status);
      },
    );
  };
}

/** The ids in paths, with examples that exist, for readers who try the operations. */
function describedIds({ store }: AppParts) {
  const [{ id: example } = { id: undefined }] = store.domains();

  return {
    domainId: z.string().openapi({ description: "The domain's identifier.", example }),
    domainIdOrNumber: z.string().openapi({
      // Always text in a path, so the validator does not distinguish the two.
      type: ["string", "integer"],
      description: "The domain's identifier, or its number.",
      example,
    }),
    channelId: z.string().openapi({
      description: "The channel's identifier.",
      example: store.channels(example)[0]?.id,
    }),
  };
}

function paramsOf(path: string, ids: ReturnType<typeof describedIds>) {
  const { domainId, domainIdOrNumber, channelId } = ids;

  return z.object({
    ...(path.includes("{id}") && { id: domainId }),
    ...(path.includes("{domain_id}") && {
      domain_id: path.includes("/changes/") ? domainIdOrNumber : domainId,
    }),
    ...(path.includes("{channel_id}") && { channel_id: channelId }),
  });
}

function responsesOf<Query extends z.ZodObject, Body extends z.ZodType>(
  {
    method,
    path,
    query,
    body,
    status,
    links,
    answer: [description, schema],
  }: Operation<Query, Body>,
  { options }: AppParts,
): RouteConfig["responses"] {
  const namesChannel = path.includes("{channel_id}");
  const noSuch = `There is no such domain${namesChannel ? ", or it has no such channel" : ""}.`;
  const headers = z.object({
    "X-Request-Id": described("Identifier of this request."),
    ...(options.rateLimit && rateLimitHeaders),
  });

  const answer = (text: string, body: z.ZodType = problem, more: z.ZodRawShape = {}) => ({
    description: text,
    headers: headers.extend(more),
    content: { "application/json": { schema: body } },
  });

  return {
    ...(schema
      ? { [status ?? 200]: { ...answer(description, schema), links } }
      : { 204: { description, headers } }),
    ...(body && { 400: answer("The body is not JSON."), 415: answer(OTHER_TYPE) }),
    401: answer("The bearer token is missing or wrong.", problem, {
      "WWW-Authenticate": described("The scheme to authenticate with."),
    }),
    ...(namesChannel && method !== "get" && { 403: answer(PROTECTED) }),
    ...(path.includes("{") && { 404: answer(noSuch) }),
    ...((body ?? query) && { 422: answer("The input is not valid.", validationProblem) }),
    ...(options.rateLimit && {
      429: answer("Too many requests.", problem, { "Retry-After": described("Seconds to wait.") }),
    }),
  };
}
