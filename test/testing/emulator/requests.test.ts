import { closeEmulators, emulatorForTest, get, HEALTHY, postChannel, UUID } from "./support";

afterEach(closeEmulators);

describe("the bearer token", () => {
  const operations = [
    ["GET", ""],
    ["GET", "/changes/whois"],
    ["GET", "/changes/dns"],
    ["POST", "/notification-channels"],
  ] as const;

  it.each(operations)("is required by %s /api/domains/{id}%s", async (method, path) => {
    const emulator = await emulatorForTest();
    const ask = (headers: Record<string, string>) =>
      fetch(`${emulator.url}/api/domains/${HEALTHY}${path}`, { method, headers });

    const answers = [
      await ask({}),
      await ask({ Authorization: "Bearer wrong" }),
      await ask({ Authorization: emulator.token }),
      await ask({ Authorization: `Bearer ${emulator.token}x` }),
    ];

    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
      expect(await answer.json()).toEqual({ message: expect.any(String) });
    }
  });

  it("is the one that was given, or a random one", async () => {
    const given = await emulatorForTest({ token: "1|given" });
    const [one, other] = [await emulatorForTest(), await emulatorForTest()];

    expect(given.token).toBe("1|given");
    expect((await get(given, `/api/domains/${HEALTHY}`)).status).toBe(200);
    expect(one.token).not.toBe(other.token);
  });

  it.each(["", "two words", "line\nbreak", "schlüssel"])(
    "is refused where no request could carry it: %j",
    async (token) => {
      await expect(emulatorForTest({ token })).rejects.toThrow(TypeError);
    },
  );
});

describe("an answer", () => {
  it("carries a request id of its own, whatever it says", async () => {
    const emulator = await emulatorForTest({ faults: [{ operation: "listDnsChanges", status: 500 }] });

    const answers = await Promise.all([
      get(emulator, `/api/domains/${HEALTHY}`),
      get(emulator, "/api/domains/nobody"),
      get(emulator, "/nowhere"),
      get(emulator, `/api/domains/${HEALTHY}/changes/whois?page=0`),
      get(emulator, `/api/domains/${HEALTHY}/changes/dns`),
      fetch(`${emulator.url}/api/domains/${HEALTHY}`),
      fetch(`${emulator.url}/openapi.json`),
      postChannel(emulator, "{"),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 422, 500, 401, 200, 400]);
    const ids = answers.map((answer) => answer.headers.get("X-Request-Id"));
    for (const id of ids) expect(id).toMatch(UUID);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("is 404 in JSON where no operation is", async () => {
    const emulator = await emulatorForTest();

    for (const path of ["/", "/api", `/api/domains/${HEALTHY}/changes`]) {
      const answer = await get(emulator, path);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ message: expect.any(String) });
    }
  });
});

describe("the request log", () => {
  it("holds what was asked for in order, with the operation and the status", async () => {
    const emulator = await emulatorForTest();
    const domain = `/api/domains/${HEALTHY}`;

    await get(emulator, domain);
    await get(emulator, `${domain}/changes/whois?page=2`);
    await get(emulator, `${domain}/changes/dns?page=0`);
    await postChannel(emulator, { label: "On call", type: "email", value: null });
    await fetch(emulator.url + domain);
    await get(emulator, "/nowhere?a=b");

    expect(emulator.requests).toEqual([
      { method: "GET", path: domain, operation: "getDomain", status: 200 },
      { method: "GET", path: `${domain}/changes/whois?page=2`, operation: "listWhoisChanges", status: 200 },
      { method: "GET", path: `${domain}/changes/dns?page=0`, operation: "listDnsChanges", status: 422 },
      {
        method: "POST",
        path: `${domain}/notification-channels`,
        operation: "createNotificationChannel",
        status: 201,
      },
      { method: "GET", path: domain, operation: "getDomain", status: 401 },
      { method: "GET", path: "/nowhere?a=b", operation: null, status: 404 },
    ]);
  });

  const TOKEN = "7|secret-token/with+signs";
  const DESTINATION = "https://hooks.example.com/services/very-secret";
  const everyByte = (text: string) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

  it.each([
    ["the token in a path", TOKEN, (secret: string) => `/api/domains/${encodeURIComponent(secret)}`],
    ["the token in a query", TOKEN, (secret: string) => `/nowhere?token=${secret}&page=2`],
    ["the token with every byte encoded", TOKEN, (secret: string) => `/nowhere?token=${everyByte(secret)}`],
    ["the token beside bytes that are not text", TOKEN, (secret: string) => `/%ff/${everyByte(secret)}`],
    ["a destination in a query", DESTINATION, (secret: string) => `/nowhere?value=${secret}`],
    ["an encoded destination", DESTINATION, (secret: string) => `/x/${encodeURIComponent(secret)}/y`],
    ["a short token as a whole part", "t", (secret: string) => `/nowhere/${secret}/next?x=${secret}`],
  ])("blacks out %s", async (_name, secret, path) => {
    const token = secret === DESTINATION ? undefined : secret;
    const emulator = await emulatorForTest({ token });
    await postChannel(emulator, { label: "On call", type: "slack", value: DESTINATION });

    await get(emulator, path(secret));

    const logged = emulator.requests.at(-1)?.path;
    expect(logged).toBe("/[secret]");
  });

  it("blacks out a destination beside page numbers and for a domain that exists, and shows the rest", async () => {
    const emulator = await emulatorForTest();
    await postChannel(emulator, {
      label: "On call",
      type: "pushover",
      value: "u5er-key",
      secondary_value: "dev1ce-name",
    });

    await get(emulator, `/api/domains/${HEALTHY}/changes/dns?page=1&value=u5er-key`);
    await get(emulator, "/api/domains/dev1ce-name?per_page=2");
    await get(emulator, `/api/domains/${HEALTHY}/changes/dns?page=1&per_page=2`);

    expect(emulator.requests.slice(1).map(({ path }) => path)).toEqual([
      "/[secret]",
      "/[secret]",
      `/api/domains/${HEALTHY}/changes/dns?page=1&per_page=2`,
    ]);
  });

  it("copes with a destination that is not valid Unicode", async () => {
    const emulator = await emulatorForTest();

    const answer = await postChannel(
      emulator,
      '{"label":"On call","type":"slack","value":"broken \\ud800 text"}',
    );
    await get(emulator, "/nowhere");

    expect(answer.status).toBe(201);
    expect(emulator.requests).toMatchObject([{ status: 201 }, { path: "/nowhere", status: 404 }]);
  });

  it("shows what only looks like a short token", async () => {
    const emulator = await emulatorForTest({ token: "t" });

    await get(emulator, "/nowhere/total?part=1");

    expect(emulator.requests).toMatchObject([{ path: "/nowhere/total?part=1" }]);
  });
});
