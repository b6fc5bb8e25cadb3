/**
 * Publishes a job's results as one note on the merge request, or as one issue for the nightly checks. Later runs update them
 * instead of adding new ones.
 *
 *   node gitlab.mjs note TITLE PREVIEW REPORT
 *   node gitlab.mjs issue EXPIRY_CODE REPORT_CODE DRIFT_CODE EXPIRY DRIFT REPORT
 */
import { existsSync, readFileSync } from "node:fs";

const { CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID, CI_JOB_URL, GITLAB_TOKEN, PULUMI_STACK } =
  process.env;
const LABEL = "domain-monitoring";

async function gitlab(method, path, body) {
  const answer = await fetch(`${CI_API_V4_URL}/projects/${CI_PROJECT_ID}/${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": GITLAB_TOKEN ?? "", "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  if (!answer.ok) throw new Error(`GitLab answered ${answer.status} to ${method} ${path.split("?")[0]}`);
  return answer.json();
}

/** The end of a file, which in a preview contains the diagnostics and the summary. */
function text(file) {
  return existsSync(file) ? readFileSync(file, "utf8").slice(-30_000) : "It is missing: see the job.\n";
}

const fenced = (file) => `~~~~text\n${text(file)}\n~~~~\n`;

async function note(title, preview, report) {
  const marker = `<!-- domain-monitoring: preview of ${PULUMI_STACK} -->`;
  const body = `${marker}\n## ${title}\n\n${fenced(preview)}\n${text(report)}`;
  const notes = `merge_requests/${CI_MERGE_REQUEST_IID}/notes`;
  const known = await gitlab("GET", `${notes}?per_page=100&order_by=created_at&sort=asc`);
  const mine = known.find((candidate) => candidate.body.startsWith(marker));
  if (mine) await gitlab("PUT", `${notes}/${mine.id}`, { body });
  else await gitlab("POST", notes, { body });
}

async function issue(expiryCode, reportCode, driftCode, expiry, drift, report) {
  const [open] = await gitlab("GET", `issues?state=opened&labels=${LABEL}&per_page=1`);
  if (expiryCode === "0" && reportCode === "0" && driftCode === "0") {
    if (open) await gitlab("PUT", `issues/${open.iid}`, { state_event: "close" });
    return;
  }
  const parts = [];
  if (expiryCode !== "0") parts.push(`## Expiry (exit code ${expiryCode})\n\n${fenced(expiry)}`);
  if (driftCode !== "0") {
    const heading = "The program and the recorded state differ, or the preview failed";
    parts.push(`## ${heading} (exit code ${driftCode})\n\n${fenced(drift)}`);
  }
  parts.push(
    text(report),
    `This issue is updated every night and closed when all is well. Last job: ${CI_JOB_URL}\n`,
  );
  const description = parts.join("\n");
  if (open) await gitlab("PUT", `issues/${open.iid}`, { description });
  else await gitlab("POST", "issues", { title: "Domains need attention", labels: LABEL, description });
}

const [command, ...given] = process.argv.slice(2);
const commands = { note, issue };
if (!Object.hasOwn(commands, command)) throw new Error(`there is no command ${command}: give note or issue`);
await commands[command](...given);
