/** What a pipeline says, by what its checks have left. Pure. */
import { parseJson } from "../../common/text";
import { parseUrn } from "../../common/urn";
import { reportExitCode } from "../report/judge";
import { renderMarkdown } from "../report/markdown";
import type { Report } from "../report/model";
import { stackDomains } from "../stack";
import { newsLines } from "./news";

/** What a check has left; empty if it did not run. */
export interface Check {
  exitCode: string;
  /** What it printed. */
  log: string;
}

/** An issue that is open as long as something is wrong. */
export interface Alarm {
  title: string;
  body: string;
  isWell: boolean;
  /** A comment if it is open already, as a changed body notifies nobody; undefined: a changed first line. */
  news?: string;
}

export function previewComment(stack: string, { exitCode, log }: Check, state: string): string {
  const result = exitCode === "0" ? "success" : exitCode ? `exit code ${exitCode}` : "it did not run";
  const stays = state ? stayingChannels(log, state) : [];
  const parts = [`## Preview of ${stack}: ${result}`, log && fenced(log)];
  if (stays.length > 0) parts.push(STAYS, fenced(stays.join("\n"), 5_000));
  return parts.filter(Boolean).join("\n\n");
}

const STAYS = `### Stays in the service

The merge takes these channels out of the stack only. They keep sending notifications until somebody removes them in the service:`;

/** The channels that the deletes of a preview leave in the service. */
function stayingChannels(preview: string, state: string): string[] {
  const rows = preview.matchAll(/^ *- +\S*NotificationChannel +(.+?) +delete\b/gm);
  const deleted = new Set([...rows].map(([, name]) => name));
  return stackDomains(state, "state.json")
    .channels.map((channel) => ({ ...channel, ...parseUrn(channel.urn) }))
    .filter(({ name, stays }) => stays && deleted.has(name))
    .map(({ name, id, domainId }) => `${name}: id ${id}, domain ${domainId}`);
}

/** A report that this version has written in the same job, or why there is none. */
export function readReport(json: string, log: string): { report?: Report; text: string } {
  const report = parseJson(json) as Report | undefined;
  if (report) return { report, text: renderMarkdown(report).trimEnd() };
  return { text: `## There is no report on the domains\n\n${fenced(log || "The job failed before it.")}` };
}

/** The issue of a night about the domains. */
export function reportAlarm(account: string, json: string, previous: string, log: string): Alarm {
  const { report, text } = readReport(json, log);
  const isWell = report !== undefined && reportExitCode(report) === 0;
  return {
    title: `Needs attention: ${account}`,
    body: text + EVERY_NIGHT,
    isWell,
    news: report && newsOf(report, readReport(previous, "").report),
  };
}

const EVERY_NIGHT = "\n\nThis issue is updated every night, and closed when all is well.";

/** Lines of a comment: the others are in the issue. */
const MAX_NEWS = 30;

function newsOf(report: Report, previous: Report | undefined): string {
  const lines = newsLines(report, previous);
  const shown = lines.slice(0, MAX_NEWS);
  const more = lines.length - shown.length;
  if (more > 0) shown.push(`and ${more} more, less urgent`);
  return shown.length > 0 ? `New since the last night:\n\n- ${shown.join("\n- ")}` : "";
}

/** The issue of a night about a stack that is not as it was deployed. */
export function driftAlarm(stack: string, { exitCode, log }: Check, withoutRefresh: string): Alarm {
  const words = driftWords(stack, exitCode, withoutRefresh);
  return {
    title: `${stack} is not as it was deployed`,
    body: `${words}\n\n${fenced(log)}${EVERY_NIGHT}`,
    isWell: exitCode === "0",
  };
}

function driftWords(stack: string, exitCode: string, withoutRefresh: string): string {
  // The engine ends with 7 if it proposes changes.
  if (exitCode === "7" && withoutRefresh === "0")
    return `## The service differs from what was deployed

Somebody has changed or removed channels in the service. To reset what was changed and create again what was removed, run
\`pulumi up --refresh --stack ${stack}\`.`;
  if (exitCode === "7" && withoutRefresh === "7")
    return `## Changes of the program or its settings are not deployed

Run the pipeline of the main branch, which deploys them. The next night shows whether the service differs, too.`;
  return exitCode ? `## The preview failed (exit code ${exitCode})` : "## The preview did not run";
}

/** The issue of a deployment that failed, maybe half way. */
export function deploymentAlarm(stack: string, { exitCode, log }: Check): Alarm {
  const body = `## The deployment of ${stack} failed

It may have been half done. Read why before you run the job again: if the response to a create was lost, the error names the
channel to look for in the service. This issue is closed by the next deployment that succeeds.

${fenced(log || "It failed before anything was deployed.")}`;
  const isWell = exitCode === "0";
  return { title: `The deployment of ${stack} failed`, body, isWell, news: "It has failed again." };
}

/** A block of the last lines, which say how it ended. Nothing in it can end the block. */
function fenced(text: string, longest = 30_000): string {
  const fence = "~".repeat(Math.max(4, ...(text.match(/~+/g) ?? []).map((run) => run.length + 1)));
  return `${fence}text\n${lastLines(text, longest)}\n${fence}`;
}

/** The last lines that fit, and how many there are before them. */
function lastLines(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const start = text.indexOf("\n", text.length - longest) + 1;
  const cut = text.slice(0, start).split("\n").length - 1;
  return `(${cut} more lines are in the log of the job.)\n${text.slice(start)}`;
}
