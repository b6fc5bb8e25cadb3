/**
 * Determines the domains of a command line: by id, by name, from a stack, or all of the account.
 */

import type { UnreadableRecord } from "../client/errors";
import { readAll, unreadableProblem } from "../client/pages";
import type { Domain } from "../client/types";
import { byName, type DomainList, domainNamed } from "../functions/domain-list";
import { comparableName } from "../rules/domain-names";
import { type Account, openAccount } from "./account";
import { MISSING, mapLimit, type Outcome, outcomeOf } from "./calls";
import type { DomainSelection } from "./options";
import { type Progress, showProgress } from "./progress";
import { readStackDomains, type StackDomains } from "./stack";

/** The domains of the command line, and the stacks' domains with their channels. */
export interface Selection extends Omit<StackDomains, "ids"> {
  all: boolean;

  /** Ids and names, each once, as given. */
  domains: string[];

  /**
   * Names in the rules file: if all of the account is selected, each is looked for in it.
   * @default none
   */
  named?: readonly string[];
}

interface Target {
  /** Its id; the name as given, where it could not be looked up. */
  id: string;

  /** The domain, or why it could not be determined; undefined as long as nobody has asked. */
  known?: Outcome<Domain>;
}

/** Asks nothing of the service. @throws Error with one line if it is empty or contradictory */
export async function readSelection({
  domain = [],
  all = false,
  fromStack = [],
}: DomainSelection): Promise<Selection> {
  if (all && domain.length > 0)
    throw new Error("--all and --domain cannot be combined: leave one of them out");

  const stacks = await Promise.all(fromStack.map(readStackDomains));
  const domains = [...new Set([...domain, ...stacks.flatMap(({ ids }) => ids)])];
  const channels = stacks.flatMap((stack) => stack.channels);
  const notes = stacks.flatMap((stack) => stack.notes);
  if (!all && domains.length === 0) {
    const why = notes.length > 0 ? ` (${notes.join("; ")})` : "";

    throw new Error(
      `no domains selected${why}: pass --domain ID, --all, or --from-stack FILE with a stack that has notification channels`,
    );
  }

  // Nothing is skipped where all are looked at.
  return { all, domains, channels, notes: all ? [] : notes };
}

/**
 * Reads every domain of a selection, a few at a time, and shows how many are done.
 * @param look makes the result of a domain from what the service said of it
 * @returns the results in the order of the domains
 * @throws Error with one line if a setting is missing or wrong, the token is refused, or all are
 * wanted and cannot be listed
 */
export async function forEachDomain<Result>(
  selection: Selection,
  look: (id: string, domain: Outcome<Domain>, account: Account) => Promise<Result>,
): Promise<Result[]> {
  const progress = showProgress();
  const account = await openAccount(progress.wait);
  try {
    const targets = await findTargets(selection, account, progress);

    progress.begin("domains", targets.length);
    await tryToken(targets, account);
    const lookAt = async ({ id, known }: Target) =>
      look(id, known ?? (await outcomeOf(account.client.domains.get(id))), account);

    return await mapLimit(targets, account.concurrency, lookAt, progress.step);
  } finally {
    progress.end();
    await account.client.close();
  }
}

/**
 * The domains of a selection, each once: all of the account by name if they are selected, then the
 * others in the order given. The list of domains is read only for these and for names. A name that
 * cannot be looked up is a target that has failed. So is a name of the rules file that the
 * account lacks.
 * @throws Error with one line if all are wanted, and the list cannot be read or is empty
 */
async function findTargets(
  { all, domains, named = [] }: Selection,
  account: Account,
  progress: Progress,
): Promise<Target[]> {
  if (!all && !domains.some(isName)) return domains.map((id) => ({ id }));

  const { value: list = { records: [] }, failure } = await outcomeOf(readList(account, progress));
  if (failure && all) throw new Error(`--all needs the list of domains: ${failure.message}`);
  if (failure?.status === 401) throw new Error(failure.message);

  // A record that cannot be read may be any domain.
  const isComplete = all && !list.error;
  if (isComplete && list.records.length === 0)
    throw new Error(
      "the account has no domain, or the API token may see none: check the base address, and whose token it is",
    );

  const listed = list.records.map(
    (domain): Target => ({ id: domain.id, known: { value: domain } }),
  );

  if (all) listed.push(...(list.error?.unreadable ?? []).map(unreadableTarget));
  if (isComplete) listed.push(...missingTargets(list.records, named));
  const lookUp = async (name: string) => domainNamed(name, list);
  const byId = new Map(listed.map((target) => [target.id, target]));
  const chosen = await Promise.all(
    domains.map(async (given): Promise<Target> => {
      if (!isName(given)) return byId.get(given) ?? { id: given };
      const known = failure ? { failure } : await outcomeOf(lookUp(given));

      return { id: known.value?.id ?? given, known };
    }),
  );

  const targets = [...(all ? listed : []), ...chosen];

  return [...new Map(targets.map((target) => [target.id, target])).values()];
}

function unreadableTarget(record: UnreadableRecord): Target {
  const id = record.id ?? `number ${record.position}`;
  return failedTarget(id, "response", unreadableProblem([record]));
}

function failedTarget(id: string, kind: string, message: string): Target {
  return { id, known: { failure: { kind, status: null, message } } };
}

/** The names that the account lacks: the domain was given up or stolen, or its name is misspelt. */
function missingTargets(list: readonly Domain[], named: readonly string[]): Target[] {
  const known = new Set(list.map(({ domain }) => comparableName(domain)));
  const missing = named.filter((name) => !known.has(comparableName(name)));
  const message =
    "is not in the account, but has rules: find out where it went, or remove it from the rules file";

  return missing.map((id) => failedTarget(id, MISSING, message));
}

/**
 * Reads one domain first: with a refused token, hundreds of requests would tell no more. A 403 may
 * concern that domain only, so it counts only if the next domain is refused as well.
 * @throws Error with one line if the token is refused
 */
async function tryToken(targets: readonly Target[], { client }: Account): Promise<void> {
  const tried = targets.filter(({ known }) => !known).slice(0, 2);
  for (const [index, target] of tried.entries()) {
    target.known = await outcomeOf(client.domains.get(target.id));
    const { status, message } = target.known.failure ?? {};
    if (status === 401 || (status === 403 && index > 0)) throw new Error(message);
    if (status !== 403) return;
  }
}

/** Whether a text is a name: an id has no dot, in none of the forms that IDNA knows. */
export function isName(text: string): boolean {
  return /[.\u3002\uff0e\uff61]/.test(text);
}

async function readList({ client }: Account, progress: Progress): Promise<DomainList> {
  progress.begin("domains listed");
  const { records, error } = await readAll(client.domains.iterate(), progress.step);

  return { records: records.toSorted(byName), error };
}
