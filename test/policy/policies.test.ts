import { spawnSync } from "node:child_process";
import path from "node:path";
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

let made = 0;

/** Options with a name of their own, as all policies of this file are in one process. */
const named = <Options extends object>(options: Options) => ({ name: `policy-${++made}`, ...options });

/** What stands for a value that a preview does not know. */
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const now = new Date("2026-03-10T23:59:59Z");
const opts = {
  protect: false,
  ignoreChanges: [],
  aliases: [],
  customTimeouts: { createSeconds: 0, updateSeconds: 0, deleteSeconds: 0 },
  additionalSecretOutputs: [],
};

interface Given {
  name?: string;
  type?: string;
  stack?: string;
  props?: Record<string, unknown>;
}

/** A resource as policies see it: reading an unknown property throws. */
function resource({
  name = "ops",
  type = NotificationChannel.__pulumiType,
  stack = "prod",
  props = {},
}: Given = {}) {
  const urn = `urn:pulumi:${stack}::project::${type}::${name}`;
  const seen: Record<string, unknown> = unknownCheckingProxy(props);
  return { name, type, urn, props: seen, opts, isType: () => false, asType: () => undefined };
}

const channel = (props: Record<string, unknown>, name = "ops", stack = "prod") =>
  resource({
    name,
    stack,
    props: { domainId: "domain-1", label: "Ops", type: "slack", value: "x", ...props },
  });
const alerts = (props: Record<string, unknown>, name = "website", stack = "prod") =>
  resource({ name, stack, type: DomainAlerts.__pulumiType, props: { domainId: "domain-1", ...props } });

const others = {
  stackTags: new Map<string, string>(),
  notApplicable: (): never => {
    throw new Error("not applicable");
  },
};

/**
 * What a policy reports of a stack, each message with the name of its resource.
 * @param config what the pack's config has for it
 */
async function reportedOf(
  policy: ResourceValidationPolicy | StackValidationPolicy,
  given: ReturnType<typeof resource>[],
  config: object = {},
) {
  const surroundings = { ...others, getConfig: <T extends object>() => config as T };
  const messages: [message: string, resource: string | undefined][] = [];
  if ("validateStack" in policy) {
    const rest = { dependencies: [], propertyDependencies: {} };
    const resources: PolicyResource[] = given.map((one) => ({ ...one, ...rest }));
    await policy.validateStack({ ...surroundings, resources }, (message, urn) =>
      messages.push([message, urn?.split("::").at(-1)]),
    );
    return messages;
  }
  for (const one of given)
    for (const validate of [policy.validateResource ?? []].flat())
      await validate({ ...surroundings, ...one }, (message) => messages.push([message, one.name]));
  return messages;
}

/** What a policy reports of one resource. */
async function reported(
  policy: ResourceValidationPolicy,
  given: ReturnType<typeof resource>,
): Promise<string[]> {
  return (await reportedOf(policy, [given])).map(([message]) => message);
}

describe("required channel types", () => {
  const policy = requireChannelTypes(named({ types: ["slack", "email"] }));

  it("accept a domain that has them all", async () => {
    expect(await reportedOf(policy, [channel({}), channel({ type: "email" }, "desk")])).toEqual([]);
  });

  it("are reported as missing for each domain separately, at its component if it has one", async () => {
    const given = [
      channel({ type: "webhook" }, "website-hook"),
      alerts({}),
      channel({ domainId: "domain-2" }, "second"),
      resource({ type: "aws:s3:Bucket", props: { domainId: "domain-3" } }),
    ];
    expect(await reportedOf(policy, given)).toEqual([
      ['the domain of "website" has no channel of type slack: declare one for it in this stack', "website"],
      ['the domain of "website" has no channel of type email: declare one for it in this stack', "website"],
      ['the domain of "second" has no channel of type email: declare one for it in this stack', "second"],
    ]);
  });

  it("are reported as missing for a required domain id for which the stack declares nothing", async () => {
    const strict = requireChannelTypes(
      named({ types: ["slack"], domainIds: ["domain-9"], advice: "ask ops" }),
    );
    expect(await reportedOf(strict, [])).toEqual([
      ["domain domain-9 has no channel of type slack: ask ops", undefined],
    ]);
    expect(await reportedOf(strict, [channel({ domainId: "domain-9" })])).toEqual([]);
  });

  it("may be satisfied by a channel whose domain or type is unknown in a preview", async () => {
    expect(await reportedOf(policy, [channel({}), channel({ type: unknown }, "later")])).toEqual([]);
    const later = channel({ domainId: unknown, type: "email" }, "later");
    expect(await reportedOf(policy, [channel({}), later])).toEqual([]);
    expect(await reportedOf(policy, [channel({}), channel({ domainId: unknown }, "later")])).toHaveLength(1);
  });

  it("apply only to the selected stacks", async () => {
    const production = requireChannelTypes(named({ types: ["email"], stacks: ["live", /^prod/] }));
    for (const [stack, count] of [
      ["prod", 1],
      ["production", 1],
      ["live", 1],
      ["lively", 0],
      ["dev", 0],
    ] as const)
      expect(await reportedOf(production, [channel({}, "ops", stack)])).toHaveLength(count);
  });
});

