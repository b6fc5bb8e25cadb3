/** What is removed from texts that are not ours, and what may be repeated of them. */
import { inspect } from "node:util";
import fc from "fast-check";
import { CHANNEL_TYPES } from "../../src/client/types";
import { quotable, redactor, sanitizeError, sanitizeText } from "../../src/common/redact";
import { DESTINATION, TOKEN } from "../client/support/client";
import { formsOf } from "../client/support/secrets";
import { channel as wireChannel } from "../client/support/wire";
import { codePoint } from "../support/unicode";

const anyText = fc.string({ unit: codePoint });

describe("redaction", () => {
  const secret = fc
    .string({ unit: codePoint, minLength: 3, maxLength: 40 })
    .filter((text) => !"[redacted]".includes(text.toLowerCase()));

  test("removes every form of every secret, anywhere in a text", () => {
    fc.assert(
      fc.property(secret, anyText, anyText, (hidden, before, after) => {
        for (const form of formsOf(hidden).slice(0, 6)) {
          expect(redactor([hidden])(`${before}${form}${after}`)).toContain("[redacted]");
          expect(redactor([hidden])(form)).not.toContain(form);
        }
      }),
    );
  });

  test("replaces the longer of two secrets first", () => {
    expect(redactor(["abc", "abcdef"])("abcdef abc")).toBe("[redacted] [redacted]");
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

describe("a very long destination", () => {
  it.each(["a secret path/", "ein längerer Pfad/"])(
    "of %p, many times, is redacted like any other",
    (part) => {
      const destination = part.repeat(20_000);
      const redact = redactor([destination]);
      for (const form of [destination, destination.toUpperCase(), JSON.stringify(destination).slice(1, -1)])
        expect(redact(`refused: ${form}`)).toBe("refused: [redacted]");
    },
  );

  it("is found in megabytes of text, of which only the beginning is kept", () => {
    const redact = redactor([TOKEN, DESTINATION]);
    const text = `${"Ü".repeat(19_990)}${DESTINATION}${"Ü".repeat(5_000_000)}`;
    expect(redact(text).length).toBeLessThan(21_000);
    for (let end = 19_990; end < 19_990 + DESTINATION.length; end++) {
      // Wherever the cut is: no part of a secret is left at its end.
      expect(redact(`${"x".repeat(end)}${DESTINATION}${"x".repeat(10_000)}`)).not.toContain("hook");
    }
  });
});

describe("the service's free text about a channel", () => {
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
