import { readDomain } from "../../../../src/client/wire";
import { closeEmulators, DATE, EXPIRING, emulatorForTest, get, HEALTHY, UNCHECKED } from "../support";

afterEach(closeEmulators);

describe("a domain", () => {
  it("holds nulls before its first check", async () => {
    const emulator = await emulatorForTest();

    const answer = await get(emulator, `/api/domains/${UNCHECKED}`);

    const pending = {
      check_status: "PENDING",
      latest_check_details: null,
      last_checked_at: null,
      next_check_at: null,
    };
    expect(await answer.json()).toMatchObject({
      provider: null,
      expires_at: null,
      components: {
        whois: { ...pending, changes_detected_at: null, has_changed_recently: false },
        dns: pending,
        ssl: { issuer: null, organization: null, expires_at: null, last_checked_at: null },
      },
    });
  });

  it("is one that the client can read, whatever its situation", async () => {
    const emulator = await emulatorForTest();

    const read = async (id: string) => readDomain(await (await get(emulator, `/api/domains/${id}`)).json());
    const [healthy, expiring, unchecked] = await Promise.all([HEALTHY, EXPIRING, UNCHECKED].map(read));

    expect(healthy?.expiresAt).toMatch(DATE);
    expect(expiring?.expiresAt).toMatch(DATE);
    expect(expiring?.expiresAt?.localeCompare(healthy?.expiresAt ?? "")).toBe(-1);
    expect(unchecked?.expiresAt).toBeNull();
  });

  it("takes the values of a healthy domain where its seed leaves them out, and keeps the nulls of the seed", async () => {
    const emulator = await emulatorForTest({ domains: [{ provider: null, expiresAt: "2031-02-03" }] });
    const id = emulator.addDomain({ domain: "example.dev" });
    const seeded = emulator.addDomain({
      provider: null,
      expiresAt: null,
      label: "Ours",
      description: "Text",
    });

    const answers = await Promise.all([id, seeded].map((each) => get(emulator, `/api/domains/${each}`)));
    const [plain, withNulls] = await Promise.all(answers.map((answer) => answer.json()));

    expect(plain).toMatchObject({
      domain: "example.dev",
      label: "example.dev",
      description: null,
      provider: "Example Registrar",
      expires_at: expect.stringMatching(DATE),
      components: { whois: { changes_detected_at: null } },
    });
    expect(withNulls).toMatchObject({
      domain: "example-3.com",
      label: "Ours",
      description: "Text",
      provider: null,
      expires_at: null,
      components: { whois: { check_status: "HEALTHY" } },
    });
  });

  it("has changed recently once a change is added", async () => {
    const emulator = await emulatorForTest({ domains: [] });
    const id = emulator.addDomain();
    emulator.addChange(id, "dns");

    const answer = await get(emulator, `/api/domains/${id}`);

    expect(await answer.json()).toMatchObject({
      components: { dns: { has_changed_recently: true }, whois: { has_changed_recently: false } },
    });
  });

  it("is not found under an unknown id", async () => {
    const emulator = await emulatorForTest();
    const unknown = "/api/domains/99999999-9999-4999-8999-999999999999";

    for (const path of ["", "/changes/whois", "/changes/dns", "/changes/dns?per_page=0"]) {
      const answer = await get(emulator, unknown + path);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ message: expect.any(String) });
    }
  });

  it("cannot be added twice, nor be given changes when it is missing", async () => {
    const emulator = await emulatorForTest();

    expect(() => emulator.addDomain({ id: HEALTHY })).toThrow("already has a domain");
    expect(() => emulator.addChange("nobody", "dns")).toThrow("no domain with the id nobody");
  });
});
