/**
 * Processes are killed while a channel is created, changed or deleted. Each case is a row of
 * docs/channels.md or docs/managed-channels.md.
 */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { pipeline } from "node:stream";
import type { EmulatorOperation } from "../../packages/domain-monitoring-emulator/src";
import { kill } from "../../scripts/processes.cjs";
import { environmentFor } from "../support/account";
import { AT_ONCE, Cli } from "../support/cli";
import { useEmulator } from "../support/emulator";
import { realEngineAvailable } from "../support/engines";
import { Projects } from "../support/project";
import { until } from "../support/run";

const domainId = "11111111-1111-4111-8111-111111111111";

/**
 * The moment at which a process dies: after the request has reached the service, or after the
 * service has done the work. It never gets an answer.
 */
type Moment = "before" | "after";

const onRealEngine = realEngineAvailable && process.platform === "linux" ? describe : describe.skip;
const service = useEmulator({ lifecycle: "managed" });
let cli: Cli;
let main: string;

function declare(args: object = {}): void {
  const mail = { domainId, label: "Operations", type: "email", value: "ops@example.com" };
  const text = JSON.stringify({ ...mail, ...args });
  const channel = 'require("pulumi-domain-monitoring").NotificationChannel';
  writeFileSync(main, `new (${channel})("ops", ${text});`);
}

/** An empty stack whose program declares a channel. */
async function stackFor(baseUrl: string): Promise<void> {
  const workDir = new Projects().add("index.js", {});
  main = path.join(workDir, "index.js");
  declare();
  cli = new Cli(workDir, environmentFor({ url: baseUrl, token: service.token }));
  await cli.run("stack", "init", "test");
}

async function upWithoutChanges(): Promise<void> {
  expect(await cli.change("up", "--expect-no-changes")).toMatchObject({ code: 0 });
}

const values = () => service.channels().map(({ value }) => value);

/**
 * Runs the command up to the operation's next request. Then kills it together with its provider
 * process. test/e2e/lives.test.ts kills providers alone.
 */
async function killedIn(command: "up" | "destroy", operation: EmulatorOperation, stall: Moment) {
  service.fault({ operation, stall });
  const { child, finished } = cli.start(command, ...AT_ONCE);
  // The log shows no status for a request without an answer.
  await until(() => service.requests.some(({ status }) => status === 0) || child.exitCode !== null);
  // Kills the command first; its children would otherwise report their deaths to it.
  child.kill("SIGKILL");
  kill(...cli.processes());
  expect((await finished).signal).toBe("SIGKILL");
  expect((await cli.change("up")).output).toContain("pulumi cancel");
  expect((await cli.run("cancel", "--yes")).code).toBe(0);
}

onRealEngine("a process killed while a channel is created, on the real engine", () => {
  // A service need not have any other operation.
  afterEach(() => {
    for (const { operation } of service.requests)
      expect(operation).toBe("createNotificationChannel");
  });

  it.each<[Moment, number]>([
    ["before", 1],
    ["after", 2],
  ])(
    "leaves after the next up, where both died %s the work: %d in the service",
    async (moment, channels) => {
      await stackFor(service.url);
      await killedIn("up", "createNotificationChannel", moment);
      const next = await cli.change("up");

      expect(next.code).toBe(0);
      expect(next.output).toContain("interrupted while creating");
      expect(service.channels()).toHaveLength(channels);

      await upWithoutChanges();
    },
  );

  it.each<[string, NodeJS.Signals, number]>([
    // Its provider creates what nobody records.
    ["two channels where the command alone is killed", "SIGKILL", 2],
    // It waits for the create, and records it.
    ["one channel where the command is interrupted once", "SIGINT", 1],
  ])("leaves %s", async (_what, signal, channels) => {
    // Holds back the first request until the command has received the signal.
    const gate = net.createServer({ pauseOnConnect: true });
    gate.on("connection", async (client) => {
      await signalled;
      // Either side may be killed, which resets this connection. Without a callback, that would be
      // an uncaught exception.
      const port = Number(new URL(service.url).port);
      pipeline(client, net.connect(port, "127.0.0.1"), client, () => {});
    });

    await once(gate.listen(0, "127.0.0.1").unref(), "listening");
    const connected = once(gate, "connection");
    await stackFor(`http://127.0.0.1:${(gate.address() as net.AddressInfo).port}`);
    const up = cli.start("up", ...AT_ONCE);
    const signalled = connected.then(() => up.child.kill(signal));
    await signalled;
    await Promise.all([up.finished, until(() => service.channels().length > 0)]);
    if (signal === "SIGKILL") expect((await cli.run("cancel", "--yes")).code).toBe(0);

    expect((await cli.change("up")).code).toBe(0);
    expect(service.channels()).toHaveLength(channels);

    gate.close();
  });
});

onRealEngine(
  "a process killed while a managed channel is changed or deleted, on the real engine",
  () => {
    const declareManaged = (args: object = {}) => declare({ lifecycle: "managed", ...args });

    beforeEach(async () => {
      await stackFor(service.url);
      declareManaged();
      expect((await cli.change("up")).code).toBe(0);
    });

    it("sends an update again in the next up", async () => {
      declareManaged({ value: "rotated@example.com" });
      await killedIn("up", "updateNotificationChannel", "after");

      expect(values()).toEqual(["rotated@example.com"]);

      const before = service.requests.length;
      expect((await cli.change("up")).code).toBe(0);
      expect(service.requests.slice(before).map(({ method }) => method)).toEqual(["PATCH"]);
      expect(values()).toEqual(["rotated@example.com"]);

      await upWithoutChanges();
    });

    it("cannot know of an update that nobody recorded where the program is reverted: the service keeps it", async () => {
      declareManaged({ value: "rotated@example.com" });
      await killedIn("up", "updateNotificationChannel", "after");
      declareManaged();
      await upWithoutChanges();

      expect(values()).toEqual(["rotated@example.com"]);
    });

    it("finishes a destroy in the next one: none is left", async () => {
      await killedIn("destroy", "deleteNotificationChannel", "after");
      expect(service.channels()).toEqual([]);

      const next = await cli.change("destroy");
      expect(next.code).toBe(0);
      expect(next.output).toContain("was no longer in the service");
      expect((await cli.run("stack", "--show-urns")).output).not.toContain("NotificationChannel");
    });

    it("deletes the replaced channel in the next up if both died between create and delete", async () => {
      declareManaged({ type: "pushover", value: "key-of-pushover" });
      await killedIn("up", "deleteNotificationChannel", "before");

      expect(values()).toEqual(["ops@example.com", "key-of-pushover"]);
      expect((await cli.change("refresh")).code).toBe(0);
      expect(await cli.change("up")).toMatchObject({ code: 0 });
      expect(values()).toEqual(["key-of-pushover"]);

      await upWithoutChanges();
    });
  },
);
