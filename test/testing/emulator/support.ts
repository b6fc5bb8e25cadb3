/** Emulators that end with the test that started them, and requests to them. */
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../src/testing/emulator";

/** Id of the healthy example domain. */
export const HEALTHY = "11111111-1111-4111-8111-111111111111";
export const EXPIRING = "22222222-2222-4222-8222-222222222222";
export const UNCHECKED = "33333333-3333-4333-8333-333333333333";

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const ISO_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
export const SQL_TS = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
export const DATE = /^\d{4}-\d\d-\d\d$/;

const running: Emulator[] = [];

/** Starts an emulator; `closeEmulators` ends it. */
export async function emulatorForTest(options?: EmulatorOptions): Promise<Emulator> {
  const emulator = await startEmulator(options);
  running.push(emulator);
  return emulator;
}

/** For `afterEach`. */
export async function closeEmulators(): Promise<void> {
  await Promise.all(running.splice(0).map((emulator) => emulator.close()));
}

/** Asks with the right token. */
export function get(emulator: Emulator, path: string): Promise<Response> {
  return fetch(emulator.url + path, { headers: { Authorization: `Bearer ${emulator.token}` } });
}

/** Asks for a channel to be created. Text is sent as it is, anything else as JSON. */
export function postChannel(emulator: Emulator, body: unknown, domainId = HEALTHY): Promise<Response> {
  return fetch(`${emulator.url}/api/domains/${domainId}/notification-channels`, {
    method: "POST",
    headers: { Authorization: `Bearer ${emulator.token}`, "Content-Type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** Sends a request with the right token. Text is sent as it is, anything else as JSON. */
export function send(emulator: Emulator, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(emulator.url + path, {
    method,
    headers: {
      Authorization: `Bearer ${emulator.token}`,
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** The status and the JSON of an answer; undefined where it has no body. */
export async function said(answer: Response) {
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}
