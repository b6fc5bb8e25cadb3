/** The control endpoint: what tests do by calling methods, over HTTP. */
import type { Emulator } from "../src";
import { at, channel, DESTINATION, EXPIRING, HEALTHY, UNCHECKED } from "./examples";
import { ask, emulatorForTest, statuses } from "./support";

/** Sends `METHOD path`, with the path below that of the endpoint. */
const control = (emulator: Emulator, request: string, body?: unknown) =>
  ask(emulator, request.replace(" ", " /control"), body);

const controlled = () => emulatorForTest({ control: true, now: "2026-01-31" });
const nothing = { status: 204, body: undefined };

describe("the control endpoint", () => {
  it("is not there unless it is asked for, and never in the description", async () => {
    const emulator = await emulatorForTest();
    const requests = ["GET /control/requests", "POST /control/reset"];
    expect(await statuses(emulator, ...requests)).toEqual([404, 404]);

    const { body } = await ask(await controlled(), "GET /openapi.json");
    expect(JSON.stringify(body)).not.toContain("control");
  });

  it("needs the token, and no media type", async () => {
    const emulator = await controlled();
    for (const request of ["POST /reset", "GET /nowhere"]) {
      const stranger = { ...emulator, token: "wrong" };
      expect(await control(stranger, request)).toMatchObject({ status: 401 });
    }

    const headers = { Authorization: `Bearer ${emulator.token}` };
    const sent = { method: "POST", headers, body: '{"days":1}' };
    expect((await fetch(`${emulator.url}/control/clock`, sent)).status).toBe(200);
  });

  it("shows requests without being logged, limited or hit by a fault", async () => {
    const emulator = await emulatorForTest({
      control: true,
      rateLimit: { requests: 1, perSeconds: 3600 },
      faults: [{ status: 500, times: "always" }],
    });

    await ask(emulator, `GET ${at.domain}`);
    const requests = [{ method: "GET", path: at.domain, operation: "getDomain", status: 500 }];
    for (let count = 0; count < 3; count += 1)
      expect(await control(emulator, "GET /requests")).toEqual({ status: 200, body: { requests } });
  });

  it("counts channels and keeps their destinations to itself", async () => {
    const emulator = await controlled();
    emulator.addChannel(HEALTHY, { ...channel, secondaryValue: DESTINATION });
    emulator.addChannel(EXPIRING, channel);
    const all = await control(emulator, "GET /channels");
    const one = await control(emulator, `GET /channels?domainId=${EXPIRING}`);
    const channels = [{ domainId: HEALTHY }, { domainId: EXPIRING }];
    expect(all.body).toMatchObject({ count: 2, channels });
    expect(one.body).toMatchObject({
      count: 1,
      channels: [{ label: "On call", isDisabled: false }],
    });
    expect(JSON.stringify(all)).not.toContain("very-secret");
  });

  it("manages domains, changes and channels", async () => {
    const emulator = await controlled();
    const idOf = async (request: string, body?: object): Promise<string> => {
      const added = await control(emulator, request, body);
      expect(added).toEqual({ status: 201, body: { id: expect.any(String) } });
      return added.body.id;
    };

    const seed = { label: "Ours", checked: false, whoisChanges: [{ id: "a" }] };
    const id = await idOf("POST /domains", seed);
    const byHand = await idOf(`POST /domains/${id}/channels`, { ...channel, isProtected: true });
    const removed = await idOf(`POST /domains/${id}/channels`);
    for (const [request, body] of [
      [`POST /domains/${id}/changes/whois`, { id: "b", newValue: ["x"] }],
      [`POST /domains/${id}/changes/dns`],
      [`PATCH /domains/${id}`, { dns: { checkStatus: "NEW" } }],
      [`POST /domains/${id}/check`],
      [`DELETE /domains/${UNCHECKED}`],
      [`PATCH /channels/${byHand}`, { isDisabled: true }],
      [`DELETE /channels/${removed}`],
    ] as const)
      expect(await control(emulator, request, body)).toEqual(nothing);

    expect((await ask(emulator, `GET ${at.domains}/${id}`)).body).toMatchObject({
      label: "Ours",
      components: { whois: { check_status: "HEALTHY" }, dns: { check_status: "NEW" } },
    });

    const changes = await ask(emulator, `GET ${at.domains}/${id}/changes/whois`);
    expect(changes.body.data).toMatchObject([{ id: "b", new_value: '["x"]' }, { id: "a" }]);
    expect((await ask(emulator, `GET ${at.domains}/${id}/changes/dns`)).body.meta.total).toBe(1);
    expect(emulator.channels()).toMatchObject([
      { ...channel, id: byHand, isProtected: true, isDisabled: true },
    ]);
    expect((await control(emulator, "GET /domains")).body).toEqual({ domains: emulator.domains() });
    expect(emulator.domains().map((domain) => domain.id)).toEqual([HEALTHY, EXPIRING, id]);
  });

  it("injects faults, advances the clock and resets everything", async () => {
    const emulator = await controlled();
    const read = `GET ${at.domain}`;
    const always = { status: 503, times: "always" };

    expect(await control(emulator, "POST /faults", always)).toEqual(nothing);
    expect(await statuses(emulator, read, read)).toEqual([503, 503]);
    expect(await control(emulator, "DELETE /faults")).toEqual(nothing);
    expect(await statuses(emulator, read)).toEqual([200]);

    const forward = await control(emulator, "POST /clock", { days: 1, minutes: 30 });
    expect(forward).toEqual({ status: 200, body: { now: "2026-02-01T00:30:00.000Z" } });
    expect(await control(emulator, "GET /clock")).toEqual(forward);
    expect(emulator.now().toISOString()).toBe("2026-02-01T00:30:00.000Z");

    await ask(emulator, `POST ${at.channels}`, channel);
    expect(await control(emulator, "POST /reset")).toEqual(nothing);
    expect(emulator.channels()).toEqual([]);
    expect(emulator.requests).toEqual([]);
    expect(emulator.now().toISOString()).toBe("2026-01-31T00:00:00.000Z");
  });

  it.each<[status: number, request: string, body: unknown, names: string]>([
    [400, "POST /faults", "{", "not JSON"],
    [422, "POST /faults", { stauts: 500 }, "stauts"],
    [422, "POST /domains", { whois: { chekStatus: "X" } }, "chekStatus"],
    [422, "POST /domains", { channels: [{ createdAtHuman: "now" }] }, "createdAtHuman"],
    [422, `PATCH /domains/${HEALTHY}`, { id: "other" }, "id"],
    [422, "POST /clock", { days: -1 }, "only goes forward"],
    [409, "POST /domains", { id: HEALTHY }, "already has a domain"],
    [404, "PATCH /domains/nobody", {}, "no domain with the id nobody"],
    [404, `POST /domains/${HEALTHY}/changes/ssl`, {}, "does not have this address"],
    [404, "PATCH /channels/nobody", {}, "no channel with the id nobody"],
    [422, "POST /faults", { operation: "createDomain", status: 500 }, "which is not served"],
  ])("responds with %d to %s %j", async (status, request, body, names) => {
    const emulator = await controlled();
    const before = emulator.domains();
    const refused = await control(emulator, request, body);
    expect(refused.status).toBe(status);
    expect(JSON.stringify(refused.body)).toContain(names);
    expect(emulator.domains()).toEqual(before);
    expect(await statuses(emulator, `GET ${at.domain}`)).toEqual([200]);
  });
});
