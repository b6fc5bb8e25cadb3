/** The steps of a random life, and their descriptions. */
import type {
  EmulatorOperation,
  FaultRule,
} from "../../../packages/domain-monitoring-emulator/src";
import type { Kill } from "../../support/own-providers";
import { fc } from "../../support/properties";
import { isQuick } from "../../support/scope";

/** Places in the program. A place has one resource at a time, under changing names. */
const CHANNELS = ["c0", "c1", "c2"] as const;
const DOMAINS = ["d0", "d1"] as const;
const PLACES = [...CHANNELS, ...DOMAINS, "a0"] as const;
export type Place = (typeof PLACES)[number];

/** Hosts of the service's addresses. */
export const HOSTS = ["127.0.0.1", "localhost"] as const;

interface Declare {
  do: "declare";
  place: Place;
  declared: DeclaredChannel | DeclaredDomain;
}

/** A channel on its own, or in the component `a0`. */
export interface DeclaredChannel {
  kind: "channel";

  /** A domain that is older than the stack, or the place of a `Domain`. */
  domain: "seeded" | (typeof DOMAINS)[number];
  type: "email" | "slack";

  /** Selects one of two labels, and one of two destinations. Null means no destination. */
  label: number;
  value: number | null;
  lifecycle: "create-only" | "managed";

  /** Whether label and destination are those that each place may declare. */
  isCommon: boolean;
}

export interface DeclaredDomain {
  kind: "domain";

  /** Selects one of two names, which are variants of each other, and one of two labels. */
  name: number;
  label: number;
}

const COMMANDS = ["preview", "up", "refresh", "up --refresh", "destroy"] as const;

/** Options of an update or its preview; `program` targets all that the program declares. */
export interface Narrowed {
  target?: Place | "program";
  exclude?: Place;
  replace?: Place;
  continueOnError?: boolean;
}

/** What becomes of the object of a resource under its new name. */
const RENAMES = ["by alias", "by adopt", "to another"] as const;
export type Renamed = (typeof RENAMES)[number];

/** Any channel of the service, or that of a place; its id may be given in upper case. */
interface Chosen {
  channel: number | Place;
  isUpper: boolean;
}

export type Step =
  | Declare
  | ({ do: "adopt"; place: (typeof CHANNELS)[number] } & Chosen)
  /** Refers to the channel in place of what is declared. */
  | ({ do: "refer to"; place: (typeof CHANNELS)[number] } & Chosen)
  | { do: "hand over" | "remove"; place: Place }
  | { do: "rename"; place: Place; how: Renamed }
  /** The service responds to the next create with the object that a place has, or any channel. */
  | { do: "respond with"; object: number | Place }
  | { do: "run"; command: (typeof COMMANDS)[number]; narrowed?: Narrowed }
  /** Follows the last output's advice about objects that cannot be deleted, or undoes that. */
  | { do: "abandon"; advised: boolean }
  | { do: "use the token"; of: "the account" | "another account" }
  /** Reaches the same service at another address. */
  | { do: "use the address"; host: (typeof HOSTS)[number] }
  /** Consents to the address having changed, or takes the consent back. */
  | { do: "consent"; given: boolean }
  | {
      do: "by hand";
      what: "delete" | "relabel" | "create";
      of: "channel" | "domain";
      index: number;
    }
  | { do: "fail"; rule: FaultRule }
  | { do: "kill"; kill: Kill };

const bit = fc.integer({ min: 0, max: 1 });
const few = fc.nat(5);
const place = fc.constantFrom(...PLACES);

const channel: fc.Arbitrary<DeclaredChannel> = fc.record({
  kind: fc.constant("channel" as const),
  domain: fc.constantFrom("seeded", ...DOMAINS),
  type: fc.constantFrom("email", "slack"),
  label: bit,
  value: fc.option(bit, { freq: 4 }),
  lifecycle: fc.constantFrom("managed", "managed", "create-only"),
  isCommon: fc.constantFrom(false, false, false, true),
});

