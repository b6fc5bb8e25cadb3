/**
 * The control endpoint: the emulator's methods over HTTP, for processes that cannot call them. It is not part of the
 * service, so it is off by default and not in `/openapi.json`.
 */
import { Hono, type MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { z } from "zod";
import { changeSeed, channelSeed, channelUpdate, domainSeed, domainUpdate, duration } from "../data/schemas";
import { faultRule } from "../faults/rule";
import type { Emulator } from "../types";
import type { EmulatorEnv } from "./middleware";
import { validationFailure } from "./render";

/** The emulator as far as the endpoint controls it. */
type Controlled = Omit<Emulator, "url" | "token" | "close" | typeof Symbol.asyncDispose>;

/** @param emulator called on each request: it is created after the application that this is a part of */
export function createControl(emulator: () => Controlled): Hono<EmulatorEnv> {
  const app = new Hono<EmulatorEnv>();

  app.get("/requests", (c) => c.json({ requests: emulator().requests }));
  app.get("/domains", (c) => c.json({ domains: emulator().domains() }));
  app.get("/channels", (c) => {
    const channels = emulator().channels(c.req.query("domainId"));
    // Without destinations, which stay in the process that runs the emulator.
    const shown = channels.map(({ value: _value, secondaryValue: _secondaryValue, ...rest }) => rest);
    return c.json({ count: shown.length, channels: shown });
  });
  app.get("/clock", (c) => c.json({ now: emulator().now().toISOString() }));

  app.post("/domains", async (c) => {
    const seed = await parseBody(c.req, domainSeed);
    if (seed.id !== undefined && exists(emulator().domains(), seed.id))
      throw new HTTPException(409, { message: "A domain with this id already exists." });
    return c.json({ id: emulator().addDomain(seed) }, 201);
  });
  app.patch("/domains/:id", async (c) => {
    emulator().updateDomain(existingDomain(c.req.param("id")), await parseBody(c.req, domainUpdate));
    return c.body(null, 204);
  });
  app.delete("/domains/:id", (c) => {
    emulator().removeDomain(existingDomain(c.req.param("id")));
    return c.body(null, 204);
  });
  app.post("/domains/:id/changes/:kind{whois|dns}", async (c) => {
    const kind = c.req.param("kind") === "whois" ? "whois" : "dns";
    emulator().addChange(existingDomain(c.req.param("id")), kind, await parseBody(c.req, changeSeed));
    return c.body(null, 204);
  });
  app.post("/domains/:id/channels", async (c) => {
    const domainId = existingDomain(c.req.param("id"));
    const seed = await parseBody(c.req, channelSeed);
    if (seed.id !== undefined && exists(emulator().channels(), seed.id))
      throw new HTTPException(409, { message: "A channel with this id already exists." });
    return c.json({ id: emulator().addChannel(domainId, seed) }, 201);
  });
  app.patch("/channels/:id", async (c) => {
    emulator().updateChannel(existingChannel(c.req.param("id")), await parseBody(c.req, channelUpdate));
    return c.body(null, 204);
  });
  app.delete("/channels/:id", (c) => {
    emulator().removeChannel(existingChannel(c.req.param("id")));
    return c.body(null, 204);
  });

  app.post("/faults", async (c) => {
    emulator().fault(await parseBody(c.req, faultRule));
    return c.body(null, 204);
  });
  app.delete("/faults", (c) => {
    emulator().clearFaults();
    return c.body(null, 204);
  });
  app.post("/clock", async (c) => {
    emulator().advance(await parseBody(c.req, duration));
    return c.json({ now: emulator().now().toISOString() });
  });
  app.post("/reset", (c) => {
    emulator().reset();
    return c.body(null, 204);
  });

  app.all("*", nothingHere);
  app.onError((error, c) => {
    if (error instanceof HTTPException) return c.json({ message: error.message }, error.status);
    if (error instanceof z.ZodError) return c.json(validationFailure(error.issues), 422);
    // What the emulator's own methods refuse, such as a clock that would go back.
    if (error instanceof RangeError) return c.json({ message: error.message }, 422);
    // Such as a state file that cannot be written.
    return c.json({ message: error.message }, 500);
  });
  return app;

  function existingDomain(id: string): string {
    if (!exists(emulator().domains(), id))
      throw new HTTPException(404, { message: "There is no such domain." });
    return id;
  }

  function existingChannel(id: string): string {
    if (!exists(emulator().channels(), id))
      throw new HTTPException(404, { message: "There is no such channel." });
    return id;
  }
}

function exists(things: readonly { id: string }[], id: string): boolean {
  return things.some((thing) => thing.id === id);
}

const nothingHere: MiddlewareHandler = async (c) =>
  c.json({ message: "The control endpoint does not have this address with this method." }, 404);

/** The body; an empty one is `{}`. Its media type is not checked. */
async function parseBody<Value>(
  request: { text(): Promise<string> },
  schema: z.ZodType<Value>,
): Promise<Value> {
  const text = await request.text();
  let body: unknown;
  try {
    body = text === "" ? {} : JSON.parse(text);
  } catch {
    throw new HTTPException(400, { message: "The body is not JSON." });
  }
  return schema.parse(body);
}
