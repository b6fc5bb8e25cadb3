/**
 * The list of domains, which is served with `lifecycle: "managed"`. It is not in the interface;
 * docs/beyond-the-interface.md names the sources. Page size and order, which no source states, are options.
 */
import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { ManagedOptions } from "../types";
import type { AppParts } from "./app";
import { type EmulatorEnv, middlewareOf, refuseMethod } from "./middleware";
import { documentedDomainPage } from "./openapi";
import { paginate, renderDomain } from "./render";
import { answersOf, pageNumber, security } from "./routes";

/** Adds the operation to an application that serves the interface. */
export function serveDomainList(
  app: OpenAPIHono<EmulatorEnv>,
  parts: AppParts,
  { perPage }: Required<ManagedOptions>,
): void {
  const { store, clock, options } = parts;
  const { answer, refusals, invalid } = answersOf(options);
  // There is always a list, if an empty one.
  const { 404: _, ...refused } = refusals;
  const route = createRoute({
    method: "get",
    path: "/api/domains",
    operationId: "listDomains",
    summary: "List the domains of the account",
    security,
    request: { query: z.object({ page: pageNumber }) },
    responses: { 200: answer("One page.", documentedDomainPage), ...refused, 422: invalid },
  });
  app.openapi({ ...route, middleware: middlewareOf("listDomains", parts) }, (c) => {
    const domains = store.domains();
    const { origin, pathname } = new URL(c.req.url);
    const paged = paginate({
      items: options.listOrder === "newest-first" ? domains.toReversed() : domains,
      page: c.req.valid("query").page,
      perPage,
      link: (page) => `${origin}${pathname}?page=${page}`,
    });
    return c.json({ ...paged, data: paged.data.map((each) => renderDomain(each, clock.now())) }, 200);
  });
  app.all(route.getRoutingPath(), refuseMethod("GET", "HEAD"));
}
