/**
 * Races and failures of managed channels, and channels that are gone, moved or in two records: what
 * a provider does and records, counted at the service.
 * Creates and adoption: managed-creates.test.ts; what holds in any order: test/e2e/lives.test.ts.
 */
import { type FaultRule, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { UNKNOWN } from "../../src/provider/boundary";
import { type Fields, serveOddly } from "../support/odd-list";
import type { ChannelStack } from "./support/channel-stack";
import { DOMAIN, EMAIL, emailChannel, webhookChannel } from "./support/channels";
import {
  always,
  deployed,
  ERROR_WITHOUT_DESTINATIONS,
  errorWithDestinations,
  failure,
  fault,
  OTHER_EMAIL,
  onlyMessage,
  pushoverChannel,
  renamed,
  SETTING,
  service,
  stackOf,
  takeRequests,
  useService,
} from "./support/service";

const managed = { ...emailChannel, lifecycle: "managed" };
const rotated = { ...emailChannel, value: OTHER_EMAIL };

useService("NotificationChannel");

describe("an update", () => {
  // test/client/faults.test.ts has what counts as unclear.
  test.each<[string, FaultRule]>([
    ["breaks the connection after the work", { reset: "after" }],
    // The content of such an answer is not known, so the channel is not read in its place.
    ["answers with too long a header", { headers: { "X-Long": "x".repeat(100_000) } }],
    ["answers with an HTML page", { status: 200, body: "<html>Log in</html>" }],
  ])("of the destination is sent again if the service %s", async (_case, rule) => {
    const stack = await deployed();
    const before = stack.recorded;
    fault("update", { ...rule, ...always });

    const title = /^Notification channel "Registrar mailbox" .* may or may not be updated: PATCH /;
    const message = await failure(stack.up(rotated));
    expect(message).toMatch(title);
    expect(message).toContain(". The next `pulumi up` sends value again, unless");

    // The names, and nothing that could be guessed from them.
    expect(stack.recorded).toEqual({
      ...before,
      outputs: { ...before.outputs, unconfirmed: ["value"], __provider: undefined },
      isUnfinished: true,
    });
    service.clearFaults();
    takeRequests();
    await stack.up(emailChannel);

    expect(stack.steps).toEqual(["update"]);
    expect(takeRequests()).toEqual(["update"]);
    expect(service.channels()).toMatchObject([{ id: before.id, value: EMAIL }]);
    expect(stack.recorded.outputs).toEqual(before.outputs);
    expect(await stack.preview(emailChannel)).toMatchObject({ changes: false });
  });

  test("that was lost is not forgotten by a refresh, nor while create-only", async () => {
    const stack = await deployed();
    fault("update", { reset: "after" });
    await failure(stack.up(rotated));
    await stack.refresh();

    const outputs = { unconfirmed: ["value"] };
    expect(stack.recorded).toMatchObject({ isUnfinished: false, outputs });

    takeRequests();
    const createOnly = { ...emailChannel, lifecycle: "create-only" };
    await stack.up(createOnly);

    expect(stack.steps).toEqual(["update"]);
    expect(await stack.preview(createOnly)).toMatchObject({ changes: false });
    expect(takeRequests()).toEqual([]);

    await stack.up(emailChannel);
    expect(takeRequests()).toEqual(["get", "update"]);
    expect(service.channels()).toMatchObject([{ value: EMAIL }]);
    expect(stack.recorded.outputs).not.toHaveProperty("unconfirmed");
  });

  test.each([
    ["secondaryValue", webhookChannel, { ...webhookChannel, secondaryValue: undefined }],
    ["value", rotated, { ...rotated, value: null }],
  ])("that may have set %s is undone by another channel, not by null", async (name, set, unset) => {
    const stack = await deployed(unset);
    fault("update", { reset: "after" });
    await failure(stack.up(set));

    expect(stack.recorded.outputs.unconfirmed).toEqual([name]);

    await stack.up(unset);
    expect(stack.steps).toEqual(["replace"]);
    expect(service.channels()).toMatchObject([{ id: stack.recorded.id, [name]: null }]);
  });

  test("whose successful response cannot be used is completed by one read, or stays open", async () => {
    const stack = await deployed();
    fault("update", { garbage: true });
    await stack.up(rotated);

    expect(takeRequests()).toEqual(["update", "get"]);
    expect(stack.recorded).toMatchObject({ isUnfinished: false, inputs: { value: OTHER_EMAIL } });
    expect(stack.recorded.outputs).not.toHaveProperty("unconfirmed");
    expect(onlyMessage(stack)).toMatch(/id \S+\): the destination changes \(value\)$/);

    fault("update", { garbage: true });
    fault("get", { status: 500 });
    expect(await failure(stack.up(emailChannel))).toContain("may or may not be updated");
    expect(takeRequests()).toEqual(["update", "get"]);
    expect(stack.recorded.outputs.unconfirmed).toEqual(["value"]);
  });

  test("of a channel that is gone says what to run, and never creates one", async () => {
    const stack = await deployed();
    const before = stack.recorded;
    service.removeChannel(before.id);

    expect(await failure(stack.up(renamed))).toContain(
      "is not updated: it is no longer in the service. Run `pulumi refresh`, then `pulumi up`, which",
    );
    expect(takeRequests()).toEqual(["update", "list"]);
    expect(stack.recorded).toEqual(before);

    await stack.refresh();
    expect(stack.steps).toEqual(["gone"]);
  });

  test("reads the service if only what is not sent has changed, and mends what it finds", async () => {
    const stack = await deployed();
    await stack.up({ ...emailChannel, secretLabel: true });

    expect(takeRequests()).toEqual(["get"]);

    service.updateChannel(stack.recorded.id, { label: "By hand" });
    await stack.up(emailChannel);
    expect(takeRequests()).toEqual(["get", "update"]);
    expect(service.channels()).toMatchObject([{ label: "Registrar mailbox", value: EMAIL }]);
  });
});

