/** `/openapi.json` against the interface document, and answers against it: no more and no less. */
import { z } from "zod";
import type { Emulator, EmulatorOptions } from "../src";
import { OPERATIONS as SERVED } from "../src/served";
import { at, channel, EXPIRING, HEALTHY, SQL_TS, UNCHECKED } from "./examples";
import { ALSO_NULL, CREATE_BODY, ENUMS, OBJECTS, OCCURRING, OPERATIONS } from "./interface-facts";
import { ask, emulatorForTest, statusAndBody } from "./support";

interface Schema {
  type?: string | string[];
  format?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  $ref?: string;
  [keyword: string]: unknown;
}

interface Content {
  content: { "application/json": { schema: Schema } };
}

interface Operation {
  operationId: string;
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
  security: Record<string, string[]>[];
}

interface Document {
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, unknown> };
  paths: Record<string, Record<string, Operation>>;
}

/** It needs no token. */
async function descriptionOf({ url }: Emulator): Promise<Document> {
  return (await statusAndBody(await fetch(`${url}/openapi.json`))).body;
}

const documented = async (options?: EmulatorOptions) =>
  descriptionOf(await emulatorForTest({ listDomains: false, ...options }));

/** What is described where no option adds to the interface. */
let document: Document;

beforeAll(async () => {
  document = await documented();
});

function operationsOf({ paths }: Document): Operation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

/** The schema under a name such as `Domain.components.dns`. */
function schemaAt(name: string): Schema {
  const [root = "", ...path] = name.split(".");
  const { schemas } = document.components;
  return path.reduce((at, part) => at.properties?.[part] ?? {}, schemas[root] ?? {});
}

const FORMATS: Record<string, string> = {
  date: "DATE",
  "date-time": "ISO-UTC",
  "sql-timestamp": "SQL-TS",
  uri: "string (URL)",
};

/** The type of a field in the terms of the interface document. */
function typeOf({ $ref, type, format, items }: Schema): string {
  if ($ref !== undefined) return $ref.replace("#/components/schemas/", "");

  const names = [type ?? "anything"].flat().map((name) => {
    if (name === "null") return name;
    if (format !== undefined) return FORMATS[format] ?? format;
    return name === "array" ? `array of ${typeOf(items ?? {})}` : name;
  });

  return names.join(" or ");
}

/** What becomes of each member of an object. */
function mapped<T, R>(object: Record<string, T> = {}, change: (of: T, name: string) => R) {
  return Object.fromEntries(
    Object.entries(object).map(([name, of]): [string, R] => [name, change(of, name)]),
  );
}

const typesOf = ({ properties }: Schema) => mapped(properties, typeOf);

/** The expected description: a timestamp without a documented format is a plain string. */
const expected = (name: string, fields: Record<string, string>) =>
  mapped(fields, (type, field) => {
    const orNull = ALSO_NULL.includes(`${name}.${field}`) ? " or null" : "";
    return type.replace("timestamp", "string") + orNull;
  });

it.each(Object.entries(OBJECTS))("%s has exactly the interface's fields", (name, fields) => {
  const described = schemaAt(name);
  expect(typesOf(described)).toEqual(expected(name, fields));
  expect([...(described.required ?? [])].sort()).toEqual(Object.keys(fields).sort());
  expect(described.type).toBe("object");
});

