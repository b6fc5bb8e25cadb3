import { closeEmulators, emulatorForTest, get, HEALTHY, said } from "./support";

afterEach(closeEmulators);

async function served(answer: Response) {
  return (await said(answer)).body.data;
}

describe("a WHOIS change", () => {
  it("has name servers as JSON in a string", async () => {
    const emulator = await emulatorForTest();

    const [nameservers, registrar] = await served(
      await get(emulator, `/api/domains/${HEALTHY}/changes/whois`),
    );

    expect(nameservers).toMatchObject({
      field_changed: "nameservers",
      old_value: '["ns1.former.example","ns2.former.example"]',
      new_value: '["ns1.example.net","ns2.example.net"]',
    });
    expect(registrar).toMatchObject({
      field_changed: "registrar",
      old_value: "Former Registrar",
      new_value: "Example Registrar",
    });
  });
});

describe("a DNS change", () => {
  it("has records as JSON in a string and texts for people", async () => {
    const emulator = await emulatorForTest();

    const [mail, address] = await served(await get(emulator, `/api/domains/${HEALTHY}/changes/dns`));

    expect(mail).toMatchObject({
      field_changed: "mx_records",
      field_changed_human: "MX",
      old_value: '[{"host":"example.com","value":"mail.former.example","ttl":3600,"priority":10}]',
      old_value_formatted: "example.com 10 mail.former.example (TTL 3600)",
      new_value_formatted: expect.stringContaining("example.com 20 mail2.example.net (TTL 3600)"),
      change_summary: "2 added, 1 removed",
      diff: expect.stringContaining("- example.com 10 mail.former.example"),
    });
    expect(address).toMatchObject({
      field_changed: "a_records",
      field_changed_human: "A",
      new_value: '[{"host":"example.com","value":"192.0.2.20","ttl":3600}]',
      change_summary: "1 added, 1 removed",
    });
  });

  it("may hold text that does not decode, nothing at all, or null", async () => {
    const emulator = await emulatorForTest({ domains: [] });
    const id = emulator.addDomain({
      dnsChanges: [{ fieldChanged: "txt_records", oldValue: "not [json", newValue: "" }],
    });
    emulator.addChange(id, "dns", { oldValue: null, newValue: "[1]" });

    const data = await served(await get(emulator, `/api/domains/${id}/changes/dns`));

    expect(data).toMatchObject([
      { old_value: null, old_value_formatted: "", new_value: "[1]", new_value_formatted: "[1]" },
      { old_value: "not [json", old_value_formatted: "not [json", new_value: "", field_changed_human: "TXT" },
    ]);
  });
});

describe("a change list", () => {
  it("is served newest first, and an added change comes before all others", async () => {
    const emulator = await emulatorForTest({ domains: [] });
    const at = (id: string, createdAt: string) => ({ id, createdAt });
    const id = emulator.addDomain({
      whoisChanges: [
        at("oldest", "2026-01-01 00:00:00"),
        at("newest", "2026-03-01 00:00:00"),
        at("middle, listed first", "2026-02-01 00:00:00"),
        at("middle, listed last", "2026-02-01 00:00:00"),
      ],
    });
    emulator.addChange(id, "whois", { id: "added" });

    const data = await served(await get(emulator, `/api/domains/${id}/changes/whois`));

    expect(data.map(({ id }: { id: string }) => id)).toEqual([
      "added",
      "newest",
      "middle, listed first",
      "middle, listed last",
      "oldest",
    ]);
  });

  it("keeps the order of seeds without a time, also where a second ends amid them", async () => {
    let now = Date.parse("2026-01-31T08:30:00Z");
    const clock = jest.spyOn(Date, "now").mockImplementation(() => {
      now += 1000;
      return now;
    });
    const emulator = await emulatorForTest({
      domains: [{ id: "a", dnsChanges: [{ id: "b" }, { id: "c" }] }],
    });
    clock.mockRestore();

    const data = await served(await get(emulator, "/api/domains/a/changes/dns"));

    expect(data).toMatchObject([{ id: "b" }, { id: "c" }]);
  });

  it("gives a change whose time is not a timestamp a vague text", async () => {
    const emulator = await emulatorForTest({ domains: [] });
    const id = emulator.addDomain({ whoisChanges: [{ createdAt: "yesterday" }] });

    const [change] = await served(await get(emulator, `/api/domains/${id}/changes/whois`));

    expect(change).toMatchObject({ created_at: "yesterday", created_at_human: "some time ago" });
  });
});
