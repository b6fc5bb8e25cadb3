/**
 * What the jobs say to people, on GitHub and on GitLab: one comment for each stack on a pull request, and issues that later runs
 * update and close. A platform that refuses is no verdict on the job: it is said in one line, and the exit code is 1.
 *
 *   node pipeline.mjs comment      a comment with preview.txt, stays.txt and domains.md
 *   node pipeline.mjs nightly      an issue, until every check of a night has passed: domains.md or report.txt, drift.txt
 *   node pipeline.mjs deployment   an issue, until a deployment has succeeded (STATUS): up.txt
 *
 * Files named *.code have the exit codes of preview, drift, program (the preview without a refresh) and report; a step that has not
 * run leaves none. Two commands read the output of `pulumi stack export` from standard input:
 *
 *   node pipeline.mjs stays        lists the channels that the deletes in preview.txt leave in the service
 *   node pipeline.mjs pending      lists the operations of a killed deployment; exit code 3 if there are any
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";

const { env } = process;
const stack = env.PULUMI_STACK;

/** GitHub accepts 65,536 characters, and GitLab more. */
const LONGEST = 65_000;

/** Comments and issues of one platform; each item has a `key` for its changes. */
const platforms = {
  GitHub: {
    job: `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`,
    base: `${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}`,
    headers: { Authorization: `Bearer ${env.GITHUB_TOKEN}`, Accept: "application/vnd.github+json" },
    comments: `issues/${env.PULL_REQUEST}/comments`,
    comment: ({ id }) => `issues/comments/${id}`,
    openIssues: "issues?state=open&creator=github-actions%5Bbot%5D",
    issue: ({ number }) => `issues/${number}`,
    change: "PATCH",
    isMine: async () => (item) => item.user.login === "github-actions[bot]",
    fields: (body) => ({ body }),
    labelled: (label) => ({ labels: [label] }),
    closed: { state: "closed" },
  },
  GitLab: {
    job: env.CI_JOB_URL,
    base: `${env.CI_API_V4_URL}/projects/${env.CI_PROJECT_ID}`,
    headers: { "PRIVATE-TOKEN": env.GITLAB_TOKEN },
    comments: `merge_requests/${env.CI_MERGE_REQUEST_IID}/notes`,
    comment: ({ id }) => `merge_requests/${env.CI_MERGE_REQUEST_IID}/notes/${id}`,
    openIssues: "issues?state=opened",
    issue: ({ iid }) => `issues/${iid}`,
    change: "PUT",
    async isMine() {
      const { id } = await ask("GET", `${env.CI_API_V4_URL}/user`);
      return (item) => item.author.id === id;
    },
    fields: (description) => ({ description }),
    labelled: (label) => ({ labels: label }),
    closed: { state_event: "close" },
  },
};
const name = env.GITLAB_CI ? "GitLab" : "GitHub";
const platform = platforms[name];

/** One request; a path is below that of the project. */
async function ask(method, path, body) {
  const url = path.startsWith("https:") || path.startsWith("http:") ? path : `${platform.base}/${path}`;
  const request = `${method} ${new URL(url).pathname}`;
  const options = {
    method,
    headers: { ...platform.headers, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  };
  const answer = await fetch(url, options).catch((error) => {
    throw new Error(`${name} did not answer ${request} (${error.cause?.code ?? error.name})`);
  });
  if (!answer.ok) throw new Error(`${name} answered ${answer.status} to ${request}`);
  return answer.json();
}

/** The first item of a list that this token has written and that matches. */
async function findMine(path, matches) {
  const isMine = await platform.isMine();
  for (let page = 1; ; page++) {
    const items = await ask("GET", `${path}${path.includes("?") ? "&" : "?"}per_page=100&page=${page}`);
    const found = items.find((item) => isMine(item) && matches(item));
    if (found || items.length < 100) return found;
  }
}

const textOf = (file) => (existsSync(file) ? readFileSync(file, "utf8").trimEnd() : undefined);
const codeOf = (check) => textOf(`${check}.code`);

/** As many whole lines as fit, the first or the last ones. What was cut is said in their place. */
function cut(text, longest, { keep = "first" } = {}) {
  if (text.length <= longest) return text;
  const lines = text.split("\n");
  const kept = [];
  let room = longest - 100;
  for (const line of keep === "first" ? lines : lines.toReversed()) {
    room -= line.length + 1;
    if (room < 0) break;
    kept.push(line);
  }
  const mark = `(${lines.length - kept.length} more lines are in the log of the job.)`;
  if (keep === "last") return [mark, ...kept.reverse()].join("\n");
  const isOpen = kept.findLast((line) => /<\/?details>/.test(line))?.startsWith("<details>");
  return [...kept, ...(isOpen ? ["", "</details>"] : []), "", mark].join("\n");
}

/** A block of text, whatever is in it. */
function fenced(text) {
  const fence = "~".repeat(Math.max(4, ...(text.match(/~+/g) ?? []).map((run) => run.length + 1)));
  return `${fence}text\n${text}\n${fence}`;
}

/** All parts in one text that the platform accepts; the last one is cut. */
const joined = (parts) => cut(parts.filter(Boolean).join("\n\n"), LONGEST);

const domains = () => textOf("domains.md") ?? "There is no report on the domains: see the job.";

function comment(marker) {
  const code = codeOf("preview");
  const preview = textOf("preview.txt");
  const stays = textOf("stays.txt");
  return joined([
    `${marker}\n## Preview of ${stack}: ${code === "0" ? "success" : code ? `exit code ${code}` : "it did not run"}`,
    // Messages and the summary are at the end.
    preview && fenced(cut(preview, 30_000, { keep: "last" })),
    stays && `### Stays in the service\n\n${fenced(cut(stays, 5_000))}`,
    domains(),
    `[Job](${platform.job})`,
  ]);
}

/** What the previews of a night have found. */
function drifted(code, program) {
  if (code === "7" && program === "0")
    return `## The service differs from what was deployed

Somebody has changed or removed channels in the service. To reset what was changed and create again what was removed, run
\`pulumi up --refresh --stack ${stack}\`.`;
  if (code === "7" && program === "7")
    return `## Changes of the program or its settings are not deployed

Run the pipeline of the main branch, which deploys them. The next night shows whether the service differs, too.`;
  return `## The preview failed (exit code ${code})`;
}

/** What the report says; of one that there is not, why. */
const reported = (code) =>
  cut(
    textOf("domains.md") ??
      `## There is no report on the domains (exit code ${code})\n\n${fenced(textOf("report.txt") ?? "")}`,
    45_000,
  );

/** The issue of a night, violations first; undefined if all is well. */
function nightly() {
  const checks = ["report", "drift"];
  const [report, drift] = checks.map(codeOf);
  if (report === "0" && drift === "0") return undefined;
  const skipped = checks.filter((check) => codeOf(check) === undefined);
  return joined([
    report && report !== "0" && reported(report),
    drift &&
      drift !== "0" &&
      `${drifted(drift, codeOf("program"))}\n\n${fenced(cut(textOf("drift.txt") ?? "", 15_000, { keep: "last" }))}`,
    skipped.length > 0 &&
      `## The job failed before it had checked everything\n\nNot checked: ${skipped.join(", ")}.`,
    `This issue is updated every night and closed when all is well. [Last job](${platform.job})`,
    report === "0" && reported(report),
  ]);
}

/** The issue of a deployment that failed, maybe half way; undefined after one that succeeded. */
function deployment() {
  if (env.STATUS === "success") return undefined;
  return joined([
    `## The deployment of ${stack} failed

It may have been half done. Read why before you run [the job](${platform.job}) again: if the response to a create was lost, the
error names the channel to look for in the service. This issue is closed by the next deployment that succeeds.`,
    fenced(cut(textOf("up.txt") ?? "It failed before anything was deployed.", 30_000, { keep: "last" })),
  ]);
}

async function publishComment() {
  const marker = `<!-- domain-monitoring: preview of ${stack} -->`;
  const body = comment(marker);
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, `${body}\n`);
  const mine = await findMine(platform.comments, (one) => one.body.startsWith(marker));
  if (mine) await ask(platform.change, platform.comment(mine), { body });
  else await ask("POST", platform.comments, { body });
}

