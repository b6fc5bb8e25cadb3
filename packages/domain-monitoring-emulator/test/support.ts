/** Emulators that end with the test that started them, and requests to them. */
import { type ChannelSeed, type Emulator, type EmulatorOptions, startEmulator } from "../src";

/** Id of the healthy example domain. */
export const HEALTHY = "11111111-1111-4111-8111-111111111111";
export const EXPIRING = "22222222-2222-4222-8222-222222222222";
export const UNCHECKED = "33333333-3333-4333-8333-333333333333";

/** Id of a channel made by hand. */
export const ID = "c0000000-0000-4000-8000-000000000001";
const domain = `/api/domains/${HEALTHY}`;

/** Addresses: of the healthy domain, but for the first. */
export const at = {
  domains: "/api/domains",
  domain,
  whois: `${domain}/changes/whois`,
  dns: `${domain}/changes/dns`,
  channels: `${domain}/notification-channels`,
  channel: `${domain}/notification-channels/${ID}`,
};

export const DESTINATION = "https://hooks.example.com/very-secret-destination";
export const channel = { label: "On call", type: "slack", value: DESTINATION };
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const SQL_TS = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const running: Emulator[] = [];

afterEach(() => Promise.all(running.splice(0).map((emulator) => emulator.close())));

/** Starts an emulator. */
export async function emulatorForTest(options?: EmulatorOptions): Promise<Emulator> {
  const emulator = await startEmulator(options);
  running.push(emulator);
  return emulator;
}

/** One with every operation, and a channel of the healthy domain. */
export async function managedForTest(
  options?: EmulatorOptions,
  made?: ChannelSeed,
): Promise<Emulator> {
  const emulator = await emulatorForTest({ lifecycle: "managed", now: "2026-01-31", ...options });
  emulator.addChannel(HEALTHY, { id: ID, ...channel, ...made });
  return emulator;
}

/** Sends `METHOD path` with the right token. Text is sent as it is, anything else as JSON. */
export function send({ url, token }: Emulator, request: string, body?: unknown): Promise<Response> {
  const space = request.indexOf(" ");

  return fetch(url + request.slice(space + 1), {
    method: request.slice(0, space),
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
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
