/**
 * A stack on the real engine whose program is a list of resources: a test changes the list between
 * commands. The same list is a program of the npm package or of the plugin.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { CustomResourceOptions } from "@pulumi/pulumi";
import type { Emulator, EmulatorOptions } from "../../packages/domain-monitoring-emulator/src";
import * as wire from "../client/support/wire";
import { PLUGIN_DIRECTORY } from "../plugin/support/plugin-process";
import { DOMAIN, EMAIL } from "../provider/support/channels";
import { Cli } from "./cli";
import { standInFor, useEmulator } from "./emulator";
import { realEngineAvailable } from "./engines";
import { Projects } from "./project";
import type { Finished } from "./run";

const FORMS = ["npm package", "plugin"] as const;
type Form = (typeof FORMS)[number];

export interface Declared {
  name: string;

  /** @default "NotificationChannel" */
  type?: "Domain" | "NotificationChannel";
  args?: Record<string, unknown>;

  /** Names of the arguments that the program makes secret. @default none */
  secret?: string[];
  options?: Pick<CustomResourceOptions, "deleteBeforeReplace" | "import">;

  /** Id of an object that is only referred to, by `get`. @default none: it is managed */
  get?: string;
}

/** A managed channel. */
export const ops: Declared = {
  name: "ops",
  args: { domainId: DOMAIN, label: "On call", type: "email", value: EMAIL, lifecycle: "managed" },
};

/** The same resource under another name or with other inputs. */
export function changed(one: Declared, name: string, args: object = {}): Declared {
  return { ...one, name, args: { ...one.args, ...args } };
}

/** A service with the domain of `ops`. */
export const SERVICE: EmulatorOptions = {
  lifecycle: "managed",
  domains: [{ id: DOMAIN, domain: "example.com" }],
};

/** Scenarios in both forms, on the real engine. */
export const describeDeclaredStacks = (realEngineAvailable ? describe : describe.skip).each(FORMS);

/** Starts a service and opens a stack for each of the tests around it. */
export function useDeclaredStack(form: Form): { service: Emulator; stack: DeclaredStack } {
  const service = useEmulator(SERVICE);
  let stack: DeclaredStack;
  beforeEach(async () => {
    stack = await DeclaredStack.open(form, service);
  });

  return { service, stack: standInFor(() => stack) };
}

const PROGRAMS: Record<Form, string> = {
  "npm package": `
    const resources = require("pulumi-domain-monitoring");
    for (const { name, type, args, options, get } of require("./declared.json")) {
      const Type = resources[type];
      if (get) Type.get(name, get, args, options);
      else new Type(name, args, options);
    }`,
  plugin: `
    const pulumi = require("@pulumi/pulumi");
    for (const { name, type, args, secret = [], options, get: id } of require("./declared.json")) {
      for (const input of secret) args[input] = pulumi.secret(args[input]);
      const token = "domain-monitoring:index:" + type;
      new pulumi.CustomResource(token, name, args, { ...options, id });
    }`,
};

const TYPES: Record<Form, string> = {
  "npm package": "pulumi-nodejs:dynamic/domain-monitoring",
  plugin: "domain-monitoring:index",
};

interface Recorded {
  type: string;
  urn: string;
  id?: string;
}

export class DeclaredStack {
  private constructor(
    private readonly form: Form,
    private readonly workDir: string,
    private readonly cli: Cli,
    private readonly service: Emulator,
  ) {}

  /** A stack without resources. */
  static async open(form: Form, service: Emulator): Promise<DeclaredStack> {
    const files = { "index.js": PROGRAMS[form], "declared.json": "[]" };
    const plugin = form === "plugin" ? PLUGIN_DIRECTORY : undefined;
    const workDir = new Projects().add("index.js", files, plugin);
    const cli = new Cli(workDir, { DOMAIN_MONITORING_MAX_RETRIES: "0" });
    const stack = new DeclaredStack(form, workDir, cli, service);
    stack.use(service);
    await cli.run("stack", "init", "test");

    return stack;
  }

  /** Uses this service and its account from the next command on. */
  use({ url, token }: Pick<Emulator, "url" | "token">): void {
    this.cli.set("DOMAIN_MONITORING_BASE_URL", url);
    this.cli.set("DOMAIN_MONITORING_API_TOKEN", token);
  }

  /** Makes these the whole program. */
  declare(...resources: Declared[]): void {
    const declared = resources.map((one) => ({ type: "NotificationChannel", ...one }));
    writeFileSync(path.join(this.workDir, "declared.json"), JSON.stringify(declared));
  }

  run(command: string, ...args: string[]): Promise<Finished> {
    return this.cli.run(command, ...args);
  }

  /** Changes the stack without a preview and without questions. */
  change(...args: Parameters<Cli["change"]>): Promise<Finished> {
    return this.cli.change(...args);
  }

  up(...options: string[]): Promise<Finished> {
    return this.change("up", ...options);
  }

  /** Declares this program, and updates to it. @throws Error if the update fails */
  async deploy(...resources: Declared[]): Promise<void> {
    this.declare(...resources);
    const { code, output } = await this.up();
    if (code !== 0) throw new Error(output);
  }

  /** Deploys this resource alone. @returns the id of its object */
  async deployed(one: Declared): Promise<string> {
    await this.deploy(one);
    return this.recorded()[one.name] ?? "";
  }

  /** The resource under this name that takes a channel over instead of creating one. */
  taking(one: Declared, name: string, id: string): Declared {
    if (this.form === "npm package") return changed(one, name, { adopt: id });
    return { ...one, name, options: { import: `${DOMAIN}/${id}` } };
  }

  /** The first service responds to the next create with this channel that it already has. */
  respondWith(id: string): void {
    const found = this.service.channels().find((one) => one.id === id);
    const { label, type, createdAt: created_at } = found ?? {};
    const data = wire.channel({ id, label, type, created_at });
    this.service.fault({ operation: "createNotificationChannel", status: 201, body: { data } });
  }

  /** The deletes that the first service has received. */
  get deletes() {
    return this.service.requests.filter(({ method }) => method === "DELETE");
  }

  /** Ids of the channels in the first service. */
  get channelIds(): string[] {
    return this.service.channels().map(({ id }) => id);
  }

  urn(name: string, type: Declared["type"] = "NotificationChannel"): string {
    return `urn:pulumi:test::test::${TYPES[this.form]}:${type}::${name}`;
  }

  /** The ids of the channels and domains in the state, by name. */
  recorded(): Record<string, string | undefined> {
    const own = this.cli
      .resources<Recorded>()
      .filter(({ type }) => /:(Domain|NotificationChannel)$/.test(type));
    return Object.fromEntries(own.map(({ urn, id }) => [urn.split("::").at(-1), id]));
  }

  /** Moves the record of this resource to the end of the state. */
  async recordLast(name: string): Promise<void> {
    const { stdout } = await this.run("stack", "export");
    const state: { deployment: { resources: Recorded[] } } = JSON.parse(stdout);
    const isLast = ({ urn }: Recorded) => Number(urn.endsWith(`::${name}`));
    state.deployment.resources.sort((one, other) => isLast(one) - isLast(other));
    writeFileSync(path.join(this.workDir, "state.json"), JSON.stringify(state));
    await this.run("stack", "import", "--file", "state.json");
  }

  /** All files that the commands wrote. */
  written(): string {
    return this.cli.written();
  }
}
