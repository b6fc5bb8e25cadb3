/** The lines of all `sh` blocks of the pages, and the commands in them. */
import { type Block, blocksIn } from "./markdown";

type Place = Pick<Block, "place" | "file">;

/** A block that starts something and ends it again is a script: its lines mean nothing alone. */
const isScript = ({ code }: Block) => /^kill /m.test(code);
export const scripts = blocksIn("sh").filter(isScript);

export const lines: (Place & { line: string })[] = blocksIn("sh")
  .filter((block) => !isScript(block))
  .flatMap(({ place, file, code }) =>
    code
      .replace(/\\\n\s*/g, " ")
      .split("\n")
      .map((line) => ({ place, file, line: line.replace(/\s+#.*$/, "").trim() }))
      .filter(({ line }) => line !== ""),
  );

/** The commands of the lines, without what joins them. */
export const calls: (Place & { call: string })[] = lines.flatMap(({ line, ...where }) =>
  line.split(/\s*(?:&&|\|\|?|;)\s*/).map((call) => ({ ...where, call })),
);

/** The command and the words after it. */
export function wordsOf({ call }: { call: string }): [command: string, ...words: string[]] {
  const [command = "", ...words] = call.split(" ");
  return [command, ...words];
}