describe("forbidden channel types", () => {
  it("are reported with stack, type and the allowed types", async () => {
    const policy = forbidChannelTypes(named({ types: ["email", "webhook", "pushover"] }));
    expect(await reported(policy, channel({ type: "email" }))).toEqual([
      'channel "ops" is of type email, which stack prod may not have: use discord or slack or ms_teams',
    ]);
    expect(await reported(policy, channel({ type: "slack" }))).toEqual([]);
    expect(await reported(policy, channel({ type: unknown }))).toEqual([]);
  });

  it("are reported without alternatives if all are forbidden", async () => {
    const [message] = await reported(forbidChannelTypes(named({ types: CHANNEL_TYPES })), channel({}));
    expect(message).toMatch(/: remove it from this stack$/);
  });
});

describe("a label pattern", () => {
  it("is shown instead of the label that does not match it", async () => {
    const policy = requireChannelLabel(named({ pattern: /^[A-Z]\w+ \[\d+\]$/ }));
    expect(await reported(policy, channel({ label: "Ops [1]" }))).toEqual([]);
    const [message] = await reported(policy, channel({ label: "label-to-keep-secret" }));
    expect(message).toBe(
      'the label of channel "ops" does not match /^[A-Z]\\w+ \\[\\d+\\]$/: give it one that does, before it is created: a create-only channel cannot be renamed',
    );
  });

  it("gives the same result every time, whatever its flags", async () => {
    for (const flags of ["", "g", "y", "gi"]) {
      const policy = requireChannelLabel(named({ pattern: new RegExp("Ops", flags) }));
      for (let time = 0; time < 3; time++)
        expect(await reported(policy, channel({ label: "Ops" }))).toEqual([]);
    }
  });

  it("does not evaluate an unknown label", async () => {
    const policy = requireChannelLabel(named({ pattern: /x/ }));
    expect(await reported(policy, channel({ label: unknown }))).toEqual([]);
    expect(await reported(policy, channel({ label: undefined }))).toEqual([]);
  });
});

describe("a channel with its notifications off", () => {
  const names = ["whoisNotificationsEnabled", "dnsNotificationsEnabled", "sslNotificationsEnabled"] as const;
  const flag = fc.constantFrom(true, false, null, undefined, unknown);

  it("is reported only if all three are off", async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(flag, flag, flag), async (flags) => {
        const props = Object.fromEntries(names.map((name, index) => [name, flags[index]]));
        const silent = flags.every((value) => value === false);
        expect(await reported(forbidSilentChannels(named({})), channel(props))).toEqual(
          silent
            ? [
                'channel "ops" has its WHOIS, DNS and SSL notifications off, so it never says anything: switch one of them on, or remove the channel',
              ]
            : [],
        );
      }),
    );
  });
});

