/** Reads a rules file, YAML or JSON, and says what is wrong in it by line. */
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from "yaml";
import type { z } from "zod";
import { messageOf } from "../../common/text";
import { readGiven } from "../output";
import { type Group, type Rules, rulesSchema } from "./schema";

/**
 * Reads a rules file, if there is one. @throws Error with one line, which has the place of each
 * problem
 */
export async function readRules(file: string | undefined, now: Date): Promise<Rules> {
  return file === undefined
    ? { groups: [] }
    : parseRules(await readGiven(file, "--rules"), file, now);
}

/** A problem, and where in the text it begins. */
interface Problem {
  offset: number;
  problem: string;
}

/**
 * The rules in a text. @param source is used in messages @throws Error with one line, which has the
 * place of each problem
 */
export function parseRules(content: string, source: string, now: Date): Rules {
  const lines = new LineCounter();
  const document = parseDocument(content.replace(/^\ufeff/, ""), {
    lineCounter: lines,
    prettyErrors: false,
  });

  const refuse = (problems: readonly Problem[]): never => {
    const said = problems.map(({ offset, problem }) => {
      const { line } = lines.linePos(offset);
      return `${source}:${line}: ${problem}`;
    });

    throw new Error(said.join("; "));
  };

  const broken = [...syntaxProblems(document), ...aliasProblems(document)];
  if (broken.length > 0) return refuse(broken.slice(0, 1));

  const found = rulesSchema(now).safeParse(toValue(document, source), {
    error: wrongKind,
    reportInput: true,
  });

  if (found.success) return { ...found.data, groups: inOrder(found.data.groups, document) };

  return refuse(
    found.error.issues.flatMap(schemaProblems).map(({ path, problem }) => ({
      offset: offsetOf(document, path),
      problem: `${path.join(".") || "the file"} ${problem}`,
    })),
  );
}

function syntaxProblems({ errors }: Document): Problem[] {
  return errors.map(({ pos, message }) => ({
    offset: pos[0],
    problem: `not valid YAML or JSON: ${message}`,
  }));
}

/** Groups in the order of the file: an object has names of digits first. */
function inOrder(groups: Record<string, Group> = {}, document: Document): Rules["groups"] {
  const node = document.get("groups", true);
  const ordered: unknown = isNode(node) ? node.toJS(document, { mapAsMap: true }) : undefined;
  const names = ordered instanceof Map ? [...ordered.keys()].map((key) => String(key).trim()) : [];

  return names.flatMap((name) => {
    const group = groups[name];
    return group === undefined ? [] : { ...group, name };
  });
}

/** YAML takes a word that begins with `*` for a reference to another place. */
function aliasProblems(document: Document): Problem[] {
  const problems: Problem[] = [];
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document)) return;
      const pattern = `*${alias.source}`;
      const problem = `YAML takes ${pattern} for an alias: put it in quotes, "${pattern}"`;
      problems.push({ offset: alias.range?.[0] ?? 0, problem });
    },
  });

  return problems;
}

/** Too many aliases are found only here. */
function toValue(document: Document, source: string): unknown {
  try {
    return document.toJS() ?? {};
  } catch (error) {
    throw new Error(`${source}: not valid YAML or JSON: ${messageOf(error)}`);
  }
}

/** Problem text for a value of another kind, unless its schema has one. */
function wrongKind({ code, expected }: z.core.$ZodRawIssue): string | undefined {
  if (code !== "invalid_type") return undefined;
  return expected === "array"
    ? "is not a list: write it as [one, another]"
    : "is not a group of rules: write it as { name: value }";
}

function schemaProblems(issue: z.core.$ZodIssue): { path: PropertyKey[]; problem: string }[] {
  const { path, message } = issue;
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({
        path: [...path, key],
        problem: "is not a rule of this version: correct or remove it",
      }));
    case "invalid_key":
      return issue.issues.map((ofKey) => ({ path, problem: ofKey.message }));
    case "custom":
    case "invalid_type":
      return [{ path, problem: issue.input === undefined ? "is missing: add it" : message }];
    default:
      return [{ path, problem: message }];
  }
}

/**
 * Where the key of a value begins, or the value in a list; otherwise what should have it, or the
 * alias that it is behind.
 */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  const holder = document.getIn(path.slice(0, -1), true);
  const pair = isMap<Node>(holder)
    ? holder.items.find(({ key }) => isScalar(key) && String(key.value) === String(path.at(-1)))
    : undefined;

  const found = pair?.key ?? document.getIn(path, true) ?? holder;
  if (isNode(found)) return found.range?.[0] ?? 0;

  return path.length > 0 ? offsetOf(document, path.slice(0, -1)) : 0;
}
