/** No rendering of any error shows the token or a destination, whoever put them there. */
import { inspect } from "node:util";
import fc from "fast-check";
import { DomainMonitoringClient, DomainMonitoringError } from "../../src/client";
import type { CreateNotificationChannel } from "../../src/client/types";
import { redactor, sanitizeError, sanitizeText } from "../../src/common/redact";
import { codePoint } from "../support/unicode";
import { isolateTests } from "./support/cleanup";
import { CHANNEL, clientOf, DESTINATION, failureOf, renderings, TOKEN } from "./support/client";
import { useProxy } from "./support/proxy";
import { answer, raw, reset, type Step, stall, startService } from "./support/service";
import { CLOSED_PORT } from "./support/sockets";
import { DOMAIN_ID } from "./support/wire";

isolateTests();

const SECOND = "pushover-user-key/ü 42";

/** The forms in which a secret may come back. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    json,
    json.replaceAll("/", "\\/"),
    encodeURIComponent(secret),
    encodeURI(secret),
    Buffer.from(secret).toString("base64").replace(/=+$/, ""),
    secret.toLowerCase(),
    secret.toUpperCase(),
  ];
}

const SECRETS = [TOKEN, DESTINATION, SECOND];
const FORMS = [...new Set(SECRETS.flatMap(formsOf))];

/** What a service may repeat of what it was sent, in every form at once. */
const ECHO = FORMS.join(" | ");

function expectNoSecret(error: DomainMonitoringError, forms = FORMS): void {
  const text = renderings(error).toLowerCase();
  for (const form of forms) expect(text).not.toContain(form.toLowerCase());
  expect(text).not.toMatch(/authorization|bearer/);
  // Pulumi's dynamic provider takes an error with an id for a partly created resource.
  expect("id" in error).toBe(false);
}

const channel: CreateNotificationChannel = { ...CHANNEL, type: "pushover", secondaryValue: SECOND };
const headers = { "x-request-id": `${TOKEN} ${encodeURIComponent(DESTINATION)}` };
const errors = { value: [ECHO], [TOKEN]: [ECHO], [DESTINATION]: ECHO };

const answers: [string, string, Step][] = [
  ["a refusal", "http", answer(422, { message: ECHO, errors }, headers)],
  ["a refusal without fields", "http", answer(403, { message: ECHO }, headers)],
  ["a failure", "http", answer(500, { message: ECHO }, headers)],
  ["a failure that is no JSON", "http", answer(502, `<html>${ECHO}</html>`, headers)],
  ["a rate limit", "http", answer(429, { message: ECHO, retry_after: 3600 }, headers)],
  ["a redirect", "http", answer(302, ECHO, { location: `https://elsewhere.invalid/${TOKEN}`, ...headers })],
  ["text instead of JSON", "response", answer(200, ECHO, headers)],
  ["JSON of the wrong shape", "response", answer(201, { data: { [TOKEN]: ECHO, label: ECHO } }, headers)],
  [
    "an unusable answer whose id repeats it all",
    "response",
    answer(201, { data: { id: ECHO.slice(0, 200) } }),
  ],
  ["no HTTP", "response", raw(`${ECHO}\r\n\r\n`)],
  ["a header beyond every bound", "response", raw(`HTTP/1.1 200 OK\r\nx: ${TOKEN.repeat(4000)}\r\n\r\n`)],
  ["an answer beyond the limit", "response", answer(200, ECHO.repeat(100))],
  ["a reset", "transport", reset],
  ["silence", "timeout", stall],
];

// A label may repeat the destination, and so may what is put where an id belongs.
const labels: [string, string][] = [
  ["another label", "On call"],
  ["the destination as label", DESTINATION],
  ["a label around the destination", `to ${DESTINATION}!`],
  ["the second value as label", SECOND],
];

describe.each(labels)("with %s", (_name, label) => {
  test.each(answers)("%s is reported without secrets, as kind %s", async (_answer, kind, step) => {
    const service = await startService([step]);
    const client = clientOf(service.url, { maxResponseBytes: 5000 });
    const call = { timeoutMs: kind === "timeout" ? 60 : 20_000 };
    const error = await failureOf(client.notificationChannels.create(DOMAIN_ID, { ...channel, label }, call));
    expect(error.kind).toBe(kind);
    expectNoSecret(error);
  });

  test("a service that cannot be reached is reported without secrets", async () => {
    const client = clientOf(`http://127.0.0.1:${CLOSED_PORT}`);
    const error = await failureOf(client.notificationChannels.create(DESTINATION, { ...channel, label }));
    expect(error.kind).toBe("transport");
    expectNoSecret(error);
  });

  test("a call that the caller aborts is reported without secrets", async () => {
    const client = clientOf("http://127.0.0.1:9");
    const signal = AbortSignal.abort(new Error(ECHO));
    const error = await failureOf(
      client.notificationChannels.create(TOKEN, { ...channel, label }, { signal }),
    );
    expect(error.kind).toBe("aborted");
    expectNoSecret(error);
  });
});

test("no error of a read contains the token, even if the service echoes it", async () => {
  for (const [, , step] of answers.filter(([, kind]) => kind !== "timeout")) {
    const service = await startService([step]);
    const client = clientOf(service.url, { maxResponseBytes: 5000 });
    // A read knows no destination.
    expectNoSecret(await failureOf(client.domains.get(TOKEN)), formsOf(TOKEN));
  }
});

