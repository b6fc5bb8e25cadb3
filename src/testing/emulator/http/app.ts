/** The HTTP application: what each operation does, once a request has passed the middleware. */
import { OpenAPIHono } from "@hono/zod-openapi";
import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import type { CreateNotificationChannel } from "../../../client/types";
import type { StoredChange } from "../data/stored";
import type { ResolvedOptions } from "../options";
import { channelFields } from "./channel-bodies";
import { serveDomainList } from "./domain-list";
import { logRequest } from "./log";
import { serveManagedLifecycle } from "./managed";
import {
  authenticate,
  type EmulatorEnv,
  type MiddlewareParts,
  middlewareOf,
  refuseMethod,
} from "./middleware";
import { openApiHead, securityScheme } from "./openapi";
import {
  paginate,
  renderChannel,
  renderDnsChange,
  renderDomain,
  renderWhoisChange,
  validationFailure,
} from "./render";
import { BEARER_SCHEME, createRoutes } from "./routes";

/** The parts that the application works on. */
export interface AppParts extends MiddlewareParts {
  options: ResolvedOptions;
  /** The control endpoint, where there is one. */
  control: Hono<EmulatorEnv> | undefined;
}

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
    app.route("/control", new Hono<EmulatorEnv>().use(authenticate(parts.token)).route("/", control));
  app.use(logRequest(parts));

  const routes = createRoutes(options, store.domains()[0]?.id);
  const page = <Item>(
    c: Context<EmulatorEnv>,
    changes: readonly StoredChange[],
    query: { page: number; per_page: number },
    render: (change: StoredChange) => Item,
  ) => {
    const items = options.listOrder === "newest-first" ? changes : changes.toReversed();
    const { page: number, per_page: perPage } = query;
    const link = (target: number) => `${addressOf(c)}?per_page=${perPage}&page=${target}`;
    const paged = paginate({ items, page: number, perPage, link });
    return { ...paged, data: paged.data.map(render) };
  };

  app.openapi({ ...routes.getDomain, middleware: middlewareOf("getDomain", parts) }, (c) =>
    c.json(renderDomain(c.get("domain"), clock.now()), 200),
  );

  app.openapi({ ...routes.listWhoisChanges, middleware: middlewareOf("listWhoisChanges", parts) }, (c) => {
    const domain = c.get("domain");
    const render = (change: StoredChange) => renderWhoisChange(domain, change, clock.now());
    return c.json(page(c, domain.changes.whois, c.req.valid("query"), render), 200);
  });

  app.openapi({ ...routes.listDnsChanges, middleware: middlewareOf("listDnsChanges", parts) }, (c) => {
    const domain = c.get("domain");
    const render = (change: StoredChange) => renderDnsChange(domain, change, clock.now());
    return c.json(page(c, domain.changes.dns, c.req.valid("query"), render), 200);
  });

  app.openapi(
    { ...routes.createNotificationChannel, middleware: middlewareOf("createNotificationChannel", parts) },
    (c) => {
      const channel = store.createChannel(
        c.get("domain").id,
        channelFields<CreateNotificationChannel>(c.req.valid("json")),
      );
      return c.json({ data: renderChannel(channel, clock.now()) }, options.createStatus);
    },
  );

  if (options.managed) {
    serveDomainList(app, parts, options.managed);
    serveManagedLifecycle(app, parts, options.managed);
  }

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

/** The address of the request without its query: links lead to where the client reached the service. */
function addressOf(c: Context): string {
  const { origin, pathname } = new URL(c.req.url);
  return origin + pathname;
}
