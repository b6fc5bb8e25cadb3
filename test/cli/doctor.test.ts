import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { checkChannels, checkLifecycle } from "../../src/cli/doctor/lifecycle";
import { type Emulator, exampleDomains, startEmulator } from "../../src/testing/emulator";
import { temporaryDirectory } from "../support/temporary";
import { accountOf, runBuilt, runInProcess } from "./command";
import { fakePulumi } from "./fake-pulumi";

const root = path.join(__dirname, "../..");
const HEALTHY = exampleDomains[0]?.id ?? "";

describe("domain-monitoring doctor", () => {
  let service: Emulator;
  let directory: string;

  beforeEach(async () => {
    directory = temporaryDirectory();
    service = await startEmulator();
  });
  afterEach(() => service.close());

  const engine = (config?: Record<string, unknown> | null, secrets?: Record<string, string>) =>
    fakePulumi(directory, config, secrets);

  /** A Pulumi project that finds the repository's packages. */
  function project(): string {
    const workDir = path.join(directory, "project");
    mkdirSync(workDir);
    writeFileSync(path.join(workDir, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
    symlinkSync(path.join(root, "node_modules"), path.join(workDir, "node_modules"));
    return workDir;
  }

  /** Runs doctor; returns its exit code and its lines by topic. Packages are found as Node finds them once for each exit code. */
  async function run(args: string[], cwd: string, env: Record<string, string>, start = runInProcess) {
    // Not the plugins that are installed on this machine.
    const home = { PULUMI_HOME: path.join(directory, "home") };
    const { code, stdout, stderr } = await start(["doctor", ...args], {
      cwd,
      env: { ...home, ...env },
    });
    expect(stderr).toBe("");
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => /^(ok|to fix|unclear|note) +(.+?) {2,}(.*)$/.exec(line) ?? [line]);
    const found = Object.fromEntries(lines.map(([, state, topic, text]) => [topic, `${state}: ${text}`]));
    return { code, found, stdout };
  }

  it("exits with 0 if all is well, and says what was found and where", async () => {
    const workDir = project();
    const env = { ...accountOf(service), PATH: engine() };
    const { code, found, stdout } = await run(["--domain", HEALTHY], workDir, env, runBuilt);
    expect(found).toEqual({
      Node: expect.stringMatching(/^ok: \d+\.\d+\.\d+ \(needed: >=\d+\.\d+\.\d+\)$/),
      engine: "ok: pulumi v3.200.0",
      package: `ok: pulumi-domain-monitoring/provider is found from ${workDir}`,
      "Pulumi SDK": expect.stringMatching(/^ok: 3\.\d+\.\d+ \(needed: .*\), one copy$/),
      "stack config": "note: read from the selected stack",
      "base address": `ok: ${service.url}, from environment variable DOMAIN_MONITORING_BASE_URL`,
      "API token": `ok: set (${service.token.length} characters), from environment variable DOMAIN_MONITORING_API_TOKEN`,
      timeoutSeconds: "ok: 30, the default",
      maxRetries: "ok: 0, from environment variable DOMAIN_MONITORING_MAX_RETRIES",
      concurrency: "ok: 8, the default",
      lifecycle: "ok: create-only, the default",
      service: "ok: reachable, and the token is accepted: the id is that of example.com",
      "domain list": expect.stringMatching(
        /^note: not readable, so domains are given by id, and not by name or --all: GET \/api\/domains: answered 404, /,
      ),
    });
    expect(code).toBe(0);
    expect(stdout).not.toContain(service.token);
  });

  it("accepts a 404 for a made-up id, and says what this does not prove", async () => {
    const { code, found } = await run([], project(), { ...accountOf(service), PATH: engine() });
    expect(code).toBe(0);
    expect(found.service).toMatch(
      /^ok: reachable, and the token is not refused: it answered 404 to a made-up id, as expected\. .* give --domain ID to be sure$/,
    );
  });

  it("reads stack config through the engine, before the environment", async () => {
    const config = {
      "domain-monitoring:baseUrl": { value: service.url, secret: false },
      "domain-monitoring:apiToken": { secret: true },
      "domain-monitoring:concurrency": { value: "4", secret: false },
    };
    const { code, found } = await run([], project(), {
      DOMAIN_MONITORING_BASE_URL: "https://monitoring.example.com",
      DOMAIN_MONITORING_API_TOKEN: "another-token",
      PATH: engine(config, { "domain-monitoring:apiToken": service.token }),
    });
    expect(code).toBe(0);
    expect(found).toMatchObject({
      "base address": `ok: ${service.url}, from stack config domain-monitoring:baseUrl`,
      "API token": `ok: set (${service.token.length} characters), from stack config domain-monitoring:apiToken`,
      concurrency: "ok: 4, from stack config domain-monitoring:concurrency",
      service: expect.stringMatching(/^ok: reachable/),
    });
  });

  it("exits with 0 where the settings are in stack config alone, and asks the service with the stack's token", async () => {
    const config = {
      "domain-monitoring:baseUrl": { value: service.url, secret: false },
      "domain-monitoring:apiToken": { secret: true },
      slackUrl: { secret: true },
    };
    const secrets = { "domain-monitoring:apiToken": service.token, slackUrl: "https://never.asked.example" };
    const env = { PATH: engine(config, secrets) };
    const { code, stdout, found } = await run(["--domain", HEALTHY], project(), env, runBuilt);
    expect(code).toBe(0);
    expect(found.service).toBe("ok: reachable, and the token is accepted: the id is that of example.com");
    expect(service.requests.map(({ path, status }) => `${status} ${path}`)).toEqual([
      `200 /api/domains/${HEALTHY}`,
      "404 /api/domains",
    ]);
    expect(stdout).not.toContain(service.token);
  });

  it("exits with 2 where the token of the stack is wrong, although the environment has a right one", async () => {
    const config = {
      "domain-monitoring:baseUrl": { value: service.url, secret: false },
      "domain-monitoring:apiToken": { secret: true },
    };
    const env = { ...accountOf(service), PATH: engine(config, { "domain-monitoring:apiToken": "wrong" }) };
    const { code, found } = await run([], project(), env);
    expect(code).toBe(2);
    expect(found.service).toMatch(/^to fix: .*answered 401, the API token was not accepted/);
  });

  it.each(["baseUrl", "apiToken"])("exits with 1 if %s is a secret that cannot be read", async (name) => {
    const key = `domain-monitoring:${name}`;
    const env = { ...accountOf(service), PATH: engine({ [key]: { secret: true } }) };
    const { code, found } = await run([], project(), env);
    expect(code).toBe(1);
    expect(Object.values(found)).toContain(
      `unclear: a secret in stack config ${key}, which could not be read: run \`pulumi config get ${key}\` here to see why`,
    );
    expect(found.service).toBe("unclear: not checked: this needs a base address and a token");
    expect(service.requests).toEqual([]);
  });

  it("lists the domain's channels where the stack's are managed, changes nothing, and says what that does not prove", async () => {
    await using managed = await startEmulator({ lifecycle: "managed" });
    managed.addChannel(HEALTHY);
    const config = { "domain-monitoring:lifecycle": { value: "managed", secret: false } };
    const env = { ...accountOf(managed), PATH: engine(config) };
    const { code, found } = await run(["--domain", HEALTHY], project(), env);
    expect(code).toBe(0);
    expect(found.lifecycle).toBe("ok: managed, from stack config domain-monitoring:lifecycle");
    expect(found.channels).toBe(
      "ok: readable: 1 channel. Whether the token may change and delete them cannot be tested without doing it",
    );
    expect(found["domain list"]).toBe(
      `ok: readable: ${exampleDomains.length} domains, which can be given by name or by --all`,
    );
    expect(managed.requests.map(({ method }) => method)).toEqual(["GET", "GET", "GET"]);
  });

  describe("of a domain that is given by its name", () => {
    const env = () => ({ ...accountOf(service), PATH: engine() });
    const listed = () => service.requests.map(({ path }) => path);

    beforeEach(async () => {
      await service.close();
      service = await startEmulator({ lifecycle: "managed" });
    });

    it("looks the name up, says its id, and asks for the domain by it", async () => {
      const { code, found } = await run(["--domain", "Example.COM."], project(), env());
      expect(code).toBe(0);
      expect(found["domain list"]).toBe(`ok: readable: example.com has the id ${HEALTHY}`);
      expect(found.service).toBe("ok: reachable, and the token is accepted: the id is that of example.com");
      expect(listed()).toEqual(["/api/domains?page=1", `/api/domains/${HEALTHY}`]);
    });

    it("has something to fix where the account has no such domain", async () => {
      const { code, found } = await run(["--domain", "exmaple.com"], project(), env());
      expect(code).toBe(2);
      expect(found.service).toMatch(/^ok: reachable/);
      expect(found["domain list"]).toMatch(
        /^to fix: domain "exmaple\.com" is not one of the \d+ domains of this account: did you mean "example\.com"\?$/,
      );
    });

    it.each([
      [
        404,
        2,
        /^to fix: GET \/api\/domains\?page=1: answered 404, the service has no list of domains here, /,
      ],
      [500, 1, /^unclear: GET \/api\/domains\?page=1: answered 500, /],
    ])("says what the list answered, and still checks the service (%d)", async (status, exitCode, text) => {
      service.fault({ operation: "listDomains", status, times: "always" });
      const { code, found } = await run(["--domain", "example.com"], project(), env());
      expect(code).toBe(exitCode);
      expect(found["domain list"]).toMatch(text);
      expect(found.service).toMatch(/^ok: reachable/);
    });

    it("asks for no list where the service is not reachable as it should be", async () => {
      const wrong = { ...env(), DOMAIN_MONITORING_API_TOKEN: "wrong" };
      const { found } = await run([], project(), wrong);
      expect(found.service).toMatch(/^to fix: .*answered 401/);
      expect(found).not.toHaveProperty("domain list");
      expect(listed()).toHaveLength(1);
    });
  });

  it.each([403, 404, 405, 500])("does not fail where the list cannot be read (%d)", async (status) => {
    await service.close();
    service = await startEmulator({
      lifecycle: "managed",
      faults: [{ operation: "listDomains", status, times: 9 }],
    });
    const { code, found } = await run([], project(), { ...accountOf(service), PATH: engine() });
    expect(code).toBe(0);
    expect(found["domain list"]).toContain(
      `note: not readable, so domains are given by id, and not by name or --all: GET /api/domains: answered ${status}`,
    );
  });

  it("reports a service that cannot list channels, with the way back, and asks for a domain to list", async () => {
    const account = { baseUrl: service.url, apiToken: service.token };
    expect(await checkChannels(account, HEALTHY)).toEqual({
      state: "fix",
      topic: "channels",
      text: expect.stringMatching(
        /answered 405.*[^.]\. If the service has no such operation, run `pulumi config set domain-monitoring:lifecycle create-only`$/,
      ),
    });
    const unreachable = { ...account, baseUrl: "http://127.0.0.1:1" };
    expect(await checkChannels(unreachable, HEALTHY)).toMatchObject({ state: "unclear" });
    const asked = service.requests.length;
    expect(await checkChannels(account, undefined)).toMatchObject({
      state: "note",
      text: expect.stringContaining("give --domain ID"),
    });
    expect(service.requests).toHaveLength(asked);
  });

  it.each([
    [{ value: "automatic", secret: false }, "fix", "is not a valid lifecycle: use create-only or managed"],
    [
      { value: undefined, secret: true },
      "note",
      "a secret in stack config domain-monitoring:lifecycle, not read",
    ],
    [{ value: "create-only", secret: false }, "ok", "create-only, from stack config"],
  ])("says what is wrong with the lifecycle %j", (entry, state, text) => {
    const { check, lifecycle } = checkLifecycle(new Map([["domain-monitoring:lifecycle", entry]]));
    expect(check).toEqual({ state, topic: "lifecycle", text: expect.stringContaining(text) });
    expect(lifecycle).not.toBe("managed");
  });

  it("rejects a token in plain-text stack config without showing it", async () => {
    const config = { "domain-monitoring:apiToken": { value: service.token, secret: false } };
    const { code, found, stdout } = await run([], project(), {
      ...accountOf(service),
      PATH: engine(config),
    });
    expect(code).toBe(2);
    expect(found["API token"]).toMatch(
      /^to fix: stack config domain-monitoring:apiToken holds the API token in plaintext/,
    );
    expect(stdout).not.toContain(service.token);
  });

  it("reports unclear results if stack config is unreadable and the environment has no settings", async () => {
    const { code, found } = await run([], project(), { PATH: engine(null) });
    expect(code).toBe(1);
    expect(found["stack config"]).toBe(
      "note: not read: run `pulumi config` here to see why, and select a stack",
    );
    expect(found["base address"]).toMatch(
      /^unclear: not in the environment, and stack config was not read: /,
    );
  });

  it("exits with 2 in a directory where nothing is set up, and prints the fixes", async () => {
    const { code, found } = await run([], directory, { PATH: directory }, runBuilt);
    expect(code).toBe(2);
    expect(found).toMatchObject({
      engine: expect.stringMatching(/^to fix: there is no `pulumi` command on PATH: install the Pulumi CLI/),
      package: expect.stringMatching(/^to fix: .* run `npm install pulumi-domain-monitoring` there$/),
      "Pulumi SDK": expect.stringMatching(/^to fix: .* run `npm install @pulumi\/pulumi` in/),
      "stack config": expect.stringMatching(/^note: none: there is no Pulumi\.yaml/),
      "base address":
        "to fix: not set: run `pulumi config set domain-monitoring:baseUrl` or set the environment variable DOMAIN_MONITORING_BASE_URL",
      "API token": expect.stringMatching(/^to fix: not set: .*--secret domain-monitoring:apiToken/),
    });
  });

  it.each([
    ["baseUrl", "DOMAIN_MONITORING_BASE_URL", "http://user:hunter2@example.com", "base address"],
    ["concurrency", "DOMAIN_MONITORING_CONCURRENCY", "none", "concurrency"],
    ["timeoutSeconds", "DOMAIN_MONITORING_TIMEOUT_SECONDS", "-1", "timeoutSeconds"],
  ])("names a wrong %s and sends no request", async (_, variable, value, topic) => {
    const env = { ...accountOf(service), PATH: engine(), [variable]: value };
    const { code, found, stdout } = await run([], project(), env);
    expect(code).toBe(2);
    expect(found[topic]).toMatch(new RegExp(`^to fix: environment variable ${variable}`));
    expect(found.service).toMatch(/^unclear: not checked/);
    expect(stdout).not.toContain("hunter2");
    expect(service.requests).toEqual([]);
  });

  it.each([
    [401, "to fix", /the API token was not accepted/, 2],
    [403, "to fix", /the API token lacks a permission/, 2],
    [402, "to fix", /subscription/, 2],
    [429, "unclear", /too many requests/, 1],
    [503, "unclear", /a failure on the service's side/, 1],
  ])("interprets the status %d", async (status, state, text, exitCode) => {
    service.fault({ status, times: 9 });
    const env = { ...accountOf(service), PATH: engine() };
    const { code, found } = await run([], project(), env);
    expect(code).toBe(exitCode);
    expect(found.service).toMatch(new RegExp(`^${state}: `));
    expect(found.service).toMatch(text);
  });

  it("distinguishes an unreachable service from a missing domain", async () => {
    const workDir = project();
    const env = { ...accountOf(service), PATH: engine() };
    const nobody = await run(["--domain", "nobody"], workDir, env);
    await service.close();
    const unreachable = await run([], workDir, env);
    expect(nobody.code).toBe(2);
    expect(nobody.found.service).toMatch(/^to fix: reachable, .* no domain with the id nobody: check the id/);
    expect(unreachable.code).toBe(2);
    expect(unreachable.found.service).toMatch(/^to fix: .*could not reach the service \(ECONNREFUSED\)/);
  });

  it("notices that something else responds at the base address", async () => {
    service.fault({ status: 200, body: "<html>Welcome</html>", times: 9 });
    const { code, found } = await run([], project(), { ...accountOf(service), PATH: engine() });
    expect(code).toBe(2);
    expect(found.service).toMatch(/^to fix: .*an HTML page instead of JSON.*check that the base address/);
  });

  it("notices two copies of the SDK, and an unsupported version", async () => {
    const workDir = path.join(directory, "own");
    const own = path.join(workDir, "node_modules/@pulumi/pulumi");
    mkdirSync(own, { recursive: true });
    symlinkSync(root, path.join(workDir, "node_modules/pulumi-domain-monitoring"));
    const env = { ...accountOf(service), PATH: engine() };
    const sdk = async (version: string) => {
      writeFileSync(path.join(own, "package.json"), JSON.stringify({ name: "@pulumi/pulumi", version }));
      return (await run([], workDir, env, runBuilt)).found["Pulumi SDK"];
    };
    expect(await sdk("3.200.0")).toMatch(
      /^to fix: there are two copies, 3\.200\.0 for the program and 3\.\d+\.\d+ for this package, .*`npm dedupe`$/,
    );
    expect(await sdk("2.0.0")).toMatch(/^to fix: 2\.0\.0 is not >=3\.139\.0 <4: install a version/);
  });

  it("rejects an empty id and an option in its place, and exits with 1", async () => {
    for (const [id, message] of [
      ["", "An id or a name must not be empty."],
      ["--base-url", "--domain needs an id or a name, and this looks like an option"],
    ] as const) {
      const finished = await runInProcess(["doctor", "--domain", id]);
      expect(finished).toMatchObject({ code: 1, stdout: "" });
      expect(finished.stderr).toContain(message);
    }
  });
});