describe("a delete", () => {
  test("whose response is lost is repeated, and then done silently", async () => {
    const stack = await deployed(emailChannel, { maxRetries: "1" });
    fault("delete", { reset: "after" });
    await stack.destroy();

    expect(stack.recorded).toBeUndefined();
    expect(service.channels()).toEqual([]);
    expect(stack.messages).toEqual([]);
    // A 404 to the second one has to be proven.
    expect(takeRequests()).toEqual(["delete", "delete", "list"]);
  });

  test("whose response is an HTML page leaves the record", async () => {
    const stack = await deployed();
    const before = stack.recorded;
    fault("delete", { status: 200, body: "<html>Log in</html>" });

    expect(await failure(stack.destroy())).toContain("may have been deleted anyway");
    expect(stack.recorded).toEqual(before);
  });

  test("with a rejected token of the environment does not mention the last update's", async () => {
    const env = { ...process.env, DOMAIN_MONITORING_API_TOKEN: service.token };
    jest.replaceProperty(process, "env", env);
    const stack = await deployed(emailChannel, { apiToken: "" });
    fault("delete", { status: 401 });
    const message = await failure(stack.destroy());

    expect(message).toContain("got 401");
    expect(message).not.toContain("the settings of the last `pulumi up`");
  });
});

const STEPS = {
  get: (stack: ChannelStack) => stack.refresh(),
  update: (stack: ChannelStack) => stack.up({ ...stack.recorded?.inputs, label: "Renamed" }),
  delete: (stack: ChannelStack) => stack.destroy(),
};

const PARTICIPLES = { get: "read", update: "updated", delete: "deleted" };

describe("a refused step fails, leaves the record and says what helps:", () => {
  const LAST_UP = /Refresh and destroy use the settings of the last `pulumi up`/;
  const ABANDON = /run `pulumi config set domain-monitoring:abandon \S+` and `pulumi up`/;

  test.each<[keyof typeof STEPS, number, RegExp[], RegExp[]]>([
    // Said, and not said.
    ["get", 401, [LAST_UP], []],
    ["get", 405, [SETTING], []],
    ["get", 500, [], [SETTING, LAST_UP]],
    ["update", 403, [SETTING, /lacks a permission/], []],
    ["update", 405, [SETTING, /does not have this operation/], []],
    ["update", 422, [], [SETTING]],
    // Advice that would leave the channel behind is not for a token, or a limit, that is refused.
    ["delete", 401, [LAST_UP], [ABANDON]],
    ["delete", 403, [ABANDON], [LAST_UP]],
    ["delete", 429, [], [ABANDON, LAST_UP]],
    ["delete", 500, [ABANDON], []],
  ])("a %s whose response is %d", async (operation, status, expected, unexpected) => {
    const stack = await deployed(pushoverChannel);
    const before = stack.recorded;
    fault(operation, { ...errorWithDestinations, status });
    const message = await failure(STEPS[operation](stack));

    expect(message).toContain(`is not ${PARTICIPLES[operation]}: `);
    expect(message).toContain(ERROR_WITHOUT_DESTINATIONS);
    for (const text of expected) expect(message).toMatch(text);
    for (const text of unexpected) expect(message).not.toMatch(text);

    expect(stack.recorded).toEqual(before);
    expect(takeRequests()).toEqual([operation]);

    await STEPS[operation](stack);
  });

  test("an update, by field and without the former or new destination", async () => {
    const errors = { value: [`${OTHER_EMAIL} is in use beside ${EMAIL}.`] };
    const labelled = { ...emailChannel, label: `To ${OTHER_EMAIL}` };
    const stack = await deployed({ ...labelled, value: OTHER_EMAIL });
    fault("update", { status: 422, body: { message: "Invalid.", errors } });
    const message = await failure(stack.up(labelled));

    expect(message).toContain('Notification channel "To [redacted]"');
    expect(message).toContain("The service says: value: [redacted] is in use beside [redacted].");

    service.updateChannel(stack.recorded.id, { isDisabled: true, disabledReason: "bounces" });
    await stack.up(labelled);
    const disabled = /"To \[redacted\]" .* has been disabled by the service: bounces/;
    expect(stack.messages.at(-1)).toMatch(disabled);
  });
});

