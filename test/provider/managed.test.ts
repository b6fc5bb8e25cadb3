/**
 * Races and failures of managed channels: what a provider does and what is recorded afterwards, counted at the service.
 * The engines' part is in test/e2e.
 */
import { UNKNOWN } from "../../src/common/markers";
import type { Properties } from "../../src/provider/boundary";
import {
  type Emulator,
  type EmulatorOptions,
  type FaultRule,
  startEmulator,
} from "../../src/testing/emulator";
import { failureOf } from "../support/failure";
import { ChannelStack } from "./support/channel-stack";
import { DOMAIN, EMAIL, emailChannel, WEBHOOK_URL, webhookChannel } from "./support/channels";

const OTHER_DOMAIN = "22222222-2222-4222-8222-222222222222";
const OTHER_EMAIL = "rotated-secret@example.com";
const rotated = { ...emailChannel, value: OTHER_EMAIL };
const renamed = { ...emailChannel, label: "Registrar desk" };

let managed: Emulator;
/** The service of a test: the managed one unless it starts another. */
let service: Emulator;
let counted: number;
const stacks: ChannelStack[] = [];

beforeAll(async () => {
  managed = await startEmulator({ lifecycle: "managed" });
});
afterAll(() => managed.close());
// Without back-off.
beforeEach(() => jest.spyOn(Math, "random").mockReturnValue(0));
beforeEach(() => {
  managed.reset();
  service = managed;
  counted = 0;
});
afterEach(async () => {
  jest.restoreAllMocks();
  if (service !== managed) await service.close();
  // Whatever a test was about, nobody is told a destination.
  const told = stacks.splice(0).flatMap((stack) => stack.told);
  for (const secret of [EMAIL, OTHER_EMAIL, WEBHOOK_URL]) expect(told.join("\n")).not.toContain(secret);
});

async function start(options: EmulatorOptions): Promise<void> {
  service = await startEmulator(options);
  counted = 0;
}

function stackOf(settings: Record<string, string> = {}): ChannelStack {
  const account = { baseUrl: service.url, apiToken: service.token };
  const stack = new ChannelStack({ ...account, maxRetries: "0", lifecycle: "managed", ...settings });
  stacks.push(stack);
  return stack;
}

/** A stack with one channel, whose requests are not counted. */
async function deployed(
  declared: Properties = emailChannel,
  settings: Record<string, string> = {},
): Promise<ChannelStack> {
  const stack = stackOf(settings);
  await stack.up(declared);
  asked();
  return stack;
}

/** Operations of the requests since the last call: `list`, `get`, `create`, `update`, `delete`. */
function asked(): string[] {
  const names = service.requests.map(({ operation, method }) =>
    operation === null ? method : operation.replace(/NotificationChannels?$/, ""),
  );
  const since = names.slice(counted);
  counted = names.length;
  return since;
}

function fault(operation: "list" | "get" | "create" | "update" | "delete", rule: FaultRule): void {
  const name = `${operation}NotificationChannel${operation === "list" ? "s" : ""}` as const;
  service.fault({ operation: name as FaultRule["operation"], ...rule });
}

/** The message of a failed call. */
const failure = async (call: Promise<unknown>) => (await failureOf(call)).message;

const always = { times: "always" } as const;
const SETTING = /lifecycle "managed" \(.*stack config domain-monitoring:lifecycle\).*set it to "create-only"/;

/** Answers after which an update may have been carried out. */
const UNCLEAR: [string, FaultRule, Record<string, string>][] = [
  ["answers 408", { status: 408 }, {}],
  ["answers 500", { status: 500 }, {}],
  ["answers 502", { status: 502 }, {}],
  ["breaks the connection before the work", { reset: "before" }, {}],
  ["breaks the connection after the work", { reset: "after" }, {}],
  ["breaks the connection in the headers", { reset: "headers" }, {}],
  ["breaks the connection in the body", { reset: "body" }, {}],
  ["does the work and answers too late", { stall: "after" }, { timeoutSeconds: "0.3" }],
];

/** Those of them that come soon enough for a second request. */
const repeatable = UNCLEAR.slice(0, -1).map(([name, rule]): [string, FaultRule] => [name, rule]);

