/** The effect of each fault on a request, seen from the client's side of the socket. */
import { connect, type Socket } from "node:net";
import { until } from "../../../test/support/run";
import type { Emulator, FaultRule } from "../src";
import { at, channel } from "./examples";
import { emulatorForTest, managedForTest, send, statuses } from "./support";

/** Longer than any test: whoever waits for it has failed. */
const FOREVER = 2 ** 31 - 1;
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const status = async (emulator: Emulator) => (await statuses(emulator, `GET ${at.domain}`))[0];
const create = (emulator: Emulator) => send(emulator, `POST ${at.channels}`, channel);

/** A create on a connection of its own, and what came back on it so far. */
function rawCreate(emulator: Emulator) {
  const body = JSON.stringify(channel);
  const socket = connect(Number(new URL(emulator.url).port), "127.0.0.1");
  sockets.push(socket);
  const received = { text: "" };
  socket.setEncoding("utf8").on("data", (text: string) => {
    received.text += text;
  });

  socket.on("error", () => undefined);
  const closed = new Promise((resolve) => socket.on("close", resolve));

  socket.write(
    `POST ${at.channels} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${emulator.token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );

  return { received, closed, socket };
}

/** By then everything that was written before has arrived. */
const roundTrip = ({ url }: Emulator) => fetch(url).then((answer) => answer.text());

describe.each([
  ["before", 0, 0, "nothing"],
  ["after", 1, 0, "nothing"],
  ["headers", 1, 201, "head"],
  ["body", 1, 201, "half"],
] as const)("at the point `%s`", (point, channels, logged, arrives) => {
  const expectArrival = (text: string) => {
    const [head = "", body = ""] = text.split("\r\n\r\n");
    if (arrives === "nothing") return expect(text).toBe("");

    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(head).toMatch(/^HTTP\/1\.1 201 /);
    expect(head).toMatch(/^content-type: application\/json$/im);
    expect(head).toMatch(/^x-request-id: [\w-]{36}$/im);
    expect(length).toBeGreaterThan(100);
    expect(body).toHaveLength(arrives === "head" ? 0 : Math.floor(length / 2));
  };

  it("a reset ends the connection, and what was done stays done", async () => {
    const emulator = await emulatorForTest({ faults: [{ reset: point }] });
    const { received, closed } = rawCreate(emulator);
    await closed;
    expectArrival(received.text);
    expect(emulator.channels()).toHaveLength(channels);
    expect(emulator.requests.map((request) => request.status)).toContain(logged);
    expect(await status(emulator)).toBe(200);
  });

  it("a stall keeps it open and silent until a reset, while others are served", async () => {
    const emulator = await emulatorForTest();
    emulator.fault({ stall: point });
    const { received, closed, socket } = rawCreate(emulator);
    await until(() => emulator.requests.length === 1);
    if (arrives !== "nothing") await until(() => received.text.includes("\r\n\r\n"));
    if (arrives === "half") await until(() => !received.text.endsWith("\r\n\r\n"));
    await roundTrip(emulator);

    expectArrival(received.text);
    expect(socket.destroyed).toBe(false);
    expect(emulator.channels()).toHaveLength(channels);
    expect(emulator.requests[0]).toMatchObject({ status: logged });

    emulator.reset();
    await closed;
    expect(await status(emulator)).toBe(200);
  });
});

describe("delayMs", () => {
  const rateLimit = { requests: 10_000, perSeconds: 3600 };

  /**
   * The rate limit counts a request before a fault makes it wait, so that its count tells when the
   * create is in.
   */
  async function createIsWaiting(emulator: Emulator): Promise<void> {
    let remaining = Number.NaN;
    for (let reads = 0; remaining !== rateLimit.requests - reads - 1; ) {
      reads += 1;
      const { headers } = await send(emulator, `GET ${at.domain}`);
      remaining = Number(headers.get("X-RateLimit-Remaining"));
    }
  }

  it("waits before the work, and never does it once a reset has ended the wait", async () => {
    const emulator = await emulatorForTest({ rateLimit });
    emulator.fault({ delayMs: FOREVER, operation: "createNotificationChannel" });
    const { received, closed, socket } = rawCreate(emulator);
    await createIsWaiting(emulator);

    expect(received.text).toBe("");
    expect(socket.destroyed).toBe(false);
    expect(emulator.channels()).toEqual([]);

    emulator.reset();
    await closed;
    await roundTrip(emulator);

    expect(emulator.channels()).toEqual([]);
    expect(emulator.requests).toMatchObject([{ path: "/" }]);
  });

  const endings: FaultRule[] = [{}, { reset: "body" }, { stall: "body" }];

  it.each(endings)("does the work although the client has left, then with %j", async (ending) => {
    const operation = "createNotificationChannel";
    const faults = [{ operation, delayMs: 100, ...ending } as const];
    const emulator = await emulatorForTest({ rateLimit, faults });
    const { socket, closed } = rawCreate(emulator);
    await createIsWaiting(emulator);
    socket.destroy();
    await closed;
    await until(() => emulator.channels().length === 1);
    await roundTrip(emulator);
  });

  it("comes before another fault of the same rule", async () => {
    const others: FaultRule[] = [{ status: 503 }, { reset: "after" }];
    const faults = others.map((rule) => ({ ...rule, delayMs: 1 }));
    const emulator = await emulatorForTest({ faults });

    expect((await create(emulator)).status).toBe(503);
    await expect(create(emulator)).rejects.toThrow("fetch failed");
    expect(emulator.channels()).toHaveLength(1);
  });
});

describe("a response that is not as it should be", () => {
  const answerTo = async (emulator: Emulator) => {
    const answer = await send(emulator, `GET ${at.domain}`);
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  };

  it("headers: adds to those of the real response, or replaces them", async () => {
    const headers = { "Retry-After": "9", "Content-Type": "text/html" };
    const emulator = await emulatorForTest({ faults: [{ headers }] });
    const answer = await create(emulator);
    expect(answer.status).toBe(201);
    expect(answer.headers.get("Retry-After")).toBe("9");
    expect(answer.headers.get("Content-Type")).toBe("text/html");
    expect(await answer.json()).toMatchObject({ data: { label: "On call" } });
    expect(emulator.channels()).toHaveLength(1);
  });

  it("garbage: says JSON and sends bytes that are neither JSON nor UTF-8", async () => {
    const emulator = await emulatorForTest({ faults: [{ garbage: true }] });
    const { answer, bytes } = await answerTo(emulator);
    expect(answer.headers.get("Content-Type")).toBe("application/json");
    expect(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes)).toThrow("not valid");

    for (const encoding of ["utf8", "utf16le", "latin1"] as const)
      expect(() => JSON.parse(bytes.toString(encoding))).toThrow(SyntaxError);
  });

  it.each([0, 1, 40])("truncate: sends %d bytes as if there were no more", async (truncate) => {
    const emulator = await emulatorForTest();
    const whole = (await answerTo(emulator)).bytes;
    emulator.fault({ truncate });
    const { answer, bytes } = await answerTo(emulator);
    expect(answer.status).toBe(200);
    expect(bytes).toEqual(whole.subarray(0, truncate));
  });

  const ofBody: FaultRule[] = [{ garbage: true }, { truncate: 3 }, { reset: "body" }];

  it.each([...ofBody, { reset: "headers" } as const])("leaves no body alone: %j", async (rule) => {
    const emulator = await managedForTest({ faults: [rule] });
    const answer = await send(emulator, `DELETE ${at.channel}`);
    expect(answer.status).toBe(204);
    expect(await answer.text()).toBe("");
  });

  it("may be several things at once", async () => {
    const headers = { "Content-Type": "a/b" };
    const fault = { status: 502, body: "0123456789", truncate: 6, headers } as const;
    const emulator = await emulatorForTest({ faults: [{ ...fault, reset: "body" }] });
    const { received, closed } = rawCreate(emulator);
    await closed;
    expect(received.text).toMatch(
      /^HTTP\/1\.1 502 [\s\S]*content-type: a\/b[\s\S]*content-length: 6[\s\S]*\r\n\r\n012$/i,
    );
  });
});
