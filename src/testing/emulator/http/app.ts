/** The HTTP application: what each operation does, once a request has passed the middleware. */
import { OpenAPIHono } from "@hono/zod-openapi";
import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import type { CreateNotificationChannel } from "../../../client/types";
import type { StoredChange } from "../data/stored";
import { channelFields } from "./channel-bodies";
import { logRequest } from "./log";
import { serveManagedLifecycle } from "./managed";
import { type AppParts, authenticate, type EmulatorEnv, refuseMethod } from "./middleware";
import { openApiHead, securityScheme } from "./openapi";
import {
  addressOf,
  renderChannel,
  renderDnsChange,
  renderDomain,
  renderPage,
  renderWhoisChange,
  validationFailure,
} from "./render";
import { BEARER_SCHEME, createRoutes } from "./routes";

/** The application. `X-Request-Id` is set by `server.ts`, so that answers of faults carry it too. */
export function createApp(parts: AppParts): OpenAPIHono<EmulatorEnv> {
  const { store, clock, options, control } = parts;
  const app = new OpenAPIHono<EmulatorEnv>({
    defaultHook: (result, c) => {
      if (!result.success) return c.json(validationFailure(result.error.issues), 422);
    },
  });
  app.openAPIRegistry.registerComponent("securitySchemes", BEARER_SCHEME, securityScheme);
  // Before the log: it is not part of the service.
  if (control)
    app.route("/control", new Hono<EmulatorEnv>().use(authenticate(options.token)).route("/", control));
  app.use(logRequest(parts));

  const routes = createRoutes(parts);
  const pageOf = <Item>(
    c: Context,
    changes: readonly StoredChange[],
    { page, per_page: perPage }: { page: number; per_page: number },
    render: (change: StoredChange) => Item,
  ) =>
    renderPage({
      items: options.listOrder === "newest-first" ? changes : changes.toReversed(),
      page,
      perPage,
      address: `${addressOf(c)}?per_page=${perPage}&page=`,
      render,
    });

  app.openapi(routes.getDomain, (c) => c.json(renderDomain(c.get("domain"), clock.now()), 200));

  app.openapi(routes.listWhoisChanges, (c) => {
    const domain = c.get("domain");
    const render = (change: StoredChange) => renderWhoisChange(domain, change, clock.now());
    return c.json(pageOf(c, domain.changes.whois, c.req.valid("query"), render), 200);
  });

  app.openapi(routes.listDnsChanges, (c) => {
    const domain = c.get("domain");
    const render = (change: StoredChange) => renderDnsChange(domain, change, clock.now());
    return c.json(pageOf(c, domain.changes.dns, c.req.valid("query"), render), 200);
  });

  app.openapi(routes.createNotificationChannel, (c) => {
    const submitted = channelFields<CreateNotificationChannel>(c.req.valid("json"));
    const channel = store.createChannel(c.get("domain").id, submitted);
    return c.json({ data: renderChannel(channel, clock.now()) }, options.createStatus);
  });

  if (options.managed) serveManagedLifecycle(app, parts, options.managed);

  app.all(routes.getDomain.getRoutingPath(), refuseMethod("GET", "HEAD"));
  app.all(routes.listWhoisChanges.getRoutingPath(), refuseMethod("GET", "HEAD"));
  app.all(routes.listDnsChanges.getRoutingPath(), refuseMethod("GET", "HEAD"));
  const listed = options.managed ? ["GET", "HEAD"] : [];
  app.all(routes.createNotificationChannel.getRoutingPath(), refuseMethod(...listed, "POST"));
  app.doc31("/openapi.json", (c) => openApiHead(new URL(c.req.url).origin));
  app.notFound((c) => c.json({ message: "There is nothing at this address." }, 404));
  app.onError((error, c) =>
    error instanceof HTTPException
      ? c.json({ message: error.message }, error.status)
      : c.json({ message: "The emulator failed." }, 500),
  );
  return app;
}
