/** Where commands that ask the service find base address and token. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../src/testing/emulator";
import { temporaryDirectory } from "../support/temporary";
import { accountOf, runInProcess } from "./command";
import { fakePulumi } from "./fake-pulumi";

const DOMAIN = "11111111-1111-4111-8111-111111111111";
const URL_KEY = "domain-monitoring:baseUrl";
const TOKEN_KEY = "domain-monitoring:apiToken";

let service: Emulator;
let directory: string;
let project: string;

beforeEach(async () => {
  service = await startEmulator({ lifecycle: "managed" });
  directory = temporaryDirectory();
  project = path.join(directory, "project");
  mkdirSync(path.join(project, "sources"), { recursive: true });
  writeFileSync(path.join(project, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
});
afterEach(() => service.close());

const COMMANDS = [
  ["channels", "--domain", DOMAIN],
  ["report", "--domain", DOMAIN],
  ["expiry", "--domain", DOMAIN, "--minimum-days", "1"],
];

const run = (args: string[], env: Record<string, string>, cwd = project) =>
  runInProcess(args, { env: { DOMAIN_MONITORING_MAX_RETRIES: "0", ...env }, cwd });

/** The stack of a program with a secret of its own. */
const stack = (secrets: Record<string, string> = { [TOKEN_KEY]: service.token }) =>
  fakePulumi(
    directory,
    {
      [URL_KEY]: { value: service.url, secret: false },
      [TOKEN_KEY]: { secret: true },
      "project:slackUrl": { secret: true },
    },
    secrets,
  );
const calls = () => readFileSync(path.join(directory, "pulumi-calls"), "utf8").trimEnd().split("\n");

it.each(COMMANDS)(
  "%s takes the settings of the project's stack where the environment has none",
  async (...args) => {
    const { code, stdout, stderr } = await run(args, { PATH: stack() }, path.join(project, "sources"));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("example.com");
    expect(stdout).not.toContain(service.token);
    // Of the secrets, only its own.
    expect(calls()).toEqual(["config --json", `config get ${TOKEN_KEY}`]);
  },
);

it.each([
  ["the variable that the stack names", {}],
  ["the environment's own before it", { DOMAIN_MONITORING_API_TOKEN: "right", SUBSIDIARY_TOKEN: "wrong" }],
])("takes the token from %s", async (_, tokens) => {
  const PATH = fakePulumi(directory, {
    [URL_KEY]: { value: service.url, secret: false },
    "domain-monitoring:apiTokenVariable": { value: "SUBSIDIARY_TOKEN", secret: false },
  });
  const args = ["report", "--domain", DOMAIN];
  if (!("SUBSIDIARY_TOKEN" in tokens))
    expect(await run(args, { PATH })).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "error: the environment variable SUBSIDIARY_TOKEN is not set, which stack config domain-monitoring:apiTokenVariable names: set it to the API token\n",
    });
  const given = Object.entries({ SUBSIDIARY_TOKEN: "right", ...tokens });
  const env = Object.fromEntries(
    given.map(([name, value]) => [name, value === "right" ? service.token : value]),
  );
  expect(await run(args, { ...env, PATH })).toMatchObject({ code: 0, stderr: "" });
});

it.each(COMMANDS)("%s does not look at the stack where the environment has both", async (...args) => {
  const env = { ...accountOf(service), PATH: stack() };
  expect((await run(args, env)).code).toBe(0);
  expect(existsSync(path.join(directory, "pulumi-calls"))).toBe(false);
});

it.each([
  ["the option", ["--base-url"], { DOMAIN_MONITORING_BASE_URL: "https://wrong.example.com" }],
  ["the environment", [], {}],
])(
  "takes the base address from %s before the stack, also where the token is the stack's",
  async (_, option, env) => {
    const secrets = { [TOKEN_KEY]: service.token };
    const PATH = fakePulumi(
      directory,
      { [URL_KEY]: { value: "https://wrong.example.com", secret: false }, [TOKEN_KEY]: { secret: true } },
      secrets,
    );
    const given = option.length > 0 ? [...option, service.url] : [];
    const variables = { DOMAIN_MONITORING_BASE_URL: service.url, ...env, PATH };
    expect(await run(["report", "--domain", DOMAIN, ...given], variables)).toMatchObject({
      code: 0,
      stderr: "",
    });
  },
);

