import { Agent, get as httpGet } from "node:http";
import { startEmulator } from "../../../src/testing/emulator";
import { closeEmulators, emulatorForTest, get, HEALTHY, postChannel } from "./support";

afterEach(closeEmulators);

describe("an emulator", () => {
  it("listens on loopback, on the port that was asked for", async () => {
    const first = await emulatorForTest();
    const port = Number(new URL(first.url).port);
    await first.close();

    const second = await emulatorForTest({ port });

    expect(second.url).toBe(`http://127.0.0.1:${port}`);
    expect((await get(second, `/api/domains/${HEALTHY}`)).status).toBe(200);
  });

  it("says which port is taken", async () => {
    const { url } = await emulatorForTest();

    await expect(emulatorForTest({ port: Number(new URL(url).port) })).rejects.toMatchObject({
      code: "EADDRINUSE",
    });
  });

  it("goes back to the state it started with, ids included", async () => {
    const emulator = await emulatorForTest({
      now: "2026-01-31",
      domains: [{ id: "kept", whoisChanges: [{ id: "original" }] }, { id: "removed" }],
      faults: [{ status: 500 }],
    });
    const domains = emulator.domains();
    const list = "/api/domains/kept/changes/whois";
    await get(emulator, list);
    await postChannel(emulator, { label: "On call", type: "email", value: null }, "kept");
    emulator.addChange("kept", "whois", { id: "added" });
    emulator.updateDomain("kept", { label: "Other" });
    emulator.removeDomain("removed");
    emulator.addDomain();
    emulator.fault({ status: 502 });
    emulator.advance({ days: 1 });

    emulator.reset();

    expect(emulator.requests).toEqual([]);
    expect(emulator.channels()).toEqual([]);
    expect(emulator.domains()).toEqual(domains);
    expect(emulator.now().toISOString()).toBe("2026-01-31T00:00:00.000Z");
    expect((await get(emulator, list)).status).toBe(500);
    expect(await (await get(emulator, list)).json()).toMatchObject({
      data: [{ id: "original" }],
      meta: { total: 1 },
    });
  });

  it("does not let its channels be edited from outside", async () => {
    const emulator = await emulatorForTest();
    await postChannel(emulator, { label: "On call", type: "email", value: null });

    for (const channel of emulator.channels()) channel.label = "edited";

    expect(emulator.channels()).toMatchObject([{ label: "On call" }]);
  });

  it("ends connections that are kept alive, and may be closed again", async () => {
    const emulator = await emulatorForTest();
    const agent = new Agent({ keepAlive: true });
    const socketEnded = new Promise<void>((resolve, reject) => {
      const request = httpGet(`${emulator.url}/openapi.json`, { agent }, (answer) => {
        answer.socket.once("close", () => resolve());
        answer.resume().once("end", () => void emulator.close());
      });
      request.once("error", reject);
    });

    await socketEnded;
    await Promise.all([emulator.close(), emulator.close()]);
    agent.destroy();

    await expect(fetch(emulator.url)).rejects.toThrow("fetch failed");
  });

  it("ends with the block that uses it", async () => {
    const emulator = await startEmulator();

    await emulator[Symbol.asyncDispose]();

    await expect(fetch(emulator.url)).rejects.toThrow("fetch failed");
  });

  it("leaves the Request and Response of its process alone", async () => {
    const { Request: request, Response: response } = globalThis;

    await emulatorForTest();

    expect(globalThis.Request).toBe(request);
    expect(globalThis.Response).toBe(response);
  });
});