test("an error about invalid options does not repeat their values", () => {
  const refuse = (options: { baseUrl: string; apiToken: string; userAgent?: string }) => {
    try {
      new DomainMonitoringClient(options);
    } catch (error) {
      if (error instanceof DomainMonitoringError) return error;
    }
    throw new Error("was not refused");
  };
  const apiToken = TOKEN;
  const refused = [
    refuse({ baseUrl: `https://user:${TOKEN}@monitoring.example`, apiToken }),
    refuse({ baseUrl: `https://monitoring.example?key=${TOKEN}`, apiToken }),
    refuse({ baseUrl: TOKEN, apiToken }),
    refuse({ baseUrl: `http://${TOKEN}.example`, apiToken }),
    refuse({ baseUrl: "https://monitoring.example", apiToken: `${TOKEN} ${DESTINATION}` }),
    refuse({ baseUrl: "https://monitoring.example", apiToken, userAgent: `${TOKEN}\n` }),
  ];
  for (const error of refused) {
    expect(error.kind).toBe("configuration");
    expectNoSecret(error);
  }
});

test("an error about a channel that is rejected before it is sent does not repeat its values", async () => {
  const client = clientOf("http://127.0.0.1:9");
  const given: unknown = {
    ...channel,
    label: "x".repeat(101),
    type: TOKEN,
    value: { [DESTINATION]: SECOND },
  };
  const error = await failureOf(
    client.notificationChannels.create(DOMAIN_ID, given as CreateNotificationChannel),
  );
  expect(error).toMatchObject({ kind: "validation" });
  expect(error.message).toContain("label has a length of 101: give it 3 to 100 characters");
  expectNoSecret(error);
});

test("no error contains the proxy's password", async () => {
  useProxy(`http://user:${TOKEN}@127.0.0.1:${CLOSED_PORT}`);
  const client = clientOf("https://monitoring.invalid", { apiToken: "another-token" });
  expectNoSecret(await failureOf(client.domains.get(DOMAIN_ID)));
});

test("a destination that cannot be encoded does not hide the outcome: a create that may have arrived says so", async () => {
  const service = await startService([reset]);
  // Half of a surrogate pair.
  const value = "https://hooks.example/\ud83d";
  const creating = clientOf(service.url).notificationChannels.create(DOMAIN_ID, { ...channel, value });
  const error = await failureOf(creating);
  expect(error).toMatchObject({ kind: "transport", sent: "maybe" });
  expect(renderings(error)).not.toContain("hooks.example");
});

test("a webhook's method is not a secret, so the same word in a message is not redacted", async () => {
  const service = await startService([answer(422, { message: "POST is not allowed." })]);
  const creating = clientOf(service.url).notificationChannels.create(DOMAIN_ID, {
    ...CHANNEL,
    secondaryValue: "POST",
  });
  const error = await failureOf(creating);
  expect(error.message).toMatch(/^POST .*POST is not allowed/);
});

test("the JSON of an error contains its message and its members", async () => {
  const service = await startService([answer(404, {}, { "x-request-id": "req-1" })]);
  const error = await failureOf(clientOf(service.url).domains.get(DOMAIN_ID));
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: "DomainMonitoringError",
    message: error.message,
    kind: "http",
    operation: "domains.get",
    method: "GET",
    path: `/api/domains/${DOMAIN_ID}`,
    attempts: 1,
    status: 404,
    requestId: "req-1",
    sent: "yes",
  });
  expect(String(error)).toBe(`DomainMonitoringError: ${error.message}`);
});

describe("redaction", () => {
  const secret = fc
    .string({ unit: codePoint, minLength: 3, maxLength: 40 })
    .filter((text) => !"[redacted]".includes(text.toLowerCase()));

  test("removes every form of every secret, anywhere in a text", () => {
    fc.assert(
      fc.property(
        secret,
        fc.string({ unit: codePoint }),
        fc.string({ unit: codePoint }),
        (hidden, before, after) => {
          for (const form of formsOf(hidden).slice(0, 6)) {
            expect(redactor([hidden])(`${before}${form}${after}`)).toContain("[redacted]");
            expect(redactor([hidden])(form)).not.toContain(form);
          }
        },
      ),
    );
  });

  test("replaces the longer of two secrets first", () => {
    expect(redactor(["abc", "abcdef"])("abcdef abc")).toBe("[redacted] [redacted]");
  });

  test("changes nothing if there is no secret", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        expect(redactor([null, undefined, "", "ab"])(text)).toBe(text);
      }),
    );
  });

  test("happens before a text is shortened, so that no part of a secret remains", () => {
    const text = sanitizeText(`${"x".repeat(290)}${DESTINATION}`, redactor([DESTINATION]));
    expect(text).not.toContain("hooks");
  });

  test("keeps the joiners that scripts and emoji are spelled with, and no other invisible character", () => {
    const spelled = "می\u200cخواهم क्\u200dष 👩\u200d💻";
    const invisible = "\u200b\u200e\u202e\u2066\u2069\ufeff\u00ad\u001b\u2028";
    expect(sanitizeText(spelled, (text) => text)).toBe(spelled);
    for (const character of invisible)
      expect(sanitizeText(`a${character}b\u200d${character}`, (text) => text)).toBe("a b\u200d");
  });

  test("copies only the name, the code and the message of an error", () => {
    const inner = Object.assign(new Error(TOKEN), { headers: TOKEN });
    const error = Object.assign(new TypeError(`sent ${TOKEN}`, { cause: inner }), {
      code: "E1",
      request: TOKEN,
    });
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

describe("a very long destination", () => {
  it.each([
    ["of plain characters", "a secret path/".repeat(20_000)],
    ["outside ASCII", "ein längerer Pfad/".repeat(20_000)],
  ])("%s is redacted like any other", (_kind, destination) => {
    const redact = redactor([destination]);
    expect(redact(`refused: ${destination.toUpperCase()}, ${JSON.stringify(destination)}!`)).toBe(
      'refused: [redacted], "[redacted]"!',
    );
  });
});
