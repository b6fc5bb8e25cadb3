/** Creating, changing and removing domains with `lifecycle: "managed"`, which the interface does not show. */
import type { Emulator } from "../../../src/testing/emulator";
import { closeEmulators, emulatorForTest, get, HEALTHY, postChannel, said, send, UUID } from "./support";

afterEach(closeEmulators);

const DOMAINS = "/api/domains";
const valid = { domain: "shop.example", label: "Shop" };
const settings = {
  description: "The shop",
  colour: "#ff0000",
  whois_check_interval: "daily",
  dns_check_interval: "hourly",
  enabled_dns_records: ["MX", "A"],
};
const managed = () => emulatorForTest({ lifecycle: "managed", now: "2026-01-31", domains: [] });

async function create(emulator: Emulator, body: unknown = { ...valid, ...settings }): Promise<string> {
  return (await said(await send(emulator, "POST", DOMAINS, body))).body.data[0].id;
}

async function read(emulator: Emulator, id: string) {
  return (await said(await get(emulator, `${DOMAINS}/${id}`))).body;
}

describe("a domain that is created", () => {
  it("is answered in a list of one, under the names of a read, and nothing is checked yet", async () => {
    const emulator = await managed();

    const { status, body } = await said(await send(emulator, "POST", DOMAINS, { ...valid, ...settings }));

    expect([status, body.data.length]).toEqual([201, 1]);
    expect(body.data[0]).toMatchObject({
      id: expect.stringMatching(UUID),
      ...valid,
      description: "The shop",
      colour: "#ff0000",
      provider: null,
      expires_at: null,
      created_at: "2026-01-31 00:00:00",
      components: {
        whois: { check_interval: "daily", check_status: "PENDING", latest_check_details: null },
        dns: { check_interval: "hourly", check_status: "PENDING", enabled_records: ["MX", "A"] },
      },
    });
    expect(await read(emulator, body.data[0].id)).toEqual(body.data[0]);
    expect((await said(await get(emulator, DOMAINS))).body.data).toEqual(body.data);
  });

  it("has what checks find out when a test lets them happen, and what was set stays", async () => {
    const emulator = await managed();
    const id = await create(emulator, valid);
    const before = await read(emulator, id);

    emulator.check(id);

    expect(before.colour).toBeNull();
    expect(await read(emulator, id)).toMatchObject({
      ...valid,
      description: null,
      colour: null,
      provider: expect.any(String),
      expires_at: "2027-01-31",
      components: {
        dns: { check_status: "HEALTHY", enabled_records: before.components.dns.enabled_records },
      },
    });
    expect(() => emulator.check("nobody")).toThrow("no domain with the id nobody");
  });

  it("may have the name of another", async () => {
    const emulator = await managed();

    expect(await create(emulator)).not.toBe(await create(emulator));
    expect(emulator.domains()).toMatchObject([valid, valid]);
  });
});

describe("a change of a domain", () => {
  it("changes the fields that are sent, and is answered in `data`", async () => {
    const emulator = await managed();
    const id = await create(emulator);
    const before = await read(emulator, id);

    const body = { label: "Renamed", colour: null, enabled_dns_records: ["TXT"] };
    const answer = await said(await send(emulator, "PATCH", `${DOMAINS}/${id}`, body));

    const { components, ...rest } = before;
    expect(answer).toEqual({
      status: 200,
      body: {
        data: {
          ...rest,
          label: "Renamed",
          colour: null,
          components: { ...components, dns: { ...components.dns, enabled_records: ["TXT"] } },
        },
      },
    });
    expect(await read(emulator, id)).toEqual(answer.body.data);
  });
});

describe("the removal of a domain", () => {
  it("answers 204, takes its history and channels along, and is 404 when it is repeated", async () => {
    const emulator = await emulatorForTest({ lifecycle: "managed" });
    await postChannel(emulator, { label: "On call", type: "email", value: null });
    const address = `${DOMAINS}/${HEALTHY}`;

    const answers = [await send(emulator, "DELETE", address), await send(emulator, "DELETE", address)];

    expect(answers.map(({ status }) => status)).toEqual([204, 404]);
    expect(emulator.channels()).toEqual([]);
    for (const below of ["", "/changes/whois", "/notification-channels"])
      expect((await get(emulator, address + below)).status).toBe(404);
  });
});
