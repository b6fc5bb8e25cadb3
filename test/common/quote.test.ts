/** The texts of a service that may be repeated. */
import fc from "fast-check";
import { CHANNEL_TYPES } from "../../src/client/types";
import { quoter } from "../../src/common/secrets";
import { channel as wireChannel } from "../client/support/wire";
import { codePoint } from "../support/unicode";

const anyText = fc.string({ unit: codePoint });

const quotable = (text: string) => quoter([])(text, 5000);

describe("a free text of the service", () => {
  test.each([
    ["an address", "Mail to ops@corp.example.", "Mail to [redacted]."],
    ["an address of full-width characters", "to ops＠corp．example", "to [redacted]"],
    ["a URL with punctuation", "410 from https://a.example/(in)?key,secret", "410 from [redacted]"],
    ["a URL without its scheme", "hooks.example.com/in/secret: 500", "[redacted]: 500"],
    ["a host", "hooks.example.com is gone", "[redacted] is gone"],
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
    "[redacted] is not valid",
  ])("keeps words, short numbers and punctuation: %s", (text) => {
    expect(quotable(text)).toBe(text);
  });

  test("keeps the names of the wire", () => {
    const channel = wireChannel();
    const names = [
      ...Object.keys(channel),
      "value",
      "secondary_value",
      "domain_id",
      ...CHANNEL_TYPES,
    ];

    expect(names.map(quotable)).toEqual(names);
    expect(quotable(names.join(", "))).toBe(names.join(", "));
    expect(quotable("enabled_dns_records.12 whois_check_interval")).toBe(
      "enabled_dns_records.12 whois_check_interval",
    );

    expect(quotable("errors.secondary_value my/secret enabled_dns_records.1234")).toBe(
      "[redacted]",
    );
  });

  test("holds nothing else, whatever it is", () => {
    const harmless =
      /^(?:[\p{L}\p{M}\u200c\u200d]{1,20}|\p{N}{1,3}|[-'’‘`.:%,;!?()[\]{}"“”„«»…–—¿¡،؛؟।、。，；！？「」（）\s])*$/u;

    const text = fc.array(fc.oneof(anyText, fc.emailAddress(), fc.webUrl(), fc.base64String()));
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
});

describe("a text of a service that knows a secret", () => {
  const token = "7|qWvTzrKfHbNpLsDgXjMcYtRwZkBhVnQs0123";
  const encoded = (text: string, encoding: "hex" | "base64" | "base64url") =>
    Buffer.from(text).toString(encoding);

  test.each([
    ["whole", token],
    ["its first twenty characters", token.slice(0, 20)],
    ["its end", token.slice(-14)],
    ["groups of four", (token.match(/.{1,4}/g) ?? []).join(" ")],
    ["groups of four with hyphens", (token.match(/.{1,4}/g) ?? []).join(" - ")],
    ["letters alone", token.replace(/[^a-z]/gi, "").slice(0, 18)],
    ["capitals", token.toUpperCase()],
    ["hex", encoded(token, "hex")],
    ["base64", encoded(token, "base64")],
    ["base64 of its first half", encoded(token.slice(0, 19), "base64url")],
    ["base64 of a header", encoded(`Bearer ${token}`, "base64")],
  ])("shows nothing of it: %s", (_how, form) => {
    const shown = quoter([token])(`The value ${form} is not known`);

    expect(shown).toMatch(/^The value \[redacted\]/);

    for (const group of form.match(/[A-Za-z]{4,}/g) ?? []) expect(shown).not.toContain(group);
  });

  test("keeps words that it has by chance", () => {
    const quote = quoter(["https://hooks.slack.example/services/T0/webhook"]);
    expect(quote("The services of Slack, webhook and hooks, are gone")).toBe(
      "The services of Slack, webhook and hooks, are gone",
    );
  });

  test("shows the call's own public words, but for what is secret in them", () => {
    const id = "11111111-1111-4111-8111-111111111111";
    const quote = quoter(
      [token, "ops@corp.example"],
      [id, "shop.example", "Ops #1 (ops@corp.example)", token],
    );

    expect(quote(`${id}: "Shop.example" and 'Ops #1', (${id}), are taken.`)).toBe(
      `${id}: "Shop.example" and 'Ops #1', (${id}), are taken.`,
    );

    expect(quote(`${id}x ops@shop.example https://shop.example/ #12`)).toBe("[redacted]");
    expect(quote(`mail ops@corp.example, not ${token}`)).toBe("mail [redacted], not [redacted]");
  });
});
