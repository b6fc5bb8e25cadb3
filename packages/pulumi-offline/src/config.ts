/**
 * The configuration of a stack: the options', then the stack's file, then values and defaults of
 * the project file.
 */
import { existsSync, readFileSync } from "node:fs";
import { plural } from "./diagnostics";
import { parseYaml } from "./sdk";
import { isObject, isSecret, type Properties, secret } from "./state/values";
import type { TestStackOptions } from "./types";

/** The configuration of a project in files. */
export interface ConfigFiles {
  /** The project file's own `config` section, by the keys as they are there. */
  declared: Properties;

  /** The stack's file, which there need not be. */
  stackFile: string | undefined;
}

/** The declaration of one key in the project file. */
interface Declared extends Typed {
  default?: unknown;
  value?: unknown;
  secret?: boolean;
}

interface Typed {
  type?: string;

  /** Type of the elements of an array. */
  items?: Typed;
}

/**
 * The configuration by full key: texts, secrets marked. The words of what is refused are the real
 * engine's.
 *
 * @throws where a value is missing, or is not what the project file declares
 */
export function stackConfig(
  project: { name: string; stack: string; config: ConfigFiles },
  { config = {}, secrets = {} }: TestStackOptions,
): Properties {
  const { name, stack } = project;
  const given: Properties = {};

  for (const [key, value] of Object.entries(config)) given[fullKey(name, key)] = value;
  for (const [key, value] of Object.entries(secrets)) given[fullKey(name, key)] = secret(value);
  const values = { ...readStackFile(name, project.config.stackFile, given), ...given };

  const declared = Object.entries(project.config.declared)
    .map(([key, declaration]) => ({
      key,
      full: fullKey(name, key),
      ...declarationOf(declaration),
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));

  for (const { full, default: otherwise, value } of declared)
    if (!(full in values)) values[full] = withSortedKeys(otherwise ?? value ?? undefined);

  const missing = declared.filter(
    ({ full }) => values[full] === undefined && full.startsWith(`${name}:`),
  );

  if (missing.length > 0) {
    const list = new Intl.ListFormat("en-GB").format(missing.map(({ key }) => `'${key}'`));

    throw new Error(
      `validating stack config: Stack '${stack}' is missing configuration ${plural("value", missing.length)} ${list}`,
    );
  }

  for (const { key, full, ...declaration } of declared) {
    const problem = problemOf(values[full], declaration);
    if (problem !== undefined) {
      const about = `Stack '${stack}' with configuration key '${key}'`;
      throw new Error(`validating stack config: ${about} ${problem}`);
    }
  }

  const known = Object.entries(values).filter(([, value]) => value !== undefined);

  return Object.fromEntries(
    known.map(([key, value]) => [key, isSecret(value) ? value : textOf(value)]),
  );
}

/** A configuration key with its namespace, which is the project's where none is given. */
export function fullKey(project: string, key: string): string {
  const [namespace, middle, last, ...more] = key.split(":");
  if (middle === undefined) return `${project}:${key}`;
  if (last === undefined) return key;
  if (middle === "config" && more.length === 0) return `${namespace}:${last}`;

  const form = "configuration keys should be of the form `<namespace>:<name>`";

  throw new Error(`could not parse ${key} as a configuration key (${form})`);
}

/** The values of the stack's file by full key; those that are encrypted must have been given. */
function readStackFile(project: string, path: string | undefined, given: Properties): Properties {
  if (path === undefined || !existsSync(path)) return {};

  const content = parseYaml(readFileSync(path, "utf8")) ?? {};
  const section = isObject(content) ? (content.config ?? {}) : undefined;
  if (!isObject(content) || !isObject(section))
    throw new Error(
      `${path} is not a stack's configuration: its config must be a mapping of keys to values`,
    );

  if (content.environment !== undefined) {
    const instead =
      "remove it, and give what the environment holds in the options config and secrets";

    throw new Error(
      `${path} names an environment, which the offline engine does not support: ${instead}`,
    );
  }

  // A key without a value stands for an empty text.
  const values = Object.fromEntries(
    Object.entries(section).map(([key, value]) => [
      fullKey(project, key),
      withSortedKeys(value ?? ""),
    ]),
  );

  const encrypted = Object.keys(values).filter(
    (key) => !(key in given) && isEncrypted(values[key]),
  );

  if (encrypted.length > 0) {
    const what = `encrypted values, which the offline engine cannot read: ${encrypted.join(", ")}`;
    throw new Error(`${path} holds ${what}; give each in the option secrets`);
  }

  return values;
}

function isEncrypted(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isEncrypted);
  if (!isObject(value)) return false;

  const parts = Object.entries(value);
  const [[key, text] = []] = parts;
  if (parts.length === 1 && key === "secure" && typeof text === "string") return true;

  return parts.some(([, part]) => isEncrypted(part));
}

/** A declaration may also be a value alone. */
function declarationOf(declaration: unknown): Declared {
  return isObject(declaration) ? declaration : { default: declaration ?? undefined };
}

/** The fault of a value whose type is declared, or undefined. */
function problemOf(value: unknown, declaration: Declared): string | undefined {
  if (declaration.type === undefined) return undefined;
  if (declaration.secret && !isSecret(value)) return "must be encrypted as it's secret";

  // The options have texts alone, which stand for arrays and objects as well.
  const plain = isSecret(value) ? value.value : value;
  const text = typeof plain === "object" ? plain : textOf(plain);
  const content =
    declaration.type === "array" || declaration.type === "object" ? parsed(text) : text;

  return isOf(declaration, content) ? undefined : `must be of type '${nameOf(declaration)}'`;
}

function parsed(text: unknown): unknown {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isOf({ type, items }: Typed, value: unknown): boolean {
  if (type === "string") return typeof value === "string";
  if (type === "integer")
    return typeof value === "string" ? /^[+-]?\d+$/.test(value) : Number.isInteger(value);

  if (type === "boolean")
    return typeof value === "boolean" || value === "true" || value === "false";

  if (type === "object") return isObject(value);

  return (
    Array.isArray(value) && items !== undefined && value.every((element) => isOf(items, element))
  );
}

function nameOf({ type = "", items }: Typed): string {
  return type === "array" && items !== undefined ? `array<${nameOf(items)}>` : type;
}

/** A value as the text that programs are given. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * A value of a YAML file as the real engine takes it: keys in order, and dates as texts of the form
 * that Go has.
 */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (value instanceof Date)
    return value
      .toISOString()
      .replace("T", " ")
      .replace(/\.?0*Z$/, " +0000 UTC");

  if (!isObject(value)) return value;

  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, withSortedKeys(value[key])]),
  );
}
