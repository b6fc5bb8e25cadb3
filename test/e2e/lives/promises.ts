/**
 * The promises of the pages for one operation. They compare the state and the service before and
 * after it, and do not look inside the provider.
 */
import type {
  EmulatedChannel,
  EmulatedDomain,
  LoggedRequest,
} from "../../../packages/domain-monitoring-emulator/src";
import type { StackResource, StackStep } from "../../../packages/pulumi-offline/src";
import { CHANNEL_TOKEN, DOMAIN_TOKEN } from "../../../src/names";

export interface World {
  state: readonly StackResource[];

  /** What the state has of channels that the program only refers to. */
  references: readonly StackResource[];
  channels: readonly EmulatedChannel[];
  domains: readonly (EmulatedDomain & { account: string })[];
}

/** The inputs that the program wants for a resource. For a channel, `value` is its destination. */
export type Wanted = Partial<
  Record<"domainId" | "type" | "value" | "lifecycle" | "adopt", unknown>
> & {
  kind: "channel" | "domain";

  /** The label of a channel or the name of a domain; it is different at each place. */
  title: string;

  /** Whether the operation is about it, where it has targets. */
  isTargeted: boolean;

  /**
   * Whether it gets an object of its own although there is a record at its place: a new name
   * without an alias, or a forced replacement. Undefined where it adopts one all the same.
   */
  isRenewed: boolean | undefined;
};

export interface Operation {
  command: "preview" | "up" | "refresh" | "destroy";
  before: World;
  after: World;
  failed: boolean;

  /** The provider was killed, so it may not have reported anything. */
  isKilled: boolean;

  /** The service may have responded to a create with an object that exists. */
  isAnsweredOtherwise: boolean;

  /** Token of the account that the operation works with. */
  account: string;

  /** All messages. */
  output: string;
  requests: readonly LoggedRequest[];
  steps: readonly StackStep[];

  /** By place in the program; empty for a destroy. */
  wanted: ReadonlyMap<string, Wanted>;

  /** Ids of the channels that the program refers to; empty for a destroy. */
  referred: ReadonlySet<string>;

  /** URNs that `exclude` names. */
  excluded: ReadonlySet<string>;

  /** Whether a record was made at another address, without consent to that. */
  isElsewhere: (record: StackResource) => boolean;

  /** Ids in `abandon` in the settings of this operation. */
  abandoned: ReadonlySet<string>;

  /** Objects that the stack owns because it created them or was handed them. */
  owned: ReadonlySet<string>;

  /** URNs and ids of the old halves of replacements, which are still to be deleted. */
  leftOver: ReadonlySet<string>;

  /** The recorded destinations by place and id, as far as they are certain. */
  values: ReadonlyMap<string, unknown>;
}

type Found = string | string[] | undefined;

/** All promises that an operation breaks, in words. */
export function brokenPromises(operation: Operation): string[] {
  return PROMISES.flatMap((promise) => promise(operation) ?? []);
}

const PROMISES: ((operation: Operation) => Found)[] = [
  sendsOnlyWhatItMay,
  deletesNoDomain,
  createsOnceWhatIsMissing,
  keepsOneDomainOfAName,
  recordsOrReportsWhatItCreates,
  deletesOnlyWhatItWasAskedTo,
  keepsWhatIsReferredTo,
  keepsWhatIsExcluded,
  asksNothingAboutWhatIsElsewhere,
  namesWhatLeavesTheStateAndStays,
  leavesOthersAlone,
  namesWhatTwoHave,
  showsNoSecret,
];

const MAY_SEND = {
  preview: /^(get|list)/,
  refresh: /^(get|list)/,
  destroy: /^(get|list|delete)/,
  up: /./,
};

/** channels.md and managed-channels.md: what each operation does. */
function sendsOnlyWhatItMay({ command, requests, before, after }: Operation): Found {
  const others = requests.filter(({ operation }) => !MAY_SEND[command].test(String(operation)));
  if (others.length > 0) return `${command} sends ${others.map(({ operation }) => operation)}`;
  const isChanged = JSON.stringify(before.state) !== JSON.stringify(after.state);
  return command === "preview" && isChanged ? "a preview changes the state" : undefined;
}

