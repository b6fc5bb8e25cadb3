/** Settings: where each comes from, that a token belongs to an address, and refused values. */
import { DomainMonitoringError } from "../src/client/errors";
import { rateLimitNotice } from "../src/client/options";
import { findAccount, findSetting, resolveConfiguration, type SettingSources } from "../src/config";
import { SETTINGS } from "../src/names";
import { fc } from "./support/properties";

const NAMES = ["baseUrl", "apiToken", "timeoutSeconds", "maxRetries", "concurrency"] as const;

/** The three places of a setting, with how messages begin about one of them. */
const ORIGINS = {
  explicit: "argument ",
  stack: "stack config domain-monitoring:",
  env: "environment variable DOMAIN_MONITORING_",
};

type Place = keyof typeof ORIGINS;
const PLACES: Place[] = ["explicit", "stack", "env"];

interface Given {
  explicit?: SettingSources["explicit"];
  stack?: Record<string, string>;
  plaintext?: boolean;
  env?: NodeJS.ProcessEnv;
}

function sources({ explicit, stack = {}, plaintext = false, env = {} }: Given): SettingSources {
  return {
    explicit,
    stackConfig: (key) => {
      const value = stack[key];
      return value === undefined ? undefined : { value, plaintext };
    },
    environment: env,
  };
}

/** Settings in one of the places. */
function place(where: Place, settings: { [Name in (typeof NAMES)[number]]?: string }): Given {
  if (where === "explicit") return { explicit: settings };

  const field = where === "stack" ? "key" : "variable";
  const entries = NAMES.map((name) => [SETTINGS[name][field], settings[name]]);
  return { [where]: Object.fromEntries(entries) };
}

/** What is resolved, with the account as it was given. */
function resolve(given: Given) {
  const { account, ...tuning } = resolveConfiguration(sources(given));
  const { origin, pathPrefix, apiToken } = account;
  return { baseUrl: origin + pathPrefix, apiToken, ...tuning };
}

const ACCOUNT = { baseUrl: "https://monitoring.example.com", apiToken: "token-secret" };

/** The one line in which configuration fails. */
function refusal(given: Given): string {
  try {
    resolve(given);
  } catch (error) {
    expect(error).toBeInstanceOf(DomainMonitoringError);
    expect(error).toMatchObject({ kind: "configuration" });

    const { message } = error as DomainMonitoringError;
    expect(message).not.toContain("\n");
    return message;
  }

  throw new Error("nothing was refused");
}

function besideAccount({ explicit, ...given }: Given): Given {
  return { ...given, explicit: { ...ACCOUNT, ...explicit } };
}

describe("where a setting comes from", () => {
  test.each([
    ["baseUrl", "domain-monitoring:baseUrl", "DOMAIN_MONITORING_BASE_URL"],
    ["apiToken", "domain-monitoring:apiToken", "DOMAIN_MONITORING_API_TOKEN"],
    ["timeoutSeconds", "domain-monitoring:timeoutSeconds", "DOMAIN_MONITORING_TIMEOUT_SECONDS"],
    ["maxRetries", "domain-monitoring:maxRetries", "DOMAIN_MONITORING_MAX_RETRIES"],
    ["concurrency", "domain-monitoring:concurrency", "DOMAIN_MONITORING_CONCURRENCY"],
  ] as const)("%s is taken from the argument, then %s, then %s", (name, key, variable) => {
    const [explicit, stack, env] = [{ [name]: "1" }, { [key]: "2" }, { [variable]: "3" }];
    const found = (given: Given) => {
      const setting = findSetting(name, sources(given));
      return setting && [setting.value, setting.origin];
    };

    expect(found({ explicit, stack, env })).toEqual(["1", `argument ${name}`]);
    expect(found({ stack, env })).toEqual(["2", `stack config ${key}`]);
    expect(found({ env })).toEqual(["3", `environment variable ${variable}`]);
    expect(found({})).toBeUndefined();

    // An empty one counts as not set there.
    expect(found({ stack: { [key]: "" }, env })?.[0]).toBe("3");
    expect(found({ stack: { [key]: "" }, env: { [variable]: "" } })).toBeUndefined();
  });

  test("an empty argument is refused, not filled in from what may be another account", () => {
    const other = place("env", { ...ACCOUNT, apiToken: "other" });
    expect(refusal({ ...other, explicit: { ...ACCOUNT, apiToken: "" } })).toBe(
      "argument apiToken: the API token is empty: give the account's API token",
    );
    expect(refusal({ ...other, explicit: { ...ACCOUNT, baseUrl: "" } })).toMatch(
      /^argument baseUrl: /,
    );
  });
});