it("refuses a token that the stack has in plaintext, without showing it", async () => {
  const PATH = fakePulumi(directory, {
    [URL_KEY]: { value: service.url, secret: false },
    [TOKEN_KEY]: { value: service.token, secret: false },
  });
  const { code, stdout, stderr } = await run(["report", "--domain", DOMAIN], { PATH });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^error: stack config domain-monitoring:apiToken holds the API token in plaintext/);
  expect(stderr).not.toContain(service.token);
  expect(service.requests).toEqual([]);
});

describe("a refused token", () => {
  const ids = Array.from({ length: 12 }, (_, index) =>
    `${index}`.padStart(8, "0").concat("-0000-4000-8000-000000000000"),
  );
  const many = COMMANDS.map(([command = "", , , ...others]) => [command, "--domain", ...ids, ...others]);

  it.each(many)("ends %s with the first request, in one line", async (...args) => {
    const env = { ...accountOf(service), DOMAIN_MONITORING_API_TOKEN: "an-old-one" };
    const { code, stdout, stderr } = await run(args, env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(
      /^error: GET \/api\/domains\/0{8}-.*: answered 401, the API token was not accepted: .*\n$/,
    );
    expect(service.requests).toHaveLength(1);
  });

  it.each(many)("ends %s after two domains that it may not read", async (...args) => {
    service.fault({ status: 403, times: 99 });
    const { code, stdout, stderr } = await run(args, accountOf(service));
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^error: .*answered 403, the API token lacks a permission: .*\n$/);
    expect(service.requests).toHaveLength(2);
  });

  it("ends a look-up of names with the list of domains", async () => {
    const env = { ...accountOf(service), DOMAIN_MONITORING_API_TOKEN: "an-old-one" };
    const { code, stderr } = await run(["report", "--domain", "example.com", ...ids], env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: GET \/api\/domains\?page=1: answered 401, .*\n$/);
    expect(service.requests).toHaveLength(1);
  });

  it("is not concluded from one domain that it may not read", async () => {
    service.fault({ status: 403, times: 1 });
    const { stdout } = await run(["report", "--domain", ids[0] ?? "", DOMAIN], accountOf(service));
    expect(stdout).toContain("answered 403");
    expect(stdout).toContain("example.com");
  });
});

describe("where a setting is nowhere, one line says what to do", () => {
  const URL_VARIABLE = "DOMAIN_MONITORING_BASE_URL";
  const TOKEN_VARIABLE = "DOMAIN_MONITORING_API_TOKEN";
  const cases: [string, () => { PATH: string; cwd?: string; env?: Record<string, string> }, string][] = [
    [
      "outside of a project",
      () => ({ PATH: directory, cwd: directory }),
      `the base address of the service is not set: give --base-url or set the environment variable ${URL_VARIABLE}`,
    ],
    [
      "without the token, outside of a project",
      () => ({ PATH: directory, cwd: directory, env: { [URL_VARIABLE]: service.url } }),
      `the API token is not set: set the environment variable ${TOKEN_VARIABLE}`,
    ],
    [
      "without a `pulumi` command",
      () => ({ PATH: directory }),
      `the base address of the service is not set: give --base-url or set the environment variable ${URL_VARIABLE}; stack config was not read, as there is no \`pulumi\` command on PATH`,
    ],
    [
      "without a stack",
      () => ({ PATH: fakePulumi(directory, null) }),
      `the base address of the service is not set: give --base-url or set the environment variable ${URL_VARIABLE}; stack config was not read: run \`pulumi config\` here to see why`,
    ],
    [
      "in a stack without settings",
      () => ({ PATH: fakePulumi(directory) }),
      `the base address of the service is not set: run \`pulumi config set ${URL_KEY}\`, give --base-url or set the environment variable ${URL_VARIABLE}`,
    ],
    [
      "in a stack without a token",
      () => ({ PATH: fakePulumi(directory), env: { [URL_VARIABLE]: service.url } }),
      `the API token is not set: run \`pulumi config set --secret ${TOKEN_KEY}\` or set the environment variable ${TOKEN_VARIABLE}`,
    ],
    [
      "in a stack whose secrets cannot be read",
      () => ({ PATH: stack({}) }),
      `the API token is a secret in stack config that could not be read: run \`pulumi config get ${TOKEN_KEY}\` here to see why, or set the environment variable ${TOKEN_VARIABLE}`,
    ],
  ];
  it.each(cases)("%s", async (_where, world, message) => {
    const { PATH, cwd, env } = world();
    expect(await run(["channels", "--domain", DOMAIN], { PATH, ...env }, cwd)).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: ${message}\n`,
    });
  });
});
