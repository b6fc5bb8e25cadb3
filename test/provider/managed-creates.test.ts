/**
 * How a managed channel comes into a stack and whose it is then, counted at the service: it is
 * created, taken over with `adopt`, or only referred to.
 */
import type { FaultRule } from "../../packages/domain-monitoring-emulator/src";
import { type Properties, UNKNOWN } from "../../src/provider/boundary";
import * as wire from "../client/support/wire";
import { DOMAIN, EMAIL, emailChannel, WEBHOOK_URL, webhookChannel } from "./support/channels";
import {
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

const label = "Registrar mailbox";
const managed: Properties = { ...emailChannel, lifecycle: "managed" };

/** Id of no channel. */
const MISSING = "99999999-9999-4999-8999-999999999999";

useService("NotificationChannel");

const answer = (data: object) => fault("create", { status: 201, body: { data } });

describe("a create", () => {
  test.each<[string, FaultRule]>([
    ["breaks the connection", { reset: "after" }],
    ["has an answer that cannot be used", { garbage: true }],
  ])("that the service may have done (it %s) is not repeated", async (_case, rule) => {
    // A twin of the same label and type, made long before.
    service.addChannel(DOMAIN, { label, createdAt: "2026-01-31 08:30:00" });
    service.addChannel(DOMAIN, { label: "Another label" });
    service.addChannel(DOMAIN, { label, type: "slack" });
    const stack = stackOf({ maxRetries: "3" });
    fault("create", rule);
    const message = await failure(stack.up(emailChannel));
    expect(takeRequests()).toEqual(["list", "create", "list"]);

    const created = service.channels().find(({ value }) => value === EMAIL);
    expect(message).toContain(
      `The service lists a channel that may be this one: to take it over instead of creating another one, declare adopt: "${created?.id}" (created ${created?.createdAt})`,
    );
    expect(message.match(/adopt:/g)).toHaveLength(1);

    await stack.up({ ...emailChannel, adopt: created?.id });
    expect(takeRequests()).toEqual(["get", "update"]);
    expect(stack.recorded?.id).toBe(created?.id);
    expect(service.channels()).toHaveLength(4);
  });

  test("that is lost is not confused with one that succeeded beside it, or returned only an id", async () => {
    const provider = stackOf().provider();
    await provider.create(managed);
    const id = service.addChannel(DOMAIN, { label, createdAt: "2126-01-31 08:30:00" });
    answer({ id });
    await failure(provider.create({ ...managed, value: OTHER_EMAIL }));
    fault("create", { reset: "before" });
    const message = await failure(provider.create({ ...managed, value: null }));
    expect(message).toContain("The service lists no such channel now");
  });

  test("that is lost reports what is known if the list cannot be read", async () => {
    const stack = stackOf();
    fault("list", { status: 500, after: 1 });
    fault("create", { reset: "after" });
    const message = await failure(stack.up(emailChannel));

    expect(message).toMatch(/^POST .* may have been created anyway: look for it in the service/);
    expect(message).not.toContain("The service lists");
    expect(stack.recorded).toBeUndefined();
  });

  test("that is lost among many alike names three of them", async () => {
    for (let twin = 0; twin < 4; twin++) service.addChannel(DOMAIN, { label });
    // They are not listed before the create.
    fault("list", { status: 200, body: wire.page([]) });
    fault("create", { reset: "before" });
    expect(await failure(stackOf().up(emailChannel))).toMatch(
      /one, declare adopt: "[^"]+" \(created [^)]+\)( or declare adopt: "[^"]+" \(created [^)]+\)){2}$/,
    );
  });

  test("whose response has only the id is recorded, and completed by a read", async () => {
    const stack = stackOf();
    const id = service.addChannel(DOMAIN, { label, value: EMAIL });
    answer({ id });
    expect(await failure(stack.up(emailChannel))).toContain("was created, but the rest");

    const outputs = { lifecycle: "managed", createdAt: "" };
    expect(stack.recorded).toMatchObject({ id, isUnfinished: true, outputs });

    takeRequests();
    await stack.up(renamed);
    expect(takeRequests()).toEqual(["get", "update"]);

    const completed = { createdAt: service.channels()[0]?.createdAt, typeHuman: "Email" };
    expect(stack.recorded).toMatchObject({ id, isUnfinished: false, outputs: completed });
  });
});

