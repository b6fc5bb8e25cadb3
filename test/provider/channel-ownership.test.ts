/**
 * Whose a managed channel is: how one that went with its domain is dropped, and what a create or an
 * adoption makes the stack's own.
 */
import { startEmulator } from "../../packages/domain-monitoring-emulator/src";
import type { Properties } from "../../src/provider/boundary";
import * as wire from "../client/support/wire";
import { DOMAIN, EMAIL, emailChannel, WEBHOOK_URL } from "./support/channels";
import {
  deployed,
  failure,
  fault,
  OTHER_EMAIL,
  service,
  stackOf,
  takeRequests,
  useService,
} from "./support/service";

useService("NotificationChannel");

const managed: Properties = { ...emailChannel, lifecycle: "managed" };

test("a channel that went with its domain is dropped by the command of the error, without a request", async () => {
  const stack = await deployed();
  service.removeDomain(DOMAIN);
  const command =
    /: got 404, but the list of its domain, which would prove that it is gone, cannot be read \(GET .*404.*run `pulumi config set domain-monitoring:abandon (\S+)` and `pulumi refresh --run-program`, which drops it from the state/;

  const [, id] = command.exec(await failure(stack.refresh())) ?? [];
  expect(id).toBe(stack.recorded?.id);

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
    const id = stack.recorded?.id;
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
  const id = String(stack.recorded?.id);
  service.updateChannel(id, { type: "pushover" });
  await stack.refresh();

  expect(stack.steps).toEqual([]);
  expect(stack.recorded?.outputs).toMatchObject({ type: "email", reportedType: "pushover" });
  expect(stack.messages.at(-1)).toContain("the service reports it with the type pushover");

  await stack.up(emailChannel);
  expect(stack.steps).toEqual(["same"]);

  // The program declares what the service has: it is the same channel.
  await stack.up({ ...emailChannel, type: "pushover" });
  expect(stack.steps).toEqual(["update"]);
  expect(stack.recorded).toMatchObject({ id, outputs: { type: "pushover" } });
  expect(stack.recorded?.outputs.reportedType).toBeUndefined();
});

describe("a create whose response has", () => {
  const answer = (extra: Properties) => ({ status: 201, body: { data: wire.channel(extra) } });
  const alike = { label: emailChannel.label, type: "email" };

  test("only the id of a channel that was listed before adopts it", async () => {
    const id = service.addChannel(DOMAIN, { label: "Somebody else's", type: "email" });
    fault("create", { status: 201, body: { data: { id } } });
    const outcome = stackOf().provider().create(managed);
    await expect(outcome).rejects.toMatchObject({ id, properties: { adopted: true } });
  });

  test("the id of a channel that another resource has deletes nothing of that resource", async () => {
    const stack = stackOf();
    const provider = stack.provider();
    const first = await provider.create({ ...managed, resourceName: "first" });
    fault("create", answer({ ...alike, id: first.id }));
    const second = await provider.create({ ...managed, resourceName: "second" });
    expect(second).toMatchObject({ id: first.id, outs: { adopted: true } });

    await stackOf().provider().delete(second.id, second.outs);
    expect(service.channels()).toHaveLength(1);
  });

  test("another channel altogether is refused, and not sent again", async () => {
    const provider = stackOf().provider();
    fault("create", answer({ label: "Somebody else's", type: "slack" }));
    const message = await failure(provider.create(managed));

    expect(message).toContain("is not recorded: the service responded with a different channel");
    await failure(provider.create(managed));
    expect(takeRequests().filter((name) => name === "create")).toHaveLength(1);
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
    const { id = "", outputs = {} } = stack.recorded ?? {};
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

const adopted = { ...managed, adopted: true, resourceName: "second" };
const own = { ...managed, resourceName: "first" };

test.each([
  ["is not said to stay once it is deleted", [own, adopted], 0, "this run deletes it with"],
  ["stays if the adopting record goes first", [adopted, own], 1, "is not deleted, because"],
])("a channel that two records name %s", async (_what, records, left, message) => {
  const stack = await deployed();
  const { id = "", outputs = {} } = stack.recorded ?? {};
  const provider = stack.provider();
  for (const record of records) await provider.delete(id, { ...outputs, ...record });

  expect(service.channels()).toHaveLength(left);
  expect(stack.messages.at(-1)).toContain(message);
});

test("a record that waits for its delete leaves the channel to the resource's adopted one", async () => {
  const stack = await deployed();
  const { id = "", outputs = {} } = stack.recorded ?? {};
  const waiting = { ...outputs, resourceName: "ops" };
  const current = { ...waiting, adopted: true };
  const provider = stack.provider();
  const { inputs } = await provider.check(current, { ...managed, resourceName: "ops" });
  await provider.diff(id, current, inputs);
  await provider.delete(id, waiting);

  expect(service.channels()).toHaveLength(1);
  expect(stack.messages.at(-1)).toContain("is not deleted, because its replacement has it");
});
