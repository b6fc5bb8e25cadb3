import { closeEmulators, DATE, emulatorForTest, get, UNCHECKED } from "./support";

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

  it("is not found under an unknown id", async () => {
    const emulator = await emulatorForTest();
    const unknown = "/api/domains/99999999-9999-4999-8999-999999999999";

    for (const path of ["", "/changes/whois", "/changes/dns", "/changes/dns?per_page=0"]) {
      const answer = await get(emulator, unknown + path);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ message: expect.any(String) });
    }
  });
});