describe("a token belongs to an address", () => {
  const LETTERS: Record<string, string> = {
    a: "https://monitoring.example.com/x",
    // The same, written in another way.
    A: "https://MONITORING.example.com:443/x/",
    b: "https://other.example.com/x",
    c: "https://monitoring.example.com",
  };

  const ORDER = { explicit: "arguments", stack: "stack config", env: "environment" } as const;

  /** The letter of the address that a token in this place is for, `?` if none is, or `refused`. */
  function outcome(order: Place[], addresses: string[], tokenPlace: Place): string {
    const settings = order.map((where, index) => {
      const baseUrl = LETTERS[addresses[index] ?? ""];
      return place(where, { baseUrl, apiToken: where === tokenPlace ? "token" : undefined });
    });
    const given = sources(Object.assign({}, ...settings));
    try {
      const { baseUrl } = findAccount({ ...given, order: order.map((where) => ORDER[where]) });
      return Object.keys(LETTERS).find((letter) => LETTERS[letter] === baseUrl?.value) ?? "?";
    } catch (error) {
      expect(String(error)).toContain(" belongs to the address in ");
      return "refused";
    }
  }

  // Addresses of the places from first to last, and the outcome for a token in the first, the
  // second, the third.
  test.each<[addresses: string, ...outcomes: [string, string, string]]>([
    ["- - -", "?", "?", "?"],
    ["a - -", "a", "a", "a"],
    ["- a -", "a", "a", "a"],
    ["- - a", "a", "a", "a"],
    ["a A -", "a", "a", "a"],
    ["a - A", "a", "a", "a"],
    ["- a A", "a", "a", "a"],
    ["a A a", "a", "a", "a"],
    ["a b -", "a", "refused", "a"],
    ["a - b", "a", "a", "refused"],
    ["- a b", "a", "a", "refused"],
    ["a A b", "a", "a", "refused"],
    ["a b b", "a", "refused", "refused"],
    ["a b c", "a", "refused", "refused"],
    // Nobody uses the second address.
    ["a b A", "a", "refused", "a"],
    ["a c -", "a", "refused", "a"],
  ])("addresses %s: each place's token is for %s, %s, %s", (all, ...outcomes) => {
    for (const order of [PLACES, ["explicit", "env", "stack"] satisfies Place[]])
      expect(order.map((where) => outcome(order, all.split(" "), where))).toEqual(outcomes);
  });

  test("a token beside another address is refused with the places of both", () => {
    const first = place("stack", { baseUrl: LETTERS.a });
    const second = place("env", { baseUrl: LETTERS.b, apiToken: "token" });
    expect(refusal({ ...first, ...second })).toBe(
      "the API token in environment variable DOMAIN_MONITORING_API_TOKEN belongs to the address in " +
        "environment variable DOMAIN_MONITORING_BASE_URL, and stack config domain-monitoring:baseUrl " +
        "is another one: remove the wrong address, or set address and token in the same place",
    );
  });

  test("the first of several tokens is the only one that counts", () => {
    const named = (apiToken: string) => ({ baseUrl: `https://${apiToken}.example.com`, apiToken });
    const [first, second, third] = [named("first"), named("second"), named("third")];
    const later = { ...place("stack", second), ...place("env", third) };

    expect(resolve(later)).toMatchObject(second);
    expect(resolve({ ...later, explicit: first })).toMatchObject(first);
  });
});

test("a setting that is missing is told with both ways to set it", () => {
  expect(refusal({})).toBe(
    "the base address of the service is not set: run `pulumi config set domain-monitoring:baseUrl https://…` " +
      "or set the environment variable DOMAIN_MONITORING_BASE_URL",
  );

  expect(refusal({ explicit: { baseUrl: ACCOUNT.baseUrl } })).toBe(
    "the API token is not set: run `pulumi config set --secret domain-monitoring:apiToken` " +
      "or set the environment variable DOMAIN_MONITORING_API_TOKEN",
  );
});