describe("a create whose response has", () => {
  test("only the id of a channel that was listed before adopts it", async () => {
    const id = service.addChannel(DOMAIN, { label: "Somebody else's", type: "email" });
    answer({ id });
    const outcome = stackOf().provider().create(managed);
    await expect(outcome).rejects.toMatchObject({ id, properties: { adopted: true } });
  });

  test("the id of a channel that another resource has deletes nothing of that resource", async () => {
    const stack = stackOf();
    const provider = stack.provider();
    const first = await provider.create({ ...managed, resourceName: "first" });
    answer(wire.channel({ label, type: "email", id: first.id }));
    const second = await provider.create({ ...managed, resourceName: "second" });
    expect(second).toMatchObject({ id: first.id, outs: { adopted: true } });

    await stackOf().provider().delete(second.id, second.outs);
    expect(service.channels()).toHaveLength(1);
  });

  test("another channel altogether is refused, and not sent again", async () => {
    const provider = stackOf().provider();
    answer(wire.channel({ label: "Somebody else's", type: "slack" }));
    const message = await failure(provider.create(managed));

    expect(message).toContain("is not recorded: the service responded with a different channel");
    await failure(provider.create(managed));
    expect(takeRequests().filter((name) => name === "create")).toHaveLength(1);
  });
});

describe("a channel like one that is to be created", () => {
  const listed = { label, type: "email", value: "twin@example.com" };

  test("is named before the create if no resource has it, because a killed update may have left it", async () => {
    const twin = service.addChannel(DOMAIN, listed);
    for (const other of [{ label: "Other" }, { type: "pushover" }])
      service.addChannel(DOMAIN, { ...listed, ...other });

    const message = onlyMessage(await deployed());
    expect(message).toContain(
      "is created, although the service already has a channel with this label and type",
    );
    expect(message.match(/declare adopt: "[^"]+" \(created [^)]+\)/g)).toEqual([
      expect.stringContaining(twin),
    ]);
  });

  test("is not mentioned if it is replaced, or was created in the same run", async () => {
    const stack = await deployed();
    await stack.up({ ...emailChannel, value: null });
    const provider = stack.provider();
    service.removeChannel(stack.recorded.id);
    for (const value of [EMAIL, OTHER_EMAIL]) await provider.create({ ...managed, value });
    expect(stack.messages.join("\n")).not.toContain("with this label and type");
  });
});