/** reference/domain.md: no domain is ever deleted. */
function deletesNoDomain({ requests }: Operation): Found {
  const sent = requests.find(
    ({ method, path }) => method === "DELETE" && /^\/api\/domains\/[^/]+$/.test(path),
  );

  return sent && `the delete of a domain is sent: ${sent.path}`;
}

/**
 * channels.md, "When a response is lost": no row has two objects of one update, or a second object
 * although one is recorded.
 */
function createsOnceWhatIsMissing(operation: Operation): Found {
  const created = newIn(operation).map(({ title }) => title);
  const currentAt = (place: string) =>
    recordsAt(place, operation.before).find((record) => !operation.leftOver.has(urnKeyOf(record)));

  return [...operation.wanted].flatMap(([place, wanted]) => {
    const { title } = wanted;
    const count = created.filter((each) => each === title).length;
    // Several places may declare the same.
    const alike = [...operation.wanted].filter(([, other]) => other.title === title);
    if (count > alike.length) return `${title} is created ${count} times in one operation`;

    const old = currentAt(place);
    const [now] = recordsAt(place, operation.after);
    const isReplaced = old && replaces(old, wanted, operation);
    const missing = alike.filter(([at, other]) => {
      const record = currentAt(at);
      return record === undefined || replaces(record, other, operation) !== false;
    });

    if (count > missing.length) return `${title} is created although it is recorded`;

    const isUp = operation.command === "up" && wanted.isTargeted;
    const isDone = !operation.failed && isUp && old && now;
    if (isDone && isReplaced === false && old.id !== now.id)
      return `${title} is another one after an update`;

    const isOther = operation.isAnsweredOtherwise || old?.id !== now?.id;
    if (isDone && isReplaced === true && !isOther)
      return `${title} is not replaced: its update is not what the page says`;

    return [];
  });
}

/** The table at the beginning of channels.md; undefined if the answer cannot be known. */
function replaces(record: StackResource, wanted: Wanted, { values }: Operation) {
  const { id, inputs, outputs } = record;
  if (wanted.isRenewed !== false) return wanted.isRenewed;
  // The program may declare what the service has made of another name.
  if (wanted.kind === "domain")
    return ![inputs.domain, outputs.reportedDomain].includes(wanted.title);

  const isUncertain = outputs.unconfirmed !== undefined || !values.has(keyOf(record));
  if (wanted.domainId === undefined || isUncertain) return undefined;

  const isOther = inputs.domainId !== wanted.domainId || inputs.type !== wanted.type;
  const value = values.get(keyOf(record));
  if (wanted.lifecycle === "create-only")
    return isOther || inputs.label !== wanted.title || value !== wanted.value;

  const isCleared = wanted.value === null && value !== null;
  const adoptsAnother = wanted.adopt !== undefined && wanted.adopt !== id;

  return isOther || isCleared || adoptsAnother;
}

/** reference/domain.md: a name is monitored once. */
function keepsOneDomainOfAName({ before, after }: Operation): Found {
  const nameIn = ({ account, domain }: World["domains"][number]) => `${domain} in ${account}`;
  const had = idsOf(before.domains);
  const names = after.domains.map(nameIn);

  return after.domains
    .filter(({ id }) => !had.has(id))
    .filter((domain) => names.indexOf(nameIn(domain)) !== names.lastIndexOf(nameIn(domain)))
    .map(({ domain }) => `${domain} is created a second time`);
}

/** channels.md, reference/domain.md and managed-channels.md: when a response is lost. */
function recordsOrReportsWhatItCreates(operation: Operation): Found {
  const { after, requests, wanted, output, failed, isKilled } = operation;
  const recorded = idsOf(after.state);
  const hasList = !requests.some(
    ({ operation: name, status }) => /^list/.test(name ?? "") && status !== 200,
  );

  const lost = newIn(operation).filter(({ id }) => !isKilled && !recorded.has(id));

  return lost.flatMap(({ id, title }) => {
    if (!failed || !output.includes(title))
      return `${title} is created, and neither recorded nor reported`;

    const isManaged = [...wanted.values()].some(
      (each) => each.title === title && each.lifecycle === "managed",
    );

    return isManaged && hasList && !output.includes(`adopt: "${id}"`)
      ? `${title} is created and lost, and no message says how to adopt it`
      : [];
  });
}

