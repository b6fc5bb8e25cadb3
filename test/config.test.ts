/** Settings: where each comes from, that a token belongs to an address, and refused values. */
import { DomainMonitoringError } from "../src/client/errors";
import { rateLimitNotice } from "../src/client/options";
import {
  type ExplicitSettings,
  findAccount,
  findSetting,
  resolveConfiguration,
} from "../src/config";
import { SETTINGS } from "../src/names";
import { fc } from "./support/properties";

const NAMES = ["baseUrl", "apiToken", "timeoutSeconds", "maxRetries", "concurrency"] as const;

interface Given {
  explicit?: ExplicitSettings;
  stack?: Record<string, string>;
  plaintext?: boolean;
  env?: NodeJS.ProcessEnv;
}

function sources({ explicit, stack = {}, plaintext = false, env = {} }: Given) {
  return {
    explicit,
    stackConfig: (key: string) => {
      const value = stack[key];
      return value === undefined ? undefined : { value, plaintext };
    },
    environment: env,
  };
}

/** What is resolved, with the account as it was given. */
function resolve(given: Given) {
  const { account, ...tuning } = resolveConfiguration(sources(given));
  const { origin, pathPrefix, apiToken } = account;
  return { baseUrl: origin + pathPrefix, apiToken, ...tuning };
}

const ACCOUNT = { baseUrl: "https://monitoring.example.com", apiToken: "token-secret" };

/** A configuration of which nothing else is set. */
const DEFAULTED = { ...ACCOUNT, timeoutMs: 120_000 };

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

/** A setting in one of the three places. */
const PLACES = ["explicit", "stack", "env"] as const;

function place(where: (typeof PLACES)[number], name: (typeof NAMES)[number], value: string): Given {
  if (where === "explicit") return { explicit: { [name]: value } };
  return where === "stack"
    ? { stack: { [SETTINGS[name].key]: value } }
    : { env: { [SETTINGS[name].variable]: value } };
}

function besideAccount({ explicit, ...given }: Given): Given {
  return { ...given, explicit: { ...ACCOUNT, ...explicit } };
}

