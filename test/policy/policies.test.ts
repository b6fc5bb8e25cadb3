import {
  type PolicyResource,
  type ResourceValidationPolicy,
  type StackValidationPolicy,
  unknownCheckingProxy,
} from "@pulumi/policy";
import * as fc from "fast-check";
import { DomainMonitoringError, NotificationChannel } from "../../src";
import { CHANNEL_TYPES, type ChannelType } from "../../src/client/types";
import {
  forbidChannelTypes,
  forbidSilentChannels,
  requireChannelLabel,
  requireChannelTypes,
  requireManagedChannels,
  requireRecordedExpiry,
} from "../../src/policy";
import { DomainAlerts } from "../../src/program/domain-alerts";
import { failureOf } from "../support/failure";

let made = 0;

/** Options with a name of their own, as all policies of this file are in one process. */
const named = <Options extends object>(options: Options) => ({
  name: `policy-${++made}`,
  ...options,
});

/** The marker of a value that a preview does not know. */
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const now = new Date("2026-03-10T23:59:59Z");

const opts = {
  protect: false,
  ignoreChanges: [],
  aliases: [],
  customTimeouts: { createSeconds: 0, updateSeconds: 0, deleteSeconds: 0 },
  additionalSecretOutputs: [],
};

/** A resource as policies see it: reading an unknown property throws. */
function resource(type: string, props: Record<string, unknown>, name: string, stack = "prod") {
  const urn = `urn:pulumi:${stack}::project::${type}::${name}`;
  const seen: Record<string, unknown> = unknownCheckingProxy(props);

  return {
    name,
    type,
    urn,
    props: seen,
    opts,
    isType: () => false,
    asType: () => undefined,
  };
}

const CHANNEL = NotificationChannel.__pulumiType;

const channel = (props: Record<string, unknown> = {}, name = "ops", stack = "prod") =>
  resource(
    CHANNEL,
    { domainId: "domain-1", label: "Ops", type: "slack", value: "x", ...props },
    name,
    stack,
  );

const alerts = (props: Record<string, unknown>, name = "website", stack = "prod") =>
  resource(DomainAlerts.__pulumiType, { domainId: "domain-1", ...props }, name, stack);

const outputs = (props: Record<string, unknown>) =>
  resource("pulumi:pulumi:Stack", props, "project-prod");

const others = {
  stackTags: new Map<string, string>(),
  notApplicable: (): never => {
    throw new Error("not applicable");
  },
};

type Policy = ResourceValidationPolicy | StackValidationPolicy;
type Seen = ReturnType<typeof resource>;

/**
 * The reports of a policy on a stack, each as `resource: message`.
 * @param config the part of the pack's config that is this policy's
 */
async function reported(policy: Policy, given: Seen[], config: object = {}): Promise<string[]> {
  const surroundings = { ...others, getConfig: <T extends object>() => config as T };
  const messages: string[] = [];
  if ("validateStack" in policy) {
    const rest = { dependencies: [], propertyDependencies: {} };
    const resources: PolicyResource[] = given.map((one) => ({ ...one, ...rest }));
    await policy.validateStack({ ...surroundings, resources }, (message, urn) =>
      messages.push(`${urn?.split("::").at(-1) ?? "stack"}: ${message}`),
    );

    return messages;
  }

  for (const one of given)
    for (const validate of [policy.validateResource ?? []].flat())
      await validate({ ...surroundings, ...one }, (message) =>
        messages.push(`${one.name}: ${message}`),
      );

  return messages;
}

