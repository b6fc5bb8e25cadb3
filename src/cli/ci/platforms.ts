/** GitHub and GitLab, as far as they differ, by the variables of a job. */

/** Where a platform keeps comments and issues, and how it names things. Paths are below `base`. */
export interface Platform {
  name: string;
  /** Address of the job's log. */
  job: string;
  base: string;
  headers: Record<string, string>;
  /** Where to look if it refuses something. */
  advice: string;
  /** The author of all that the job writes; undefined if the platform has to be asked. */
  author: string | undefined;
  comments: string;
  comment: (id: number) => string;
  openIssues: string;
  /** Method that changes a comment or an issue, and the fields of an issue. */
  change: "PATCH" | "PUT";
  text: "body" | "description";
  closed: object;
  /** Name of the list of an issue's comments. */
  replies: string;
}

/** @throws Error with one line */
export function platformOfJob(): Platform {
  if (process.env.GITLAB_CI) return gitlab();
  if (process.env.GITHUB_ACTIONS) return github();
  throw new Error("GITHUB_ACTIONS and GITLAB_CI are not set: run this in a job on GitHub or GitLab");
}

function github(): Platform {
  const repository = variable("GITHUB_REPOSITORY");
  const pullRequest = /^refs\/pull\/(\d+)\//.exec(variable("GITHUB_REF"))?.[1];
  const bot = "github-actions[bot]";
  return {
    name: "GitHub",
    job: `${variable("GITHUB_SERVER_URL")}/${repository}/actions/runs/${variable("GITHUB_RUN_ID")}`,
    base: `${variable("GITHUB_API_URL")}/repos/${repository}`,
    headers: { Authorization: `Bearer ${variable("GITHUB_TOKEN")}` },
    advice: "let the permissions of the job write what it refuses, issues or pull-requests",
    author: bot,
    comments: `issues/${pullRequest}/comments`,
    comment: (id) => `issues/comments/${id}`,
    openIssues: `issues?state=open&creator=${encodeURIComponent(bot)}`,
    change: "PATCH",
    text: "body",
    closed: { state: "closed" },
    replies: "comments",
  };
}

function gitlab(): Platform {
  const notes = `merge_requests/${process.env.CI_MERGE_REQUEST_IID}/notes`;
  const api = variable("CI_API_V4_URL");
  return {
    name: "GitLab",
    job: variable("CI_JOB_URL"),
    base: `${api}/projects/${variable("CI_PROJECT_ID")}`,
    headers: { "PRIVATE-TOKEN": variable("GITLAB_TOKEN") },
    advice: "let GITLAB_TOKEN be a token of the project with role Reporter and scope api",
    author: undefined,
    comments: notes,
    comment: (id) => `${notes}/${id}`,
    openIssues: "issues?state=opened",
    change: "PUT",
    text: "description",
    closed: { state_event: "close" },
    replies: "notes",
  };
}

function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: pass it to the step that runs this command`);
  return value;
}
