/** Data that survives a restart, in a file. */
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryDirectory } from "../../../support/temporary";
import { closeEmulators, EXPIRING, emulatorForTest, get, HEALTHY, postChannel } from "../support";

const DESTINATION = "https://hooks.example.com/very-secret-destination";

let directory: string;
let file: string;
beforeEach(() => {
  directory = temporaryDirectory();
  file = path.join(directory, "state.json");
});
afterEach(() => closeEmulators());

const channel = { label: "On call", type: "slack", value: DESTINATION };

describe("an emulator with a file", () => {
  it("has after a restart what it had before, however it ended", async () => {
    const before = await emulatorForTest({ file, now: "2026-01-31", domains: [{ id: "kept" }] });
    await postChannel(before, channel, "kept");
    before.addChange("kept", "dns", { oldValue: null });
    const added = before.addDomain({ checked: false, whois: { checkStatus: "NEW" }, whoisChanges: [{}] });
    before.updateDomain("kept", { label: "Renamed" });
    before.updateChannel(before.channels()[0]?.id ?? "", { isDisabled: true });
    before.addChannel("kept", { label: "By hand", isProtected: true });
    before.removeChannel(before.addChannel("kept"));
    const paths = ["kept", added].flatMap((id) => [
      `/api/domains/${id}`,
      `/api/domains/${id}/changes/dns`,
      `/api/domains/${id}/changes/whois`,
    ]);
    const served = async (emulator: typeof before) =>
      Promise.all(
        paths.map(async (each) => (await (await get(emulator, each)).text()).replaceAll(emulator.url, "")),
      );
    const expected = await served(before);

    // Without closing the first one: a process that is killed cannot either.
    const after = await emulatorForTest({ file, now: "2026-01-31", domains: [{ id: "not looked at" }] });

    expect(await served(after)).toEqual(expected);
    expect(after.channels()).toMatchObject([{ isDisabled: true }, { label: "By hand", isProtected: true }]);
    expect(after.channels()).toEqual(before.channels());
    expect(after.domains()).toEqual(before.domains());
  });

  it("goes on with its seed where it was, and numbers domains on", async () => {
    const options = { file, seed: 5, domains: [] };
    const before = await emulatorForTest(options);
    const first = before.addDomain();
    await postChannel(before, channel, first);
    await before.close();

    const after = await emulatorForTest(options);
    const second = after.addDomain();
    await postChannel(after, channel, second);

    const unbroken = await emulatorForTest({ seed: 5, domains: [] });
    const ids = [unbroken.addDomain(), unbroken.addDomain()];
    for (const id of ids) await postChannel(unbroken, channel, id);
    expect([first, second]).toEqual(ids);
    expect(after.channels().map(({ id }) => id)).toEqual(unbroken.channels().map(({ id }) => id));
    expect(after.domains().map(({ number }) => number)).toEqual([1, 2]);
  });

  it("keeps neither token nor faults nor the log, and lets only its owner read", async () => {
    writeFileSync(path.join(directory, "other"), "");
    const emulator = await emulatorForTest({
      file,
      token: "token-to-keep-out",
      faults: [{ operation: "listDnsChanges", status: 500, body: "fault-to-keep-out" }],
    });
    await get(emulator, "/api/domains/asked-for");
    await postChannel(emulator, channel);

    const text = readFileSync(file, "utf8");
    expect(text).toContain(DESTINATION);
    expect(text).not.toContain("token-to-keep-out");
    expect(text).not.toContain("fault-to-keep-out");
    expect(text).not.toContain("asked-for");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory).sort()).toEqual(["other", "state.json"]);
  });

  it("is never written in place: who has the old state open keeps all of it", async () => {
    const emulator = await emulatorForTest({ file });
    const old = readFileSync(file, "utf8");
    const link = path.join(directory, "link");
    linkSync(file, link);

    await postChannel(emulator, channel);

    expect(readFileSync(link, "utf8")).toBe(old);
    expect(readFileSync(file, "utf8")).not.toBe(old);
  });

  it("narrows the rights of a file that was there with wider ones", async () => {
    const first = await emulatorForTest({ file });
    await first.close();
    const text = readFileSync(file);
    rmSync(file);
    writeFileSync(file, text, { mode: 0o644 });

    await emulatorForTest({ file });

    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("goes back by a reset to what it found at its start, and so does the file", async () => {
    const first = await emulatorForTest({ file });
    await postChannel(first, channel);
    await first.close();
    const second = await emulatorForTest({ file });
    await postChannel(second, channel, EXPIRING);
    second.removeDomain(HEALTHY);

    second.reset();

    const third = await emulatorForTest({ file });
    for (const emulator of [second, third]) {
      expect(emulator.channels()).toMatchObject([{ domainId: HEALTHY }]);
      expect(emulator.domains()).toHaveLength(3);
    }
  });

  it("answers 500 to a create that it could not keep", async () => {
    const emulator = await emulatorForTest({ file });
    rmSync(directory, { recursive: true });

    const answer = await postChannel(emulator, channel);

    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({ message: "The emulator failed." });
  });
});

describe("a file that cannot be used", () => {
  const valid = { format: 1, domains: [], channels: [], issuedIds: {} };

  it.each([
    ["is empty", ""],
    ["is cut off", `{"format":1,"domains":[{"label":"${DESTINATION}`],
    ["is another kind of JSON", JSON.stringify([DESTINATION])],
    ["is of a later format", JSON.stringify({ ...valid, format: 2 })],
    ["holds more than it should", JSON.stringify({ ...valid, [DESTINATION]: 1 })],
    ["holds a channel that is none", JSON.stringify({ ...valid, channels: [{ value: DESTINATION }] })],
  ])("is refused where it %s, is left as it is, and nothing of it is quoted", async (_name, text) => {
    writeFileSync(file, text);

    const refused = await emulatorForTest({ file }).catch((error: unknown) => error);

    expect(refused).toBeInstanceOf(Error);
    expect(String(refused)).toContain(`the file ${file} does not hold the state of an emulator`);
    expect(String(refused)).toContain("remove this one to start over");
    expect(String(refused)).not.toContain("very-secret");
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("is refused where it is a directory, or in none that exists", async () => {
    mkdirSync(file);
    await expect(emulatorForTest({ file })).rejects.toThrow(`the file ${file} cannot be read (EISDIR)`);

    const nowhere = path.join(directory, "missing", "state.json");
    await expect(emulatorForTest({ file: nowhere })).rejects.toThrow(
      `the file ${nowhere} cannot be written (ENOENT)`,
    );
  });
});
