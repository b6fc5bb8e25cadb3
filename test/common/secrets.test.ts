/** Texts of others: without the secrets that are known, and otherwise whole, on one line. */
import { quoter, redactor } from "../../src/common/secrets";
import { sanitizeText } from "../../src/common/text";
import { formsOf } from "../client/support/secrets";
import { codePoint, fc } from "../support/properties";

const TOKEN = "7|qWvTzrKfHbNpLsDgXjMcYtRwZkBhVnQs0123";
const DESTINATION = "https://hooks.slack.example/services/T0/webhook";
const anyText = fc.string({ unit: codePoint });

describe("redaction", () => {
  const secret = fc
    .string({ unit: codePoint, minLength: 3, maxLength: 40 })
    .filter((text) => !"[redacted]".includes(text.toLowerCase()));

  test("removes every form of every secret, anywhere in a text", () => {
    fc.assert(
      fc.property(secret, anyText, anyText, (hidden, before, after) => {
        const redact = redactor([hidden]);
        for (const form of formsOf(hidden).slice(0, 6)) {
          expect(redact(`${before}${form}${after}`)).toContain("[redacted]");
          expect(redact(form)).not.toContain(form);
        }
      }),
    );
  });

  test("replaces the longer of two secrets first", () => {
    expect(redactor(["abc", "abcdef"])("abcdef abc")).toBe("[redacted] [redacted]");
  });

  test.each([
    ["https://hooks。slack。com/services/x", "https://hooks.slack.com/services/x"],
    ["https://ｈｏｏｋｓ.slack．com/x", "https://hooks.slack.com/x"],
    ["https://hooks%2Eslack.com/x", "https://hooks.slack.com/x"],
    ["https://b\u00fccher.example", "https://xn--bcher-kva.example/"],
    ["ops@corp。example", "ops@corp.example"],
  ])("removes %s also as a service has it that has parsed it", (destination, parsed) => {
    const redact = redactor([destination]);
    for (const text of [destination, parsed, encodeURIComponent(parsed), JSON.stringify(parsed)])
      expect(redact(`No answer: ${text}`)).not.toMatch(/slack|example/);
  });

  test("changes nothing if there is no secret", () => {
    fc.assert(
      fc.property(anyText, (text) => {
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
});

describe("a very long destination", () => {
  it.each(["a secret path/", "ein längerer Pfad/"])("of %p is redacted like any other", (part) => {
    const destination = part.repeat(20_000);
    const redact = redactor([destination]);
    const json = JSON.stringify(destination).slice(1, -1);
    for (const form of [destination, destination.toUpperCase(), json])
      expect(redact(`refused: ${form}`)).toBe("refused: [redacted]");
  });

  it("is found in megabytes of text, of which only the beginning is kept", () => {
    const redact = redactor([TOKEN, DESTINATION]);
    const text = `${"Ü".repeat(19_990)}${DESTINATION}${"Ü".repeat(5_000_000)}`;
    expect(redact(text).length).toBeLessThan(21_000);
    // Wherever the cut is: no part of a secret is left at its end.
    for (let end = 19_990; end < 19_990 + DESTINATION.length; end++)
      expect(redact(`${"x".repeat(end)}${DESTINATION}${"x".repeat(10_000)}`)).not.toContain("hook");
  });
});

describe("a free text of the service", () => {
  const quote = (text: string) => quoter([])(text, 5000);

  test.each([
    "Rate limit of 1000 requests per minute exceeded",
    "WHOIS lookup for example.co.uk failed: timeout after 30s (whois.nic.uk:43)",
    "WHOIS lookup for my-long-shop-name-24.example failed (192.0.2.44)",
    "SMTP 550 5.1.1 mailbox unavailable, 550-5.7.26 unauthenticated",
    "Checked at 2026-10-31T08:30:00.000000Z, 2026-10-31 08:30:00, 31.10.2026, 12/31/2026 or 8:30.",
    "Larger than 10485760 bytes, 1,000,000 or 1500000 EUR; it may be 5, 10, 15, 20, 25, 30.",
    'The label "On-call team" is taken, and it doesn\'t change: use another one (3 to 100 characters).',
    "Ошибка: адрес не найден! नहीं मिला। می\u200cخواهم، 送信できませんでした。設定を確認してください",
    "enabled_dns_records.12 last_notification_sent_at_human #on-call https://corp.example/.",
    "[redacted] is not valid",
    "The value must start with https://hooks.example.net/services/.",
    "Your subscription ended on 2026-10-31. Renew at https://service.example/billing?id=4711abcd",
    "Message to ops@example.com bounced (410 from https://a.example/(in)?key,secret), call 01711234567",
    "request 7f9c2ba4e88f828d616045507605853e",
  ])("shows all of: %s", (text) => {
    expect(quote(text)).toBe(text);
  });

  test("is one line, without control characters", () => {
    expect(quote("Not\nnow:\u001b[31m try\tagain\u2028later")).toBe("Not now: try again later");
  });

  test("is cut before anything else, and not within a word", () => {
    const long = `${"word ".repeat(399)}ops @corp.example`.padEnd(5_000_000, "x");
    expect(quote(long)).toMatch(/ word ops …$/);
    expect(quote(`${"word ".repeat(399)}ops@corp.example`)).toMatch(/ word …$/);
  });
});

describe("a text of a service that knows a secret", () => {
  const encoded = (text: string, encoding: "hex" | "base64" | "base64url") =>
    Buffer.from(text).toString(encoding);

  test.each([
    ["whole", TOKEN],
    ["its first twenty characters", TOKEN.slice(0, 20)],
    ["its end", TOKEN.slice(-14)],
    ["groups of four", (TOKEN.match(/.{1,4}/g) ?? []).join(" ")],
    ["groups of four with hyphens", (TOKEN.match(/.{1,4}/g) ?? []).join(" - ")],
    ["letters alone", TOKEN.replace(/[^a-z]/gi, "").slice(0, 18)],
    ["capitals", TOKEN.toUpperCase()],
    ["hex", encoded(TOKEN, "hex")],
    ["base64", encoded(TOKEN, "base64")],
    ["base64 of its first half", encoded(TOKEN.slice(0, 19), "base64url")],
    ["base64 of a header", encoded(`Bearer ${TOKEN}`, "base64")],
  ])("shows nothing of it: %s", (_how, form) => {
    const shown = quoter([TOKEN])(`The value ${form} is not known`);
    expect(shown).toMatch(/^The value \[redacted\]/);
    for (const group of form.match(/[A-Za-z]{4,}/g) ?? []) expect(shown).not.toContain(group);
  });

  test("keeps words that it has by chance", () => {
    const words = "The services of Slack, webhook and hooks, are gone";
    expect(quoter([DESTINATION])(words)).toBe(words);
  });

  test("shows the host that an address has to have, even if a destination has it", () => {
    const quote = quoter([DESTINATION]);
    const start = "Start with https://hooks.slack.example/!";
    expect(quote(start)).toBe(start);
    expect(quote("not services / T0 / webhook")).not.toMatch(/services|T0|webhook/);
    expect(quote(`not ${DESTINATION}`)).toBe("not [redacted]");
  });

  test("shows the call's own public words, but for what is secret in them", () => {
    const id = "11111111-1111-4111-8111-111111111111";
    const own = [id, "shop.example", "Ops 12345678 (ops@corp.example)", TOKEN];
    const quote = quoter([TOKEN, "ops@corp.example"], own);
    const text = `${id}: "Shop.example" and 'Ops 12345678', (${id}), are taken.`;

    expect(quote(text)).toBe(text);
    expect(quote(`mail ops@corp.example, not ${TOKEN}`)).toBe("mail [redacted], not [redacted]");
  });
});
