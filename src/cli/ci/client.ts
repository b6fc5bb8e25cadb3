/** Comments and issues of a job, through the platform's REST API. */
import { z } from "zod";
import { type ExchangeRequest, exchange } from "../../client/exchange";
import { errorCode } from "../../common/errors";
import { parseJson } from "../../common/text";
import type { Platform } from "./platforms";

/** A comment or an issue. */
export type Post = z.infer<typeof post>;

type Response = Awaited<ReturnType<typeof exchange>>;

/** The tokens of a project or a group of GitLab each have a user with such a name. */
const GITLAB_BOT = /^(project|group)_\d+_bot/;

const author = z
  .object({
    id: z.number(),
    type: z.string().optional(),
    username: z.string().optional(),
  })
  .transform(({ id, type, username = "" }) => ({
    id,
    isBot: type === "Bot" || GITLAB_BOT.test(username),
  }));

/**
 * As either platform has them: an issue's number is `number` or `iid`, a comment's is `id`. The
 * author of a deleted account is null.
 */
const post = z
  .object({
    id: z.number(),
    number: z.number().optional(),
    iid: z.number().optional(),
    body: z.string().nullish(),
    description: z.string().nullish(),
    user: author.nullish(),
    author: author.nullish(),
  })
  .transform(({ id, number, iid, body, description, ...by }) => ({
    id: number ?? iid ?? id,
    text: body ?? description ?? "",
    author: by.user ?? by.author,
  }));

/** Sends a request. @throws Error with one line, without the token */
export async function send(
  platform: Platform,
  method: ExchangeRequest["method"],
  path: string,
  body?: object,
): Promise<unknown> {
  const { name } = platform;
  const url = new URL(path, `${platform.base}/`);
  const request = `${method} ${url.pathname}`;
  const response = await ask(platform, method, url, body);
  const { status } = response;

  if (status < 200 || status > 299) {
    const problem = `${name} responded to ${request} with ${status}${saidBy(response)}`;
    throw new Error(`${problem}: ${adviceFor(platform, url, response)}`);
  }

  const parsed = parseJson(response.body);
  if (parsed === undefined)
    throw new Error(
      `${name} responded to ${request} with something other than JSON: check the address of its API`,
    );

  return parsed;
}

async function ask(
  { name, headers }: Platform,
  method: ExchangeRequest["method"],
  url: URL,
  body?: object,
): Promise<Response> {
  try {
    return await exchange({
      method,
      url,
      headers: {
        ...headers,
        "Content-Type": "application/json",
        // GitHub refuses requests without one.
        "User-Agent": "pulumi-domain-monitoring",
      },
      body: body && JSON.stringify(body),
      isRateLimit,
    });
  } catch (error) {
    const code = errorCode(error) ?? (error instanceof Error ? error.name : "unknown error");
    throw new Error(
      `${name} did not respond to ${method} ${url.pathname} (${code}): run the job again`,
    );
  }
}

/** GitHub also responds with 403 to too many requests. */
function isRateLimit({ status, headers, body }: Response): boolean {
  if (status === 429) return true;
  const isStated = headers["retry-after"] !== undefined || headers["x-ratelimit-remaining"] === "0";

  return status === 403 && (isStated || /rate limit/i.test(body));
}

/** The message in a response, in brackets. */
function saidBy({ body }: Response): string {
  const { message }: { message?: unknown } = Object(parseJson(body));
  return typeof message === "string" ? ` (${message.slice(0, 200)})` : "";
}

function adviceFor({ advice, addressIn }: Platform, url: URL, response: Response): string {
  const { status, headers } = response;
  if (isRateLimit(response)) return "its rate limit is reached, so run the job again later";
  if (status >= 300 && status < 400) {
    const location = String(headers.location ?? "");
    const host = URL.canParse(location, url.href)
      ? new URL(location, url).origin
      : "an unknown address";

    return `it redirects to ${host}, and no redirect is followed: check ${addressIn}`;
  }

  if (status >= 500 || status === 408) return "run the job again";

  return advice[status] ?? "update this package";
}

const PAGE_SIZE = 100;

/**
 * The first post of a list that begins with a marker and is the job's own: by the user of its
 * token, or by a bot, because each job may have another token.
 */
export async function find(
  platform: Platform,
  list: string,
  marker: string,
): Promise<Post | undefined> {
  for (let page = 1; ; page++) {
    const path = `${list}${list.includes("?") ? "&" : "?"}per_page=${PAGE_SIZE}&page=${page}`;
    const { data: posts } = z.array(post).safeParse(await send(platform, "GET", path));
    if (!posts)
      throw new Error(
        `${platform.name} responded to GET ${list} with something other than a list: update this package`,
      );

    const marked = posts.filter(({ text }) => text.startsWith(marker));
    const found = marked.find((one) => one.author?.isBot) ?? (await ownOf(platform, marked));
    if (found || posts.length < PAGE_SIZE) return found;
  }
}

/** The first of these posts by the user of the token. */
async function ownOf(platform: Platform, posts: readonly Post[]): Promise<Post | undefined> {
  if (posts.length === 0) return undefined;

  const { body } = await ask(platform, "GET", new URL(platform.user));
  // The token of an app belongs to no user, so it is refused.
  const { data: user } = author.safeParse(parseJson(body));

  return user && posts.find((one) => one.author?.id === user.id);
}
