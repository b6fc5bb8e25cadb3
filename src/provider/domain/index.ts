/**
 * The provider of domains, experimental. A `Domain` says that the account monitors a name with
 * these settings. No domain is ever deleted: its history and its channels would go with it.
 */

import { DOMAIN_SETTINGS } from "../../client/fields";
import { hasRecord } from "../../client/pages";
import type { Domain } from "../../client/types";
import { sentences, type Warn } from "../../common/text";
import { domainListOf } from "../../functions/domain-list";
import { hasUnknown, type Properties, pick, type ResourceProvider } from "../boundary";
import { Connection, type OperationContext } from "../connection";
import {
  type Advice,
  failedWith,
  GONE,
  isNotFound,
  maybeSent,
  staleToken,
  unclearUpdate,
} from "../failures";
import { create, domainIn, NEEDS_OPERATIONS, otherName, recorded, write } from "./creation";
import {
  differing,
  domainProblems,
  facts,
  INPUTS,
  importedFrom,
  isSame,
  normalise,
  title,
} from "./record";

/** Creates the provider; its arguments are the same as for `notificationChannelProvider`. */
export function domainProvider(
  warn: Warn,
  connection = new Connection(),
  { call, urn }: Pick<OperationContext, "call" | "urn"> = {},
): ResourceProvider {
  const context: OperationContext = { connection, warn, call, urn };

  return {
    configure: async ({ config }) => connection.configure((key) => config.get(key)),

    async check(_olds, news) {
      const problems = domainProblems(news);
      const reasons = connection.problem ? [connection.problem, ...problems] : problems;

      return {
        inputs: normalise(news),
        failures: reasons.map((reason) => ({ property: "", reason })),
      };
    },

    diff: async (id, olds, news) => diff(id, olds, news, warn),
    create: (inputs) => create(inputs, context),
    read: (id, props) => read(id, props, context),
    update: (id, olds, news) => update(id, olds, news, context),

    async delete(id, props) {
      warn(
        sentences([
          `${title(props, id)} is removed from this stack and is still monitored`,
          ...connection.explained(NEVER_DELETED),
        ]),
      );
    },
  };
}

const NEVER_DELETED =
  "Pulumi deletes no domain, because its history and its channels would go with it. To stop monitoring it, remove it in the service";

function diff(id: string, olds: Properties, news: Properties, warn: Warn) {
  const diffs = INPUTS.filter(
    (name) => hasUnknown(news[name]) || !isSame(name, olds[name], news[name]),
  );

  // The program has caught up with the service.
  const isReported =
    olds.reportedDomain !== undefined && isSame("domain", olds.reportedDomain, news.domain);

  const replaces = diffs.filter((name) => name === "domain" && !isReported);
  if (replaces.length > 0) {
    const how = hasUnknown(news.domain)
      ? "may be replaced (domain is not known yet)"
      : "is replaced";

    warn(`${title(olds, id)} ${how}, and stays monitored`);
  }

  return {
    changes: diffs.length > 0,
    diffs,
    replaces,
  };
}

async function read(id: string, props: Properties, context: OperationContext) {
  const { warn } = context;
  const isRecorded = props.domainId !== undefined;
  const domain = await find(id, props, context);
  if (!domain) return GONE;

  // A domain that is imported or only referred to is read whole.
  const actual = isRecorded ? differing(props, domain) : importedFrom(domain);
  const { reportedDomain: _earlier, ...earlier } = props;
  const inputs = normalise({ ...props, ...actual });
  const known = facts(inputs.domain, domain);
  if (known.reportedDomain !== undefined) warn(otherName(inputs, domain));

  return {
    id: domain.id,
    props: { ...earlier, ...inputs, ...known },
    inputs,
  };
}

/**
 * The domain by its id, else by its name; undefined if the account lacks both.
 * @throws Error if that is not clear, or nothing is recorded of it
 */
async function find(
  id: string,
  props: Properties,
  context: OperationContext,
): Promise<Domain | undefined> {
  const { connection, call, warn } = context;
  const problem = `${title(props, id)} is not read`;
  try {
    return await connection.client.domains.get(id, call);
  } catch (error) {
    if (!isNotFound(error)) throw failedWith(problem, error, staleToken(connection));
    if (props.domainId === undefined)
      throw new Error(`${problem}: the account has no such domain: check its id, and the account`);
  }

  try {
    const domain = await findByName(id, props, context);
    const next = domain
      ? `which monitors the name as ${title({}, domain.id)}: that one is recorded`
      : "so it leaves the state, and the next `pulumi up` adds it again";

    if (domain?.id !== id) warn(`${title(props, id)} is not in the account, ${next}`);

    return domain;
  } catch (error) {
    throw failedWith(`${problem}: got 404, and the list of domains cannot be used`, error);
  }
}

/** An earlier reading of the list is enough if it lacks the id, because an id does not come back. */
async function findByName(
  id: string,
  props: Properties,
  { connection }: OperationContext,
): Promise<Domain | undefined> {
  const list = domainListOf(connection.client);
  const known = await list.latest();

  return domainIn(props, hasRecord(known, id) ? await list.newerThan(known) : known);
}

async function update(
  id: string,
  olds: Properties,
  news: Properties,
  context: OperationContext,
): Promise<{ outs: Properties }> {
  const sent: readonly string[] = DOMAIN_SETTINGS.filter(
    (name) => name in news && !isSame(name, olds[name], news[name]),
  );

  if (sent.length === 0) {
    const isSameName = isSame("domain", olds.domain, news.domain);
    const known = ["domainId", "createdAt", ...(isSameName ? ["reportedDomain"] : [])];

    return { outs: { ...news, ...pick(olds, known) } };
  }

  try {
    const domain = await write(id, pick(news, sent), context);

    return { outs: recorded(news, domain, context.warn) };
  } catch (error) {
    const domain = { id, title: title(news, id) };
    // A setting that is not recorded differs from any declaration, even if the program is reverted.
    const known = Object.keys(olds).filter((name) => !sent.includes(name));
    if (maybeSent(error)) throw unclearUpdate(domain, pick(olds, known), sent, error);

    throw failedWith(`${domain.title} is not updated`, error, IS_GONE, NEEDS_OPERATIONS);
  }
}

const IS_GONE: Advice = (status) =>
  status === 404
    ? "If it was removed in the service, run `pulumi refresh`, then `pulumi up`, which adds it again"
    : undefined;
