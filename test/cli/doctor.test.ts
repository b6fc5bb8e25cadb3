import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/testing/emulator";
import { temporaryDirectory } from "../support/temporary";
import { accountOf, runDoctor, runInProcess } from "./command";
import { fakePulumi } from "./fake-pulumi";

const HEALTHY = "11111111-1111-4111-8111-111111111111";

describe("pulumi-domain-monitoring doctor", () => {
  let service: Emulator;
  let directory: string;

  beforeEach(async () => {
    directory = temporaryDirectory();
    service = await startEmulator();
  });
  afterEach(() => service.close());

  async function restart(options: EmulatorOptions): Promise<void> {
    await service.close();
    service = await startEmulator(options);
  }

  const engine = (config?: Record<string, unknown> | null, secrets?: Record<string, string>) =>
    fakePulumi(directory, config, secrets);

  /** A Pulumi project. */
  function project(): string {
    const workDir = path.join(directory, "project");
    mkdirSync(workDir);
    writeFileSync(path.join(workDir, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
    return workDir;
  }

  const run = (args: string[], cwd: string, env: Record<string, string>) =>
    // Not the plugins that are installed on this machine.
    runDoctor(args, { cwd, env: { PULUMI_HOME: path.join(directory, "home"), ...env } });

  /** In a project, with the account in the environment. */
  const runHere = (args: string[] = [], env: Record<string, string> = {}) =>
    run(args, project(), { ...accountOf(service), PATH: env.PATH ?? engine(), ...env });

  it("exits with 0 if all is well, and says what was found and where", async () => {
    await restart({ listDomains: false });
    const { code, found, stdout } = await runHere(["--domain", HEALTHY]);
    expect(found).toEqual({
      engine: "ok: pulumi v3.200.0",
      "stack config": "note: read from the selected stack",
      "base address": `ok: ${service.url}, from environment variable DOMAIN_MONITORING_BASE_URL`,
      "API token": `ok: set (${service.token.length} characters), from environment variable DOMAIN_MONITORING_API_TOKEN`,
      timeoutSeconds: "ok: 30, the default",
      maxRetries: "ok: 0, from environment variable DOMAIN_MONITORING_MAX_RETRIES",
      concurrency: "ok: 8, the default",
      lifecycle: "ok: create-only, the default",
      service: "ok: reachable, and the token is accepted: the id is that of example.com",
      "domain list": expect.stringMatching(
        /^note: not readable, so domains are given by id, not by name or --all, and no Domain can be created: GET \/api\/domains: answered 404, /,
      ),
    });
    expect(code).toBe(0);
    expect(stdout).not.toContain(service.token);
  });

  it("accepts a 404 for a made-up id, and says what this does not prove", async () => {
    const { code, found } = await runHere();
    expect(code).toBe(0);
    expect(found.service).toMatch(
      /^ok: reachable, and the token is not refused: it answered 404 to a made-up id, as expected\. .* give --domain ID to be sure$/,
    );
  });

  it("reads stack config through the engine, before the environment, and says where other commands differ", async () => {
    const others = (name: string) =>
      `; expiry, report and channels use another one, from environment variable DOMAIN_MONITORING_${name}`;
    const config = {
      "domain-monitoring:baseUrl": { value: service.url, secret: false },
      "domain-monitoring:apiToken": { secret: true },
      "domain-monitoring:concurrency": { value: "4", secret: false },
    };
    const { code, found } = await runHere([], {
      DOMAIN_MONITORING_BASE_URL: "https://monitoring.example.com",
      DOMAIN_MONITORING_API_TOKEN: "another-token",
      PATH: engine(config, { "domain-monitoring:apiToken": service.token }),
    });
    expect(code).toBe(0);
    expect(found).toMatchObject({
      "base address": `ok: ${service.url}, from stack config domain-monitoring:baseUrl${others("BASE_URL")}`,
      "API token": `ok: set (${service.token.length} characters), from stack config domain-monitoring:apiToken${others("API_TOKEN")}`,
      concurrency: "ok: 4, from stack config domain-monitoring:concurrency",
      service: expect.stringMatching(/^ok: reachable/),
    });
  });

  it.each<[string, number, RegExp]>([
    ["SUBSIDIARY_TOKEN", 0, /^ok: set \(\d+ characters\), from environment variable SUBSIDIARY_TOKEN$/],
    ["DOMAIN_MONITORING_API_TOKEN", 2, /^to fix: the environment variable SUBSIDIARY_TOKEN is not set, /],
  ])(
    "looks for the token in the variable that stack config names: with %s it exits with %i",
    async (name, exitCode, said) => {
      const PATH = engine({
        "domain-monitoring:baseUrl": { value: service.url, secret: false },
        "domain-monitoring:apiTokenVariable": { value: "SUBSIDIARY_TOKEN", secret: false },
      });
      const { code, found } = await runHere([], { PATH, [name]: service.token });
      expect(code).toBe(exitCode);
      expect(found["API token"]).toMatch(said);
    },
  );

  it.each(["baseUrl", "apiToken"])("exits with 1 if %s is a secret that cannot be read", async (name) => {
    const key = `domain-monitoring:${name}`;
    const { code, found } = await runHere([], { PATH: engine({ [key]: { secret: true } }) });
    expect(code).toBe(1);
    expect(Object.values(found)).toContain(
      `unclear: a secret in stack config ${key}, which could not be read: run \`pulumi config get ${key}\` here to see why`,
    );
    expect(found.service).toBe("unclear: not checked: this needs a base address and a token");
    expect(service.requests).toEqual([]);
  });

  it.each([
    [
      { value: "automatic", secret: false },
      2,
      "to fix: ",
      "is not a valid lifecycle: use create-only or managed",
    ],
    [{ secret: true }, 0, "note: ", "a secret in stack config domain-monitoring:lifecycle, not read"],
    [{ value: "create-only", secret: false }, 0, "ok: ", "create-only, from stack config"],
  ])("says what is wrong with the lifecycle %j", async (entry, exitCode, state, text) => {
    const { code, found } = await runHere([], { PATH: engine({ "domain-monitoring:lifecycle": entry }) });
    expect(code).toBe(exitCode);
    expect(found.lifecycle?.startsWith(state)).toBe(true);
    expect(found.lifecycle).toContain(text);
    expect(found).not.toHaveProperty("channels");
  });

  describe("where the stack's channels are managed", () => {
    const managed = () => engine({ "domain-monitoring:lifecycle": { value: "managed", secret: false } });

    it("lists the domain's channels, changes nothing, and says what that does not prove", async () => {
      await restart({ lifecycle: "managed" });
      service.addChannel(HEALTHY);
      const { code, found } = await runHere(["--domain", HEALTHY], { PATH: managed() });
      expect(code).toBe(0);
      expect(found.lifecycle).toBe("ok: managed, from stack config domain-monitoring:lifecycle");
      expect(found.channels).toBe(
        "ok: readable: 1 channel. Whether the token may change and delete them cannot be tested without doing it",
      );
      expect(found["domain list"]).toBe("ok: readable: 3 domains, which can be given by name or by --all");
      expect(service.requests.map(({ method }) => method)).toEqual(["GET", "GET", "GET"]);
    });

    it.each([
      [
        "lacks the list of channels",
        ["--domain", HEALTHY],
        405,
        2,
        /^to fix: .*answered 405.*[^.]\. If the service has no such operation, run `pulumi config set domain-monitoring:lifecycle create-only`$/,
      ],
      ["fails to list them", ["--domain", HEALTHY], 500, 1, /^unclear: .*answered 500/],
      ["has no domain to ask for", [], 500, 0, /^note: not listed: give --domain ID/],
    ])("says so if the service %s", async (_, args, status, exitCode, text) => {
      await restart({ lifecycle: "managed" });
      service.fault({ operation: "listNotificationChannels", status, times: "always" });
      const { code, found } = await runHere(args, { PATH: managed() });
      expect(code).toBe(exitCode);
      expect(found.channels).toMatch(text);
    });
  });

  describe("of a domain that is given by its name", () => {
    const listed = () => service.requests.map(({ path }) => path);

    beforeEach(() => restart({ lifecycle: "managed" }));

    it("looks the name up, says its id, and asks for the domain by it", async () => {
      const { code, found } = await runHere(["--domain", "Example.COM."]);
      expect(code).toBe(0);
      expect(found["domain list"]).toBe(`ok: readable: example.com has the id ${HEALTHY}`);
      expect(found.service).toBe("ok: reachable, and the token is accepted: the id is that of example.com");
      expect(listed()).toEqual(["/api/domains?page=1", `/api/domains/${HEALTHY}`]);
    });

    it.each([
      [
        "exmaple.com",
        200,
        2,
        /^to fix: domain "exmaple\.com" is not one of the \d+ domains of this account: did/,
      ],
      ["example.com", 404, 2, /^to fix: GET \/api\/domains\?page=1: answered 404, the service has no list /],
      ["example.com", 500, 1, /^unclear: GET \/api\/domains\?page=1: answered 500, /],
    ])(
      "says why %s was not found where the list answers %d, and still checks the service",
      async (name, status, exitCode, text) => {
        if (status !== 200) service.fault({ operation: "listDomains", status, times: "always" });
        const { code, found } = await runHere(["--domain", name]);
        expect(code).toBe(exitCode);
        expect(found["domain list"]).toMatch(text);
        expect(found.service).toMatch(/^ok: reachable/);
      },
    );

    it("asks for no list where the service is not reachable as it should be", async () => {
      const { found } = await runHere([], { DOMAIN_MONITORING_API_TOKEN: "wrong" });
      expect(found.service).toMatch(/^to fix: .*answered 401/);
      expect(found).not.toHaveProperty("domain list");
      expect(listed()).toHaveLength(1);
    });
  });

  it("rejects a token in plain-text stack config without showing it", async () => {
    const config = { "domain-monitoring:apiToken": { value: service.token, secret: false } };
    const { code, found, stdout } = await runHere([], { PATH: engine(config) });
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
    const { code, found } = await run([], directory, { PATH: directory });
    expect(code).toBe(2);
    expect(found).toMatchObject({
      engine: expect.stringMatching(/^to fix: there is no `pulumi` command on PATH: install the Pulumi CLI/),
      "stack config": expect.stringMatching(/^note: none: there is no Pulumi\.yaml/),
      "base address":
        "to fix: not set: run `pulumi config set domain-monitoring:baseUrl` or set the environment variable DOMAIN_MONITORING_BASE_URL",
      "API token": expect.stringMatching(/^to fix: not set: .*--secret domain-monitoring:apiToken/),
    });
  });

  it.each([
    ["base address", "DOMAIN_MONITORING_BASE_URL", "http://user:hunter2@example.com"],
    ["concurrency", "DOMAIN_MONITORING_CONCURRENCY", "none"],
  ])("names a wrong %s and sends no request", async (topic, variable, value) => {
    const { code, found, stdout } = await runHere([], { [variable]: value });
    expect(code).toBe(2);
    expect(found[topic]).toMatch(new RegExp(`^to fix: environment variable ${variable}`));
    expect(found.service).toMatch(/^unclear: not checked/);
    expect(stdout).not.toContain("hunter2");
    expect(service.requests).toEqual([]);
  });

  it.each([
    ["401", { status: 401 }, [], 2, /^to fix: .*the API token was not accepted/],
    ["429", { status: 429 }, [], 1, /^unclear: .*too many requests/],
    ["503", { status: 503 }, [], 1, /^unclear: .*a failure on the service's side/],
    [
      "404 for a given id",
      { status: 404 },
      ["--domain", "a"],
      2,
      /^to fix: reachable, .* no domain with the id a:/,
    ],
    [
      "a page",
      { status: 200, body: "<html>Welcome</html>" },
      [],
      2,
      /^to fix: .*an HTML page instead of JSON/,
    ],
    ["nothing", { reset: "before" as const }, [], 2, /^to fix: .*the connection broke/],
  ])("interprets %s as an answer of the service", async (_, fault, args, exitCode, text) => {
    service.fault({ ...fault, times: "always" });
    const { code, found } = await runHere(args);
    expect(code).toBe(exitCode);
    expect(found.service).toMatch(text);
  });

  it.each([[[]], [["--domain", "11111111-1111-4111-8111-111111111111"]]])(
    "expects no 404 of a base address that ends in /api: it is to be left out (%j)",
    async (args) => {
      const { code, found } = await runHere(args, { DOMAIN_MONITORING_BASE_URL: `${service.url}/api/` });
      expect(code).toBe(2);
      expect(found.service).toMatch(
        /^to fix: GET .*answered 404, not found: the base address ends in \/api, which is added to it: leave it out there/,
      );
    },
  );

  it.each([
    ["", "An id or a name must not be empty."],
    ["--base-url", "--domain needs an id or a name, and this looks like an option"],
  ])("rejects the domain %j and exits with 1", async (id, message) => {
    const finished = await runInProcess(["doctor", "--domain", id]);
    expect(finished).toMatchObject({ code: 1, stdout: "" });
    expect(finished.stderr).toContain(message);
  });
});
