/** A stack that goes through steps. The promises are checked after each operation. */
import { hash } from "node:crypto";
import type { Emulator } from "../../../packages/domain-monitoring-emulator/src";
import {
  type Diagnostic,
  StackError,
  type StackResource,
  type StackResult,
  TestStack,
  type UpdateOptions,
} from "../../../packages/pulumi-offline/src";
import { Domain, DomainAlerts, NotificationChannel } from "../../../src";
import { ALERTS_TOKEN, CHANNEL_TOKEN, DOMAIN_TOKEN } from "../../../src/names";
import * as wire from "../../client/support/wire";
import { Providers } from "../../support/own-providers";
import {
  brokenPromises,
  disagreements,
  idsOf,
  isAdopted,
  keyOf,
  type Operation,
  placeOf,
  recordsAt,
  urnKeyOf,
  type Wanted,
  type World,
} from "./promises";
import {
  type DeclaredChannel,
  type DeclaredDomain,
  describeStep,
  HOSTS,
  type Narrowed,
  type Place,
  type Renamed,
  type Step,
} from "./steps";

/** The domain that the account has before the stack, and the token of another account. */
export const SEEDED = "11111111-1111-4111-8111-111111111111";
export const OTHER_TOKEN = "secret-token-of-another-account";
const ABANDON = "domain-monitoring:abandon";
const MOVED_FROM = "domain-monitoring:movedFrom";

/** Channels that the account has before each life; a page of their list has two. */
const BY_HAND = [
  { label: "Channel common 0", type: "email" },
  { label: "Channel c0 0", type: "slack" },
  { label: "Channel c1 0", type: "email" },
];

/** A channel of which the program knows the id alone. */
interface Reference {
  kind: "reference";
  id: string;
  domainId: string;
}

/** The program's resource at a place. */
interface Declaration {
  declared: DeclaredChannel | DeclaredDomain | Reference;

  /** Number in the name; a rename raises it. */
  name: number;
  aliases: string[];
  adopt?: string;

  /** Domain of an adopted channel. */
  domainId?: string;
}

