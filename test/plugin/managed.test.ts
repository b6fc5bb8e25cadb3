/**
 * The engine's calls for a managed channel. The core's decisions are tested in test/provider and
 * test/e2e.
 */
import { startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { type Properties, UNKNOWN } from "../../src/provider/boundary";
import { DOMAIN, TOKEN, WEBHOOK_URL, webhookChannel } from "../provider/support/channels";
import { CHANNEL_URN, refusalOf, secret, usePlugin } from "./support/plugin-process";

const TEXT = { __provider: "exports.handler=…" };
const OTHER_DOMAIN = "22222222-2222-4222-8222-222222222222";
const ABSENT = "44444444-4444-4444-8444-444444444444";
const declared: Properties = { ...webhookChannel, lifecycle: "managed" };
const inPlace = { changes: "some", replaces: [] };
let counted = 0;

const { emulator, plugin } = usePlugin({ lifecycle: "managed" });

/** Behaves like the process of another run. */
const restarted = () =>
  plugin.configure({ baseUrl: emulator.url, apiToken: secret(TOKEN), maxRetries: "0" });

/** A channel in the service, and its record as the engine sends it: with secrets in clear. */
async function created() {
  const { id, properties } = await plugin.create(declared);
  counted = emulator.requests.length;
  return { id, recorded: { ...properties, value: WEBHOOK_URL, secondaryValue: "PUT" } };
}

const methods = () => emulator.requests.slice(counted).map(({ method }) => method);
const lastLine = () => plugin.logged.at(-1)?.message;

test("a managed channel is changed in place, read and deleted, with a sealed destination", async () => {
  const { id, recorded } = await created();
  expect(recorded).toMatchObject({ lifecycle: "managed" });

  const news = { ...declared, label: "Renamed", value: `${WEBHOOK_URL}2` };
  expect(await plugin.diff(id, recorded, news)).toMatchObject(inPlace);

  const properties = await plugin.update(id, recorded, news);
  const sealed = { value: secret(news.value), secondaryValue: secret("PUT") };
  expect(properties).toMatchObject({ label: "Renamed", ...sealed });
  expect(emulator.channels()).toMatchObject([{ id, label: "Renamed", value: news.value }]);

  emulator.updateChannel(id, { label: "By hand" });
  const clear = { ...properties, value: news.value, secondaryValue: "PUT", ...TEXT };
  const read = await plugin.read(id, clear);
  expect(read).toMatchObject({
    id,
    properties: { label: "By hand", value: secret(news.value), ...TEXT },
    inputs: { label: "By hand", ...sealed },
  });
  expect(read.inputs).not.toHaveProperty("__provider");

  await restarted();
  await plugin.delete(id, recorded);
  expect(emulator.channels()).toEqual([]);
  expect(methods()).toEqual(["PATCH", "GET", "DELETE"]);
  expect(plugin.logged).toMatchObject([
    { urn: CHANNEL_URN, message: expect.stringMatching(/the destination changes \(value\)$/) },
  ]);
});

test("a channel that is gone is read without id and properties, because the engine would record them", async () => {
  const { id, recorded } = await created();
  emulator.removeChannel(id);

  expect(await plugin.read(id, recorded)).toMatchObject({ id: "", hasProperties: false });

  await restarted();
  await plugin.delete(id, recorded);
  expect(plugin.logged).toMatchObject([
    { urn: CHANNEL_URN, message: expect.stringContaining("it was removed by somebody else") },
  ]);
});

test("an update that is not confirmed is recorded, sealed and with the dynamic provider's text", async () => {
  const { id, recorded } = await created();
  emulator.fault({ operation: "updateNotificationChannel", reset: "after" });
  const news = { ...declared, value: `${WEBHOOK_URL}2` };
  const { message, partial } = await refusalOf(plugin.update(id, { ...recorded, ...TEXT }, news));

  expect(message).toContain("PATCH ");
  expect(partial).toMatchObject({
    id,
    properties: {
      unconfirmed: ["value"],
      value: secret(WEBHOOK_URL),
      secondaryValue: secret("PUT"),
      ...TEXT,
    },
    reasons: [message],
  });
});

test("a channel that a resource has is imported by no other one, whichever comes first", async () => {
  const { id, recorded } = await created();
  const compare = async () => {
    await plugin.check(declared, declared);
    return plugin.diff(id, recorded, declared);
  };
  const again = () => plugin.read(`${DOMAIN}/${id}`, undefined, `${CHANNEL_URN}-again`);

  await restarted();
  await compare();
  expect((await refusalOf(again())).message).toMatch(/resource "ops" .* remove one of the two/);
  expect(methods()).toEqual([]);

  await restarted();
  await again();
  expect((await refusalOf(compare())).message).toMatch(/"ops-again" .* remove one of the two/);
  expect(methods()).toEqual(["GET"]);
});

test("a channel whose import fails is deleted by no record of the run", async () => {
  const { id, recorded } = await created();
  await restarted();
  emulator.fault({ operation: "getNotificationChannel", status: 500 });
  await refusalOf(plugin.read(`${DOMAIN}/${id}`));

  await plugin.delete(id, recorded);
  expect(emulator.channels()).toMatchObject([{ id }]);
  expect(lastLine()).toContain("is not deleted, because");
});

test("a channel that a program only refers to is read by its domain's id and its own", async () => {
  const { id } = await created();
  // The engine sends an object here; it is empty if nothing is known.
  const read = await plugin.read(`${DOMAIN}/${id}`, {});
  expect(read).toMatchObject({
    id,
    properties: { channelId: id, label: declared.label, lifecycle: "managed" },
  });
  expect(plugin.logged).toEqual([]);

  // Another resource of the same program may own it, and still changes and deletes it.
  const news = { ...declared, label: "Renamed" };
  expect(await plugin.diff(id, read.properties, news)).toMatchObject({ changes: "some" });
});

test("a channel that nothing records is not deleted without its domain", async () => {
  const { message } = await refusalOf(plugin.delete(ABSENT, {}));
  expect(message).toBe("to delete a channel that no stack has, pass DOMAIN_ID/CHANNEL_ID");
  expect(emulator.requests).toEqual([]);
});

test.each([`/${ABSENT}`, `${DOMAIN}/`, `${DOMAIN}/history`, `${DOMAIN}/${ABSENT}/x`, "anything"])(
  "every call refuses the id %s",
  async (id) => {
    const calls = [plugin.read(id), plugin.update(id, {}, declared), plugin.delete(id, {})];
    for (const call of calls)
      expect((await refusalOf(call)).message).toBe(
        "the id is not a channel's UUID or DOMAIN_ID/CHANNEL_ID: correct it",
      );

    expect(emulator.requests).toEqual([]);
  },
);

describe("an import", () => {
  /** Imports a channel that is in the service. */
  async function imported() {
    const { id } = await created();
    return plugin.read(`${DOMAIN}/${id}`);
  }

  test("reads a channel by its domain's id and its own, and says that the destination is to be declared", async () => {
    const { id, properties, inputs = {} } = await imported();
    const { value: _value, secondaryValue: _method, ...rest } = declared;

    // A program may keep the label secret.
    const shown = { ...rest, label: secret(rest.label) };
    expect(inputs).toEqual(shown);
    const facts = { channelId: id, isProtected: false, imported: true };
    expect(properties).toMatchObject({ ...shown, ...facts });
    expect(properties).not.toHaveProperty("value");
    expect(lastLine()).toMatch(/"\[secret\]" .* is imported without its destination/);

    // The importing run shows no difference; it only names the changes of the next update.
    const other = { ...declared, label: "Other" };
    expect(await plugin.diff(id, properties, other)).toMatchObject({ changes: "none" });
    expect(lastLine()).toContain("The next update sets label, value, secondaryValue as declared");

    await restarted();

    // `pulumi import` then checks these inputs.
    expect((await plugin.check(inputs, inputs)).failures).toEqual([]);

    const news = { ...declared, value: `${WEBHOOK_URL}2` };
    expect(await plugin.diff(id, properties, news)).toMatchObject(inPlace);

    emulator.updateChannel(id, { label: "Since by hand" });
    expect(await plugin.update(id, properties, news)).not.toHaveProperty("imported");
    expect(methods()).toEqual(["GET", "PATCH"]);
    // Only the destination is sent.
    expect(emulator.channels()).toMatchObject([
      { id, label: "Since by hand", value: `${WEBHOOK_URL}2` },
    ]);
  });

  test("leaves the destination alone where none is declared", async () => {
    const { id, properties, inputs = {} } = await imported();
    await restarted();
    const { inputs: news } = await plugin.check(inputs);

    // Whether the program keeps the label secret or not.
    for (const { label } of [news, declared])
      expect((await plugin.diff(id, properties, { ...news, label })).changes).toBe("none");

    await plugin.update(id, properties, { ...news, label: "Renamed" });
    expect(emulator.channels()).toMatchObject([
      { id, label: "Renamed", value: WEBHOOK_URL, secondaryValue: "PUT" },
    ]);
  });

  test.each([
    ["type", { type: "email" }],
    ["domainId", { domainId: OTHER_DOMAIN }],
  ])(
    "refuses to replace the channel for another %s, in its run and in the next",
    async (name, wrong) => {
      const { id, properties } = await imported();
      const replaced = () => refusalOf(plugin.diff(id, properties, { ...declared, ...wrong }));
      const { message } = await replaced();
      await restarted();

      expect(message).toContain(
        `is declared with another ${name}, so it would be replaced: declare what it is, or correct the id of the import`,
      );
      expect(await replaced()).toMatchObject({ message });

      const unknown = { ...declared, [name]: UNKNOWN };
      expect(await plugin.diff(id, properties, unknown)).toMatchObject({ replaces: [name] });
    },
  );

  test("refuses to replace the channel by a create-only one", async () => {
    const { id, properties } = await imported();
    const { message } = await refusalOf(plugin.diff(id, properties, webhookChannel));
    expect(message).toMatch(/so it would be replaced: declare lifecycle "managed"$/);
  });

  test("keeps the channel where its resource imports another one instead", async () => {
    const { id, properties } = await imported();
    await restarted();
    await imported();
    await plugin.delete(id, properties);

    expect(emulator.channels()).toHaveLength(2);
    expect(lastLine()).toContain("it is dropped from the state and stays in the service");
  });

  test("refuses a channel that does not exist", async () => {
    const { message } = await refusalOf(plugin.read(`${DOMAIN}/${ABSENT}`));
    expect(message).toContain("the service has no such channel: check its id and its domainId");
  });

  test.each([
    [`../${ABSENT}`, "domainId is not a valid id"],
    [
      "ABCDEF44-4444-4444-8444-444444444444",
      "to import a channel, pass DOMAIN_ID/CHANNEL_ID, which a service that shows channels needs: to refer to one without reading it, use get",
    ],
  ])("refuses the id %s", async (id, expected) => {
    expect((await refusalOf(plugin.read(id))).message).toContain(expected);
    expect(emulator.requests).toEqual([]);
  });

  test("is followed by no delete of the channel by the same resource, and by the other deletes", async () => {
    const [{ id, recorded }, other] = [await created(), await created()];
    await restarted();
    await plugin.read(`${DOMAIN}/${id}`);
    await plugin.delete(id, recorded);
    await plugin.delete(other.id, other.recorded);

    expect(emulator.channels()).toMatchObject([{ id }]);
    expect(lastLine()).toContain("is not deleted, because its replacement has it");
  });

  test("names the reference by the channel's id alone on a service that shows no channels", async () => {
    await using createOnly = await startEmulator({ token: TOKEN });
    await plugin.configure({ baseUrl: createOnly.url, apiToken: secret(TOKEN) });
    const { message } = await refusalOf(plugin.read(`${DOMAIN}/${ABSENT}`));

    expect(message).toContain("refer to it by the channel's id alone");
  });
});
