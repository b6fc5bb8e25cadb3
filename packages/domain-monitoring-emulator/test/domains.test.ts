/** Domains and their changes, as read, and as changed by a test or by an undocumented operation. */
import { domain as readByClient } from "../../../test/rules/support/domain";
import type { Emulator } from "../src";
import { at, EXPIRING, HEALTHY, UNCHECKED, UUID } from "./examples";
import { ask, emulatorForTest, managedForTest, statuses } from "./support";

const now = "2026-01-31 08:30:00";

async function read(emulator: Emulator, id = HEALTHY) {
  return (await ask(emulator, `GET ${at.domains}/${id}`)).body;
}

describe("a domain", () => {
  it("has the values of a healthy domain where its seed leaves them out", async () => {
    const emulator = await emulatorForTest({ domains: [{ id: HEALTHY, label: "Ours" }], now });
    expect(await read(emulator)).toMatchObject({
      domain: "example-1.com",
      label: "Ours",
      description: null,
      provider: "Example Registrar",
      expires_at: "2027-01-31",
      components: { whois: { check_status: "HEALTHY", changes_detected_at: null } },
    });
  });

  it("is served exactly as its seed says, with unknown values and nulls", async () => {
    const emulator = await emulatorForTest();
    const id = emulator.addDomain({
      domain: "example.dev",
      provider: null,
      expiresAt: null,
      colour: null,
      whois: { isEnabled: false, checkStatus: "SOMETHING_NEW" },
      dns: { enabledRecords: ["TLSA"], nextCheckAt: null },
      ssl: { issuer: null, lastFoundInvalidAt: "not a date" },
    });

    const text = expect.any(String);
    expect(await read(emulator, id)).toMatchObject({
      domain: "example.dev",
      label: "example.dev",
      provider: null,
      expires_at: null,
      colour: null,
      components: {
        whois: { is_enabled: false, check_status: "SOMETHING_NEW", latest_check_details: text },
        dns: { is_enabled: true, enabled_records: ["TLSA"], next_check_at: null },
        ssl: { issuer: null, organization: text, last_found_invalid_at: "not a date" },
      },
    });
  });

  it("takes what a client has read as a seed and as changes", async () => {
    const emulator = await emulatorForTest({ now });
    const found = { ...readByClient(), id: "copied", number: 1 };
    const { created_at } = await read(emulator, UNCHECKED);

    emulator.addDomain(found);
    emulator.updateDomain(UNCHECKED, found);
    const { domain, label, description } = found;

    expect(await read(emulator, "copied")).toMatchObject({ domain, label, description });
    expect(await read(emulator, UNCHECKED)).toMatchObject({ domain, label, created_at });
    expect(emulator.domains().map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  });

  it("is in the list of domains as in a read of it", async () => {
    const emulator = await emulatorForTest();
    const domains = [];
    for (const { id } of emulator.domains().toReversed()) domains.push(await read(emulator, id));

    const body = { data: domains };
    expect(await ask(emulator, `GET ${at.domains}`)).toMatchObject({ status: 200, body });
  });

  it.each([0, 2, 20])("is an example if %d are requested", async (count) => {
    const emulator = await emulatorForTest({ domains: count });
    const names = emulator.domains().map(({ domain }) => domain);
    const first = ["example.com", "example.org", "example.net"].slice(0, count);
    expect(new Set(names).size).toBe(count);
    expect(names.slice(0, 3)).toEqual(first);
  });
});

describe("a change", () => {
  it("a change of name servers is JSON in a string, and of a registrar text", async () => {
    const { body } = await ask(await emulatorForTest(), `GET ${at.whois}`);
    expect(body.data).toMatchObject([
      { field_changed: "nameservers", new_value: '["ns1.example.net","ns2.example.net"]' },
      { field_changed: "registrar", old_value: "Former Registrar", new_value: "Example Registrar" },
    ]);
  });

  it("a change of DNS records has them as JSON in a string and in texts for people", async () => {
    const { body } = await ask(await emulatorForTest(), `GET ${at.dns}`);
    expect(body.data).toMatchObject([
      {
        field_changed: "mx_records",
        field_changed_human: "MX",
        old_value:
          '[{"host":"example.com","value":"mail.former.example","ttl":3600,"priority":10}]',
        old_value_formatted: "example.com 10 mail.former.example (TTL 3600)",
        new_value_formatted: expect.stringContaining("example.com 20 mail2.example.net (TTL 3600)"),
        change_summary: "2 added, 1 removed",
        diff: expect.stringContaining("- example.com 10 mail.former.example"),
      },
      {
        field_changed_human: "A",
        new_value: '[{"host":"example.com","value":"192.0.2.20","ttl":3600}]',
      },
    ]);
  });

  it("may hold text that does not decode, and a time that is no timestamp", async () => {
    const emulator = await emulatorForTest({ domains: [{ id: HEALTHY }] });
    const odd = { oldValue: "not [json", newValue: "", createdAt: "yesterday" };
    emulator.addChange(HEALTHY, "dns", { fieldChanged: "txt_records", ...odd });
    emulator.addChange(HEALTHY, "dns", { oldValue: null, newValue: "[1]" });
    const { body } = await ask(emulator, `GET ${at.dns}`);
    const asText = { old_value: odd.oldValue, old_value_formatted: odd.oldValue, new_value: "" };
    const when = { created_at: odd.createdAt, created_at_human: "some time ago" };
    expect(body.data).toMatchObject([
      { old_value: null, old_value_formatted: "", new_value: "[1]", new_value_formatted: "[1]" },
      { field_changed_human: "TXT", ...asText, ...when },
    ]);
  });

  it("is served before older ones, and before all others if it was added", async () => {
    const made = (id: string, createdAt: string) => ({ id, createdAt });
    const whoisChanges = [
      made("oldest", "2026-01-01 00:00:00"),
      made("newest", "2026-03-01 00:00:00"),
      made("middle, listed first", "2026-02-01 00:00:00"),
      made("middle, listed last", "2026-02-01 00:00:00"),
    ];

    const emulator = await emulatorForTest({ domains: [{ id: HEALTHY, whoisChanges }] });
    emulator.addChange(HEALTHY, "whois", { id: "added", createdAt: "2025-01-01 00:00:00" });
    const { body } = await ask(emulator, `GET ${at.whois}`);
    const order = ["added", "newest", "middle, listed first", "middle, listed last", "oldest"];
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(order);
  });

  it.each(["whois", "dns"] as const)("names its domain by a number, also of %s", async (kind) => {
    const emulator = await emulatorForTest({ domains: [{}, { id: EXPIRING }] });
    emulator.addChange(EXPIRING, kind, { id: "added" });
    const list = (id: string) => `GET ${at.domains}/${id}/changes/${kind}`;
    const body = { data: [{ id: "added", domain_id: 2 }], meta: { total: 1 } };

    // The list is found under the number too.
    for (const id of [EXPIRING, "2"])
      expect(await ask(emulator, list(id))).toMatchObject({ status: 200, body });

    expect(await statuses(emulator, list("9"), list("02"))).toEqual([404, 404]);
  });
});

describe("updateDomain", () => {
  it("changes what is given and leaves the rest, also within a component", async () => {
    const emulator = await emulatorForTest({ now });
    const before = await read(emulator);
    const { whois, dns, ssl } = before.components;
    emulator.advance({ minutes: 1 });
    const first = { expiresAt: "2026-02-03", dns: { checkStatus: "FAILED" } };
    emulator.updateDomain(HEALTHY, { ...first, ssl: { issuer: "Other" } });
    const second = { label: undefined, provider: null, dns: { enabledRecords: ["A"] } };
    const disabled = { isEnabled: false, checkStatus: undefined };
    emulator.updateDomain(HEALTHY, { ...second, whois: disabled });

    expect(await read(emulator)).toEqual({
      ...before,
      expires_at: "2026-02-03",
      provider: null,
      updated_at: "2026-01-31 08:31:00",
      components: {
        whois: { ...whois, is_enabled: false },
        dns: { ...dns, check_status: "FAILED", enabled_records: ["A"] },
        ssl: { ...ssl, issuer: "Other" },
      },
    });
  });

  it("an update with `checked` fills in the first results, and later ones keep them", async () => {
    const emulator = await emulatorForTest({ now });
    const id = emulator.addDomain({ checked: false });
    const unchecked = await read(emulator, id);
    const { whois, ssl } = unchecked.components;

    const unknown = { latest_check_details: null, last_checked_at: null };
    const none = { issuer: null, organization: null, expires_at: null, last_checked_at: null };
    expect(unchecked).toMatchObject({ provider: null, expires_at: null, colour: null });
    expect(whois).toMatchObject({ check_status: "PENDING", ...unknown });
    expect(ssl).toMatchObject(none);

    emulator.advance({ hours: 1 });
    emulator.updateDomain(id, { checked: true, provider: "Ours" });
    const found = { provider: "Ours", expires_at: "2027-01-31", created_at: "2026-01-31 08:30:00" };

    expect(await read(emulator, id)).toMatchObject({
      ...found,
      components: {
        whois: { check_status: "HEALTHY", last_checked_at: "2026-01-31T09:30:00.000000Z" },
        ssl: { last_considered_valid_at: "2026-01-31T09:30:00.000000Z" },
      },
    });

    emulator.advance({ days: 1 });
    emulator.check(id);
    const dns = { last_checked_at: "2026-02-01T09:30:00.000000Z" };
    expect(await read(emulator, id)).toMatchObject({ ...found, components: { dns } });

    emulator.updateDomain(id, { checked: false, expiresAt: "2030-01-01" });
    const kept = { provider: null, expires_at: "2030-01-01", components: { whois, ssl } };
    expect(await read(emulator, id)).toMatchObject(kept);
    expect(() => emulator.check("nobody")).toThrow("no domain with the id nobody");
  });
});

it("a domain that is removed takes its changes and channels with it, and its number is never used again", async () => {
  const emulator = await managedForTest();
  emulator.addChannel(EXPIRING);
  emulator.removeDomain(UNCHECKED);
  emulator.removeDomain(EXPIRING);
  const added = emulator.addDomain();
  const next = emulator.addDomain();
  const gone = [`GET ${at.domains}/${EXPIRING}`, `GET ${at.domains}/2/changes/dns`];
  expect(await statuses(emulator, ...gone)).toEqual([404, 404]);
  expect(emulator.channels()).toMatchObject([{ domainId: HEALTHY }]);
  expect(emulator.domains()).toEqual([
    { id: HEALTHY, number: 1, domain: "example.com", label: "Company website" },
    { id: added, number: 4, domain: "example-4.com", label: "example-4.com" },
    { id: next, number: 5, domain: "example-5.com", label: "example-5.com" },
  ]);
});

describe("with `lifecycle: managed`, a domain", () => {
  const valid = { domain: "shop.example", label: "Shop" };
  const managed = () => emulatorForTest({ lifecycle: "managed", now: "2026-01-31", domains: [] });

  it("is created with nothing checked yet, and returned in a list of one", async () => {
    const emulator = await managed();
    emulator.addDomain(valid);
    const texts = { ...valid, description: "The shop", colour: "#ff0000" };
    const { status, body } = await ask(emulator, `POST ${at.domains}`, {
      ...texts,
      whois_check_interval: "daily",
      dns_check_interval: "hourly",
      enabled_dns_records: ["MX", "A"],
    });

    expect(status).toBe(201);
    expect(body.data).toEqual([await read(emulator, body.data[0].id)]);
    expect(body.data[0]).toMatchObject({
      id: expect.stringMatching(UUID),
      ...texts,
      provider: null,
      expires_at: null,
      created_at: "2026-01-31 00:00:00",
      components: {
        whois: { check_interval: "daily", check_status: "PENDING", latest_check_details: null },
        dns: { check_interval: "hourly", check_status: "PENDING", enabled_records: ["MX", "A"] },
      },
    });
  });

  it("is changed in the fields that are sent, and is returned in `data`", async () => {
    const emulator = await managed();
    const id = emulator.addDomain({ ...valid, colour: "#ff0000" });
    const { components, ...before } = await read(emulator, id);
    const body = { label: "Renamed", colour: null, enabled_dns_records: ["TXT"] };
    const answer = await ask(emulator, `PATCH ${at.domains}/${id}`, body);
    const dns = { ...components.dns, enabled_records: ["TXT"] };
    const data = { ...before, label: "Renamed", colour: null, components: { ...components, dns } };
    expect(answer).toEqual({ status: 200, body: { data } });
    expect(await read(emulator, id)).toEqual(data);
  });
});
