/**
 * Twenty channels that somebody made by hand become part of a stack, by the program that `pulumi-domain-monitoring channels` writes.
 * What is done is counted on the service's side: nothing is created there, and nothing deleted.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { transformSync } from "@swc/core";
import { listChannels } from "../../src/cli/channels/list";
import { renderProgram } from "../../src/cli/channels/program";
import { DomainMonitoringClient } from "../../src/client";
import { type ChannelSeed, type Emulator, startEmulator } from "../../src/testing/emulator";
import { pageAt } from "../docs/support/markdown";
import {
  createOffline,
  type EngineStack,
  messagesOf,
  type Outcome,
  realEngineAvailable,
} from "../support/engines";
import { Projects } from "../support/project";
import { temporaryDirectory } from "../support/temporary";
import { readerEnvironment, type Step, stepsOf, walk } from "../support/walk";

const COM = "11111111-1111-4111-8111-111111111111";
const ORG = "22222222-2222-4222-8222-222222222222";
const idOf = (number: number) => `${String(number).padStart(8, "0")}-0000-4000-8000-000000000000`;
const types = ["email", "slack", "webhook", "pushover", "discord"] as const;

/** Of every type, some with the same label, some muted, one disabled. */
function handMade(number: number): ChannelSeed {
  const type = types[number % types.length] ?? "email";
  return {
    id: idOf(number),
    label: number < 10 ? `Team "${number}"` : "Büro",
    type,
    value: destination(type, `by-hand-${number}`),
    secondaryValue: type === "webhook" ? "PUT" : null,
    dnsNotificationsEnabled: number % 3 > 0,
    isDisabled: number === 7,
    disabledReason: number === 7 ? "Bounced" : null,
    createdAt: `2025-01-${String(number + 1).padStart(2, "0")} 00:00:00`,
  };
}

/** What a channel of that type accepts. */
function destination(type: string, word: string): string {
  if (type === "email") return `${word}@example.com`;
  return type === "pushover" ? word : `https://hooks.example.com/${word}`;
}

/** The keys that the program reads, from the commands at its top, with a new destination for each. */
function destinationsFor(program: string): Record<string, string> {
  const commands = [...program.matchAll(/^\/\/ {3}pulumi config set --secret (\S+)$/gm)];
  return Object.fromEntries(
    commands.map(([, key = ""]) => {
      const type = types.find((one) => key.includes(`-${one}`)) ?? "";
      return [key, destination(type, `kept-secret-${key}`)];
    }),
  );
}

let service: Emulator;
afterEach(() => service.close());

/** Their destinations are these, and nobody has created or deleted any. */
function expectOnlySet(destinations: string[]): void {
  const channels = service.channels().sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(channels.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, number) => idOf(number)));
  expect(channels.map(({ value }) => value).sort()).toEqual(destinations.sort());
  expect(service.requests.filter(({ method }) => method === "POST" || method === "DELETE")).toEqual([]);
}

