/** Each operation: its request, its response and its work. */
import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { HTTPException } from "hono/http-exception";
import type { EmulatorEnv } from "./context";
import type { AppParts } from "./middleware";
import {
  renderChannel,
  renderDnsChange,
  renderDomain,
  renderPage,
  renderWhoisChange,
} from "./render";
import { operationsOf } from "./routes";
import * as schemas from "./schemas";
import type { DomainUpdate } from "./types";

export const NOTHING_HERE = "There is nothing at this address.";

const DOMAINS = "/api/domains";
const DOMAIN = `${DOMAINS}/{id}`;
const CHANGES = `${DOMAINS}/{domain_id}/changes`;
const CHANNELS = `${DOMAINS}/{domain_id}/notification-channels`;
const CHANNEL = `${CHANNELS}/{channel_id}`;

/** A whole number in a query: digits only, where `Number()` would also accept `1e1` or ` 5`. */
const queryNumber = (maximum: number, byDefault: number, description: string) =>
  z
    .string()
    .regex(/^\d{1,16}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(1).max(maximum))
    .optional()
    .transform((value) => value ?? byDefault)
    .openapi({
      type: "integer",
      minimum: 1,
      maximum,
      default: byDefault,
      description,
    });

/** Query of lists whose page size cannot be requested. */
const pageOnly = z.object({ page: queryNumber(Number.MAX_SAFE_INTEGER, 1, "Page number.") });

/** interface.md, section 8. */
const pageQuery = z.object({
  per_page: queryNumber(100, 15, "Items per page."),
  ...pageOnly.shape,
});

type Serve = ReturnType<typeof operationsOf>;

/** Adds the operations that the options serve. */
export function serveOperations(app: OpenAPIHono<EmulatorEnv>, parts: AppParts): void {
  const { options } = parts;
  const serve = operationsOf(app, parts);

  serveReads(serve, parts);
  serveCreate(serve, parts);

  // The following operations are not in the interface, and in the document only where they are
  // served.
  if (options.listDomains) serveListOfDomains(serve, parts);
  else refuseListOfDomains(app);
  if (options.lifecycle !== "managed") return;

  serveChannel(serve, parts);
  serveDomainWrites(serve, parts);
}

function serveReads(serve: Serve, parts: AppParts): void {
  const { store, clock, options } = parts;

  serve("getDomain", {
    method: "get",
    path: DOMAIN,
    summary: "Retrieve a domain",
    answer: ["The domain, not wrapped.", schemas.domain],
    links: LINKS_OF_A_DOMAIN,
    work: ({ domain }) => renderDomain(domain, clock.now()),
  });

  for (const [operationId, kind, page, render] of [
    ["listWhoisChanges", "whois", schemas.whoisPage, renderWhoisChange],
    ["listDnsChanges", "dns", schemas.dnsPage, renderDnsChange],
  ] as const)
    serve(operationId, {
      method: "get",
      path: `${CHANGES}/${kind}`,
      summary: `List ${kind.toUpperCase()} changes of a domain`,
      query: pageQuery,
      answer: ["One page.", page],
      work: ({ url, domain, query }) =>
        renderPage(parts, url, query, domain.changes[kind], (change, now) =>
          render(domain, change, now),
        ),
    });

  if (options.lifecycle === "managed")
    serve("listNotificationChannels", {
      method: "get",
      path: CHANNELS,
      summary: "List the notification channels of a domain",
      query: pageOnly,
      answer: ["One page.", schemas.channelPage],
      work: ({ url, domain, query }) =>
        renderPage(parts, url, query, store.channels(domain.id).toReversed(), renderChannel),
    });
}

function serveCreate(serve: Serve, { store, clock, options }: AppParts): void {
  serve("createNotificationChannel", {
    method: "post",
    path: CHANNELS,
    summary: "Create a notification channel",
    body: schemas.createChannel,
    answer: ["The channel, without its destination.", schemas.createdChannel],
    status: options.createStatus,
    work: ({ domain, body }) => {
      const channel = store.addChannel(domain.id, body);
      return { data: renderChannel(channel, clock.now()) };
    },
  });
}

function serveListOfDomains(serve: Serve, parts: AppParts): void {
  serve("listDomains", {
    method: "get",
    path: DOMAINS,
    summary: "List the domains of the account",
    query: pageOnly,
    answer: ["One page.", schemas.domainPage],
    work: ({ url, query }) =>
      renderPage(parts, url, query, parts.store.domains().toReversed(), renderDomain),
  });
}

/** Also where domains can be created, which would make it a 405. */
function refuseListOfDomains(app: OpenAPIHono<EmulatorEnv>): void {
  app.use(DOMAINS, (c, next) => {
    if (["GET", "HEAD"].includes(c.req.method))
      throw new HTTPException(404, { message: NOTHING_HERE });

    return next();
  });
}

function serveChannel(serve: Serve, { store, clock }: AppParts): void {
  serve("getNotificationChannel", {
    method: "get",
    path: CHANNEL,
    summary: "Retrieve a notification channel",
    answer: ["The channel, without its destination.", schemas.channel],
    work: ({ channel }) => renderChannel(channel, clock.now()),
  });

  serve("updateNotificationChannel", {
    method: "patch",
    path: CHANNEL,
    summary: "Change a notification channel",
    body: schemas.updateChannel,
    answer: ["The channel, without its destination.", schemas.createdChannel],
    work: ({ channel, body }) => {
      const updated = store.updateChannel(channel.id, body);
      return { data: renderChannel(updated, clock.now()) };
    },
  });

  serve("deleteNotificationChannel", {
    method: "delete",
    path: CHANNEL,
    summary: "Delete a notification channel",
    answer: ["The channel was deleted."],
    work: ({ channel }) => store.removeChannel(channel.id),
  });
}

function serveDomainWrites(serve: Serve, { store, clock, options }: AppParts): void {
  serve("createDomain", {
    method: "post",
    path: DOMAINS,
    summary: "Add a domain to the account",
    body: schemas.createDomain,
    answer: ["The domain, in a list.", schemas.createdDomain],
    status: options.createStatus,
    work: ({ body: { domain, ...settings } }) => {
      const created = store.addDomain({
        domain,
        ...settingsIn(settings),
        checked: false,
      });

      return { data: [renderDomain(created, clock.now())] };
    },
  });

  serve("updateDomain", {
    method: "patch",
    path: DOMAIN,
    summary: "Change a domain",
    body: schemas.updateDomain,
    answer: ["The domain.", schemas.updatedDomain],
    work: ({ domain, body }) => {
      const updated = store.updateDomain(domain.id, settingsIn(body));
      return { data: renderDomain(updated, clock.now()) };
    },
  });
}

/** The operations that take a domain's id. */
const LINKS_OF_A_DOMAIN = Object.fromEntries(
  ["listWhoisChanges", "listDnsChanges", "createNotificationChannel"].map((operationId) => [
    operationId,
    { operationId, parameters: { domain_id: "$response.body#/id" } },
  ]),
);

/** The settings of a domain in a valid body: they have other names than in responses. */
function settingsIn(body: z.infer<typeof schemas.updateDomain>): DomainUpdate {
  const { whoisCheckInterval, dnsCheckInterval, enabledDnsRecords, ...rest } = body;

  return {
    ...rest,
    whois: { checkInterval: whoisCheckInterval },
    dns: { checkInterval: dnsCheckInterval, enabledRecords: enabledDnsRecords },
  };
}
