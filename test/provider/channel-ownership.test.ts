/**
 * Whose a managed channel is: what proves that one is gone with its domain, and what a create or an
 * adoption makes the stack's own.
 */
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
  startOther,
  takeRequests,
  useService,
} from "./support/service";

const OTHER_TOKEN = "other-account-token";
const OTHERS = { [OTHER_TOKEN]: [{ domain: "other.example", label: "Other account" }] };

useService("NotificationChannel", { accounts: OTHERS });

const managed: Properties = { ...emailChannel, lifecycle: "managed" };

/** Three channels of a domain, created by one process. */
async function createThree() {
  const provider = stackOf().provider();
  const labels = ["First", "Second", "Third"];
  return Promise.all(labels.map((label) => provider.create({ ...managed, label })));
}

describe("a domain that answers 404 itself", () => {
  const UNPROVEN =
    /: got 404, but the list of its domain, which would prove that it is gone, cannot be read \(GET .*404.*run `pulumi config set domain-monitoring:abandon (\S+)` and `pulumi refresh --run-program`, which drops it from the state/;

  test.each([
    ["was removed by hand", {}],
    ["is of another account than the token's", { apiToken: OTHER_TOKEN }],
  ])("proves nothing: one that %s", async (_why, settings) => {
    const recorded = await createThree();
    if (!("apiToken" in settings)) service.removeDomain(DOMAIN);
    const provider = stackOf(settings).provider();
    takeRequests();
    for (const { id, outs } of recorded) {
      for (const step of [provider.read(id, outs), provider.delete(id, outs)]) {
        const message = await failure(step);
        expect(message).toMatch(UNPROVEN);
        expect(message).not.toContain("\n");
      }
    }

    expect(takeRequests()).not.toContain("listDomains");
  });

  test("is dropped with its channels by the command of the error, without a request", async () => {
    const stack = await deployed();
    service.removeDomain(DOMAIN);
    const [, id] = UNPROVEN.exec(await failure(stack.refresh())) ?? [];

    expect(id).toBe(stack.recorded?.id);

    takeRequests();
    stack.settings.abandon = String(id);
    await stack.refresh();

    expect(stack.steps).toEqual(["gone"]);
    expect(takeRequests()).toEqual([]);
    expect(stack.messages.at(-1)).toContain("because domain-monitoring:abandon lists it");
  });
});

describe("another address, where domains have the same ids", () => {
  test("is not recorded by an update that asks the service nothing", async () => {
    const adopt = (await stackOf().provider().create(managed)).id;
    const stack = await deployed({ ...emailChannel, adopt });
    await startOther({ lifecycle: "managed" });
    Object.assign(stack.settings, { baseUrl: service.url, apiToken: service.token });
    await stack.up(emailChannel);

    expect(takeRequests()).toEqual([]);
    expect(await failure(stack.refresh())).toContain("it was recorded at another base address");
  });

  test("is where a channel is read, once the stack says that the service has moved", async () => {
    const stack = await deployed();
    const { id, outputs: { createdAt } = {} } = stack.recorded ?? {};
    const movedFrom = service.url;
    await startOther({ lifecycle: "managed" });
    Object.assign(stack.settings, { baseUrl: service.url, apiToken: service.token, movedFrom });
    fault("get", { status: 200, body: { data: wire.channel({ id, created_at: createdAt }) } });
    await stack.refresh();

    expect(takeRequests()).toEqual(["get"]);
    expect(stack.recorded).toMatchObject({ id });
  });

  test("is asked for nothing if what the service has moved from is no address", async () => {
    const { failures } = await stackOf({ movedFrom: "old.example" }).provider().check({}, managed);
    expect(failures).toMatchObject([
      { reason: expect.stringMatching(/^stack config domain-monitoring:movedFrom: /) },
    ]);
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

  test("a date of long ago is the stack's own, because a service may date in local time", async () => {
    for (const created_at of ["2019-01-31 08:30:00", "2019-01-31T08:30:00+02:00"]) {
      fault("create", answer({ ...alike, created_at }));
      expect((await deployed()).recorded?.outputs.adopted).toBeUndefined();
    }
  });

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
    fault("create", answer({ ...alike, id: first.id, created_at: first.outs.createdAt }));
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

test("a channel that a declared resource has is adopted by no other one, whichever comes first", async () => {
  const stack = await deployed();
  const { id = "", outputs = {} } = stack.recorded ?? {};
  const ops = { ...managed, resourceName: "ops" };
  const other = { label: "Taker", value: OTHER_EMAIL };
  const taker = { ...managed, ...other, adopt: id, resourceName: "taker" };

  const early = stack.provider();
  await early.check({}, taker);
  const { inputs } = await early.check(outputs, ops);

  expect(await failure(early.diff(id, outputs, inputs))).toContain(
    'resource "taker" also has it, or takes it over: remove one of the two',
  );
  expect(await failure(early.create(taker))).toContain('resource "ops" also has it');

  const late = stack.provider();
  await late.check(outputs, ops);
  await late.diff(id, outputs, inputs);
  const { failures } = await late.check({}, taker);

  expect(failures).toMatchObject([{ reason: expect.stringContaining('resource "ops" also') }]);
  expect(service.channels()).toMatchObject([{ label: emailChannel.label, value: EMAIL }]);
});

test("a channel that is to be replaced is taken over by no other resource of the run", async () => {
  const stack = await deployed();
  const { id = "", outputs = {} } = stack.recorded ?? {};
  const replaced = { ...managed, type: "slack", value: WEBHOOK_URL, resourceName: "ops" };
  const taker = { ...managed, adopt: id, resourceName: "taker" };
  const REFUSED =
    'resource "ops" is replaced, and resource "taker" takes its channel over. With deleteBeforeReplace';

  const early = stack.provider();
  await early.check({}, taker);
  await early.check(outputs, replaced);

  expect(await failure(early.diff(id, outputs, replaced))).toContain(REFUSED);

  const late = stack.provider();
  await late.check(outputs, replaced);
  await late.diff(id, outputs, replaced);

  const { failures } = await late.check({}, taker);
  expect(failures).toMatchObject([{ reason: expect.stringContaining(REFUSED) }]);
});

const adopted = { ...managed, adopted: true, resourceName: "second" };
const own = { ...managed, resourceName: "first" };

test.each([
  ["is not said to stay once it is deleted", [own, adopted], "this run deletes it with"],
  ["stays if the adopting record goes first", [adopted, own], "is not deleted, because"],
])("a channel that two records name %s", async (_what, records, message) => {
  const stack = await deployed();
  const { id = "", outputs = {} } = stack.recorded ?? {};
  const provider = stack.provider();
  for (const record of records) await provider.delete(id, { ...outputs, ...record });

  expect(service.channels()).toHaveLength(records[0] === own ? 0 : 1);
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

test("an update costs one request, however the service writes its dates", async () => {
  const id = "99999999-9999-4999-8999-999999999999";
  const created_at = "31 January 2026, 8 am";
  const data = wire.channel({ id, label: emailChannel.label, type: "email", created_at });
  fault("create", { status: 201, body: { data } });
  const stack = await deployed();
  takeRequests();
  fault("update", { status: 200, body: { data: { ...data, label: "Day shift" } } });
  await stack.up({ ...managed, label: "Day shift" });

  expect(takeRequests()).toEqual(["update"]);
});
