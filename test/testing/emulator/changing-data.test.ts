/** Data that is changed while the emulator runs. */
import { closeEmulators, EXPIRING, emulatorForTest, get, HEALTHY, postChannel, UNCHECKED } from "./support";

afterEach(closeEmulators);

const now = "2026-01-31 08:30:00";
const channel = { label: "On call", type: "email", value: "on-call@example.com" };

async function domainIn(emulator: Awaited<ReturnType<typeof emulatorForTest>>, id: string) {
  return JSON.parse(await (await get(emulator, `/api/domains/${id}`)).text());
}

describe("updateDomain", () => {
  it("changes what is given and leaves the rest, also within a component", async () => {
    const emulator = await emulatorForTest({ now });
    const before = await domainIn(emulator, HEALTHY);
    const { whois, dns, ssl } = before.components;
    emulator.advance({ minutes: 1 });

    emulator.updateDomain(HEALTHY, {
      expiresAt: "2026-02-03",
      whois: { checkStatus: "CHANGED" },
      dns: { checkStatus: "FAILED" },
      ssl: { issuer: "Other" },
    });
    emulator.updateDomain(HEALTHY, {
      provider: null,
      whois: { isEnabled: false },
      dns: { enabledRecords: ["A"] },
      ssl: { organization: null },
    });

    expect(await domainIn(emulator, HEALTHY)).toEqual({
      ...before,
      expires_at: "2026-02-03",
      provider: null,
      updated_at: "2026-01-31 08:31:00",
      components: {
        whois: { ...whois, check_status: "CHANGED", is_enabled: false },
        dns: { ...dns, check_status: "FAILED", enabled_records: ["A"] },
        ssl: { ...ssl, issuer: "Other", organization: null },
      },
    });
  });

  it("checked: runs the first checks of a new domain, whose nulls then have values", async () => {
    const emulator = await emulatorForTest({ now });
    emulator.advance({ hours: 1 });

    emulator.updateDomain(UNCHECKED, { checked: true, provider: "Ours" });

    expect(await domainIn(emulator, UNCHECKED)).toMatchObject({
      provider: "Ours",
      expires_at: "2027-01-31",
      colour: null,
      components: {
        whois: { check_status: "HEALTHY", last_checked_at: "2026-01-31T09:30:00.000000Z" },
        ssl: { last_considered_valid_at: "2026-01-31T09:30:00.000000Z" },
      },
      created_at: "2026-01-31 08:30:00",
    });
  });

  it("checked again: keeps what was found before", async () => {
    const emulator = await emulatorForTest({ now });
    const before = await domainIn(emulator, EXPIRING);
    emulator.advance({ days: 1 });

    emulator.updateDomain(EXPIRING, { checked: true });

    expect(await domainIn(emulator, EXPIRING)).toMatchObject({
      expires_at: before.expires_at,
      components: { dns: { last_checked_at: "2026-02-01T08:30:00.000000Z" } },
    });
  });

  it("not checked: takes back what checks have found out, but for what is given", async () => {
    const emulator = await emulatorForTest({ now });

    emulator.updateDomain(HEALTHY, { checked: false, expiresAt: "2030-01-01" });

    expect(await domainIn(emulator, HEALTHY)).toMatchObject({
      label: "Company website",
      provider: null,
      expires_at: "2030-01-01",
      components: { whois: { check_status: "PENDING", last_checked_at: null }, ssl: { issuer: null } },
    });
  });
});

describe("removeDomain", () => {
  it("takes its changes and channels with it, and never reuses its number", async () => {
    const emulator = await emulatorForTest();
    await postChannel(emulator, channel, EXPIRING);
    await postChannel(emulator, channel, HEALTHY);

    emulator.removeDomain(UNCHECKED);
    emulator.removeDomain(EXPIRING);
    const [added, next] = [emulator.addDomain(), emulator.addDomain()];

    expect((await get(emulator, `/api/domains/${EXPIRING}`)).status).toBe(404);
    expect((await get(emulator, "/api/domains/2/changes/dns")).status).toBe(404);
    expect(emulator.channels()).toMatchObject([{ domainId: HEALTHY }]);
    expect(emulator.domains()).toEqual([
      { id: HEALTHY, number: 1, domain: "example.com", label: "Company website" },
      { id: added, number: 4, domain: "example-4.com", label: "example-4.com" },
      { id: next, number: 5, domain: "example-5.com", label: "example-5.com" },
    ]);
  });
});

describe("updateChannel", () => {
  it("changes nothing else, such as the id or the domain, and keeps what is undefined", async () => {
    const emulator = await emulatorForTest({ now });
    await postChannel(emulator, channel);
    const [before] = emulator.channels();
    const changes = { id: "other", domainId: "other", createdAt: "2001-01-01 00:00:00", label: undefined };

    emulator.updateChannel(before?.id ?? "", changes);

    expect(emulator.channels()).toEqual([before]);
  });
});
