/** `channels`: its forms, the file that it writes, and domains that cannot be read. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type ChannelSeed, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { pageAt } from "../docs/support/markdown";
import { useEmulator } from "../support/emulator";
import { GUIDE_CHANNELS, GUIDE_DOMAIN } from "../support/hand-made";
import { until } from "../support/run";
import { temporaryDirectory } from "../support/temporary";
import { accountOf, runInProcess, stackFile } from "./command";

const COM = "11111111-1111-4111-8111-111111111111";
const ORG = "22222222-2222-4222-8222-222222222222";
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

const SEEDED: ChannelSeed[] = [
  { id: idOf(1), label: "Account owner", isProtected: true, createdAt: "2026-01-01 00:00:00" },
  { id: idOf(2), label: "On-call", type: "slack", value: "https://hooks.slack.com/kept-secret" },
  {
    id: idOf(3),
    label: "Mute \u001b[31m\u202eodd\nlabel",
    type: "sms",
    whoisNotificationsEnabled: false,
    dnsNotificationsEnabled: false,
    sslNotificationsEnabled: false,
    isDisabled: true,
    disabledReason: "410\nGone",
  },
];

const domains = [
  { id: COM, domain: "example.com", channels: SEEDED },
  { id: ORG, domain: "example.org" },
];
const service = useEmulator({ lifecycle: "managed", now: "2026-02-01", domains });

/** The command's end where it must not replace a file. */
const refused = (file: string) => ({
  code: 1,
  stdout: "",
  stderr: `error: ${file} exists already and may have been edited: pass another file to --output\n`,
});

const run = (args: string[], of = service) =>
  runInProcess(["channels", ...args], { env: accountOf(of) });

it("prints a table in which no text of the service can control the terminal", async () => {
  expect(await run(["--domain", COM, ORG])).toEqual({
    code: 0,
    stderr: "",
    stdout: `3 channels of 2 domains

DOMAIN       ID                                    TYPE   LABEL           NOTIFIES OF    STATE      CREATED
example.com  ${idOf(1)}  email  Account owner   WHOIS DNS SSL  protected  2026-01-01 00:00:00
example.com  ${idOf(2)}  slack  On-call         WHOIS DNS SSL             2026-02-01 00:00:00
example.com  ${idOf(3)}  sms    Mute odd label  nothing        disabled   2026-02-01 00:00:00

Disabled by the service
  ${idOf(3)}: 410 Gone

Without channels
  example.org
`,
  });
});

it("prints JSON without texts that change by themselves, and without any destination", async () => {
  const { code, stdout, stderr } = await run(["--domain", ORG, COM, "--format", "json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });

  const [org, com] = JSON.parse(stdout).domains;
  expect(org).toEqual({ id: ORG, domain: "example.org", channels: [], failure: null });
  expect(com.channels.map(({ id }: { id: string }) => id)).toEqual([idOf(1), idOf(2), idOf(3)]);
  expect(com.channels[1]).toEqual({
    id: idOf(2),
    label: "On-call",
    type: "slack",
    typeHuman: "Slack",
    whoisNotificationsEnabled: true,
    dnsNotificationsEnabled: true,
    sslNotificationsEnabled: true,
    isProtected: false,
    isDisabled: false,
    disabledReason: null,
    lastNotificationSentAt: null,
    createdAt: "2026-02-01 00:00:00",
    recorded: null,
  });
  expect(com.channels[2].label).toBe(SEEDED[2]?.label);

  // The label is escaped, because JSON is often read in a terminal.
  for (const character of ["\u001b", "\u202e"]) expect(stdout).not.toContain(character);
  expect(stdout).not.toContain("kept-secret");
});

it("writes a program to standard output, and to a file only if there is none", async () => {
  const args = ["--domain", COM, "--format", "typescript"];
  const printed = await run(args);

  expect(printed).toMatchObject({ code: 0, stderr: "" });
  expect(printed.stdout).toMatch(/^\/\/ Adopts 1 channel instead of creating it\.\n.*\n}\);\n/s);

  const file = path.join(temporaryDirectory(), "index.ts");
  expect(await run([...args, "--output", file])).toEqual({
    code: 0,
    stderr: "",
    stdout: `3 channels of 1 domain; written to ${file}\n`,
  });
  expect(readFileSync(file, "utf8")).toBe(printed.stdout);

  writeFileSync(file, "edited");
  const asked = service.requests.length;
  expect(await run([...args, "--output", file])).toEqual(refused(file));
  expect(readFileSync(file, "utf8")).toBe("edited");
  expect(service.requests).toHaveLength(asked);
  // A table overwrites an existing file.
  expect((await run(["--domain", COM, "--output", file])).code).toBe(0);
  expect(readFileSync(file, "utf8")).toMatch(/^3 channels of 1 domain\n/);
});