describe("twenty channels made by hand, on the offline engine", () => {
  const projects = new Projects();
  let stack: EngineStack | undefined;
  afterEach(() => stack?.close());

  /** The program that the command writes now. */
  async function written(recorded?: Set<string>): Promise<string> {
    const client = new DomainMonitoringClient({ baseUrl: service.url, apiToken: service.token });
    const lists = [COM, ORG].map(async (id) =>
      listChannels(id, { value: await client.domains.get(id) }, { client, concurrency: 8 }, recorded),
    );
    const domains = await Promise.all(lists).finally(() => client.close());
    return renderProgram({ version: 1, domains, findings: null, notes: [] });
  }

  /** An operation that asks the service nothing. */
  async function offline(operation: () => Promise<Outcome>): Promise<Outcome> {
    const before = service.requests.length;
    const outcome = await operation();
    expect(service.requests.slice(before)).toEqual([]);
    return outcome;
  }

  it("are taken over without a create, stay the same, keep a destination that nobody has, and are let go of without a delete", async () => {
    const seeds = Array.from({ length: 20 }, (_, number) => handMade(number));
    service = await startEmulator({
      lifecycle: "managed",
      domains: [
        { id: COM, domain: "example.com", channels: seeds.slice(0, 15) },
        { id: ORG, domain: "example.org", channels: seeds.slice(15) },
      ],
    });
    // Nobody has the first one's destination any more.
    let program = (await written()).replace(/config\.requireSecret\(.*\)/, "null");
    const secrets = destinationsFor(program);
    expect(Object.keys(secrets)).toHaveLength(20);
    const directory = projects.add("index.js", {});
    let runs = 0;
    stack = await createOffline({
      // A file for each run, as a module runs once.
      program: () => {
        const file = path.join(directory, `run-${++runs}.js`);
        const jsc = { parser: { syntax: "typescript" }, target: "es2022" } as const;
        writeFileSync(file, transformSync(program, { jsc, module: { type: "commonjs" } }).code);
        require(file);
      },
      config: { "domain-monitoring:baseUrl": service.url },
      secrets: { "domain-monitoring:apiToken": service.token, ...secrets },
      keepsSecret: seeds.map(({ value }) => String(value)),
    });
    const { preview, up, refresh, destroy, state } = stack;

    const previewed = await offline(preview);
    expect(previewed).toMatchObject({ failed: false, changes: { create: 20 } });
    expect(
      messagesOf(previewed).filter((message) => message.includes("is taken over: no channel is created")),
    ).toHaveLength(20);

    // Protected since it was listed: it fails, and what was taken over is kept.
    service.updateChannel(idOf(19), { isProtected: true });
    const failed = await up();
    expect(failed.failed).toBe(true);
    expect(messagesOf(failed).join("\n")).toMatch(
      new RegExp(`id ${idOf(19)}\\) is not taken over: the service protects it`),
    );
    service.updateChannel(idOf(19), { isProtected: false });
    const adopted = await up();
    expect(adopted.failed).toBe(false);
    expect((await state()).map(({ id }) => id).sort()).toEqual(seeds.map(({ id }) => id));
    // What is declared is set, and nothing else.
    const set = [String(seeds[0]?.value), ...Object.values(secrets).slice(1)];
    expectOnlySet(set);
    expect(service.channels()).toMatchObject(
      seeds.map(({ value: _set, isDisabled: _mended, disabledReason: _gone, ...declared }) => declared),
    );

    expect(await refresh()).toMatchObject({ changes: { same: 20 } });
    const again = await written(new Set((await state()).map(({ id }) => String(id))));
    expect(again).toMatch(/^\/\/ There is no channel to take over\.$/m);

    program = program.replace(/^ {2}adopt: .*\n/gm, "");
    expect(program).not.toContain("adopt:");
    program = program.replaceAll('lifecycle: "managed"', 'lifecycle: "create-only"');
    expect(await offline(up)).toMatchObject({ failed: false, changes: { update: 20 } });
    expect(await offline(destroy)).toMatchObject({ failed: false, changes: { delete: 20 } });
    expectOnlySet(set);
  });
});

(realEngineAvailable ? describe : describe.skip)("twenty channels made by hand, on the real engine", () => {
  it("are taken over by the guide, word for word, without a create", async () => {
    const directory = temporaryDirectory();
    const project = path.join(directory, "project");
    mkdirSync(project);
    const channels = Array.from({ length: 20 }, (_, number) => handMade(number));
    service = await startEmulator({
      lifecycle: "managed",
      domains: [{ id: COM, domain: "example.com", channels }],
    });
    // That such a program compiles is known from the guide's: test/docs/typescript-blocks.test.ts.
    const env = {
      ...readerEnvironment(path.join(directory, "engine")),
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    };
    let secrets: Record<string, string> = {};
    let transcript = "";
    const take = async (step: Step) => {
      transcript += await walk([step], { directory: project, env, secrets, service });
    };
    const [guide = ""] = pageAt("docs/import-and-adopt.md").text.split("### Rehearse it");
    for (const step of stepsOf(guide)) {
      // Its program is for other channels: here the command writes it, with the commands that set its secrets.
      const command = step.file === undefined ? step.command : "";
      if (step.file === "index.ts" || command.startsWith("pulumi config set --secret example-com-")) continue;
      if (command === "pulumi preview") {
        secrets = destinationsFor(readFileSync(path.join(project, "index.ts"), "utf8"));
        const [first, ...others] = Object.entries(secrets);
        await take({ command: `pulumi config set --secret ${first?.[0]}` });
        // The others at once, which a person would not do: the shell keeps them.
        const pairs = others.map(([key, value]) => `--secret ${key}=${value}`);
        await take({ command: `pulumi config set-all ${pairs.join(" ")}` });
      }
      await take(step);
    }
    expect(Object.keys(secrets)).toHaveLength(20);
    expect(transcript).toContain("20 channels of 1 domain; written to index.ts");
    expect(transcript).toMatch(/ 2[01] to create\n/);
    expect(transcript.match(/is taken over: no channel is created/g)?.length).toBeGreaterThanOrEqual(20);
    expect(transcript).toContain("20 channels of 1 domain, 20 recorded in a stack");
    const rest = readFileSync(path.join(project, "more.ts"), "utf8");
    expect(rest).toContain("// There is no channel to take over.");
    expectOnlySet(Object.values(secrets));
    for (const secret of [service.token, ...Object.values(secrets)]) expect(transcript).not.toContain(secret);
  });
});