export class Life {
  readonly #providers = new Providers();
  readonly #options = {
    program: () => this.#declareAll(),
    config: { "domain-monitoring:maxRetries": "1" } as Record<string, string>,
  };

  readonly #program = new Map<Place, Declaration>();
  readonly #owned = new Set<string>();
  #leftOver = new Set<string>();
  readonly #values = new Map<string, unknown>();
  readonly #story: string[] = [];
  #stack!: TestStack;
  #state: StackResource[] = [];
  #references: StackResource[] = [];
  #token = "";
  #host: (typeof HOSTS)[number] = HOSTS[0];

  /** The settings that a refresh and a destroy use. */
  #recordedConfig: Record<string, string> = {};
  #lastOutput = "";

  /** Whether the service may respond to a create with an object that exists. */
  #isAnsweredOtherwise = false;

  constructor(private readonly service: Emulator) {}

  /** @throws Error with the story so far, if a promise is broken */
  async live(steps: readonly Step[]): Promise<void> {
    this.#stack = await TestStack.createWith(this.#providers.start, this.#options);
    this.service.reset();
    for (const channel of BY_HAND) this.service.addChannel(SEEDED, channel);
    this.#useToken(this.service.token);
    this.#useAddress(HOSTS[0]);
    for (const step of steps) await this.#take(step);
    await this.#end();
    await this.#stack.close();
  }

  async #take(step: Step): Promise<void> {
    this.#story.push(describeStep(step));
    this.service.advance({ minutes: 5 });
    switch (step.do) {
      case "run":
        return this.#command(step);
      case "declare":
        return this.#declare(step.place, step.declared);
      case "adopt":
      case "refer to":
        return this.#takeOver(step);
      case "rename":
        return this.#rename(step.place, step.how);
      case "respond with":
        return this.#respondWith(step.object);
      case "hand over":
        return this.#handOver(step.place);
      case "remove":
        return void this.#program.delete(step.place);
      case "abandon":
        return this.#abandon(step.advised);
      case "use the token":
        // The service responds with no other account's object.
        if (this.#isAnsweredOtherwise) this.#heal();

        return this.#useToken(step.of === "the account" ? this.service.token : OTHER_TOKEN);
      case "use the address":
        return this.#useAddress(step.host);
      case "consent":
        return this.#consent(step.given);
      case "by hand":
        return this.#byHand(step);
      case "fail":
        return this.service.fault(step.rule);
      case "kill":
        this.#providers.kill = step.kill;
    }
  }

  // The program.

  #declare(place: Place, declared: Declaration["declared"]): void {
    const { name = 0, aliases = [] } = this.#program.get(place) ?? {};
    // A new name that no longer adopts needs an alias.
    const recorded = recordsAt(place, this.#world()).map(nameInProgram);
    this.#program.set(place, { declared, name, aliases: [...aliases, ...recorded] });
  }

  /** Any channel of the service, or that of a place. */
  #channel(of: number | Place) {
    const channels = this.service.channels();
    if (typeof of === "number") return at(channels, of);
    const [record] = recordsAt(of, this.#world());
    return channels.find(({ id }) => id === record?.id);
  }

  #takeOver({ do: how, place, channel: of, isUpper }: Step & { do: "adopt" | "refer to" }): void {
    const channel = this.#channel(of);
    if (channel === undefined) return;

    const { domainId } = channel;
    const id = isUpper ? channel.id.toUpperCase() : channel.id;
    const { name = 0, aliases = [] } = this.#program.get(place) ?? {};
    if (how === "refer to") {
      const declared: Reference = { kind: "reference", id, domainId };
      return void this.#program.set(place, { declared, name, aliases });
    }

    const declared: DeclaredChannel = {
      kind: "channel",
      domain: "seeded",
      type: channel.type === "slack" ? "slack" : "email",
      label: 0,
      value: 0,
      lifecycle: "managed",
      isCommon: false,
    };

    this.#program.set(place, { declared, name, aliases, adopt: id, domainId });
  }

  #rename(place: Place, how: Renamed): void {
    const declaration = this.#program.get(place);
    if (declaration === undefined) return;

    const { name, declared } = declaration;
    declaration.name += 1;
    if (how === "by alias") declaration.aliases.push(`${place}-${name}`);
    else declaration.aliases = [];

    const [record] = recordsAt(place, this.#world());
    // A domain is taken over by its name.
    if (how !== "by adopt" || record === undefined || declared.kind !== "channel") return;

    declaration.declared = { ...declared, lifecycle: "managed" };
    declaration.adopt = record.id;
  }

  #handOver(place: Place): void {
    delete this.#program.get(place)?.adopt;
  }

  #declareAll(): void {
    const domains = new Map<string, Domain>();
    const entries = [...this.#program].map(([place, entry]) => {
      const aliases = entry.aliases.map((name) => ({ name }));
      return { place, ...entry, name: `${place}-${entry.name}`, opts: { aliases } };
    });

    for (const { place, name, declared, opts } of entries) {
      if (declared.kind !== "domain") continue;
      const domain = { domain: nameOf(place, declared), label: labelOf(place, declared) };
      domains.set(place, new Domain(name, domain, opts));
    }

    for (const { name, declared, opts } of entries) {
      if (declared.kind !== "reference") continue;
      const { id, domainId } = declared;
      NotificationChannel.get(name, id, { domainId, lifecycle: "managed" }, opts);
    }

    for (const { place, name, declared, opts, adopt, domainId } of entries) {
      if (declared.kind !== "channel") continue;

      const { type, lifecycle } = declared;
      const label = labelOf(place, declared);
      const args = { label, value: destinationOf(place, declared), type, lifecycle, adopt };
      const onDomain = { domainId: domainId ?? domains.get(declared.domain)?.id ?? SEEDED };
      if (place !== "a0") new NotificationChannel(name, { ...args, ...onDomain }, opts);
      else new DomainAlerts(name, { ...onDomain, channels: { ops: args } }, opts);
    }
  }

  /** The resources that the program wants, as far as the state tells their domains. */
  #wanted(command: Operation["command"], before: World, narrowed: Narrowed): Map<string, Wanted> {
    const world = this.#world();
    const wanted = new Map<string, Wanted>();
    if (command === "destroy") return wanted;

    for (const [place, declaration] of this.#program) {
      const { declared, domainId } = declaration;
      const adopt = declaration.adopt?.toLowerCase();
      if (declared.kind === "reference") continue;

      const isTarget = [undefined, "program", place].includes(narrowed.target);
      const fate = {
        isTargeted: isTarget && place !== narrowed.exclude,
        isRenewed: isRenewed(place, declaration, before, narrowed),
      };

      if (declared.kind === "domain") {
        wanted.set(place, { kind: "domain", title: nameOf(place, declared), ...fate });
        continue;
      }

      const { kind, type, lifecycle, domain } = declared;
      const isOfStack = domain !== "seeded" && this.#program.has(domain);
      const onDomain = isOfStack ? recordsAt(domain, world)[0]?.id : SEEDED;
      wanted.set(place, {
        kind,
        type,
        lifecycle,
        title: labelOf(place, declared),
        value: destinationOf(place, declared),
        adopt,
        domainId: domainId ?? onDomain,
        ...fate,
      });
    }

    return wanted;
  }

  // Around the stack.

  #useToken(token: string): void {
    this.#token = token;
    process.env.DOMAIN_MONITORING_API_TOKEN = token;
  }

  #useAddress(host: (typeof HOSTS)[number]): void {
    this.#host = host;
    process.env.DOMAIN_MONITORING_BASE_URL = this.#addressOf(host);
  }

  #addressOf(host: string): string {
    return this.service.url.replace(HOSTS[0], host);
  }

  /** Consents to records of the other address. */
  #consent(given: boolean): void {
    const { config } = this.#options;
    const other = HOSTS.find((host) => host !== this.#host) ?? "";
    if (given) config[MOVED_FROM] = this.#addressOf(other);
    else delete config[MOVED_FROM];
  }

  #abandon(advised: boolean): void {
    const { config } = this.#options;
    const advice = /pulumi config set domain-monitoring:abandon ([^\s`]+)/g;
    const commands = [...this.#lastOutput.matchAll(advice)];
    const lists = commands.map(([, ids = ""]) => ids.replace(/["']/g, ""));
    const [longest] = lists.sort((one, other) => other.length - one.length);
    if (!advised) delete config[ABANDON];
    else if (longest !== undefined) config[ABANDON] = longest;
  }

  #respondWith(object: number | Place): void {
    if (this.#token !== this.service.token) return;

    const channel = this.#channel(object);
    const [record] = typeof object === "number" ? [] : recordsAt(object, this.#world());
    const domain = this.service.domains().find((one) => one.id === record?.id);
    if (channel) {
      const { id, label, type, createdAt: created_at } = channel;
      const data = wire.channel({ id, label, type, created_at });
      this.service.fault({ operation: "createNotificationChannel", status: 201, body: { data } });
    } else if (domain) {
      const { id } = domain;
      const data = [wire.domain({ id, domain: domain.domain, label: domain.label })];
      this.service.fault({ operation: "createDomain", status: 201, body: { data } });
    }

    this.#isAnsweredOtherwise = true;
  }

  #byHand({ what, of, index }: Step & { do: "by hand" }): void {
    const { service } = this;
    const domain = at(service.domains(), index);
    const channel = at(service.channels(), index);
    const place = index % 2 === 0 ? "0" : "1";
    if (what === "create" && of === "domain") service.addDomain({ domain: `d${place}.example` });
    else if (what === "create" && domain)
      service.addChannel(domain.id, { label: `Channel c${place} 0` });
    else if (of === "domain" && domain)
      what === "delete"
        ? service.removeDomain(domain.id)
        : service.updateDomain(domain.id, { label: "By hand" });
    else if (of === "channel" && channel)
      what === "delete"
        ? service.removeChannel(channel.id)
        : service.updateChannel(channel.id, { label: "By hand" });
  }

  #world(): World {
    const tokens = [this.service.token, OTHER_TOKEN];
    const domainsOf = (account: string) =>
      this.service
        .account(account)
        .domains()
        .map((domain) => ({ ...domain, account }));

    return {
      state: this.#state,
      references: this.#references,
      domains: tokens.flatMap(domainsOf),
      channels: tokens.flatMap((token) => this.service.account(token).channels()),
    };
  }

  // Operations.

  async #command({ command, narrowed }: Step & { do: "run" }): Promise<void> {
    if (command !== "up --refresh") return void (await this.#operate(command, narrowed));
    if ((await this.#operate("refresh")).failed) return;

    const operation = await this.#operate("up");
    const isAsDeclared = !operation.failed && !operation.isAnsweredOtherwise;
    if (isAsDeclared) this.#hold(disagreements(operation));
  }

  /**
   * Runs a command and checks the promises. If an update succeeds and has done something, a second
   * one must do nothing.
   */
  async #operate(command: Operation["command"], narrowed: Narrowed = {}): Promise<Operation> {
    const operation = await this.#run(command, narrowed);
    const hasChanged = operation.steps.some((step) => !["same", "read"].includes(step.operation));
    if (command !== "up" || operation.failed || !hasChanged) return operation;

    this.#heal();
    const { replace: _done, ...still } = narrowed;
    const again = await this.#run("up", still, true);
    // The service may have given the channel of one resource to another one, which is to be mended.
    const isRefused = again.output.includes("remove one of the two");
    if (again.failed && !isRefused) this.#hold([`a second update does something: ${again.output}`]);

    return operation;
  }

  async #run(
    command: Operation["command"],
    narrowed: Narrowed = {},
    expectNoChanges = false,
  ): Promise<Operation> {
    const before = this.#world();
    const first = this.service.requests.length;
    this.#providers.isKilled = false;
    if (command === "up") this.#recordedConfig = { ...this.#options.config };
    const config = command === "preview" ? this.#options.config : this.#recordedConfig;
    const options = { ...this.#optionsOf(narrowed), expectNoChanges };
    const { result, failed } = await outcomeOf(this.#stack[command](options));
    this.#references = result.resources.filter(isReference);
    this.#state = result.resources.filter((record) => !isReference(record));
    this.#lastOutput = result.diagnostics.map(({ message }) => message).join("\n");

    const operation: Operation = {
      command,
      failed,
      isKilled: this.#providers.isKilled,
      isAnsweredOtherwise: this.#isAnsweredOtherwise,
      before,
      after: this.#world(),
      account: this.#token,
      output: this.#lastOutput,
      requests: this.service.requests.slice(first),
      steps: result.steps,
      wanted: this.#wanted(command, before, narrowed),
      referred: this.#referred(command),
      excluded: new Set(options.exclude),
      isElsewhere: this.#isElsewhere(config[MOVED_FROM]),
      owned: this.#owned,
      leftOver: this.#leftOver,
      values: this.#values,
      abandoned: new Set(config[ABANDON]?.split(",")),
    };

    this.#tell(operation, result.diagnostics);
    this.#hold(brokenPromises(operation));
    this.#remember(operation);

    return operation;
  }

  #referred(command: Operation["command"]): Set<string> {
    const declared = command === "destroy" ? [] : [...this.#program.values()];
    return new Set(
      declared.flatMap(({ declared: one }) =>
        one.kind === "reference" ? one.id.toLowerCase() : [],
      ),
    );
  }

  /** Whether a managed channel was recorded at an address that is neither this nor the earlier one. */
  #isElsewhere(movedFrom: string | undefined): (record: StackResource) => boolean {
    const known = [this.#addressOf(this.#host), movedFrom].map(digestOf);

    return ({ outputs: { addressDigest } }) =>
      addressDigest !== undefined && !known.includes(String(addressDigest));
  }

  /** The options with the URNs of the resources at the places. */
  #optionsOf({ target, exclude, replace, continueOnError }: Narrowed): UpdateOptions {
    const urnsAt = (place: Place) => urnsOf(place, this.#program.get(place)?.name ?? 0);
    const places = target === "program" ? [...this.#program.keys()] : target && [target];

    return {
      continueOnError,
      target: places?.flatMap(urnsAt),
      exclude: exclude && urnsAt(exclude),
      replace: replace && urnsAt(replace),
    };
  }

  /** Records who owns each object, and which destinations are recorded. */
  #remember(operation: Operation): void {
    const { command, before, after, failed, wanted } = operation;
    this.#leftOver = leftOverAfter(operation);
    const had = idsOf([...before.channels, ...before.domains]);
    for (const record of after.state) {
      const { id = "", urn } = record;
      const was = before.state.find((old) => old.id === id && old.urn === urn);
      const isHandedOver = command === "up" && (was?.outputs.adopt ?? false) !== false;
      // A create-only create cannot know that a channel was there before.
      const isUnknown = was === undefined && record.outputs.lifecycle !== "managed";
      if (!isAdopted(record) && (isHandedOver || isUnknown || !had.has(id))) this.#owned.add(id);
    }

    if (command !== "up") return;

    for (const [place, { value, isTargeted }] of wanted) {
      const [record] = recordsAt(place, after);
      if (record === undefined || !isTargeted) continue;

      const key = keyOf(record);
      const isNew = !recordsAt(place, before).some((old) => keyOf(old) === key);
      if (!failed || isNew) this.#values.set(key, value);
      else if (this.#values.get(key) !== value) this.#values.delete(key);
    }
  }

  /** With a healthy service, the commands in the messages repair everything. */
  async #end(): Promise<void> {
    this.#story.push("at the end, with the account's token");
    this.#heal();
    this.#useToken(this.service.token);
    this.#abandon(false);
    this.#useAddress(HOSTS[0]);
    this.#consent(true);
    for (const command of ["refresh", "destroy"] as const) {
      let operation = await this.#run(command);
      for (let attempt = 0; operation.failed && attempt < 4; attempt++) {
        this.#abandon(true);
        // Replaces `--run-program`, which the offline engine lacks, by an update that creates
        // nothing.
        for (const place of this.#program.keys())
          if (recordsAt(place, this.#world()).length === 0) this.#program.delete(place);

        await this.#run("up");
        operation = await this.#run(command);
      }

      if (operation.failed) this.#hold([`${command} fails for good`]);
    }

    if (this.#state.length > 0) this.#hold(["something is left in the state"]);
  }

  /** Removes the failures that are still to come. */
  #heal(): void {
    this.service.clearFaults();
    this.#isAnsweredOtherwise = false;
    this.#providers.kill = undefined;
  }

  #hold(broken: readonly string[]): void {
    if (broken.length === 0) return;
    throw new Error([...broken.map((promise) => `BROKEN: ${promise}`), ...this.#story].join("\n"));
  }

  #tell({ command, failed, isKilled, after }: Operation, diagnostics: readonly Diagnostic[]): void {
    const said = diagnostics.map(
      ({ severity, message }) => `    ${severity}: ${message.slice(0, 400)}`,
    );
    const state = after.state.map(({ name, id }) => `${name}=${id?.slice(0, 8)}`);
    const objects = [...after.domains, ...after.channels];
    const there = objects.map(({ id, label }) => `${label}=${id.slice(0, 8)}`);
    const how = isKilled ? "killed" : failed ? "failed" : "done";
    this.#story.push(
      `  ${command} ${how}`,
      ...said,
      `    state: ${state}`,
      `    service: ${there}`,
    );
  }
}

async function outcomeOf(operation: Promise<StackResult>) {
  try {
    return { result: await operation, failed: false };
  } catch (error) {
    if (!(error instanceof StackError)) throw error;
    return { result: error.result, failed: true };
  }
}

/** The old halves of replacements that are still to be deleted. */
function leftOverAfter({ before, after, steps, leftOver }: Operation): Set<string> {
  const found = after.state.filter((record) => {
    const key = urnKeyOf(record);
    const [current] = recordsAt(placeOf(record), after);
    const isReferred = after.references.some((one) => placeOf(one) === placeOf(record));
    if (record !== current || isReferred) return true;

    // The current half may be gone, and this one not.
    const isSame = before.state.filter((old) => urnKeyOf(old) === key).length === 1;
    const isCreated = steps.some(
      ({ operation, urn }) => urn === record.urn && operation.startsWith("create"),
    );

    return leftOver.has(key) && isSame && !isCreated;
  });

  return new Set(found.map(urnKeyOf));
}

/** Whether a resource only refers to a channel, whose destination it does not even declare. */
function isReference({ type, outputs }: StackResource): boolean {
  return type === CHANNEL_TOKEN && outputs.value === undefined;
}

/** An address as it is recorded. */
function digestOf(address: string | undefined): string {
  return hash("sha256", address ?? "").slice(0, 12);
}

function at<T>(items: readonly T[], index: number): T | undefined {
  return items[index % items.length];
}

function nameOf(place: string, { name }: DeclaredDomain): string {
  return name === 0 ? `${place}.example` : `www.${place}.example`;
}

/** Whether a place gets another object than the one that is recorded; undefined if it adopts one. */
function isRenewed(
  place: Place,
  { name, aliases, adopt, declared }: Declaration,
  before: World,
  narrowed: Narrowed,
): boolean | undefined {
  const [record] = recordsAt(place, before);
  const names = [`${place}-${name}`, ...aliases];
  const isKnown = record === undefined || names.includes(nameInProgram(record));
  if (isKnown && narrowed.replace !== place) return false;
  if (narrowed.exclude === place) return false;

  // A domain takes over what the account has of its name.
  const adopts = adopt !== undefined || declared.kind === "domain";

  return adopts ? undefined : true;
}

/** Of a channel in a component without the channel's own part. */
function nameInProgram({ name }: StackResource): string {
  return name.split("-", 2).join("-");
}

/** The URNs of the resources at a place. */
function urnsOf(place: Place, number: number): string[] {
  const urn = (type: string, name: string) => `urn:pulumi:test::test::${type}::${name}`;
  const name = `${place}-${number}`;
  if (place.startsWith("d")) return [urn(DOMAIN_TOKEN, name)];
  if (place !== "a0") return [urn(CHANNEL_TOKEN, name)];

  return [urn(ALERTS_TOKEN, name), urn(`${ALERTS_TOKEN}$${CHANNEL_TOKEN}`, `${name}-ops`)];
}

function labelOf(place: string, declared: DeclaredChannel | DeclaredDomain): string {
  const { kind, label } = declared;
  if (kind === "domain") return `Domain ${place} ${label}`;
  return `Channel ${declared.isCommon ? "common" : place} ${label}`;
}

function destinationOf(place: string, { type, value, isCommon }: DeclaredChannel): string | null {
  if (value === null) return null;
  const name = `secret-${isCommon ? "common" : place}-${value}`;
  return type === "email" ? `${name}@example.com` : `https://hooks.example.com/${name}`;
}