/** managed-channels.md and reference/domain.md: what each operation does, and who owns an object. */
function deletesOnlyWhatItWasAskedTo(operation: Operation): Found {
  const { before, after, owned, abandoned, command } = operation;
  const left = idsOf([...after.domains, ...after.channels]);
  const domainsLeft = idsOf(after.domains);
  const withDomain = (id: string) =>
    before.channels.some((c) => c.id === id && !domainsLeft.has(c.domainId));

  const gone = [...before.domains, ...before.channels].filter(
    ({ id }) => !left.has(id) && !withDomain(id),
  );

  return gone.flatMap(({ id, label }) => {
    const records = before.state.filter((record) => record.id === id);
    const still = after.state.filter((record) => record.id === id);
    const isDeleted = `${label} (${id}) is deleted`;
    if (records.length === 0) return `${isDeleted}, and was in no record`;
    if (!owned.has(id)) return `${isDeleted}, and never was the stack's own`;

    const isTooLate = (record: StackResource) => isDeletedAfter(record, records, operation);
    if (!records.some(isToBeDeleted) || ![...records, ...still].filter(isAdopted).every(isTooLate))
      return `${isDeleted} against its record`;

    if (abandoned.has(id)) return `${isDeleted}, and abandon lists it`;
    if (command !== "up") return [];
    if (records.some((record) => isStillWanted(record, operation)))
      return `${isDeleted}, and the program still has it`;

    if (still.some((record) => isCurrent(record, after, operation)))
      return `${isDeleted}, and another resource has it`;

    return isTakenOver(id, operation) ? `${isDeleted}, and the program takes it over` : [];
  });
}

/** managed-channels.md: a channel that the program refers to. */
function keepsWhatIsReferredTo({ command, before, after, referred }: Operation): Found {
  const left = idsOf(after.channels);
  const domains = idsOf(after.domains);
  const gone = before.channels.filter(
    ({ id, domainId }) => referred.has(id) && domains.has(domainId) && !left.has(id),
  );

  return command === "up"
    ? gone.map(({ id, label }) => `${label} (${id}) is deleted, and the program refers to it`)
    : [];
}

/** An update leaves what it excludes as it is; the engine reads what is referred to all the same. */
function keepsWhatIsExcluded({ before, after, excluded, requests }: Operation): Found {
  const left = new Map(after.state.map((record) => [keyOf(record), record]));
  const referred = new Set(after.references.map(({ urn }) => urn));
  const kept = before.state.filter(({ urn }) => excluded.has(urn) && !referred.has(urn));
  const others = before.state.filter(({ urn }) => !excluded.has(urn));

  return kept.flatMap((record) => {
    const { id = "", name } = record;
    const now = left.get(keyOf(record));
    if (now === undefined) return `${name} (${id}) is excluded, and leaves the state`;

    // A component has no object, and no id.
    const isAlone = id !== "" && others.every((other) => other.id !== id);
    const isChanged = requests.some(({ method, path }) => method !== "GET" && path.endsWith(id));

    return isAlone && isChanged ? `${name} (${id}) is excluded, and a write is sent` : [];
  });
}

/** managed-channels.md: what was recorded at another address. */
function asksNothingAboutWhatIsElsewhere(operation: Operation): Found {
  const { before, after, requests, wanted, referred, isElsewhere, isAnsweredOtherwise } = operation;
  const taken = new Set<unknown>([...wanted.values()].map(({ adopt }) => adopt));
  const isHere = (id: string) =>
    taken.has(id) ||
    referred.has(id) ||
    before.references.some((one) => one.id?.toLowerCase() === id) ||
    before.state.some((other) => other.id === id && !isElsewhere(other));

  const elsewhere = before.state.filter(
    (record) => isElsewhere(record) && !isHere(record.id ?? ""),
  );

  return elsewhere.flatMap(({ id = "", name, urn, inputs, outputs }) => {
    const asked = requests.filter(({ path }) => path.includes(`notification-channels/${id}`));
    if (asked.length > 0)
      return `${name} (${id}) was recorded at another address: ${asked.map(({ method }) => method)}`;

    const now = after.state.find((record) => record.id === id && record.urn === urn);
    const isRenewed = now && now.outputs.addressDigest !== outputs.addressDigest;
    // This address has responded with it to a create, which knows only what its own domain had.
    const isGiven =
      isAnsweredOtherwise &&
      (now?.outputs.adopted === true || now?.inputs.domainId !== inputs.domainId);

    return isRenewed && !isGiven
      ? `${name} (${id}) is recorded at this address without consent`
      : [];
  });
}

