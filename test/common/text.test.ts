/** Texts that others obey: pipelines that show a line, and shells that are given a command. */
import { execFileSync } from "node:child_process";
import { oneLine, parseUrl, shellWord, withoutCommands } from "../../src/common/text";
import { commandsIn } from "../support/hostile";
import { codePoint, fc } from "../support/properties";

describe("a text in a log", () => {
  test.each([
    ["##vso[task.setvariable variable=x]y", "# #vso[task.setvariable variable=x]y"],
    ["a ##[error]b ###[x]", "a # #[error]b # # #[x]"],
    ["#\u200d#\ufe0fvso[x]", "# \u200d#\ufe0fvso[x]"],
    ["::error file=a::b", ": :error file=a::b"],
    [" \u200d::add-mask::x", " \u200d: :add-mask::x"],
    ["one\r\n\t::error::two", "one\r\n\t: :error::two"],
    ["one\u2028:\u200d:error::two", "one\u2028: \u200d:error::two"],
  ])("is no command: %j", (text, shown) => {
    expect(commandsIn(text)).not.toEqual([]);
    expect(withoutCommands(text)).toBe(shown);
    expect(commandsIn(shown)).toEqual([]);
  });

  test.each(["# one", "a # b", "fe80::1 and std::vector", "at 8:30: ok", "Room #5"])(
    "stays as it is: %s",
    (text) => expect(withoutCommands(text)).toBe(text),
  );

  test("is no command in one line either, whatever is taken out of it", () => {
    const obeyed = fc.constantFrom("#", ":", "::", "##[", "vso[", "\u200d", "\u001b[0m", "\n");
    const parts = fc.array(fc.oneof(obeyed, codePoint));
    fc.assert(fc.property(parts, (text) => expect(commandsIn(oneLine(text.join("")))).toEqual([])));
  });
});

test("a URL is parsed again and again, even with a letter in its host at which Node 20 stops parsing", () => {
  const text = "https://b\u00fccher.example/x";
  const hosts = Array.from({ length: 20_000 }, () => parseUrl(text)?.host);
  expect(new Set(hosts)).toEqual(new Set(["xn--bcher-kva.example"]));
  expect(parseUrl("no URL")).toBeUndefined();
});

describe("a word of a command", () => {
  test.each([
    "channel-1",
    "urn:pulumi:prod::web::pulumi-nodejs:dynamic/a:B::c",
    "a,b",
    "X=1",
    "1%2",
  ])("is not quoted if it need not be: %s", (word) => expect(shellWord(word)).toBe(word));

  test("is what it was for a shell", () => {
    const words = ["x; curl a|sh", "it's", "$(id)", "`id`", "*", "~", "!x", '"', "\\", "''"];
    const command = `printf '%s\\n' ${words.map((word) => shellWord(word)).join(" ")}`;
    const printed = execFileSync("sh", ["-c", command], { encoding: "utf8" });
    expect(printed.split("\n")).toEqual([...words, ""]);
  });

  test.each(["", "a\nb", "a\u202eb", "a\u2028b", "\ud83d", "\u0000"])(
    "is not in a command if it has no line of its own: %j",
    (word) => expect(shellWord(word, "ID")).toBe("ID"),
  );
});