/** A channel that a step takes for a place. */
const chosen = {
  place: fc.constantFrom(...CHANNELS),
  channel: fc.oneof(few, fc.constantFrom(...CHANNELS)),
  isUpper: fc.boolean(),
};

const domain: fc.Arbitrary<DeclaredDomain> = fc.record({
  kind: fc.constant("domain" as const),
  name: bit,
  label: bit,
});

const FAILING: EmulatorOperation[] = [
  "createNotificationChannel",
  "createNotificationChannel",
  "updateNotificationChannel",
  "deleteNotificationChannel",
  "createDomain",
  "updateDomain",
  "getDomain",
  "listDomains",
  "getNotificationChannel",
  "listNotificationChannels",
];

/** Failures before and after the work. */
const EFFECTS: FaultRule[] = [
  { status: 500 },
  { status: 429, headers: { "Retry-After": "0" } },
  { status: 403 },
  { status: 404 },
  { status: 422 },
  { status: 200, body: "<html>Log in</html>" },
  { reset: "before" },
  { reset: "after" },
  { reset: "headers" },
  { reset: "body" },
  { garbage: true },
  { truncate: 30 },
];

const rule = fc
  .record({
    operation: fc.constantFrom(...FAILING),
    effect: fc.constantFrom(...EFFECTS),
    times: fc.integer({ min: 1, max: 2 }),
    after: fc.constantFrom(0, 0, 1),
  })
  .map(({ effect, ...which }) => ({ ...which, ...effect }));

const kill = fc.record({
  write: fc.integer({ min: 1, max: 3 }),
  at: fc.constantFrom("before", "after"),
});

function step<Do extends Step["do"], Fields>(
  does: Do,
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) {
  return fc.record(fields).map((rest) => ({ do: does, ...rest }));
}

const declare: fc.Arbitrary<Declare> = fc.oneof(
  step("declare", { place: fc.constantFrom(...CHANNELS, "a0"), declared: channel }),
  step("declare", { place: fc.constantFrom(...DOMAINS), declared: domain }),
);

const change = fc.oneof(
  { weight: 8, arbitrary: declare },
  { weight: 2, arbitrary: step("remove", { place }) },
  { weight: 4, arbitrary: step("rename", { place, how: fc.constantFrom(...RENAMES) }) },
  { weight: 2, arbitrary: step("adopt", chosen) },
  { weight: 2, arbitrary: step("refer to", chosen) },
  { weight: 1, arbitrary: step("hand over", { place }) },
);

const byHand = step("by hand", {
  what: fc.constantFrom("delete", "relabel", "create"),
  of: fc.constantFrom("channel", "channel", "domain"),
  index: few,
});

const account = fc.constantFrom("the account", "another account");

const event = fc.oneof(
  { weight: 4, arbitrary: step("fail", { rule }) },
  { weight: 2, arbitrary: step("kill", { kill }) },
  { weight: 3, arbitrary: byHand },
  { weight: 1, arbitrary: step("use the token", { of: account }) },
  { weight: 1, arbitrary: step("abandon", { advised: fc.boolean() }) },
  { weight: 3, arbitrary: step("respond with", { object: fc.oneof(few, place) }) },
  { weight: 1, arbitrary: step("use the address", { host: fc.constantFrom(...HOSTS) }) },
  { weight: 1, arbitrary: step("consent", { given: fc.boolean() }) },
);

const others = { replace: place, continueOnError: fc.constant(true as const) };
const target = fc.constantFrom("program" as const, "program" as const, ...PLACES);

/** The engine takes only one of `target` and `exclude`. */
const narrowed: fc.Arbitrary<Narrowed> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ target, ...others }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.record({ exclude: place, ...others }, { requiredKeys: [] }) },
);

const anyCommand = fc.constantFrom(...COMMANDS, "up", "up", "up --refresh");
const narrowable = fc.constantFrom("preview", "up", "up");

const run = fc.oneof(
  { weight: 2, arbitrary: step("run", { command: anyCommand }) },
  { weight: 1, arbitrary: step("run", { command: narrowable, narrowed }) },
);

