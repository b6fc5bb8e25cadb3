/** No rendering of any error shows the token or a destination, whoever put them there. */
import { inspect } from "node:util";
import type { DomainMonitoringClient, DomainMonitoringError } from "../../src/client";
import type { CreateNotificationChannel } from "../../src/client/fields";
import { sanitizeError } from "../../src/client/internal/failure";
import type { CallOptions } from "../../src/client/options";
import { redactor } from "../../src/common/secrets";
import { isolateTests } from "./support/cleanup";
import { CHANNEL, clientOf, DESTINATION, failureOf, renderings, TOKEN } from "./support/client";
import { OPERATIONS } from "./support/operations";
import { BEHIND_PROXY, useProxies } from "./support/proxy";
import { formsOf } from "./support/secrets";
import { answer, raw, reset, type Step, stall } from "./support/service";
import { CLOSED_PORT } from "./support/sockets";
import { failureFrom } from "./support/start";
import { DOMAIN_ID } from "./support/wire";

isolateTests();

const SECOND = "pushover-user-key/ü 42";
const SECRETS = [TOKEN, DESTINATION, SECOND];
const FORMS = [...new Set(SECRETS.flatMap(formsOf))];

/** A service may repeat what it was sent, here in every form at once. */
const ECHO = FORMS.join(" | ");

function expectNoSecret(error: DomainMonitoringError, forms = FORMS): void {
  const text = renderings(error).toLowerCase();
  for (const form of forms) expect(text).not.toContain(form.toLowerCase());
  expect(text).not.toMatch(/authorization|bearer/);
  // Pulumi's dynamic provider takes an error with an id for a partly created resource.
  expect("id" in error).toBe(false);
}

const channel: CreateNotificationChannel = {
  ...CHANNEL,
  type: "pushover",
  secondaryValue: SECOND,
  // A label may repeat the destinations, as may what is put where an id belongs.
  label: `to ${DESTINATION} or ${SECOND}!`,
};

const headers = { "x-request-id": `${TOKEN} ${encodeURIComponent(DESTINATION)}` };
const errors = { value: [ECHO], [TOKEN]: [ECHO], [DESTINATION]: ECHO };
const refusal = answer(422, { message: ECHO, errors }, headers);
const otherJson = answer(201, { data: { [TOKEN]: ECHO, label: ECHO } }, headers);

test.each<[string, string, Step]>([
  ["a refusal", "http", refusal],
  ["a refusal without fields", "http", answer(403, { message: ECHO }, headers)],
  ["a failure", "http", answer(500, { message: ECHO }, headers)],
  ["a failure that is no JSON", "http", answer(502, `<html>${ECHO}</html>`, headers)],
  ["a rate limit", "http", answer(429, { message: ECHO }, { ...headers, "retry-after": "3600" })],
  ["a redirect", "http", answer(302, ECHO, { location: `https://x.invalid/${TOKEN}`, ...headers })],
  ["text instead of JSON", "response", answer(200, ECHO, headers)],
  ["other JSON", "response", otherJson],
  ["an id that repeats it", "response", answer(201, { data: { id: ECHO.slice(0, 200) } })],
  ["no HTTP", "response", raw(`${ECHO}\r\n\r\n`)],
  ["a large header", "response", raw(`HTTP/1.1 200 OK\r\nx: ${TOKEN.repeat(4000)}\r\n\r\n`)],
  ["a reset", "transport", reset],
  ["silence", "timeout", stall],
])("%s is reported without secrets, as kind %s", async (_answer, kind, step) => {
  const call = { timeoutMs: kind === "timeout" ? 60 : 20_000 };
  const error = await errorOfCreate(step, channel, call);
  expect(error.kind).toBe(kind);
  expectNoSecret(error);
});

/** The error of a create that a service answers so. */
async function errorOfCreate(step: Step, given: CreateNotificationChannel, call?: CallOptions) {
  const create = ({ notificationChannels }: DomainMonitoringClient) =>
    notificationChannels.create(DOMAIN_ID, given, call);

  return (await failureFrom([step], create, { maxResponseBytes: 5000 })).error;
}

