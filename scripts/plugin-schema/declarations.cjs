"use strict";
// Declarations in src/ in the terms of a Pulumi schema: the properties of a type, and its
// description by its comment. The compiler reads them, so that a mapped or extended type has what a
// user's compiler sees.
const path = require("node:path");
const ts = require("typescript");
const { compiled, root } = require("../sources.cjs");

/** Modules of which every export is known by its name. */
const MODULES = [
  "config",
  "program/domain",
  "program/functions",
  "program/notification-channel",
  "plugin/functions",
];

/** The interface's formats of dates, as users of other languages know them. */
const DATES = {
  "`SQL-TS`": "`YYYY-MM-DD hh:mm:ss`",
  "`ISO-UTC`": "`YYYY-MM-DDThh:mm:ss.ffffffZ`",
  "`DATE`": "`YYYY-MM-DD`",
};

/** A comment without what only readers of the sources, or users of the npm package, can use. */
function plain(parts) {
  return ts
    .displayPartsToString(parts)
    .replace(/\s+/g, " ")
    .replace(/ \(interface\.md, sections? [\d., and]+\)/g, "")
    .replace(/: see "[^"]*" at the package's homepage/, "")
    .replace(/^`(SQL-TS|ISO-UTC)`/, "Time: $&")
    .replace(/`(SQL-TS|ISO-UTC|DATE)`/g, (name) => DATES[name]);
}

const sentence = (text) => (text.endsWith(".") ? text : `${text}.`);

const pascal = (text) => text.replace(/(?:^|[-_])(\w)/g, (_all, letter) => letter.toUpperCase());

const isNothing = (type) => Boolean(type.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined));
const mayBeNothing = (type) => type.isUnion() && type.types.some(isNothing);

/**
 * The order of properties: by file, then as written. The compiler's own depends on what it has read
 * before.
 */
function byPlace({ symbol: one }, { symbol: other }) {
  const [here, there] = [one.declarations[0], other.declarations[0]];
  const files = [here, there].map((node) => node.getSourceFile().fileName);
  return files[0] === files[1] ? here.pos - there.pos : files[0] < files[1] ? -1 : 1;
}

class Declarations {
  #checker;
  #exported;
  #hand;
  #token;

  /** Interfaces that properties refer to, by their names in the schema. */
  #referred = new Map();

  /** Keys of the descriptions by hand that nothing has asked for. */
  #unused;

