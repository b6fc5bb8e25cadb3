/** GitHub and GitLab, as far as they differ, by the variables of a job. */

/** Where a platform keeps comments and issues, and how it names things. Paths are below `base`. */
export interface Platform {
  name: string;

  /** Address of the job's log. */
  job: string;
  base: string;
  headers: Record<string, string>;

  /** Address of the user of the token. */
  user: string;

  /** Where the address of its API comes from. */
  addressIn: string;

  /** Advice for a refused request, by status. */
  advice: Record<number, string>;

  /** Path of the comments of the pull request; undefined if the job is not of one. */
  comments: string | undefined;

  /** Path of one comment, before its number. */
  commentPath: string;
  openIssues: string;

  /** Method that changes a comment or an issue. */
  updateMethod: "PATCH" | "PUT";

  /** The field of an issue that has its text. */
  bodyField: "body" | "description";

  /** The request body that closes an issue. */
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
    user: `${env.GITHUB_API_URL}/user`,
    addressIn: "GITHUB_API_URL",
    advice: {
      401: "pass GITHUB_TOKEN to the step, a token that is valid",
      403: "give GITHUB_TOKEN the permission to write issues or pull-requests",
      404: "check that GITHUB_TOKEN is a token for this repository",
      410: "issues are switched off, so switch them on in the settings of the repository",
    },
    comments: pullRequest && `issues/${pullRequest}/comments`,
    commentPath: "issues/comments",
    openIssues: "issues?state=open",
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
    user: `${env.CI_API_V4_URL}/user`,
    addressIn: "CI_API_V4_URL",
    advice: {
      401: "set GITLAB_TOKEN to a token of the project that has not expired",
      403: "give GITLAB_TOKEN the role Reporter and the scope api, and check that issues are switched on",
      404: "check that GITLAB_TOKEN is a token of this project",
    },
    comments: mergeRequest && notes,
    commentPath: notes,
    openIssues: "issues?state=opened",
    updateMethod: "PUT",
    bodyField: "description",
    closeBody: { state_event: "close" },
    replies: "notes",
  };
}
