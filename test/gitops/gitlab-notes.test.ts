/** `gitlab.mjs` against a GitLab of its own: what it writes is updated and never repeated. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { run as runCommand } from "../support/run";
import { temporaryDirectory } from "../support/temporary";
import { gitops } from "./support/files";

interface Note {
  id: number;
  body: string;
}
interface Issue {
  iid: number;
  state: "opened" | "closed";
  title: string;
  labels: string;
  description: string;
}

let server: Server;
let directory: string;
let notes: Note[];
let issues: Issue[];
let unauthorized: number;
let hangsUp: boolean;

beforeEach(async () => {
  [notes, issues, unauthorized, hangsUp] = [[{ id: 1, body: "A person's note" }], [], 0, false];
  directory = temporaryDirectory();
  for (const name of ["preview", "expiry", "drift", "report"]) {
    writeFileSync(path.join(directory, name), `the text of ${name}\n`);
  }
  server = createServer(async (request, response) => {
    if (hangsUp) return void request.socket.destroy();
    const answer = await serve(request);
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? {}));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

async function serve(request: IncomingMessage): Promise<unknown> {
  if (request.headers["private-token"] !== "gitlab-token") {
    unauthorized++;
    return undefined;
  }
  const sent = await text(request);
  const body = sent === "" ? {} : JSON.parse(sent);
  const url = new URL(request.url ?? "", "http://localhost");
  const [, kind, id] =
    /^\/projects\/5\/(?:merge_requests\/7\/)?(notes|issues)(?:\/(\d+))?$/.exec(url.pathname) ?? [];
  if (kind === "notes") {
    if (request.method === "GET") return notes;
    if (request.method === "POST") notes.push({ id: notes.length + 1, body: body.body });
    else Object.assign(notes[Number(id) - 1] ?? {}, body);
    return {};
  }
  if (kind !== "issues") return undefined;
  if (request.method === "GET") {
    return issues.filter(
      ({ state, labels }) => state === "opened" && labels === url.searchParams.get("labels"),
    );
  }
  if (request.method === "POST") issues.push({ iid: issues.length + 1, state: "opened", ...body });
  else {
    const { state_event: event, ...changed } = body;
    Object.assign(issues[Number(id) - 1] ?? {}, changed, event === "close" && { state: "closed" });
  }
  return {};
}

async function run(args: string[], token = "gitlab-token"): Promise<{ code: number | null; said: string }> {
  const { port } = server.address() as AddressInfo;
  const { code, stderr } = await runCommand(
    process.execPath,
    [path.join(gitops, "gitlab/gitlab.mjs"), ...args],
    {
      cwd: directory,
      env: {
        ...process.env,
        CI_API_V4_URL: `http://127.0.0.1:${port}`,
        CI_PROJECT_ID: "5",
        CI_MERGE_REQUEST_IID: "7",
        CI_JOB_URL: "https://gitlab.example.com/job/1",
        GITLAB_TOKEN: token,
        PULUMI_STACK: "prod",
      },
    },
  );
  return { code, said: stderr };
}

it("writes one note with preview and report, and updates it", async () => {
  expect((await run(["note", "Preview", "preview", "report"])).code).toBe(0);
  expect((await run(["note", "Preview again", "preview", "missing"])).code).toBe(0);
  expect(notes).toHaveLength(2);
  expect(notes[0]?.body).toBe("A person's note");
  expect(notes[1]?.body).toMatch(/^<!-- domain-monitoring: preview of prod -->\n## Preview again\n/);
  expect(notes[1]?.body).toContain("the text of preview");
  expect(notes[1]?.body).toContain("It is missing: see the job.");
});

it("opens one issue, updates it the next night, and closes it when all is well", async () => {
  const files = ["expiry", "drift", "report"];
  expect((await run(["issue", "0", "0", "0", "", ...files])).code).toBe(0);
  expect(issues).toEqual([]);

  await run(["issue", "2", "2", "0", "", ...files]);
  expect(issues).toEqual([
    expect.objectContaining({
      state: "opened",
      labels: "domain-monitoring",
      title: "Domains need attention",
    }),
  ]);
  expect(issues[0]?.description).toMatch(/Expiry \(exit code 2\).*the text of expiry.*the text of report/s);
  expect(issues[0]?.description).not.toContain("the text of drift");

  await run(["issue", "0", "2", "0", "", ...files]);
  expect(issues).toEqual([expect.objectContaining({ state: "opened" })]);
  expect(issues[0]?.description).toMatch(/^This issue is updated .*\n\nthe text of report\n$/);

  await run(["issue", "0", "0", "1", "", ...files]);
  expect(issues).toHaveLength(1);
  expect(issues[0]?.description).toMatch(
    /^## The preview failed \(exit code 1\)\n\n~~~~text\nthe text of drift/,
  );

  await run(["issue", "0", "0", "0", "", ...files]);
  expect(issues.map(({ state }) => state)).toEqual(["closed"]);
});

it.each([
  [
    "0",
    /^## The service differs from what was deployed\n.*`pulumi up --refresh --stack prod`.*the text of drift/s,
  ],
  ["7", /^## Changes of the program or its settings are not deployed\n(?!.*--refresh)/s],
])("calls drift what it is, by the preview without a refresh that ends with %s", async (program, text) => {
  await run(["issue", "0", "0", "7", program, "expiry", "drift", "report"]);
  expect(issues[0]?.description).toMatch(text);
});

it("cuts a text that is too long after the most urgent rows of the report", async () => {
  const rows = Array.from({ length: 4_000 }, (_, row) => `row ${row} ${"ü".repeat(50)}`).join("\n");
  for (const name of ["preview", "expiry", "drift", "report"])
    writeFileSync(path.join(directory, name), rows);
  expect((await run(["note", "Preview", "preview", "report"])).code).toBe(0);
  expect((await run(["issue", "2", "2", "7", "7", "expiry", "drift", "report"])).code).toBe(0);
  for (const published of [notes[1]?.body ?? "", issues[0]?.description ?? ""]) {
    expect(published.length).toBeGreaterThan(50_000);
    expect(published.length).toBeLessThanOrEqual(65_536);
    expect(published).toMatch(/\n~~~~\n\n.*row 0 ü/s);
    expect(published).toMatch(/ü\n\nThe rest was cut: the log of the job has all of it\.\n$/);
  }
});

it.each([
  ["GitLab refuses", "wrong-token", false, "GitLab answered 404 to GET merge_requests/7/notes"],
  ["it cannot be reached", "", true, "GitLab did not answer GET merge_requests/7/notes (UND_ERR_SOCKET)"],
])("fails in one line without the token if %s", async (_, token, isGone, cause) => {
  hangsUp = isGone;
  expect(await run(["note", "Preview", "preview", "report"], token)).toEqual({
    code: 1,
    said: `The note was not written: ${cause}. README.md says what GITLAB_TOKEN needs.\n`,
  });
  expect(unauthorized).toBe(isGone ? 0 : 1);
});