test.each([
  ["a service that cannot be reached", "transport", {}],
  ["a call that its caller ends", "aborted", { signal: AbortSignal.abort(new Error(ECHO)) }],
])("%s is reported without secrets", async (_what, kind, call) => {
  const { notificationChannels } = clientOf(`http://127.0.0.1:${CLOSED_PORT}`);
  for (const id of [DESTINATION, TOKEN]) {
    const error = await failureOf(notificationChannels.create(id, channel, call));
    expect(error.kind).toBe(kind);
    expectNoSecret(error);
  }
});

test.each(Object.entries(OPERATIONS))("no error of %s contains the token", async (name, { by }) => {
  // The body of a response to a delete is not read.
  const steps = name.endsWith(".delete") ? [refusal] : [refusal, otherJson];
  for (const step of steps) {
    const { error } = await failureFrom([step], by);
    expectNoSecret(error, formsOf(TOKEN));
  }
});

test("an error about a channel that is not sent does not repeat its values", async () => {
  const wrong: object = { label: "x".repeat(101), type: TOKEN, value: { [DESTINATION]: SECOND } };
  const error = await errorOfCreate(reset, { ...channel, ...wrong });

  expect(error).toMatchObject({ kind: "validation" });
  expect(error.message).toMatch(/label .* 101: /);
  expectNoSecret(error);
});

test("no error contains the proxy's password", async () => {
  useProxies({ HTTPS_PROXY: `http://user:${TOKEN}@127.0.0.1:${CLOSED_PORT}` });
  const client = clientOf(BEHIND_PROXY, { apiToken: "another-token" });
  expectNoSecret(await failureOf(client.domains.get(DOMAIN_ID)));
});

test("a destination that cannot be encoded does not hide that a create may have arrived", async () => {
  // Half of a surrogate pair.
  const error = await errorOfCreate(reset, { ...CHANNEL, value: "https://hooks.example/\ud83d" });
  expect(error).toMatchObject({ kind: "transport", sent: "maybe" });
  expect(renderings(error)).not.toContain("hooks.example");
});

test("the JSON of an error contains its message and its members", async () => {
  const { error } = await failureFrom([answer(404, {}, { "x-request-id": "req-1" })]);
  const path = `/api/domains/${DOMAIN_ID}`;
  const call = { operation: "domains.get", method: "GET", path, attempts: 1, sent: "yes" };
  const response = { kind: "http", status: 404, requestId: "req-1" };
  const itself = { name: "DomainMonitoringError", message: error.message };

  expect(JSON.parse(JSON.stringify(error))).toEqual({ ...itself, ...call, ...response });
  expect(String(error)).toBe(`DomainMonitoringError: ${error.message}`);
});

describe("the fields that a refusal names", () => {
  test("are named as they were sent, whatever the destination is", async () => {
    const field = "whois_notifications_enabled";
    const given = { ...CHANNEL, value: "enabled", whoisNotificationsEnabled: false };
    const step = answer(422, { errors: { [field]: ["It must be true."] } });
    const error = await errorOfCreate(step, given);
    expect(error.fieldErrors).toEqual({ [field]: ["It must be true."] });
  });

  test("keep their errors if their names are redacted", async () => {
    const errors = { [TOKEN]: ["One."], [DESTINATION]: ["Two."] };
    const error = await errorOfCreate(answer(422, { errors }), CHANNEL);
    expect(error.fieldErrors).toEqual({ "[redacted]": ["One.", "Two."] });
  });
});

describe("the cause of an error", () => {
  test("copies only the name, the code and the message of an error", () => {
    const cause = Object.assign(new Error(TOKEN), { headers: TOKEN });
    const facts = { code: "E1", request: TOKEN };
    const error = Object.assign(new TypeError(`sent ${TOKEN}`, { cause }), facts);
    const copy = sanitizeError(error, redactor([TOKEN]));

    expect(inspect(copy, { depth: null, showHidden: true })).not.toContain(TOKEN);
    expect(copy).toMatchObject({ name: "TypeError", code: "E1", message: "sent [redacted]" });
  });

  test("ends if a chain of causes refers to itself", () => {
    const first = new Error("first");
    first.cause = new Error("second", { cause: first });
    expect(sanitizeError(first, (text) => text).message).toBe("first");
  });

  test("accepts thrown values that are not errors", () => {
    expect(sanitizeError(`sent ${TOKEN}`, redactor([TOKEN])).message).toBe("sent [redacted]");
  });
});