const ELSEWHERE = /is not (read|updated|deleted): it was recorded at another base address\. Corr/;
const DROP = /cannot be read .* `pulumi refresh --run-program`, which drops it from the state\. /;
const LISTED = /the domain's list still has it: try again/;
const NO_ID =
  /cannot be read \(notificationChannels\.list .*: 1 record cannot be read \(number 1, id: /;
const list = (rule: FaultRule) => () => fault("list", { ...rule, ...always });
const move = ({ settings }: ChannelStack) =>
  Object.assign(settings, { baseUrl: `${service.url}/v2` });

/** Serves the list with a channel that cannot be read in the place of the only one. */
const unreadable = (change: (record: Fields) => Fields) => () =>
  serveOddly(service, "listNotificationChannels", `/${DOMAIN}/notification-channels`, change);

const withoutType = ({ id }: Fields) => ({ id: String(id).toUpperCase() });

test.each<[string, RegExp, (stack: ChannelStack) => unknown]>([
  ["there is no list", DROP, list({ status: 405 })],
  ["the list gets 404 as well", DROP, list({ status: 404 })],
  ["the list fails", /cannot be read \(GET .* got 500/, list({ status: 500 })],
  ["the list is not JSON", /cannot be read \(GET .* instead of JSON/, list({ garbage: true })],
  ["the list has the channel", LISTED, () => undefined],
  ["the list has the channel, unreadable", LISTED, unreadable(withoutType)],
  ["a record of the list shows no id", NO_ID, unreadable(() => ({ label: "?" }))],
  ["the address is wrong", ELSEWHERE, move],
])(
  "a 404 that proves nothing drops nothing from the state if %s",
  async (_case, expected, prepare) => {
    const stack = await deployed();
    const before = stack.recorded;
    await prepare(stack);
    for (const operation of ["get", "update", "delete"] as const)
      fault(operation, { status: 404, ...always });

    for (const step of Object.values(STEPS)) {
      expect(await failure(step(stack))).toMatch(expected);
      expect(stack.recorded).toEqual(before);
    }

    expect(takeRequests()).not.toContain("create");
  },
);

test("a channel is gone if the record that cannot be read is another one", async () => {
  const stack = await deployed();
  await unreadable((record) => ({ ...record, id: DOMAIN, type: 5 }))();
  service.removeChannel(stack.recorded.id);
  await stack.refresh();

  expect(stack.steps).toEqual(["gone"]);
});

test("a channel that went with its domain is dropped by the command of the error, without a request", async () => {
  const stack = await deployed();
  service.removeDomain(DOMAIN);
  const command =
    /: got 404, but the list of its domain, which would prove that it is gone, cannot be read \(GET .*404.*run `pulumi config set domain-monitoring:abandon (\S+)` and `pulumi refresh --run-program`, which drops it from the state/;

  const [, id] = command.exec(await failure(stack.refresh())) ?? [];
  expect(id).toBe(stack.recorded.id);

  takeRequests();
  stack.settings.abandon = String(id);
  await stack.refresh();

  expect(stack.steps).toEqual(["gone"]);
  expect(takeRequests()).toEqual([]);
  expect(stack.messages.at(-1)).toContain("because domain-monitoring:abandon lists it");
});

describe("another address, where domains have the same ids", () => {
  test("is not recorded by an update that asks the service nothing", async () => {
    const adopt = (await stackOf().provider().create(managed)).id;
    const stack = await deployed({ ...emailChannel, adopt });
    await using other = await startEmulator({ lifecycle: "managed" });
    Object.assign(stack.settings, { baseUrl: other.url, apiToken: other.token });
    await stack.up(emailChannel);

    expect(await failure(stack.refresh())).toContain("it was recorded at another base address");
    expect(other.requests).toEqual([]);
  });

  test("is where a channel is read, once the stack says that the service has moved", async () => {
    const stack = await deployed();
    const { id } = stack.recorded;
    await using other = await startEmulator({ lifecycle: "managed" });
    const movedFrom = service.url;
    Object.assign(stack.settings, { baseUrl: other.url, apiToken: other.token, movedFrom });
    other.addChannel(DOMAIN, { id, label: "Moved" });
    await stack.refresh();

    expect(stack.recorded).toMatchObject({ id, outputs: { label: "Moved" } });
  });
});

test("a channel whose type is another one in the service is not replaced, and both are recorded", async () => {
  const stack = await deployed();
  const { id } = stack.recorded;
  service.updateChannel(id, { type: "pushover" });
  await stack.refresh();

  expect(stack.steps).toEqual([]);
  expect(stack.recorded.outputs).toMatchObject({ type: "email", reportedType: "pushover" });
  expect(stack.messages.at(-1)).toContain("the service reports it with the type pushover");

  await stack.up(emailChannel);
  expect(stack.steps).toEqual(["same"]);

  // The program declares what the service has: it is the same channel.
  await stack.up({ ...emailChannel, type: "pushover" });
  expect(stack.steps).toEqual(["update"]);
  expect(stack.recorded).toMatchObject({ id, outputs: { type: "pushover" } });
  expect(stack.recorded.outputs.reportedType).toBeUndefined();
});

describe("a replacement", () => {
  test("leaves one channel", async () => {
    const stack = await deployed(emailChannel);
    await stack.up(webhookChannel);

    expect(takeRequests()).toEqual(["list", "create", "delete"]);
    expect(service.channels()).toMatchObject([{ id: stack.recorded.id, type: "webhook" }]);
    expect(onlyMessage(stack)).toMatch(/destination changes \(value, secondaryValue\)$/);
  });

  test("that the service refuses changes nothing, and says why", async () => {
    const stack = await deployed();
    const before = stack.recorded;
    fault("create", { status: 422, body: { message: "Taken." } });
    const message = await failure(stack.up({ ...emailChannel, value: null }));

    expect(message).toContain("The service says: Taken.");
    expect(takeRequests()).toEqual(["list", "create"]);
    expect(stack.recorded).toEqual(before);
    expect(service.channels()).toHaveLength(1);
  });
});

test("a refresh says that a channel is disabled and protected, without its destination", async () => {
  const stack = await deployed();
  const disabledReason = `Mail to ${EMAIL} bounced.\nSee "on-call" (550).`;
  service.updateChannel(stack.recorded.id, { isDisabled: true, disabledReason, isProtected: true });
  await stack.refresh();

  const shown = 'Mail to [redacted] bounced. See "on-call" (550).';
  expect(stack.steps).toEqual([]);
  // In clear in the state.
  expect(stack.recorded.outputs.disabledReason).toBe(shown);
  expect(stack.messages).toEqual([
    expect.stringContaining(`disabled by the service: ${shown}`),
    expect.stringMatching(/by the service, which may refuse to change or delete it$/),
  ]);

  service.updateChannel(stack.recorded.id, { disabledReason: null, isProtected: false });
  await stack.refresh();
  expect(stack.messages.at(-1)).toContain("disabled by the service: no reason given");
});

describe("a channel that is carried over", () => {
  const createOnly = { lifecycle: "create-only" };

  /** A stack with a create-only channel, in whose program channels are managed from now on. */
  async function carriedOver() {
    const stack = await deployed(emailChannel, createOnly);
    stack.settings.lifecycle = "managed";
    return stack;
  }

  // test/upgrades has what is sent and recorded on the way there and back.
  test("is said once in a run to become managed, and later to become create-only again", async () => {
    const stack = await carriedOver();
    const provider = stack.provider();
    const { id, outputs } = stack.recorded;
    const difference = { changes: true, diffs: ["lifecycle"], replaces: [] };

    for (let channel = 0; channel < 2; channel++)
      expect(await provider.diff(id, outputs, managed)).toEqual(difference);

    expect(onlyMessage(stack)).toBe(
      "this update switches create-only channels to managed: later updates and destroys delete them. A channel that you remove in this update still stays in the service, so switch first and remove afterwards",
    );

    await stack.up(emailChannel);
    stack.settings.lifecycle = "create-only";
    await stack.up(emailChannel);

    expect(stack.messages.at(-1)).toBe(
      "this update switches managed channels to create-only: later updates and destroys leave them in the service. A channel that you remove in this update is still deleted, so switch first and remove afterwards",
    );
  });

  test("is set to what is declared, and to what changes in this update, without its destination", async () => {
    const stack = await carriedOver();
    const { id } = stack.recorded;
    const value = "hand@example.com";
    service.updateChannel(id, { value, dnsNotificationsEnabled: false });
    await stack.up(renamed);

    expect(takeRequests()).toEqual(["get", "update"]);
    const flags = { dnsNotificationsEnabled: true };
    expect(service.channels()).toMatchObject([{ ...renamed, ...flags, id, value }]);
  });

  test("is recorded as managed if an update of what differs is lost, and not if the read before it is", async () => {
    const stack = await carriedOver();
    const before = stack.recorded;
    service.updateChannel(before.id, { label: "Changed by hand" });
    fault("get", { reset: "after" });

    expect(await failure(stack.up(emailChannel))).toContain(") is not updated: GET ");
    expect(stack.recorded).toEqual(before);

    fault("update", { reset: "after" });
    await failure(stack.up(emailChannel));
    const outputs = { lifecycle: "managed", unconfirmed: ["label"] };
    expect(stack.recorded).toMatchObject({ outputs });
  });

  test("stays behind with a warning if it is replaced", async () => {
    const stack = await carriedOver();
    const { id } = stack.recorded;
    await stack.up(webhookChannel);

    expect(stack.steps).toEqual(["replace"]);
    expect(stack.messages.filter((line) => line.includes(`(id ${id}, `))).toEqual([
      expect.stringMatching(
        /\) stays\. This one is recorded as create-only, .* first run `pulumi up` with lifecycle "managed"/,
      ),
    ]);
    expect(service.channels()).toHaveLength(2);
  });

  test("is left behind by a destroy at once, because nothing is recorded yet", async () => {
    const stack = await carriedOver();
    await stack.destroy();
    expect(takeRequests()).toEqual([]);
    expect(stack.messages).toEqual([
      expect.stringContaining(") stays. This one is recorded as create-only"),
    ]);
  });

  test("is decided on by the update, if a preview does not know the lifecycle", async () => {
    const stack = await deployed(emailChannel, createOnly);
    const news = { ...emailChannel, lifecycle: UNKNOWN, adopt: stack.recorded.id };
    expect(await stack.preview(news)).toMatchObject({ changes: true, replaces: [] });
  });
});

test("a new destination of many channels is announced once", async () => {
  const first = await deployed({ ...emailChannel, label: "First" });
  const second = await deployed({ ...emailChannel, label: "Second" });
  const provider = first.provider();
  for (const { recorded } of [first, second]) {
    const news = { ...recorded.inputs, value: OTHER_EMAIL };
    await provider.diff(recorded.id, recorded.outputs, news);
  }

  expect(onlyMessage(first)).toMatch(/^Notification channel "First" .* changes \(value\)$/);
});

const adopted = { ...managed, adopted: true, resourceName: "second" };
const own = { ...managed, resourceName: "first" };

test.each([
  ["is not said to stay once it is deleted", [own, adopted], 0, "this run deletes it with"],
  ["stays if the adopting record goes first", [adopted, own], 1, "is not deleted, because"],
])("a channel that two records name %s", async (_what, records, left, message) => {
  const stack = await deployed();
  const { id, outputs } = stack.recorded;
  const provider = stack.provider();
  for (const record of records) await provider.delete(id, { ...outputs, ...record });

  expect(service.channels()).toHaveLength(left);
  expect(stack.messages.at(-1)).toContain(message);
});

test("a record that waits for its delete leaves the channel to the resource's adopted one", async () => {
  const stack = await deployed();
  const { id, outputs } = stack.recorded;
  const waiting = { ...outputs, resourceName: "ops" };
  const current = { ...waiting, adopted: true };
  const provider = stack.provider();
  const { inputs } = await provider.check(current, { ...managed, resourceName: "ops" });
  await provider.diff(id, current, inputs);
  await provider.delete(id, waiting);

  expect(service.channels()).toHaveLength(1);
  expect(stack.messages.at(-1)).toContain("is not deleted, because its replacement has it");
});
