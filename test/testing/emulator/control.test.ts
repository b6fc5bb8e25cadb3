/** The control endpoint: what tests do by calling methods, over HTTP. */
import type { Emulator } from "../../../src/testing/emulator";
import { closeEmulators, EXPIRING, emulatorForTest, get, HEALTHY, postChannel, UNCHECKED } from "./support";

afterEach(closeEmulators);

const channel = { label: "On call", type: "email", value: "very-secret@example.com" };

async function control(emulator: Emulator, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${emulator.url}/control${path}`, {
    method,
    headers: { Authorization: `Bearer ${emulator.token}` },
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

const controlled = () => emulatorForTest({ control: true, now: "2026-01-31" });

describe("the control endpoint", () => {
  it("is not there unless it is asked for, and never in the description", async () => {
    const emulator = await emulatorForTest();
    const withControl = await controlled();

    expect((await control(emulator, "GET", "/requests")).status).toBe(404);
    expect((await control(emulator, "POST", "/reset")).status).toBe(404);
    const description = await (await fetch(`${withControl.url}/openapi.json`)).text();
    expect(description).not.toContain("control");
  });

  it.each([
    ["GET", "/requests"],
    ["POST", "/reset"],
    ["POST", "/faults"],
    ["GET", "/nowhere"],
  ])("needs the token for %s /control%s", async (method, path) => {
    const emulator = await controlled();
    emulator.addChange(HEALTHY, "dns");

    for (const headers of [undefined, { Authorization: "Bearer wrong" }]) {
      const answer = await fetch(`${emulator.url}/control${path}`, { method, headers });
      expect(answer.status).toBe(401);
    }
  });

  it("shows requests, and is itself in no log, under no limit and hit by no fault", async () => {
    const emulator = await emulatorForTest({
      control: true,
      rateLimit: { requests: 1, perSeconds: 3600 },
      faults: [{ status: 500, times: "always" }],
    });
    await get(emulator, `/api/domains/${HEALTHY}`);

    for (let count = 0; count < 3; count += 1) {
      expect(await control(emulator, "GET", "/requests")).toEqual({
        status: 200,
        body: {
          requests: [{ method: "GET", path: `/api/domains/${HEALTHY}`, operation: "getDomain", status: 500 }],
        },
      });
    }
  });

  it("counts channels and keeps their destinations to itself", async () => {
    const emulator = await controlled();
    await postChannel(emulator, { ...channel, secondary_value: "very-secret too" });
    await postChannel(emulator, channel, EXPIRING);

    const all = await control(emulator, "GET", "/channels");
    const one = await control(emulator, "GET", `/channels?domainId=${EXPIRING}`);

    expect(all.body).toMatchObject({ count: 2, channels: [{ domainId: HEALTHY }, { domainId: EXPIRING }] });
    expect(one.body).toMatchObject({ count: 1, channels: [{ label: "On call", isDisabled: false }] });
    expect(JSON.stringify(all)).not.toContain("very-secret");
  });

  it("adds, changes and removes domains, changes and channels", async () => {
    const emulator = await controlled();

    const added = await control(emulator, "POST", "/domains", { label: "Ours", whoisChanges: [{ id: "a" }] });
    const plain = await control(emulator, "POST", "/domains");
    expect([added.status, plain.status]).toEqual([201, 201]);
    const { id } = added.body;
    const answers = [
      await control(emulator, "POST", `/domains/${id}/changes/whois`, { id: "b", newValue: ["x"] }),
      await control(emulator, "POST", `/domains/${id}/changes/dns`),
      await control(emulator, "PATCH", `/domains/${id}`, { whois: { checkStatus: "NEW" } }),
      await control(emulator, "DELETE", `/domains/${UNCHECKED}`),
    ];
    await postChannel(emulator, channel, id);
    const [created] = emulator.channels();
    answers.push(await control(emulator, "PATCH", `/channels/${created?.id}`, { isDisabled: true }));

    const byHand = await control(emulator, "POST", `/domains/${id}/channels`, {
      ...channel,
      isProtected: true,
    });
    const unnamed = await control(emulator, "POST", `/domains/${id}/channels`);
    expect([byHand.status, unnamed.status]).toEqual([201, 201]);
    answers.push(await control(emulator, "DELETE", `/channels/${unnamed.body.id}`));

    expect(answers).toEqual(Array(6).fill({ status: 204, body: undefined }));
    expect(await (await get(emulator, `/api/domains/${id}`)).json()).toMatchObject({
      label: "Ours",
      components: { whois: { check_status: "NEW" } },
    });
    expect(await (await get(emulator, `/api/domains/${id}/changes/whois`)).json()).toMatchObject({
      data: [{ id: "b", new_value: '["x"]' }, { id: "a" }],
    });
    expect(await (await get(emulator, `/api/domains/${id}/changes/dns`)).json()).toMatchObject({
      meta: { total: 1 },
    });
    expect(emulator.channels()).toMatchObject([
      { isDisabled: true },
      { ...channel, id: byHand.body.id, isProtected: true },
    ]);
    expect((await control(emulator, "GET", "/domains")).body).toEqual({ domains: emulator.domains() });
    expect(emulator.domains().map((domain) => domain.id)).toEqual([HEALTHY, EXPIRING, id, plain.body.id]);
  });

  it("makes requests fail, and lets them be", async () => {
    const emulator = await controlled();
    const status = async () => (await get(emulator, `/api/domains/${HEALTHY}`)).status;

    expect(await control(emulator, "POST", "/faults", { status: 503, times: "always" })).toMatchObject({
      status: 204,
    });
    expect([await status(), await status()]).toEqual([503, 503]);
    expect(await control(emulator, "DELETE", "/faults")).toMatchObject({ status: 204 });
    expect(await status()).toBe(200);
  });

  it("puts the clock forward and tells the time", async () => {
    const emulator = await controlled();

    const forward = await control(emulator, "POST", "/clock", { days: 1, minutes: 30 });

    expect(forward).toEqual({ status: 200, body: { now: "2026-02-01T00:30:00.000Z" } });
    expect(await control(emulator, "GET", "/clock")).toEqual(forward);
    expect(emulator.now().toISOString()).toBe("2026-02-01T00:30:00.000Z");
  });

  it("resets", async () => {
    const emulator = await controlled();
    await postChannel(emulator, channel);

    expect(await control(emulator, "POST", "/reset")).toEqual({ status: 204, body: undefined });

    expect(emulator.channels()).toEqual([]);
    expect(emulator.requests).toEqual([]);
  });

  it.each<[status: number, method: string, path: string, body: unknown, names: string]>([
    [400, "POST", "/faults", "{", "not JSON"],
    [422, "POST", "/faults", {}, "needs one of status"],
    [422, "POST", "/faults", { stauts: 500 }, "stauts"],
    [422, "POST", "/domains", { whois: { chekStatus: "X" } }, "chekStatus"],
    [422, "PATCH", `/domains/${HEALTHY}`, { id: "other" }, "id"],
    [422, "POST", "/clock", { days: -1 }, "only goes forward"],
    [409, "POST", "/domains", { id: HEALTHY }, "already has a domain"],
    [404, "PATCH", "/domains/nobody", {}, "no domain with the id nobody"],
    [404, "DELETE", "/domains/nobody", undefined, "no domain with the id nobody"],
    [404, "POST", "/domains/nobody/changes/dns", {}, "no domain with the id nobody"],
    [404, "POST", "/domains/nobody/channels", {}, "no domain with the id nobody"],
    [404, "POST", `/domains/${HEALTHY}/changes/ssl`, {}, "does not have this address"],
    [404, "PATCH", "/channels/nobody", {}, "no channel with the id nobody"],
    [404, "DELETE", "/channels/nobody", undefined, "no channel with the id nobody"],
    [422, "POST", `/domains/${HEALTHY}/channels`, { id: "history" }, "must be a UUID"],
    [422, "POST", `/domains/${HEALTHY}/channels`, { is_protected: true }, "is_protected"],
    [422, "POST", "/faults", { operation: "getNotificationChannel", status: 500 }, "which is not served"],
    [404, "PUT", "/reset", undefined, "does not have this address"],
  ])("answers %d to %s /control%s %j", async (status, method, path, body, names) => {
    const emulator = await controlled();
    const before = emulator.domains();

    const refused = await control(emulator, method, path, body);

    expect(refused.status).toBe(status);
    expect(JSON.stringify(refused.body)).toContain(names);
    expect(emulator.domains()).toEqual(before);
    expect((await get(emulator, `/api/domains/${HEALTHY}`)).status).toBe(200);
  });
});