describe("a channel's lifecycle", () => {
  it("has to be managed, with the way to it in the message", async () => {
    const policy = requireManagedChannels(named({}));
    expect(await reported(policy, channel({ lifecycle: "managed" }))).toEqual([]);
    for (const lifecycle of [undefined, null, "create-only"])
      expect(await reported(policy, channel({ lifecycle }))).toEqual([
        'channel "ops" is create-only, so what replaces or removes it leaves it in the service: ' +
          'run `pulumi config set domain-monitoring:lifecycle managed`, or declare lifecycle "managed" for it',
      ]);
  });

  it("passes where a preview does not know it", async () => {
    expect(await reported(requireManagedChannels(named({})), channel({ lifecycle: unknown }))).toEqual([]);
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
    resource({ type, stack, props: { domainId: "domain-1", label: "Ops", type: "slack", ...silent } });

  it.each([
    forbidChannelTypes(named({ types: ["slack"], ...options })),
    forbidSilentChannels(named(options)),
    requireChannelLabel(named({ pattern: /^x/, ...options })),
    requireManagedChannels(named(options)),
    requireChannelTypes(named({ types: ["email"], ...options })),
  ])(
    "applies to those of plugin and dynamic provider, in its stacks, with the given advice: $name",
    async (policy) => {
      for (const type of [NotificationChannel.__pulumiType, "domain-monitoring:index:NotificationChannel"]) {
        expect(await reportedOf(policy, [given(type, "prod")])).toEqual([
          [expect.stringMatching(/: ask the platform team$/), "ops"],
        ]);
        expect(await reportedOf(policy, [given(type, "dev")])).toEqual([]);
      }
      expect(await reportedOf(policy, [given("a:b:C", "prod")])).toEqual([]);
    },
  );
});

describe("a recorded expiry", () => {
  const policy = requireRecordedExpiry(named({ minimumDays: 30, now }));

  it.each([
    ["2026-04-09", undefined],
    [
      "2026-04-08",
      'the domain of "website" expires on 2026-04-08, in 29 days, and 30 days must be left: renew it',
    ],
    [
      "2026-03-10",
      'the domain of "website" expires on 2026-03-10, today, and 30 days must be left: renew it',
    ],
    [
      "2026-03-09",
      'the domain of "website" expired on 2026-03-09, 1 day ago, and 30 days must be left: renew it',
    ],
    [
      null,
      'expiresAt of "website" is not known yet: wait for the domain\'s first WHOIS check, or run it by hand',
    ],
    [
      undefined,
      'expiresAt of "website" is not recorded: make it an output, or correct recordedIn in the policy',
    ],
    [
      "a-secret-in-the-wrong-place",
      'expiresAt of "website" is not a valid date: correct recordedIn in the policy',
    ],
    [{ a: "secret" }, 'expiresAt of "website" is not a valid date: correct recordedIn in the policy'],
    [unknown, undefined],
  ])("of %j is evaluated by the day", async (expiresAt, message) => {
    expect(await reportedOf(policy, [alerts({ expiresAt })])).toEqual(message ? [[message, "website"]] : []);
  });

  it("may be unknown if the policy allows it", async () => {
    const lenient = requireRecordedExpiry(named({ minimumDays: 30, now, allowUnknown: true }));
    expect(await reportedOf(lenient, [alerts({ expiresAt: null })])).toEqual([]);
  });

  it("is found where the policy looks, also within an output", async () => {
    const stack = requireRecordedExpiry(
      named({
        minimumDays: 30,
        now,
        recordedIn: [{ type: "pulumi:pulumi:Stack", property: "website.expiresAt" }],
      }),
    );
    const outputs = (website: unknown) =>
      resource({ name: "project-prod", type: "pulumi:pulumi:Stack", props: { website } });
    const counts = [
      { expiresAt: "2026-03-11" },
      { expiresAt: "2027-03-11" },
      { expiresAt: unknown },
      unknown,
      "text",
      undefined,
    ].map(async (website) => (await reportedOf(stack, [outputs(website)])).length);
    expect(await Promise.all(counts)).toEqual([1, 0, 0, 0, 1, 1]);
    expect(await reportedOf(stack, [alerts({ expiresAt: "2001-01-01" })])).toEqual([]);
  });

  it("passes with an override for its resource, through the override's last day", async () => {
    const until = (date: string) =>
      requireRecordedExpiry(
        named({
          minimumDays: 30,
          now,
          overrides: { website: { until: date, reason: "Sold" } },
        }),
      );
    const given = [alerts({ expiresAt: "2026-03-01" }), alerts({ expiresAt: "2026-03-02" }, "toString")];
    expect(await reportedOf(until("2026-03-10"), given)).toHaveLength(1);
    const [[message] = []] = await reportedOf(until("2026-03-09"), given);
    expect(message).toBe(
      'the domain of "website" expired on 2026-03-01, 9 days ago, and 30 days must be left: renew it (was accepted until 2026-03-09: Sold)',
    );
  });

  it("has every override reported that names no resource with a date, in the stacks of the policy that have dates", async () => {
    const misspelt = requireRecordedExpiry(
      named({
        minimumDays: 30,
        now,
        stacks: "prod",
        overrides: { webiste: { until: "2999-12-31", reason: "Sold" } },
      }),
    );
    const message =
      'overrides names "webiste", of which this stack has recorded no date: correct the name, remove the override, or limit the policy to its stacks';
    const expiresAt = "2027-03-11";
    expect(await reportedOf(misspelt, [alerts({ expiresAt })])).toEqual([[message, undefined]]);
    // A channel of that name has no date.
    expect(await reportedOf(misspelt, [alerts({ expiresAt }), channel({}, "webiste")])).toHaveLength(1);
    expect(await reportedOf(misspelt, [alerts({ expiresAt }, "webiste")])).toEqual([]);
    expect(await reportedOf(misspelt, [alerts({ expiresAt }, "website", "dev")])).toEqual([]);
    expect(await reportedOf(misspelt, [channel({})])).toEqual([]);
  });
});

describe("a recorded expiry of an output of the program", () => {
  const recordedIn = [{ type: "pulumi:pulumi:Stack", property: "site.expiresAt" }];
  const outputs = (site: object, beside: object = {}) =>
    resource({ name: "project-prod", type: "pulumi:pulumi:Stack", props: { site, ...beside } });
  const messages = async (options: object, ...given: Parameters<typeof outputs>) =>
    (
      await reportedOf(requireRecordedExpiry(named({ minimumDays: 30, now, recordedIn, ...options })), [
        outputs(...given),
      ])
    ).map(([message]) => message);
  const ending = "expires on 2026-03-11, in 1 day, and 30 days must be left: renew it";

  it("is named by the domain beside it, or by its place, and not by the stack", async () => {
    const expiresAt = "2026-03-11";
    expect(await messages({}, { expiresAt, domain: "shop.example" })).toEqual([`shop.example ${ending}`]);
    expect(await messages({}, { expiresAt, domainName: "shop.example" })).toEqual([`shop.example ${ending}`]);
    for (const domain of [undefined, "no name", "localhost", { secret: true }, unknown])
      expect(await messages({}, { expiresAt, domain })).toEqual([
        `the domain of output site.expiresAt ${ending}`,
      ]);
    const root = { recordedIn: [{ type: "pulumi:pulumi:Stack", property: "expiresAt" }] };
    expect(await messages(root, {}, { expiresAt, domain: "shop.example" })).toEqual([
      `shop.example ${ending}`,
    ]);
    expect(await messages({}, { expiresAt: null, domain: "shop.example" })).toEqual([
      "site.expiresAt of shop.example is not known yet: wait for the domain's first WHOIS check, or run it by hand",
    ]);
  });

  it("may be excepted by that domain, and one that a preview does not know may be it", async () => {
    const overrides = { "shop.example": { until: "2999-12-31", reason: "Sold" } };
    expect(await messages({ overrides }, { expiresAt: "2026-03-11", domain: "shop.example" })).toEqual([]);
    expect(await messages({ overrides }, { expiresAt: "2027-03-11", domain: unknown })).toEqual([]);
    expect(await messages({ overrides }, { expiresAt: "2027-03-11", domain: "web.example" })).toEqual([
      expect.stringMatching(/^overrides names "shop.example", of which this stack has recorded no date: /),
    ]);
  });
});

describe("the config of a pack", () => {
  const wrong = async (policy: ResourceValidationPolicy | StackValidationPolicy, config: object) => {
    const error: unknown = await reportedOf(policy, [channel({})], config).catch((reason: unknown) => reason);
    if (!(error instanceof DomainMonitoringError)) throw new Error("expected a refusal");
    expect(error.stack).toBe(error.message);
    return error.message;
  };

  it("comes before the options of the program", async () => {
    const expiry = requireRecordedExpiry(named({ minimumDays: 30, now, advice: "renew" }));
    const due = [alerts({ expiresAt: "2026-04-20" }), alerts({ expiresAt: null }, "new")];
    expect(await reportedOf(expiry, due, { allowUnknown: true })).toEqual([]);
    expect(
      await reportedOf(expiry, due, { minimumDays: 60, advice: "tell the desk", allowUnknown: true }),
    ).toEqual([
      [
        'the domain of "website" expires on 2026-04-20, in 41 days, and 60 days must be left: tell the desk',
        "website",
      ],
    ]);
    const overrides = { new: { until: "2026-12-31", reason: "New" } };
    expect(await reportedOf(expiry, due, { overrides })).toEqual([]);
    const places = { recordedIn: [{ type: NotificationChannel.__pulumiType, property: "expiresAt" }] };
    expect(await reportedOf(expiry, [channel({ expiresAt: "2026-03-01" })], places)).toHaveLength(1);

    const types = requireChannelTypes(named({ types: ["slack"] }));
    expect(
      await reportedOf(types, [channel({})], { types: ["email"], domainIds: ["domain-2"] }),
    ).toHaveLength(2);
    const forbidden = forbidChannelTypes(named({ types: ["slack"] }));
    expect(await reportedOf(forbidden, [channel({})], { types: ["email"] })).toEqual([]);
    expect(await reportedOf(forbidden, [channel({})], { stacks: ["dev", "test"] })).toEqual([]);
    expect(await reportedOf(forbidden, [channel({})], { stacks: "prod" })).toHaveLength(1);
    const label = requireChannelLabel(named({ pattern: /^O/ }));
    expect(await reportedOf(label, [channel({})], { pattern: "^P", advice: "begin it with P" })).toEqual([
      ['the label of channel "ops" does not match /^P/: begin it with P', "ops"],
    ]);
    for (const policy of [forbidSilentChannels(named({})), requireManagedChannels(named({}))])
      expect(await reportedOf(policy, [channel({ ...silent })], { stacks: "dev" })).toEqual([]);
  });

  it("is refused in one line where it is wrong, also by a policy on resources that a stack does not have", async () => {
    const expiry = requireRecordedExpiry({ name: "renewals", minimumDays: 30 });
    expect(await wrong(expiry, { minimumDay: 60 })).toBe(
      "the config of the policy renewals is not valid: minimumDay is not an option of it: remove it",
    );
    expect(
      await wrong(expiry, { minimumDays: "60", overrides: { a: { until: "2026-02-30", reason: "x" } } }),
    ).toBe(
      "the config of the policy renewals is not valid: minimumDays must be a whole number from 0 to 36500; override.until must be a date such as 2026-01-31",
    );
    expect(await wrong(expiry, { now: "2026-01-01" })).toContain("now is not an option of it: remove it");
    expect(await wrong(forbidChannelTypes(named({ types: ["slack"] })), { types: ["sms"] })).toContain(
      "types must be some of email,",
    );
    expect(await wrong(requireChannelLabel(named({ pattern: /x/ })), { pattern: "(" })).toContain(
      "pattern must be a regular expression",
    );
    expect(await wrong(forbidSilentChannels(named({})), { stacks: [] })).toContain(
      "stacks must name at least one",
    );
  });

  it("may have every option but those of the program alone", () => {
    const schemas = [
      requireRecordedExpiry(named({ minimumDays: 30 })),
      requireChannelTypes(named({ types: ["slack"] })),
      forbidChannelTypes(named({ types: ["slack"] })),
      requireChannelLabel(named({ pattern: /x/ })),
      forbidSilentChannels(named({})),
      requireManagedChannels(named({})),
    ].map(({ configSchema }) => Object.keys(configSchema?.properties ?? {}).slice(2));
    expect(schemas).toEqual([
      ["minimumDays", "allowUnknown", "recordedIn", "overrides"],
      ["types", "domainIds"],
      ["types"],
      ["pattern"],
      [],
      [],
    ]);
  });
});

describe("invalid options", () => {
  it.each<[string, () => unknown, string]>([
    ["no types", () => requireChannelTypes({ types: [] }), "types must name at least one channel type"],
    [
      "a type that there is not",
      () => forbidChannelTypes({ types: ["sms" as ChannelType] }),
      "types must be some of email, discord, slack, ms_teams, pushover, webhook",
    ],
    [
      "ids that are none",
      () => requireChannelTypes({ types: ["slack"], domainIds: [""] }),
      "domainIds must be a list of ids",
    ],
    [
      "a pattern that is none",
      () => requireChannelLabel({ pattern: "(" }),
      "pattern must be a regular expression",
    ],
    [
      "an unknown option and a level that there is not",
      () => forbidSilentChannels({ level: "mandatory", enforcementLevel: "strict" } as never),
      "enforcementLevel must be one of advisory, mandatory, remediate, disabled; level is not an option of it: remove it",
    ],
    ["stacks that are numbers", () => forbidSilentChannels({ stacks: [1] } as never), "stacks must be names"],
    [
      "no stacks, for which a policy would pass everywhere",
      () => forbidSilentChannels({ stacks: [] }),
      "stacks must name at least one stack, each by a name that is not empty: leave it out for every stack",
    ],
    [
      "a stack without a name, as where a variable is not set",
      () => forbidSilentChannels({ stacks: ["prod", ""] }),
      "stacks must name at least one stack",
    ],
    [
      "negative days and a date that does not exist",
      () =>
        requireRecordedExpiry({
          minimumDays: -1,
          overrides: { a: { until: "2026-02-30", reason: "" } },
          recordedIn: [],
        }),
      "minimumDays must be a whole number from 0 to 36500; override.until must be a date such as 2026-01-31; " +
        "override.reason must say why; recordedIn must be a list of objects, each with a type and a property",
    ],
  ])(
    "are rejected when a pack is loaded, all at once and without a stack: %s",
    (_case, construct, message) => {
      let error: unknown;
      try {
        construct();
      } catch (thrown) {
        error = thrown;
      }
      if (!(error instanceof DomainMonitoringError)) throw new Error("expected a refusal");
      expect(error.kind).toBe("validation");
      expect(error.message).toContain(message);
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

  it("has its own description, and the given level and name", () => {
    const policies = all();
    expect(new Set(policies.map(({ description }) => description)).size).toBe(policies.length);
    for (const { enforcementLevel } of policies) expect(enforcementLevel).toBeUndefined();
    expect(forbidSilentChannels({ enforcementLevel: "advisory", name: "mine" })).toMatchObject({
      enforcementLevel: "advisory",
      name: "mine",
    });
  });

  it("has one name, whatever its options, which no second one of the process may have", () => {
    const policies: [construct: (name?: string) => { name: string }, name: string][] = [
      [(name) => requireChannelTypes({ types: ["slack"], name }), "required-channel-types"],
      [(name) => forbidChannelTypes({ types: ["email"], stacks: /^prod/, name }), "forbidden-channel-types"],
      [(name) => requireChannelLabel({ pattern: /^[A-Z]/, name }), "channel-label"],
      [(name) => forbidSilentChannels({ enforcementLevel: "advisory", name }), "no-silent-channel"],
      [(name) => requireManagedChannels({ stacks: "prod", name }), "managed-channels"],
      [(name) => requireRecordedExpiry({ minimumDays: 30, name }), "recorded-expiry"],
    ];
    for (const [construct, own] of policies) {
      const name = `domain-monitoring-${own}`;
      expect(construct().name).toBe(name);
      expect(construct).toThrow(
        `the policy ${name} is not valid: another policy has its name: give one of them another with \`name\``,
      );
      expect(construct(`${own}-twice`).name).toBe(`${own}-twice`);
      expect(() => construct(`${own}-twice`)).toThrow("another policy has its name");
    }
  });

  it("leaves its name to the next one if its options are not valid", () => {
    const name = "corrected";
    expect(() => requireChannelTypes({ types: [], name })).toThrow("the policy corrected is not valid");
    expect(requireChannelTypes({ types: ["slack"], name }).name).toBe(name);
  });

  it("prints nothing of a channel's secrets, whatever and wherever they are", async () => {
    const secret = fc.string({ minLength: 8, maxLength: 20 }).map((text) => `secret:${text}`);
    const held = fc.record({
      domainId: secret,
      label: secret,
      value: secret,
      secondaryValue: secret,
      expiresAt: secret,
      type: fc.oneof(secret, fc.constantFrom(...CHANNEL_TYPES.filter((type) => type !== "webhook"))),
    });
    await fc.assert(
      fc.asyncProperty(held, async (props) => {
        const given = [channel({ ...props, ...silent }), alerts(props)];
        const reports = await Promise.all(all().map((policy) => reportedOf(policy, given)));
        const messages = reports.flat().map(([message]) => message);
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
    const names = ["domainId", "label", "type", "value", ...Object.keys(silent), "lifecycle", "expiresAt"];
    const props = Object.fromEntries(names.map((name) => [name, unknown]));
    for (const policy of all()) expect(await reportedOf(policy, [channel(props), alerts(props)])).toEqual([]);
  });

  it("does not load @pulumi/policy or the packages of client and emulator", () => {
    const module = path.join(__dirname, "../../dist/policy/index.js");
    const script = `
      require(${JSON.stringify(module)});
      console.log(JSON.stringify(Object.keys(require.cache)));`;
    const child = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
    if (child.status !== 0) throw new Error(child.stderr);
    const loaded: string[] = JSON.parse(child.stdout);
    expect(loaded.length).toBeGreaterThan(5);
    expect(loaded.filter((file) => /node_modules\/(@pulumi\/policy|undici|zod|hono)\//.test(file))).toEqual(
      [],
    );
  });
});
