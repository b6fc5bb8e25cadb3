/** `pulumi-domain-monitoring ci`: what a pipeline says to people, on GitHub and on GitLab. */
import { existsSync, readFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { Command } from "commander";
import { print, withExitCode } from "../output";
import { find, send } from "./client";
import { platformOfJob } from "./platforms";
import * as posts from "./posts";

interface CiArguments {
  stack: string;
  account: string;
}

export function ciCommand(): Command {
  return new Command("ci")
    .description("say what a pipeline has found: comments and issues on GitHub and GitLab")
    .addHelpText("afterAll", HELP)
    .addCommand(subcommand("comment", "comment on the pull request", runComment))
    .addCommand(subcommand("nightly", "open, update or close the issue of a night", runNightly))
    .addCommand(subcommand("deployment", "open, update or close the issue of a deployment", runDeployment));
}

const HELP = `
Reads files in this directory, as far as there are any. With --stack:
  comment     preview.txt and preview.code, what a preview printed and its exit code; state.json, the output of
              \`pulumi stack export\`
  nightly     drift.txt and drift.code, of a preview with --refresh; program.code, of one without it
  deployment  up.txt and up.code
Without --stack, comment and nightly say what report.json, the output of \`report --format json\`, has found, or why there
is none: report.txt. What is new since previous.json, the report of the last night, becomes a comment on the issue.

Environment variables, beside those of every job:
  GITHUB_TOKEN  the job's token, on GitHub
  GITLAB_TOKEN  a project access token with role Reporter and scope api, on GitLab`;

function subcommand(
  name: string,
  description: string,
  run: (given: CiArguments) => Promise<number>,
): Command {
  return new Command(name)
    .description(description)
    .option("--stack <name>", "the stack that it is about, instead of the domains", "")
    .option("--account <name>", "the account of the domains, if there are several", "domains")
    .action(withExitCode(run));
}

async function runComment({ stack, account }: CiArguments): Promise<number> {
  const platform = platformOfJob();
  const said = stack
    ? posts.previewComment(stack, checkOf("preview"), textOf("state.json"))
    : posts.readReport(textOf("report.json"), textOf("report.txt")).text;
  const start = `<!--domain-monitoring:${stack ? `stack:${stack}` : account}-->`;
  const body = `${start}\n${said}\n\n[Job](${platform.job})`;
  await show(body);
  const known = await find(platform, platform.comments, ({ text }) => text.startsWith(start));
  if (known) await send(platform, platform.change, `${platform.comment}/${known.id}`, { body });
  else await send(platform, "POST", platform.comments, { body });
  return 0;
}

async function runNightly({ stack, account }: CiArguments): Promise<number> {
  const alarm = stack
    ? posts.driftAlarm(stack, checkOf("drift"), textOf("program.code"))
    : posts.reportAlarm(account, textOf("report.json"), textOf("previous.json"), textOf("report.txt"));
  await show(alarm.body);
  return raise(alarm);
}

async function runDeployment({ stack }: CiArguments): Promise<number> {
  return raise(posts.deploymentAlarm(stack, checkOf("up")));
}

async function raise({ title, isWell, news, ...alarm }: posts.Alarm): Promise<number> {
  const platform = platformOfJob();
  const body = `${alarm.body} [Job](${platform.job})`;
  const known = await find(platform, platform.openIssues, (issue) => issue.title === title);
  const issue = `issues/${known?.id}`;
  if (!known && !isWell)
    await send(platform, "POST", "issues", { title, labels: ["domain-monitoring"], [platform.text]: body });
  if (known && isWell) await send(platform, platform.change, issue, platform.closed);
  if (known && !isWell) {
    // What is new is told from the body: a comment that was refused comes the next night.
    const [heading = ""] = body.split("\n");
    const comment = news ?? (known.text.startsWith(heading) ? "" : heading);
    if (comment) await send(platform, "POST", `${issue}/${platform.replies}`, { body: comment });
    await send(platform, platform.change, issue, { [platform.text]: body });
  }
  return 0;
}

/** The text of a file in this directory; empty if there is none. */
function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd() : "";
}

function checkOf(name: string): posts.Check {
  return { exitCode: textOf(`${name}.code`), log: textOf(`${name}.txt`) };
}

/** Shows a text where the job is shown. */
async function show(body: string): Promise<void> {
  print(body);
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (summary) await appendFile(summary, `${body}\n`);
}