describe("required channel types", () => {
  const both = requireChannelTypes(named({ types: ["slack", "email"] }));
  const desk = channel({ type: "email" }, "desk");
  const ninth = requireChannelTypes(
    named({ types: ["slack"], domainIds: ["domain-9"], advice: "ask operations" }),
  );

  it.each<[string, StackValidationPolicy, Seen[], string[]]>([
    ["not missing where a domain has them all", both, [channel(), desk], []],
    [
      "missing for each domain separately, at its component if it has one",
      both,
      [
        channel({ type: "webhook" }, "website-hook"),
        alerts({}),
        channel({ domainId: "domain-2" }, "second"),
        resource("aws:s3:Bucket", { domainId: "domain-3" }, "bucket"),
      ],
      [
        'website: the domain of "website" has no channel of type slack: declare one for it in this stack',
        'website: the domain of "website" has no channel of type email: declare one for it in this stack',
        'second: the domain of "second" has no channel of type email: declare one for it in this stack',
      ],
    ],
    [
      "missing for a required domain id for which the stack declares nothing",
      ninth,
      [],
      ["stack: domain domain-9 has no channel of type slack: ask operations"],
    ],
    [
      "not missing for a required domain id with a channel",
      ninth,
      [channel({ domainId: "domain-9" })],
      [],
    ],
    [
      "perhaps met by a channel of an unknown type",
      both,
      [channel(), channel({ type: unknown }, "later")],
      [],
    ],
    [
      "perhaps met by a channel of an unknown domain",
      both,
      [channel(), channel({ domainId: unknown, type: "email" }, "later")],
      [],
    ],
    [
      "missing where the channel of an unknown domain has another type",
      both,
      [channel(), channel({ domainId: unknown }, "later")],
      ['ops: the domain of "ops" has no channel of type email: declare one for it in this stack'],
    ],
  ])("are %s", async (_title, policy, given, messages) => {
    expect(await reported(policy, given)).toEqual(messages);
  });

  it("apply only to the selected stacks", async () => {
    const production = requireChannelTypes(named({ types: ["email"], stacks: ["live", /^prod/] }));
    const counts = ["prod", "production", "live", "lively", "dev"].map(
      async (stack) => (await reported(production, [channel({}, "ops", stack)])).length,
    );

    expect(await Promise.all(counts)).toEqual([1, 1, 1, 0, 0]);
  });
});

describe("a policy on single channels", () => {
  const forbidden = forbidChannelTypes(named({ types: ["email", "webhook", "pushover"] }));
  const label = requireChannelLabel(named({ pattern: /^[A-Z]\w+ \[\d+\]$/ }));
  const managed = requireManagedChannels(named({}));
  const createOnly =
    'channel "ops" is create-only, so replacing or removing it leaves it in the service: ' +
    'run `pulumi config set domain-monitoring:lifecycle managed`, or declare lifecycle "managed" for it';

  it.each<[string, ResourceValidationPolicy, Record<string, unknown>, string | undefined]>([
    [
      "a forbidden type with stack and allowed types",
      forbidden,
      { type: "email" },
      'channel "ops" is of type email, which stack prod may not have: use discord or slack or ms_teams',
    ],
    ["no other type", forbidden, { type: "slack" }, undefined],
    [
      "a type without alternatives if all are forbidden",
      forbidChannelTypes(named({ types: CHANNEL_TYPES })),
      {},
      'channel "ops" is of type slack, which stack prod may not have: remove it from this stack',
    ],
    ["no label that matches", label, { label: "Ops [1]" }, undefined],
    [
      "the pattern instead of a label that does not match",
      label,
      { label: "label-to-keep-secret" },
      'the label of channel "ops" does not match /^[A-Z]\\w+ \\[\\d+\\]$/: give it one that does, before it is created: a create-only channel cannot be renamed',
    ],
    ["no missing label", label, { label: undefined }, undefined],
    ["no managed channel", managed, { lifecycle: "managed" }, undefined],
    ["a create-only channel", managed, { lifecycle: "create-only" }, createOnly],
    ["a channel without a lifecycle", managed, {}, createOnly],
  ])("reports %s", async (_title, policy, props, message) => {
    expect(await reported(policy, [channel(props)])).toEqual(message ? [`ops: ${message}`] : []);
  });

  it("gives the same result every time, whatever the flags of a pattern", async () => {
    for (const flags of ["", "g", "y", "gi"]) {
      const policy = requireChannelLabel(named({ pattern: new RegExp("Ops", flags) }));
      expect(await reported(policy, [channel(), channel(), channel()])).toEqual([]);
    }
  });

  it("reports notifications only if all three are off", async () => {
    const names = [
      "whoisNotificationsEnabled",
      "dnsNotificationsEnabled",
      "sslNotificationsEnabled",
    ] as const;

    const flag = fc.constantFrom(true, false, null, undefined, unknown);
    const policy = forbidSilentChannels(named({}));
    const message =
      'ops: channel "ops" has its WHOIS, DNS and SSL notifications off, so it never notifies anyone: switch one of them on, or remove the channel';

    await fc.assert(
      fc.asyncProperty(fc.tuple(flag, flag, flag), async (flags) => {
        const props = Object.fromEntries(names.map((name, index) => [name, flags[index]]));
        const isSilent = flags.every((value) => value === false);

        expect(await reported(policy, [channel(props)])).toEqual(isSilent ? [message] : []);
      }),
    );
  });
});

