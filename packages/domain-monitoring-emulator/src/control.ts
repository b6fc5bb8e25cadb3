/**
 * The control endpoint: the emulator's methods over HTTP, for processes that cannot call them. It
 * is not part of the service, so it is off by default and not in `/openapi.json`.
 */
import { Hono } from "hono";
import { z } from "zod";
import type { EmulatorEnv } from "./context";
import { faultRule } from "./faults";
import {
  changeFields,
  channelFields,
  dnsFields,
  domainFields,
  type Fields,
  monitoredFields,
  sslFields,
  withoutDefaults,
} from "./fields";
import { authenticate } from "./middleware";
import { validationFailure } from "./render";
import { ConflictError, NotFoundError } from "./store";
import type { ChangeSeed, DomainSeed, Duration, Emulator } from "./types";

/** Any of these fields, and no other. One that is left out gets no default: a change would set it. */
function anyOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(withoutDefaults(shape)).partial();
}

const changeSeed = anyOf({
  ...changeFields,
  oldValue: z.unknown(),
  newValue: z.unknown(),
} satisfies Fields<ChangeSeed>);

const channelSeed = anyOf(channelFields);
const channelUpdate = channelSeed.omit({ id: true, createdAt: true });

const domainSeed = anyOf({
  ...domainFields,
  checked: z.boolean(),
  whois: anyOf(monitoredFields),
  dns: anyOf(dnsFields),
  ssl: anyOf(sslFields),
  whoisChanges: z.array(changeSeed),
  dnsChanges: z.array(changeSeed),
  channels: z.array(channelSeed),
} satisfies Fields<DomainSeed>);

const domainUpdate = domainSeed.omit({
  id: true,
  whoisChanges: true,
  dnsChanges: true,
  channels: true,
});

/** For calls without a body. */
const nothing = z.unknown();
const part = z.number();

const duration = anyOf({
  days: part,
  hours: part,
  minutes: part,
  seconds: part,
} satisfies Fields<Duration>);

type Serve = <Body>(
  /** With the status 204 there is no body; otherwise it is what the call returns. */
  status: 200 | 201 | 204,
  method: string,
  path: string,
  schema: z.ZodType<Body>,
  call: (emulator: Emulator, body: Body, id: string) => unknown,
) => void;

/**
 * @param running called on each request: the emulator is created after the application that this is
 * a part of
 */
export function createControl(token: string, running: () => Emulator): Hono<EmulatorEnv> {
  const app = new Hono<EmulatorEnv>().use(authenticate(token));
  const on: Serve = (status, method, path, schema, call) =>
    app.on(method, path, async (c) => {
      // An empty body is `{}`, and its media type is not checked.
      const body = schema.parse(JSON.parse((await c.req.text()) || "{}"));
      const answer = call(running(), body, c.req.param("id") ?? "");

      return status === 204 ? c.body(null, status) : c.json(answer ?? null, status);
    });

  serveEmulator(on);
  serveDomains(on);
  serveChannels(on);
  app.get("/channels", (c) => {
    const channels = running().channels(c.req.query("domainId"));
    // Without destinations, which stay in the process that runs the emulator.
    const shown = channels.map(
      ({ value: _value, secondaryValue: _secondaryValue, ...rest }) => rest,
    );

    return c.json({ count: shown.length, channels: shown });
  });

  app.all("*", (c) =>
    c.json({ message: "The control endpoint does not have this address with this method." }, 404),
  );

  app.onError((error, c) => {
    if (error instanceof z.ZodError) return c.json(validationFailure(error.issues), 422);
    // Its own message would quote the body.
    if (error instanceof SyntaxError) return c.json({ message: "The body is not JSON." }, 400);

    return c.json({ message: error.message }, statusOf(error));
  });

  return app;
}

/** Requests, clock, faults, and a reset of everything. */
function serveEmulator(on: Serve): void {
  const time = (emulator: Emulator) => ({ now: emulator.now() });

  on(200, "GET", "/requests", nothing, ({ requests }) => ({ requests }));
  on(200, "GET", "/clock", nothing, time);
  on(200, "POST", "/clock", duration, (emulator, forward) => {
    emulator.advance(forward);
    return time(emulator);
  });

  on(204, "POST", "/faults", faultRule, (emulator, rule) => emulator.fault(rule));
  on(204, "DELETE", "/faults", nothing, (emulator) => emulator.clearFaults());
  on(204, "POST", "/reset", nothing, (emulator) => emulator.reset());
}

function serveDomains(on: Serve): void {
  on(200, "GET", "/domains", nothing, (emulator) => ({ domains: emulator.domains() }));
  on(201, "POST", "/domains", domainSeed, (emulator, domain) => ({
    id: emulator.addDomain(domain),
  }));

  on(204, "PATCH", "/domains/:id", domainUpdate, (emulator, changes, id) =>
    emulator.updateDomain(id, changes),
  );

  on(204, "DELETE", "/domains/:id", nothing, (emulator, _, id) => emulator.removeDomain(id));
  on(204, "POST", "/domains/:id/check", nothing, (emulator, _, id) => emulator.check(id));
  for (const kind of ["whois", "dns"] as const)
    on(204, "POST", `/domains/:id/changes/${kind}`, changeSeed, (emulator, change, id) =>
      emulator.addChange(id, kind, change),
    );
}

function serveChannels(on: Serve): void {
  on(201, "POST", "/domains/:id/channels", channelSeed, (emulator, channel, id) => ({
    id: emulator.addChannel(id, channel),
  }));

  on(204, "PATCH", "/channels/:id", channelUpdate, (emulator, changes, id) =>
    emulator.updateChannel(id, changes),
  );

  on(204, "DELETE", "/channels/:id", nothing, (emulator, _, id) => emulator.removeChannel(id));
}

function statusOf(error: Error) {
  if (error instanceof NotFoundError) return 404;
  if (error instanceof ConflictError) return 409;
  // The emulator's own methods refuse it, such as a clock that would go back.
  if (error instanceof RangeError) return 422;

  return 500;
}
