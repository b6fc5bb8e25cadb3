import { once } from "node:events";
import net from "node:net";
import { type Emulator, startEmulator } from "../../src/testing";
import { Cli, kill } from "../support/cli";
import { realEngineAvailable } from "../support/engines";
import { Projects } from "../support/project";

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

  private constructor(port: number, moment: Moment) {
    this.reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
    let armed = true;
    this.#server = net.createServer((client) => {
      const stops = armed;
      armed = false;
      const service = net.connect(port, "127.0.0.1");
      for (const socket of [client, service]) {
        this.#sockets.add(socket);
        socket.on("error", () => socket.destroy());
      }
      if (!stops) {
        client.pipe(service).pipe(client);
        return;
      }
      client.on("data", (bytes) => {
        this.#release = () => service.write(bytes);
        if (moment === "before the request") this.#reach();
        else this.#release();
      });
      service.on("data", (bytes) => {
        if (moment === "after the work, before the answer") this.#reach();
        else client.write(bytes, () => this.#reach());
      });
    });
  }

  static async open(port: number, moment: Moment): Promise<{ checkpoint: Checkpoint; url: string }> {
    const checkpoint = new Checkpoint(port, moment);
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

onRealEngine("a process killed while a channel is created, on the real engine", () => {
  let service: Emulator;
  let projects: Projects;
  let cli: Cli;
  let checkpoint: Checkpoint;

  beforeEach(async () => {
    service = await startEmulator();
    projects = new Projects();
  });
  afterEach(async () => {
    cli.close();
    checkpoint.close();
    projects.remove();
    await service.close();
  });

  /** Deploys one channel up to the moment. */
  async function deployUntil(moment: Moment) {
    const opened = await Checkpoint.open(Number(new URL(service.url).port), moment);
    checkpoint = opened.checkpoint;
    const args = JSON.stringify({ domainId, label: "Operations", type: "email", value: "ops@example.com" });
    const workDir = projects.add("index.js", {
      "index.js": `new (require("pulumi-domain-monitoring").NotificationChannel)("ops", ${args});`,
    });
    cli = new Cli(workDir, {
      DOMAIN_MONITORING_BASE_URL: opened.url,
      DOMAIN_MONITORING_API_TOKEN: service.token,
    });
    await cli.run("stack", "init", "test");
    const up = cli.start("up", "--yes", "--skip-preview");
    await checkpoint.reached;
    return up;
  }

  // What docs/create-only.md says of each case is what is counted here.
  it.each<[Moment, number]>([
    ["before the request", 1],
    ["after the work, before the answer", 2],
  ])(
    "leaves after the next up, where the provider process dies %s: %d in the service",
    async (moment, channels) => {
      const up = await deployUntil(moment);
      cli.processes("dynamic-provider").forEach(kill);
      const { code, output } = await up.finished;
      expect(code).not.toBe(0);
      expect(output).toContain("error reading from server: EOF");

      expect((await cli.run("up", "--yes", "--skip-preview")).code).toBe(0);
      expect(service.channels()).toHaveLength(channels);
      expect((await cli.run("up", "--yes", "--skip-preview", "--expect-no-changes")).code).toBe(0);
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
      for (const pid of cli.processes("")) kill(pid);
      expect((await up.finished).signal).toBe("SIGKILL");

      const refused = await cli.run("up", "--yes", "--skip-preview");
      expect(refused.code).not.toBe(0);
      expect(refused.output).toContain("pulumi cancel");
      expect((await cli.run("cancel", "--yes")).code).toBe(0);
      const next = await cli.run("up", "--yes", "--skip-preview");
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
    expect((await cli.run("up", "--yes", "--skip-preview")).code).toBe(0);
    expect(service.channels()).toHaveLength(2);
  });

  it("leaves one channel where the command is interrupted once: it waits for the create and records it", async () => {
    const up = await deployUntil("after the answer");
    up.child.kill("SIGINT");
    await up.finished;
    expect((await cli.run("up", "--yes", "--skip-preview")).code).toBe(0);
    expect(service.channels()).toHaveLength(1);
  });

  /** Resolves when the service has a channel. */
  async function created(): Promise<void> {
    while (service.channels().length === 0) await new Promise(setImmediate);
  }
});
