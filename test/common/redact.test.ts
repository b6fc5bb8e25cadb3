/** Secrets that are removed from texts of others. */
import { inspect } from "node:util";
import fc from "fast-check";
import { sanitizeError } from "../../src/client/internal/failure";
import { redactor, sanitizeText } from "../../src/common/secrets";
import { DESTINATION, TOKEN } from "../client/support/client";
import { formsOf } from "../client/support/secrets";
import { codePoint } from "../support/unicode";

const anyText = fc.string({ unit: codePoint });

describe("redaction", () => {
  const secret = fc
    .string({
      unit: codePoint,
      minLength: 3,
      maxLength: 40,
    })
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

  test("copies only the name, the code and the message of an error", () => {
    const cause = Object.assign(new Error(TOKEN), { headers: TOKEN });
    const facts = { code: "E1", request: TOKEN };
    const error = Object.assign(new TypeError(`sent ${TOKEN}`, { cause }), facts);
    const copy = sanitizeError(error, redactor([TOKEN]));

    expect(inspect(copy, { depth: null, showHidden: true })).not.toContain(TOKEN);
    expect(copy).toMatchObject({
      name: "TypeError",
      code: "E1",
      message: "sent [redacted]",
    });
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
      for (const form of [
        destination,
        destination.toUpperCase(),
        JSON.stringify(destination).slice(1, -1),
      ])
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
