/**
 * The commands' output for a service whose answers contain pipeline commands, and secrets in its
 * error reasons.
 */
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

const stack = stackFile([{ id: ID, inputs: { domainId: ID, label: "On-call" } }]);

const COMMANDS = [
  ["report"],
  ["report", "--format", "json"],
  ["report", "--format", "markdown"],
  ["report", "--format", "html"],
  ["report", "--format", "prometheus"],
  ["report", "--format", "junit"],
  ["channels"],
  ["channels", "--format", "json"],
  ["channels", "--format", "typescript"],
  ["channels", "--format", "import"],
  ["channels", "--from-stack", stack],
];

/**
 * Fields that hold a command at the same time. A field that is needed to read a list is tested
 * alone.
 */
const GROUPS = [
  ["id"],
  ["domain"],
  ["type"],
  ["field_changed"],
  ["old_value", "new_value"],
  ["created_at", "expires_at", "last_checked_at"],
  ["last_found_invalid_at", "last_considered_valid_at"],
  ["label", "description", "colour", "provider", "issuer", "organization"],
  ["check_status", "latest_check_details"],
  ["type_human", "disabled_reason", "field_changed_human", "change_summary", "diff", "identifier"],
  ["old_value_formatted", "new_value_formatted"],
];

function run(args: string[], selected: string[]) {
  const env = { ...accountOf(emulator), DOMAIN_MONITORING_BASE_URL: service.url };
  return runInProcess([...args, ...selected], { env });
}

describe.each(COMMANDS.map((args) => [args.join(" ").replace(stack, "FILE"), args] as const))(
  "%s",
  (_name, args) => {
    test.each(GROUPS)("prints no command to a pipeline of the field %s", async (...fields) => {
      service.say(everywhere(TEXTS.commands, fields));
      for (const selected of [["--domain", ID], ["--all"]]) {
        const { stdout, stderr } = await run(args, selected);
        expect(stdout + stderr).not.toBe("");
        expect(commandsIn(stdout)).toEqual([]);
        expect(commandsIn(stderr)).toEqual([]);
      }
    });
  },
);

test.each(["getDomain", "listDomains", "listWhoisChanges", "listNotificationChannels"] as const)(
  "no secret of a refusal of %s is printed",
  async (operation) => {
    service.say({});
    for (const status of [403, 500])
      for (const args of COMMANDS) {
        emulator.clearFaults();
        emulator.fault({ operation, status, times: "always", body: { message: TEXTS.secrets } });
        const { stdout, stderr } = await run(args, ["--all"]);
        expect(leaksIn(stdout + stderr)).toEqual([]);
      }
  },
);
