/**
 * Has the account monitor a domain: takes over the one of that name, or creates it. The account's
 * list decides, so that there is never a second one.
 */
import { mayLackOperation } from "../../client/errors";
import type { Domain } from "../../client/types";
import { oneLine, sentences, type Warn } from "../../common/text";
import { type DomainList, domainListOf, domainsNamed } from "../../functions/domain-list";
import { comparableName } from "../../rules/domain-names";
import { describe, isRecordable, type Properties, pick } from "../boundary";
import { type OperationContext, onePerConnection } from "../connection";
import { type Advice, failedWith, maybeSent, updated } from "../failures";
import { differing, facts, isSame, isVariant, title, toCreate } from "./record";

export const NEEDS_OPERATIONS: Advice = (status) =>
  mayLackOperation(status)
    ? "If the service can neither create nor change domains, add the domain in its own settings and use its id instead of a Domain"
    : undefined;

/** Names that this process has created or taken over, or is about to. */
const namesOf = onePerConnection(() => new Set<string>());

export async function create(inputs: Properties, context: OperationContext) {
  const names = namesOf(context.connection);
  const name = comparableNameOf(inputs);
  if (names.has(name))
    throw new Error(
      `${title(inputs)} is not created, because another resource of this run has it: remove one of them`,
    );

  names.add(name);
  try {
    const domain = await createOnce(inputs, context);

    return { id: domain.id, outs: recorded(inputs, domain, context.warn) };
  } catch (error) {
    names.delete(name);
    throw error;
  }
}

/**
 * Takes the domain over if the list has it; else creates it. After a create whose outcome is not
 * known the list decides, and this process sends no other one.
 */
async function createOnce(inputs: Properties, context: OperationContext): Promise<Domain> {
  const { failedCreates } = context.connection;
  const lost = failedCreates.get(comparableNameOf(inputs));
  const listed = await findListed(inputs, lost, context);
  if (listed) return takeOver(listed, inputs, context);
  if (lost) throw notCreatedAgain(inputs, lost, "does not have it now", context);

  const created = await sendCreate(inputs, context);
  if (!(created instanceof Error)) return created;

  failedCreates.set(comparableNameOf(inputs), created);

  return createOnce(inputs, context);
}

/** The domain in the account's list, which is read anew after a create whose outcome is not known. */
async function findListed(
  inputs: Properties,
  lost: Error | undefined,
  context: OperationContext,
): Promise<Domain | undefined> {
  const list = domainListOf(context.connection.client);
  try {
    return domainIn(inputs, await (lost ? list.anew() : list.latest()));
  } catch (error) {
    if (lost) throw notCreatedAgain(inputs, lost, `cannot be used (${describe(error)})`, context);

    const problem = `${title(inputs)} is not created, because the list of domains cannot be used`;
    throw failedWith(problem, error);
  }
}

/**
 * The domain with the declared or recorded name.
 * @throws Error if the list has several, or may have one that cannot be read
 */
export function domainIn(inputs: Properties, list: DomainList): Domain | undefined {
  const domains = domainsNamed(String(inputs.domain), list);
  if (domains.length < 2) return domains[0];

  const ids = domains.map(({ id }) => `id ${oneLine(id)}`).join(", ");
  throw new Error(`it has several of this name (${ids}): remove all but one in the service`);
}

function notCreatedAgain(
  inputs: Properties,
  lost: Error,
  list: string,
  { connection, warn }: OperationContext,
): Error {
  const message = sentences([
    `${title(inputs)}: ${lost.message}`,
    `The list of domains ${list}, so it is not created again in this run: run \`pulumi up\` again, which reads the list first`,
  ]);

  // The engine does not show the error of a create that a hook repeats.
  if (connection.firstMention(message)) warn(message);

  return new Error(message);
}

/** Sets what differs in a domain that the account has. */
async function takeOver(
  domain: Domain,
  inputs: Properties,
  context: OperationContext,
): Promise<Domain> {
  if (!isRecordable(domain.id))
    throw new Error(
      `${title(inputs)} is not taken over, because its id cannot be recorded: report that to the service`,
    );

  const named = title(inputs, domain.id);
  const changes = pick(inputs, Object.keys(differing(inputs, domain)));
  const names = Object.keys(changes);
  try {
    const found = names.length === 0 ? domain : await write(domain.id, changes, context);
    const set = names.length === 0 ? [] : [`This is set as declared: ${names.join(", ")}`];
    context.warn(sentences([`${named} is monitored already, so it is taken over`, ...set]));

    return found;
  } catch (error) {
    throw failedWith(`${named} is not taken over`, error, NEEDS_OPERATIONS);
  }
}

/**
 * Sends a create. @returns an error if a domain may have been created of which the response says
 * too little
 */
async function sendCreate(
  inputs: Properties,
  { connection, call }: OperationContext,
): Promise<Domain | Error> {
  try {
    const domain = await connection.client.domains.create(toCreate(inputs), call);
    if (!isRecordable(domain.id))
      return new Error("the service responded with an id that cannot be recorded");

    const isDeclared =
      isSame("domain", inputs.domain, domain.domain) || isVariant(inputs.domain, domain.domain);

    if (!isDeclared)
      return new Error(
        `the service responded with another domain, ${title({ domain: domain.domain }, domain.id)}`,
      );

    return domain;
  } catch (error) {
    if (maybeSent(error)) return error;
    throw failedWith(`${title(inputs)} is not created`, error, NEEDS_OPERATIONS);
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

/**
 * Outputs after a response of the service. Declared values are kept, or every preview would show a
 * change.
 */
export function recorded(inputs: Properties, domain: Domain, warn: Warn): Properties {
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

/** The name by which a process knows a domain whose id is not known yet. */
function comparableNameOf({ domain }: Properties): string {
  return comparableName(String(domain)) ?? "";
}