const silent = {
  whoisNotificationsEnabled: false,
  dnsNotificationsEnabled: false,
  sslNotificationsEnabled: false,
};

describe("every policy on channels", () => {
  const options = { stacks: /^prod/, advice: "ask the platform team" };
  const given = (type: string, stack: string) =>
    resource(type, { domainId: "domain-1", label: "Ops", type: "slack", ...silent }, "ops", stack);

  it.each([
    forbidChannelTypes(named({ types: ["slack"], ...options })),
    forbidSilentChannels(named(options)),
    requireChannelLabel(named({ pattern: /^x/, ...options })),
    requireManagedChannels(named(options)),
    requireChannelTypes(named({ types: ["email"], ...options })),
  ])(
    "applies to both providers' channels in its stacks, with the given advice: $name",
    async (policy) => {
      for (const type of [CHANNEL, "domain-monitoring:index:NotificationChannel"]) {
        expect(await reported(policy, [given(type, "prod")])).toEqual([
          expect.stringMatching(/^ops: .*: ask the platform team$/),
        ]);

        expect(await reported(policy, [given(type, "dev")])).toEqual([]);
      }

      expect(await reported(policy, [given("a:b:C", "prod")])).toEqual([]);
    },
  );
});

/** A policy on dates, with these options too. */
const dated = (options: object = {}) =>
  requireRecordedExpiry(named({ minimumDays: 30, now, ...options }));

describe("a recorded expiry", () => {
  it.each([
    ["2026-04-09", undefined],
    [
      "2026-04-08",
      'the domain of "website" expires on 2026-04-08, 29 days left, 30 required: renew it',
    ],
    [
      "2026-03-10",
      'the domain of "website" expires on 2026-03-10, 0 days left, 30 required: renew it',
    ],
    ["2026-03-09", 'the domain of "website" expired on 2026-03-09, 1 day ago: renew it'],
    [
      null,
      'expiresAt of "website" is not known yet: wait for the domain\'s first WHOIS check, or run it by hand',
    ],
    [
      undefined,
      'expiresAt of "website" is not recorded: make it an output, or correct recordedIn in the policy',
    ],
    ["a-secret", 'expiresAt of "website" is not a valid date: correct recordedIn in the policy'],
    [
      { a: "secret" },
      'expiresAt of "website" is not a valid date: correct recordedIn in the policy',
    ],
    [unknown, undefined],
  ])("a recorded expiry of %j is evaluated by the day", async (expiresAt, message) => {
    expect(await reported(dated(), [alerts({ expiresAt })])).toEqual(
      message ? [`website: ${message}`] : [],
    );
  });

  it("passes with an override for its resource, through the override's last day", async () => {
    const until = (day: string) =>
      dated({ overrides: { website: { until: day, reason: "Sold" } } });

    const given = [
      alerts({ expiresAt: "2026-03-01" }),
      alerts({ expiresAt: "2026-03-02" }, "toString"),
    ];

    expect(await reported(until("2026-03-10"), given)).toHaveLength(1);
    expect((await reported(until("2026-03-09"), given))[0]).toBe(
      'website: the domain of "website" expired on 2026-03-01, 9 days ago: renew it (was accepted until 2026-03-09: Sold)',
    );
  });

  it.each<[string, Seen[], boolean]>([
    ["of a resource with a date", [alerts({ expiresAt: "2027-03-11" }, "webiste")], false],
    ["of no resource with a date", [alerts({ expiresAt: "2027-03-11" })], true],
    ["of a channel", [alerts({ expiresAt: "2027-03-11" }), channel({}, "webiste")], true],
    [
      "of nothing in a stack of another policy",
      [alerts({ expiresAt: "2027-03-11" }, "website", "dev")],
      false,
    ],
    ["of nothing in a stack without a date", [channel()], false],
  ])("has an override by the name %s", async (_title, given, isUnused) => {
    const overrides = { webiste: { until: "2999-12-31", reason: "Sold" } };
    expect(await reported(dated({ stacks: "prod", overrides }), given)).toEqual(
      isUnused
        ? [
            'stack: overrides has "webiste", but this stack has recorded no date for it: correct the name, remove the override, or limit the policy to its stacks',
          ]
        : [],
    );
  });
});