/** Whether this is the record of a resource that the program has. */
function isCurrent(record: StackResource, world: World, { wanted }: Operation): boolean {
  const place = placeOf(record);
  const isReferred = world.references.some((reference) => placeOf(reference) === place);
  return wanted.has(place) && !isReferred && recordsAt(place, world)[0] === record;
}

/** Whether a resource that the update is about is to adopt this channel, even if that fails. */
function isTakenOver(id: string, { wanted }: Operation): boolean {
  return [...wanted.values()].some(({ adopt, isTargeted }) => isTargeted && adopt === id);
}

/**
 * managed-channels.md, "Whose a channel is": a delete that was already sent cannot know about an
 * adopter that is deleted later.
 */
function isDeletedAfter(
  adopter: StackResource,
  others: StackResource[],
  { before, steps, wanted }: Operation,
): boolean {
  const turnOf = (record: StackResource) => {
    const current = before.state.find(({ urn }) => urn === record.urn);
    const operation = record === current ? "delete" : "delete-replaced";
    return steps.findIndex((step) => step.operation === operation && step.urn === record.urn);
  };
  const turn = turnOf(adopter);
  const isLast = others
    .filter((other) => !isAdopted(other))
    .every((other) => turn === -1 || turn >= turnOf(other));

  return isLast && !wanted.has(placeOf(adopter));
}

function isStillWanted(record: StackResource, operation: Operation): boolean {
  const declared = operation.wanted.get(placeOf(record));
  if (declared === undefined || operation.leftOver.has(urnKeyOf(record))) return false;
  if (!isCurrent(record, operation.before, operation)) return false;
  return !declared.isTargeted || replaces(record, declared, operation) === false;
}

/** managed-channels.md, "Whose a channel is": two resources of a program with one channel. */
function namesWhatTwoHave(operation: Operation): Found {
  const { command, failed, before, wanted, output } = operation;
  if (failed || !["preview", "up"].includes(command)) return undefined;

  const kept = before.state.filter(
    (record) =>
      record.type === CHANNEL_TOKEN &&
      wanted.get(placeOf(record))?.isTargeted &&
      isStillWanted(record, operation),
  );

  const shared = kept.filter(({ id }) => kept.filter((other) => other.id === id).length > 1);

  return shared
    .filter(({ id }) => !new RegExp(`id ${id}.*remove one of the two`).test(output))
    .map(({ name, id }) => `${name} has ${id} together with another resource, and nobody says so`);
}

/** Whether a delete of this record deletes. */
function isToBeDeleted(record: StackResource): boolean {
  const { type, outputs } = record;
  return type === CHANNEL_TOKEN && outputs.lifecycle === "managed" && !isAdopted(record);
}

export function isAdopted({ outputs }: StackResource): boolean {
  return outputs.adopted === true || (outputs.adopt ?? false) !== false;
}

/**
 * channels.md, "See what stays behind"; managed-channels.md and reference/domain.md: what a 404
 * proves.
 */
function namesWhatLeavesTheStateAndStays(operation: Operation): Found {
  const { before, after, abandoned, output, command } = operation;
  const recorded = idsOf(after.state);
  const stays = before.state.filter(
    (record) =>
      isThere(record, after) &&
      !recorded.has(record.id ?? "") &&
      !isForgottenByTheEngine(record, operation),
  );

  return stays.flatMap((record) => {
    const { id = "", name } = record;
    if (!output.includes(id)) return `${name} (${id}) leaves the state, stays, and nobody says so`;

    const alike = before.state.filter((other) => other.id === id);
    const isDropped =
      !alike.every(isToBeDeleted) || isTakenOver(id, operation) || operation.referred.has(id);

    const isKept = command === "refresh" ? isOfAnother(id, operation) : isDropped;

    return isKept || abandoned.has(id)
      ? []
      : `${name} (${id}) leaves the state, and stays in the service`;
  });
}

/**
 * Whether a reference takes the place of a record, and the provider is not asked to delete that: the
 * ids are equal, or the update has failed or has targets. The engine tries only once.
 */
