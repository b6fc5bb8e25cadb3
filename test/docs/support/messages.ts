/**
 * The package's messages to its users, read from the sources: texts of four words or more, with `…`
 * for the variable parts.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { root } from "./markdown";

/** A text and its file. */
export interface Message {
  file: string;
  text: string;
}

/** Left out, because they are documents and not messages. */
const NO_MESSAGES = [
  /^src\/cli\/report\/(calendar|html|html-style|junit|markdown|table|texts|timeline)\.ts$/,
  /^src\/cli\/channels\/(program|table)\.ts$/,
  /^src\/cli\/ci\/posts\.ts$/,
  /^src\/rules\/change-summary\.ts$/,
];

/** Calls with texts that describe an option or a policy, which `--help` and the reference show. */
const DESCRIBING = new Set(["description", "option", "requiredOption", "addHelpText", "print"]);

/** Every text of the sources that a user may read as a message. */
export function messagesOfSources(): Message[] {
  return (
    sources("src")
      .filter((file) => file.endsWith(".ts") && !NO_MESSAGES.some((pattern) => pattern.test(file)))
      .flatMap((file) => textsOf(file).map((text) => ({ file, text })))
      // A message has one line; a longer text is help.
      .filter(({ text }) => !text.includes("\n") && text.trim().split(/\s+/).length >= 4)
  );
}

/** The fixed parts of a text, without the punctuation that joins them to the variable parts. */
export function fixedParts(text: string): string[] {
  return text
    .split("…")
    .map((part) => part.replace(/^[\s:;,.()]+|[\s:;,.()]+$/g, ""))
    .filter((part) => part.includes(" "));
}

function sources(directory: string): string[] {
  return readdirSync(path.join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(directory, entry.name);
    return entry.isDirectory() ? sources(file) : [file];
  });
}

function textsOf(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(root, file), "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );

  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isDescription(node)) return;
    // A chain of calls contains the calls before it; only the arguments of the last one are
    // descriptions.
    if (ts.isCallExpression(node) && DESCRIBING.has(nameOf(node))) {
      visit(node.expression);
      return;
    }

    const text = textOf(node);
    if (text === undefined) ts.forEachChild(node, visit);
    else {
      texts.push(text);
      // An expression in a template may contain texts itself.
      if (ts.isTemplateExpression(node))
        for (const span of node.templateSpans) visit(span.expression);
    }
  };

  visit(source);

  return texts;
}

function isDescription(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node)) return true;
  if (ts.isPropertyAssignment(node)) return node.name.getText() === "description";

  return ts.isNewExpression(node) && node.expression.getText() === "Option";
}

function nameOf({ expression }: ts.CallExpression): string {
  return (ts.isPropertyAccessExpression(expression) ? expression.name : expression).getText();
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join("");

  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken)
    return undefined;

  const [left, right] = [textOf(node.left), textOf(node.right)];

  return left === undefined || right === undefined ? undefined : left + right;
}
