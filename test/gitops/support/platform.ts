/**
 * The parts of GitHub and GitLab that `ci` uses: comments on one pull request, and issues with
 * comments, in pages of 100.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export const PLATFORMS = ["GitHub", "GitLab"] as const;
export type PlatformName = (typeof PLATFORMS)[number];

interface Item {
  number: number;
  author: Author;
  body: string;
}

interface Issue extends Item {
  title: string;
  labels: string;
  open: boolean;

  /** The comments below it. */
  comments: string[];
}

/** Who writes: the token of a job, of an app, of a person; somebody else; a deleted account. */
export type Author = "job" | "app" | "person" | "somebody" | null;

const NUMBERS = { job: 1, app: 2, person: 3, somebody: 4 };
const BOTS: readonly Author[] = ["job", "app"];

/** Refuses requests. */
interface Refusal {
  status: number;
  headers?: Record<string, string>;
  body?: object;

  /** The method and path of the requests that it refuses. @default all */
  on?: RegExp;

  /** Number of requests. @default all */
  times?: number;
}

interface Form {
  token: [header: string, value: string];

  /** Paths of the pull request's comments, of one comment (its number follows), and of issues. */
  paths: { comments: string; comment: string; issues: string };

  /** HTTP method of a change. */
  change: string;
  comment: (item: Item) => object;
  issue: (item: Issue) => object;
  closes: (sent: Record<string, unknown>) => boolean;
}

/** Comments and issues have separate numbers. */
const FIRST_COMMENT = 100;

/** The differences between the two: field names and paths. */
const FORMS: Record<PlatformName, Form> = {
  GitHub: {
    token: ["authorization", "Bearer job-token"],
    paths: {
      comments: "/repos/example/domains/issues/7/comments",
      comment: "/repos/example/domains/issues/comments",
      issues: "/repos/example/domains/issues",
    },
    change: "PATCH",
    comment: ({ number, author, body }) => ({ id: number, user: onGitHub(author), body }),
    issue: ({ number, author, title, body }) => ({
      id: 1000 + number,
      number,
      title,
      user: onGitHub(author),
      body,
    }),
    closes: (sent) => sent.state === "closed",
  },
  GitLab: {
    token: ["private-token", "job-token"],
    paths: {
      comments: "/projects/5/merge_requests/7/notes",
      comment: "/projects/5/merge_requests/7/notes",
      issues: "/projects/5/issues",
    },
    change: "PUT",
    comment: ({ number, author, body }) => ({ id: number, author: onGitLab(author), body }),
    issue: ({ number, author, title, body }) => ({
      id: 1000 + number,
      iid: number,
      title,
      author: onGitLab(author),
      description: body,
    }),
    closes: (sent) => sent.state_event === "close",
  },
};

function onGitHub(author: Author): object | null {
  const type = BOTS.includes(author) ? "Bot" : "User";
  return author && { id: NUMBERS[author], login: author, type };
}

function onGitLab(author: Author): object | null {
  const username = BOTS.includes(author) ? `project_5_bot_${author}` : author;
  return author && { id: NUMBERS[author], username };
}

export class Platform {
  readonly comments: Item[] = [];
  readonly issues: Issue[] = [];

  /** Whose token it is. */
  writer: NonNullable<Author> = "job";
  readonly refusals: Refusal[] = [];

  /** Answers with this text, if it is set. */
  answersWith: string | undefined;

  /** Breaks every connection. */
  hangsUp = false;
  asked = 0;

  private constructor(
    readonly name: PlatformName,
    private readonly server: Server,
  ) {}

  static async start(name: PlatformName): Promise<Platform> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const platform = new Platform(name, server);
    server.on("request", async (request, response) => {
      platform.asked++;
      if (platform.hangsUp) return void request.socket.destroy();

      if (platform.answersWith !== undefined) return void response.end(platform.answersWith);

      const refusal = platform.refusalOf(`${request.method} ${request.url}`);
      const answer = refusal ? refusal.body : await platform.answer(request);
      response.writeHead(refusal?.status ?? (answer === undefined ? 404 : 200), refusal?.headers);
      response.end(JSON.stringify(answer ?? {}));
    });

