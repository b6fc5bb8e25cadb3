/** Where commands find the service's base address and token. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { useEmulator } from "../support/emulator";
import { temporaryDirectory } from "../support/temporary";
import { accountOf, runInProcess } from "./command";
import { fakePulumi } from "./fake-pulumi";

const DOMAIN = "11111111-1111-4111-8111-111111111111";
const URL_KEY = "domain-monitoring:baseUrl";
const TOKEN_KEY = "domain-monitoring:apiToken";
const URL_VARIABLE = "DOMAIN_MONITORING_BASE_URL";
const TOKEN_VARIABLE = "DOMAIN_MONITORING_API_TOKEN";
const token = "token-of-both-services";
const service = useEmulator({ lifecycle: "managed", token });
let directory: string;
let project: string;

beforeEach(() => {
  directory = temporaryDirectory();
  project = path.join(directory, "project");
  mkdirSync(path.join(project, "sources"), { recursive: true });
  writeFileSync(path.join(project, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
});

const REPORT = ["report", "--domain", DOMAIN];
const CHANNELS = ["channels", "--domain", DOMAIN];
const COMMANDS = [REPORT, CHANNELS];

const run = (args: string[], env: Record<string, string>, cwd = project) =>
  runInProcess(args, { env: { DOMAIN_MONITORING_MAX_RETRIES: "0", ...env }, cwd });

/** The stack of a program, which also has its own secret. */
const stack = () =>
  fakePulumi(
    directory,
    {
      [URL_KEY]: { value: service.url, secret: false },
      [TOKEN_KEY]: { secret: true },
      "project:slackUrl": { secret: true },
    },
    { [TOKEN_KEY]: token },
  );

const calls = () =>
  readFileSync(path.join(directory, "pulumi-calls"), "utf8").trimEnd().split("\n");

it.each(COMMANDS)("%s takes the settings of the stack", async (...args) => {
  const cwd = path.join(project, "sources");
  const { code, stdout, stderr } = await run(args, { PATH: stack() }, cwd);

  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("example.com");
  expect(stdout).not.toContain(token);
  // It reads only its own secret.
  expect(calls()).toEqual(["config --json", `config get ${TOKEN_KEY}`]);
});

it("does not look at the stack where the environment has both", async () => {
  expect((await run(REPORT, { ...accountOf(service), PATH: stack() })).code).toBe(0);
  expect(existsSync(path.join(directory, "pulumi-calls"))).toBe(false);
});

describe("a token is not sent to an address of another place", () => {
  const other = useEmulator({ token });

  it("the stack's, with the address of the shell", async () => {
    const env = { DOMAIN_MONITORING_BASE_URL: other.url, PATH: stack() };
    for (const command of COMMANDS)
      expect(await run(command, env)).toEqual({
        code: 1,
        stdout: "",
        stderr:
          `error: the API token in stack config ${TOKEN_KEY} belongs to the address in stack config ${URL_KEY}, ` +
          `and environment variable ${URL_VARIABLE} is another one: remove the wrong address, or set address and token in the same place\n`,
      });

    expect([...service.requests, ...other.requests]).toEqual([]);
  });

  it("the stack's, where its address cannot be read and may be the one of the shell", async () => {
    const config = { [URL_KEY]: { secret: true }, [TOKEN_KEY]: { secret: true } };
    const PATH = fakePulumi(directory, config, { [TOKEN_KEY]: token });
    expect(await run(REPORT, { DOMAIN_MONITORING_BASE_URL: other.url, PATH })).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: stack config ${URL_KEY} is a secret that could not be read: run \`pulumi config get ${URL_KEY}\` here to see why\n`,
    });
    expect(other.requests).toEqual([]);
  });
});

describe("a refused token", () => {
  const ids = Array.from({ length: 12 }, (_, index) =>
    `${index}`.padStart(8, "0").concat("-0000-4000-8000-000000000000"),
  );

  const report = ["report", "--domain", ...ids];

  it.each([
    [401, 1, "the API token was not accepted"],
    [403, 2, "the API token lacks a permission"],
  ])("%i ends the command after %i of many domains", async (status, asked, words) => {
    service.fault({ status, times: 99 });
    const line = `^error: GET /api/domains/0{7}.*: got ${status}, ${words}: .*\\n$`;
    const stderr = expect.stringMatching(line);
    expect(await run(report, accountOf(service))).toEqual({ code: 1, stdout: "", stderr });
    expect(service.requests).toHaveLength(asked);
  });

  it("ends a look-up of names with the list of domains", async () => {
    const env = { ...accountOf(service), DOMAIN_MONITORING_API_TOKEN: "an-old-one" };
    const { code, stderr } = await run(["report", "--domain", "example.com", ...ids], env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: GET \/api\/domains\?page=1: got 401, .*\n$/);
    expect(service.requests).toHaveLength(1);
  });

  it("is not concluded from one domain that it may not read", async () => {
    service.fault({ status: 403, times: 1 });
    const { stdout } = await run(["report", "--domain", ids[0] ?? "", DOMAIN], accountOf(service));
    expect(stdout).toContain("got 403");
    expect(stdout).toContain("example.com");
  });
});

const outside = "there is no Pulumi.yaml from this directory upwards";

type World = { PATH: string; cwd?: string; env?: Record<string, string> };

it.each<[string, () => World, string]>([
  [
    "outside of a project",
    () => ({ PATH: directory, cwd: directory }),
    `the base address of the service is not set: set the environment variable ${URL_VARIABLE}; stack config was not read: ${outside}`,
  ],
  [
    "without the token, outside of a project",
    () => ({ PATH: directory, cwd: directory, env: { [URL_VARIABLE]: service.url } }),
    `${TOKEN_VARIABLE}; stack config was not read: ${outside}`,
  ],
  [
    "without a `pulumi` command",
    () => ({ PATH: directory }),
    `${URL_VARIABLE}; stack config was not read: this needs the \`pulumi\` command`,
  ],
  [
    "in a stack without settings",
    () => ({ PATH: fakePulumi(directory) }),
    `the base address of the service is not set: run \`pulumi config set ${URL_KEY}\` or set the environment variable ${URL_VARIABLE}`,
  ],
  [
    "in a stack without a token",
    () => ({ PATH: fakePulumi(directory), env: { [URL_VARIABLE]: service.url } }),
    TOKEN_VARIABLE,
  ],
])("one line says how to set what is missing: %s", async (_where, world, message) => {
  const { PATH, cwd, env } = world();
  const { code, stdout, stderr } = await run(CHANNELS, { PATH, ...env }, cwd);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr.startsWith("error: ")).toBe(true);
  expect(stderr.endsWith(`${message}\n`)).toBe(true);
  expect(service.requests).toEqual([]);
});