describe("where a setting comes from", () => {
  test.each(NAMES)("%s is taken from the argument, stack config, the environment", (name) => {
    const { key, variable } = SETTINGS[name];
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
    const { baseUrl, apiToken } = SETTINGS;
    const env = { [baseUrl.variable]: ACCOUNT.baseUrl, [apiToken.variable]: "other" };

    expect(refusal({ explicit: { ...ACCOUNT, apiToken: "" }, env })).toBe(
      "argument apiToken: the API token is empty: give the account's API token",
    );
    expect(refusal({ explicit: { ...ACCOUNT, baseUrl: "" }, env })).toMatch(/^argument baseUrl: /);
  });

  test("stack config and the environment have the names that are documented", () => {
    const all = { ...ACCOUNT, timeoutMs: 1500, maxRetries: 0, concurrency: 2 };
    const stack = {
      "domain-monitoring:baseUrl": ACCOUNT.baseUrl,
      "domain-monitoring:apiToken": ACCOUNT.apiToken,
      "domain-monitoring:timeoutSeconds": "1.5",
      "domain-monitoring:maxRetries": "0",
      "domain-monitoring:concurrency": "2",
    };

    const env = {
      DOMAIN_MONITORING_BASE_URL: ACCOUNT.baseUrl,
      DOMAIN_MONITORING_API_TOKEN: ACCOUNT.apiToken,
      DOMAIN_MONITORING_TIMEOUT_SECONDS: "1.5",
      DOMAIN_MONITORING_MAX_RETRIES: "0",
      DOMAIN_MONITORING_CONCURRENCY: "2",
    };

    for (const given of [{ stack }, { env }]) expect(resolve(given)).toEqual(all);
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

  const ORIGINS = {
    arguments: "argument",
    "stack config": "stack config domain-monitoring:",
    environment: "environment variable DOMAIN_MONITORING_",
  };

  type Place = keyof typeof ORIGINS;

  const ORIGIN = new RegExp(Object.values(ORIGINS).join("|"), "g");

  /** Sources with these addresses in these places, and the only token in one of them. */
  function withToken(order: readonly Place[], addresses: string[], tokenPlace: Place | undefined) {
    const entries: Record<Place, [name: "baseUrl" | "apiToken", value: string][]> = {
      arguments: [],
      "stack config": [],
      environment: [],
    };

    for (const [index, place] of order.entries()) {
      const address = LETTERS[addresses[index] ?? ""];
      if (address !== undefined) entries[place].push(["baseUrl", address]);
      if (place === tokenPlace) entries[place].push(["apiToken", ACCOUNT.apiToken]);
    }

    const stack = entries["stack config"].map(([name, value]) => [SETTINGS[name].key, value]);
    const env = entries.environment.map(([name, value]) => [SETTINGS[name].variable, value]);
    const explicit = Object.fromEntries(entries.arguments);
    const given = { explicit, stack: Object.fromEntries(stack), env: Object.fromEntries(env) };

    return { ...sources(given), order };
  }

  /** The letter of the token's address, `?` if that is missing, or the places of a refusal. */
  function outcome(order: readonly Place[], addresses: string[], tokenPlace: Place): string {
    const given = withToken(order, addresses, tokenPlace);
    try {
      const { baseUrl } = findAccount(given);
      return Object.keys(LETTERS).find((letter) => LETTERS[letter] === baseUrl?.value) ?? "?";
    } catch (error) {
      const { message } = error as DomainMonitoringError;
      const places = [...message.matchAll(ORIGIN)].map(([said]) =>
        order.findIndex((place) => said === ORIGINS[place]),
      );

      return `refused: ${places[0]}${places[1]} not ${places[2]}`;
    }
  }

  // Addresses of the places from first to last, and the outcome for a token in the first, the
  // second, the third.
  const TABLE: [addresses: string, ...outcomes: [string, string, string]][] = [
    ["- - -", "?", "?", "?"],
    ["a - -", "a", "a", "a"],
    ["- a -", "a", "a", "a"],
    ["- - a", "a", "a", "a"],
    ["a A -", "a", "a", "a"],
    ["a - A", "a", "a", "a"],
    ["- a A", "a", "a", "a"],
    ["a A a", "a", "a", "a"],
    ["a b -", "a", "refused: 11 not 0", "a"],
    ["a - b", "a", "a", "refused: 22 not 0"],
    ["- a b", "a", "a", "refused: 22 not 1"],
    ["a A b", "a", "a", "refused: 22 not 0"],
    ["a b b", "a", "refused: 11 not 0", "refused: 22 not 0"],
    ["a b c", "a", "refused: 11 not 0", "refused: 22 not 0"],
    // Nobody uses the second address.
    ["a b A", "a", "refused: 11 not 0", "a"],
    ["a c -", "a", "refused: 11 not 0", "a"],
  ];

  const ORDERS: Place[][] = [
    ["arguments", "stack config", "environment"],
    ["arguments", "environment", "stack config"],
  ];

  test.each(TABLE)("addresses %s: each place's token is for %s, %s, %s", (all, ...outcomes) => {
    for (const order of ORDERS)
      expect(order.map((place) => outcome(order, all.split(" "), place))).toEqual(outcomes);
  });

  test("the first of several tokens is the only one that counts", () => {
    const named = (apiToken: string) => ({ baseUrl: `https://${apiToken}.example.com`, apiToken });
    const { baseUrl, apiToken } = SETTINGS;
    const [one, two, explicit] = [named("one"), named("two"), named("three")];
    const stack = { [baseUrl.key]: one.baseUrl, [apiToken.key]: one.apiToken };
    const env = { [baseUrl.variable]: two.baseUrl, [apiToken.variable]: two.apiToken };

    expect(resolve({ stack, env })).toMatchObject(one);
    expect(resolve({ explicit, stack, env })).toMatchObject(explicit);
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
test.each([
  ["explicit", "argument "],
  ["stack", "stack config domain-monitoring:"],
  ["env", "environment variable DOMAIN_MONITORING_"],
] as const)("what is not valid is refused by its origin, and not repeated: %s", (where, origin) => {
  const { explicit, ...given } = place(where, "apiToken", "Bearer token-secret");
  const token = refusal({ ...given, explicit: { baseUrl: ACCOUNT.baseUrl, ...explicit } });
  const address = refusal(place(where, "baseUrl", "https://user:password-secret@example.com"));

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
  test("waits out a window of a minute unless it is set", () => {
    expect(resolve({ explicit: ACCOUNT })).toMatchObject({ timeoutMs: 120_000 });
  });

  test.each([
    ["timeoutSeconds", "30", { timeoutMs: 30_000 }],
    ["timeoutSeconds", "0.25", { timeoutMs: 250 }],
    ["timeoutSeconds", "2000000", { timeoutMs: 2_000_000_000 }],
    ["maxRetries", "0", { maxRetries: 0 }],
    ["maxRetries", "100", { maxRetries: 100 }],
    ["concurrency", "1", { concurrency: 1 }],
    ["concurrency", " 1000 ", { concurrency: 1000 }],
  ] as const)("takes %s %j", (name, text, expected) => {
    const all = { ...DEFAULTED, ...expected };
    for (const where of PLACES)
      expect(resolve(besideAccount(place(where, name, text)))).toEqual(all);
  });

  test.each([
    ["timeoutSeconds", "0", 2_000_000],
    ["timeoutSeconds", "2000001", 2_000_000],
    ["timeoutSeconds", "30s", 2_000_000],
    ["timeoutSeconds", "Infinity", 2_000_000],
    ["maxRetries", "2.5", 100],
    ["maxRetries", "101", 100],
    ["concurrency", "0", 1000],
    ["concurrency", "-1", 1000],
    ["concurrency", "0x10", 1000],
  ] as const)("refuses %s %j wherever it is, with the largest number", (name, text, largest) => {
    for (const where of PLACES)
      expect(refusal(besideAccount(place(where, name, text)))).toContain(` ${largest}: `);
  });

  test.each([
    ["timeoutSeconds", "number from 0.001 to 2000000"],
    ["maxRetries", "whole number from 0 to 100"],
  ] as const)("refuses %s with the place to correct", (name, kind) => {
    const origins = ["argument", "stack config", "environment variable"];
    for (const [index, where] of PLACES.entries()) {
      const message = refusal(besideAccount(place(where, name, "many")));
      expect(message.startsWith(`${origins[index]} `)).toBe(true);
      expect(message).toContain(` is not a ${kind}: correct it or remove it`);
    }
  });
});

test("no message repeats the value of any setting", () => {
  const anyValue = fc.string({ unit: "grapheme", minLength: 8 });
  // Parts of the messages themselves could be drawn by chance only.
  const own = JSON.stringify([refusal({}), refusal({ explicit: { baseUrl: "x" } })]);
  const [anyName, anyPlace] = [fc.constantFrom(...NAMES), fc.constantFrom(...PLACES)];
  fc.assert(
    fc.property(anyName, anyPlace, anyValue, (name, where, value) => {
      const { explicit, ...given } = place(where, name, value);
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
