/** What every request is asked for and gets: the token, an id, a line in the log. */
import {
  ask,
  CHANNELS,
  channel,
  DESTINATION,
  DNS,
  DOMAIN,
  DOMAINS,
  emulatorForTest,
  said,
  send,
  statuses,
  UUID,
  WHOIS,
} from "./support";

describe("the bearer token", () => {
  it("is required", async () => {
    const { url, token } = await emulatorForTest();

    for (const Authorization of [undefined, "Bearer wrong", token, `Bearer ${token}x`]) {
      const answer = await fetch(url + DOMAIN, { headers: Authorization ? { Authorization } : {} });
      expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
      expect(await said(answer)).toEqual({ status: 401, body: { message: expect.any(String) } });
    }
  });

  it("is the one that was given, or a random one", async () => {
    const given = await emulatorForTest({ token: "1|given" });
    const [one, other] = [await emulatorForTest(), await emulatorForTest()];

    expect(given.token).toBe("1|given");
    expect(await statuses(given, `GET ${DOMAIN}`)).toEqual([200]);
    expect(one.token).not.toBe(other.token);
  });

  it.each(["", "two words", "line\nbreak", "schlüssel"])(
    "is refused where no request could carry it: %j",
    async (token) => {
      await expect(emulatorForTest({ token })).rejects.toThrow(TypeError);
    },
  );
});

it("every answer carries a request id of its own, whatever it says", async () => {
  const emulator = await emulatorForTest({ faults: [{ operation: "listDnsChanges", status: 500 }] });

  const answers = await Promise.all([
    send(emulator, `GET ${DOMAIN}`),
    send(emulator, `GET ${DOMAINS}/nobody`),
    send(emulator, "GET /nowhere"),
    send(emulator, `GET ${WHOIS}?page=0`),
    send(emulator, `GET ${DNS}`),
    fetch(emulator.url + DOMAIN),
    fetch(`${emulator.url}/openapi.json`),
    send(emulator, `POST ${CHANNELS}`, "{"),
  ]);

  expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 422, 500, 401, 200, 400]);
  const ids = answers.map((answer) => answer.headers.get("X-Request-Id"));
  for (const id of ids) expect(id).toMatch(UUID);
  expect(new Set(ids).size).toBe(ids.length);
});

describe("the log", () => {
  it("holds what was asked for in order, with the operation and the status", async () => {
    const emulator = await emulatorForTest();

    await statuses(emulator, `GET ${DOMAIN}`, `GET ${WHOIS}?page=2`, `GET ${DNS}?page=0`);
    await ask(emulator, `POST ${CHANNELS}`, channel);
    await fetch(emulator.url + DOMAIN);
    await ask(emulator, "GET /nowhere?a=b");

    expect(emulator.requests).toEqual([
      { method: "GET", path: DOMAIN, operation: "getDomain", status: 200 },
      { method: "GET", path: `${WHOIS}?page=2`, operation: "listWhoisChanges", status: 200 },
      { method: "GET", path: `${DNS}?page=0`, operation: "listDnsChanges", status: 422 },
      { method: "POST", path: CHANNELS, operation: "createNotificationChannel", status: 201 },
      { method: "GET", path: DOMAIN, operation: "getDomain", status: 401 },
      { method: "GET", path: "/nowhere?a=b", operation: null, status: 404 },
    ]);
  });

  const TOKEN = "7|secret-token/with+signs";
  const everyByte = (text: string) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

  it.each([
    ["the token in a path", TOKEN, `${DOMAINS}/${encodeURIComponent(TOKEN)}`],
    ["the token in a query", TOKEN, `/nowhere?token=${TOKEN}&page=2`],
    ["the token with every byte encoded", TOKEN, `/nowhere?token=${everyByte(TOKEN)}`],
    ["the token beside bytes that are not text", TOKEN, `/%ff/${everyByte(TOKEN)}`],
    ["a short token as a whole part", "t", "/nowhere/t/next?x=t"],
    ["a destination in a query", undefined, `/nowhere?value=${DESTINATION}`],
    ["an encoded destination", undefined, `/x/${encodeURIComponent(DESTINATION)}/y`],
    ["a destination beside page numbers", undefined, `${DNS}?page=1&value=dev1ce-name`],
    ["a destination in the place of a domain", undefined, `${DOMAINS}/dev1ce-name?per_page=2`],
  ])("blacks out %s", async (_name, token, path) => {
    const emulator = await emulatorForTest({ token });
    await ask(emulator, `POST ${CHANNELS}`, { ...channel, secondary_value: "dev1ce-name" });

    await ask(emulator, `GET ${path}`);

    expect(emulator.requests.at(-1)?.path).toBe("/[secret]");
  });

  it.each([
    ["only looks like a short token", "/nowhere/total?part=1", DESTINATION],
    ["is an ordinary address", `${DNS}?page=1&per_page=2`, "1"],
    ["comes with a destination that is not valid Unicode", "/nowhere", "broken \ud800 text"],
  ])("shows what %s", async (_name, path, value) => {
    const emulator = await emulatorForTest({ token: "t" });

    expect(await ask(emulator, `POST ${CHANNELS}`, { ...channel, value })).toMatchObject({ status: 201 });
    await ask(emulator, `GET ${path}`);

    expect(emulator.requests.at(-1)?.path).toBe(path);
  });
});
