/**
 * Assets and archives among inputs: they are compared by their content, which for files is read
 * when they are registered.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { isObject, isSecret, mapElements, type Properties, SIGNATURE_KEY, secret } from "./values";

/**
 * The properties with the hash of each asset and archive in them. What is at a URL is not fetched:
 * its URL stands for it.
 *
 * @param cwd where the program runs, for relative paths
 * @throws where a file cannot be read
 */
export function withHashes(properties: Properties, cwd: string): Properties {
  const convert = (value: unknown): unknown => {
    if (isSecret(value)) return secret(convert(value.value));
    const inner = mapElements(value, convert);

    return isObject(inner) && SIGNATURE_KEY in inner
      ? { ...inner, hash: hashOf(inner, cwd) }
      : inner;
  };

  return convert(properties) as Properties;
}

function hashOf({ path, text, uri, assets }: Properties, cwd: string): string {
  if (typeof path === "string") return hashOfFile(resolve(cwd, path));
  if (typeof text === "string") return sha256(text);
  if (typeof uri === "string") return sha256(uri);

  const parts = isObject(assets) ? Object.entries(assets) : [];

  return hashOfParts(parts.map(([name, part]) => [name, isObject(part) ? part.hash : undefined]));
}

function hashOfFile(path: string): string {
  if (!statSync(path).isDirectory()) return sha256(readFileSync(path));
  return hashOfParts(readdirSync(path).map((name) => [name, hashOfFile(resolve(path, name))]));
}

function hashOfParts(parts: [name: string, hash: unknown][]): string {
  return sha256(JSON.stringify(parts.sort(([a], [b]) => (a < b ? -1 : 1))));
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
