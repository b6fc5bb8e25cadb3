/**
 * What users can make the engine ask a provider for beyond the ordinary: the same create again, and the deletion of a channel that
 * was there before the stack, or that stays. Requests and channels are counted at the service.
 */
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/testing";
import { Cli } from "../support/cli";
import { realEngineAvailable } from "../support/engines";
import { Projects } from "../support/project";
import type { Finished } from "../support/run";

const domainId = "11111111-1111-4111-8111-111111111111";
const token = "token-to-keep-secret";
const address = "destination-to-keep-secret@example.com";
const onRealEngine = realEngineAvailable ? describe : describe.skip;

/**
 * A channel for each line of `CHANNELS`: its name, its arguments and its options as JSON, with `"other"` for the other provider.
 */
const PROGRAM = `
  const pulumi = require("@pulumi/pulumi");
  const { NotificationChannel, Provider } = require("pulumi-domain-monitoring");
  const lines = JSON.parse(process.env.CHANNELS);
  const { BASE_URL: baseUrl, TOKEN: apiToken } = process.env;
  const other = JSON.stringify(lines).includes('"other"') && new Provider("other", { baseUrl, apiToken, lifecycle: "managed" });
  for (const [name, args, { again, provider, secretLabel, ...opts } = {}] of lines) {
    if (secretLabel) args.label = pulumi.secret(secretLabel);
    const hooks = again && { onError: [new pulumi.ErrorHook("again", () => true)] };
    new NotificationChannel(
      name,
      { domainId: "${domainId}", label: "Channel", type: "email", value: "${address}", ...args },
      { ...opts, hooks, provider: provider && other },
    );
  }`;

type Line = [name: string, args: object, opts?: object];

let service: Emulator;
let projects: Projects;
let cli: Cli;

async function start(options: EmulatorOptions, config: Record<string, string> = {}): Promise<void> {
  service = await startEmulator({ token, ...options });
  projects = new Projects();
  cli = new Cli(projects.add("index.js", { "index.js": PROGRAM }), { BASE_URL: service.url, TOKEN: token });
  await cli.run("stack", "init", "test");
  const account = { baseUrl: service.url, maxRetries: "0", ...config };
  for (const [name, value] of Object.entries(account))
    await cli.run("config", "set", `domain-monitoring:${name}`, value);
  cli.set("DOMAIN_MONITORING_API_TOKEN", token);
}

afterEach(async () => {
  const written = cli.written();
  cli.close();
  await service.close();
  for (const secret of [token, address]) expect(written).not.toContain(secret);
});

async function up(lines: Line[], ...options: string[]): Promise<Finished> {
  cli.set("CHANNELS", JSON.stringify(lines));
  return cli.run("up", "--yes", "--skip-preview", ...options);
}

/** Methods of the requests since the last call. */
let counted = 0;
function asked(): string[] {
  const methods = service.requests.map(({ method }) => method);
  const since = methods.slice(counted);
  counted = methods.length;
  return since;
}
beforeEach(() => {
  counted = 0;
});

onRealEngine("an onError hook that repeats a create, on the real engine", () => {
  it("creates no second channel after a lost answer", async () => {
    await start({});
    service.fault({ operation: "createNotificationChannel", reset: "after", times: 2 });
    const { code, output } = await up([["ops", {}, { again: true }]]);
    expect(asked()).toEqual(["POST"]);
    expect(service.channels()).toHaveLength(1);
    expect(code).not.toBe(0);
    expect(output).toContain("is not created again in this run");
    expect(output).toContain("may have been created anyway: look for it in the service before running again");
  });

  it("records a channel whose answer had its id, with one request", async () => {
    await start({});
    service.fault({
      operation: "createNotificationChannel",
      status: 201,
      body: { data: { id: "only-the-id" } },
    });
    const { code, output } = await up([["ops", {}, { again: true }]]);
    expect(asked()).toEqual(["POST"]);
    expect(output).toContain("was created by an earlier attempt of this run: no other one is created");
    expect(code).toBe(0);
    expect((await up([["ops", {}]])).output).toContain("1 unchanged");
    expect(asked()).toEqual([]);
  });
});

