/**
 * Declarations in src/ as the TypeScript compiler reads them, in the few type names that a schema
 * has.
 */
import path from "node:path";
import ts from "typescript";

/**
 * A type's name, the values of a closed list of texts, a list of one type, or an object. A `?` ends
 * the name of an optional property.
 */
export type Declared = string | [Declared] | { [name: string]: Declared };

/** A closed list of texts, in any order. */
export function anyOf(values: string[]): string {
  return values
    .map((value) => JSON.stringify(value))
    .sort()
    .join(" | ");
}

const SOURCES = path.join(__dirname, "../../../src");

/** The declarations by name, each given as `file#declaration`. */
export function declared(wanted: Record<string, string>): Record<string, Declared> {
  const file = (name: string) => path.join(SOURCES, `${name}.ts`);
  const places = Object.entries(wanted).map(
    ([name, place]) => [name, ...place.split("#")] as const,
  );

  const { config } = ts.readConfigFile(path.join(SOURCES, "../tsconfig.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(
    config.compilerOptions,
    path.join(SOURCES, ".."),
  );

  const program = ts.createProgram(
    places.map(([, name = ""]) => file(name)),
    { ...options, types: ["node"], incremental: false },
  );

  const checker = program.getTypeChecker();

  const entries = places.map(([name, source = "", declaration]) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file(source)) as ts.Node);
    const exported =
      module && checker.getExportsOfModule(module).find((symbol) => symbol.name === declaration);

    if (!exported) throw new Error(`src/${source}.ts exports no ${declaration}`);

    return [name, described(checker.getDeclaredTypeOfSymbol(exported))];
  });

  return Object.fromEntries(entries);

  function described(type: ts.Type): Declared {
    const parts = (type.isUnion() ? type.types : [type]).filter((part) => !isNothing(part));
    const all = (flag: ts.TypeFlags) => parts.every((part) => part.flags & flag);
    if (all(ts.TypeFlags.BooleanLike)) return "boolean";
    if (all(ts.TypeFlags.NumberLike)) return "number";

    const texts = parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
    if (texts.length > 0 && texts.length === parts.length) return anyOf(texts);
    // In an open list of values, the last part is an intersection with string.
    if (all(ts.TypeFlags.StringLike | ts.TypeFlags.Intersection)) return "string";

    const [only] = parts;
    if (only && checker.isArrayType(only))
      return checker.getTypeArguments(only as ts.TypeReference).map(described) as [Declared];

    return object(parts);
  }

  /** A property is required if each of the objects requires it. */
  function object(members: ts.Type[]): Declared {
    const found = new Map<string, { type: Declared; isRequired: boolean }>();
    for (const symbol of members.flatMap((member) => checker.getPropertiesOfType(member))) {
      const type = typeOf(symbol);
      if (!type || isNothing(type)) continue;

      const isOptional = Boolean(symbol.flags & ts.SymbolFlags.Optional) || mayBeNothing(type);
      const isEverywhere = members.every((member) => {
        const own = checker.getPropertyOfType(member, symbol.name);
        return own !== undefined && !(own.flags & ts.SymbolFlags.Optional);
      });

      found.set(symbol.name, { type: described(type), isRequired: !isOptional && isEverywhere });
    }

    const named = [...found].map(([name, { type, isRequired }]) => [
      isRequired ? name : `${name}?`,
      type,
    ]);

    return Object.fromEntries(named);
  }

  /** The type of a property. A resource has only the outputs that its class declares. */
  function typeOf(symbol: ts.Symbol): ts.Type | undefined {
    const [declaration] = symbol.declarations ?? [];
    if (!declaration) return undefined;

    const { parent } = declaration;
    if (!ts.isClassDeclaration(parent))
      return checker.getTypeOfSymbolAtLocation(symbol, declaration);

    if (
      !parent.getSourceFile().fileName.startsWith(SOURCES) ||
      !ts.isPropertyDeclaration(declaration)
    )
      return undefined;

    const { type } = declaration;
    const [inner] = type && ts.isTypeReferenceNode(type) ? (type.typeArguments ?? []) : [];

    return inner && checker.getTypeFromTypeNode(inner);
  }
}

function isNothing(type: ts.Type): boolean {
  return Boolean(type.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined));
}

function mayBeNothing(type: ts.Type): boolean {
  return type.isUnion() && type.types.some(isNothing);
}
