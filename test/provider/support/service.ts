/** A service with all operations, and stacks on it, of which nobody is told a destination. */
import {
  type Emulator,
  type EmulatorOptions,
  type FaultRule,
  startEmulator,
} from "../../../packages/domain-monitoring-emulator/src";
import type { Properties } from "../../../src/provider/boundary";
import { domainProvider } from "../../../src/provider/domain";
import { failureOf } from "../../support/failure";
import { ChannelStack } from "./channel-stack";
import { EMAIL, emailChannel, WEBHOOK_URL } from "./channels";

export const OTHER_EMAIL = "rotated-secret@example.com";
export const rotated: Properties = { ...emailChannel, value: OTHER_EMAIL };
export const renamed: Properties = { ...emailChannel, label: "Registrar desk" };

/** A channel whose destinations could be words, and an answer that repeats them. */
export const pushoverChannel = {
  ...emailChannel,
  type: "pushover",
  value: "pushover-user-secret",
  secondaryValue: "pushover-device-secret",
};

export const errorWithDestinations: FaultRule = {
  status: 500,
  body: { message: `Not ${pushoverChannel.value} on ${pushoverChannel.secondaryValue}.` },
};

export const ERROR_WITHOUT_DESTINATIONS = "The service says: Not [redacted] on [redacted].";

/** Id of no channel. */
export const MISSING = "99999999-9999-4999-8999-999999999999";
export const always = { times: "always" } as const;

export const SETTING =
  /lifecycle "managed" \(.*stack config domain-monitoring:lifecycle\).*set it to "create-only"/;

export type Operation = "list" | "get" | "create" | "update" | "delete";

/** The service of the current test. */
export let service: Emulator;
let counted = 0;
const stacks: ChannelStack[] = [];

/** The type of the resources in the stacks of a file. */
let resource: "NotificationChannel" | "Domain";

/** Gives every test of a file a service whose state is its own. */
export function useService(of: typeof resource, options: EmulatorOptions = {}): void {
  let shared: Emulator;
  beforeAll(async () => {
    resource = of;
    shared = await startEmulator({ lifecycle: "managed", ...options });
  });

  afterAll(() => shared.close());
  beforeEach(() => {
    // Without back-off.
    jest.spyOn(Math, "random").mockReturnValue(0);
    shared.reset();
    service = shared;
    counted = 0;
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    if (service !== shared) await service.close();
    const messages = stacks.splice(0).flatMap((stack) => stack.messages);
    for (const secret of [EMAIL, OTHER_EMAIL, WEBHOOK_URL])
      expect(messages.join("\n")).not.toContain(secret);
  });
}

/** Starts another service for the current test. */
export async function startOther(options: EmulatorOptions): Promise<void> {
  service = await startEmulator(options);
  counted = 0;
}

export function stackOf(settings: Record<string, string> = {}): ChannelStack {
  const account = { baseUrl: service.url, apiToken: service.token };
  const providerOf = resource === "Domain" ? domainProvider : undefined;
  const given = { ...account, maxRetries: "0", lifecycle: "managed", ...settings };
  const stack = new ChannelStack(given, providerOf);
  stacks.push(stack);

  return stack;
}

/** A stack with one resource, whose requests are not counted. */
export async function deployed(
  declared: Properties = emailChannel,
  settings: Record<string, string> = {},
): Promise<ChannelStack> {
  const stack = stackOf(settings);
  await stack.up(declared);
  takeRequests();
  return stack;
}

/**
 * Operations of the requests since the last call. Of channels without the account's list, which a
 * process reads at most once: channel-ownership.test.ts counts it.
 */
export function takeRequests(): string[] {
  const isOfChannels = resource === "NotificationChannel";
  const requests = service.requests.filter(
    ({ operation }) => !isOfChannels || operation !== "listDomains",
  );

  const names = requests.map(({ operation, method }) =>
    operation === null ? method : operation.replace(new RegExp(`${resource}s?$`), ""),
  );

  const since = names.slice(counted);
  counted = names.length;

  return since;
}

export function fault(operation: Operation, rule: FaultRule): void {
  const name = `${operation}${resource}${operation === "list" ? "s" : ""}` as const;
  service.fault({ operation: name as FaultRule["operation"], ...rule });
}

/** The message of a failed call. */
export async function failure(call: Promise<unknown>): Promise<string> {
  return (await failureOf(call)).message;
}

/** The only message of a stack. */
export function onlyMessage({ messages }: ChannelStack): string {
  expect(messages).toHaveLength(1);
  return String(messages[0]);
}

/** The last message of each stack of the test. */
export function lastMessages(): (string | undefined)[] {
  return stacks.map(({ messages }) => messages.at(-1));
}