describe("a service that has only what the interface shows", () => {
  useService("NotificationChannel", { lifecycle: "create-only" });

  test.each([
    ["nothing is created", {}, /is not created: GET .* got 405/],
    ["nothing is taken over", { adopt: MISSING }, /is not taken over: got 404, but .* got 405/],
  ])("is told by one line that names the setting, and %s", async (_case, further, expected) => {
    const stack = stackOf();
    const message = await failure(stack.up({ ...emailChannel, ...further }));

    expect(message).toMatch(expected);
    expect(message).toMatch(SETTING);
    expect(message).not.toContain("\n");
    expect(stack.recorded).toBeUndefined();
    expect(service.channels()).toEqual([]);
  });

  test("loses no channel that is recorded as managed, and lets it go as create-only", async () => {
    const stack = await deployed(emailChannel, { lifecycle: "create-only" });
    stack.settings.lifecycle = "managed";
    // A channel that is to be carried over stays as it was.
    const unmoved = stack.recorded;
    expect(await failure(stack.up(renamed))).toMatch(SETTING);
    expect(stack.recorded).toEqual(unmoved);

    stack.recorded.outputs.lifecycle = stack.recorded.inputs.lifecycle = "managed";
    const before = structuredClone(stack.recorded);
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

describe("a channel that is adopted", () => {
  const HAND = { label: "By hand", type: "email", value: "hand@example.com" };

  test("is read and set to all that is declared, and none is created", async () => {
    const id = service.addChannel(DOMAIN, { ...HAND, type: "webhook", secondaryValue: "POST" });
    const declared = { ...webhookChannel, adopt: id };
    const stack = stackOf();
    await stack.up(declared);

    expect(takeRequests()).toEqual(["get", "update"]);
    expect(stack.recorded).toMatchObject({ id, outputs: { adopt: id } });
    const flags = { whoisNotificationsEnabled: true };
    expect(service.channels()).toMatchObject([{ id, ...webhookChannel, ...flags }]);

    await stack.up(declared);
    expect(stack.steps).toEqual(["same"]);
    expect(onlyMessage(stack)).toMatch(
      /\(id [-0-9a-f]{36}, domain [-0-9a-f]{36}\) is taken over\. No channel is created for it, and the declared values are set, including the destination\. A resource that has the channel under another provider/,
    );
  });

  test.each<[string, Partial<typeof HAND> & { isProtected?: boolean }, RegExp]>([
    ["of another type", { type: "slack" }, /in the service it is of type slack: declare that/],
    ["protected", { isProtected: true }, /the service protects it, .*: remove it from the program/],
  ])("is refused if it is %s, and not touched", async (_case, seed, expected) => {
    const id = service.addChannel(DOMAIN, { ...HAND, ...seed });
    const before = service.channels();
    const stack = stackOf();

    expect(await failure(stack.up({ ...emailChannel, adopt: id }))).toMatch(expected);
    expect(takeRequests()).toEqual(["get"]);
    expect(stack.recorded).toBeUndefined();
    expect(service.channels()).toEqual(before);
  });

  test("is refused if there is none, and nothing is created", async () => {
    expect(await failure(stackOf().up({ ...emailChannel, adopt: MISSING }))).toMatch(
      /is not taken over: the service has no such channel: correct adopt, or remove it, so that a channel is created$/,
    );
    expect(takeRequests()).toEqual(["get", "list"]);
    expect(service.channels()).toEqual([]);
  });

  test("is taken over by the next up if the response was lost", async () => {
    const id = service.addChannel(DOMAIN, HAND);
    const stack = stackOf();
    fault("update", { reset: "after" });

    expect(await failure(stack.up({ ...emailChannel, adopt: id }))).toContain("is not taken over");
    expect(stack.recorded).toBeUndefined();
    expect(takeRequests()).toEqual(["get", "update"]);

    await stack.up({ ...emailChannel, adopt: id });
    expect(service.channels()).toMatchObject([{ id, ...emailChannel }]);
  });

  test("is read once more if the answer to its change cannot be used", async () => {
    const id = service.addChannel(DOMAIN, HAND);
    const stack = stackOf();
    fault("update", { garbage: true });

    await stack.up({ ...emailChannel, adopt: id });
    expect(takeRequests()).toEqual(["get", "update", "get"]);
    expect(stack.recorded).toMatchObject({ id, outputs: emailChannel });
  });

  test("is deleted only after the input has been removed, and set or removed without a request", async () => {
    const adopt = service.addChannel(DOMAIN, HAND);
    const stack = await deployed({ ...emailChannel, adopt });
    const { id, outputs } = stack.recorded;
    await stack.provider().delete(id, outputs);

    expect(stack.messages.at(-1)).toMatch(
      /\) stays \(adopted\)\..* first remove adopt and run `pulumi up`$/,
    );

    for (const declared of [undefined, adopt, undefined]) {
      await stack.up({ ...emailChannel, adopt: declared });
      expect(stack.steps).toEqual(["update"]);
      expect(stack.recorded?.outputs.adopt).toBe(declared);
    }

    expect(takeRequests()).toEqual([]);

    await stack.destroy();
    expect(service.channels()).toEqual([]);
  });

  test("is not deleted by a resource that had it before in the same run", async () => {
    const stack = await deployed();
    const { id, outputs } = stack.recorded;
    const provider = stack.provider();
    await provider.create({ ...managed, adopt: id });
    await provider.delete(id.toUpperCase(), outputs);

    expect(service.channels()).toMatchObject([{ id }]);
    expect(stack.messages.at(-1)).toContain("is not deleted, because another resource of this run");
  });

  test("is adopted although an equal create has no clear outcome", async () => {
    const provider = stackOf().provider();
    fault("create", { reset: "before" });
    await failure(provider.create(managed));
    const adopt = service.addChannel(DOMAIN, HAND);

    expect(await provider.create({ ...managed, adopt })).toMatchObject({ id: adopt });
  });

  test("is replaced by another id, and the former one stays", async () => {
    const [first, second] = [service.addChannel(DOMAIN, HAND), service.addChannel(DOMAIN, HAND)];
    const stack = await deployed({ ...emailChannel, adopt: first });
    await stack.up({ ...emailChannel, adopt: second });

    expect(stack.steps).toEqual(["replace"]);
    expect(takeRequests()).toEqual(["get", "update"]);
    // Each is named once, although the replacement is compared and carried out.
    expect(stack.messages).toEqual([
      expect.stringContaining(`(id ${first}, domain ${DOMAIN}) is taken over`),
      expect.stringContaining(`(id ${first}, domain ${DOMAIN}) stays (adopted)`),
      expect.stringContaining(`(id ${second}, domain ${DOMAIN}) is taken over`),
    ]);
    expect(service.channels()).toMatchObject([{ id: first }, { id: second, value: EMAIL }]);
  });

  test("keeps its destination if none is declared, and says so", async () => {
    const id = service.addChannel(DOMAIN, HAND);
    const stack = await deployed({ ...emailChannel, value: null, adopt: id });
    expect(service.channels()).toMatchObject([{ id, label, value: HAND.value }]);
    expect(stack.messages[0]).toContain("Its destination stays unless you declare value");
  });

  test("belongs to one resource", async () => {
    const id = service.addChannel(DOMAIN, HAND);
    const stack = stackOf();
    const provider = stack.provider();
    const inputs = { ...managed, adopt: id, resourceName: "ops" };
    const another = { ...inputs, resourceName: "another", adopt: id.toUpperCase() };
    await provider.check({}, inputs);
    const { failures } = await provider.check({}, another);
    expect(failures).toMatchObject([
      { reason: expect.stringContaining('resource "ops" also has it, or takes it over') },
    ]);

    for (const declared of [inputs, another])
      expect(await failure(provider.create(declared))).toContain("is not taken over: resource");

    expect(takeRequests()).toEqual([]);
  });

  test("is taken over again by a replacement whose old half is removed first", async () => {
    const id = service.addChannel(DOMAIN, HAND);
    const inputs = { ...managed, adopt: id };
    const stack = await deployed(inputs);
    // As the engine does it with `--replace` and deleteBeforeReplace.
    const provider = stackOf().provider();
    const rotated = { ...inputs, label: "Rotated" };
    await provider.check(inputs, rotated);
    await provider.delete(id, stack.recorded.outputs);

    expect(await provider.create(rotated)).toMatchObject({ id });
    expect(service.channels()).toMatchObject([{ id, label: "Rotated" }]);
  });

  test("does not belong to another resource after the comparison of a refresh", async () => {
    const adopt = service.addChannel(DOMAIN, HAND);
    const stack = await deployed({ ...emailChannel, adopt });
    const { id, inputs, outputs } = stack.recorded;
    const provider = stack.provider();
    await provider.diff(id, outputs, inputs);
    const changed = await provider.check(inputs, { ...renamed, adopt });
    await provider.diff(id, outputs, changed.inputs);

    expect(stack.messages.join()).not.toContain("another resource");
  });

  test.each([
    ["another type", { type: "pushover" }],
    ["no destination", { value: null }],
  ])("is not replaced by itself: %s deletes nothing while adopt is set", async (_case, change) => {
    const id = service.addChannel(DOMAIN, HAND);
    const stack = await deployed({ ...emailChannel, adopt: id });
    const changed = { ...emailChannel, ...change };
    const message = await failure(stack.up({ ...changed, adopt: id }));

    expect(message).toContain("adopt names the channel that this update replaces");
    expect(stack.messages.join("\n")).toContain("remove adopt, so that another one is created");
    expect(takeRequests()).toEqual([]);

    await stack.up(changed);
    expect(stack.steps).toEqual(["replace"]);
    expect(service.channels()).toMatchObject([{ id }, { id: stack.recorded?.id, ...changed }]);
  });

  test("is refused in the preview without the managed lifecycle, and not said to be taken over", async () => {
    const stack = stackOf({ lifecycle: "create-only" });
    expect(await failure(stack.preview({ ...emailChannel, adopt: MISSING }))).toBe(
      'adopt needs lifecycle "managed": a create-only channel can only be created',
    );
    expect(stack.messages).toEqual([]);
  });

  test("may be unknown in a preview", async () => {
    const stack = await deployed();
    const fresh = stackOf();
    const news = { ...emailChannel, adopt: UNKNOWN };

    expect(await stack.preview(news)).toMatchObject({ changes: true, replaces: [] });
    expect(onlyMessage(stack)).toContain("may be replaced (not known yet: adopt)");
    expect(await fresh.preview(news)).toBeUndefined();
    expect(onlyMessage(fresh)).toContain("may be taken over (adopt is not known yet)");
  });
});

test("an adopted channel stays adopted through a time as create-only", async () => {
  const adopt = service.addChannel(DOMAIN, { label: "By hand", type: "email" });
  const stack = await deployed({ ...managed, adopt });
  await stack.up({ ...emailChannel, lifecycle: "create-only" });
  await stack.up(managed);
  await stack.destroy();

  expect(service.channels()).toMatchObject([{ id: adopt }]);
  expect(stack.messages.at(-1)).toContain(") stays (adopted). ");
});

const REPLACED =
  'resource "ops" is replaced, and resource "taker" takes its channel over. With deleteBeforeReplace';

test.each([
  ["keeps", {}, 'resource "taker" also has it, or takes it over', 'resource "ops" also has it'],
  ["is to lose", { type: "slack", value: WEBHOOK_URL }, REPLACED, REPLACED],
])(
  "a channel that a resource %s is taken over by no other one, whichever comes first",
  async (_what, change, ownRefusal, takerRefusal) => {
    const stack = await deployed();
    const { id, outputs } = stack.recorded;
    const ops = { ...managed, ...change, resourceName: "ops" };
    const other = { label: "Taker", value: OTHER_EMAIL };
    const taker = { ...managed, ...other, adopt: id, resourceName: "taker" };

    const early = stack.provider();
    await early.check({}, taker);
    await early.check(outputs, ops);

    expect(await failure(early.diff(id, outputs, ops))).toContain(ownRefusal);
    expect(await failure(early.create(taker))).toContain(takerRefusal);

    const late = stack.provider();
    await late.check(outputs, ops);
    await late.diff(id, outputs, ops);
    const { failures } = await late.check({}, taker);

    expect(failures).toMatchObject([{ reason: expect.stringContaining(takerRefusal) }]);
    expect(service.channels()).toMatchObject([{ label: emailChannel.label, value: EMAIL }]);
  },
);

// Of the other operations: hostile.test.ts.
test("a create with an unclear outcome shows no destination that the list repeats", async () => {
  const createdAt = `for ${pushoverChannel.value} on ${pushoverChannel.secondaryValue}`;
  const id = service.addChannel(DOMAIN, { label, type: "pushover", createdAt });

  // It is not listed before the create.
  fault("list", { status: 200, body: wire.page([]) });
  fault("create", errorWithDestinations);
  const message = await failure(stackOf().up(pushoverChannel));

  expect(message).toContain(ERROR_WITHOUT_DESTINATIONS);
  expect(message).toContain(`adopt: "${id}" (created for [redacted] on [redacted])`);
});

describe("a channel that is only referred to", () => {
  test("is read from the service, if its lifecycle and domain are given", async () => {
    const id = service.addChannel(DOMAIN, { label: "By hand", type: "slack", isProtected: true });
    const provider = stackOf().provider();
    const given = { domainId: DOMAIN, lifecycle: "managed", value: EMAIL };
    const { props, inputs } = await provider.read(id, given);
    const found = { label: "By hand", type: "slack", value: EMAIL };

    expect(props).toMatchObject({ ...found, channelId: id, isProtected: true });
    expect(inputs).toMatchObject(found);
    expect(takeRequests()).toEqual(["get"]);

    // In a preview the engine leaves out what is not known, or marks it.
    for (const unknown of [{}, { domainId: UNKNOWN }]) {
      const known = { lifecycle: "managed", ...unknown };
      expect((await provider.read(id, known)).props).toEqual({ ...known, channelId: id });
    }

    expect(takeRequests()).toEqual([]);
  });

  test("fails if there is none, because the engine would take an empty id for success", async () => {
    const referred = { domainId: DOMAIN, lifecycle: "managed" };
    const reading = () => stackOf().provider().read(MISSING, referred);

    expect(await failure(reading())).toContain(
      `${MISSING} of domain ${DOMAIN} is not read: the service has no such channel: check its id`,
    );

    fault("list", { status: 405 });
    expect(await failure(reading())).toContain(
      "Correct its domainId, the base address or the token",
    );
  });
});
