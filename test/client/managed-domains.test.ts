/** Creating, changing and deleting domains, which is undocumented, on the emulator and on a service that does what it is told. */
import { startEmulator } from "../../src/testing/emulator";
import { closeLater, isolateTests } from "./support/cleanup";
import { clientOf, failureOf, TOKEN } from "./support/client";
import { answer, startService } from "./support/service";
import * as wire from "./support/wire";

isolateTests();

const { DOMAIN_ID } = wire;
const shop = { domain: "shop.example", label: "Shop" };

async function emulatorOf() {
  const emulator = await startEmulator({ lifecycle: "managed", domains: [{ id: DOMAIN_ID }], token: TOKEN });
  closeLater(() => emulator.close());
  return { emulator, domains: clientOf(emulator.url).domains };
}

test("a domain is created, changed and deleted", async () => {
  const { emulator, domains } = await emulatorOf();

  const created = await domains.create({ ...shop, whoisCheckInterval: "daily", enabledDnsRecords: ["MX"] });
  const changed = await domains.update(created.id, {
    label: "Renamed",
    description: "Ours",
    colour: undefined,
  });

  expect(created).toMatchObject({ ...shop, provider: null, expiresAt: null, description: null });
  expect(created.components).toMatchObject({
    whois: { checkInterval: "daily", checkStatus: "PENDING" },
    dns: { checkInterval: "weekly", enabledRecords: ["MX"] },
  });
  expect(changed).toEqual({
    ...created,
    label: "Renamed",
    description: "Ours",
    updatedAt: expect.any(String),
  });
  expect(await domains.get(created.id)).toEqual(changed);
  expect(await domains.delete(created.id)).toBeUndefined();
  expect(emulator.domains()).toMatchObject([{ id: DOMAIN_ID }]);
});

test("what is sent is the given fields, by their names on the wire", async () => {
  const all = { ...shop, description: null, colour: "#fff", whoisCheckInterval: "a", dnsCheckInterval: "b" };
  const service = await startService([
    answer(201, wire.domain()),
    answer(200, wire.domain()),
    answer(204, ""),
  ]);
  const { domains } = clientOf(service.url);

  await domains.create({ ...all, enabledDnsRecords: ["A", "MX"] });
  await domains.update(DOMAIN_ID, { description: null });
  await domains.delete(DOMAIN_ID);

  expect(service.requests.map(({ method, path, body }) => [method, path, body && JSON.parse(body)])).toEqual([
    [
      "POST",
      "/api/domains",
      {
        ...shop,
        description: null,
        colour: "#fff",
        whois_check_interval: "a",
        dns_check_interval: "b",
        enabled_dns_records: ["A", "MX"],
      },
    ],
    ["PATCH", `/api/domains/${DOMAIN_ID}`, { description: null }],
    ["DELETE", `/api/domains/${DOMAIN_ID}`, ""],
  ]);
});

const domain = wire.domain();
test.each<[string, unknown]>([
  ["at the top level", domain],
  ["in `data`", { data: domain }],
  ["as an array of one in `data`", { data: [domain] }],
])("an answer is read %s", async (_form, body) => {
  const { domains } = clientOf((await startService([answer(201, body), answer(200, body)])).url);

  expect(await domains.create(shop)).toMatchObject({ id: DOMAIN_ID });
  expect(await domains.update(DOMAIN_ID, { label: "Shop" })).toMatchObject({ id: DOMAIN_ID });
});

test("an answer about another domain, or about several, is refused", async () => {
  for (const body of [wire.domain({ id: "another" }), { data: [domain, domain] }]) {
    const { domains } = clientOf((await startService([answer(200, body)])).url);
    expect(await failureOf(domains.update(DOMAIN_ID, { label: "Shop" }))).toMatchObject({ kind: "response" });
  }
});

test("a create whose answer is lost is not sent again, and says what to look for", async () => {
  const { emulator, domains } = await emulatorOf();
  emulator.fault({ operation: "createDomain", reset: "after" });

  const error = await failureOf(domains.create(shop));

  expect(error).toMatchObject({ sent: "maybe", operation: "domains.create" });
  expect(error.message).toContain(
    'The domain "shop.example" may have been created anyway: look for it in the service',
  );
  expect(emulator.requests).toHaveLength(1);
  expect(emulator.domains()).toHaveLength(2);
});

test("a change and a delete are repeated as reads are", async () => {
  const { emulator, domains } = await emulatorOf();
  emulator.fault({ operation: "updateDomain", reset: "after" });
  emulator.fault({ operation: "deleteDomain", status: 503 });

  expect(await domains.update(DOMAIN_ID, { label: "Renamed" })).toMatchObject({ label: "Renamed" });
  await domains.delete(DOMAIN_ID);

  expect(emulator.requests.map(({ status }) => status)).toEqual([0, 200, 503, 204]);
  const gone = await failureOf(domains.delete(DOMAIN_ID));
  expect(gone).toMatchObject({ status: 404, message: expect.stringContaining("check the domain's id") });
});

test.each<[string, object, string]>([
  ["create", {}, "domain is not a string: give a text; label is not a string: give a text"],
  ["create", { ...shop, name: "x" }, "it has an unknown field: use domain, label, "],
  ["create", { ...shop, label: 5 }, "label is not a string: give a text"],
  ["create", { ...shop, enabledDnsRecords: "A" }, "enabledDnsRecords is not a list of strings"],
  ["update", shop, "it has an unknown field: use label, "],
  ["update", { label: undefined }, "it has no field: give at least one"],
])("nothing is sent where the fields of a %s are not right: %j", async (operation, fields, problem) => {
  const { emulator, domains } = await emulatorOf();
  const given = fields as typeof shop;
  const call = operation === "create" ? domains.create(given) : domains.update(DOMAIN_ID, given);

  expect(await failureOf(call)).toMatchObject({
    kind: "validation",
    message: expect.stringContaining(problem),
  });
  expect(emulator.requests).toEqual([]);
});