  /**
   * @param hand by-hand.json
   * @param token the address of a type in the schema
   */
  constructor(hand, token) {
    const files = MODULES.map((name) => path.join(root, "src", `${name}.ts`));
    const program = compiled();
    this.#checker = program.getTypeChecker();
    const symbols = files.flatMap((file) =>
      this.#checker.getExportsOfModule(
        this.#checker.getSymbolAtLocation(program.getSourceFile(file)),
      ),
    );
    this.#exported = new Map(symbols.map((symbol) => [symbol.name, symbol]));
    this.#hand = hand;
    this.#unused = new Set(Object.keys(hand.descriptions));
    this.#token = token;
  }

  /** The description of a function, or of a type by its name in the schema. */
  description(name, type) {
    const comment = () =>
      type === undefined
        ? this.#comment(this.#exported.get(name), { isExperimentalShown: true })
        : this.#comment(type.symbol);
    return this.#byHand(name) ?? comment();
  }

  #byHand(key) {
    this.#unused.delete(key);
    return this.#hand.descriptions[key];
  }

  #comment(symbol, { isDefaultShown = false, isExperimentalShown = false } = {}) {
    const tag = (name) => symbol.getJsDocTags(this.#checker).find((one) => one.name === name)?.text;
    const otherwise = isDefaultShown && tag("default");
    const experimental = isExperimentalShown && tag("experimental");
    return [
      plain(symbol.getDocumentationComment(this.#checker)),
      ...(otherwise ? [`Default: ${sentence(plain(otherwise))}`] : []),
      ...(experimental ? [`Experimental: ${sentence(plain(experimental))}`] : []),
    ].join(" ");
  }

  /** The types of a function's arguments and result, as the plugin has them. */
  functionTypes(name) {
    const all = this.#checker.getTypeOfSymbol(this.#exported.get("FUNCTIONS"));
    const definition = this.#checker.getPropertyOfType(all, name);
    const [args, result] = this.#checker.getTypeArguments(
      this.#checker.getTypeOfSymbol(definition),
    );
    return { args, result };
  }

  /**
   * The properties of an object, or of alternatives together; one is required if each alternative
   * requires it.
   *
   * @param given a type, or the name of an export
   * @param wanted names of the properties, in their order
   */
  object(given, { isInput = false, wanted } = {}) {
    const type =
      typeof given === "string"
        ? this.#checker.getDeclaredTypeOfSymbol(this.#exported.get(given))
        : given;
    const members = type.isUnion() ? type.types : [type];
    const found = new Map();
    for (const symbol of members.flatMap((member) => this.#checker.getPropertiesOfType(member))) {
      const own = this.#checker.getTypeOfSymbol(symbol);
      const isWanted = wanted === undefined || wanted.includes(symbol.name);
      if (isWanted && !isNothing(own)) found.set(symbol.name, { symbol, own });
    }
    const names = wanted
      ? wanted.filter((name) => found.has(name))
      : [...found.keys()].sort((one, other) => byPlace(found.get(one), found.get(other)));
    const isRequired = (name) =>
      !mayBeNothing(this.#unwrapped(found.get(name).own)) &&
      members.every((member) => {
        const property = this.#checker.getPropertyOfType(member, name);
        return property && !(property.flags & ts.SymbolFlags.Optional);
      });
    return {
      properties: Object.fromEntries(
        names.map((name) => [name, this.#property(found.get(name), isInput)]),
      ),
      required: names.filter(isRequired),
    };
  }

  #property({ symbol, own }, isInput) {
    const { name } = symbol;
    const place = `${symbol.declarations[0].parent.name?.text}.${name}`;
    const type = this.#valueType(own, name);
    const text =
      this.#byHand(place) ??
      this.#comment(symbol, { isDefaultShown: true, isExperimentalShown: isInput });
    // `pulumi do` shows it as the description of an option.
    const description = isInput && type.type ? text.replaceAll("`", "") : text;
    return { ...type, description };
  }

  /** The type of a value that is there. */
  #valueType(given, name) {
    const type = this.#unwrapped(given);
    const parts = (type.isUnion() ? type.types : [type]).filter((part) => !isNothing(part));
    const all = (flag) => parts.every((part) => part.flags & flag);
    if (all(ts.TypeFlags.BooleanLike)) return { type: "boolean" };
    if (all(ts.TypeFlags.NumberLike))
      return { type: this.#hand.fractions.includes(name) ? "number" : "integer" };
    const known = this.#enumOf(parts);
    if (known) return this.#reference(known);
    if (parts.every((part) => part.isStringLiteral()))
      throw new Error(`no enum of by-hand.json has the values of ${name}`);
    // In an open list of values, the last part is an intersection with string.
    if (all(ts.TypeFlags.StringLike | ts.TypeFlags.Intersection)) return { type: "string" };
    const [only, ...others] = parts;
    if (others.length === 0 && this.#checker.isArrayType(only))
      return {
        type: "array",
        items: this.#valueType(this.#checker.getTypeArguments(only)[0], name),
      };
    if (others.length > 0 || !only.isClassOrInterface())
      throw new Error(`no schema has the type of ${name}: ${this.#checker.typeToString(given)}`);
    const called = this.#hand.renamed[only.symbol.name] ?? only.symbol.name;
    if (!this.#referred.has(called)) this.#referred.set(called, only);
    return this.#reference(called);
  }

  #reference(name) {
    return { $ref: `#/types/${this.#token(name)}` };
  }

  /** The enum that has exactly these values; more may follow in an open list. */
  #enumOf(parts) {
    const texts = parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
    const isSame = ({ values }) =>
      Object.keys(values).length === texts.length && texts.every((one) => one in values);
    return Object.keys(this.#hand.enums).find((name) => isSame(this.#hand.enums[name]));
  }

  /** The value of an argument or an output. */
  #unwrapped(type) {
    const parts = type.isUnionOrIntersection() ? type.types : [type];
    const output = parts.find(({ symbol }) => symbol?.name === "OutputInstance");
    if (output) return this.#checker.getTypeArguments(output)[0];
    const inner = type.isUnion() ? parts.find((part) => part.isIntersection()) : undefined;
    return inner ? (this.#innerOf(inner) ?? type) : type;
  }

  #innerOf(type) {
    const inner = this.#unwrapped(type);
    return inner === type ? undefined : inner;
  }

  /** The types that properties refer to, and those that they refer to themselves. */
  referredTo() {
    const described = {};
    // A type that is found on the way is added to the end.
    for (const [name, type] of this.#referred)
      described[name] = {
        description: this.description(name, type),
        type: "object",
        ...this.object(type),
      };
    return described;
  }

  /** @throws Error if a description by hand belongs to nothing */
  refuseUnused() {
    if (this.#unused.size > 0)
      throw new Error(`by-hand.json describes what is not there: ${[...this.#unused].join(", ")}`);
  }
}

module.exports = { Declarations, pascal };
