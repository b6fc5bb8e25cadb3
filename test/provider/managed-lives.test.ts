/**
 * Any life of a managed channel: changes of the program, changes by hand, lost answers and
 * refreshes in any order. What holds after each step is counted at the service.
 */
import fc from "fast-check";
import type { FaultRule } from "../../packages/domain-monitoring-emulator/src";
import type { Properties } from "../../src/provider/boundary";
import type { ChannelStack } from "./support/channel-stack";
import { DOMAIN } from "./support/channels";
import { always, fault, type Operation, service, stackOf, useService } from "./support/service";

const DESTINATIONS: Record<string, string[]> = {
  email: ["one-secret@example.com", "two-secret@example.com"],
  webhook: ["https://hooks.example/one-secret", "https://hooks.example/two-secret"],
};

const SECRETS = Object.values(DESTINATIONS).flat();

const declared: fc.Arbitrary<Properties> = fc.constantFrom("email", "webhook").chain((type) =>
  fc.record({
    domainId: fc.constant(DOMAIN),
    label: fc.constantFrom("First", "Second", "Third"),
    type: fc.constant(type),
    value: fc.constantFrom(...(DESTINATIONS[type] ?? []), null),
    secondaryValue:
      type === "webhook" ? fc.constantFrom("POST", "PUT", undefined) : fc.constant(undefined),
    dnsNotificationsEnabled: fc.constantFrom(true, false, undefined),
    lifecycle: fc.constant("managed"),
  }),
);

const lost: fc.Arbitrary<FaultRule> = fc.constantFrom<FaultRule>(
  { reset: "before" },
  { reset: "after" },
  { reset: "body" },
  { garbage: true },
  { status: 503 },
  { status: 422 },
);

/** The next event. */
type Event =
  | { up: Properties; fault?: FaultRule; on: Operation }
  | { refresh: FaultRule | undefined }
  | { byHand: { label?: string; dnsNotificationsEnabled?: boolean; type?: string } }
  | { removedByHand: true }
  | { destroy: FaultRule | undefined };

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      up: declared,
      fault: fc.option(lost, { nil: undefined }),
      // A lost create leaves what nobody records: that is told, and counted elsewhere.
      on: fc.constantFrom<Operation[]>("update", "update", "get", "delete"),
    }),
  },
  { weight: 3, arbitrary: fc.record({ refresh: fc.option(lost, { nil: undefined }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      byHand: fc.record(
        {
          label: fc.constantFrom("First", "By hand"),
          dnsNotificationsEnabled: fc.boolean(),
          type: fc.constantFrom("email", "slack"),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Event>({ removedByHand: true }) },
  { weight: 1, arbitrary: fc.record({ destroy: fc.option(lost, { nil: undefined }) }) },
);

const bystander = {
  label: "First",
  type: "email",
  value: "bystander@example.com",
};

useService("NotificationChannel");

/** Ids of the channels that the stack knows. */
function known({ recorded, pending }: ChannelStack): string[] {
  return [...pending, ...(recorded ? [recorded] : [])].map(({ id }) => id);
}

/** Carries an event out. A failure is part of the life. */
async function happen(stack: ChannelStack, next: Event): Promise<void> {
  const id = stack.recorded?.id;
  const exists = service.channels().some((channel) => channel.id === id);
  if ("byHand" in next) return exists ? service.updateChannel(String(id), next.byHand) : undefined;
  if ("removedByHand" in next) return exists ? service.removeChannel(String(id)) : undefined;

  const inject = (operation: Operation, rule: FaultRule | undefined) =>
    rule && fault(operation, { ...always, ...rule });

  if ("up" in next) inject(next.on, next.fault);
  if ("refresh" in next) inject("get", next.refresh);
  if ("destroy" in next) inject("delete", next.destroy);
  const run = () => {
    if ("up" in next) return stack.up(next.up);
    return "refresh" in next ? stack.refresh() : stack.destroy();
  };

  await run().catch((error: unknown) => expect(error).toBeInstanceOf(Error));
  service.clearFaults();
}

describe("any life of a managed channel", () => {
  test("has one channel at most, and ends as declared", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 12 }),
        declared,
        async (events, last) => {
          service.reset();
          const beside = service.addChannel(DOMAIN, bystander);
          const stack = stackOf({ lifecycle: "" });
          for (const next of events) {
            await happen(stack, next);
            // Nothing is there that the stack does not know, and nobody else's channel was touched.
            const others = service.channels().filter(({ id }) => id !== beside);
            for (const { id } of others) expect(known(stack)).toContain(id);
            expect(service.channels()).toContainEqual(
              expect.objectContaining({ id: beside, ...bystander }),
            );
          }

          await stack.refresh();
          await stack.up(last);
          const { id, outputs } = stack.recorded ?? {};
          const [channel, ...more] = service.channels().filter((each) => each.id !== beside);

          expect({
            more,
            pending: stack.pending,
            id,
          }).toEqual({
            more: [],
            pending: [],
            id: channel?.id,
          });

          const { lifecycle: _own, ...wanted } = last;

          expect(channel).toMatchObject({
            ...wanted,
            // Another one, that somebody set by hand, replaces nothing.
            type: outputs?.reportedType ?? last.type,
            secondaryValue: last.secondaryValue ?? null,
            dnsNotificationsEnabled: last.dnsNotificationsEnabled ?? true,
          });

          expect(outputs).not.toHaveProperty("unconfirmed");
          expect(await stack.preview(last)).toMatchObject({ changes: false, replaces: [] });

          await stack.destroy();

          expect(service.channels().map((each) => each.id)).toEqual([beside]);

          for (const secret of SECRETS) expect(stack.messages.join("\n")).not.toContain(secret);
        },
      ),
      { numRuns: 60 },
    );
  });
});
