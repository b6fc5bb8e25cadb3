/**
 * What users can make the engine ask a provider for beyond the ordinary: the same create again, and the deletion of a channel that
 * was there before the stack, or that stays. Requests and channels are counted at the service.
 */
import { UNKNOWN } from "../../src/common/markers";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/testing";
import { channel as wireChannel } from "../client/support/wire";
import { Cli } from "../support/cli";
import { realEngineAvailable } from "../support/engines";
import { Projects } from "../support/project";
import type { Finished } from "../support/run";

const domainId = "11111111-1111-4111-8111-111111111111";
const token = "token-to-keep-secret";
const address = "destination-to-keep-secret@example.com";
const onRealEngine = realEngineAvailable ? describe : describe.skip;

/**
 * A channel for each line of `CHANNELS`: its name, its arguments and its options as JSON, with `"other"` for the other provider,
 * and as `adopt` an id, or `=` and the name of a line before.
 */
const PROGRAM = `
  const pulumi = require("@pulumi/pulumi");
  const { NotificationChannel, Provider } = require("pulumi-domain-monitoring");
  const lines = JSON.parse(process.env.CHANNELS);
  const { BASE_URL: baseUrl, TOKEN: apiToken } = process.env;
  const other = JSON.stringify(lines).includes('"other"') && new Provider("other", { baseUrl, apiToken, lifecycle: "managed" });
  const made = {};
  for (const [name, { adopt, ...args }, { again, provider, transformed, secretLabel, ...opts } = {}] of lines) {
    if (secretLabel) args.label = pulumi.secret(secretLabel);
    const hooks = again && { onError: [new pulumi.ErrorHook("again", () => true)] };
    const transforms = transformed && [({ props, opts }) => ({ props: { ...props, ...transformed }, opts })];
    made["=" + name] = new NotificationChannel(
      name,
      { domainId: "${domainId}", label: "Channel", type: "email", value: "${address}", ...args, adopt: made[adopt]?.id ?? adopt },
      { ...opts, hooks, transforms, provider: provider && other },
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
  it.each([1, 2])("creates no second channel after %d lost answers", async (times) => {
    await start({});
    service.fault({ operation: "createNotificationChannel", reset: "after", times });
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

  it("sends no second create after a redirect, or for an id that the engine cannot take", async () => {
    await start({});
    service.fault({ operation: "createNotificationChannel", status: 303 });
    expect((await up([["ops", {}, { again: true }]])).output).toContain("is not created again in this run");
    expect(asked()).toEqual(["POST"]);
    service.fault({
      operation: "createNotificationChannel",
      status: 201,
      body: { data: { ...wireChannel({ label: "Channel" }), id: UNKNOWN } },
    });
    expect((await up([["ops", {}, { again: true }]])).output).toContain("which cannot be recorded");
    expect(asked()).toEqual(["POST"]);
  });

  it("records a channel with half a character and the mark of an unknown value in its answer, in a refresh too", async () => {
    await start({ lifecycle: "managed" }, { lifecycle: "managed" });
    const id = "99999999-9999-4999-8999-999999999999";
    const odd = wireChannel({
      id,
      label: "Channel",
      type: "email",
      type_human: "Email \ud83d",
      created_at: UNKNOWN,
    });
    service.fault({ operation: "createNotificationChannel", status: 201, body: { data: odd } });
    service.fault({ operation: "getNotificationChannel", status: 200, body: odd, times: "always" });
    expect((await up([["ops", {}, { again: true }]])).code).toBe(0);
    expect((await cli.run("refresh", "--yes", "--skip-preview")).code).toBe(0);
    expect(asked().filter((method) => method === "POST")).toHaveLength(1);
    expect((await up([["ops", {}]])).output).toContain("unchanged");
  });

  it("creates a channel that the service refused at first", async () => {
    await start({});
    service.fault({ operation: "createNotificationChannel", status: 422 });
    expect((await up([["ops", {}, { again: true }]])).code).toBe(0);
    expect(asked()).toEqual(["POST", "POST"]);
    expect(service.channels()).toHaveLength(1);
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

  it("is handed over when adopt is taken out: without a request, and a destroy deletes it", async () => {
    expect((await up([["ops", {}]])).output).toContain("1 updated");
    expect(asked()).toEqual([]);
    const { code } = await cli.run("destroy", "--yes", "--skip-preview");
    expect([code, asked(), service.channels()]).toEqual([0, ["DELETE"], []]);
  });

  it("stays where a transform has set adopt", async () => {
    service.addChannel(domainId, { label: "Second", type: "email", value: address });
    const second = service.channels().find(({ label }) => label === "Second")?.id;
    const lines: Line[] = [
      ["ops", { adopt }],
      ["late", {}, { transformed: { adopt: second } }],
    ];
    expect((await up(lines)).code).toBe(0);
    expect((await cli.run("destroy", "--yes", "--skip-preview")).code).toBe(0);
    expect([asked(), service.channels().length]).toEqual([["GET", "PATCH"], 2]);
  });

  it("may be unknown in a preview, which fails nothing, and is only said to be possible", async () => {
    const lines = (source: object): Line[] => [
      ["source", source],
      ["ops", { adopt: "=source" }],
      ["new", { adopt: "=source" }],
    ];
    cli.set("CHANNELS", JSON.stringify(lines({ label: "Source" })));
    const { code, output } = await cli.run("preview");
    expect(output).toMatch(/"Channel" .*, id \S+\) may be replaced \(not known yet: adopt\)/);
    expect(output).toContain("may be taken over (adopt is not known yet)");
    expect(output).not.toContain("is taken over");
    expect([code, asked()]).toEqual([0, []]);
  });

  it("of another resource of the program is said to be so in the preview, whichever comes first", async () => {
    await up([["ops", {}]]);
    for (const lines of [
      [
        ["ops", {}],
        ["new", { adopt }],
      ],
      [
        ["new", { adopt }],
        ["ops", {}],
      ],
      [
        ["new", { adopt }],
        ["newer", { adopt, label: "Newer" }],
      ],
    ]) {
      cli.set("CHANNELS", JSON.stringify(lines));
      const { code, output } = await cli.run("preview");
      expect(output).toContain("another resource of this program has that channel, or adopts it too");
      expect(code).toBe(0);
    }
    cli.set("CHANNELS", JSON.stringify([["renamed", { adopt }]]));
    expect((await cli.run("preview")).output).not.toContain("another resource");
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

  it("that changes its lifecycle is told from those that change it the other way, and from what is deleted", async () => {
    await start({ lifecycle: "managed" });
    const lines = (swapped: boolean): Line[] => [
      ["a", { label: "First", lifecycle: swapped ? "managed" : "create-only" }],
      ["b", { label: "Second", lifecycle: swapped ? "create-only" : "managed" }],
    ];
    await up([...lines(false), ["c", { label: "Third", lifecycle: "managed" }]]);
    const { output } = await up(lines(true));
    expect(output).toContain(
      "channels that are recorded as create-only are to become managed, so that a later update or destroy deletes them",
    );
    expect(output).toContain(
      "channels that are recorded as managed are to become create-only, so that a later update or destroy leaves them",
    );
    expect(
      service
        .channels()
        .map(({ label }) => label)
        .sort(),
    ).toEqual(["First", "Second"]);
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

  it("shows a flag that was declared as on as changed, and not as removed", async () => {
    await start({ lifecycle: "managed" }, { lifecycle: "managed" });
    await up([["ops", { dnsNotificationsEnabled: true }]]);
    cli.set("CHANNELS", JSON.stringify([["ops", { dnsNotificationsEnabled: false }]]));
    expect((await cli.run("preview", "--diff")).output).toMatch(/dnsNotificationsEnabled: true => false/);
  });

  it("differs in nothing after a refresh, with a flag that was declared as what the service has anyway", async () => {
    await start({ lifecycle: "managed" }, { lifecycle: "managed" });
    await up([
      ["ops", { whoisNotificationsEnabled: true, dnsNotificationsEnabled: false }],
      ["rest", {}],
    ]);
    for (const command of ["refresh --yes --skip-preview", "preview"]) {
      const { code, output } = await cli.run(...command.split(" "), "--expect-no-changes");
      expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("3 unchanged") });
    }
  });

  it("is named in the preview of an update or a replacement that changes its destination", async () => {
    await start({ lifecycle: "managed" }, { lifecycle: "managed" });
    const before: Line[] = [
      ["ops", {}],
      ["hook", { type: "webhook", value: "https://a.example", secondaryValue: "PUT" }],
    ];
    await up(before);
    cli.set(
      "CHANNELS",
      JSON.stringify([
        ["ops", { value: `other-${address}` }],
        ["hook", { type: "webhook", value: "https://a.example" }],
      ]),
    );
    const { output } = await cli.run("preview");
    expect(output).toMatch(/"Channel" \(email, .*: the destination is to be changed \(value\)/);
    expect(output).toMatch(/"Channel" \(webhook, .*: the destination is to be changed \(secondaryValue\)/);
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
    expect(output).toContain("leaves this stack, as stack config domain-monitoring:abandon lists it");
    expect([code, asked(), service.channels().length]).toEqual([0, [], 2]);
    expect((await up(lines)).output).toContain("unchanged");
  });

  it("leaves it by the advised command if the service refuses to delete it", async () => {
    await start({ lifecycle: "managed" }, { lifecycle: "managed" });
    await up([["ops", {}]]);
    const [former] = service.channels();
    service.updateChannel(former?.id ?? "", { isProtected: true });
    const changed: Line[] = [["ops", { type: "pushover", value: null }]];
    const refused = await up(changed);
    expect(refused.code).not.toBe(0);
    await follow(refused.output);
    asked();
    const { code, output } = await up(changed);
    expect(output).toContain("as stack config domain-monitoring:abandon lists it");
    expect([code, asked(), service.channels().length]).toEqual([0, [], 2]);
    expect((await cli.run("destroy", "--yes", "--skip-preview")).code).toBe(0);
    expect(service.channels().map(({ id }) => id)).toEqual([former?.id]);
  });
});
