import { once } from "node:events";
import { writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { type Emulator, startEmulator } from "../../src/testing";
import { Cli } from "../support/cli";
import { realEngineAvailable } from "../support/engines";
import { kill } from "../support/processes";
import { Projects } from "../support/project";
import type { Finished } from "../support/run";

const domainId = "11111111-1111-4111-8111-111111111111";

/** Where the request is when the process dies. */
type Moment = "before the request" | "after the work, before the answer" | "after the answer";

/**
 * Stands between client and service and stops the traffic at a moment of one request, so that a process can be killed
 * exactly there.
 */
class Checkpoint {
  readonly reached: Promise<void>;
  #reach!: () => void;
  #release: () => void = () => undefined;
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();

  private constructor(port: number, moment: Moment, method: string) {
    this.reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
    let armed = true;
    this.#server = net.createServer((client) => {
      let stops = false;
      const service = net.connect(port, "127.0.0.1");
      for (const socket of [client, service]) {
        this.#sockets.add(socket);
        socket.on("error", () => socket.destroy());
      }
      client.on("data", (bytes) => {
        stops ||= armed && bytes.toString("latin1").startsWith(`${method} `);
        if (!stops) return void service.write(bytes);
        armed = false;
        const release = this.#release;
        this.#release = () => {
          release();
          service.write(bytes);
        };
        if (moment === "before the request") return this.#reach();
        this.#release();
        this.#release = () => undefined;
      });
      service.on("data", (bytes) => {
        if (!stops) client.write(bytes);
        else if (moment === "after the work, before the answer") this.#reach();
        else client.write(bytes, () => this.#reach());
      });
      client.on("end", () => service.end());
      service.on("end", () => client.end());
    });
  }

  /** @param method of the request at which it stops, once */
  static async open(
    port: number,
    moment: Moment,
    method: string,
  ): Promise<{ checkpoint: Checkpoint; url: string }> {
    const checkpoint = new Checkpoint(port, moment, method);
    checkpoint.#server.listen(0, "127.0.0.1");
    await once(checkpoint.#server, "listening");
    const address = checkpoint.#server.address();
    if (typeof address !== "object" || address === null) throw new Error("expected a port");
    return { checkpoint, url: `http://127.0.0.1:${address.port}` };
  }

  /** Lets through what was held back. */
  release(): void {
    this.#release();
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

const onRealEngine = realEngineAvailable && process.platform === "linux" ? describe : describe.skip;

let service: Emulator;
let cli: Cli;
let checkpoint: Checkpoint;
let main: string;

afterEach(async () => {
  cli.close();
  checkpoint.close();
  await service.close();
});

function declare(args: object = {}): void {
  const mail = { domainId, label: "Operations", type: "email", value: "ops@example.com" };
  const text = JSON.stringify({ ...mail, ...args });
  writeFileSync(main, `new (require("pulumi-domain-monitoring").NotificationChannel)("ops", ${text});`);
}

/** An empty stack whose program declares a channel; the first request of the method stops at the moment. */
async function stackThatStops(moment: Moment, method: "POST" | "PATCH" | "DELETE"): Promise<void> {
  const opened = await Checkpoint.open(Number(new URL(service.url).port), moment, method);
  checkpoint = opened.checkpoint;
  const workDir = new Projects().add("index.js", {});
  main = path.join(workDir, "index.js");
  cli = new Cli(workDir, {
    DOMAIN_MONITORING_BASE_URL: opened.url,
    DOMAIN_MONITORING_API_TOKEN: service.token,
  });
  await cli.run("stack", "init", "test");
}

function run(command: "up" | "destroy" | "refresh", ...options: string[]): Promise<Finished> {
  return cli.run(command, "--yes", "--skip-preview", ...options);
}

async function upWithoutChanges(): Promise<void> {
  expect(await run("up", "--expect-no-changes")).toMatchObject({ code: 0 });
}

onRealEngine("a process killed while a channel is created, on the real engine", () => {
  beforeEach(async () => {
    service = await startEmulator();
  });

  /** Deploys one channel up to the moment. */
  async function deployUntil(moment: Moment) {
    await stackThatStops(moment, "POST");
    declare();
    const up = cli.start("up", "--yes", "--skip-preview");
    await checkpoint.reached;
    return up;
  }

  // What docs/channels.md says of each case is what is counted here.
  it.each<[Moment, number]>([
    ["before the request", 1],
    ["after the work, before the answer", 2],
  ])(
    "leaves after the next up, where the provider process dies %s: %d in the service",
    async (moment, channels) => {
      const up = await deployUntil(moment);
      kill(...cli.processes("dynamic-provider"));
      const { code, output } = await up.finished;
      expect(code).not.toBe(0);
      expect(output).toContain("error reading from server: EOF");

      expect((await run("up")).code).toBe(0);
      expect(service.channels()).toHaveLength(channels);
      await upWithoutChanges();
      expect(service.channels()).toHaveLength(channels);
    },
  );

  it.each<[Moment, number]>([
    ["before the request", 1],
    ["after the work, before the answer", 2],
  ])(
    "leaves after cancel and up, where the command dies with its provider %s: %d in the service",
    async (moment, channels) => {
      const up = await deployUntil(moment);
      // The command goes first; its children would otherwise tell it that they died.
      up.child.kill("SIGKILL");
      kill(...cli.processes(""));
      expect((await up.finished).signal).toBe("SIGKILL");

      const refused = await run("up");
      expect(refused.code).not.toBe(0);
      expect(refused.output).toContain("pulumi cancel");
      expect((await cli.run("cancel", "--yes")).code).toBe(0);
      const next = await run("up");
      expect(next.code).toBe(0);
      expect(next.output).toContain("interrupted while creating");
      expect(service.channels()).toHaveLength(channels);
    },
  );

  it("leaves two channels where the command alone dies: its provider goes on and creates what nobody records", async () => {
    const up = await deployUntil("before the request");
    up.child.kill("SIGKILL");
    await up.finished;
    const [provider] = cli.processes("dynamic-provider");
    expect(provider).toBeDefined();
    checkpoint.release();
    await created();
    expect((await cli.run("cancel", "--yes")).code).toBe(0);
    expect((await run("up")).code).toBe(0);
    expect(service.channels()).toHaveLength(2);
  });

  it("leaves one channel where the command is interrupted once: it waits for the create and records it", async () => {
    const up = await deployUntil("after the answer");
    up.child.kill("SIGINT");
    await up.finished;
    expect((await run("up")).code).toBe(0);
    expect(service.channels()).toHaveLength(1);
  });

  /** Resolves when the service has a channel. */
  async function created(): Promise<void> {
    while (service.channels().length === 0) await new Promise(setImmediate);
  }
});

onRealEngine("a process killed while a managed channel is changed or deleted, on the real engine", () => {
  const declareManaged = (args: object = {}) => declare({ lifecycle: "managed", ...args });

  beforeEach(async () => {
    service = await startEmulator({ lifecycle: "managed" });
  });

  /** A stack with the channel, whose next request of the method stops at the moment. */
  async function deployed(moment: Moment, method: "PATCH" | "DELETE"): Promise<void> {
    await stackThatStops(moment, method);
    declareManaged();
    expect((await run("up")).code).toBe(0);
  }

  /** Runs the command up to the moment and kills its provider process, or that and the command. */
  async function killedIn(command: "up" | "destroy", who: "the provider process" | "both"): Promise<void> {
    const running = cli.start(command, "--yes", "--skip-preview");
    await checkpoint.reached;
    if (who === "both") {
      running.child.kill("SIGKILL");
      kill(...cli.processes(""));
      await running.finished;
      expect((await cli.run("cancel", "--yes")).code).toBe(0);
    } else {
      kill(...cli.processes("dynamic-provider"));
      expect((await running.finished).code).not.toBe(0);
    }
  }

  const values = () => service.channels().map(({ value }) => value);

  it.each<[Moment, "the provider process" | "both", string]>([
    ["before the request", "the provider process", "ops@example.com"],
    ["after the work, before the answer", "the provider process", "rotated@example.com"],
    ["after the work, before the answer", "both", "rotated@example.com"],
  ])("sends an update again in the next up, where %s %s died", async (moment, who, meanwhile) => {
    await deployed(moment, "PATCH");
    declareManaged({ value: "rotated@example.com" });
    await killedIn("up", who);
    expect(values()).toEqual([meanwhile]);
    const updates = () => service.requests.filter(({ method }) => method === "PATCH").length;
    const before = updates();
    expect((await run("up")).code).toBe(0);
    expect(updates()).toBe(before + 1);
    expect(values()).toEqual(["rotated@example.com"]);
    await upWithoutChanges();
  });

  it("cannot know of an update that nobody recorded where the program is reverted: the service keeps it", async () => {
    await deployed("after the work, before the answer", "PATCH");
    declareManaged({ value: "rotated@example.com" });
    await killedIn("up", "the provider process");
    declareManaged();
    await upWithoutChanges();
    expect(values()).toEqual(["rotated@example.com"]);
  });

  it.each<[Moment, "the provider process" | "both", number]>([
    ["before the request", "the provider process", 1],
    ["after the work, before the answer", "the provider process", 0],
    ["after the work, before the answer", "both", 0],
  ])("finishes a destroy in the next one, where %s %s died: none is left", async (moment, who, meanwhile) => {
    await deployed(moment, "DELETE");
    await killedIn("destroy", who);
    expect(service.channels()).toHaveLength(meanwhile);
    const next = await run("destroy");
    expect(next.code).toBe(0);
    expect(next.output.includes("was no longer in the service")).toBe(meanwhile === 0);
    expect(service.channels()).toEqual([]);
    expect((await cli.run("stack", "--show-urns")).output).not.toContain("NotificationChannel");
  });

  it.each<["the provider process" | "both"]>([["the provider process"], ["both"]])(
    "deletes in the next up, also after a refresh, what was replaced where %s died between create and delete",
    async (who) => {
      await deployed("before the request", "DELETE");
      declareManaged({ type: "pushover", value: "key-of-pushover" });
      await killedIn("up", who);
      expect(values()).toEqual(["ops@example.com", "key-of-pushover"]);
      expect((await run("refresh")).code).toBe(0);
      expect(await run("up")).toMatchObject({ code: 0 });
      expect(values()).toEqual(["key-of-pushover"]);
      await upWithoutChanges();
    },
  );
});
