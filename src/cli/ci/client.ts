/** Comments and issues of a job, through the platform's REST API. */
import { z } from "zod";
import { errorCode } from "../../common/errors";
import type { Platform } from "./platforms";

/** A comment or an issue. */
export type Post = z.infer<typeof post>;

const author = z.object({ id: z.number(), login: z.string().optional() });

/** As either platform has them: an issue's number is `number` or `iid`, a comment's is `id`. */
const post = z
  .object({
    id: z.number(),
    number: z.number().optional(),
    iid: z.number().optional(),
    title: z.string().optional(),
    body: z.string().nullish(),
    description: z.string().nullish(),
    user: author.optional(),
    author: author.optional(),
  })
  .transform(({ id, number, iid, title, body, description, ...by }) => ({
    id: number ?? iid ?? id,
    title,
    text: body ?? description ?? "",
    author: by.user?.login ?? by.author?.id,
  }));

/** Sends a request. @throws Error with one line, without the token */
export async function send(
  { name, base, headers, advice }: Platform,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const url = new URL(path, `${base}/`);
  const request = `${method} ${url.pathname}`;
  const answer = await fetch(url, {
    method,
    headers: { ...headers, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  }).catch((error) => {
    const code = errorCode(error.cause) ?? error.name;
    throw new Error(`${name} did not answer ${request} (${code}): run the job again`);
  });

  if (!answer.ok) throw new Error(`${name} answered ${answer.status} to ${request}: ${advice}`);

  return answer.json().catch(() => {
    throw new Error(
      `${name} answered ${request} with something other than JSON: check the address of its API`,
    );
  });
}

/** The author of what the job writes. */
async function ownId(platform: Platform): Promise<number> {
  const { data } = author.safeParse(await send(platform, "GET", "../../user"));
  if (!data)
    throw new Error(`${platform.name} does not say whose token this is: ${platform.advice}`);

  return data.id;
}

const PAGE_SIZE = 100;

/** The first post of a list that the job has written and that matches. */
export async function find(
  platform: Platform,
  list: string,
  matches: (post: Post) => boolean,
): Promise<Post | undefined> {
  const me = platform.author ?? (await ownId(platform));
  for (let page = 1; ; page++) {
    const path = `${list}${list.includes("?") ? "&" : "?"}per_page=${PAGE_SIZE}&page=${page}`;
    const { data: posts } = z.array(post).safeParse(await send(platform, "GET", path));
    if (!posts)
      throw new Error(
        `${platform.name} answered GET ${list} with something other than a list: update this package`,
      );

    const found = posts.find((one) => one.author === me && matches(one));
    if (found || posts.length < PAGE_SIZE) return found;
  }
}
