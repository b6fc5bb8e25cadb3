/** Every request needs the token, and gets an id and a line in the log. */
import {
  ask,
  at,
  channel,
  DESTINATION,
  emulatorForTest,
  send,
  statusAndBody,
  statuses,
  UUID,
} from "./support";

describe("the bearer token", () => {
  it("is required", async () => {
    const { url, token } = await emulatorForTest();

    for (const Authorization of [undefined, "Bearer wrong", token, `Bearer ${token}x`]) {
      const headers = Authorization ? { Authorization } : undefined;
      const answer = await fetch(url + at.domain, { headers });
      const body = { message: expect.any(String) };

      expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
      expect(await statusAndBody(answer)).toEqual({ status: 401, body });
    }
  });

  it("is the one that was given, or a random one", async () => {
    const given = await emulatorForTest({ token: "1|given" });
    const one = await emulatorForTest();
    const other = await emulatorForTest();

    expect(given.token).toBe("1|given");
    expect(await statuses(given, `GET ${at.domain}`)).toEqual([200]);
    expect(one.token).not.toBe(other.token);
  });

  it.each(["", "two words", "line\nbreak", "schlüssel"])("is refused as %j", async (token) => {
    await expect(emulatorForTest({ token })).rejects.toThrow(TypeError);
  });
});

describe("the log", () => {
  it("holds what was asked for in order, and every response has a request id of its own", async () => {
    const emulator = await emulatorForTest({
      faults: [{ operation: "getDomain", after: 1, status: 500 }],
    });

    const answers = [
      await send(emulator, `GET ${at.domain}`),
      await send(emulator, `GET ${at.whois}?page=2`),
      await send(emulator, `GET ${at.dns}?page=0`),
      await send(emulator, `POST ${at.channels}`, channel),
      await send(emulator, `POST ${at.channels}`, "{"),
      await fetch(emulator.url + at.domain),
      await send(emulator, "GET /nowhere?a=b"),
      await send(emulator, `GET ${at.domain}`),
    ];

    expect(emulator.requests).toEqual([
      { method: "GET", path: at.domain, operation: "getDomain", status: 200 },
      { method: "GET", path: `${at.whois}?page=2`, operation: "listWhoisChanges", status: 200 },
      { method: "GET", path: `${at.dns}?page=0`, operation: "listDnsChanges", status: 422 },
      { method: "POST", path: at.channels, operation: "createNotificationChannel", status: 201 },
      { method: "POST", path: at.channels, operation: "createNotificationChannel", status: 400 },
      { method: "GET", path: at.domain, operation: "getDomain", status: 401 },
      { method: "GET", path: "/nowhere?a=b", operation: null, status: 404 },
      { method: "GET", path: at.domain, operation: "getDomain", status: 500 },
    ]);

    const logged = emulator.requests.map(({ status }) => status);
    const ids = answers.map((answer) => answer.headers.get("X-Request-Id"));
    expect(answers.map(({ status }) => status)).toEqual(logged);
    for (const id of ids) expect(id).toMatch(UUID);

    expect(new Set(ids).size).toBe(ids.length);
  });

  const TOKEN = "7|secret-token/with+signs";
  const everyByte = (text: string) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

  it.each([
    ["the token in a path", TOKEN, `${at.domains}/${encodeURIComponent(TOKEN)}`],
    ["the token with every byte encoded", TOKEN, `/nowhere?token=${everyByte(TOKEN)}`],
    ["the token beside bytes that are not text", TOKEN, `/%ff/${everyByte(TOKEN)}`],
    ["a short token as a whole part", "t", "/nowhere/t/next?x=t"],
    ["an encoded destination", undefined, `/x/${encodeURIComponent(DESTINATION)}/y`],
    ["a destination beside page numbers", undefined, `${at.dns}?page=1&value=dev1ce-name`],
    ["a destination in the place of a domain", undefined, `${at.domains}/dev1ce-name?per_page=2`],
  ])("blacks out %s", async (_name, token, path) => {
    const emulator = await emulatorForTest({ token });
    await ask(emulator, `POST ${at.channels}`, { ...channel, secondary_value: "dev1ce-name" });
    await ask(emulator, `GET ${path}`);
    expect(emulator.requests.at(-1)?.path).toBe("/[secret]");
  });

  it.each([
    ["only looks like a short token", "/nowhere/total?part=1", DESTINATION],
    ["is an ordinary address", `${at.dns}?page=1&per_page=2`, "1"],
    ["comes with a destination that is not valid Unicode", "/nowhere", "broken \ud800 text"],
  ])("shows what %s", async (_name, path, value) => {
    const emulator = await emulatorForTest({ token: "t" });
    const { status } = await ask(emulator, `POST ${at.channels}`, { ...channel, value });
    await ask(emulator, `GET ${path}`);
    expect(status).toBe(201);
    expect(emulator.requests.at(-1)?.path).toBe(path);
  });
});
