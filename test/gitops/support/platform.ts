/** GitHub and GitLab as far as pipeline.mjs asks them: comments on one pull request, and issues, in pages of 100. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export const PLATFORMS = ["GitHub", "GitLab"] as const;
export type PlatformName = (typeof PLATFORMS)[number];

interface Item {
  number: number;
  author: string;
  body: string;
}
interface Issue extends Item {
  title: string;
  labels: string;
  open: boolean;
}

/** The author of all that a job writes. */
const JOB = "github-actions[bot]";

interface Form {
  token: [header: string, value: string];
  path: RegExp;
  item: (item: Item) => object;
  closes: (sent: Record<string, unknown>) => boolean;
}

/** How the two differ: names of fields, and paths. */
const FORMS: Record<PlatformName, Form> = {
  GitHub: {
    token: ["authorization", "Bearer job-token"],
    path: /^\/repos\/example\/domains\/(?:issues\/7\/(comments)|issues\/(comments)|(issues))(?:\/(\d+))?$/,
    item: ({ number, author, body }) => ({ id: number, number, user: { login: author }, body }),
    closes: (sent) => sent.state === "closed",
  },
  GitLab: {
    token: ["private-token", "job-token"],
    path: /^\/projects\/5\/(?:merge_requests\/7\/(notes)|(issues))(?:\/(\d+))?$/,
    item: ({ number, author, body }) => ({ id: number, iid: number, author: { id: author }, body }),
    closes: (sent) => sent.state_event === "close",
  },
};

export class Platform {
  readonly comments: Item[] = [];
  readonly issues: Issue[] = [];
  /** Answers every request with it, if it is set. */
  refusesWith: number | undefined;
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
      const answer = await platform.answer(request);
      response.writeHead(platform.refusesWith ?? (answer === undefined ? 404 : 200));
      response.end(JSON.stringify(answer ?? {}));
    });
    return platform;
  }

  /** The variables of a job on it. */
  get env(): Record<string, string> {
    const url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    if (this.name === "GitHub")
      return {
        GITHUB_API_URL: url,
        GITHUB_SERVER_URL: "https://github.example.com",
        GITHUB_REPOSITORY: "example/domains",
        GITHUB_RUN_ID: "1",
        GITHUB_TOKEN: "job-token",
        PULL_REQUEST: "7",
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

  /** Lets somebody write a comment. */
  comment(author: string, body: string): void {
    this.comments.push({ number: this.comments.length + 1, author, body });
  }

  /** Lets somebody open an issue. */
  issue(author: string, title: string): void {
    this.issues.push({ number: this.issues.length + 1, author, title, body: "", labels: "", open: true });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }

  private async answer(request: IncomingMessage): Promise<unknown> {
    const { token, path, item } = FORMS[this.name];
    const [header, value] = token;
    if (request.headers[header] !== value) return undefined;
    const url = new URL(request.url ?? "", "http://localhost");
    if (this.name === "GitLab" && url.pathname === "/user") return { id: JOB };
    const found = path.exec(url.pathname);
    if (!found) return undefined;
    const groups = found.slice(1);
    const number = groups.pop();
    const kind = groups.some((group) => group === "issues") ? "issues" : "comments";
    if (request.method === "GET") {
      const listed =
        kind === "comments"
          ? this.comments.map(item)
          : this.issues.filter(({ open }) => open).map((issue) => ({ ...item(issue), title: issue.title }));
      const page = Number(url.searchParams.get("page"));
      return listed.slice((page - 1) * 100, page * 100);
    }
    const sent: Record<string, string> = JSON.parse(await text(request));
    return number === undefined
      ? this.add(kind, sent)
      : this.change(kind, Number(number), sent, request.method);
  }

  private add(
    kind: "issues" | "comments",
    { body, description, title = "", labels }: Record<string, string>,
  ) {
    if (kind === "comments") this.comment(JOB, body ?? "");
    else {
      this.issue(JOB, title);
      Object.assign(this.issues.at(-1) ?? {}, { body: body ?? description, labels: String(labels) });
    }
    return {};
  }

  private change(
    kind: "issues" | "comments",
    number: number,
    sent: Record<string, string>,
    method: string | undefined,
  ) {
    const known = this[kind][number - 1];
    const body = sent.body ?? sent.description;
    if (!known || method !== (this.name === "GitHub" ? "PATCH" : "PUT")) return undefined;
    if (body !== undefined) known.body = body;
    if (FORMS[this.name].closes(sent)) Object.assign(known, { open: false });
    return {};
  }
}
