/**
 * The provider of domains, experimental: they are created, changed and deleted.
 * A domain is known by its name, and by its id once it is recorded.
 */
import { DOMAIN_SETTINGS } from "../../client/rules";
import { sentences } from "../../common/text";
import { ABANDON_KEY } from "../../names";
import { accountOf } from "../account";
import { hasUnknown, type Properties, pick, type ResourceProvider } from "../boundary";
import { Connection, type OperationContext } from "../connection";
import { isAdopted, marksAfter } from "../create";
import {
  abandon,
  deleteExisting,
  type Existing,
  failure,
  GONE,
  isGone,
  maybeSent,
  readExisting,
  refuseElsewhere,
  unclearUpdate,
} from "../existing";
import { domainKeepers, keptByTwo, notDeleted, resourceOf } from "../keepers";
import { create, handOver, NEEDS_OPERATIONS, otherName, recorded, write } from "./creation";
import {
  differing,
  facts,
  INPUTS,
  importedFrom,
  isSame,
  normalise,
  objectNamed,
  problemsOf,
  title,
} from "./record";

/** Creates the provider; its arguments are the same as for `notificationChannelProvider`. */
export function domainProvider(
  warn: (line: string) => void,
  connection = new Connection(),
  { call, urn }: Pick<OperationContext, "call" | "urn"> = {},
): ResourceProvider {
  const account = accountOf(connection);
  const keepers = domainKeepers(connection);
  const context = { connection, account, warn, call, urn };

  function existing(id: string, properties: Properties, isRecorded = true): Existing {
    return {
      ...context,
      id,
      title: title(properties, id),
      listOf: "account",
      absence: () => account.absenceOf(id, properties),
      isRecorded,
      missing: "the account has no such domain: check its id",
      advice: [],
    };
  }

  /**
   * Why a domain that is removed from the stack stays in the service; undefined if it is deleted.
   */
  function keptBecause(id: string, props: Properties): string | undefined {
    if (connection.isAbandoned(id)) return `stack config ${ABANDON_KEY} lists it`;
    if (props.adopted === true)
      return `it is recorded as adopted: to hand it over to the stack first, ${handOver(id, urn)}`;

    if (isAdopted(props)) return "it was taken over with adopt, which an update without adopt ends";

    return props.deletionPolicy === "delete"
      ? undefined
      : 'its recorded deletionPolicy is "abandon"';
  }

  /** Notes a valid declaration, and that it takes a domain over. */
  function noteDeclared(inputs: Properties, isNew: boolean): void {
    const resource = resourceOf(inputs, urn);
    keepers.declare(resource, isNew);
    if (!isNew || !isAdopted(inputs)) return;

    const other = keepers.take(objectNamed(inputs), resource);
    warn(
      sentences([
        `${title(inputs)} is taken over`,
        ...connection.explained(IS_SET, OTHER_PROVIDERS),
      ]),
    );

    if (other !== undefined) warn(keptByTwo(title(inputs), other));
  }

  /** Notes that a declared resource has a domain, and whether it is to be replaced. */
  function noteRecorded(id: string, news: Properties, isReplaced: boolean): void {
    const other = keepers.note(id, resourceOf(news, urn), isReplaced);
    if (other !== undefined) warn(keptByTwo(title(news, id), other));
  }

  /** The resource because of which a domain is not deleted, by its id or by its name. */
  async function keeperOf(id: string, props: Properties): Promise<string | undefined> {
    return (await keepers.keeperOf(id, urn)) ?? keepers.keeper(objectNamed(props), urn);
  }

  return {
    configure: async ({ config }) => connection.configure((key) => config.get(key)),

    async check(olds, news) {
      const inputs = normalise(news);
      const problems = problemsOf(news);
      const reasons = connection.problem ? [connection.problem, ...problems] : problems;

      if (reasons.length === 0) noteDeclared(inputs, Object.keys(olds).length === 0);

      return { inputs, failures: reasons.map((reason) => ({ property: "", reason })) };
    },

    async diff(id, olds, news) {
      account.noteRecorded(id, olds);
      const diffs = INPUTS.filter(
        (name) => hasUnknown(news[name]) || !isSame(name, olds[name], news[name]),
      );

      // The program has caught up with the service.
      const isReported =
        olds.reportedDomain !== undefined && isSame("domain", olds.reportedDomain, news.domain);

      const replaces = diffs.filter((name) => name === "domain" && !isReported);
      const isReplaced = replaces.length > 0;
      noteRecorded(id, news, isReplaced);
      if (isReplaced) {
        const how = hasUnknown(news.domain)
          ? "may be replaced (domain is not known yet)"
          : "is to be replaced";

        const kept = keptBecause(id, olds);
        const then =
          kept === undefined
            ? "then deleted with its history and its channels"
            : `stays in the service, because ${kept}`;

        warn(`${title(olds, id)} ${how}, and ${then}`);
      }

      return {
        changes: diffs.length > 0,
        diffs,
        replaces,
      };
    },

    create: (inputs) => create(inputs, context),

    async read(id, props) {
      // A domain that is imported or only referred to is read whole.
      const isRecorded = props.domainId !== undefined;
      if (isRecorded && connection.isAbandoned(id)) return abandon(title(props, id), warn);

      if (isRecorded) account.noteRecorded(id, props);
      const domain = await readExisting(
        () => connection.client.domains.get(id, call),
        existing(id, props, isRecorded),
      );

      if (!domain) return GONE;

      const actual = isRecorded ? differing(props, domain) : importedFrom(domain);
      const inputs = normalise({ ...props, ...actual });
      const known = facts(inputs.domain, domain);

      if (known.reportedDomain !== undefined) warn(otherName(inputs, domain));
      const marks = marksAfter(props, props);

      if (account.isWitnessed(props)) Object.assign(marks, await account.evidence(id, marks));

      return {
        id: domain.id,
        props: { ...inputs, ...known, ...marks },
        inputs,
      };
    },

    async update(id, olds, news) {
      account.noteRecorded(id, olds);
      const marks = marksAfter(olds, news);
      const sent: readonly string[] = DOMAIN_SETTINGS.filter(
        (name) => name in news && !isSame(name, olds[name], news[name]),
      );

      if (sent.length === 0) {
        const known = pick(olds, ["domainId", "createdAt"]);
        const reported = isSame("domain", olds.domain, news.domain)
          ? pick(olds, ["reportedDomain"])
          : {};

        return {
          outs: {
            ...news,
            ...known,
            ...reported,
            ...marks,
          },
        };
      }

      refuseElsewhere(`${title(news, id)} is not updated`, olds, context);
      try {
        const domain = await write(id, pick(news, sent), context);
        Object.assign(marks, await account.evidence(id, marks));

        return { outs: { ...recorded(news, domain, warn), ...marks } };
      } catch (error) {
        const domain = existing(id, { ...news, ...marks });
        // A setting that is not recorded differs from any declaration, even if the program is
        // reverted.
        const known = Object.keys(olds).filter((name) => !sent.includes(name));
        if (maybeSent(error)) throw unclearUpdate(domain, pick(olds, known), sent, error);

        const problem = `${domain.title} is not updated`;
        if (!(await isGone(error, problem, domain)))
          throw failure(problem, error, NEEDS_OPERATIONS);

        throw new Error(
          `${problem}: it is no longer in the service. Run \`pulumi refresh\`, then \`pulumi up\`, which creates it again`,
        );
      }
    },

    async delete(id, props) {
      account.noteRecorded(id, props);
      const isKept = isAdopted(props);
      if (isKept) keepers.leave(id, resourceOf(props, urn));
      const keeper = isKept ? undefined : await keeperOf(id, props);
      if (keeper !== undefined) return warn(notDeleted(title(props, id), keeper, urn));

      const kept = keptBecause(id, props);
      if (kept !== undefined)
        return warn(
          `${title(props, id)} is removed from this stack. It stays in the service and is still monitored, because ${kept}`,
        );

      refuseElsewhere(`${title(props, id)} is not deleted`, props, context);
      await deleteExisting(() => connection.client.domains.delete(id, call), existing(id, props));
      account.noteDeleted(id);
    },
  };
}

const IS_SET = "No domain is created for it, and the declared values are set";

const OTHER_PROVIDERS =
  "A resource of another provider that has the domain is not seen and still deletes it if its deletionPolicy says so: take " +
  "that one out first with `pulumi state delete`, or keep its name by the option aliases instead of adopt";
