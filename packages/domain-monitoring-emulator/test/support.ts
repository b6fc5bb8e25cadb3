/** Emulators that end with the test that started them, and requests to them. */
import { type ChannelSeed, type Emulator, type EmulatorOptions, startEmulator } from "../src";
import { channel, HEALTHY, ID } from "./examples";

const running: Emulator[] = [];

afterEach(() => Promise.all(running.splice(0).map((emulator) => emulator.close())));

export async function emulatorForTest(options?: EmulatorOptions): Promise<Emulator> {
  const emulator = await startEmulator(options);
  running.push(emulator);
  return emulator;
}

/** One with every operation, and a channel of the healthy domain. */
export async function managedForTest(options?: EmulatorOptions, made?: ChannelSeed) {
  const emulator = await emulatorForTest({ lifecycle: "managed", now: "2026-01-31", ...options });
  emulator.addChannel(HEALTHY, { id: ID, ...channel, ...made });
  return emulator;
}

/** Sends `METHOD path` with the right token. Text is sent as it is, anything else as JSON. */
export function send({ url, token }: Emulator, request: string, body?: unknown): Promise<Response> {
  const [method = "", path] = request.split(" ");
  const type = body === undefined ? undefined : { "Content-Type": "application/json" };

  return fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...type },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** Sends a request and reads the answer; its body is undefined where there is none. */
export async function ask(emulator: Emulator, request: string, body?: unknown) {
  return statusAndBody(await send(emulator, request, body));
}

/** The status and the JSON of an answer. */
export async function statusAndBody(answer: Response) {
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

/** Only the statuses of requests that are sent one after the other. */
export async function statuses(emulator: Emulator, ...requests: string[]): Promise<number[]> {
  const all = [];
  for (const request of requests) all.push((await send(emulator, request)).status);
  return all;
}
