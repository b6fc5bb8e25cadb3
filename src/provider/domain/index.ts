/**
 * The provider of domains, experimental: they are created, changed and deleted with undocumented operations
 * (docs/domains-as-code.md). A domain is known by its name, and by its id once it is recorded.
 */
import { DOMAIN_SETTINGS } from "../../client/domain-rules";
import { hasUnknown } from "../../common/markers";
import { ABANDON_KEY } from "../../names";
import { type Properties, pick, type ResourceProvider } from "../boundary";
import { Connection } from "../connection";
import {
  deleteExisting,
  type Existing,
  failure,
  GONE,
  isGone,
  maybeSent,
  readExisting,
  unclearUpdate,
} from "../existing";
import type { OperationContext } from "../lifecycle";
import { accountDomainsOf } from "./account";
import { create, NEEDS_OPERATIONS, recorded } from "./creation";
import {
  differing,
  facts,
  INPUTS,
  importedFrom,
  isAdopted,
  isSame,
  normalise,
  problemsOf,
  title,
} from "./record";

/** Creates the provider; its arguments are those of `notificationChannelProvider`. */
export function domainProvider(
  warn: (line: string) => void,
  connection = new Connection(),
  call?: OperationContext["call"],
): ResourceProvider {
  const account = accountDomainsOf(connection);
  const context = { connection, account, warn, call };

  function existing(id: string, properties: Properties, isRecorded = true): Existing {
    return {
      ...context,
      id,
      title: title(properties, id),
      listOf: "account",
      lacks: () => account.lacks(id),
      isRecorded,
      missing: "the account has no such domain: check its id",
      advice: [],
    };
  }

  /** Why a domain that is removed from the stack stays in the service; undefined if it is deleted. */
  function keptBecause(id: string, props: Properties): string | undefined {
    if (connection.isAbandoned(id)) return `stack config ${ABANDON_KEY} lists it`;
    if (props.deletionPolicy !== "delete") return 'its recorded deletionPolicy is "abandon"';
    if (isAdopted(props)) return "it was taken over with adopt, which an update without adopt ends";
    return account.adopted.has(id) ? "another resource of this stack has taken it over" : undefined;
  }

  return {
    configure: async ({ config }) => connection.configure((key) => config.get(key)),

    async check(olds, news) {
      const inputs = normalise(news);
      const reasons = [connection.problem ?? [], problemsOf(news)].flat();
      if (reasons.length === 0 && isAdopted(inputs) && Object.keys(olds).length === 0)
        warn(`${title(inputs)} is taken over: no domain is created, and the declared values are set`);
      return { inputs, failures: reasons.map((reason) => ({ property: "", reason })) };
    },

    async diff(id, olds, news) {
      account.held.add(id);
      if (isAdopted(news)) account.adopted.add(id);
      const diffs = INPUTS.filter((name) => hasUnknown(news[name]) || !isSame(name, olds[name], news[name]));
      const replaces = diffs.filter((name) => name === "domain");
      if (replaces.length > 0) {
        const how = hasUnknown(news.domain)
          ? "may be replaced (domain is not known yet)"
          : "is to be replaced";
        const kept = keptBecause(id, olds);
        warn(
          `${title(olds, id)} ${how}, and ${kept === undefined ? "then deleted with its history and its channels" : `stays in the service, as ${kept}`}`,
        );
      }
      return { changes: diffs.length > 0, diffs, replaces };
    },

    create: (inputs) => create(inputs, context),

    async read(id, props) {
      // Of what is imported, or only referred to, everything is read.
      const isRecorded = props.domainId !== undefined;
      const domain = await readExisting(
        () => connection.client.domains.get(id, call),
        existing(id, props, isRecorded),
      );
      if (!domain) return GONE;
      if (!isRecorded) account.adopted.add(domain.id);
      const actual = isRecorded ? differing(props, domain) : importedFrom(domain);
      const inputs = normalise({ ...props, ...actual });
      return { id: domain.id, props: { ...inputs, ...facts(domain) }, inputs };
    },

    async update(id, olds, news) {
      const sent: readonly string[] = DOMAIN_SETTINGS.filter(
        (name) => name in news && !isSame(name, olds[name], news[name]),
      );
      if (sent.length === 0) return { outs: { ...news, ...pick(olds, ["domainId", "createdAt"]) } };
      try {
        const domain = await connection.client.domains.update(id, pick(news, sent), call);
        return { outs: recorded(news, domain, warn) };
      } catch (error) {
        const domain = existing(id, news);
        // What is not recorded differs from what is declared, even if the program is reverted.
        const known = Object.keys(olds).filter((name) => !sent.includes(name));
        if (maybeSent(error)) throw unclearUpdate(domain, pick(olds, known), sent, error);
        const problem = `${domain.title} is not updated`;
        if (!(await isGone(error, problem, domain))) throw failure(problem, error, NEEDS_OPERATIONS);
        throw new Error(
          `${problem}: it is no longer in the service. Run \`pulumi refresh\`, then \`pulumi up\`, which creates it again`,
        );
      }
    },

    async delete(id, props) {
      const kept = keptBecause(id, props);
      if (kept !== undefined)
        return warn(
          `${title(props, id)} is removed from this stack. It stays in the service and is still monitored, as ${kept}`,
        );
      await deleteExisting(() => connection.client.domains.delete(id, call), existing(id, props));
      account.since.set(id, null);
    },
  };
}
