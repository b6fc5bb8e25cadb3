/**
 * The commands' output for a service whose answers contain pipeline commands, and secrets in its
 * error reasons.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import {
  commandsIn,
  everywhere,
  type HostileService,
  leaksIn,
  startHostile,
  TEXTS,
  TOKEN,
} from "../support/hostile";
import { temporaryDirectory } from "../support/temporary";
import { accountOf, runInProcess, stackFile } from "./command";

const ID = "11111111-1111-4111-8111-111111111111";
let emulator: Emulator;
let service: HostileService;

beforeAll(async () => {
  const change = { oldValue: "A", newValue: "B" };
  const record = [{ host: "@", value: "text", ttl: 300 }];
  emulator = await startEmulator({
    token: TOKEN,
    lifecycle: "managed",
    domains: [
      {
        id: ID,
        domain: "example.com",
        whoisChanges: [change, { fieldChanged: "nameservers", oldValue: ["a"], newValue: ["b"] }],
        dnsChanges: [
          { oldValue: [], newValue: record },
          { fieldChanged: "txt_records", newValue: "text" },
        ],
        channels: [{ label: "On-call", isDisabled: true, disabledReason: "bounced" }],
      },
    ],
  });

  service = await startHostile(emulator);
});

afterAll(async () => {
  await service.close();
  await emulator.close();
});

const FILES = ["a.txt", "a.json", "a.md", "a.html", "a.prom", "a.xml"];
const stack = stackFile([{ id: ID, inputs: { domainId: ID, label: "On-call" } }]);

/** One domain and the whole account, in every format. */
const COMMANDS = [
  ["report", "--domain", ID],
  ["report", "--all", "--output", ...FILES],
  ["channels", "--domain", ID],
  ["channels", "--all", "--format", "json"],
  ["channels", "--all", "--format", "typescript"],
  ["channels", "--all", "--format", "import"],
  ["channels", "--all", "--from-stack", stack],
];

/** Runs a command. Returns what it has printed, and the files that it has written. */
async function textsOf(args: string[]): Promise<string[]> {
  const env = { ...accountOf(emulator), DOMAIN_MONITORING_BASE_URL: service.url };
  const cwd = temporaryDirectory();
  const { stdout, stderr } = await runInProcess(args, { env, cwd });
  expect(stdout + stderr).not.toBe("");

  const written = readdirSync(cwd).map((file) => readFileSync(path.join(cwd, file), "utf8"));

  return [stdout, stderr, ...written];
}

// Fields that hold a command at the same time: none of them keeps another from being shown.
test.each([
  ["id"],
  ["domain"],
  ["type"],
  ["field_changed"],
  ["created_at", "expires_at", "last_checked_at"],
  ["last_found_invalid_at", "last_considered_valid_at"],
  [
    ...["label", "description", "colour", "provider", "issuer", "organization"],
    ...["check_status", "latest_check_details", "type_human", "disabled_reason"],
    ...["old_value", "new_value", "field_changed_human", "change_summary", "diff", "identifier"],
  ],
  ["old_value_formatted", "new_value_formatted"],
])("no command to a pipeline is printed of the field %s", async (...fields) => {
  service.say(everywhere(TEXTS.commands, fields));
  for (const args of COMMANDS)
    for (const text of await textsOf(args)) expect(commandsIn(text)).toEqual([]);
});

test.each(["getDomain", "listDomains", "listWhoisChanges", "listNotificationChannels"] as const)(
  "no secret of a refusal of %s is printed",
  async (operation) => {
    service.say({});
    for (const status of [403, 500]) {
      emulator.clearFaults();
      emulator.fault({ operation, status, times: "always", body: { message: TEXTS.secrets } });
      for (const args of COMMANDS)
        for (const text of await textsOf(args)) expect(leaksIn(text)).toEqual([]);
    }
  },
);
