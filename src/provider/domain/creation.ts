/**
 * Creates a domain, or takes over the one of that name. The account's list decides, so that there
 * is never a second one.
 */
import { mayLackOperation } from "../../client/errors";
import type { Domain } from "../../client/types";
import { oneLine, sentences } from "../../common/text";
import { comparableName } from "../../rules/domain-names";
import type { Account } from "../account";
import { describe, isRecordable, type Properties, pick } from "../boundary";
import type { OperationContext } from "../connection";
import { doubtAbout, isAdopted, recordedAsAdopted } from "../create";
import { type Advice, failure, maybeSent, unrecordable, updated } from "../existing";
import { domainKeepers, keptByTwo, resourceOf } from "../keepers";
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
  const { account, connection, warn, urn } = context;
  const keepers = domainKeepers(connection);
  const resource = resourceOf(inputs, urn);
  const name = comparableName(String(inputs.domain)) ?? "";

  keepers.begin(resource);
  if (account.creating.has(name))
    throw new Error(
      `${title(inputs)} is not created, because another resource is creating it: remove one of them`,
    );

  account.creating.add(name);
  try {
    const { domain, doubt } = isAdopted(inputs)
      ? { domain: await adopt(inputs, context) }
      : await createOnce(name, inputs, context);

    if (!isRecordable(domain.id)) {
      const error = unrecordable(title(inputs), "domain", "name");
      account.lostCreates.set(name, error);

      throw error;
    }

    account.noteCreated(domain);
    keepers.take(domain.id, resource);
    const outs = recorded(inputs, domain, warn);

    Object.assign(outs, await account.evidence(domain.id, {}));
    if (doubt !== undefined) {
      outs.adopted = true;
      warn(recordedAsAdopted(title(inputs, domain.id), doubt, handOver(domain.id, urn)));
    }

    return { id: domain.id, outs };
  } finally {
    account.creating.delete(name);
  }
}

/**
 * Outputs after a response of the service. Declared values are kept, or every preview would show a
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

/** How to make an adopted domain the stack's own, with the package that has its resource. */
export function handOver(id: string, urn: string | undefined): string {
  return urn === undefined
    ? "declare adopt: true, run `pulumi up`, then remove adopt"
    : `take it out of the state with \`pulumi state delete\`, set the resource option import to ${JSON.stringify(oneLine(id))} and run \`pulumi up\``;
}

async function createOnce(
  name: string,
  inputs: Properties,
  context: DomainContext,
): Promise<Created> {
  const { account, connection, call, urn } = context;
  const keepers = domainKeepers(connection);
  const resource = resourceOf(inputs, urn);
  const earlier = account.lostCreates.get(name);
  if (earlier) return findCreated(name, earlier, inputs, context);

  const problem = `${title(inputs)} is not created`;
  const found = await listed(problem, inputs, context);
  if (found[0]) {
    // A declared domain is not deleted with another resource, such as a renamed one.
    for (const { id } of found) keepers.take(id, resource);
    const takeOver =
      urn === undefined
        ? "declare adopt: true"
        : `set the resource option import to ${JSON.stringify(oneLine(found[0].id))}`;

    throw new Error(
      `${problem}, because it is monitored already (${ids(found)}): to take it over, ${takeOver}`,
    );
  }

  let error: Error;
  try {
    const domain = await connection.client.domains.create(toCreate(inputs), call);
    const isDeclared = isSame("domain", inputs.domain, domain.domain);
    if (isDeclared || isVariant(inputs.domain, domain.domain)) {
      const isKept = keepers.other(domain.id, resource) !== undefined;
      const isHeld = isKept || (await account.wasListed(domain.id));

      return { domain, doubt: doubtAbout("domain", { isHeld, isDeclared }) };
    }

    error = new Error(
      `the service responded with another domain, ${title({ domain: domain.domain }, domain.id)}`,
    );
  } catch (thrown) {
    if (!maybeSent(thrown)) throw failure(problem, thrown, NEEDS_OPERATIONS);
    error = thrown;
  }

  return findCreated(name, error, inputs, context);
}

/**
 * The domain of a create whose response was lost. It is adopted, because a list may lag behind.
 * @throws Error if the list does not have it once
 */
async function findCreated(
  name: string,
  error: Error,
  inputs: Properties,
  { connection, account, warn }: DomainContext,
): Promise<Created> {
  let found: string;
  try {
    const domains = await account.named(inputs.domain, { anew: true });
    const [domain] = domains;
    if (domain && domains.length === 1) {
      account.lostCreates.delete(name);
      const lost = sentences([error.message, "The list of domains has this one"]);

      return { domain, doubt: `${lost}, which may be older than the request` };
    }

    found = domains.length === 0 ? "does not have it now" : `has several (${ids(domains)})`;
  } catch (listError) {
    found = `cannot be read (${describe(listError)})`;
  }

  account.lostCreates.set(name, error);
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
  const { connection, urn } = context;
  const keepers = domainKeepers(connection);
  const resource = resourceOf(inputs, urn);
  const problem = `${title(inputs)} is not taken over`;
  const [domain, ...others] = await listed(problem, inputs, context);
  if (!domain)
    throw new Error(
      `${problem}, because it is not monitored yet: remove adopt, so that it is created`,
    );

  if (others.length > 0)
    throw new Error(
      `${problem}, because the account has several (${ids([domain, ...others])}): delete all but one`,
    );

  if (!isRecordable(domain.id))
    throw new Error(
      `${problem}, because its id in the service cannot be recorded: report that to the service`,
    );

  // It keeps the domain even if this fails: nothing else may delete what the program declares.
  const other = keepers.take(domain.id, resource);
  if (other !== undefined) throw new Error(keptByTwo(problem, other));

  const changes = pick(inputs, Object.keys(differing(inputs, domain)));
  if (Object.keys(changes).length === 0) return domain;

  try {
    return await write(domain.id, changes, context);
  } catch (error) {
    throw failure(problem, error, NEEDS_OPERATIONS);
  }
}

/** Sends an update. */
export async function write(
  id: string,
  changes: Properties,
  { connection, call }: OperationContext,
): Promise<Domain> {
  const { domains } = connection.client;
  return updated(
    () => domains.update(id, changes, call),
    () => domains.get(id, call),
  );
}

async function listed(
  problem: string,
  inputs: Properties,
  { account }: DomainContext,
): Promise<Domain[]> {
  try {
    return await account.named(inputs.domain);
  } catch (error) {
    throw failure(`${problem}, because the list of domains cannot be read`, error);
  }
}

function ids(domains: readonly Domain[]): string {
  return domains.map(({ id }) => `id ${oneLine(id)}`).join(", ");
}
