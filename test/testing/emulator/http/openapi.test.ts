import { z } from "zod";
import {
  closeEmulators,
  DATE,
  EXPIRING,
  emulatorForTest,
  get,
  HEALTHY,
  ISO_UTC,
  postChannel,
  SQL_TS,
  UNCHECKED,
} from "../support";

afterEach(closeEmulators);

const content = z.object({ "application/json": z.object({ schema: z.object({ $ref: z.string() }) }) });
const operation = z.object({
  operationId: z.string(),
  responses: z.record(z.string(), z.object({ content })),
});
const openApi = z.object({
  openapi: z.string(),
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});
type OpenApi = z.infer<typeof openApi>;

async function documented() {
  const emulator = await emulatorForTest();
  const answer = await fetch(`${emulator.url}/openapi.json`);
  return { emulator, answer, document: openApi.parse(await answer.json()) };
}

/** The interface's formats, by their names in the description. */
const FORMATS: Record<string, RegExp> = { date: DATE, "date-time": ISO_UTC, "sql-timestamp": SQL_TS };

/** A schema takes exactly the fields that are described, in exactly the interface's formats. */
function exactly(_key: string, schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return schema;
  const { format, ...described } = schema as { format?: unknown; properties?: unknown };
  const pattern = FORMATS[String(format)]?.source;
  if (pattern !== undefined) return { ...described, pattern };
  return "type" in schema && "properties" in schema ? { ...schema, additionalProperties: false } : schema;
}

/** A validator of a schema that the document refers to. */
function validatorOf(document: OpenApi, reference: string): z.ZodType {
  const root = "#/components/schemas/";
  const definitions = JSON.stringify(document.components.schemas).replaceAll(root, "#/$defs/");
  return z.fromJSONSchema({
    $ref: reference.replace(root, "#/$defs/"),
    $defs: JSON.parse(definitions, exactly),
  });
}

describe("GET /openapi.json", () => {
  it("needs no token, and names this address", async () => {
    const { emulator, answer, document } = await documented();

    expect(answer.status).toBe(200);
    expect(document.openapi).toBe("3.1.0");
    expect(document.servers).toEqual([{ url: emulator.url }]);
  });

  it("describes every answer as it is", async () => {
    const { emulator, document } = await documented();
    const paths = Object.fromEntries(
      Object.values(document.paths).flatMap((methods) =>
        Object.values(methods).map((each) => [each.operationId, each.responses]),
      ),
    );
    const domain = `/api/domains/${HEALTHY}`;
    const valid = { label: "On call", type: "email", value: null };
    const answers: [operationId: string, answer: Response][] = [
      ["getDomain", await get(emulator, domain)],
      ["getDomain", await get(emulator, `/api/domains/${EXPIRING}`)],
      ["getDomain", await get(emulator, `/api/domains/${UNCHECKED}`)],
      ["getDomain", await get(emulator, "/api/domains/nobody")],
      ["getDomain", await fetch(emulator.url + domain)],
      ["listWhoisChanges", await get(emulator, `${domain}/changes/whois`)],
      ["listWhoisChanges", await get(emulator, `${domain}/changes/whois?page=0`)],
      ["listDnsChanges", await get(emulator, `${domain}/changes/dns`)],
      ["listDnsChanges", await get(emulator, `${domain}/changes/dns?page=9`)],
      ["createNotificationChannel", await postChannel(emulator, valid)],
      ["createNotificationChannel", await postChannel(emulator, {})],
      ["createNotificationChannel", await postChannel(emulator, "{")],
    ];

    for (const [operationId, answer] of answers) {
      const reference = paths[operationId]?.[answer.status]?.content["application/json"].schema.$ref ?? "";
      const schema = validatorOf(document, reference);
      const body: unknown = await answer.json();
      expect(schema.safeParse(body)).toMatchObject({ success: true });
      for (const other of [{}, Object.assign({ another: 1 }, body)])
        expect(schema.safeParse(other)).toMatchObject({ success: false });
    }
  });
});
