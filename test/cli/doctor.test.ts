/** `doctor`: what it looks at, what it says of each fault, and that it writes nothing. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { FaultRule } from "../../packages/domain-monitoring-emulator/src";
import { useEmulator } from "../support/emulator";
import { temporaryDirectory } from "../support/temporary";
import { accountOf, runInProcess } from "./command";
import { fakePulumi } from "./fake-pulumi";

const HEALTHY = "11111111-1111-4111-8111-111111111111";
const KEY = "domain-monitoring:";
const says = expect.stringMatching;
const service = useEmulator();

interface World {
  args?: string[];

  /** Stack config; null if no stack is selected. */
  config?: Record<string, { value?: string; secret: boolean }> | null;
  secrets?: Record<string, string>;

  /** @default the account of the service */
  env?: Record<string, string>;

  /** Without a project and without an engine on PATH. */
  isBare?: boolean;
}

/** Runs doctor, whose exit code has to match its worst line. Returns `state: text` by topic. */
async function doctor({
  args = [],
  config,
  secrets,
  env = accountOf(service),
  isBare = false,
}: World = {}) {
  const directory = temporaryDirectory();
  const cwd = path.join(directory, "project");
  mkdirSync(cwd);
  if (!isBare) writeFileSync(path.join(cwd, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");

  const PATH = isBare ? directory : fakePulumi(directory, config, secrets);
  const options = { cwd, env: { PATH, ...env } };
  const { code, stdout, stderr } = await runInProcess(["doctor", ...args], options);

  expect(stderr).toBe("");
  expect(stdout).not.toContain(service.token);
  expect(stdout).not.toContain("hunter2");
  expect(code).toBe(
    [2, 1, 0][[/^to fix/m, /^unclear/m, /^/].findIndex((state) => state.test(stdout))],
  );

  const lines = stdout.trimEnd().split("\n");
  const parts = lines.map((line) => line.split(/ {2,}/));

  return Object.fromEntries(parts.map(([state, topic, text]) => [topic, `${state}: ${text}`]));
}

const ENVIRONMENTS =
  "ok: the token in environment variable DOMAIN_MONITORING_API_TOKEN goes to the address in environment variable DOMAIN_MONITORING_BASE_URL";

it("exits with 0 if all is well, and says what was found and where", async () => {
  service.fault({ operation: "listDomains", status: 404, times: "always" });

  expect(await doctor({ args: ["--domain", HEALTHY] })).toEqual({
    engine: "ok: pulumi v3.200.0",
    "stack config": "note: read from the selected stack",
    "base address": `ok: ${service.url}, from environment variable DOMAIN_MONITORING_BASE_URL`,
    "API token": `ok: set (${service.token.length} characters), from environment variable DOMAIN_MONITORING_API_TOKEN`,
    timeoutSeconds: "ok: 120, the default",
    maxRetries: "ok: 0, from environment variable DOMAIN_MONITORING_MAX_RETRIES",
    concurrency: "ok: 8, the default",
    account: ENVIRONMENTS,
    commands: ENVIRONMENTS,
    service: "ok: reachable, and the token is accepted: the id belongs to example.com",
    "domain list": says(
      /^note: not readable, so pass domains by id, not by name or --all; no Domain can be created: GET \/api\/domains: got 404, /,
    ),
  });
});

/** Stack config with one plain value. */
const plain = (name: string, value: string) => ({ [`${KEY}${name}`]: { value, secret: false } });

const wrong = {
  DOMAIN_MONITORING_BASE_URL: "http://user:hunter2@example.com",
  DOMAIN_MONITORING_CONCURRENCY: "none",
};

const secretNotRead = (name: string) =>
  `to fix: stack config ${KEY}${name} is a secret that could not be read: run \`pulumi config get ${KEY}${name}\` here to see why`;

it.each<[string, () => World, Record<string, unknown>]>([
  [
    "what stack config has before the environment, and the engine reads of its secrets",
    () => ({
      config: {
        ...plain("baseUrl", service.url),
        ...plain("concurrency", "4"),
        [`${KEY}apiToken`]: { secret: true },
      },
      secrets: { [`${KEY}apiToken`]: service.token },
      env: { ...wrong, DOMAIN_MONITORING_API_TOKEN: "another-token" },
    }),
    {
      account:
        "ok: the token in stack config domain-monitoring:apiToken goes to the address in stack config domain-monitoring:baseUrl",
      commands: says(/^to fix: environment variable DOMAIN_MONITORING_BASE_URL: /),
      "base address": says(/^ok: http:\S+, from stack config domain-monitoring:baseUrl$/),
      "API token": says(
        /^ok: set \(\d+ characters\), from stack config domain-monitoring:apiToken$/,
      ),
      concurrency: "ok: 4, from stack config domain-monitoring:concurrency",
      service: says(/^ok: reachable/),
    },
  ],
  [
    "that stack config has another address than the environment with the token",
    () => ({ config: plain("baseUrl", "https://wrong.example.com") }),
    {
      account: says(
        /^to fix: .*DOMAIN_MONITORING_API_TOKEN .* DOMAIN_MONITORING_BASE_URL, .*domain-monitoring:baseUrl /,
      ),
      commands: ENVIRONMENTS,
    },
  ],
  [
    "that only the other commands would send the stack's token to another address",
    () => ({
      config: { ...plain("baseUrl", service.url), [`${KEY}apiToken`]: { secret: true } },
      secrets: { [`${KEY}apiToken`]: service.token },
      env: { DOMAIN_MONITORING_BASE_URL: "https://wrong.example.com" },
    }),
    {
      account: says(/^ok: /),
      commands: says(/^to fix: .* and environment variable \S+ is another one: /),
    },
  ],
  [
    "that a base address must not end in /api, also where an id was given",
    () => ({
      args: ["--domain", HEALTHY],
      env: { ...accountOf(service), DOMAIN_MONITORING_BASE_URL: `${service.url}/api/` },
    }),
    {
      service: says(
        /^to fix: GET .*got 404, not found: the base address ends in \/api, which is added to it: leave/,
      ),
    },
  ],
  [
    "that the token is in plain text",
    () => ({ config: plain("apiToken", service.token) }),
    { "API token": says(/^to fix: stack config \S+ holds the API token in plaintext/) },
  ],
  [
    "which secrets cannot be read",
    () => ({
      config: { [`${KEY}baseUrl`]: { secret: true }, [`${KEY}apiToken`]: { secret: true } },
    }),
    { "base address": secretNotRead("baseUrl"), "API token": secretNotRead("apiToken") },
  ],
  [
    "that stack config cannot be read",
    () => ({ config: null, env: {} }),
    {
      "stack config": "note: not read: run `pulumi config` here to see why, and select a stack",
      "base address":
        "unclear: not set: run `pulumi config set domain-monitoring:baseUrl` or set the environment variable DOMAIN_MONITORING_BASE_URL",
    },
  ],
  [
    "that nothing is set up, with each fix",
    () => ({ isBare: true, env: {} }),
    {
      engine: says(/^to fix: there is no `pulumi` command on PATH: install the Pulumi CLI/),
      "stack config": says(/^note: not read: there is no Pulumi\.yaml/),
      "base address":
        "to fix: not set: run `pulumi config set domain-monitoring:baseUrl` or set the environment variable DOMAIN_MONITORING_BASE_URL",
      "API token": says(/^to fix: not set: .*--secret domain-monitoring:apiToken/),
    },
  ],
  [
    "every value that is wrong, and no password",
    () => ({ env: { ...accountOf(service), ...wrong } }),
    {
      "base address": says(/^to fix: environment variable DOMAIN_MONITORING_BASE_URL: /),
      concurrency: says(/^to fix: environment variable DOMAIN_MONITORING_CONCURRENCY is not /),
    },
  ],
])("says %s, and asks the service only with an address and a token", async (_, world, said) => {
  const found = await doctor(world());
  expect(found).toMatchObject(said);

  const topics = ["base address", "API token", "concurrency", "account"];
  const isComplete = topics.every((topic) => found[topic]?.startsWith("ok"));
  if (!isComplete)
    expect(found.service).toBe("unclear: not checked: this needs a base address and a token");

  expect(service.requests.length > 0).toBe(isComplete);
});

const list = (status: number) => ({ operation: "listDomains" as const, status });
const NO_WAIT = { "retry-after": "0" };
const broken = (operation: FaultRule["operation"]): FaultRule => ({ operation, reset: "before" });

it.each<[string, FaultRule | null, string, RegExp]>([
  ["", null, "service", /^ok: reachable, and the token was not rejected \(404 .* to be sure$/],
  ["", { status: 401 }, "service", /^to fix: .*got 401/],
  ["", { status: 429, headers: NO_WAIT }, "service", /^unclear: .*too many requests/],
  ["", { status: 503 }, "service", /^unclear: .*a failure on the service's side/],
  ["\ud800", null, "service", /^unclear: id is not a valid id: use the domain's id$/],
  ["missing", null, "service", /^to fix: reachable, .* no domain with the id missing:/],
  ["", { status: 200, body: "<html>" }, "service", /^to fix: .*got 200 .*HTML/],
  ["", { reset: "before" }, "service", /^to fix: .*the connection broke/],
  ["", null, "domain list", /^ok: readable: 3 domains, which can be given by name or by --all$/],
  ["Example.COM.", null, "domain list", /^ok: readable: example\.com has the id 1{8}-.*1$/],
  ["exmaple.com", null, "domain list", /^to fix: domain "exmaple\.com" is not one of the 3 /],
  ["example.com", list(404), "domain list", /^to fix: GET \S+: got 404, the service has no list /],
  ["example.com", list(500), "domain list", /^unclear: GET \S+: got 500, /],
  ["example.com", broken("listDomains"), "domain list", /^unclear: GET \S+: the connection broke/],
])("given %j and fault %j says of the %s %p and only reads", async (domain, fault, topic, text) => {
  if (fault) service.fault({ times: "always", ...fault });
  const args = domain === "" ? [] : ["--domain", domain];
  const found = await doctor({ args });
  expect(found[topic]).toMatch(text);
  // The list is missing until the service is as it should be.
  expect("domain list" in found).toBe(found.service?.startsWith("ok"));

  for (const { method } of service.requests) expect(method).toBe("GET");
});
