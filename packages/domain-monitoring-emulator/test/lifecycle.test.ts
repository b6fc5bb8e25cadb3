/** The life of an emulator: its port, refused connections, a reset, its end. */
import { Agent, get as httpGet } from "node:http";
import { until } from "../../../test/support/run";
import { at, channel, ID } from "./examples";
import { ask, emulatorForTest, statuses } from "./support";

const READ = `GET ${at.domain}`;
const refused = { cause: expect.objectContaining({ code: "ECONNREFUSED" }) };

describe("an emulator", () => {
  it("listens on the given loopback port, and says if that is taken", async () => {
    const first = await emulatorForTest();
    const port = Number(new URL(first.url).port);

    await expect(emulatorForTest({ port })).rejects.toMatchObject({ code: "EADDRINUSE" });

    await first.close();
    const second = await emulatorForTest({ port });
    expect(second.url).toBe(`http://127.0.0.1:${port}`);
    expect(await statuses(second, READ)).toEqual([200]);
  });

  it("goes back to the state it started with, ids included", async () => {
    const seeded = { whoisChanges: [{ id: "original" }], channels: [{ id: ID }, {}] };
    const emulator = await emulatorForTest({
      now: "2026-01-31",
      domains: [{ id: "kept", ...seeded }, { id: "removed" }],
      faults: [{ status: 500 }],
    });
    const domains = emulator.domains();
    const channels = emulator.channels();
    const list = `GET ${at.domains}/kept/changes/whois`;
    await ask(emulator, list);
    emulator.addChannel("kept");
    emulator.removeChannel(ID);
    emulator.updateChannel(channels[1]?.id ?? "", { label: "Renamed" });
    emulator.addChange("kept", "whois", { id: "added" });
    emulator.updateDomain("kept", { label: "Other" });
    emulator.removeDomain("removed");
    emulator.addDomain();
    emulator.fault({ status: 502 });
    emulator.advance({ days: 1 });

    emulator.reset();
    expect(emulator.requests).toEqual([]);
    expect(emulator.channels()).toEqual(channels);
    expect(emulator.domains()).toEqual(domains);
    expect(emulator.now().toISOString()).toBe("2026-01-31T00:00:00.000Z");
    expect(await statuses(emulator, list)).toEqual([500]);
    const { body } = await ask(emulator, list);
    expect(body).toMatchObject({ data: [{ id: "original" }], meta: { total: 1 } });
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
    await Promise.all([emulator.close(), emulator[Symbol.asyncDispose]()]);
    agent.destroy();

    await expect(fetch(emulator.url)).rejects.toThrow("fetch failed");
  });

  it("leaves the Request and Response of its process alone", async () => {
    const { Request: request, Response: response } = globalThis;
    await emulatorForTest();
    expect(globalThis.Request).toBe(request);
    expect(globalThis.Response).toBe(response);
  });
});

describe("refused connections", () => {
  it("end what is open and refuse what is new, until they are accepted again", async () => {
    const emulator = await emulatorForTest({ faults: [{ stall: "before" }] });
    const stalled = ask(emulator, `POST ${at.channels}`, channel);
    const ended = expect(stalled).rejects.toThrow("fetch failed");
    await until(() => emulator.requests.length === 1);

    await emulator.refuseConnections();
    await emulator.refuseConnections();
    await ended;

    await expect(ask(emulator, READ)).rejects.toMatchObject(refused);

    await emulator.acceptConnections();
    await emulator.acceptConnections();
    expect(await statuses(emulator, READ)).toEqual([200]);
  });

  it("are over with a reset, and never after the end", async () => {
    const emulator = await emulatorForTest();
    await emulator.refuseConnections();
    emulator.reset();
    await emulator.acceptConnections();
    expect(await statuses(emulator, READ)).toEqual([200]);

    await emulator.refuseConnections();
    await emulator.close();
    await emulator.acceptConnections();

    await expect(ask(emulator, READ)).rejects.toMatchObject(refused);
  });

  it("say so where another has taken the port meanwhile, and can be accepted once it is free", async () => {
    const emulator = await emulatorForTest();
    await emulator.refuseConnections();
    const other = await emulatorForTest({ port: Number(new URL(emulator.url).port) });

    await expect(emulator.acceptConnections()).rejects.toMatchObject({ code: "EADDRINUSE" });

    await other.close();
    await emulator.acceptConnections();
    expect(await statuses(emulator, READ)).toEqual([200]);
  });
});