function up(narrowed?: Narrowed): Step {
  return { do: "run", command: "up", narrowed };
}

/** Other inputs that need another object. */
function replaced(declared: DeclaredChannel | DeclaredDomain): DeclaredChannel | DeclaredDomain {
  if (declared.kind === "domain") return { ...declared, name: 1 - declared.name };
  return { ...declared, type: declared.type === "email" ? "slack" : "email" };
}

/** Ways in which two resources get one object, or nearly, which other steps seldom do. */
const SHARING: ((at: Place, declared: Declare["declared"], rule: FaultRule) => Step[])[] = [
  (place, declared) => [
    { do: "respond with", object: place },
    { do: "declare", place, declared: replaced(declared) },
    up(),
  ],
  (place) => [{ do: "respond with", object: place }, up({ replace: place })],
  (place) => [
    { do: "respond with", object: place },
    { do: "rename", place, how: "to another" },
    up(),
  ],
  (place, _declared, rule) => [
    { do: "rename", place, how: "by adopt" },
    { do: "fail", rule },
    up({ continueOnError: true }),
  ],
  (place) => [
    { do: "rename", place, how: "by adopt" },
    up({ target: "program" }),
    { do: "hand over", place },
    up({ target: "program" }),
    up(),
  ],
  (place) => [
    { do: "adopt", place: "c2", channel: place, isUpper: false },
    up({ target: "c2" }),
    { do: "hand over", place: "c2" },
    up(),
    { do: "remove", place },
    up(),
  ],
  (_place, declared) => [
    { do: "declare", place: "c1", declared },
    up(),
    { do: "refer to", place: "c1", channel: "c1", isUpper: true },
    up(),
  ],
  (place, declared) => [
    { do: "refer to", place: "c1", channel: place, isUpper: true },
    up(),
    { do: "declare", place: "c1", declared },
    up(),
  ],
  (place, declared) => [
    { do: "respond with", object: place },
    { do: "declare", place: "c1", declared },
    up(),
    { do: "remove", place: "c1" },
    up(),
  ],
];

/** Ways to meet what was recorded at another address. */
const MOVING: Step[][] = [
  [{ do: "run", command: "up --refresh" }],
  [{ do: "run", command: "destroy" }],
  [{ do: "consent", given: true }, up(), { do: "run", command: "refresh" }],
];

const moving = fc
  .record({ first: declare, meeting: fc.constantFrom(...MOVING) })
  .map(({ first, meeting }): Step[] => [
    { do: "use the address", host: "127.0.0.1" },
    first,
    up(),
    { do: "use the address", host: "localhost" },
    ...meeting,
  ]);

/** Failures of the requests by which an object is taken over. */
const takeoverFails = fc
  .record({
    operation: fc.constantFrom<EmulatorOperation>(
      "getNotificationChannel",
      "updateNotificationChannel",
      "listDomains",
      "updateDomain",
    ),
    effect: fc.constantFrom(...EFFECTS),
  })
  .map(({ effect, operation }) => ({ operation, times: 2, ...effect }));

const sharing = fc
  .record({ first: declare, rule: takeoverFails, share: fc.constantFrom(...SHARING) })
  .map(({ first, rule, share }): Step[] => [
    first,
    up(),
    ...share(first.place, first.declared, rule),
  ]);

/**
 * A life: changes of the program, perhaps an event, and a command, repeatedly. Some chapters lead to
 * two resources with one object, or to another address.
 */
export const life = fc
  .array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc
          .tuple(
            fc.array(change, { maxLength: 3 }),
            fc.array(event, { maxLength: 2 }),
            fc.array(run, { minLength: 1, maxLength: 1 }),
          )
          .map((parts): Step[] => parts.flat() as Step[]),
      },
      { weight: 1, arbitrary: sharing },
      { weight: 1, arbitrary: moving },
    ),
    { minLength: 1, maxLength: isQuick ? 4 : 8 },
  )
  .map((chapters) => chapters.flat());

/** A step in one line. */
export function describeStep({ do: does, ...rest }: Step): string {
  return `${does} ${JSON.stringify(rest)}`;
}
