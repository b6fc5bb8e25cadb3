/** The program of `channels --format typescript`, read by the compiler and run. */
import { runInNewContext } from "node:vm";
import ts from "typescript";
import type { DomainChannels, ListedChannel } from "../../src/cli/channels/list";
import { renderProgram } from "../../src/cli/channels/program";
import { CHANNEL_TYPES } from "../../src/client/types";
import { codePoint, fc } from "../support/properties";

let count = 0;

function channel(changed: Partial<ListedChannel> = {}): ListedChannel {
  count++;
  return {
    id: `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`,
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
    createdAt: "2026-01-31 08:30:00",
    recorded: null,
    ...changed,
  };
}

function domain(channels: ListedChannel[], changed: Partial<DomainChannels> = {}): DomainChannels {
  return {
    id: "11111111-1111-4111-8111-111111111111",
    domain: "example.com",
    channels,
    failure: null,
    ...changed,
  };
}

function programOf(...domains: DomainChannels[]): string {
  return renderProgram({ version: 1, domains, notes: [] });
}

/**
 * The channels of a program that may only declare channels, with their arguments.
 * @throws Error if it does anything else
 */
function read(program: string) {
  const { statements } = ts.createSourceFile("index.ts", program, ts.ScriptTarget.ES2022, true);
  for (const statement of statements) {
    const isChannel =
      ts.isExpressionStatement(statement) && ts.isNewExpression(statement.expression);
    const isOther = [ts.isImportDeclaration, ts.isExportDeclaration].some((is) => is(statement));

    if (!isChannel && !isOther) throw new Error(`not expected: ${statement.getText()}`);
  }

  const { outputText, diagnostics } = ts.transpileModule(program, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    reportDiagnostics: true,
  });

  expect(diagnostics?.map(({ messageText }) => messageText)).toEqual([]);

  const declared: { name: string; args: Record<string, unknown> }[] = [];
  class NotificationChannel {
    constructor(name: string, args: Record<string, unknown>) {
      // Copies the arguments, because objects of another context never equal those of this one.
      declared.push({ name, args: structuredClone(args) });
    }
  }

  runInNewContext(outputText, { exports: {}, require: () => ({ NotificationChannel }) });

  return declared;
}

it("the program says of a webhook that its method is not known either, and of a disabled channel why it is", () => {
  const program = programOf(
    domain([
      channel({ type: "webhook", isDisabled: true, disabledReason: "410\n*/ Gone\u2028now" }),
    ]),
  );

  expect(program).toContain(
    "\n// The service has disabled this channel: 410 */ Gone now\nnew NotificationChannel(",
  );
  expect(program).toContain('\n  // secondaryValue: "POST",\n');
  expect(read(program)[0]?.args).not.toHaveProperty("secondaryValue");
});

it.each([
  ["is protected", { isProtected: true }, "the service protects it, so it cannot be taken over"],
  ["has a type that is not known here", { type: "sms" }, "this package does not know its type"],
  ["has a label that is too short", { label: "ab" }, " in the service first"],
  ["has an id that could be another address", { id: "history" }, "its id is not a UUID"],
  ["was recorded", { recorded: true }, "the stack has recorded it already"],
])("the program leaves out a channel that %s, and says so", (_, changed, reason) => {
  const left = channel(changed);
  const program = programOf(domain([left]));

  expect(read(program)).toEqual([]);
  expect(program).toContain(`// Left out: "${left.label}" (${left.type}, ${left.id}): `);
  expect(program).toContain(`${reason}.\n`);

  // There is no unused import.
  expect(program).toMatch(/^\/\/ There is no channel to take over\.$/m);
  expect(program).not.toMatch(/import|const/);
});

it("the program gives channels of the same label the beginnings of their ids, and those of the same beginning the whole", () => {
  const ids = [
    "aaaaaaaa-0000-4000-8000-000000000001",
    "bbbbbbbb-0000-4000-8000-000000000001",
    "aaaaaaaa-0000-4000-8000-000000000002",
  ];
  const declared = read(programOf(domain(ids.map((id) => channel({ id })))));

  expect(declared.map(({ name }) => name)).toEqual([
    "example-com-on-call-slack-aaaaaaaa-0000-4000-8000-000000000001",
    "example-com-on-call-slack-bbbbbbbb",
    "example-com-on-call-slack-aaaaaaaa-0000-4000-8000-000000000002",
  ]);
});