describe("the token", () => {
  const stack = { "domain-monitoring:apiToken": "plaintext-token-secret" };

  test("in plaintext stack config is refused with the command that mends it", () => {
    for (const env of [{}, { DOMAIN_MONITORING_API_TOKEN: "other-token" }])
      expect(refusal({ explicit: { baseUrl: ACCOUNT.baseUrl }, stack, plaintext: true, env })).toBe(
        "stack config domain-monitoring:apiToken holds the API token in plaintext: run " +
          "`pulumi config set --secret domain-monitoring:apiToken` and enter it there, and replace the token in the " +
          "service if the file has been shared",
      );
  });

  test("is the only setting that must not be plaintext, and may be where an argument goes before it", () => {
    const { baseUrl, maxRetries } = SETTINGS;
    const given = { [baseUrl.key]: ACCOUNT.baseUrl, [maxRetries.key]: "1" };
    const explicit = { apiToken: ACCOUNT.apiToken };
    const found = { ...ACCOUNT, maxRetries: 1 };
    const env = { DOMAIN_MONITORING_API_TOKEN: ACCOUNT.apiToken };
    const before = resolve({ explicit, stack: { ...given, ...stack }, plaintext: true });

    expect(resolve({ stack: given, plaintext: true, env })).toMatchObject(found);
    expect(before).toMatchObject(found);
  });
});

// Every form: test/client/options.test.ts.
test.each(PLACES)("what is not valid is refused by its origin, and not repeated: %s", (where) => {
  const { explicit, ...given } = place(where, { apiToken: "Bearer token-secret" });
  const token = refusal({ ...given, explicit: { baseUrl: ACCOUNT.baseUrl, ...explicit } });
  const address = refusal(place(where, { baseUrl: "https://user:password-secret@example.com" }));
  const origin = ORIGINS[where];

  expect(token).toMatch(new RegExp(`^${origin}\\S+: the API token holds `));
  expect(token).not.toContain("token-s");
  expect(address).toMatch(new RegExp(`^${origin}\\S+: the base address contains a user name, `));
  expect(address).not.toContain("secret");
});

test("the notice about a rate limit is shown once, and not about a short one", () => {
  const lines: string[] = [];
  const listen = rateLimitNotice((line) => lines.push(line));
  for (const delayMs of [4999, 51_200, 60_000]) listen(delayMs);
  expect(lines).toEqual([
    "the service's rate limit is reached: waiting 52 s. Calls wait as often as their deadline allows (timeoutSeconds)",
  ]);
});

describe("tuning", () => {
  test.each([
    ["timeoutSeconds", "30", { timeoutMs: 30_000 }],
    ["timeoutSeconds", "0.25", { timeoutMs: 250 }],
    ["timeoutSeconds", "2000000", { timeoutMs: 2_000_000_000 }],
    ["maxRetries", "0", { maxRetries: 0 }],
    ["maxRetries", "100", { maxRetries: 100 }],
    ["concurrency", "1", { concurrency: 1 }],
    ["concurrency", " 1000 ", { concurrency: 1000 }],
  ] as const)("takes %s %j", (name, text, expected) => {
    const all = { ...ACCOUNT, timeoutMs: 120_000, ...expected };
    for (const where of PLACES)
      expect(resolve(besideAccount(place(where, { [name]: text })))).toEqual(all);
  });

  const KINDS = {
    timeoutSeconds: "number from 0.001 to 2000000",
    maxRetries: "whole number from 0 to 100",
    concurrency: "whole number from 1 to 1000",
  };

  test.each([
    ["timeoutSeconds", "0"],
    ["timeoutSeconds", "2000001"],
    ["timeoutSeconds", "30s"],
    ["timeoutSeconds", "Infinity"],
    ["maxRetries", "2.5"],
    ["maxRetries", "101"],
    ["concurrency", "0"],
    ["concurrency", "-1"],
    ["concurrency", "0x10"],
  ] as const)("refuses %s %j wherever it is, with the place to correct", (name, text) => {
    const problem = `is not a ${KINDS[name]}: correct it or remove it`;
    for (const where of PLACES)
      expect(refusal(besideAccount(place(where, { [name]: text })))).toMatch(
        new RegExp(`^${ORIGINS[where]}\\S+ ${problem}$`),
      );
  });
});

test("no message repeats the value of any setting", () => {
  const anyValue = fc.string({ unit: "grapheme", minLength: 8 });
  // Parts of the messages themselves could be drawn by chance only.
  const own = JSON.stringify([refusal({}), refusal({ explicit: { baseUrl: "x" } })]);
  const [anyName, anyPlace] = [fc.constantFrom(...NAMES), fc.constantFrom(...PLACES)];
  fc.assert(
    fc.property(anyName, anyPlace, anyValue, (name, where, value) => {
      const { explicit, ...given } = place(where, { [name]: value });
      let message = "";
      try {
        resolve({ ...given, explicit: explicit && { ...ACCOUNT, ...explicit } });
      } catch (error) {
        message = String(error);
      }

      if (!own.includes(value)) expect(message.includes(value)).toBe(false);
    }),
  );
});
