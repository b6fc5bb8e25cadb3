/**
 * The HTTP application: the operations, the response where there is none, and the control endpoint.
 */
import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { methodNotAllowed } from "hono/method-not-allowed";
import type { EmulatorEnv } from "./context";
import { type AppParts, logRequest } from "./middleware";
import { NOTHING_HERE, serveOperations } from "./operations";
import { validationFailure } from "./render";
import { BEARER_SCHEME } from "./routes";

/**
 * The application. `X-Request-Id` is set by `server.ts`, so that responses of faults also carry it.
 */
export function createApp(parts: AppParts, control?: Hono<EmulatorEnv>): OpenAPIHono<EmulatorEnv> {
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
  if (control) app.route("/control", control);
  app.use(logRequest(parts), methodNotAllowed({ app, onMethodNotAllowed }));
  serveOperations(app, parts);
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

  app.notFound((c) => c.json({ message: NOTHING_HERE }, 404));
  app.onError((error, c) =>
    error instanceof HTTPException
      ? c.json({ message: error.message }, error.status)
      : c.json({ message: "The emulator failed." }, 500),
  );

  return app;
}

function onMethodNotAllowed(c: Context<EmulatorEnv>, allowed: string[]): Response {
  const names = allowed.join(", ");
  return c.json({ message: `The method is not supported: use ${names}.` }, 405, { Allow: names });
}
