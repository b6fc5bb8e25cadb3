"use strict";
// The package's public API: every export of every entry point with its comment and members. Reads
// src/ with the TypeScript compiler, so that types are those that a user's compiler sees.
const path = require("node:path");
const ts = require("typescript");
const { compiled, root } = require("../sources.cjs");

const PACKAGE = "pulumi-domain-monitoring";

/** Prints types without their file, which would be a path of this machine. */
const PRINTED =
  ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

/** Entry points, in the order of package.json. */
function entryPoints() {
  const { exports } = require("../../package.json");
  return Object.entries(exports)
    .filter(([, target]) => typeof target === "object")
    .map(([key, { types }]) => ({
      name: key === "." ? PACKAGE : PACKAGE + key.slice(1),
      file: path.join(root, types.replace("./dist/", "src/").replace(/\.d\.ts$/, ".ts")),
    }));
}

/** Files that users do not import but whose types are public: the commands' JSON output. */
const DOCUMENTS = ["src/cli/report/model.ts", "src/cli/channels/list.ts"];

/** Reads the comment and the exports of every entry point and JSON document. */
function readApi() {
  const documents = DOCUMENTS.map((file) => ({ name: file, file: path.join(root, file) }));
  const entries = [...entryPoints(), ...documents];
  const program = compiled();
  const checker = program.getTypeChecker();
  return entries.map((entry) => {
    const source = program.getSourceFile(entry.file);
    const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source));
    return { ...entry, declarations: exported.map((symbol) => describe(checker, symbol)) };
  });
}

/** Describes one export. */
function describe(checker, exported) {
  const symbol =
    exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const declaration =
    symbol.declarations.find((node) => ts.isVariableDeclaration(node)) ?? symbol.declarations[0];
  return {
    name: exported.name,
    ...documentation(checker, symbol),
    members: members(checker, symbol, declaration),
    types: (printed) => typesOf(checker, symbol, printed),
  };
}

/**
 * An interface and those that it names, a line for each member with its comment. `printed` has the
 * names that a page shows already: each interface is shown once.
 */
function typesOf(checker, first, printed) {
  const symbols = new Set([first]);
  const texts = [];
  for (const symbol of symbols) {
    const own = checker.getDeclaredTypeOfSymbol(symbol);
    const bases = checker.getBaseTypes(own).filter((base) => base.isClassOrInterface());
    const inherited = bases.flatMap((base) => checker.getPropertiesOfType(base));
    const properties = checker
      .getPropertiesOfType(own)
      .filter((property) => !inherited.includes(property));
    for (const base of bases) symbols.add(base.symbol);
    const lines = properties.flatMap((property) => {
      const { type: node, questionToken } = property.declarations[0];
      const type = checker.getTypeFromTypeNode(node);
      for (const inner of interfacesIn(checker, type)) symbols.add(inner);
      // What is the type of a member elsewhere is shown in full.
      const shown = /\["/.test(node.getText())
        ? checker.typeToString(type, node, PRINTED)
        : node.getText();
      const text = `${property.name}${questionToken ? "?" : ""}: ${named(shown)};`;
      return memberLines(text, oneLine(documentation(checker, property).text), "  ");
    });
    if (printed.has(symbol.name)) continue;
    printed.add(symbol.name);
    const heritage = bases.map((base) => ` extends ${base.symbol.name}`).join("");
    texts.push([`interface ${symbol.name}${heritage} {`, ...lines, "}"].join("\n"));
  }
  return texts.join("\n\n");
}

const WIDTH = 110;

/** A member with its comment beside it, or above it where both do not fit on a line. */
function memberLines(text, comment, indent = "") {
  const beside = `${indent}${text} // ${comment}`;
  if (beside.length <= WIDTH) return [beside];
  const lines = [""];
  for (const word of comment.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (indent.length + 3 + longer.length <= WIDTH) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return [...lines.map((line) => `${indent}// ${line}`), `${indent}${text}`];
}

/** The package's own interfaces in a type, also in a list or beside null. */
function interfacesIn(checker, type) {
  if (type.isUnion()) return type.types.flatMap((one) => interfacesIn(checker, one));
  if (checker.isArrayType(type)) return interfacesIn(checker, checker.getTypeArguments(type)[0]);
  return type.isClassOrInterface() && isOurs(type.symbol.declarations[0]) ? [type.symbol] : [];
}

/** An open list of values as readers know it. */
function named(type) {
  return type.replace(/OpenEnum<([^>]*)>/, "$1 | string");
}

function documentation(checker, symbol) {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  const tags = symbol
    .getJsDocTags(checker)
    .map(({ name, text: parts }) => ({ name, text: ts.displayPartsToString(parts) }));
  return { text, tags };
}

/**
 * Members of a class, static ones first, or an interface that src/ declares; the SDK documents
 * those of its own.
 */
function members(checker, symbol, declaration) {
  const isObject = ts.isTypeAliasDeclaration(declaration)
    ? ts.isTypeReferenceNode(declaration.type) || ts.isMappedTypeNode(declaration.type)
    : ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration);
  if (!isObject) return [];
  const types = [checker.getDeclaredTypeOfSymbol(symbol)];
  if (ts.isClassDeclaration(declaration)) types.unshift(checker.getTypeOfSymbol(symbol));
  return types
    .flatMap((type) => checker.getPropertiesOfType(type))
    .filter(({ declarations = [] }) => declarations.some(isOurs))
    .map((property) => member(checker, property, declaration))
    .sort((one, other) => isExperimental(one) - isExperimental(other));
}

function isExperimental({ tags }) {
  return Number(tags.some(({ name }) => name === "experimental"));
}

/** A function or constructor without its body, on one line. */
function head(node) {
  const whole = node
    .getText()
    .slice(0, node.body ? node.body.getStart() - node.getStart() : undefined);
  return oneLine(whole.replace(/^export /, ""))
    .replace(/;$/, "")
    .replace(/\b(async|override) /g, "")
    .replace(/\( /g, "(")
    .replace(/,? \)/g, ")");
}

function isHidden(node) {
  const isPrivate =
    ts.getCombinedModifierFlags(node) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected);
  return isPrivate || ts.getJSDocTags(node).some((tag) => tag.tagName.text === "internal");
}