describe("a recorded expiry of an output of the program", () => {
  const recordedIn = [{ type: "pulumi:pulumi:Stack", property: "site.expiresAt" }];
  const expiresAt = "2026-03-11";
  const ending = "expires on 2026-03-11, 1 day left, 30 required: renew it";

  it.each([
    [{ expiresAt }, 1],
    [{ expiresAt: "2027-03-11" }, 0],
    [{ expiresAt: unknown }, 0],
    [unknown, 0],
    ["text", 1],
    [undefined, 1],
  ])("is found within the output, or reported if it is missing: %j", async (site, count) => {
    expect(await reported(dated({ recordedIn }), [outputs({ site })])).toHaveLength(count);
  });

  it.each<[string, object]>([
    ["shop.example", { domain: "shop.example" }],
    ["shop.example", { domainName: "shop.example" }],
    ...[undefined, "no name", "localhost", { secret: true }, unknown].map(
      (domain): [string, object] => ["the domain of output site.expiresAt", { domain }],
    ),
  ])("is named %s and not by the stack if %j is beside it", async (name, beside) => {
    expect(
      await reported(dated({ recordedIn }), [outputs({ site: { expiresAt, ...beside } })]),
    ).toEqual([`project-prod: ${name} ${ending}`]);
  });

  it("is named by its domain where it is not in an object, or not known", async () => {
    const root = dated({ recordedIn: [{ type: "pulumi:pulumi:Stack", property: "expiresAt" }] });
    const domain = "shop.example";

    expect(await reported(root, [outputs({ expiresAt, domain })])).toEqual([
      `project-prod: shop.example ${ending}`,
    ]);

    expect(
      await reported(dated({ recordedIn }), [outputs({ site: { expiresAt: null, domain } })]),
    ).toEqual([
      "project-prod: site.expiresAt of shop.example is not known yet: wait for the domain's first WHOIS check, or run it by hand",
    ]);

    expect(await reported(dated({ recordedIn }), [alerts({ expiresAt: "2001-01-01" })])).toEqual(
      [],
    );
  });

  it("may be excepted by that domain, and one that a preview does not know may be it", async () => {
    const policy = dated({
      recordedIn,
      overrides: { "shop.example": { until: "2999-12-31", reason: "Sold" } },
    });

    const site = (day: string, domain: string) => [outputs({ site: { expiresAt: day, domain } })];

    expect(await reported(policy, site(expiresAt, "shop.example"))).toEqual([]);
    expect(await reported(policy, site("2027-03-11", unknown))).toEqual([]);
    expect(await reported(policy, site("2027-03-11", "web.example"))).toEqual([
      expect.stringMatching(
        /^stack: overrides has "shop.example", but this stack has recorded no date for it: /,
      ),
    ]);
  });
});

