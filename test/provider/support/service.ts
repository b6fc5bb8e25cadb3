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
import { ChannelStack, type Recorded } from "./channel-stack";
import { emailChannel, expectNoSecret, TOKEN } from "./channels";

export const OTHER_EMAIL = "rotated-secret@example.com";
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

export const always = { times: "always" } as const;

export const SETTING =
  /lifecycle "managed" \(.*stack config domain-monitoring:lifecycle\).*set it to "create-only"/;

export type Operation = "list" | "get" | "create" | "update" | "delete";
type Resource = "NotificationChannel" | "Domain";

/** The service of the current test. */
export let service: Emulator;

/** The type of the resources in the stacks of the current test. */
let resource: Resource;
let counted = 0;
const stacks: ChannelStack[] = [];

/** Gives every test of a file or a `describe` a service whose state is its own. */
export function useService(of: Resource, options: EmulatorOptions = {}): void {
  let shared: Emulator;
  beforeAll(async () => {
    shared = await startEmulator({ token: TOKEN, lifecycle: "managed", ...options });
  });

  afterAll(() => shared.close());
  beforeEach(() => {
    // Without back-off.
    jest.spyOn(Math, "random").mockReturnValue(0);
    shared.reset();
    service = shared;
    resource = of;
    counted = 0;
  });

  afterEach(() => {
    jest.restoreAllMocks();
    for (const { messages } of stacks.splice(0)) expectNoSecret(messages.join("\n"));
  });
}

/** A stack on the service, whose channels are managed. */
export function stackOf(settings: Record<string, string> = {}): ChannelStack {
  const account = { baseUrl: service.url, apiToken: service.token };
  const providerOf = resource === "Domain" ? domainProvider : undefined;
  const given = { ...account, maxRetries: "0", lifecycle: "managed", ...settings };
  const stack = new ChannelStack(given, providerOf);
  stacks.push(stack);
  return stack;
}

/** A stack with one resource, recorded until a destroy, whose requests are not counted. */
export async function deployed(declared = emailChannel, settings: Record<string, string> = {}) {
  const stack = stackOf(settings);
  await stack.up(declared);
  takeRequests();
  return stack as ChannelStack & { recorded: Recorded };
}

/** Operations of the requests since the last call, by their verbs. */
export function takeRequests(): string[] {
  const names = service.requests.map(({ operation, method }) =>
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

/** The message of a failed call, which shows no secret. */
export async function failure(call: Promise<unknown>): Promise<string> {
  const { message } = await failureOf(call);
  expectNoSecret(message);
  return message;
}

export function onlyMessage({ messages }: ChannelStack): string {
  expect(messages).toHaveLength(1);
  return String(messages[0]);
}
