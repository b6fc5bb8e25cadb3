/**
 * The environments for Pulumi ESC name settings that exist, and have the token as a secret.
 * docs/contributing/what-was-run.md says how far ESC itself was tried.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { SETTINGS } from "../../src/names";
import { root } from "./support/copy";
import { load } from "./support/files";

type Values = Record<string, unknown>;

interface Environment {
  values: { domainMonitoring: Values; pulumiConfig: Values; environmentVariables: Values };
}

const account = {
  baseUrl: "https://domainwarden.app",
  apiToken: { "fn::secret": expect.any(String) },
};

/** A value of the account, as ESC refers to it. */
const reference = (name: keyof typeof account) => `\${domainMonitoring.${name}}`;

/** Names without a setting. */
function unknownSettings(values: Values, of: "key" | "variable"): string[] {
  const known = Object.values(SETTINGS).map((setting) => setting[of]);
  return Object.keys(values).filter((name) => !known.includes(name));
}

it("the environment with stack config has what a stack needs, and the project settings that the quickstart reads", () => {
  const { domainMonitoring, pulumiConfig } = load<Environment>("esc/stack-config.yaml").values;
  expect(domainMonitoring).toEqual(account);
  expect(pulumiConfig).toMatchObject({
    [SETTINGS.baseUrl.key]: reference("baseUrl"),
    [SETTINGS.apiToken.key]: reference("apiToken"),
  });

  const program = readFileSync(path.join(root, "examples/quickstart/index.ts"), "utf8");
  const others = unknownSettings(pulumiConfig, "key");
  expect(others).toHaveLength(2);

  for (const name of others) {
    const isSecret = typeof pulumiConfig[name] === "object";
    expect(program).toContain(`config.${isSecret ? "requireSecret" : "require"}("${name}")`);
  }
});

it("the environment with variables has what a stack or a command needs, and nothing else", () => {
  const { values } = load<Environment>("esc/variables.yaml");
  expect(values.domainMonitoring).toEqual(account);
  expect(values.environmentVariables).toMatchObject({
    [SETTINGS.baseUrl.variable]: reference("baseUrl"),
    [SETTINGS.apiToken.variable]: reference("apiToken"),
  });

  expect(unknownSettings(values.environmentVariables, "variable")).toEqual([]);
});

it("the stack's file names an environment and settings that exist, none of them secret", () => {
  const { config, ...others } = load<{ config: Values }>("esc/stack-settings.yaml");
  expect(others).toEqual({ environment: ["domain-monitoring/prod"] });
  expect(unknownSettings(config, "key")).toEqual([]);
  expect(config).not.toHaveProperty([SETTINGS.apiToken.key]);
});
