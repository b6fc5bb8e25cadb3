/** `pulumi-domain-monitoring ci`: what a pipeline says to people, on GitHub and on GitLab. */
import { existsSync, readFileSync } from "node:fs";
import { Command, InvalidArgumentError, Option } from "commander";
import { print, withExitCode } from "../output";
import { fullStackName } from "../stack";
import { find, send } from "./client";
import { platformOfJob } from "./platforms";
import * as posts from "./posts";

interface CiArguments {
  stack?: string;
  account: string;
}

export function ciCommand(): Command {
  const ci = new Command("ci");
  const add = (name: string, run: (given: CiArguments) => Promise<void>) =>
    ci
      .command(name)
      .addOption(
        new Option(
          "--stack <name>",
          "the stack that it is about, instead of the domains",
        ).argParser(parseName),
      )
      .addOption(
        new Option("--account <name>", "the account of the domains, if there are several")
          .argParser(parseName)
          .default("domains"),
      )
      .action(withExitCode((given: CiArguments) => run(given).then(() => 0)));

  add("comment", runComment).description("comment on the pull request");
  add("nightly", runNightly).description("open, update or close the issue of a night");
  add("deployment", runDeployment).description("open, update or close the issue of a deployment");

  return ci
    .description("post results as comments and issues on GitHub and GitLab")
    .addHelpText("afterAll", HELP);
}

/** Rejects the empty string that an unset variable leaves. */
function parseName(text: string): string {
  if (text === "")
    throw new InvalidArgumentError("A name must not be empty: check that the variable is set.");

  return text;
}

const HELP = `
Reads these files from the current directory, if they exist. With --stack:
  comment     preview.txt and preview.code, the output and exit code of a preview; state.json, the output of
              \`pulumi stack export\`
  nightly     drift.txt and drift.code, of a preview with --refresh; program.code, of one without it
  deployment  up.txt and up.code
Without --stack, comment and nightly post report.json, the output of \`report --format json\`, or report.txt if there is no
report. Findings that --previous marked as new are also posted as a comment.

Environment variables, in addition to the job's own:
  GITHUB_TOKEN  on GitHub, the job's token, or one of an app or a person
  GITLAB_TOKEN  a project access token with role Reporter and scope api, on GitLab

Exit codes:
  0  posted, or nothing to post
  1  the platform refused it or did not respond, this is not a job on GitHub or GitLab, or the arguments are not valid`;

async function runComment({ stack, account }: CiArguments): Promise<void> {
  const platform = platformOfJob();
  const { comments } = platform;
  if (comments === undefined)
    throw new Error(
      "this is not a job of a pull request or merge request: run ci comment in one of those",
    );

  const said = stack
    ? posts.previewComment(fullName(stack), checkOf("preview"), textOf("state.json"))
    : posts.readReport(textOf("report.json"), textOf("report.txt")).text;

  const marker = markerOf("comment", stack, account);
  const body = `${marker}${said}\n\n[Job](${platform.job})`;

  print(body);
  const known = await find(platform, comments, marker);

  if (known)
    await send(platform, platform.updateMethod, `${platform.commentPath}/${known.id}`, { body });
  else await send(platform, "POST", comments, { body });
}

async function runNightly({ stack, account }: CiArguments): Promise<void> {
  const alarm = stack
    ? posts.driftAlarm({ stack, name: fullName(stack) }, checkOf("drift"), textOf("program.code"))
    : posts.reportAlarm(account, textOf("report.json"), textOf("report.txt"));

  print(alarm.body);
  await raise(alarm, markerOf("nightly", stack, account));
}

async function runDeployment({ stack, account }: CiArguments): Promise<void> {
  if (stack === undefined)
    throw new Error("deployment needs --stack: pass the stack that was deployed");

  const alarm = posts.deploymentAlarm(fullName(stack), checkOf("up"));
  if (!alarm.isWell) print(alarm.body);
  await raise(alarm, markerOf("deployment", stack, account));
}

function fullName(stack: string): string {
  return fullStackName(stack, process.cwd());
}

/** The first line of what a job writes, by which the next job finds it. */
function markerOf(command: string, stack: string | undefined, account: string): string {
  const subject = stack ? `stack:${fullName(stack)}` : account;
  return `<!--domain-monitoring:${command}:${subject}-->\n`;
}

async function raise(alarm: posts.Alarm, marker: string): Promise<void> {
  const { title, isWell, news } = alarm;
  const platform = platformOfJob();
  const { updateMethod, bodyField } = platform;
  const said = `${alarm.body} [Job](${platform.job})`;
  const body = marker + said;
  const known = await find(platform, platform.openIssues, marker);
  const issue = `issues/${known?.id}`;

  if (known && isWell) await send(platform, updateMethod, issue, platform.closeBody);
  else if (known) {
    // Before the body changes: if the comment is refused, the next night still sees the difference.
    const [heading] = said.split("\n");
    const isSame = known.text.startsWith(`${marker}${heading}`);
    const comment = news ?? (isSame ? "" : said);

    if (comment) await send(platform, "POST", `${issue}/${platform.replies}`, { body: comment });
    await send(platform, updateMethod, issue, { [bodyField]: body });
  } else if (!isWell)
    await send(platform, "POST", "issues", {
      title,
      labels: ["domain-monitoring"],
      [bodyField]: body,
    });
}

/** The content of a file in this directory; empty if there is no such file. */
function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd() : "";
}

function checkOf(name: string): posts.Check {
  return { exitCode: textOf(`${name}.code`), log: textOf(`${name}.txt`) };
}