describe("the description", () => {
  it("closes exactly those lists of values that the document closes, and shows those that occur", () => {
    const closed: Record<string, unknown> = {};
    const shown: Record<string, unknown> = {};
    for (const name of [...Object.keys(OBJECTS), "CreateNotificationChannel"]) {
      for (const [field, described] of Object.entries(schemaAt(name).properties ?? {})) {
        if (described.enum) closed[`${name}.${field}`] = described.enum;
        if (described.examples) shown[`${name}.${field}`] = described.examples;
      }
    }

    expect(closed).toEqual(ENUMS);
    expect(shown).toEqual(OCCURRING);
  });

  it("has exactly the four operations with their parameters, bodies and responses", () => {
    const contentOf = ({ content }: Content) => typeOf(content["application/json"].schema);
    const parametersOf = ({ parameters }: Operation) =>
      parameters.map(({ name, in: place, required, schema: each }) => {
        // The interface gives no limits of the page's number: lists begin with page 1.
        const limits = name === "page" ? {} : { default: each.default, maximum: each.maximum };
        return [name, { in: place, required, type: typeOf(each), ...limits }];
      });

    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const parameters = Object.fromEntries(parametersOf(operation));
        const body = operation.requestBody && contentOf(operation.requestBody);
        const successes = Object.entries(operation.responses).filter(([status]) =>
          status.startsWith("2"),
        );
        const answer = successes.map(([, response]) => contentOf(response)).join();
        return { method, path, parameters, body, answer };
      }),
    );

    expect(described).toEqual(OPERATIONS);
  });

  it("describes the fields of the create and their limits", () => {
    const body = schemaAt("CreateNotificationChannel");
    expect(typesOf(body)).toEqual(CREATE_BODY.fields);
    expect([...(body.required ?? [])].sort()).toEqual(CREATE_BODY.required);

    expect(mapped(body.properties, (field) => field.default)).toEqual(CREATE_BODY.defaults);
    expect(body.properties?.label).toMatchObject(CREATE_BODY.labelLength);
    expect(body.additionalProperties).toBe(false);

    for (const method of CREATE_BODY.webhookMethods)
      expect(body.properties?.secondary_value?.description).toContain(method);

    const methods = JSON.stringify([...CREATE_BODY.webhookMethods, null]);
    expect(JSON.stringify(body.anyOf)).toContain(methods);
  });

  it("names this address, and requires the bearer token of section 5 for every operation", async () => {
    const emulator = await emulatorForTest({ lifecycle: "managed" });
    const full = await descriptionOf(emulator);
    expect(full).toMatchObject({ openapi: "3.1.0", servers: [{ url: emulator.url }] });

    const [[name, scheme] = []] = Object.entries(full.components.securitySchemes);
    expect(scheme).toMatchObject({ type: "http", scheme: "bearer" });

    for (const { security } of operationsOf(full)) expect(security).toEqual([{ [name ?? ""]: [] }]);
  });

  it("has undocumented operations only with the options, and is otherwise the same", async () => {
    const full = await documented({ lifecycle: "managed", listDomains: true });
    const ids = operationsOf(full).map(({ operationId }) => operationId);
    expect(ids.sort()).toEqual(Object.keys(SERVED).sort());
    expect(full).toMatchObject({ ...document, servers: expect.anything() });
  });

  it.each<[EmulatorOptions, created: string, ...string[]]>([
    [{}, "201"],
    [{ createStatus: 202, rateLimit: { requests: 5, perSeconds: 1 } }, "202", "429"],
  ])("has every status that the options lead to: %j", async (options, created, ...limited) => {
    const operations = operationsOf(await documented(options));
    expect(operations.map(({ responses }) => Object.keys(responses))).toEqual([
      ["200", "401", "404", ...limited],
      ["200", "401", "404", "422", ...limited],
      ["200", "401", "404", "422", ...limited],
      [created, "400", "401", "404", "415", "422", ...limited],
    ]);
  });
});

/** The interface's formats, by their names in the description. */
const PATTERNS: Record<string, RegExp> = {
  date: /^\d{4}-\d\d-\d\d$/,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
  "sql-timestamp": SQL_TS,
};

/** A schema takes exactly the fields that are described, in exactly the interface's formats. */
function exactly(_key: string, schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return schema;

  const { format, ...described } = schema as { format?: unknown; properties?: unknown };
  const pattern = PATTERNS[String(format)]?.source;
  if (pattern !== undefined) return { ...described, pattern };

  return "type" in schema && "properties" in schema
    ? { ...schema, additionalProperties: false }
    : schema;
}

/** A validator of a schema that the document refers to. */
function validatorOf(reference: string): z.ZodType {
  const root = "#/components/schemas/";
  const definitions = JSON.stringify(document.components.schemas).replaceAll(root, "#/$defs/");

  return z.fromJSONSchema({
    $ref: reference.replace(root, "#/$defs/"),
    $defs: JSON.parse(definitions, exactly),
  });
}

it("domains have null where the document has none only before their first check", async () => {
  const emulator = await emulatorForTest();
  const found = async (id: string) => {
    const { body } = await ask(emulator, `GET ${at.domains}/${id}`);
    const { whois, dns } = body.components;
    return [body.expires_at, whois.latest_check_details, dns.latest_check_details];
  };

  for (const id of [HEALTHY, EXPIRING])
    expect(await found(id)).toEqual(Array(3).fill(expect.any(String)));

  expect(await found(UNCHECKED)).toEqual([null, null, null]);
});

it("responses are as they are described, with nothing missing and nothing more", async () => {
  const emulator = await emulatorForTest();
  const requests: [request: string, body?: unknown][] = [
    [`GET ${at.domain}`],
    [`GET ${at.domains}/${EXPIRING}`],
    [`GET ${at.domains}/${UNCHECKED}`],
    [`GET ${at.domains}/nobody`],
    [`GET ${at.whois}`],
    [`GET ${at.whois}?page=0`],
    [`GET ${at.dns}`],
    [`GET ${at.dns}?page=9`],
    [`POST ${at.channels}`, { ...channel, value: null }],
    [`POST ${at.channels}`, {}],
    [`POST ${at.channels}`, "{"],
  ];

  for (const [request, sent] of requests) {
    const { status, body } = await ask(emulator, request, sent);
    const { operation } = emulator.requests.at(-1) ?? {};
    const responses = operationsOf(document).find(
      (one) => one.operationId === operation,
    )?.responses;
    const described = responses?.[status]?.content["application/json"].schema;
    const schema = validatorOf(described?.$ref ?? "");

    expect(schema.safeParse(body)).toMatchObject({ success: true });

    for (const other of [{}, { another: 1, ...body }])
      expect(schema.safeParse(other)).toMatchObject({ success: false });
  }
});
