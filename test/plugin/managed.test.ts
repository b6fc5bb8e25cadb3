/**
 * The engine's calls for a managed channel. The core's decisions are tested in test/provider and
 * test/e2e.
 */
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { type Properties, UNKNOWN } from "../../src/provider/boundary";
import { DOMAIN, TOKEN, WEBHOOK_URL, webhookChannel } from "../provider/support/channels";
import { type PluginProcess, refusalOf, secret, usePlugin } from "./support/plugin-process";

describe("a managed channel's calls", () => {
  const URN = "urn:pulumi:test::test::domain-monitoring:index:NotificationChannel::ops";
  const TEXT = { __provider: "exports.handler=…" };
  const OTHER_DOMAIN = "22222222-2222-4222-8222-222222222222";
  const ABSENT = "44444444-4444-4444-8444-444444444444";
  const declared: Properties = { ...webhookChannel, lifecycle: "managed" };
  const inPlace = { changes: "some", replaces: [] };
  let emulator: Emulator;
  let plugin: PluginProcess;
  let counted = 0;

  usePlugin({ lifecycle: "managed" }, (started) => {
    ({ emulator, plugin } = started);
  });

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
  const warnings = () => plugin.logged.map(({ urn, message }) => ({ urn, message }));

  test("change it in place, read and delete it with a sealed destination", async () => {
    const { id, recorded } = await created();
    expect(recorded).toMatchObject({ lifecycle: "managed" });

    const news = { ...declared, label: "Renamed", value: `${WEBHOOK_URL}2` };
    expect(await plugin.diff(id, recorded, news)).toMatchObject(inPlace);

    const properties = await plugin.update(id, recorded, news);
    expect(properties).toMatchObject({
      label: "Renamed",
      value: secret(news.value),
      secondaryValue: secret("PUT"),
    });
    expect(emulator.channels()).toMatchObject([{ id, label: "Renamed", value: news.value }]);

    emulator.updateChannel(id, { label: "By hand" });
    const read = await plugin.read(id, {
      ...properties,
      value: news.value,
      secondaryValue: "PUT",
      ...TEXT,
    });

    expect(read).toMatchObject({
      id,
      properties: { label: "By hand", value: secret(news.value), ...TEXT },
      inputs: { label: "By hand", value: secret(news.value), secondaryValue: secret("PUT") },
    });
    expect(read.inputs).not.toHaveProperty("__provider");

    await restarted();
    await plugin.delete(id, recorded);
    expect(emulator.channels()).toEqual([]);
    expect(methods()).toEqual(["PATCH", "GET", "DELETE"]);
    expect(warnings()).toEqual([
      { urn: URN, message: expect.stringMatching(/id \S+\): the destination changes \(value\)$/) },
    ]);
  });

  test("return neither an id nor properties for a channel that is gone, because the engine would record them", async () => {
    const { id, recorded } = await created();
    emulator.removeChannel(id);

    expect(await plugin.read(id, recorded)).toMatchObject({ id: "", hasProperties: false });

    await restarted();
    await plugin.delete(id, recorded);
    expect(warnings()).toEqual([
      { urn: URN, message: expect.stringContaining("it was removed by somebody else") },
    ]);
  });

  test("record which part of an update was not confirmed, sealed and with the dynamic provider's text", async () => {
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

  test("read what a program only refers to by the same two ids", async () => {
    const { id } = await created();
    // The engine sends an object here; it is empty if nothing is known.
    const read = await plugin.read(`${DOMAIN}/${id}`, {});
    expect(read).toMatchObject({
      id,
      properties: { channelId: id, label: declared.label, lifecycle: "managed" },
    });
    expect(warnings()).toEqual([]);

    const failure = await refusalOf(plugin.read(`${DOMAIN}/${ABSENT}`, {}));
    expect(failure.message).toContain(ABSENT);

    // Another resource of the same program may own it, and still changes and deletes it.
    const news = { ...declared, label: "Renamed" };
    expect(await plugin.diff(id, read.properties, news)).toMatchObject({ changes: "some" });
  });

  test("are refused a delete without the domain, by an id that nothing records", async () => {
    const { message } = await refusalOf(plugin.delete(ABSENT, {}));
    expect(message).toBe("to delete a channel that no stack has, pass DOMAIN_ID/CHANNEL_ID");
    expect(emulator.requests).toEqual([]);
  });

  describe("of an import", () => {
    test("read it by its domain's id and its own, and say that the destination is to be declared", async () => {
      const { id } = await created();
      const { properties, inputs = {}, ...read } = await plugin.read(`${DOMAIN}/${id}`);
      const { value: _value, secondaryValue: _method, ...shown } = declared;

      expect(read).toMatchObject({ id });
      // A program may keep the label secret.
      expect(inputs).toEqual({ ...shown, label: secret(shown.label) });
      expect(properties).toMatchObject({
        ...shown,
        label: secret(shown.label),
        channelId: id,
        isProtected: false,
        imported: true,
      });

      for (const record of [properties, inputs]) expect(record).not.toHaveProperty("value");
      expect(warnings()).toEqual([
        {
          urn: URN,
          message: expect.stringMatching(
            `"\\[secret\\]" .*id ${id}\\) is imported without its destination`,
          ),
        },
      ]);

      // The importing run shows no difference; it only names the changes of the next update.
      const other = { ...declared, label: "Other" };
      expect(await plugin.diff(id, properties, other)).toMatchObject({ changes: "none" });
      expect(warnings().at(-1)?.message).toContain(
        "The next update sets label, value, secondaryValue as declared",
      );

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

    test("leave its destination alone where none is declared", async () => {
      const { id } = await created();
      const { properties, inputs = {} } = await plugin.read(`${DOMAIN}/${id}`);
      await restarted();
      const { inputs: news } = await plugin.check(inputs);

      // Whether the program keeps the label secret or not.
      for (const { label } of [news, declared])
        expect(await plugin.diff(id, properties, { ...news, label })).toMatchObject({
          changes: "none",
        });

      await plugin.update(id, properties, { ...news, label: "Renamed" });
      expect(emulator.channels()).toMatchObject([
        { id, label: "Renamed", value: WEBHOOK_URL, secondaryValue: "PUT" },
      ]);
    });

    test.each([
      ["type", { type: "email" }],
      ["domainId", { domainId: OTHER_DOMAIN }],
    ])("refuse to replace it for another %s or create-only, even later", async (name, wrong) => {
      const { id } = await created();
      const { properties } = await plugin.read(`${DOMAIN}/${id}`);
      for (const run of ["import", "the next"]) {
        const { message } = await refusalOf(plugin.diff(id, properties, { ...declared, ...wrong }));

        expect({ run, message }).toEqual({
          run,
          message: expect.stringContaining(
            `is declared with another ${name}, so it would be replaced: declare what it is, or correct the id of the import`,
          ),
        });

        await restarted();
      }

      const { message } = await refusalOf(plugin.diff(id, properties, webhookChannel));
      expect(message).toMatch(/so it would be replaced: declare lifecycle "managed"$/);

      const unknown = { ...declared, [name]: UNKNOWN };
      expect(await plugin.diff(id, properties, unknown)).toMatchObject({ replaces: [name] });
    });

    test("keep one where its resource imports another one instead", async () => {
      const [{ id }, other] = [await created(), await created()];
      const { properties } = await plugin.read(`${DOMAIN}/${id}`);
      await restarted();
      await plugin.read(`${DOMAIN}/${other.id}`);
      await plugin.delete(id, properties);

      expect(emulator.channels()).toHaveLength(2);
      expect(warnings().at(-1)?.message).toContain(
        "it is dropped from the state and stays in the service",
      );
    });

    test("refuse a channel that does not exist, and like every call an id that is not valid", async () => {
      const { message } = await refusalOf(plugin.read(`${DOMAIN}/${ABSENT}`));
      expect(message).toContain("the service has no such channel: check its id and its domainId");
      expect((await refusalOf(plugin.read(`../${ABSENT}`))).message).toContain(
        "domainId is not a valid id",
      );

      const requestsBefore = emulator.requests.length;
      const paths = [`/${ABSENT}`, `${DOMAIN}/`, `${DOMAIN}/history`, `${DOMAIN}/${ABSENT}/x`];
      const ids = [...paths, "anything"];

      const calls = ids.flatMap((id) => [
        plugin.read(id),
        plugin.update(id, {}, declared),
        plugin.delete(id, {}),
      ]);

      for (const call of calls)
        expect((await refusalOf(call)).message).toBe(
          "the id is not a channel's UUID or DOMAIN_ID/CHANNEL_ID: correct it",
        );

      expect(emulator.requests).toHaveLength(requestsBefore);
    });

    test("is checked as any other where a program declares nothing: not even its label", async () => {
      const { id } = await created();
      await plugin.read(`${DOMAIN}/${id}`);
      expect((await plugin.check({})).failures).toHaveLength(3);
    });

    test("is followed by no delete of the channel by the same resource, and by the other deletes", async () => {
      const [{ id, recorded }, other] = [await created(), await created()];
      await restarted();
      await plugin.read(`${DOMAIN}/${id}`);
      await plugin.delete(id, recorded);
      await plugin.delete(other.id, other.recorded);

      expect(emulator.channels()).toMatchObject([{ id }]);
      expect(warnings().at(-1)?.message).toContain(
        "is not deleted, because its replacement has it",
      );
    });

    test("on a service that shows no channels name the reference by the channel's id alone", async () => {
      await using createOnly = await startEmulator({ token: TOKEN });
      await plugin.configure({ baseUrl: createOnly.url, apiToken: secret(TOKEN) });
      const { message } = await refusalOf(plugin.read(`${DOMAIN}/${ABSENT}`));

      expect(message).toContain("refer to it by the channel's id alone");
      expect(message).not.toContain("state delete");
    });

    test.each([ABSENT, "ABCDEF44-4444-4444-8444-444444444444"])(
      "by the id alone are refused: %s",
      async (id) => {
        expect((await refusalOf(plugin.read(id))).message).toBe(
          "to import a channel, pass DOMAIN_ID/CHANNEL_ID, which a service that shows channels needs: to refer to one without reading it, use get",
        );
        expect(emulator.requests).toEqual([]);
      },
    );
  });
});
