/**
 * The control endpoint: the emulator's methods over HTTP, for processes that cannot call them. It is not part of the
 * service, so it is off by default and not in `/openapi.json`.
 */
import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { z } from "zod";
import { faultRule } from "./faults";
import type { EmulatorEnv } from "./middleware";
import { validationFailure } from "./render";
import { channelFields, dnsFields, monitoredFields, sslFields } from "./schemas";
import { ConflictError, NotFoundError } from "./store";
import type { ChangeSeed, DomainSeed, DomainUpdate, Duration, Emulator } from "./types";

/** A schema for every field of a type, so that the compiler finds one that is missing or unknown. */
type Fields<Type> = { [Name in keyof Type]-?: z.ZodType<Type[Name]> };

const text = z.string().optional();
const nullable = z.string().nullable().optional();
const number = z.number().optional();

const changeSeed = z.strictObject({
  id: text,
  fieldChanged: text,
  oldValue: z.unknown().optional(),
  newValue: z.unknown().optional(),
  createdAt: text,
} satisfies Fields<ChangeSeed>);

const channelSeed = z
  .strictObject({ ...channelFields, type: z.string(), value: nullable, secondaryValue: nullable })
  .omit({ createdAtHuman: true, lastNotificationSentAtHuman: true })
  .partial();

const domainUpdate = z.strictObject({
  domain: text,
  label: text,
  description: nullable,
  colour: nullable,
  provider: nullable,
  expiresAt: nullable,
  checked: z.boolean().optional(),
  whois: z.strictObject(monitoredFields).partial().optional(),
  dns: z.strictObject(dnsFields).partial().optional(),
  ssl: z.strictObject(sslFields).partial().optional(),
} satisfies Fields<DomainUpdate>);

const domainSeed = domainUpdate.extend({
  id: text,
  whoisChanges: z.array(changeSeed).optional(),
  dnsChanges: z.array(changeSeed).optional(),
  channels: z.array(channelSeed).optional(),
} satisfies Omit<Fields<DomainSeed>, keyof DomainUpdate>);

const duration = z.strictObject({
  days: number,
  hours: number,
  minutes: number,
  seconds: number,
} satisfies Fields<Duration>);

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

  app.post("/domains", async (c) =>
    c.json({ id: emulator().addDomain(await parseBody(c, domainSeed)) }, 201),
  );
  app.patch("/domains/:id", async (c) =>
    done(c, emulator().updateDomain(c.req.param("id"), await parseBody(c, domainUpdate))),
  );
  app.delete("/domains/:id", (c) => done(c, emulator().removeDomain(c.req.param("id"))));
  app.post("/domains/:id/check", (c) => done(c, emulator().check(c.req.param("id"))));
  for (const kind of ["whois", "dns"] as const)
    app.post(`/domains/:id/changes/${kind}`, async (c) =>
      done(c, emulator().addChange(c.req.param("id"), kind, await parseBody(c, changeSeed))),
    );
  app.post("/domains/:id/channels", async (c) =>
    c.json({ id: emulator().addChannel(c.req.param("id"), await parseBody(c, channelSeed)) }, 201),
  );
  app.patch("/channels/:id", async (c) =>
    done(
      c,
      emulator().updateChannel(
        c.req.param("id"),
        await parseBody(c, channelSeed.omit({ id: true, createdAt: true })),
      ),
    ),
  );
  app.delete("/channels/:id", (c) => done(c, emulator().removeChannel(c.req.param("id"))));

  app.post("/faults", async (c) => done(c, emulator().fault(await parseBody(c, faultRule))));
  app.delete("/faults", (c) => done(c, emulator().clearFaults()));
  app.post("/clock", async (c) => {
    emulator().advance(await parseBody(c, duration));
    return c.json({ now: emulator().now().toISOString() });
  });
  app.post("/reset", (c) => done(c, emulator().reset()));

  app.all("*", (c) =>
    c.json({ message: "The control endpoint does not have this address with this method." }, 404),
  );
  app.onError((error, c) => {
    if (error instanceof z.ZodError) return c.json(validationFailure(error.issues), 422);
    return c.json({ message: error.message }, statusOf(error));
  });
  return app;
}

/** The answer after a call of a method that returns nothing. */
function done(c: Context, _result: unknown): Response {
  return c.body(null, 204);
}

function statusOf(error: Error) {
  if (error instanceof HTTPException) return error.status;
  if (error instanceof NotFoundError) return 404;
  if (error instanceof ConflictError) return 409;
  // What the emulator's own methods refuse, such as a clock that would go back.
  if (error instanceof RangeError) return 422;
  return 500;
}

/** The body; an empty one is `{}`. Its media type is not checked. */
async function parseBody<Value>({ req }: Context, schema: z.ZodType<Value>): Promise<Value> {
  const text = await req.text();
  let body: unknown;
  try {
    body = text === "" ? {} : JSON.parse(text);
  } catch {
    throw new HTTPException(400, { message: "The body is not JSON." });
  }
  return schema.parse(body);
}