it("does not replace a file that was created while the service was asked", async () => {
  service.fault({ operation: "listNotificationChannels", delayMs: 300 });
  const file = path.join(temporaryDirectory(), "index.ts");
  const running = run(["--domain", COM, "--format", "typescript", "--output", file]);
  await until(() => service.requests.length > 0);
  writeFileSync(file, "edited");

  expect(await running).toEqual(refused(file));
  expect(readFileSync(file, "utf8")).toBe("edited");
});

it("marks channels that the stack has recorded", async () => {
  const stack = stackFile([{ id: idOf(2), inputs: { domainId: COM } }]);
  const args = ["--domain", ORG, "--from-stack", stack, "--format"];

  const { stdout } = await run([...args, "json"]);
  const [org, com] = JSON.parse(stdout).domains;
  expect(org.id).toBe(ORG);
  expect(com.id).toBe(COM);
  const recorded = com.channels.map((channel: { recorded: boolean }) => channel.recorded);
  expect(recorded).toEqual([false, true, false]);

  const table = await run([...args, "table"]);
  expect(table.stdout).toMatch(
    /^3 channels of 2 domains, 1 recorded in a stack\n.* On-call .* recorded /s,
  );

  const program = await run([...args, "typescript"]);
  expect(program.stdout).toContain("the stack has recorded it already");
});

it.each([403, 404, 405])("says in one line that a service has no list (%i)", async (status) => {
  service.fault({ operation: "listNotificationChannels", status, times: "always" });
  const line = `^error: the list of channels is refused, although the domain was found: GET .*: got ${status}, .*\n$`;
  const stderr = expect.stringMatching(line);
  expect(await run(["--all"])).toEqual({ code: 1, stdout: "", stderr });

  const lists = service.requests.filter(({ path }) => path.includes("notification-channels"));
  expect(lists).toHaveLength(1);
});

it("writes no incomplete program to a file when a list of channels fails", async () => {
  const directory = temporaryDirectory();
  const file = path.join(directory, "index.ts");
  const args = ["--domain", COM, ORG, "--format", "typescript", "--output", file];
  service.fault({ operation: "listNotificationChannels", status: 500, times: 1 });
  const { code, stdout, stderr } = await run(args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr.split("\n")).toEqual([
    expect.stringMatching(/^error: example\.com: .*: got 500/),
    `error: ${file} was not written, because 1 domain could not be listed: pass the others with --domain, or leave out --output to see the rest`,
    "",
  ]);
  expect(readdirSync(directory)).toEqual([]);
  expect(await run(args)).toMatchObject({ code: 0, stderr: "" });
  expect(readFileSync(file, "utf8")).toContain("new NotificationChannel(");
});

it.each([
  [["--domain", COM, "--format", "markdown"], "choices are table, json, typescript, import."],
  [["--domain", COM, "--from-stack", ""], "A path must not be empty."],
  [["--domain", COM, "--from-stack", "--all"], "--from-stack needs a file, and this looks like"],
  [["--from-stack", "no\n\u001b[31mfile"], "error: no file could not be read (ENOENT): "],
])("rejects %j in one line and exits with 1", async (args, message) => {
  const { code, stdout, stderr } = await run(args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^error: .*\n$/);
  expect(stderr).toContain(message);
});

it("prints the table and a channel of the program as the guide shows them", async () => {
  const domain = { id: GUIDE_DOMAIN, domain: "example.com", channels: GUIDE_CHANNELS };
  await using guided = await startEmulator({ lifecycle: "managed", domains: [domain] });
  const { blocks } = pageAt("docs/import-and-adopt.md");
  const [program = ""] = blocks.flatMap(({ language, code }) => (language === "ts" ? code : []));
  const list = await run(["--domain", GUIDE_DOMAIN], guided);
  const written = await run(["--domain", GUIDE_DOMAIN, "--format", "typescript"], guided);

  expect(blocks.map(({ code }) => code)).toContain(list.stdout);

  // The guide has one of the three channels.
  for (const part of program.trim().split("\n\n")) expect(written.stdout).toContain(part);
});
