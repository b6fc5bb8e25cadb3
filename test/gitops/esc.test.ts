/**
 * The environments for Pulumi ESC. They use values, references and secrets, which are evaluated
 * here like in ESC, and this package's own settings read the result.
 * docs/contributing/what-was-run.md says how far ESC itself was tried.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { resolveConfiguration } from "../../src/config";
import { SETTINGS } from "../../src/names";
import { root } from "./support/copy";
import { load } from "./support/files";

interface Value {
  value: string;
  isSecret: boolean;
}

type Environment = { values: Record<string, unknown> };

/** The values of a section, by name. */
function evaluated(
  file: string,
  section: "pulumiConfig" | "environmentVariables",
): Map<string, Value> {
  const { values } = load<Environment>(file);
  const entries = Object.entries((values[section] ?? {}) as object);
  return new Map(entries.map(([name, expression]) => [name, evaluate(expression, values)]));
}

function evaluate(expression: unknown, values: unknown): Value {
  if (typeof expression === "object" && expression !== null && "fn::secret" in expression) {
    const secret = expression["fn::secret"];

    // ESC: "secret values must be string literals".
    expect(typeof secret).toBe("string");
    return { value: String(secret), isSecret: true };
  }

  const reference = /^\$\{(.*)\}$/.exec(String(expression))?.[1];
  if (reference === undefined) return { value: String(expression), isSecret: false };

  const found = reference
    .split(".")
    .reduce((at, name) => (at as Record<string, unknown>)[name], values);

  expect(found).toBeDefined();

  return evaluate(found, values);
}

function settingsOf(config: Map<string, Value>, environment: Map<string, Value>) {
  return resolveConfiguration({
    stackConfig: (key) => {
      const found = config.get(key);
      return found && { value: found.value, plaintext: !found.isSecret };
    },
    environment: Object.fromEntries([...environment].map(([name, { value }]) => [name, value])),
  });
}

const none = new Map<string, Value>();
const account = {
  origin: "https://domainwarden.app",
  pathPrefix: "",
  apiToken: "the-token-of-the-account",
};

/** Names without a setting. */
function unknownSettings(names: Iterable<string>, of: "key" | "variable"): string[] {
  const known = Object.values(SETTINGS).map((setting) => setting[of]);
  return [...names].filter((name) => !known.includes(name));
}

it("the environment with stack config has what a stack needs, and the project settings that the quickstart reads", () => {
  const config = evaluated("esc/stack-config.yaml", "pulumiConfig");
  expect(settingsOf(config, none)).toMatchObject({ account, timeoutMs: 60_000 });

  const program = readFileSync(path.join(root, "examples/quickstart/index.ts"), "utf8");
  const others = unknownSettings(config.keys(), "key");
  expect(others).toHaveLength(2);

  for (const key of others)
    expect(program).toContain(
      `config.${config.get(key)?.isSecret ? "requireSecret" : "require"}("${key}")`,
    );
});

it("the environment with variables has what a stack or a command needs, and nothing else", () => {
  const variables = evaluated("esc/variables.yaml", "environmentVariables");
  expect(unknownSettings(variables.keys(), "variable")).toEqual([]);
  expect(settingsOf(none, variables)).toMatchObject({ account, timeoutMs: 60_000 });
  expect(variables.get(SETTINGS.apiToken.variable)?.isSecret).toBe(true);
});

it("the stack's file contains an environment and existing settings, none of them secret", () => {
  const { environment, config, ...others } = load<{
    environment: string[];
    config: Record<string, unknown>;
  }>("esc/stack-settings.yaml");

  expect(others).toEqual({});
  expect(environment).toEqual(["domain-monitoring/prod"]);
  expect(unknownSettings(Object.keys(config), "key")).toEqual([]);
  expect(config).not.toHaveProperty([SETTINGS.apiToken.key]);

  // The stack's own values win.
  const own = Object.entries(config).map(([key, value]): [string, Value] => [
    key,
    { value: String(value), isSecret: false },
  ]);

  const merged = new Map([...evaluated("esc/stack-config.yaml", "pulumiConfig"), ...own]);
  expect(settingsOf(merged, none)).toMatchObject({ account, timeoutMs: 90_000 });
});