function isOurs(node) {
  const name = node.name ?? node;
  if (ts.isPrivateIdentifier(name) || isHidden(node)) return false;
  return (
    node.getSourceFile().fileName.startsWith(`${root}${path.sep}src`) &&
    !ts.isConstructorDeclaration(node)
  );
}

function member(checker, symbol, location) {
  const declaration = symbol.declarations.find(isOurs);
  const isOptional = Boolean(symbol.flags & ts.SymbolFlags.Optional);
  const isStatic = Boolean(ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Static);
  const isCallable = ts.isMethodDeclaration(declaration) || ts.isMethodSignature(declaration);
  const written =
    declaration.type &&
    symbol.declarations.length === 1 &&
    !(symbol.flags & ts.SymbolFlags.Transient);
  const type = checker.getTypeOfSymbolAtLocation(symbol, location);
  const printed = checker.typeToString(type, location, PRINTED);
  const source = declaration.type?.getText() ?? "";
  // An argument or an output that is made from a value shows the type of the value as written.
  const [, wrapper] = /^pulumi\.(Input|Output)/.exec(printed) ?? [];
  const isMade = source !== "" && wrapper !== undefined && !source.includes("pulumi.");
  const made = isMade ? `pulumi.${wrapper}<${source}>` : printed;
  const shown = written ? source : made;
  return {
    name: symbol.name.startsWith("__@")
      ? `[Symbol.${symbol.name.slice(3).split("@")[0]}]`
      : symbol.name,
    isOptional,
    isStatic,
    isOwn: declaration.parent === location,
    type: oneLine(
      isCallable
        ? head(declaration)
        : named(shown.replace(/ \| undefined$/, isOptional ? "" : "$&")),
    ),
    ...documentation(checker, symbol),
  };
}

function oneLine(text) {
  return text.replace(/\s+/g, " ").trim();
}

/** Names of declarations and members that have no comment of their own. */
function undocumented(api) {
  return api.flatMap(({ name: entry, declarations }) =>
    declarations.flatMap(({ name, text, members }) => [
      ...(text === "" ? [`${entry}: ${name}`] : []),
      ...members
        .filter((one) => one.text === "" && !one.tags.some((tag) => tag.name === "default"))
        .map((one) => `${entry}: ${name}.${one.name}`),
    ]),
  );
}

module.exports = { memberLines, oneLine, readApi, root, undocumented };
