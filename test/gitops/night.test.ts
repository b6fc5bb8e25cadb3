/** The issue of a night on GitHub: the steps of nightly.yml with doubles of the command and `gh`. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { Clone, step } from "./support/clone";

interface Issue {
  title: string;
  body: string;
  isOpen: boolean;
  comments: string[];
}

let clone: Clone;
let state: string;

beforeEach(() => {
  clone = new Clone();
  state = path.join(clone.directory, "issues.json");
  clone.command("gh", `exec "${process.execPath}" "${__dirname}/support/gh.mjs" "$@"`);
});

/** A night whose report has findings with these keys; null: there is no report. */
async function night(keys: string[] | null, { code = keys?.length ? 2 : 0, refuses = "" } = {}) {
  const findings = keys?.map((key) => ({ key, message: `about ${key}` }));
  const report = JSON.stringify({ findings });
  const writes = keys
    ? `echo "# Report on ${keys.length}" > report.md; printf %s "$REPORT" > report.json;`
    : "";
  clone.command("npx", `rm -f report.*; ${writes} exit ${code}`);
  const env = { REPORT: report, GH_STATE: state, GH_REFUSES: refuses };
  expect(await clone.run(step("nightly.yml", "Report"), env)).toMatchObject({ code: 0 });

  return clone.run(step("nightly.yml", "Issue"), env);
}

function issues(): Issue[] {
  return existsSync(state) ? JSON.parse(readFileSync(state, "utf8")).issues : [];
}

it("keeps one issue with the report and comments what is new, until all is well", async () => {
  expect(await night([])).toMatchObject({ code: 0 });
  expect(issues()).toEqual([]);

  const opened = { title: "Domains need attention", isOpen: true };
  expect(await night(["a/registration"])).toMatchObject({ code: 2 });
  expect(issues()).toMatchObject([{ ...opened, comments: [] }]);

  const comments = ["New since the last night:\nb%2Fssl\n"];
  const reportOn = (count: number) => expect.stringMatching(new RegExp(`^# Report on ${count}\n`));
  expect(await night(["b/ssl", "a/registration"])).toMatchObject({ code: 2 });
  expect(issues()).toMatchObject([{ ...opened, comments, body: reportOn(2) }]);

  await night(["b/ssl"]);
  expect(issues()).toMatchObject([{ ...opened, comments, body: reportOn(1) }]);

  expect(await night([])).toMatchObject({ code: 0 });
  expect(issues()).toMatchObject([{ isOpen: false }]);

  await night(["a/registration"]);
  expect(issues()).toMatchObject([{ isOpen: false }, opened]);
});

it("leaves the issue as it is where there is no report, and fails with the reason", async () => {
  await night(["a"]);
  const before = issues();

  for (const code of [0, 1, 2]) {
    const { code: ended, printed } = await night(null, { code });
    expect(ended).toBe(1);
    expect(printed).toMatch(/^::error::There is no report: the step Report says why/m);
  }

  expect(issues()).toEqual(before);
});

it("ends with 1 where something could not be determined, and shows that report", async () => {
  expect(await night(["a"], { code: 1 })).toMatchObject({ code: 1 });
  expect(issues()).toMatchObject([{ isOpen: true }]);
});

it("repeats the next night what GitHub has refused to show", async () => {
  await night(["a"]);
  expect(await night(["a", "b"], { refuses: "issue comment" })).toMatchObject({ code: 1 });
  const body = expect.stringContaining("# Report on 1");
  expect(issues()).toMatchObject([{ body, comments: [] }]);

  await night(["a", "b"]);
  expect(issues()).toMatchObject([{ comments: ["New since the last night:\nb\n"] }]);
});

it("keeps every key on a line of the hidden comment, whatever a service calls its domains", async () => {
  const odd = ["a --> <b>", "@everyone\n-->"];
  await night(odd);
  await night(odd);
  const [issue] = issues();
  expect(issue?.body.match(/-->/g)).toHaveLength(1);
  expect(issue?.body).toMatch(/-->\n$/);
  expect(issue?.comments).toEqual([]);
});
