/**
 * A double of `gh` with the commands and options of the night. Its issues are in the file of
 * GH_STATE; GH_REFUSES names a command that GitHub refuses.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

const text = { type: "string" };
const OPTIONS = {
  "label create": { force: { type: "boolean" } },
  "issue list": { label: text, limit: text, json: text, jq: text },
  "issue view": { json: text, jq: text },
  "issue create": { title: text, label: text, "body-file": text },
  "issue comment": { "body-file": text },
  "issue edit": { "body-file": text },
  "issue close": {},
};

const [noun, verb, ...args] = process.argv.slice(2);
const command = `${noun} ${verb}`;
const {
  values: given,
  positionals: [subject],
} = parseArgs({ args, options: OPTIONS[command], allowPositionals: true });

if (process.env.GH_REFUSES === command) {
  process.stderr.write(`${command} was refused\n`);
  process.exit(1);
}

const file = process.env.GH_STATE;
const state = existsSync(file)
  ? JSON.parse(readFileSync(file, "utf8"))
  : { labels: [], issues: [] };

const issue = state.issues.find(({ number }) => String(number) === subject);
const body = () => readFileSync(given["body-file"], "utf8");
/** What `--jq` prints of these expressions. */
const JQ = {
  ".[].number": (issues) => issues.map(({ number }) => `${number}\n`).join(""),
  ".body": (one) => `${one.body}\n`,
};

const show = (value) => process.stdout.write(JQ[given.jq](value));

const RUN = {
  "label create": () => state.labels.push(subject),
  "issue list": () =>
    show(state.issues.filter(({ label, isOpen }) => isOpen && label === given.label)),
  "issue view": () => show(issue),
  "issue create": () => {
    if (!state.labels.includes(given.label)) throw new Error(`could not add label: ${given.label}`);
    state.issues.push({
      number: state.issues.length + 1,
      title: given.title,
      label: given.label,
      body: body(),
      isOpen: true,
      comments: [],
    });
  },
  "issue comment": () => issue.comments.push(body()),
  "issue edit": () => Object.assign(issue, { body: body() }),
  "issue close": () => Object.assign(issue, { isOpen: false }),
};

RUN[command]();
writeFileSync(file, JSON.stringify(state));