it("the program says what is missing: domains that could not be listed, and channels of the stack that were skipped", () => {
  const failure = { kind: "http", status: 405, message: "got 405\nimport('evil')" };
  const missing = domain([], { id: "other", domain: null, channels: null, failure });
  const domains = [domain([channel()]), missing];
  const program = renderProgram({ version: 1, domains, notes: ["channel a was skipped"] });

  expect(read(program)).toHaveLength(1);
  expect(program).toContain(
    "// Incomplete:\n//   not listed: other: got 405 import('evil')\n//   channel a was skipped\n",
  );
});

describe("for whatever a service returns, the program", () => {
  /** Texts that end a literal or a comment early, or look like another text. */
  const text = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 110 }),
    fc.string({ unit: "grapheme", maxLength: 30 }),
    fc
      .array(
        fc.constantFrom(..."\"'`\\\n\r\0\u0085\u2028\u2029\u202e\ud800a", "*/", "//", "$" + "{x}"),
        { minLength: 2, maxLength: 20 },
      )
      .map((parts) => parts.join("")),
  );

  const mostly = (usual: fc.Arbitrary<string>) =>
    fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: text });

  const few = fc.constantFrom(
    "On-call",
    "On call",
    "on-call ",
    "b1x",
    "b 1x",
    "日本語",
    "---",
    "--- ",
  );

  const channels = fc
    .uniqueArray(
      fc.record({
        // There are few different beginnings, so that names collide.
        id: mostly(
          fc
            .tuple(fc.constantFrom("aaaaaaaa", "bbbbbbbb"), fc.nat(99))
            .map(([a, b]) => `${a}-0000-4000-8000-${String(b).padStart(12, "0")}`),
        ),
        label: fc.oneof(few, text),
        type: mostly(fc.constantFrom(...CHANNEL_TYPES)),
        whoisNotificationsEnabled: fc.boolean(),
        dnsNotificationsEnabled: fc.boolean(),
        sslNotificationsEnabled: fc.boolean(),
        isProtected: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
        isDisabled: fc.boolean(),
        disabledReason: fc.option(text),
        createdAt: text,
      }),
      { selector: ({ id }) => id, maxLength: 12 },
    )
    .map((all) => all.map((one) => channel(one)));

  const lists = fc.record({
    names: fc.array(fc.oneof(fc.constantFrom("example.com", "example-com"), text), {
      minLength: 1,
      maxLength: 4,
    }),
    channels,
    recorded: fc.func(fc.boolean()),
  });

  const split = (names: string[], all: ListedChannel[]) =>
    names.map((name, index) =>
      domain(
        all.filter((_, at) => at % names.length === index),
        { id: `${name} ${index}`, domain: name },
      ),
    );

  const canBeDeclared = ({ id, label, type, isProtected }: ListedChannel) =>
    !isProtected &&
    (CHANNEL_TYPES as readonly string[]).includes(type) &&
    [...label].length >= 3 &&
    [...label].length <= 100 &&
    label === label.trim() &&
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);

  it("declares every adoptable channel once with the service's values", () => {
    fc.assert(
      fc.property(lists, ({ names, channels: all }) => {
        const domains = split(names, all);
        const declared = read(programOf(...domains));
        const expected = domains.flatMap(({ id, channels: listed }) =>
          (listed ?? [])
            .filter(canBeDeclared)
            .map((one) => ({
              domainId: id,
              lifecycle: "managed",
              adopt: one.id,
              label: one.label,
              type: one.type,
              value: null,
              whoisNotificationsEnabled: one.whoisNotificationsEnabled ? undefined : false,
              dnsNotificationsEnabled: one.dnsNotificationsEnabled ? undefined : false,
              sslNotificationsEnabled: one.sslNotificationsEnabled ? undefined : false,
            })),
        );

        expect(declared.map(({ args }) => args)).toEqual(expected);

        const resources = declared.map(({ name }) => name);
        expect(new Set(resources).size).toBe(resources.length);

        for (const name of resources) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      }),
      { numRuns: 40 },
    );
  });

  it("keeps every name when it is written again after some channels were recorded", () => {
    fc.assert(
      fc.property(lists, ({ names, channels: all, recorded }) => {
        const nameOf = new Map(
          read(programOf(...split(names, all))).map(({ name, args }) => [args.adopt, name]),
        );
        const later = all.map((one) => ({ ...one, recorded: recorded(one.id) }));
        for (const { name, args } of read(programOf(...split(names, later))))
          expect(nameOf.get(args.adopt)).toBe(name);
      }),
      { numRuns: 25 },
    );
  });
});
