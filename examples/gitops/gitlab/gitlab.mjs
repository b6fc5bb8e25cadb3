/**
 * Publishes a job's results as one note on the merge request, or as one issue for the nightly checks. Later runs update them
 * instead of adding new ones. If GitLab cannot be asked, it says so in one line and ends with 1, which decides nothing about the job.
 *
 *   node gitlab.mjs note TITLE PREVIEW REPORT
 *   node gitlab.mjs issue EXPIRY_CODE REPORT_CODE DRIFT_CODE PROGRAM_CODE EXPIRY DRIFT REPORT
 *
 * PROGRAM_CODE is the exit code of a preview without a refresh, which is run after one with a refresh that ended with 7.
 */
import { existsSync, readFileSync } from "node:fs";

const { CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID, CI_JOB_URL, GITLAB_TOKEN, PULUMI_STACK } =
  process.env;
const LABEL = "domain-monitoring";

/** The longest text: less than GitLab and GitHub accept. */
const LONGEST = 65_000;

async function gitlab(method, path, body) {
  const request = `${method} ${path.split("?")[0]}`;
  const options = {
    method,
    headers: { "PRIVATE-TOKEN": GITLAB_TOKEN ?? "", "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  };
  const answer = await fetch(`${CI_API_V4_URL}/projects/${CI_PROJECT_ID}/${path}`, options).catch((error) => {
    throw new Error(`GitLab did not answer ${request} (${error.cause?.code ?? error.name})`);
  });
  if (!answer.ok) throw new Error(`GitLab answered ${answer.status} to ${request}`);
  return answer.json();
}

/** The text of a file. */
function text(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : "It is missing: see the job.\n";
}

/** The end of a file, which in a preview contains the diagnostics and the summary. */
const fenced = (file, longest) => `~~~~text\n${text(file).slice(-longest)}\n~~~~\n`;

/** Whole lines of a text, as many as fit. */
function cut(whole) {
  if (whole.length <= LONGEST) return whole;
  const kept = whole.slice(0, LONGEST - 1000);
  return `${kept.slice(0, kept.lastIndexOf("\n"))}\n\nThe rest was cut: the log of the job has all of it.\n`;
}

async function note(title, preview, report) {
  const marker = `<!-- domain-monitoring: preview of ${PULUMI_STACK} -->`;
  const body = cut(`${marker}\n## ${title}\n\n${fenced(preview, 30_000)}\n${text(report)}`);
  const notes = `merge_requests/${CI_MERGE_REQUEST_IID}/notes`;
  const known = await gitlab("GET", `${notes}?per_page=100&order_by=created_at&sort=asc`);
  const mine = known.find((candidate) => candidate.body.startsWith(marker));
  if (mine) await gitlab("PUT", `${notes}/${mine.id}`, { body });
  else await gitlab("POST", notes, { body });
}

/** What the previews of the night have found. */
function drifted(driftCode, programCode) {
  if (programCode === "0") {
    return `## The service differs from what was deployed

Somebody has changed or removed channels in the service. To set back what was changed, and to create again what was
removed, run \`pulumi up --refresh --stack ${PULUMI_STACK}\`.`;
  }
  if (programCode === "7") {
    return `## Changes of the program or its settings are not deployed

Run the pipeline of the main branch, which deploys them. The next night shows whether the service differs, too.`;
  }
  return `## The preview failed (exit code ${driftCode})`;
}

async function issue(expiryCode, reportCode, driftCode, programCode, expiry, drift, report) {
  const [open] = await gitlab("GET", `issues?state=opened&labels=${LABEL}&per_page=1`);
  if (expiryCode === "0" && reportCode === "0" && driftCode === "0") {
    if (open) await gitlab("PUT", `issues/${open.iid}`, { state_event: "close" });
    return;
  }
  const parts = [];
  if (expiryCode !== "0") parts.push(`## Expiry (exit code ${expiryCode})\n\n${fenced(expiry, 15_000)}`);
  if (driftCode !== "0") parts.push(`${drifted(driftCode, programCode)}\n\n${fenced(drift, 15_000)}`);
  parts.push(
    `This issue is updated every night and closed when all is well. Last job: ${CI_JOB_URL}\n`,
    text(report),
  );
  const description = cut(parts.join("\n"));
  if (open) await gitlab("PUT", `issues/${open.iid}`, { description });
  else await gitlab("POST", "issues", { title: "Domains need attention", labels: LABEL, description });
}

const [command, ...given] = process.argv.slice(2);
const commands = { note, issue };
if (!Object.hasOwn(commands, command)) throw new Error(`there is no command ${command}: give note or issue`);
try {
  await commands[command](...given);
} catch (error) {
  process.stderr.write(
    `The ${command} was not written: ${error.message}. README.md says what GITLAB_TOKEN needs.\n`,
  );
  process.exitCode = 1;
}