describe("an update", () => {
  test.each<[string, FaultRule]>([["answers 429", { status: 429 }], ...repeatable])(
    "is repeated if the service %s, and leaves no trace of that",
    async (_case, rule) => {
      const stack = await deployed(emailChannel, { maxRetries: "1" });
      fault("update", rule);
      await stack.up(rotated);
      expect(asked()).toEqual(["update", "update"]);
      expect(service.channels()).toMatchObject([{ id: stack.recorded?.id, value: OTHER_EMAIL }]);
      expect(stack.recorded?.outputs).not.toHaveProperty("unconfirmed");
      expect(stack.told).toEqual([
        expect.stringMatching(/id \S+\): the destination is to be changed \(value\)$/),
      ]);
    },
  );

  // Of such an answer it is not known what it says, so the channel is not read in its place.
  const unreadable = { headers: { "X-Long": "x".repeat(100_000) } };

  test.each([...UNCLEAR, ["answers with too long a header", unreadable, {}] as const])(
    "of the destination is sent again, reverted or not, if the service %s",
    async (_case, rule, settings) => {
      const stack = await deployed(emailChannel, settings);
      const before = stack.recorded;
      fault("update", { ...rule, ...always });
      expect(await failure(stack.up(rotated))).toMatch(
        /^Notification channel "Registrar mailbox" .* may or may not be updated: PATCH .*\. The next `pulumi up` sends value again$/,
      );
      // The names, and nothing that could be guessed from them.
      expect(stack.recorded).toEqual({
        ...before,
        outputs: { ...before?.outputs, unconfirmed: ["value"], __provider: undefined },
        isUnfinished: true,
      });
      service.clearFaults();
      asked();

      await stack.up(emailChannel);
      expect(stack.steps).toEqual(["update"]);
      expect(asked()).toEqual(["update"]);
      expect(service.channels()).toMatchObject([{ id: before?.id, value: EMAIL }]);
      expect(stack.recorded?.outputs).toEqual(before?.outputs);
      expect(await stack.preview(emailChannel)).toMatchObject({ changes: false });
    },
  );

  test("that was lost is not forgotten by a refresh, nor by a time as create-only", async () => {
    const stack = await deployed();
    fault("update", { reset: "after" });
    await failure(stack.up(rotated));
    await stack.refresh();
    expect(stack.steps).toEqual(["drift"]);
    expect(stack.recorded).toMatchObject({ isUnfinished: false, outputs: { unconfirmed: ["value"] } });

    asked();
    await stack.up({ ...emailChannel, lifecycle: "create-only" });
    expect(stack.steps).toEqual(["update"]);
    expect(await stack.preview({ ...emailChannel, lifecycle: "create-only" })).toMatchObject({
      changes: false,
    });
    expect(asked()).toEqual([]);
    await stack.up(emailChannel);
    expect(asked()).toEqual(["get", "update"]);
    expect(service.channels()).toMatchObject([{ value: EMAIL }]);
    expect(stack.recorded?.outputs).not.toHaveProperty("unconfirmed");
  });

  test("that was lost twice is sent with all that any of the two changed", async () => {
    const stack = await deployed();
    fault("update", { reset: "after", times: 2 });
    await failure(stack.up(renamed));
    expect(await failure(stack.up({ ...rotated, dnsNotificationsEnabled: false }))).toMatch(
      /The next `pulumi up` sends label, value, dnsNotificationsEnabled again$/,
    );
    expect(stack.recorded?.outputs.unconfirmed).toEqual(["label", "value", "dnsNotificationsEnabled"]);
    await stack.up(emailChannel);
    const { label, value } = emailChannel;
    expect(service.channels()).toMatchObject([{ label, value, dnsNotificationsEnabled: true }]);
  });

  test.each([
    ["secondaryValue", webhookChannel, { ...webhookChannel, secondaryValue: undefined }],
    ["value", rotated, { ...rotated, value: null }],
  ])(
    "that may have set %s is undone by another channel, as null cannot be sent",
    async (name, set, unset) => {
      const stack = await deployed(unset);
      const id = stack.recorded?.id;
      fault("update", { reset: "after" });
      await failure(stack.up(set));
      expect(stack.recorded?.outputs.unconfirmed).toEqual([name]);
      await stack.up(unset);
      expect(stack.steps).toEqual(["replace"]);
      expect(service.channels()).toMatchObject([{ id: stack.recorded?.id, [name]: null }]);
      expect(stack.recorded?.id).not.toBe(id);
    },
  );

  test.each<[string, FaultRule]>([
    ["is not text", { garbage: true }],
    ["is cut", { truncate: 20 }],
    ["is JSON of another shape", { status: 200, body: { data: { id: 7 } } }],
  ])("with an answer of success that %s is completed by one read", async (_case, rule) => {
    const stack = await deployed();
    fault("update", rule);
    await stack.up(rotated);
    expect(asked()).toEqual(["update", "get"]);
    expect(stack.recorded).toMatchObject({ isUnfinished: false, inputs: { value: OTHER_EMAIL } });
    expect(stack.recorded?.outputs).not.toHaveProperty("unconfirmed");
    expect(stack.told).toHaveLength(1);
  });

  test("of what was recorded with its id alone reads the rest too", async () => {
    const stack = stackOf();
    const id = service.addChannel(DOMAIN, { label: "Registrar mailbox", value: EMAIL });
    fault("create", { status: 201, body: { data: { id } } });
    await failure(stack.up(emailChannel));
    asked();
    await stack.up(renamed);
    expect(asked()).toEqual(["get", "update"]);
  });

  test("that moves over and is lost is recorded as managed", async () => {
    const stack = await deployed({ ...emailChannel, lifecycle: "create-only" });
    service.updateChannel(String(stack.recorded?.id), { label: "Changed by hand" });
    fault("update", { reset: "after" });
    await failure(stack.up(emailChannel));
    expect(stack.recorded).toMatchObject({ outputs: { lifecycle: "managed", unconfirmed: ["label"] } });
  });

  test("with an answer of success that cannot be used is open if that read fails too", async () => {
    const stack = await deployed();
    fault("update", { garbage: true });
    fault("get", { status: 500 });
    expect(await failure(stack.up(rotated))).toContain("may or may not be updated");
    expect(asked()).toEqual(["update", "get"]);
    expect(stack.recorded?.outputs.unconfirmed).toEqual(["value"]);
    await stack.up(emailChannel);
    expect(service.channels()).toMatchObject([{ value: EMAIL }]);
  });

  test("of a channel that is gone says what to run, and never creates one", async () => {
    const stack = await deployed();
    const before = stack.recorded;
    service.removeChannel(String(before?.id));
    expect(await failure(stack.up(renamed))).toMatch(
      /is not updated: it is no longer in the service\. Run `pulumi refresh`, then `pulumi up`, which creates it again$/,
    );
    expect(asked()).toEqual(["update", "list"]);
    expect(stack.recorded).toEqual(before);
    await stack.refresh();
    expect(stack.steps).toEqual(["gone"]);
    await stack.up(renamed);
    expect(service.channels()).toMatchObject([{ label: "Registrar desk", value: EMAIL }]);
  });

  test("changes what was declared otherwise, and nothing of what was changed by hand meanwhile", async () => {
    const stack = await deployed();
    const id = String(stack.recorded?.id);
    await stack.refresh();
    service.updateChannel(id, {
      label: "By hand",
      sslNotificationsEnabled: false,
      value: "hand@example.com",
    });
    await stack.up({ ...emailChannel, dnsNotificationsEnabled: false });
    expect(service.channels()).toMatchObject([
      {
        label: "By hand",
        sslNotificationsEnabled: false,
        value: "hand@example.com",
        dnsNotificationsEnabled: false,
      },
    ]);
    expect(stack.told).toEqual([
      expect.stringContaining("the service answered with another label than was declared"),
      expect.stringContaining("another sslNotificationsEnabled"),
    ]);
    await stack.refresh();
    expect(stack.steps).toEqual(["drift"]);
  });

  test("reads the service if only what is not sent has changed, and mends what it finds", async () => {
    const stack = await deployed();
    await stack.up({ ...emailChannel, onOrphan: "error" });
    expect(asked()).toEqual(["get"]);
    service.updateChannel(String(stack.recorded?.id), { label: "By hand" });
    await stack.up(emailChannel);
    expect(asked()).toEqual(["get", "update"]);
    expect(service.channels()).toMatchObject([{ label: "Registrar mailbox", value: EMAIL }]);
  });
});

