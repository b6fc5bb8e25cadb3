/**
 * Creates a domain, or takes over the one of that name. The account's list decides, so that there
 * is never a second one.
 */
import { mayLackOperation } from "../../client/errors";
import { isId } from "../../client/rules";
import type { Domain } from "../../client/types";
import { oneLine } from "../../common/secrets";
import { sentences } from "../../common/text";
import { comparableName } from "../../rules/domain-names";
import type { Account, LostCreate } from "../account";
import { describe, type Properties, pick, unrecordable } from "../boundary";
import { type Advice, failure, maybeSent } from "../existing";
import type { OperationContext } from "../lifecycle";
import { ageAt, doubtAbout, isAdopted, isCreatedSince, recordedAsAdopted } from "../ownership";
import { differing, facts, isSame, isVariant, title, toCreate } from "./record";

export type DomainContext = OperationContext & { account: Account };

export const NEEDS_OPERATIONS: Advice = (status) =>
  mayLackOperation(status)
    ? "If the service can neither create nor change domains, add the domain in its own settings and use its id instead of a Domain"
    : undefined;

/** The outcome of a create. */
interface Created {
  domain: Domain;

  /**
   * Why the domain may not be a new one of this stack, so that nothing deletes it. @default none:
   * it is
   */
  doubt?: string;
}

export async function create(inputs: Properties, context: DomainContext) {
  const { account, warn, call } = context;
  const name = comparableName(String(inputs.domain)) ?? "";
  if (account.creating.has(name))
    throw new Error(
      `${title(inputs)} is not created, as another resource is creating it: remove one of them`,
    );

  account.creating.add(name);
  try {
    const { domain, doubt } = isAdopted(inputs)
      ? { domain: await adopt(inputs, context) }
      : await createOnce(name, inputs, context);

    if (!isId(domain.id)) {
      const error = unrecordable(title(inputs), "domain", "name");
      account.lostCreates.set(name, { error, startedAt: Date.now() });

      throw error;
    }

    account.noteCreated(domain);
    const outs = recorded(inputs, domain, warn);

    Object.assign(outs, await account.evidence(domain.id, {}, call));
    if (doubt !== undefined) {
      outs.adopted = true;
      warn(recordedAsAdopted(title(inputs, domain.id), doubt, "true"));
    }

    return { id: domain.id, outs };
  } finally {
    account.creating.delete(name);
  }
}

/**
 * Outputs after an answer of the service. Declared values are kept, or every preview would show a
 * change.
 */
export function recorded(
  inputs: Properties,
  domain: Domain,
  warn: (line: string) => void,
): Properties {
  for (const name of Object.keys(differing(inputs, domain)))
    warn(
      `${title(inputs, domain.id)}: the service has another ${name} than was declared: declare that one`,
    );

  const known = facts(inputs.domain, domain);

  if (known.reportedDomain !== undefined) warn(otherName(inputs, domain));

  return { ...inputs, ...known };
}

/** Warning about a name that the service keeps in another form. */
export function otherName(inputs: Properties, { id, domain }: Domain): string {
  return `${title(inputs, id)}: the service keeps it as ${JSON.stringify(oneLine(domain))}. Only a change in the program replaces it`;
}

async function createOnce(
  name: string,
  inputs: Properties,
  context: DomainContext,
): Promise<Created> {
  const { account, connection, call } = context;
  const earlier = account.lostCreates.get(name);
  if (earlier) return findCreated(name, earlier, inputs, context);

  const problem = `${title(inputs)} is not created`;
  const found = await listed(problem, inputs, context);
  if (found[0])
    throw new Error(
      `${problem}, as it is monitored already (${ids(found)}): to take it over, declare adopt: true, or with the provider ` +
        `plugin the resource option import: "${oneLine(found[0].id)}"`,
    );

  const startedAt = Date.now();
  let error: Error;
  try {
    const domain = await connection.client.domains.create(toCreate(inputs), call);
    const isDeclared = isSame("domain", inputs.domain, domain.domain);
    if (isDeclared || isVariant(inputs.domain, domain.domain)) {
      const age = ageAt(startedAt, domain.createdAt, connection);
      const isHeld = account.held.has(domain.id);

      return { domain, doubt: doubtAbout("domain", { isHeld, age, isDeclared }) };
    }

    error = new Error(
      `the service answered with another domain, ${title({ domain: domain.domain }, domain.id)}`,
    );
  } catch (thrown) {
    if (!maybeSent(thrown)) throw failure(problem, thrown, NEEDS_OPERATIONS);
    error = thrown;
  }

  return findCreated(name, { error, startedAt }, inputs, context);
}

/** The domain of a create whose answer was lost. @throws Error if the list does not have it once */
async function findCreated(
  name: string,
  lost: LostCreate,
  inputs: Properties,
  { connection, account, warn }: DomainContext,
): Promise<Created> {
  const { error, startedAt } = lost;
  let found: string;
  try {
    const domains = await account.named(inputs.domain, { anew: true });
    const [domain] = domains;
    if (domain && domains.length === 1) {
      account.lostCreates.delete(name);
      const isNew = isCreatedSince(ageAt(startedAt, domain.createdAt, connection));
      if (isNew && !account.held.has(domain.id)) {
        warn(
          `${title(inputs, domain.id)} was created, as the list of domains shows: ${error.message}`,
        );

        return { domain };
      }

      const lostCreate = sentences([error.message, "The list of domains has this one"]);

      return { domain, doubt: `${lostCreate}, which may be older than the request` };
    }

    found = domains.length === 0 ? "does not have it now" : `has several (${ids(domains)})`;
  } catch (listError) {
    found = `cannot be read (${describe(listError)})`;
  }

  account.lostCreates.set(name, lost);
  const next =
    "so it is not created again in this run: run `pulumi up` again, which reads the list first";

  const message = sentences([
    `${title(inputs)}: ${error.message}`,
    `The list of domains ${found}, ${next}`,
  ]);

  // The engine does not show the error of a create that a hook repeats.
  if (connection.firstMention(message)) warn(message);

  throw new Error(message);
}

async function adopt(inputs: Properties, context: DomainContext): Promise<Domain> {
  const { account, connection, call } = context;
  const problem = `${title(inputs)} is not taken over`;
  const [domain, ...others] = await listed(problem, inputs, context);
  if (!domain)
    throw new Error(`${problem}, as it is not monitored yet: remove adopt, so that it is created`);

  if (others.length > 0)
    throw new Error(
      `${problem}, as the account has several (${ids([domain, ...others])}): delete all but one`,
    );

  if (!isId(domain.id))
    throw new Error(
      `${problem}, as its id in the service cannot be recorded: report that to the service`,
    );

  if (account.held.has(domain.id))
    throw new Error(`${problem}, as another resource of this stack has it: remove one of them`);

  account.adopted.add(domain.id);
  const changes = pick(inputs, Object.keys(differing(inputs, domain)));
  if (Object.keys(changes).length === 0) return domain;

  try {
    return await connection.client.domains.update(domain.id, changes, call);
  } catch (error) {
    account.adopted.release(domain.id);
    throw failure(problem, error, NEEDS_OPERATIONS);
  }
}

async function listed(
  problem: string,
  inputs: Properties,
  { account }: DomainContext,
): Promise<Domain[]> {
  try {
    return await account.named(inputs.domain);
  } catch (error) {
    throw failure(`${problem}, as the list of domains cannot be read`, error);
  }
}

function ids(domains: readonly Domain[]): string {
  return domains.map(({ id }) => `id ${oneLine(id)}`).join(", ");
}
