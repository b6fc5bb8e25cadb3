/** The routes of the emulator: token, fault, domain, input, work, in this order. */
import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import type { z } from "zod";
import type { wireCreateNotificationChannel } from "../../client/schemas";
import type { CreateNotificationChannel } from "../../client/types";
import { applyFault } from "./breakage";
import type { Store } from "./data";
import type { EmulatorEnv } from "./env";
import { openApiHead, securityScheme } from "./openapi";
import { paginate } from "./pagination";
import {
  BEARER_SCHEME,
  createNotificationChannelRoute,
  getDomainRoute,
  listDnsChangesRoute,
  listWhoisChangesRoute,
} from "./routes";
import type { FaultRule, LoggedRequest, OperationName } from "./types";
import { validationFailure } from "./validation";
import { renderChannel, renderDnsChange, renderDomain, renderWhoisChange } from "./wire";

/** What the application works on. */
export interface AppParts {
  token: string;
  store: Store;
  /** The fault that hits a request of this operation, which thereby is counted. */
  takeFault(operation: OperationName): FaultRule | undefined;
  log(request: LoggedRequest): void;
}

/** The application; `X-Request-Id` is set below it, so that answers of faults carry it too. */
export function createApp({ token, store, takeFault, log }: AppParts): OpenAPIHono<EmulatorEnv> {
  const app = new OpenAPIHono<EmulatorEnv>({
    defaultHook: (result, c) => {
      if (!result.success) return c.json(validationFailure(result.error.issues), 422);
    },
  });
  app.openAPIRegistry.registerComponent("securitySchemes", BEARER_SCHEME, securityScheme);
  app.use(logRequest(log));
  const operation = (name: OperationName) => [
    authenticate(name, token),
    injectFault(name, takeFault),
    findDomain(store),
  ];

  app.openapi({ ...getDomainRoute, middleware: operation("getDomain") }, (c) =>
    c.json(renderDomain(c.get("domain"), new Date()), 200),
  );

  app.openapi({ ...listWhoisChangesRoute, middleware: operation("listWhoisChanges") }, (c) => {
    const domain = c.get("domain");
    const { page, per_page: perPage } = c.req.valid("query");
    const now = new Date();
    const items = domain.changes.whois.map((change) => renderWhoisChange(domain, change, now));
    return c.json(paginate({ items, page, perPage, address: addressOf(c) }), 200);
  });

  app.openapi({ ...listDnsChangesRoute, middleware: operation("listDnsChanges") }, (c) => {
    const domain = c.get("domain");
    const { page, per_page: perPage } = c.req.valid("query");
    const now = new Date();
    const items = domain.changes.dns.map((change) => renderDnsChange(domain, change, now));
    return c.json(paginate({ items, page, perPage, address: addressOf(c) }), 200);
  });

  app.openapi(
    { ...createNotificationChannelRoute, middleware: operation("createNotificationChannel") },
    (c) => {
      const channel = store.createChannel(c.get("domain").id, submittedChannel(c.req.valid("json")));
      return c.json({ data: renderChannel(channel, new Date()) }, 201);
    },
  );

  app.doc31("/openapi.json", (c) => openApiHead(new URL(c.req.url).origin));
  app.notFound((c) => c.json({ message: "There is nothing at this address." }, 404));
  app.onError((error, c) =>
    error instanceof HTTPException
      ? c.json({ message: error.message }, error.status)
      : c.json({ message: "The emulator failed." }, 500),
  );
  return app;
}

function submittedChannel(body: z.infer<typeof wireCreateNotificationChannel>): CreateNotificationChannel {
  return {
    label: body.label,
    type: body.type,
    value: body.value,
    secondaryValue: body.secondary_value,
    whoisNotificationsEnabled: body.whois_notifications_enabled,
    dnsNotificationsEnabled: body.dns_notifications_enabled,
    sslNotificationsEnabled: body.ssl_notifications_enabled,
  };
}

/** The address that was asked for, without its query: links lead back to where the client found the service. */
function addressOf(c: Context): string {
  const { origin, pathname } = new URL(c.req.url);
  return origin + pathname;
}

function logRequest(log: AppParts["log"]): MiddlewareHandler<EmulatorEnv> {
  return async (c, next) => {
    await next();
    log({
      method: c.req.method,
      path: c.env.incoming.url ?? c.req.path,
      operation: c.get("operation") ?? null,
      status: c.get("sentStatus") ?? c.res.status,
    });
  };
}

function authenticate(operation: OperationName, token: string): MiddlewareHandler<EmulatorEnv> {
  return async (c, next) => {
    c.set("operation", operation);
    if (c.req.header("Authorization") === `Bearer ${token}`) return next();
    return c.json({ message: "The bearer token is missing or wrong." }, 401, {
      "WWW-Authenticate": "Bearer",
    });
  };
}

function injectFault(
  operation: OperationName,
  takeFault: AppParts["takeFault"],
): MiddlewareHandler<EmulatorEnv> {
  return async (c, next) => {
    const fault = takeFault(operation);
    return fault === undefined ? next() : applyFault(fault, c, next);
  };
}

function findDomain(store: Store): MiddlewareHandler<EmulatorEnv> {
  return async (c, next) => {
    const domain = store.domain(c.req.param("id") ?? c.req.param("domain_id") ?? "");
    if (domain === undefined) return c.json({ message: "There is no such domain." }, 404);
    c.set("domain", domain);
    return next();
  };
}