describe("the config of a pack", () => {
  const types = (given: ChannelType[]) => requireChannelTypes(named({ types: given }));
  const forbidden = forbidChannelTypes(named({ types: ["slack"] }));
  const sold = { website: { until: "2026-12-31", reason: "Sold" } };
  const places = [{ type: CHANNEL, property: "expiresAt" }];

  it.each<[string, Policy, Seen, object, number]>([
    ["other types", types(["slack"]), channel(), { types: ["email"] }, 1],
    ["another domain", types(["slack"]), channel(), { domainIds: ["domain-2"] }, 1],
    ["other forbidden types", forbidden, channel(), { types: ["email"] }, 0],
    ["other stacks", forbidden, channel(), { stacks: ["dev", "test"] }, 0],
    ["its stack", forbidden, channel(), { stacks: "prod" }, 1],
    [
      "another pattern",
      requireChannelLabel(named({ pattern: /^O/ })),
      channel(),
      { pattern: "^P" },
      1,
    ],
    ["unknown dates", dated(), alerts({ expiresAt: null }), { allowUnknown: true }, 0],
    ["more days", dated(), alerts({ expiresAt: "2026-04-20" }), { minimumDays: 60 }, 1],
    ["an override", dated(), alerts({ expiresAt: null }), { overrides: sold }, 0],
    ["another place", dated(), channel({ expiresAt: "2026-03-01" }), { recordedIn: places }, 1],
  ])(
    "comes before the options of the program: %s",
    async (_title, policy, given, config, count) => {
      const messages = await reported(policy, [given], { ...config, advice: "tell the desk" });
      expect(messages).toEqual(Array(count).fill(expect.stringMatching(/: tell the desk$/)));
    },
  );

  it.each<[string, Policy, object]>([
    ["minimumDay is not an option of this policy: remove it", dated(), { minimumDay: 60 }],
    [
      "minimumDays is not a whole number from 0 to 36500: use one such as 30; override.until is not a valid date: use one such as 2026-01-31",
      dated(),
      { minimumDays: "60", overrides: { a: { until: "2026-02-30", reason: "x" } } },
    ],
    [
      "now is not a valid date: use a Date; now is not an option of this policy: remove it",
      dated(),
      { now: "2026-01-01" },
    ],
    [
      "pattern must be a regular expression",
      requireChannelLabel(named({ pattern: /x/ })),
      { pattern: "(" },
    ],
  ])(
    "is refused in one line, even where a stack has no such resource: %s",
    async (problems, policy, config) => {
      const given = [resource("a:b:C", {}, "other")];
      const error = await failureOf(reported(policy, given, config), DomainMonitoringError);

      expect(error.message).toBe(
        `the config of the policy ${policy.name} is not valid: ${problems}`,
      );

      expect(error.stack).toBe(error.message);
    },
  );
});

describe("invalid options", () => {
  it.each<[string, () => unknown]>([
    ["types must name at least one channel type", () => requireChannelTypes({ types: [] })],
    [
      "types may only contain email, discord, slack, ms_teams, pushover, webhook",
      () => forbidChannelTypes({ types: ["sms" as ChannelType] }),
    ],
    [
      "domainIds must be a list of ids",
      () => requireChannelTypes({ types: ["slack"], domainIds: [""] }),
    ],
    ["pattern must be a regular expression", () => requireChannelLabel({ pattern: "(" })],
    [
      "enforcementLevel must be one of advisory, mandatory, remediate, disabled; level is not an option of this policy: remove it",
      () => forbidSilentChannels({ level: "mandatory", enforcementLevel: "strict" } as never),
    ],
    [
      "stacks must be names or regular expressions",
      () => forbidSilentChannels({ stacks: [1] } as never),
    ],
    // A policy for no stack would pass everywhere.
    [
      "stacks must name at least one stack, each by a name that is not empty: leave it out for every stack",
      () => forbidSilentChannels({ stacks: [] }),
    ],
    // As where a variable is not set.
    ["stacks must name at least one stack", () => forbidSilentChannels({ stacks: ["prod", ""] })],
    [
      "minimumDays is not a whole number from 0 to 36500: use one such as 30; override.until is not a valid date: use one such as 2026-01-31; " +
        "override.reason is not a reason: write one in quotes; recordedIn must be a list of objects, each with a type and a property",
      () =>
        requireRecordedExpiry({
          minimumDays: -1,
          overrides: { a: { until: "2026-02-30", reason: "" } },
          recordedIn: [],
        }),
    ],
  ])(
    "are rejected when a pack is loaded, all at once and without a stack: %s",
    async (problems, construct) => {
      const error = await failureOf((async () => construct())(), DomainMonitoringError);

      expect(error.kind).toBe("validation");
      expect(error.message).toContain(problems);
      expect(error.stack).toBe(error.message);
    },
  );
});

