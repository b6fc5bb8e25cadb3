/** The texts that a pipeline posts, made from the files that its checks have left. Pure. */
import { messageOf } from "../../common/errors";
import { parseUrn } from "../../common/urn";
import { entriesOf, findingsOf } from "../report/entries";
import { parseReport } from "../report/input";
import { escapeMarkdown } from "../report/markdown";
import type { Report, ReportedFinding } from "../report/model";
import { render } from "../report/render";
import { entryLine } from "../report/sections";
import { stackDomains } from "../stack";
import { printable } from "../text";

/** The files that a check has left; empty if it did not run. */
export interface Check {
  exitCode: string;

  /** Its output. */
  log: string;
}

/** An issue that is open as long as something is wrong. */
export interface Alarm {
  title: string;
  body: string;
  isWell: boolean;

  /**
   * A comment if it is open already, because a changed body notifies nobody; undefined: a changed
   * first line.
   */
  news?: string;
}

/** @param stack its full name */
export function previewComment(stack: string, { exitCode, log }: Check, state: string): string {
  const result =
    exitCode === "0" ? "success" : exitCode ? `exit code ${exitCode}` : "it did not run";

  const parts = [`## Preview of ${stack}: ${result}`, log && fenced(log), staysPart(log, state)];

  return parts.filter(Boolean).join("\n\n");
}

/**
 * Lists the channels that the merge leaves in the service; empty if there are none, or no state was
 * kept.
 */
function staysPart(preview: string, state: string): string {
  if (!state) return "";

  try {
    const stays = stayingChannels(preview, state);
    return stays.length > 0 ? `${HEADING}\n\n${STAYS}\n\n${fenced(stays.join("\n"))}` : "";
  } catch (error) {
    return `${HEADING}\n\nIt could not be determined: ${messageOf(error)}.`;
  }
}

const HEADING = "### Stays in the service";

const STAYS = `The merge takes these channels out of the stack only. They keep sending notifications until somebody removes them in the service:`;

/** The channels that the deletes of a preview leave in the service. */
function stayingChannels(preview: string, state: string): string[] {
  const rows = preview.matchAll(/^ *- +\S*NotificationChannel +(.+?) +delete\b/gm);
  const deleted = new Set([...rows].map(([, name]) => name));

  return stackDomains(state, "state.json")
    .channels.map((channel) => ({ ...channel, ...parseUrn(channel.urn) }))
    .filter(({ name, stays }) => stays && deleted.has(name))
    .map(
      ({ name, id, domainId = "not shown by the stack" }) =>
        `${name}: id ${id}, domain ${domainId}`,
    );
}

/** A report that this version has written in the same job, or why there is none. */
export function readReport(json: string, log: string): { report?: Report; text: string } {
  const report = parseReport(json);
  if (report) return { report, text: render(report, "markdown").trimEnd() };

  return {
    text: `## There is no report on the domains\n\n${fenced(log || "The job failed before it.")}`,
  };
}

/** The issue of a night about the domains. */
export function reportAlarm(account: string, json: string, log: string): Alarm {
  const { report, text } = readReport(json, log);
  const isWell = report?.exitCode === 0;

  return {
    title: `Needs attention: ${account}`,
    body: isWell ? text : text + EVERY_NIGHT,
    isWell,
    news: report && newsOf(report),
  };
}

const EVERY_NIGHT = "\n\nThis issue is updated every night, and closed when all is well.";

/** Lines of a comment: the others are in the issue. */
const MAX_NEWS = 30;

/**
 * A warning alone is no reason for a comment. Without a report of the last night, everything is
 * new.
 */
function newsOf(report: Report): string {
  const isNews = ({ verdict, isNew }: ReportedFinding) => verdict !== "warn" && isNew !== false;
  const news = findingsOf(printable(report)).filter(({ finding }) => isNews(finding));
  const lines = entriesOf(news).map((entry) => `- ${escapeMarkdown(entryLine(entry).text)}`);
  const more = lines.splice(MAX_NEWS).length;

  if (more > 0) lines.push(`- and ${more} more, less urgent`);

  return lines.length > 0 ? `Since the last night:\n\n${lines.join("\n")}` : "";
}

/**
 * The issue of a night about a stack that is not as it was deployed.
 * @param stack as the `pulumi` command takes it, and its full name
 */
export function driftAlarm(
  { stack, name }: { stack: string; name: string },
  { exitCode, log }: Check,
  withoutRefresh: string,
): Alarm {
  const isWell = exitCode === "0";
  const body = isWell
    ? `## ${name} is as it was deployed`
    : `${driftWords(stack, exitCode, withoutRefresh)}\n\n${fenced(log)}${EVERY_NIGHT}`;

  return { title: `${name} is not as it was deployed`, body, isWell };
}

function driftWords(stack: string, exitCode: string, withoutRefresh: string): string {
  // The engine ends with 7 if it proposes changes.
  if (exitCode === "7" && withoutRefresh === "0")
    return `## The service differs from what was deployed

Somebody has changed or removed channels in the service. To reset what was changed and create again what was removed, run
\`pulumi up --refresh --stack ${stack}\`.`;

  if (exitCode === "7" && withoutRefresh === "7")
    return `## Changes of the program or its settings are not deployed

Run the pipeline of the main branch, which deploys them. The next night also shows whether the service differs.`;

  return exitCode ? `## The preview failed (exit code ${exitCode})` : "## The preview did not run";
}

/** The issue of a deployment that failed, maybe half way. @param stack its full name */
export function deploymentAlarm(stack: string, { exitCode, log }: Check): Alarm {
  const body = `## The deployment of ${stack} failed

It may have been half done. Read why before you run the job again: if the response to a create was lost, the error names the
channel to look for in the service. This issue is closed by the next deployment that succeeds.

${fenced(log || "It failed before anything was deployed.")}`;

  return {
    title: `The deployment of ${stack} failed`,
    body,
    isWell: exitCode === "0",
    news: "It has failed again.",
  };
}

const LONGEST_LOG = 30_000;

/** The last lines of a log, which say how it ended, in a block that nothing in them can end. */
function fenced(log: string): string {
  const from = log.length - LONGEST_LOG;
  // A line that is longer than all that is kept is cut itself.
  const start = log.indexOf("\n", from) + 1 || from;
  const isCut = log.length > LONGEST_LOG;
  const cut = isCut
    ? `(${log.slice(0, start).split("\n").length - 1} more lines are in the log of the job.)\n`
    : "";

  const fence = "~".repeat(Math.max(4, ...(log.match(/~+/g) ?? []).map((run) => run.length + 1)));

  return `${fence}text\n${cut}${isCut ? log.slice(start) : log}\n${fence}`;
}