function isForgottenByTheEngine(record: StackResource, { steps }: Operation): boolean {
  const isRead = steps.some(
    ({ name, operation }) =>
      name.slice(0, 2) === placeOf(record) && ["read", "read-replacement"].includes(operation),
  );

  const isDeleted = steps.some(
    ({ urn, operation }) => urn === record.urn && operation === "delete-replaced",
  );

  return isRead && !isDeleted;
}

/** Whether the service has the object of a record, a channel in the recorded domain. */
function isThere({ id, inputs }: StackResource, { channels, domains }: World): boolean {
  const isChannel = channels.some(
    (channel) => channel.id === id && channel.domainId === inputs.domainId,
  );

  return isChannel || domains.some((domain) => domain.id === id);
}

/** Whether a domain is not in the account that the operation works with. */
function isOfAnother(id: string, { after, account }: Operation): boolean {
  return after.domains.some((domain) => domain.id === id && domain.account !== account);
}

/** Leaves objects alone that the stack neither records nor adopts. */
function leavesOthersAlone({ before, after, wanted }: Operation): Found {
  // A domain is taken over by its name.
  const adopted = [...wanted.values()].map(({ kind, adopt, title }) =>
    kind === "domain" ? title : adopt,
  );
  const recorded = new Set<unknown>([...idsOf(before.state), ...idsOf(after.state), ...adopted]);
  const now = new Map(
    [...after.channels, ...after.domains].map((each) => [each.id, JSON.stringify(each)]),
  );

  return [...before.channels, ...before.domains]
    .filter((each) => !recorded.has(each.id) && now.has(each.id))
    .filter((each) => !("domain" in each && recorded.has(each.domain)))
    .filter((each) => now.get(each.id) !== JSON.stringify(each))
    .map(({ label }) => `${label} is changed, and is not the stack's`);
}

/** secrets.md. */
function showsNoSecret({ output, after }: Operation): Found {
  const [secret] = `${output} ${JSON.stringify(after.state)}`.match(/.{0,40}secret-.{0,40}/) ?? [];
  return secret && `a secret is shown: ${secret}`;
}

/** After a refresh and an update without an error, program and service agree. */
export function disagreements({ before, after, wanted, account }: Operation): string[] {
  const domains = idsOf(after.domains);
  const removed = new Set(before.domains.map(({ id }) => id).filter((id) => !domains.has(id)));

  return [...wanted].flatMap(([place, { kind, title, lifecycle, domainId }]) => {
    const [record] = recordsAt(place, after);
    // Two resources with the same object overwrite each other's values.
    const isShared = after.state.filter(({ id }) => id === record?.id).length > 1;
    if (lifecycle === "create-only" || isShared || removed.has(String(domainId))) return [];

    const found: readonly { id: string; label: string }[] =
      kind === "channel"
        ? after.channels
        : after.domains.filter((domain) => domain.account === account);

    const object = found.find(({ id }) => id === record?.id);
    const label = kind === "channel" ? title : record?.inputs.label;

    return object?.label === label ? [] : `${title} is not in the service as it is declared`;
  });
}

/** Place of a resource in the program. */
export function placeOf({ name }: StackResource): string {
  return name.slice(0, 2);
}

/** Two resources may have the same object. */
export function keyOf(record: StackResource): string {
  return `${placeOf(record)} ${record.id}`;
}

/** The same where the name counts as well. */
export function urnKeyOf({ urn, id }: StackResource): string {
  return `${urn} ${id}`;
}

/**
 * The records at a place of the program: first the current one, then those that are still to be
 * deleted.
 */
export function recordsAt(place: string, { state }: World): StackResource[] {
  const kinds = [CHANNEL_TOKEN, DOMAIN_TOKEN];
  return state.filter((record) => kinds.includes(record.type) && placeOf(record) === place);
}

function newIn({ before, after }: Operation): { id: string; title: string }[] {
  const had = idsOf([...before.channels, ...before.domains]);
  const all = [
    ...after.channels.map(({ id, label }) => ({ id, title: label })),
    ...after.domains.map(({ id, domain }) => ({ id, title: domain })),
  ];

  return all.filter(({ id }) => !had.has(id));
}

export function idsOf(objects: readonly { id?: string }[]): Set<string> {
  return new Set(objects.flatMap(({ id }) => id ?? []));
}