async function publishIssue(title, text) {
  const known = await findMine(platform.openIssues, (one) => one.title === title);
  if (text === undefined) {
    if (known) await ask(platform.change, platform.issue(known), platform.closed);
  } else if (known) await ask(platform.change, platform.issue(known), platform.fields(text));
  else {
    // GitHub accepts labels of 50 characters.
    const label = `domain-monitoring ${stack}`.slice(0, 50);
    await ask("POST", "issues", { title, ...platform.labelled(label), ...platform.fields(text) });
  }
}

/** The state on standard input. */
function exported() {
  try {
    return JSON.parse(readFileSync(0, "utf8")).deployment ?? {};
  } catch {
    throw new Error("there is no output of `pulumi stack export`");
  }
}

/** Channels that the program no longer has: create-only and adopted ones are only taken out of the state. */
function stays() {
  const deleted = new Set(
    [...(textOf("preview.txt") ?? "").matchAll(/^ *- +\S*NotificationChannel +(.+?) +delete\b/gm)].map(
      ([, one]) => one,
    ),
  );
  const shown = (value) => (typeof value === "string" ? JSON.stringify(value) : "?");
  const lines = (exported().resources ?? [])
    .filter(({ type, urn }) => /:NotificationChannel$/.test(type) && deleted.has(urn.split("::").at(-1)))
    .filter(({ outputs = {} }) => outputs.lifecycle !== "managed" || outputs.adopt)
    .map(
      ({ urn, id, outputs: { label, type, domainId } = {} }) =>
        `${urn.split("::").at(-1)}: label ${shown(label)}, type ${shown(type)}, domain ${shown(domainId)}, id ${shown(id)}`,
    );
  if (lines.length === 0) return;
  const what =
    "The merge takes these channels out of the stack only. They keep sending notifications until somebody removes them in the service:";
  process.stdout.write(`${[what, ...lines].join("\n")}\n`);
}

/** What a killed deployment has left. */
function pending() {
  const operations = exported().pending_operations ?? [];
  if (operations.length === 0) return;
  process.stdout.write(`A deployment was killed, and what became of these operations is unknown. Nothing is deployed now:
${operations.map(({ type, resource }) => `${type} ${resource.urn}`).join("\n")}
By hand:
1. Remove the channel of the killed deployment in the service's own settings, if there is one. Below are those that can be listed.
2. If the stack is locked: pulumi cancel --stack ${stack}
3. pulumi refresh --clear-pending-creates --stack ${stack}
4. Run this job again.
`);
  process.exitCode = 3;
}

const commands = {
  comment: publishComment,
  nightly: () => publishIssue(`Domains of ${stack} need attention`, nightly()),
  deployment: () => publishIssue(`The deployment of ${stack} failed`, deployment()),
  stays,
  pending,
};
const [command] = process.argv.slice(2);
if (!Object.hasOwn(commands, command)) throw new Error(`there is no command ${command}`);
try {
  await commands[command]();
} catch (error) {
  process.stderr.write(`pipeline: ${command}: ${error.message}\n`);
  process.exitCode = 1;
}