describe("every policy", () => {
  const all = () => [
    requireChannelTypes(named({ types: ["webhook"] })),
    forbidChannelTypes(named({ types: CHANNEL_TYPES })),
    requireChannelLabel(named({ pattern: /^$/ })),
    forbidSilentChannels(named({})),
    requireManagedChannels(named({})),
    requireRecordedExpiry(named({ minimumDays: 36_500, now })),
  ];

  it("has the given level, and otherwise that of its pack", () => {
    for (const { enforcementLevel } of all()) expect(enforcementLevel).toBeUndefined();
    const { enforcementLevel } = forbidSilentChannels({
      enforcementLevel: "advisory",
      name: "mine",
    });

    expect(enforcementLevel).toBe("advisory");
  });

  it("has one name unless its options give another, and may be made again", () => {
    const policies: [construct: (name?: string) => { name: string }, name: string][] = [
      [(name) => requireChannelTypes({ types: ["slack"], name }), "required-channel-types"],
      [
        (name) => forbidChannelTypes({ types: ["email"], stacks: /^prod/, name }),
        "forbidden-channel-types",
      ],
      [(name) => requireChannelLabel({ pattern: /^[A-Z]/, name }), "channel-label"],
      [(name) => forbidSilentChannels({ enforcementLevel: "advisory", name }), "no-silent-channel"],
      [(name) => requireManagedChannels({ stacks: "prod", name }), "managed-channels"],
      [(name) => requireRecordedExpiry({ minimumDays: 30, name }), "recorded-expiry"],
    ];

    for (const [construct, own] of policies) {
      const name = `domain-monitoring-${own}`;

      expect(construct().name).toBe(name);
      expect(construct().name).toBe(name);
      expect(construct(`${own}-twice`).name).toBe(`${own}-twice`);
    }
  });

  it("prints nothing of a channel's secrets, whatever and wherever they are", async () => {
    const secret = fc.string({ minLength: 8, maxLength: 20 }).map((text) => `secret:${text}`);
    const held = fc.record({
      domainId: secret,
      label: secret,
      value: secret,
      secondaryValue: secret,
      expiresAt: secret,
      type: fc.oneof(
        secret,
        fc.constantFrom(...CHANNEL_TYPES.filter((type) => type !== "webhook")),
      ),
    });

    await fc.assert(
      fc.asyncProperty(held, async (props) => {
        const given = [channel({ ...props, ...silent }), alerts(props)];
        const messages = (await Promise.all(all().map((policy) => reported(policy, given)))).flat();

        expect(messages.length).toBeGreaterThanOrEqual(4);

        for (const message of messages) {
          expect(message).not.toContain("secret:");
          expect(message).not.toMatch(/[\r\n]/);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("accepts a channel whose inputs are all unknown", async () => {
    const names = [
      "domainId",
      "label",
      "type",
      "value",
      ...Object.keys(silent),
      "lifecycle",
      "expiresAt",
    ];

    const props = Object.fromEntries(names.map((name) => [name, unknown]));
    for (const policy of all())
      expect(await reported(policy, [channel(props), alerts(props)])).toEqual([]);
  });
});
