/**
 * A local service for tests without network: `startEmulator` starts it, and controls and stops it.
 */
import { createApp } from "./app";
import { createControl } from "./control";
import { exampleDomains } from "./domains";
import { HeldRequests } from "./effects";
import { Faults } from "./faults";
import { type AppParts, rateLimiter } from "./middleware";
import { resolveOptions } from "./options";
import { startServer } from "./server";
import { Clock, Ids } from "./sources";
import { Store } from "./store";
import type { EmulatedAccount, Emulator, EmulatorOptions, LoggedRequest } from "./types";

export type { DnsComponent, Lifecycle, MonitoredComponent, SslComponent } from "./interface";
export type * from "./types";

/**
 * Starts the local service on loopback.
 *
 * @throws TypeError for a token that cannot be sent in a header
 * @throws RangeError for a fault or any other option that is not valid
 * @throws Error of node:net, with its `code`, where the port cannot be listened on (`EADDRINUSE`)
 */
export async function startEmulator(given: EmulatorOptions = {}): Promise<Emulator> {
  const options = resolveOptions(given);
  const { token, domains } = options;
  const clock = new Clock(options.now);
  const ids = new Ids(options.seed);
  const limiter = options.rateLimit && rateLimiter(options.rateLimit, clock);
  const faults = new Faults(given.faults ?? [], options);
  const seeds = Array.isArray(domains) ? domains : exampleDomains(clock.now(), domains);
  const store = new Store(seeds, { clock, ids });
  const requests: LoggedRequest[] = [];
  const held = new HeldRequests();

  const parts = { options, store, clock, limiter, held, faults, requests };
  const app = createApp(parts, given.control ? createControl(token, () => emulator) : undefined);
  const accounts = new Map([[`Bearer ${token}`, { store, app }]]);
  for (const [other, itsDomains] of Object.entries(given.accounts ?? {})) {
    const itsStore = new Store(itsDomains, { clock, ids });
    accounts.set(`Bearer ${other}`, otherAccount(other, itsStore, parts));
  }

  const server = await startServer(dispatcher(accounts, app), options.port, { clock, ids });
  const close = () => {
    held.end();
    return server.close();
  };

  const emulator: Emulator = {
    url: server.url,
    token,
    requests,
    ...inStore(store),
    account(itsToken) {
      const account = accounts.get(`Bearer ${itsToken}`);
      if (account === undefined)
        throw new RangeError("the emulator has no account with this token");

      return inStore(account.store);
    },
    fault: (rule) => faults.add(rule),
    clearFaults: () => faults.clear(),
    refuseConnections: () => server.refuse(),
    acceptConnections: () => server.accept(),
    now: () => clock.now(),
    advance: (duration) => clock.advance(duration),
    reset() {
      held.end();
      server.accept().catch(warnOfRefusal);
      clock.reset();
      limiter?.reset();
      for (const account of accounts.values()) account.store.reset();
      requests.length = 0;
      faults.reset();
    },
    close,
    [Symbol.asyncDispose]: close,
  };

  return emulator;
}

type App = ReturnType<typeof createApp>;

interface Account {
  store: Store;
  app: App;
}

/** Passes each request to the account of its token; without one, the app refuses it. */
function dispatcher(accounts: ReadonlyMap<string, Account>, app: App): App["fetch"] {
  return (request, ...rest) => {
    const account = accounts.get(request.headers.get("Authorization") ?? "");
    return (account?.app ?? app).fetch(request, ...rest);
  };
}

function otherAccount(token: string, store: Store, parts: AppParts): Account {
  return { store, app: createApp({ ...parts, options: { ...parts.options, token }, store }) };
}

function warnOfRefusal({ message }: Error): void {
  process.emitWarning(`the emulator still refuses connections: ${message}`);
}

function inStore(store: Store): EmulatedAccount {
  return {
    domains: () =>
      store.domains().map(({ id, number, domain, label }) => ({ id, number, domain, label })),
    channels: (domainId) => store.channels(domainId),
    addDomain: (domain = {}) => store.addDomain(domain).id,
    updateDomain: (id, changes) => void store.updateDomain(id, changes),
    check: (id) => void store.updateDomain(id, { checked: true }),
    removeDomain: (id) => store.removeDomain(id),
    addChange: (domainId, kind, change = {}) => store.addChange(domainId, kind, change),
    addChannel: (domainId, channel = {}) => store.addChannel(domainId, channel).id,
    updateChannel: (id, changes) => void store.updateChannel(id, changes),
    removeChannel: (id) => store.removeChannel(id),
  };
}
