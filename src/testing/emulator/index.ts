/** Starts and stops the local service; the rest of this folder is what it serves. */
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createApp } from "./app";
import { Clock } from "./clock";
import { createControl } from "./control";
import { Store } from "./data";
import { exampleDomainsAt } from "./examples";
import { decideFault, type PendingFault, pendingFault } from "./faults";
import { Ids } from "./ids";
import { Listening } from "./listening";
import { RateLimiter } from "./rate-limit";
import { fixedTime, settingsOf } from "./settings";
import { readState, writeState } from "./state-file";
import type { Emulator, EmulatorOptions, LoggedRequest } from "./types";
import { Waiting } from "./waiting";

export { exampleDomains } from "./examples";
export { readFaultRule } from "./fault-schema";
export type * from "./types";

/**
 * Starts the local service on loopback.
 *
 * @throws TypeError for a token that no request could carry
 * @throws RangeError for a fault that could not do anything, and for any other option that cannot be followed
 * @throws Error for a `file` that cannot be read or written, or that holds something else
 * @throws Error of node:net, with its `code`, where the port cannot be listened on (`EADDRINUSE`)
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const settings = settingsOf(options);
  const { token } = settings;
  const clock = new Clock(fixedTime(options.now));
  const ids = new Ids(options.seed);
  const limiter = settings.rateLimit && new RateLimiter(settings.rateLimit);
  const initialFaults: readonly PendingFault[] = (options.faults ?? []).map(pendingFault);
  const store = openStore(options, clock, ids);
  const requests: LoggedRequest[] = [];
  const waiting = new Waiting();
  let faults = initialFaults;

  const app = createApp({
    settings,
    token,
    store,
    clock,
    limiter,
    extraFields: settings.extraFields,
    waiting,
    takeFault(operation) {
      const decision = decideFault(faults, operation);
      faults = decision.pending;
      return decision.hit;
    },
    refuseFor: (milliseconds) => listening.refuseFor(milliseconds),
    log: (request) => requests.push(request),
    control: options.control ? createControl(() => emulator) : undefined,
  });
  const listening = await Listening.start(serve(app, clock, ids), options.port ?? 0);
  const close = () => {
    waiting.end();
    return listening.close();
  };

  const emulator: Emulator = {
    url: listening.url,
    token,
    requests,
    domains: () => store.domains().map(({ id, number, domain, label }) => ({ id, number, domain, label })),
    channels: (domainId) => store.channels(domainId),
    addDomain: (domain = {}) => store.addDomain(domain),
    updateDomain: (id, changes) => store.updateDomain(id, changes),
    removeDomain: (id) => store.removeDomain(id),
    addChange: (domainId, kind, change = {}) => store.addChange(domainId, kind, change),
    updateChannel: (id, changes) => store.updateChannel(id, changes),
    fault(rule) {
      faults = [...faults, pendingFault(rule)];
    },
    clearFaults() {
      faults = [];
    },
    refuseConnections: () => listening.refuse(),
    acceptConnections: () => listening.accept(),
    now: () => clock.now(),
    advance: (duration) => clock.advance(duration),
    reset() {
      waiting.end();
      listening.acceptSoon();
      clock.reset();
      limiter?.reset();
      store.reset();
      requests.length = 0;
      faults = initialFaults;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return emulator;
}

/** With what the file holds, where there is one; else with the domains that were given. */
function openStore({ file, domains }: EmulatorOptions, clock: Clock, ids: Ids): Store {
  const start =
    (file === undefined ? undefined : readState(file)) ?? domains ?? exampleDomainsAt(clock.now());
  const keep = file === undefined ? undefined : writeState.bind(undefined, file);
  return new Store(start, { clock, ids, keep });
}

function serve(app: ReturnType<typeof createApp>, clock: Clock, ids: Ids): Server {
  const listener = getRequestListener(app.fetch, {
    // The default replaces the process's own Request and Response, which are not the emulator's to replace.
    overrideGlobalObjects: false,
    errorHandler: () => Response.json({ message: "The request cannot be read." }, { status: 400 }),
  });
  return createServer((request, answer) => {
    answer.setHeader("X-Request-Id", ids.uuid("request"));
    // Clients take it for the service's time, for example where they read a date in Retry-After.
    answer.setHeader("Date", clock.now().toUTCString());
    void listener(request, answer);
  });
}
