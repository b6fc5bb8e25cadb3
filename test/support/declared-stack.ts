/**
 * A stack on the real engine whose program is a list of resources: a test changes the list between
 * commands. The same list is a program of the npm package or of the plugin.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { CustomResourceOptions } from "@pulumi/pulumi";
import type { Emulator } from "../../packages/domain-monitoring-emulator/src";
import { PLUGIN_DIRECTORY } from "../plugin/support/plugin-process";
import { Cli } from "./cli";
import { Projects } from "./project";
import type { Finished } from "./run";

export const FORMS = ["npm package", "plugin"] as const;
export type Form = (typeof FORMS)[number];

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
  ) {}

  static async open(form: Form, service: Emulator): Promise<DeclaredStack> {
    const files = { "index.js": PROGRAMS[form], "declared.json": "[]" };
    const plugin = form === "plugin" ? PLUGIN_DIRECTORY : undefined;
    const workDir = new Projects().add("index.js", files, plugin);
    const cli = new Cli(workDir, { DOMAIN_MONITORING_MAX_RETRIES: "0" });
    const stack = new DeclaredStack(form, workDir, cli);
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

  /** Runs `pulumi up` without a preview of its own. */
  up(...args: string[]): Promise<Finished> {
    return this.run("up", "--yes", "--skip-preview", ...args);
  }

  /** Declares this program, and updates to it. @throws Error if the update fails */
  async deploy(...resources: Declared[]): Promise<void> {
    this.declare(...resources);
    const { code, output } = await this.up();
    if (code !== 0) throw new Error(output);
  }

  urn(name: string, type: Declared["type"] = "NotificationChannel"): string {
    return `urn:pulumi:test::test::${TYPES[this.form]}:${type}::${name}`;
  }

  /** The type of a resource as commands take it. */
  token(type: Declared["type"] = "NotificationChannel"): string {
    return `${TYPES[this.form]}:${type}`;
  }

  /** The ids of the channels and domains in the state, by name. */
  async recorded(): Promise<Record<string, string | undefined>> {
    const { stdout } = await this.run("stack", "export");
    const { resources = [] }: { resources?: Recorded[] } = JSON.parse(stdout).deployment;
    const own = resources.filter(({ type }) => /:(Domain|NotificationChannel)$/.test(type));

    return Object.fromEntries(own.map(({ urn, id }) => [urn.split("::").at(-1), id]));
  }

  /** All files that the commands wrote. */
  written(): string {
    return this.cli.written();
  }

  close(): void {
    this.cli.close();
  }
}
