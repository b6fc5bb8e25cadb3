/** Creates a domain, or takes over the one of that name. The account's list decides, so that there is never a second one. */
import { mayLackOperation } from "../../client/errors";
import type { Domain } from "../../client/types";
import { isId } from "../../common/ids";
import { oneLine } from "../../common/redact";
import { sentences } from "../../common/text";
import { comparableName } from "../../rules/domain-names";
import { describe, type Properties, pick, unrecordable } from "../boundary";
import { type Advice, failure, maybeSent } from "../existing";
import type { OperationContext } from "../lifecycle";
import type { AccountDomains } from "./account";
import { differing, facts, isAdopted, title, toCreate } from "./record";

export type DomainContext = OperationContext & { account: AccountDomains };

export const NEEDS_OPERATIONS: Advice = (status) =>
  mayLackOperation(status)
    ? "If the service can neither create nor change domains, add the domain in its own settings and use its id instead of a Domain"
    : undefined;

export async function create(inputs: Properties, context: DomainContext) {
  const { account, warn } = context;
  const name = comparableName(String(inputs.domain)) ?? "";
  if (account.creating.has(name))
    throw new Error(
      `${title(inputs)} is not created, as another resource is creating it: remove one of them`,
    );
  account.creating.add(name);
  try {
    const domain = await (isAdopted(inputs) ? adopt(inputs, context) : createOnce(name, inputs, context));
    if (!isId(domain.id)) {
      const unusable = unrecordable(title(inputs), "domain", "name");
      context.connection.failedCreates.set(name, unusable);
      throw unusable;
    }
    account.held.add(domain.id);
    account.since.set(domain.id, domain);
    return { id: domain.id, outs: recorded(inputs, domain, warn) };
  } finally {
    account.creating.delete(name);
  }
}

/** Outputs after an answer of the service. Declared values are kept, or every preview would show a change. */
export function recorded(inputs: Properties, domain: Domain, warn: (line: string) => void): Properties {
  for (const name of Object.keys(differing(inputs, domain)))
    warn(`${title(inputs, domain.id)}: the service has another ${name} than was declared: declare that one`);
  return { ...inputs, ...facts(domain) };
}

async function createOnce(name: string, inputs: Properties, context: DomainContext): Promise<Domain> {
  const { connection, call } = context;
  const earlier = connection.failedCreates.get(name);
  if (earlier) return findCreated(name, earlier, inputs, context);
  const problem = `${title(inputs)} is not created`;
  const found = await listed(problem, inputs, context);
  if (found[0])
    throw new Error(
      `${problem}, as it is monitored already (${ids(found)}): to take it over, declare adopt: true, or with the provider ` +
        `plugin the resource option import: "${oneLine(found[0].id)}"`,
    );
  try {
    return await connection.client.domains.create(toCreate(inputs), call);
  } catch (error) {
    if (!maybeSent(error)) throw failure(problem, error, NEEDS_OPERATIONS);
    return findCreated(name, error, inputs, context);
  }
}

/** The domain of a create whose answer was lost. @throws Error if the list does not have it once */
async function findCreated(
  name: string,
  lost: Error,
  inputs: Properties,
  { connection, account, warn }: DomainContext,
): Promise<Domain> {
  let found: string;
  try {
    const domains = await account.named(inputs.domain, true);
    if (domains[0] && domains.length === 1) {
      warn(`${title(inputs, domains[0].id)} was created, as the list of domains shows: ${lost.message}`);
      connection.failedCreates.delete(name);
      return domains[0];
    }
    found = domains.length === 0 ? "does not have it now" : `has several (${ids(domains)})`;
  } catch (error) {
    found = `cannot be read (${describe(error)})`;
  }
  connection.failedCreates.set(name, lost);
  const next = "so it is not created again in this run: run `pulumi up` again, which reads the list first";
  const message = sentences([`${title(inputs)}: ${lost.message}`, `The list of domains ${found}, ${next}`]);
  // The engine does not show the error of a create that a hook repeats.
  if (connection.firstMention(message)) warn(message);
  throw new Error(message);
}

async function adopt(inputs: Properties, context: DomainContext): Promise<Domain> {
  const { account, connection, call } = context;
  const problem = `${title(inputs)} is not taken over`;
  const [domain, ...others] = await listed(problem, inputs, context);
  if (!domain) throw new Error(`${problem}, as it is not monitored yet: remove adopt, so that it is created`);
  if (others.length > 0)
    throw new Error(
      `${problem}, as the account has several (${ids([domain, ...others])}): delete all but one`,
    );
  if (!isId(domain.id))
    throw new Error(`${problem}, as its id in the service cannot be recorded: report that to the service`);
  if (account.held.has(domain.id))
    throw new Error(`${problem}, as another resource of this stack has it: remove one of them`);
  account.adopted.add(domain.id);
  const changes = pick(inputs, Object.keys(differing(inputs, domain)));
  if (Object.keys(changes).length === 0) return domain;
  try {
    return await connection.client.domains.update(domain.id, changes, call);
  } catch (error) {
    throw failure(problem, error, NEEDS_OPERATIONS);
  }
}

async function listed(problem: string, inputs: Properties, { account }: DomainContext): Promise<Domain[]> {
  try {
    return await account.named(inputs.domain);
  } catch (error) {
    throw failure(`${problem}, as the list of domains cannot be read`, error);
  }
}

function ids(domains: readonly Domain[]): string {
  return domains.map(({ id }) => `id ${oneLine(id)}`).join(", ");
}