describe("a delete", () => {
  test.each(repeatable)(
    "is repeated if the service %s, and then done without a word",
    async (_case, rule) => {
      const stack = await deployed(emailChannel, { maxRetries: "1" });
      fault("delete", rule);
      await stack.destroy();
      expect(stack.recorded).toBeUndefined();
      expect(service.channels()).toEqual([]);
      expect(stack.told).toEqual([]);
      // A 404 to the second one has to be proven.
      const wasDone = rule.reset === "after";
      expect(asked()).toEqual(wasDone ? ["delete", "delete", "list"] : expect.arrayContaining(["delete"]));
    },
  );

  test("whose answer is lost for good stays in the state, and is done the next time", async () => {
    const stack = await deployed();
    fault("delete", { reset: "after" });
    expect(await failure(stack.destroy())).toMatch(/is not deleted: DELETE .*may have been deleted anyway/);
    expect(stack.recorded).toBeDefined();
    await stack.destroy();
    expect(stack.recorded).toBeUndefined();
    expect(asked()).toEqual(["delete", "delete", "list"]);
  });

  test("of a channel that is gone is done, with one warning", async () => {
    const stack = await deployed();
    service.removeChannel(String(stack.recorded?.id));
    await stack.destroy();
    expect(stack.recorded).toBeUndefined();
    expect(stack.told).toEqual([
      expect.stringMatching(/was no longer in the service: somebody else has removed it/),
    ]);
  });

  test.each([
    [403, "warn"],
    [500, "error"],
  ])(
    "that is refused with %d, with onOrphan %s, lets the channel go once stack config lists it",
    async (status, onOrphan) => {
      const stack = await deployed({ ...emailChannel, onOrphan });
      fault("delete", { status });
      await failure(stack.destroy());
      stack.settings.abandon = stack.recorded?.id ?? "";
      asked();
      await stack.destroy();
      expect(stack.recorded).toBeUndefined();
      expect(asked()).toEqual([]);
      expect(service.channels()).toHaveLength(1);
      expect(stack.told.at(-1)).toMatch(
        /leaves this stack, as stack config domain-monitoring:abandon lists it\. It stays in the service/,
      );
    },
  );

  test("of a channel that the service protects fails", async () => {
    const stack = await deployed();
    service.updateChannel(String(stack.recorded?.id), { isProtected: true });
    expect(await failure(stack.destroy())).toMatch(/the channel is protected/);
    expect(stack.recorded).toBeDefined();
  });

  test("with a token of the environment that is refused says nothing of those settings", async () => {
    process.env.DOMAIN_MONITORING_API_TOKEN = service.token;
    try {
      const stack = await deployed(emailChannel, { apiToken: "" });
      fault("delete", { status: 401 });
      const message = await failure(stack.destroy());
      expect(message).toContain("answered 401");
      expect(message).not.toContain("the settings of the last `pulumi up`");
    } finally {
      delete process.env.DOMAIN_MONITORING_API_TOKEN;
    }
  });
});

/** A step of each kind. */
const STEPS = {
  get: (stack: ChannelStack) => stack.refresh(),
  update: (stack: ChannelStack) => stack.up(renamed),
  delete: (stack: ChannelStack) => stack.destroy(),
};
const PARTICIPLES = { get: "read", update: "updated", delete: "deleted" };

describe("a step that the service refuses fails, leaves the record, and says what helps:", () => {
  const LAST_UP = /Refresh and destroy use the settings of the last `pulumi up`/;
  const ABANDON = /run `pulumi config set domain-monitoring:abandon \S+` and `pulumi up`/;

  test.each<[keyof typeof STEPS, number, RegExp[], RegExp[]]>([
    // Said, and not said.
    ["get", 401, [LAST_UP], []],
    ["get", 402, [], []],
    ["get", 403, [], []],
    ["get", 405, [SETTING], []],
    ["get", 500, [], []],
    ["update", 402, [], [SETTING]],
    ["update", 403, [SETTING, /lacks a permission/], []],
    ["update", 405, [SETTING, /does not have this undocumented operation/], []],
    ["update", 422, [], [SETTING]],
    ["update", 429, [], [SETTING]],
    // Advice that would leave the channel behind is not for a token, or a limit, that is refused.
    ["delete", 401, [LAST_UP], [ABANDON]],
    ["delete", 403, [ABANDON], [LAST_UP]],
    ["delete", 405, [ABANDON], []],
    ["delete", 409, [ABANDON], []],
    ["delete", 422, [ABANDON], []],
    ["delete", 429, [], [ABANDON, LAST_UP]],
    ["delete", 500, [ABANDON], []],
    ["delete", 501, [ABANDON], []],
  ])("a %s that is answered with %d", async (operation, status, said, unsaid) => {
    const stack = await deployed();
    const before = stack.recorded;
    fault(operation, { status, body: { message: `Not that of ${EMAIL}.` } });
    const message = await failure(STEPS[operation](stack));
    expect(message).toContain(`is not ${PARTICIPLES[operation]}: `);
    expect(message).toContain("The service says: Not that of [redacted].");
    for (const text of said) expect(message).toMatch(text);
    for (const text of unsaid) expect(message).not.toMatch(text);
    expect(stack.recorded).toEqual(before);
    expect(asked()).toEqual([operation]);
    await STEPS[operation](stack);
  });

  test.each(["get", "update"] as const)(
    "a %s, by field and without a destination, former or new",
    async (operation) => {
      const stack = await deployed(rotated);
      await stack.up(emailChannel);
      const body = { message: "Invalid.", errors: { value: [`${OTHER_EMAIL} is in use beside ${EMAIL}.`] } };
      fault(operation, { status: 422, body });
      expect(await failure(STEPS[operation](stack))).toContain(
        "The service says: value: [redacted] is in use beside [redacted].",
      );
    },
  );
});