onRealEngine("an adopted channel, on the real engine", () => {
  let adopt: string;
  const stays =
    /was taken over with adopt, so it stays in the service .* remove adopt and run `pulumi up` first/;

  beforeEach(async () => {
    await start({ lifecycle: "managed" }, { lifecycle: "managed" });
    adopt = service.addChannel(domainId, { label: "By hand", type: "email", value: address });
    expect((await up([["ops", { adopt }]])).code).toBe(0);
    asked();
  });

  it.each<[string, Line[], string[]]>([
    ["is renamed", [["renamed", { adopt: "adopted" }]], []],
    [
      "is renamed and given to another provider",
      [["renamed", { adopt: "adopted" }, { provider: "other" }]],
      [],
    ],
    ["leaves the program", [["another", { label: "Another" }]], []],
    [
      "is replaced by command, first deleted",
      [["ops", { adopt: "adopted" }, { deleteBeforeReplace: true }]],
      ["--replace", "**ops"],
    ],
    ["loses adopt and is replaced in one update", [["ops", { type: "pushover", value: "a-key" }]], []],
  ])("stays when its resource %s, and is named", async (_case, lines, options) => {
    const given = JSON.stringify(lines).replaceAll('"adopted"', JSON.stringify(adopt));
    const { code, output } = await up(JSON.parse(given), ...options);
    expect(output).toMatch(stays);
    expect(output).toContain(`id ${adopt}`);
    expect([code, asked().includes("DELETE")]).toEqual([0, false]);
    expect(service.channels().map(({ id }) => id)).toContain(adopt);
  });

  it("stays after a rename and targeted commands, and after a destroy of both", async () => {
    await up([["renamed", { adopt }]], "--target", "**renamed");
    const { code, output } = await cli.run("destroy", "--yes", "--skip-preview", "--target", "**ops");
    expect(output).toMatch(stays);
    expect(code).toBe(0);
    expect((await cli.run("destroy", "--yes", "--skip-preview", "--refresh")).code).toBe(0);
    expect([asked().includes("DELETE"), service.channels().length]).toEqual([false, 1]);
  });
});

onRealEngine("a channel that the stack created, on the real engine", () => {
  let id = "";
  const halfRenamed = async () => {
    await start({ lifecycle: "managed" }, { lifecycle: "managed" });
    await up([["ops", {}]]);
    id = service.channels()[0]?.id ?? "";
    expect((await up([["renamed", { adopt: id }]], "--target", "**renamed")).code).toBe(0);
    asked();
  };

  it("stays when the rename that adopts it is finished after a targeted update", async () => {
    await halfRenamed();
    const { code, output } = await up([["renamed", { adopt: id }]]);
    expect(output).toContain("is not deleted, as another resource of this stack has adopted it");
    expect([code, asked(), service.channels().length]).toEqual([0, [], 1]);
  });

  it("stays when adopt is removed before that", async () => {
    await halfRenamed();
    const { code, output } = await up([["renamed", {}]]);
    expect(output).toContain("is not deleted, as another resource of this stack has adopted it");
    expect([code, asked(), service.channels().length]).toEqual([0, [], 1]);
    expect((await cli.run("destroy", "--yes", "--skip-preview", "--refresh")).code).toBe(0);
    expect([asked(), service.channels()]).toEqual([["GET", "DELETE"], []]);
  });

  it("is deleted by --replace and by a destroy that refreshes or runs the program", async () => {
    await start({ lifecycle: "managed" }, { lifecycle: "managed" });
    for (const option of ["--refresh", "--run-program"]) {
      await up([["ops", {}]]);
      expect((await up([["ops", {}]], "--replace", "**ops", "--refresh")).code).toBe(0);
      expect(service.channels()).toHaveLength(1);
      expect((await cli.run("destroy", "--yes", "--skip-preview", option)).code).toBe(0);
      expect(service.channels()).toEqual([]);
    }
  });

  it("is not named by a label that is secret, by the provider or the engine", async () => {
    await start({ lifecycle: "managed" });
    await up([["ops", {}, { secretLabel: "hidden-label" }]]);
    service.fault({ operation: "createNotificationChannel", reset: "after" });
    const { output } = await up([
      ["ops", { dnsNotificationsEnabled: false }, { secretLabel: "hidden-label" }],
    ]);
    expect(output).toContain('Notification channel "[secret]" (email, domain');
    const destroyed = await cli.run("destroy", "--yes", "--skip-preview");
    expect(output + destroyed.output).not.toContain("hidden-label");
  });
});

onRealEngine("a replaced channel that cannot leave the stack, on the real engine", () => {
  /** Runs the command that the output advises, in which the ids are. */
  async function follow(output: string): Promise<void> {
    const advised = /`pulumi (config set domain-monitoring:abandon [\w,-]+)`/.exec(output)?.[1] ?? "";
    expect(advised).not.toBe("");
    await cli.run(...advised.split(" "));
  }

  it.each([
    ["of the stack", {}],
    ["of an explicit provider", { provider: "other" }],
  ])("leaves it by the advised command if onOrphan refused it: %s", async (_case, opts) => {
    await start({ lifecycle: "managed" });
    const lines: Line[] = [["ops", { onOrphan: "error", lifecycle: "create-only" }, opts]];
    await up(lines);
    const refused = await up(lines, "--replace", "**ops");
    expect(refused.code).not.toBe(0);
    expect(service.channels()).toHaveLength(2);
    expect((await up(lines)).code).not.toBe(0);
    asked();
    await follow(refused.output);
    const { code, output } = await up(lines);
    expect(output).toContain(
      "is removed from this stack, as stack config domain-monitoring:abandon lists it",
    );
    expect([code, asked(), service.channels().length]).toEqual([0, [], 2]);
    expect((await up(lines)).output).toContain("unchanged");
  });
});
