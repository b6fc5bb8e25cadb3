/** The HTTP application: what each operation does, once a request has passed the middleware. */
import { OpenAPIHono, type z } from "@hono/zod-openapi";
import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import type { StoredChange } from "./domains";
import { type AppParts, authenticate, type EmulatorEnv, logRequest } from "./middleware";
import {
  renderChannel,
  renderDnsChange,
  renderDomain,
  renderPage,
  renderWhoisChange,
  validationFailure,
} from "./render";
import { BEARER_SCHEME, createRoutes } from "./routes";
import { fieldsOf, type updateDomain } from "./schemas";
import { withoutUndefined } from "./store";
import type { DomainUpdate } from "./types";

/** The application. `X-Request-Id` is set by `server.ts`, so that answers of faults carry it too. */
export function createApp(parts: AppParts): OpenAPIHono<EmulatorEnv> {
  const { options, control } = parts;
  const app = new OpenAPIHono<EmulatorEnv>({
    defaultHook: (result, c) => {
      if (!result.success) return c.json(validationFailure(result.error.issues), 422);
    },
  });
  // interface.md, section 5.
  app.openAPIRegistry.registerComponent("securitySchemes", BEARER_SCHEME, {
    type: "http",
    scheme: "bearer",
    description: "The API token from the account settings.",
  });
  // Before the log: it is not part of the service.
  if (control)
    app.route("/control", new Hono<EmulatorEnv>().use(authenticate(options.token)).route("/", control));
  app.use(logRequest(parts));

  serve(app, parts);
  refuseOtherMethods(app);
  app.doc31("/openapi.json", (c) => ({
    openapi: "3.1.0",
    info: {
      title: "Domain monitoring service (local emulator)",
      version: "1.0.0",
      description:
        "What the emulator of pulumi-domain-monitoring serves, with the options it was started with. Null where the " +
        "interface does not say so stands for what is not known before a first check.",
    },
    servers: [{ url: new URL(c.req.url).origin }],
  }));
  app.notFound((c) => c.json({ message: "There is nothing at this address." }, 404));
  app.onError((error, c) =>
    error instanceof HTTPException
      ? c.json({ message: error.message }, error.status)
      : c.json({ message: "The emulator failed." }, 500),
  );
  return app;
}

/** The operations that these options serve. */
function serve(app: OpenAPIHono<EmulatorEnv>, parts: AppParts): void {
  const { store, clock, options } = parts;
  const routes = createRoutes(parts);

  app.openapi(routes.getDomain, (c) => c.json(renderDomain(c.get("domain"), clock.now()), 200));

  app.openapi(routes.listWhoisChanges, (c) => {
    const domain = c.get("domain");
    const render = (change: StoredChange, now: Date) => renderWhoisChange(domain, change, now);
    return c.json(renderPage(c, parts, domain.changes.whois, c.req.valid("query"), render), 200);
  });

  app.openapi(routes.listDnsChanges, (c) => {
    const domain = c.get("domain");
    const render = (change: StoredChange, now: Date) => renderDnsChange(domain, change, now);
    return c.json(renderPage(c, parts, domain.changes.dns, c.req.valid("query"), render), 200);
  });

  if (options.listDomains)
    app.openapi(routes.listDomains, (c) => {
      const domains = store.domains().toReversed();
      return c.json(renderPage(c, parts, domains, c.req.valid("query"), renderDomain), 200);
    });
  // Also where domains can be created, which would make it a 405.
  else app.get("/api/domains", (c) => c.notFound());

  if (options.lifecycle === "managed")
    app.openapi(routes.listNotificationChannels, (c) => {
      const channels = store.channels(c.get("domain").id).toReversed();
      return c.json(renderPage(c, parts, channels, c.req.valid("query"), renderChannel), 200);
    });

  app.openapi(routes.createNotificationChannel, (c) => {
    const channel = store.createChannel(c.get("domain").id, fieldsOf(c.req.valid("json")));
    return c.json({ data: renderChannel(channel, clock.now()) }, options.createStatus);
  });

  if (options.lifecycle === "create-only") return;

  app.openapi(routes.getNotificationChannel, (c) =>
    c.json(renderChannel(c.get("channel"), clock.now()), 200),
  );

  app.openapi(routes.updateNotificationChannel, (c) => {
    const { id, isProtected } = c.get("channel");
    if (isProtected) return c.json(PROTECTED, 403);
    if (lacksBody(c)) return c.json(NO_BODY, 415);
    const channel = store.updateChannel(id, fieldsOf(c.req.valid("json")));
    return c.json({ data: renderChannel(channel, clock.now()) }, 200);
  });

  app.openapi(routes.deleteNotificationChannel, (c) => {
    const { id, isProtected } = c.get("channel");
    if (isProtected) return c.json(PROTECTED, 403);
    store.removeChannel(id);
    return c.body(null, 204);
  });

  app.openapi(routes.createDomain, (c) => {
    const { domain, ...settings } = c.req.valid("json");
    const id = store.addDomain({ domain, ...settingsIn(settings), checked: false });
    return c.json({ data: [renderDomain(store.existing(id), clock.now())] }, options.createStatus);
  });

  app.openapi(routes.updateDomain, (c) => {
    if (lacksBody(c)) return c.json(NO_BODY, 415);
    const { id } = c.get("domain");
    store.updateDomain(id, settingsIn(c.req.valid("json")));
    return c.json({ data: renderDomain(store.existing(id), clock.now()) }, 200);
  });

  app.openapi(routes.deleteDomain, (c) => {
    store.removeDomain(c.get("domain").id);
    return c.body(null, 204);
  });
}

const PROTECTED = { message: "The channel is protected." };
const NO_BODY = { message: "The body's media type is not `application/json`." };

/** Without a body and its type there is nothing that could have been checked. */
function lacksBody(c: Context): boolean {
  return c.req.header("Content-Type") === undefined;
}

/** The settings of a domain in a valid body: they have other names than in answers. */
function settingsIn(body: z.infer<typeof updateDomain>): DomainUpdate {
  const { whois_check_interval, dns_check_interval, enabled_dns_records, ...rest } = body;
  return {
    ...rest,
    whois: withoutUndefined({ checkInterval: whois_check_interval }),
    dns: withoutUndefined({ checkInterval: dns_check_interval, enabledRecords: enabled_dns_records }),
  };
}

/** Answers 405 to a method that an address does not have. */
function refuseOtherMethods(app: OpenAPIHono<EmulatorEnv>): void {
  const allowed = new Map<string, string[]>();
  for (const definition of app.openAPIRegistry.definitions) {
    if (definition.type !== "route") continue;
    const { method, path } = definition.route;
    const address = path.replaceAll(/\{(\w+)\}/g, ":$1");
    const methods = method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()];
    allowed.set(address, [...(allowed.get(address) ?? []), ...methods]);
  }
  for (const [address, methods] of allowed) {
    const names = methods.join(", ");
    app.all(address, (c) =>
      c.json({ message: `The method is not supported: use ${names}.` }, 405, { Allow: names }),
    );
  }
}