describe("a 404 that proves nothing", () => {
  const ELSEWHERE =
    /answered 404, but .*Correct the base address or the token, or take it out of the state with `pulumi state delete`/;

  test.each<[string, RegExp, (stack: ChannelStack) => void]>([
    [
      "the domain's list is refused",
      /list, .* cannot be read \(GET .* answered 403/,
      () => fault("list", { status: 403, ...always }),
    ],
    [
      "the service has no such list",
      /cannot be read .* `pulumi state delete`\. lifecycle "managed"/,
      () => fault("list", { status: 405, ...always }),
    ],
    [
      "the list fails",
      /cannot be read \(GET .* answered 500/,
      () => fault("list", { status: 500, ...always }),
    ],
    [
      "the list is not JSON",
      /cannot be read \(GET .* instead of JSON/,
      () => fault("list", { garbage: true, ...always }),
    ],
    ["the list has the channel", /the domain's list still has it: try again/, () => undefined],
    ["the domain is gone", ELSEWHERE, () => service.removeDomain(DOMAIN)],
    [
      "the whole base address is wrong",
      ELSEWHERE,
      (stack) => {
        stack.settings.baseUrl = `${service.url}/v2`;
      },
    ],
  ])("drops nothing from the state if %s", async (_case, said, prepare) => {
    const stack = await deployed();
    const before = stack.recorded;
    prepare(stack);
    for (const operation of ["get", "update", "delete"] as const)
      fault(operation, { status: 404, ...always });
    for (const step of Object.values(STEPS)) {
      expect(await failure(step(stack))).toMatch(said);
      expect(stack.recorded).toEqual(before);
    }
    expect(asked()).not.toContain("create");
  });

  test("is not believed because of the letter case of an id", async () => {
    const stack = await deployed();
    const { id } = stack.recorded ?? { id: "" };
    if (stack.recorded) stack.recorded.id = id.toUpperCase();
    expect(await failure(stack.refresh())).toContain("still has it");
    expect(await stack.preview({ ...emailChannel, adopt: id })).toMatchObject({ replaces: [] });
  });
});

describe("a replacement", () => {
  test("leaves one channel, whatever onOrphan says", async () => {
    const stack = await deployed({ ...emailChannel, onOrphan: "error" });
    await stack.up({ ...webhookChannel, onOrphan: "error" });
    expect(asked()).toEqual(["list", "create", "delete"]);
    expect(service.channels()).toMatchObject([{ id: stack.recorded?.id, type: "webhook" }]);
    expect(stack.told).toEqual([
      expect.stringMatching(/id \S+\): the destination is to be changed \(value, secondaryValue\)$/),
    ]);
  });

  test("follows a change of the domain, as no update moves a channel", async () => {
    const stack = await deployed();
    await stack.up({ ...emailChannel, domainId: OTHER_DOMAIN });
    expect(stack.steps).toEqual(["replace"]);
    expect(service.channels(DOMAIN)).toEqual([]);
    expect(service.channels(OTHER_DOMAIN)).toMatchObject([{ id: stack.recorded?.id }]);
  });

  test("that the service refuses as a duplicate names deleteBeforeReplace", async () => {
    const stack = await deployed();
    const before = stack.recorded;
    fault("create", { status: 422, body: { message: "Taken." } });
    expect(await failure(stack.up({ ...emailChannel, value: null }))).toContain("deleteBeforeReplace");
    expect(stack.recorded).toEqual(before);
    expect(service.channels()).toHaveLength(1);
  });
});

describe("a create", () => {
  const LOST: [string, FaultRule][] = [
    ["breaks the connection", { reset: "after" }],
    ["answers 502 after the work", { reset: "headers" }],
    ["has an answer that cannot be used", { garbage: true }],
  ];

  test.each(LOST)(
    "that the service may have done, as it %s, is not repeated, and ends with the line that takes the channel over",
    async (_case, rule) => {
      // A twin of the same label and type, made long before.
      service.addChannel(DOMAIN, { label: "Registrar mailbox", createdAt: "2026-01-31 08:30:00" });
      service.addChannel(DOMAIN, { label: "Another label" });
      service.addChannel(DOMAIN, { label: "Registrar mailbox", type: "slack" });
      const stack = stackOf({ maxRetries: "3" });
      fault("create", rule);
      const message = await failure(stack.up(emailChannel));
      expect(asked()).toEqual(["list", "create", "list"]);
      const created = service.channels().find(({ value }) => value === EMAIL);
      expect(message).toContain(
        `The service lists what may be this channel: to take it over instead of creating another one, declare adopt: "${created?.id}" (created ${created?.createdAt})`,
      );
      expect(message.match(/adopt:/g)).toHaveLength(1);

      await stack.up({ ...emailChannel, adopt: created?.id });
      expect(asked()).toEqual(["get", "update"]);
      expect(stack.recorded?.id).toBe(created?.id);
      expect(service.channels()).toHaveLength(4);
    },
  );

  test.each([-3600, 3600])(
    "that was lost is looked for by the service's clock, %d s from this machine's",
    async (seconds) => {
      const clock = new Date(Date.now() + seconds * 1000);
      await start({ lifecycle: "managed", now: clock });
      fault("list", { headers: { Date: clock.toUTCString() }, ...always });
      // By this machine's clock one of them would be too old, or the other one in the window.
      const before = new Date(clock.getTime() - 60_000).toISOString().replace("T", " ").slice(0, 19);
      service.addChannel(DOMAIN, { label: "Registrar mailbox", createdAt: before });
      fault("create", { reset: "after" });
      const message = await failure(stackOf().up(emailChannel));
      const created = service.channels().find(({ value }) => value === EMAIL);
      expect([...message.matchAll(/adopt: "([^"]+)"/g)].map(([, id]) => id)).toEqual([created?.id]);
    },
  );

  test("that was lost is not taken for one that went well beside it", async () => {
    const stack = stackOf();
    const provider = stack.provider();
    const inputs = { ...emailChannel, lifecycle: "managed" };
    const other = await provider.create(inputs);
    fault("create", { reset: "before" });
    const message = await failure(provider.create({ ...inputs, value: OTHER_EMAIL }));
    expect(message).not.toContain(other.id);
    expect(message).toContain("The service lists no such channel now");
  });

  test("that was lost says what is known if the list cannot be read", async () => {
    const stack = stackOf();
    fault("list", { status: 500, after: 1 });
    fault("create", { reset: "after" });
    const message = await failure(stack.up(emailChannel));
    expect(message).toMatch(/^POST .* may have been created anyway: look for it in the service/);
    expect(message).not.toContain("The service lists");
    expect(stack.recorded).toBeUndefined();
  });

  test("that the service answers with 500 is looked for, as it may have failed after the work", async () => {
    const stack = stackOf();
    fault("create", { status: 500 });
    expect(await failure(stack.up(emailChannel))).toContain("The service lists no such channel now");
    expect(asked()).toEqual(["list", "create", "list"]);
  });

  test("that was lost among many alike names three of them", async () => {
    for (let twin = 0; twin < 4; twin++)
      service.addChannel(DOMAIN, { label: "Registrar mailbox", createdAt: "2126-01-31 08:30:00" });
    fault("create", { reset: "before" });
    expect(await failure(stackOf().up(emailChannel))).toMatch(
      /declare adopt: "[^"]+" \(created [^)]+\) or adopt: "[^"]+" \(created [^)]+\) or adopt: "[^"]+" \(created [^)]+\)$/,
    );
  });

  test.each([403, 422])("that was refused with %d asks nothing more", async (status) => {
    const stack = stackOf();
    fault("create", { status });
    // It replaces nothing, so an option of replacements is no help.
    expect(await failure(stack.up(emailChannel))).not.toContain("deleteBeforeReplace");
    expect(asked()).toEqual(["list", "create"]);
  });

  test("whose answer has only the id is recorded and completed by a read", async () => {
    const stack = stackOf();
    const id = service.addChannel(DOMAIN, { label: "Registrar mailbox", value: EMAIL });
    fault("create", { status: 201, body: { data: { id } } });
    expect(await failure(stack.up(emailChannel))).toContain("was created, but the rest");
    expect(stack.recorded).toMatchObject({
      id,
      isUnfinished: true,
      outputs: { lifecycle: "managed", createdAt: "" },
    });
    asked();
    await stack.up(emailChannel);
    expect(asked()).toEqual(["get"]);
    const [{ createdAt } = { createdAt: "" }] = service.channels();
    expect(stack.recorded).toMatchObject({
      id,
      isUnfinished: false,
      outputs: { createdAt, typeHuman: "Email" },
    });
    await stack.destroy();
    expect(service.channels()).toEqual([]);
  });
});

describe("a refresh", () => {
  test("finds a label, flags and a type that were changed by hand, and an up mends them", async () => {
    const stack = await deployed({ ...emailChannel, onOrphan: "error" });
    const id = String(stack.recorded?.id);
    service.updateChannel(id, { label: "By hand", whoisNotificationsEnabled: false });
    await stack.refresh();
    expect(stack.steps).toEqual(["drift"]);
    expect(stack.recorded?.inputs).toMatchObject({ label: "By hand", whoisNotificationsEnabled: false });
    await stack.up({ ...emailChannel, onOrphan: "error" });
    expect(stack.steps).toEqual(["update"]);
    const { label } = emailChannel;
    expect(service.channels()).toMatchObject([{ id, label, whoisNotificationsEnabled: true, value: EMAIL }]);

    service.updateChannel(id, { type: "slack" });
    await stack.refresh();
    expect(stack.steps).toEqual(["drift"]);
    await stack.up({ ...emailChannel, onOrphan: "error" });
    expect(stack.steps).toEqual(["replace"]);
    expect(service.channels()).toMatchObject([{ id: stack.recorded?.id, type: "email" }]);
    expect(stack.told).toEqual([]);
  });

  test("records inputs with which an ignored change by hand is left alone", async () => {
    const stack = await deployed();
    service.updateChannel(String(stack.recorded?.id), { label: "By hand" });
    await stack.refresh();
    asked();
    // What the engine makes of ignoreChanges: ["label"].
    await stack.up({ ...emailChannel, label: stack.recorded?.inputs.label });
    expect(stack.steps).toEqual(["same"]);
    expect(asked()).toEqual([]);
  });

  test("of what nobody has changed records the same again", async () => {
    for (const declared of [emailChannel, webhookChannel]) {
      const stack = await deployed(declared);
      const before = stack.recorded;
      await stack.refresh();
      expect(stack.steps).toEqual([]);
      expect(stack.recorded).toEqual(before);
    }
  });

  test.each([
    ["an address", OTHER_EMAIL, `Mail to ${OTHER_EMAIL}.\nTwice.`, "Mail to [redacted].\nTwice."],
    ["a URL", WEBHOOK_URL, `No answer from ${WEBHOOK_URL}, 3 times`, "No answer from [redacted], 3 times"],
    ["no destination", "x", "Bounced 3 times (550): see the owner's on-call list.", undefined],
    ["no reason", "x", null, undefined],
  ])(
    "says that a channel is disabled or protected, and shows no destination that it had: %s",
    async (_case, value, disabledReason, shown = disabledReason ?? undefined) => {
      const pushover = { ...webhookChannel, type: "pushover" };
      const stack = await deployed({ ...pushover, value });
      await stack.up({ ...pushover, value: "another" });
      const id = String(stack.recorded?.id);
      service.updateChannel(id, { isDisabled: true, disabledReason, isProtected: true });
      stack.told.length = 0;
      await stack.refresh();
      expect(stack.steps).toEqual([]);
      // In clear in the state.
      expect(stack.recorded?.outputs.disabledReason).toBe(shown ?? null);
      const reason = shown?.replace("\n", " ") ?? "no reason given";
      expect(stack.told).toEqual([
        expect.stringContaining(`has been disabled by the service: ${reason}`),
        expect.stringMatching(/is protected by the service, which may refuse to change or delete it$/),
      ]);
    },
  );

  test("takes no destination from a label into its messages", async () => {
    const stack = await deployed({ ...emailChannel, label: `To ${EMAIL}` });
    fault("get", { status: 500 });
    expect(await failure(stack.refresh())).toContain('Notification channel "To [redacted]"');
    // The label still has the address that was declared before.
    fault("update", { status: 422 });
    expect(await failure(stack.up({ ...emailChannel, label: `To ${EMAIL}`, value: OTHER_EMAIL }))).toContain(
      'Notification channel "To [redacted]"',
    );
  });
});

describe("a service that has only what the interface shows", () => {
  beforeEach(() => start({}));

  test("is told by one line that names the setting, and nothing is created", async () => {
    const stack = stackOf();
    const message = await failure(stack.up(emailChannel));
    expect(message).toMatch(
      /^Notification channel "Registrar mailbox" .* is not created: GET .* answered 405/,
    );
    expect(message).toMatch(SETTING);
    expect(message).not.toContain("\n");
    expect(stack.recorded).toBeUndefined();
    expect(service.channels()).toEqual([]);
  });

  test("leaves a channel that is to be carried over as it was", async () => {
    const stack = await deployed(emailChannel, { lifecycle: "create-only" });
    const before = stack.recorded;
    stack.settings.lifecycle = "managed";
    expect(await failure(stack.up(renamed))).toMatch(SETTING);
    expect(stack.recorded).toEqual(before);
    stack.settings.lifecycle = "create-only";
    expect(await stack.preview(emailChannel)).toMatchObject({ changes: false });
  });

  test("takes nothing over", async () => {
    const stack = stackOf();
    const id = service.addChannel(DOMAIN, { value: EMAIL });
    expect(await failure(stack.up({ ...emailChannel, adopt: id }))).toMatch(SETTING);
    expect(stack.recorded).toBeUndefined();
  });

  test("loses no channel that is recorded as managed, and lets it go as create-only", async () => {
    const stack = await deployed(emailChannel, { lifecycle: "create-only" });
    const { recorded } = stack;
    if (recorded) recorded.outputs.lifecycle = recorded.inputs.lifecycle = "managed";
    const before = structuredClone(recorded);
    stack.settings.lifecycle = "managed";
    for (const attempt of [() => stack.refresh(), () => stack.destroy(), () => stack.up(renamed)]) {
      expect(await failure(attempt())).toMatch(SETTING);
      expect(stack.recorded).toEqual(before);
    }
    stack.settings.lifecycle = "create-only";
    await stack.up(emailChannel);
    await stack.destroy();
    expect(stack.recorded).toBeUndefined();
    expect(service.channels()).toHaveLength(1);
  });
});

describe("a channel that is carried over", () => {
  const createOnly = { lifecycle: "create-only" };

  test("is read, and recorded if it is as declared", async () => {
    const stack = await deployed(webhookChannel, createOnly);
    const before = stack.recorded;
    stack.settings.lifecycle = "managed";
    expect(await stack.preview(webhookChannel)).toEqual({
      changes: true,
      diffs: ["lifecycle"],
      replaces: [],
      deleteBeforeReplace: false,
    });
    await stack.up(webhookChannel);
    expect(asked()).toEqual(["get"]);
    expect(stack.recorded).toEqual({
      ...before,
      inputs: { ...before?.inputs, lifecycle: "managed" },
      outputs: { ...before?.outputs, lifecycle: "managed" },
    });
    expect(await stack.preview(webhookChannel)).toMatchObject({ changes: false });
    await stack.refresh();
    expect(stack.steps).toEqual([]);

    stack.settings.lifecycle = "create-only";
    asked();
    await stack.up(webhookChannel);
    expect(stack.steps).toEqual(["update"]);
    expect(stack.told.at(-1)).toBe(
      "channels that are recorded as managed are to become create-only, so that a later update or destroy leaves them in the service. One of them that leaves the program in this update is still deleted: run it without other changes first",
    );
    expect(stack.recorded).toEqual(before);
    await stack.destroy();
    expect(asked()).toEqual([]);
    expect(stack.told.at(-1)).toContain("leaves this stack. This package cannot delete it, so it stays");
  });

  test("is set to what is declared where it differs, without its destination", async () => {
    const stack = await deployed(emailChannel, createOnly);
    const id = String(stack.recorded?.id);
    service.updateChannel(id, {
      label: "By hand",
      value: "hand@example.com",
      dnsNotificationsEnabled: false,
    });
    stack.settings.lifecycle = "managed";
    await stack.up(emailChannel);
    expect(asked()).toEqual(["get", "update"]);
    const { label } = emailChannel;
    expect(service.channels()).toMatchObject([
      { id, label, value: "hand@example.com", dnsNotificationsEnabled: true },
    ]);
  });

  test("and has another type in the service is replaced by the next up", async () => {
    const stack = await deployed(emailChannel, createOnly);
    service.updateChannel(String(stack.recorded?.id), { type: "slack" });
    stack.settings.lifecycle = "managed";
    await stack.up(emailChannel);
    expect(stack.told.at(-1)).toContain("another type than was declared");
    await stack.up(emailChannel);
    expect(stack.steps).toEqual(["replace"]);
    expect(service.channels()).toMatchObject([{ type: "email" }]);
  });

  test("and is gone fails with what to run, and that then works", async () => {
    const stack = await deployed(emailChannel, createOnly);
    service.removeChannel(String(stack.recorded?.id));
    stack.settings.lifecycle = "managed";
    expect(await failure(stack.up(emailChannel))).toContain("Run `pulumi refresh`, then `pulumi up`");
    // Without the refresh it fails again, and creates nothing.
    expect(await failure(stack.up(emailChannel))).toContain("Run `pulumi refresh`, then `pulumi up`");
    await stack.refresh();
    expect(stack.steps).toEqual(["gone"]);
    await stack.up(emailChannel);
    expect(service.channels()).toHaveLength(1);
  });

  test("can change in the same update, and stays behind with a warning if it is replaced", async () => {
    const stack = await deployed(emailChannel, createOnly);
    stack.settings.lifecycle = "managed";
    await stack.up(renamed);
    expect(asked()).toEqual(["get", "update"]);

    const other = await deployed(emailChannel, createOnly);
    other.settings.lifecycle = "managed";
    await other.up(webhookChannel);
    expect(other.steps).toEqual(["replace"]);
    expect(other.told.filter((line) => line.includes("is to be replaced (changed: type)"))).toHaveLength(1);
    expect(other.told.at(-2)).toMatch(
      /It is recorded as create-only, .* of its own with lifecycle "managed" comes first/,
    );
    expect(other.told.at(-1)).toMatch(/ stays in the service$/);
    expect(service.channels()).toHaveLength(3);
  });

  test.each([
    ["another type", { type: "pushover" }],
    ["adopt with another id", { adopt: "99999999-9999-4999-8999-999999999999" }],
  ])("is not replaced by %s with onOrphan error", async (_case, change) => {
    const declared = { ...emailChannel, onOrphan: "error" };
    const stack = await deployed(declared, createOnly);
    stack.settings.lifecycle = "managed";
    expect(await failure(stack.preview({ ...declared, ...change }))).toContain("would be replaced");
  });

  test("is said to stay, once, before anything that leaves the program with it", async () => {
    const stack = await deployed(emailChannel, createOnly);
    stack.settings.lifecycle = "managed";
    const provider = stack.provider();
    const { id = "", outputs = {} } = stack.recorded ?? {};
    const news = { ...emailChannel, lifecycle: "managed" };
    await provider.diff(id, outputs, news);
    await provider.diff(id, outputs, news);
    expect(stack.told).toEqual([
      "channels that are recorded as create-only are to become managed, so that a later update or destroy deletes them. One of them that leaves the program in this update still stays in the service: run it without other changes first",
    ]);
  });

  test("is left behind by a destroy at once, as nothing is recorded yet", async () => {
    const stack = await deployed(emailChannel, createOnly);
    stack.settings.lifecycle = "managed";
    await stack.destroy();
    expect(asked()).toEqual([]);
    expect(stack.told).toEqual([
      expect.stringContaining("It is recorded as create-only, so it stays in the service"),
    ]);
  });

  test("is decided on by the update, if a preview does not know the lifecycle", async () => {
    const stack = await deployed(emailChannel, createOnly);
    const { id = "", outputs = {} } = stack.recorded ?? {};
    const news = { ...emailChannel, lifecycle: UNKNOWN };
    const { inputs, failures } = await stack.provider().check({}, { ...news, adopt: id });
    expect({ failures, lifecycle: inputs.lifecycle }).toEqual({ failures: [], lifecycle: UNKNOWN });
    expect(await stack.provider().diff(id, outputs, news)).toMatchObject({ changes: true, replaces: [] });
  });
});

describe("a lifecycle", () => {
  test.each<[string, Properties, string, string | undefined]>([
    ["the argument managed over stack config", { lifecycle: "managed" }, "create-only", "managed"],
    ["the argument create-only over stack config", { lifecycle: "create-only" }, "managed", undefined],
    ["stack config without an argument", {}, "managed", "managed"],
    ["stack config, if the argument is null", { lifecycle: null }, "managed", "managed"],
    ["create-only without either", {}, "", undefined],
  ])("is %s", async (_case, argument, configured, recorded) => {
    const stack = await deployed({ ...emailChannel, ...argument }, { lifecycle: configured });
    expect(stack.recorded?.inputs.lifecycle).toBe(recorded);
    expect(stack.recorded?.outputs.lifecycle).toBe(recorded);
    expect("lifecycle" in (stack.recorded?.outputs ?? {})).toBe(recorded !== undefined);
  });

  test("that is not valid fails the preview, and names where it is set", async () => {
    const stack = stackOf({ lifecycle: "Managed" });
    expect(await failure(stack.preview(emailChannel))).toBe(
      "stack config domain-monitoring:lifecycle is not a valid lifecycle: use create-only or managed",
    );
  });
});

describe("a channel like one that is to be created", () => {
  const listed = { label: "Registrar mailbox", type: "email", value: "twin@example.com" };

  test("is named before the create if no resource has it, as a killed update may have left it", async () => {
    const twin = service.addChannel(DOMAIN, listed);
    for (const other of [{ label: "Other" }, { type: "pushover" }])
      service.addChannel(DOMAIN, { ...listed, ...other });
    const stack = await deployed();
    expect(stack.told).toEqual([
      expect.stringMatching(
        new RegExp(
          `is created, and the service has one with this label and type already, .* declare adopt: "${twin}" \\(created [^)]+\\)$`,
        ),
      ),
    ]);
  });

  test("is not mentioned if it is replaced, or was created in the same run", async () => {
    const stack = await deployed();
    await stack.up({ ...emailChannel, value: null });
    const provider = stack.provider();
    service.removeChannel(stack.recorded?.id ?? "");
    for (const value of [EMAIL, OTHER_EMAIL])
      await provider.create({ ...emailChannel, value, lifecycle: "managed" });
    expect(stack.told.join("\n")).not.toContain("with this label and type already");
  });
});

describe("a channel that is adopted", () => {
  const HAND = { label: "By hand", type: "email", value: "hand@example.com", dnsNotificationsEnabled: false };

  test("is read, and set to all that is declared, its destination too; no channel is created", async () => {
    const id = service.addChannel(DOMAIN, { ...HAND, type: "webhook", secondaryValue: "POST" });
    const stack = stackOf();
    const declared = { ...webhookChannel, adopt: id };
    await stack.up(declared);
    expect(asked()).toEqual(["get", "update"]);
    expect(stack.recorded?.id).toBe(id);
    expect(service.channels()).toMatchObject([{ id, ...webhookChannel, whoisNotificationsEnabled: true }]);
    expect(stack.told).toEqual([
      expect.stringMatching(
        /is taken over: no channel is created, and what is declared is set, the destination too$/,
      ),
    ]);
    expect(stack.recorded?.outputs).toMatchObject({ adopt: id });
    await stack.refresh();
    expect(stack.steps).toEqual([]);
    await stack.up(declared);
    expect(stack.steps).toEqual(["same"]);
    // That it is taken over was said once.
    expect(stack.told).toHaveLength(1);
  });

  test.each<[string, Partial<typeof HAND> & { isProtected?: boolean }, RegExp]>([
    ["of another type", { type: "slack" }, /in the service it is of type slack: declare that/],
    ["protected", { isProtected: true }, /the service protects it, .*: remove it from the program/],
  ])("is refused if it is %s, and not touched", async (_case, seed, said) => {
    const id = service.addChannel(DOMAIN, { ...HAND, ...seed });
    const before = service.channels();
    const stack = stackOf();
    expect(await failure(stack.up({ ...emailChannel, adopt: id }))).toMatch(said);
    expect(asked()).toEqual(["get"]);
    expect(service.channels()).toEqual(before);
    expect(stack.recorded).toBeUndefined();
  });

  test("is refused if there is none, and nothing is created", async () => {
    const stack = stackOf();
    const adopt = "99999999-9999-4999-8999-999999999999";
    expect(await failure(stack.up({ ...emailChannel, adopt }))).toMatch(
      /is not taken over: the service has no such channel: correct adopt, or remove it, so that a channel is created$/,
    );
    expect(asked()).toEqual(["get", "list"]);
    expect(service.channels()).toEqual([]);
  });

  test.each(UNCLEAR)("is taken over by the next up if the service %s", async (_case, rule, settings) => {
    const id = service.addChannel(DOMAIN, HAND);
    const stack = stackOf(settings);
    fault("update", rule);
    expect(await failure(stack.up({ ...emailChannel, adopt: id }))).toContain("is not taken over");
    expect(stack.recorded).toBeUndefined();
    await stack.up({ ...emailChannel, adopt: id });
    expect(service.channels()).toMatchObject([{ id, ...emailChannel }]);
    expect(asked()).not.toContain("create");
  });

  test("is read once more if the answer of success cannot be used", async () => {
    const id = service.addChannel(DOMAIN, HAND);
    const stack = stackOf();
    fault("update", { garbage: true });
    await stack.up({ ...emailChannel, adopt: id });
    expect(asked()).toEqual(["get", "update", "get"]);
    expect(stack.recorded?.id).toBe(id);
  });

  test("and removed by somebody else is created anew as the error of its update says", async () => {
    const adopt = service.addChannel(DOMAIN, HAND);
    const stack = await deployed({ ...emailChannel, adopt });
    service.removeChannel(adopt);
    expect(await failure(stack.up({ ...renamed, adopt }))).toMatch(
      /it is no longer in the service\. Run `pulumi refresh`, remove adopt, then run `pulumi up`, which creates another one in its place$/,
    );
    await stack.refresh();
    await stack.up(renamed);
    expect(service.channels()).toMatchObject([{ id: stack.recorded?.id, label: renamed.label }]);
  });

  test("is deleted once the input has been removed, which is recorded without a request, and not before", async () => {
    const adopt = service.addChannel(DOMAIN, HAND);
    const stack = await deployed({ ...emailChannel, adopt });
    const { id = "", outputs = {} } = stack.recorded ?? {};
    await stack.provider().delete(id, outputs);
    expect(stack.told.at(-1)).toContain("was taken over with adopt, so it stays in the service");
    await stack.up(emailChannel);
    expect([stack.steps, asked()]).toEqual([["update"], []]);
    expect(stack.recorded?.outputs).not.toHaveProperty("adopt");
    await stack.destroy();
    expect(service.channels()).toEqual([]);
  });

  test("is recorded as such where an earlier version has not done so, without a request", async () => {
    const adopt = service.addChannel(DOMAIN, HAND);
    const stack = await deployed({ ...emailChannel, adopt });
    delete stack.recorded?.outputs.adopt;
    await stack.refresh();
    asked();
    await stack.up({ ...emailChannel, adopt });
    expect([stack.steps, asked()]).toEqual([["update"], []]);
    expect(stack.recorded?.outputs).toMatchObject({ adopt });
  });

  test("is not deleted by a resource that had it before in the same run", async () => {
    const stack = await deployed();
    const { id = "", outputs = {} } = stack.recorded ?? {};
    const provider = stack.provider();
    await provider.create({ ...emailChannel, lifecycle: "managed", adopt: id });
    await provider.delete(id.toUpperCase(), outputs);
    expect(service.channels()).toMatchObject([{ id }]);
    expect(stack.told.at(-1)).toContain("is not deleted, as another resource of this stack has adopted it");
  });

  test("is adopted although an equal create has no clear outcome", async () => {
    const stack = stackOf();
    const provider = stack.provider();
    const inputs = { ...emailChannel, lifecycle: "managed" };
    fault("create", { reset: "before" });
    await failure(provider.create(inputs));
    const adopt = service.addChannel(DOMAIN, HAND);
    expect(await provider.create({ ...inputs, adopt })).toMatchObject({ id: adopt });
  });

  test("is replaced by another id, and the former one stays", async () => {
    const [first, second] = [service.addChannel(DOMAIN, HAND), service.addChannel(DOMAIN, HAND)];
    const stack = await deployed({ ...emailChannel, adopt: first });
    await stack.up({ ...emailChannel, adopt: second });
    expect(stack.steps).toEqual(["replace"]);
    expect(asked()).toEqual(["get", "update"]);
    expect(stack.told.at(-1)).toContain(`id ${first}) leaves this stack: it was taken over with adopt`);
    expect(service.channels()).toMatchObject([{ id: first }, { id: second, value: EMAIL }]);
  });

  test("keeps its destination if none is declared, and says so", async () => {
    const id = service.addChannel(DOMAIN, HAND);
    const stack = await deployed({ ...emailChannel, value: null, adopt: id });
    expect(service.channels()).toMatchObject([{ id, label: "Registrar mailbox", value: HAND.value }]);
    expect(stack.told.at(-1)).toContain(
      "keeps its destination, which cannot be read: declare value to set it",
    );
  });

  test("belongs to one resource", async () => {
    const id = service.addChannel(DOMAIN, HAND);
    const stack = stackOf();
    const provider = stack.provider();
    const inputs = { ...emailChannel, lifecycle: "managed", adopt: id };
    const another = { ...inputs, label: "Another", adopt: id.toUpperCase() };
    for (const declared of [inputs, another]) await provider.check({}, declared);
    expect(stack.told.at(-1)).toContain(
      "another resource of this program has that channel, or adopts it too",
    );
    const both = await Promise.allSettled([provider.create(inputs), provider.create(another)]);
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(both[1]).toMatchObject({
      reason: { message: expect.stringContaining("is not taken over: another resource of this program") },
    });
  });

  test.each([
    ["another type", { type: "pushover" }],
    ["no destination", { value: null }],
  ])("cannot be replaced by itself: %s, with adopt left in place, deletes nothing", async (_case, change) => {
    const id = service.addChannel(DOMAIN, HAND);
    const stack = await deployed({ ...emailChannel, adopt: id });
    const changed = { ...emailChannel, ...change };
    expect(await failure(stack.up({ ...changed, adopt: id }))).toContain(
      "adopt names the channel that is to be replaced",
    );
    expect(stack.told.join("\n")).toContain("remove adopt, so that another one is created");
    expect(asked()).toEqual([]);
    await stack.up(changed);
    expect(stack.steps).toEqual(["replace"]);
    expect(service.channels()).toMatchObject([{ id }, { id: stack.recorded?.id, ...changed }]);
  });

  test("is refused in the preview without the managed lifecycle", async () => {
    const stack = stackOf({ lifecycle: "create-only" });
    const adopt = "99999999-9999-4999-8999-999999999999";
    expect(await failure(stack.preview({ ...emailChannel, adopt }))).toBe(
      'adopt needs lifecycle "managed": a create-only channel can only be created',
    );
    expect(await failure(stackOf().preview({ ...emailChannel, adopt: "history" }))).toContain(
      "is not a valid channel id",
    );
    // Nor is it said to be taken over.
    expect(stacks.flatMap(({ told }) => told)).toEqual([]);
  });

  test("may be unknown in a preview", async () => {
    const stack = await deployed();
    expect(await stackOf().preview({ ...emailChannel, adopt: UNKNOWN })).toBeUndefined();
    expect(await stack.preview({ ...emailChannel, adopt: UNKNOWN })).toMatchObject({
      changes: true,
      replaces: [],
    });
    expect(stacks.map(({ told }) => told.at(-1))).toEqual([
      expect.stringContaining("may be replaced (not known yet: adopt)"),
      expect.stringContaining("may be taken over (adopt is not known yet)"),
    ]);
  });
});

describe("a service that repeats a destination", () => {
  const USER = "pushover-user-secret";
  const DEVICE = "pushover-device-secret";
  const declared = {
    domainId: DOMAIN,
    label: "Phone",
    type: "pushover",
    value: USER,
    secondaryValue: DEVICE,
  };
  const echo: FaultRule = { status: 500, body: { message: `Not ${USER} on ${DEVICE}.` } };

  test.each([
    ["read of a channel that is to be adopted", "get", "is not taken over"],
    ["list that is read before a create", "list", "is not created"],
  ] as const)("in the error to the %s is not quoted with it", async (_case, operation, problem) => {
    const adopt = operation === "get" ? service.addChannel(DOMAIN, { type: "pushover" }) : undefined;
    fault(operation, echo);
    expect(await failure(stackOf().up({ ...declared, adopt }))).toMatch(
      new RegExp(`${problem}: GET .*The service says: Not \\[redacted\\] on \\[redacted\\]\\.`),
    );
    expect(asked()).toEqual([operation]);
  });

  test("in the list that is read after a create with an unclear outcome is not quoted with it", async () => {
    const createdAt = `for ${USER} on ${DEVICE}`;
    const id = service.addChannel(DOMAIN, { label: "Phone", type: "pushover", createdAt });
    fault("create", { ...echo, times: 2 });
    const message = await failure(stackOf().up(declared));
    expect(message).toMatch(/^POST .*The service says: Not \[redacted\] on \[redacted\]\./);
    expect(message).toContain(`adopt: "${id}" (created for [redacted] on [redacted])`);
    // Nor where that list cannot be read.
    fault("list", { ...echo, after: 1 });
    const other = await failure(stackOf().up(declared));
    expect(other).toContain("[redacted] on [redacted]");
    expect(other).not.toMatch(/pushover-\w+-secret/);
    expect(asked()).toEqual(["list", "create", "list", "list", "create", "list"]);
  });
});

describe("a channel that is only referred to", () => {
  test("is read from the service, if its lifecycle and domain are given", async () => {
    const id = service.addChannel(DOMAIN, {
      label: "By hand",
      type: "slack",
      isDisabled: true,
      disabledReason: "x",
    });
    const provider = stackOf().provider();
    const { props, inputs } = await provider.read(id, {
      domainId: DOMAIN,
      lifecycle: "managed",
      value: EMAIL,
    });
    expect(props).toMatchObject({
      label: "By hand",
      type: "slack",
      channelId: id,
      isDisabled: true,
      value: EMAIL,
    });
    expect(inputs).toMatchObject({ label: "By hand", type: "slack", value: EMAIL });
    expect(asked()).toEqual(["get"]);
    // In a preview the engine leaves out what is not known, or marks it.
    for (const unknown of [{}, { domainId: UNKNOWN }]) {
      const known = { lifecycle: "managed", ...unknown };
      expect((await provider.read(id, known)).props).toEqual({ ...known, channelId: id });
    }
    expect(asked()).toEqual([]);
  });

  test("fails if there is none, as the engine would take an empty id for success", async () => {
    const missing = "99999999-9999-4999-8999-999999999999";
    expect(
      await failure(stackOf().provider().read(missing, { domainId: DOMAIN, lifecycle: "managed" })),
    ).toBe(
      `Notification channel "?" (?, domain ${DOMAIN}, id ${missing}) is not read: the service has no such channel: check its id and its domainId`,
    );
  });
});