    return platform;
  }

  /** The environment variables of a job on this platform. */
  get env(): Record<string, string> {
    const url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    if (this.name === "GitHub")
      return {
        GITHUB_ACTIONS: "true",
        GITHUB_API_URL: url,
        GITHUB_SERVER_URL: "https://github.example.com",
        GITHUB_REPOSITORY: "example/domains",
        GITHUB_RUN_ID: "1",
        GITHUB_REF: "refs/pull/7/merge",
        GITHUB_TOKEN: "job-token",
      };

    return {
      GITLAB_CI: "true",
      CI_API_V4_URL: url,
      CI_PROJECT_ID: "5",
      CI_MERGE_REQUEST_IID: "7",
      CI_JOB_URL: "https://gitlab.example.com/job/1",
      GITLAB_TOKEN: "job-token",
    };
  }

  comment(author: Author, body: string): Item {
    const item = { number: FIRST_COMMENT + this.comments.length, author, body };

    this.comments.push(item);

    return item;
  }

  issue(author: Author, title: string, body = ""): void {
    const number = this.issues.length + 1;
    this.issues.push({ number, author, title, body, labels: "", open: true, comments: [] });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }

  private refusalOf(request: string): Refusal | undefined {
    const refusal = this.refusals.find(({ on = /^/, times = 1 }) => on.test(request) && times > 0);
    if (refusal?.times !== undefined) refusal.times--;

    return refusal;
  }

  private async answer(request: IncomingMessage): Promise<unknown> {
    const [header, value] = FORMS[this.name].token;
    if (request.headers[header] !== value) return undefined;

    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    if (request.method !== "GET") {
      const sent: Record<string, string> = JSON.parse(await text(request));
      return this.write(`${request.method} ${pathname}`, sent);
    }

    // The tokens of a job and of an app are those of no user.
    const hasUser = this.name === "GitLab" || this.writer === "person";
    if (pathname === "/user") return hasUser ? { id: NUMBERS[this.writer] } : undefined;

    const page = Number(searchParams.get("page"));

    return this.listed(pathname)?.slice((page - 1) * 100, page * 100);
  }

  private listed(pathname: string): object[] | undefined {
    const { paths, comment, issue } = FORMS[this.name];
    if (pathname === paths.comments) return this.comments.map(comment);
    if (pathname !== paths.issues) return undefined;

    return this.issues.filter(({ open }) => open).map(issue);
  }

  /** Undefined for a request that neither platform has. */
  private write(request: string, sent: Record<string, string>): object | undefined {
    const { paths, change, closes } = FORMS[this.name];
    const body = sent.body ?? sent.description;
    const numberIn = (path: string) =>
      Number(request.startsWith(path) && request.slice(path.length));

    if (request === `POST ${paths.comments}`) return this.comment(this.writer, body ?? "");
    if (request === `POST ${paths.issues}`) {
      this.issue(this.writer, sent.title ?? "");
      return Object.assign(this.issues.at(-1) ?? {}, { body, labels: String(sent.labels) });
    }

    const [, replied] = /^POST \S+\/issues\/(\d+)\/(?:comments|notes)$/.exec(request) ?? [];
    if (replied) return [this.issues[Number(replied) - 1]?.comments.push(body ?? "")];

    const comment = this.comments[numberIn(`${change} ${paths.comment}/`) - FIRST_COMMENT];
    if (comment) return Object.assign(comment, { body });

    const issue = this.issues[numberIn(`${change} ${paths.issues}/`) - 1];
    if (!issue) return undefined;

    return Object.assign(
      issue,
      body === undefined ? {} : { body },
      closes(sent) && { open: false },
    );
  }
}
