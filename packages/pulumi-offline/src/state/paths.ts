/** Property paths of the options `ignoreChanges` and `replaceOnChanges`. */
import { isObject, isSecret, type Properties } from "./values";

/**
 * A property path, as `ignoreChanges` and `replaceOnChanges` take it: `a`, `a.b`, `a[0]`, `a["b"]`,
 * or `*` alone.
 */
export type Path = (string | number)[];

export function parsePath(text: string): Path {
  const path: Path = [];
  for (const [, name, index, quoted] of text.matchAll(
    /([^.[\]]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/g,
  )) {
    if (index !== undefined) path.push(Number(index));
    else path.push(name ?? (quoted ?? "").replace(/\\(.)/g, "$1"));
  }

  return path;
}

/** The value at a path; secrets on the way are opened. */
export function valueAt(properties: Properties, path: Path): unknown {
  return path.reduce<unknown>((value, key) => {
    const inner = isSecret(value) ? value.value : value;
    return isObject(inner) || Array.isArray(inner) ? (inner as Properties)[key] : undefined;
  }, properties);
}

/** The new properties with the old value, or its absence, at each path. */
export function withOldValues(news: Properties, olds: Properties, paths: string[]): Properties {
  let result = structuredClone(news);
  for (const path of paths.map(parsePath)) {
    if (path[0] === "*") {
      result = structuredClone(olds);
      continue;
    }

    const key = path[path.length - 1];
    const parent = path.length === 1 ? result : valueAt(result, path.slice(0, -1));
    const target = (isSecret(parent) ? parent.value : parent) as Properties | undefined;
    if (key === undefined || typeof target !== "object" || target === null) continue;

    const old = valueAt(olds, path);

    if (old === undefined) delete target[key];
    else target[key] = old;
  }

  return result;
}
