/** No rendering of any error shows the token or a destination, whoever put them there. */
import { inspect } from "node:util";
import fc from "fast-check";
import { DomainMonitoringClient, DomainMonitoringError } from "../../src/client";
import { CHANNEL_TYPES, type CreateNotificationChannel } from "../../src/client/types";
import { quotable, redactor, sanitizeError, sanitizeText } from "../../src/common/redact";
import { codePoint } from "../support/unicode";
import { isolateTests } from "./support/cleanup";
import { CHANNEL, clientOf, DESTINATION, failureOf, renderings, TOKEN } from "./support/client";
import { useProxy } from "./support/proxy";
import { answer, raw, reset, type Step, stall, startService } from "./support/service";
import { CLOSED_PORT } from "./support/sockets";
import { DOMAIN_ID, channel as wireChannel } from "./support/wire";

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

  test("takes out what a terminal or Pulumi's display would obey", () => {
    const text = "\u001b[31mred\u001b[0m <{%fg 1%}>green <\u200b{% \ud83d\nend";
    expect(sanitizeText(text, (same) => same)).toBe("red <{ %fg 1%}>green < {% end");
    expect(sanitizeText("a😀", (same) => same, 2)).toBe("a…");
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
    for (const form of [destination, destination.toUpperCase(), JSON.stringify(destination).slice(1, -1)])
      expect(redact(`refused: ${form}`)).toBe("refused: [redacted]");
  });

  it("is found in megabytes of text, of which only the beginning is kept", () => {
    const redact = redactor([TOKEN, DESTINATION]);
    const text = `${"Ü".repeat(19_990)}${DESTINATION}${"Ü".repeat(5_000_000)}`;
    const kept = redact(text);
    expect(kept.length).toBeLessThan(21_000);
    for (let end = 19_990; end < 19_990 + DESTINATION.length; end++) {
      // Wherever the cut is: no part of a secret is left at its end.
      expect(redact(`${"x".repeat(end)}${DESTINATION}${"x".repeat(10_000)}`)).not.toContain("hook");
    }
  });
});

describe("the service's free text about a channel", () => {
  test.each([
    ["an address", "Mail to ops@corp.example.", "Mail to [redacted]."],
    ["an encoded address", "Mail to ops%40corp.example!", "Mail to [redacted]!"],
    ["an address of full-width characters", "to ops＠corp．example", "to [redacted]"],
    ["a URL with punctuation", "410 from https://a.example/(in)?key,secret", "410 from [redacted]"],
    ["a URL without its scheme", "hooks.example.com/in/secret: 500", "[redacted]: 500"],
    ["a host", "hooks.example.com is gone", "[redacted] is gone"],
    ["a key", "user uQiRzpo4DXghDmr9QzzfQu27cmVRsG unknown", "user [redacted] unknown"],
    ["a key of letters", "user abcdefghijklmnopqrstu unknown", "user [redacted] unknown"],
    ["a key around digits", "user abc1234567890def unknown", "user [redacted] unknown"],
    ["a key beside a UUID", "11111111-1111-4111-8111-111111111111-secret", "[redacted]"],
    ["a telephone number", "+44 20 7946 0958 is busy", "[redacted] is busy"],
    ["a national telephone number", "01711234567, or 0171 1234567", "[redacted], or [redacted]"],
    ["a telephone number in pairs", "Call 01 71 12 34 56", "Call [redacted]"],
    ["a telephone number in other digits", "٠١٧١١٢٣٤٥٦٧ is busy", "[redacted] is busy"],
    ["what is written with invisible characters", "to ops\u200bcorp", "to [redacted]"],
    ["a name in a chat", "see #on-call or @ops", "see [redacted] or [redacted]"],
  ])("is repeated without %s", (_what, text, shown) => {
    expect(quotable(text)).toBe(shown);
  });

  test.each([
    'The label "On-call team" is taken, and it doesn\'t change: use another one (3 to 100 characters).',
    "Bounced 3 times, 5% of all; last with 550.",
    "Ошибка: адрес не найден! नहीं मिला। می\u200cخواهم، 送信できませんでした。設定を確認してください",
    "[redacted] is\nnot valid",
  ])("keeps words, short numbers and punctuation: %s", (text) => {
    expect(quotable(text)).toBe(text);
  });

  test("keeps the names of the wire", () => {
    const channel = wireChannel();
    const names = [...Object.keys(channel), "value", "secondary_value", "domain_id", ...CHANNEL_TYPES];
    expect(names.map(quotable)).toEqual(names);
    expect(quotable(names.join(", "))).toBe(names.join(", "));
    expect(quotable("errors.secondary_value my_secret_value")).toBe("[redacted]");
  });

  test("holds nothing else, whatever it is", () => {
    const harmless =
      /^(?:[\p{L}\p{M}\u200c\u200d]{1,20}|\p{N}{1,3}|[-'’‘`.:%,;!?()[\]{}"“”„«»…–—¿¡،؛؟।、。，；！？「」（）\s])*$/u;
    const text = fc.array(
      fc.oneof(fc.string({ unit: codePoint }), fc.emailAddress(), fc.webUrl(), fc.base64String()),
    );
    fc.assert(
      fc.property(text, (parts) => {
        const shown = quotable(parts.join(" "));
        expect(shown).toMatch(harmless);
        for (const part of parts)
          if (/[@/=]/.test(part) && !/\s/.test(part)) expect(shown).not.toContain(part);
      }),
    );
  });

  test("is cut before anything else, and not within a word", () => {
    expect(quotable(`${"word ".repeat(399)}ops @corp.example`.padEnd(5_000_000, "x"))).toMatch(
      / word ops …$/,
    );
    expect(quotable(`${"word ".repeat(399)}ops@corp.example`)).toMatch(/ word …$/);
  });

  test("names each field that a refusal names, whatever the destination is", async () => {
    const flags = ["whois", "dns", "ssl"].map((name) => `${name}_notifications_enabled`);
    const errors = Object.fromEntries(flags.map((name) => [name, [`The ${name} field must be true.`]]));
    const service = await startService([answer(422, { message: "Invalid.", errors })]);
    const { notificationChannels } = clientOf(service.url);
    const error = await failureOf(notificationChannels.create(DOMAIN_ID, { ...CHANNEL, value: "enabled" }));
    expect(Object.keys(error.fieldErrors ?? {})).toEqual(flags);
  });

  test("keeps the errors of fields whose names are redacted", async () => {
    const errors = { "a.b": ["One."], "c.d": ["Two."] };
    const service = await startService([answer(422, { message: "Invalid.", errors })]);
    const error = await failureOf(clientOf(service.url).notificationChannels.create(DOMAIN_ID, CHANNEL));
    expect(error.fieldErrors).toEqual({ "[redacted]": ["One.", "Two."] });
  });
});
