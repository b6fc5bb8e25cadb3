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

  /** Path of the comments of the pull request; undefined if the job is not of one. */
  comments: string | undefined;

  /** Path of one comment, before its number. */
  commentPath: string;
  openIssues: string;

  /** Method that changes a comment or an issue. */
  updateMethod: "PATCH" | "PUT";

  /** The field of an issue that has its text. */
  bodyField: "body" | "description";

  /** What closes an issue. */
  closeBody: object;

  /** Name of the list of an issue's comments. */
  replies: string;
}

/** @throws Error with one line */
export function platformOfJob(): Platform {
  if (process.env.GITLAB_CI) return gitlab(process.env);
  if (process.env.GITHUB_ACTIONS) return github(process.env);

  throw new Error(
    "GITHUB_ACTIONS and GITLAB_CI are not set: run this in a job on GitHub or GitLab",
  );
}

function github(env: NodeJS.ProcessEnv): Platform {
  const [, pullRequest] = /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? "") ?? [];

  return {
    name: "GitHub",
    job: `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`,
    base: `${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}`,
    headers: { Authorization: `Bearer ${env.GITHUB_TOKEN}` },
    advice: "pass GITHUB_TOKEN to the step, with permission to write issues or pull-requests",
    author: "github-actions[bot]",
    comments: pullRequest && `issues/${pullRequest}/comments`,
    commentPath: "issues/comments",
    openIssues: "issues?state=open&creator=github-actions%5Bbot%5D",
    updateMethod: "PATCH",
    bodyField: "body",
    closeBody: { state: "closed" },
    replies: "comments",
  };
}

function gitlab(env: NodeJS.ProcessEnv): Platform {
  const mergeRequest = env.CI_MERGE_REQUEST_IID;
  const notes = `merge_requests/${mergeRequest}/notes`;

  return {
    name: "GitLab",
    job: `${env.CI_JOB_URL}`,
    base: `${env.CI_API_V4_URL}/projects/${env.CI_PROJECT_ID}`,
    headers: { "PRIVATE-TOKEN": `${env.GITLAB_TOKEN}` },
    advice: "set GITLAB_TOKEN to a token of the project with role Reporter and scope api",
    author: undefined,
    comments: mergeRequest && notes,
    commentPath: notes,
    openIssues: "issues?state=opened",
    updateMethod: "PUT",
    bodyField: "description",
    closeBody: { state_event: "close" },
    replies: "notes",
  };
}
