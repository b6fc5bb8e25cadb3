import { z } from "zod";
import { closeEmulators, EXPIRING, emulatorForTest, get, HEALTHY, postChannel, UNCHECKED } from "../support";

afterEach(closeEmulators);

const bounds = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean(),
  schema: z.record(z.string(), z.unknown()),
});
const content = z.object({ "application/json": z.object({ schema: z.object({ $ref: z.string() }) }) });
const operation = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(bounds),
  requestBody: z.object({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content })),
});
const openApi = z.object({
  openapi: z.string(),
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    schemas: z.record(z.string(), z.record(z.string(), z.unknown())),
    securitySchemes: z.record(z.string(), z.object({ type: z.string(), scheme: z.string() })),
  }),
});
type OpenApi = z.infer<typeof openApi>;

async function documented() {
  const emulator = await emulatorForTest();
  const answer = await fetch(`${emulator.url}/openapi.json`);
  return { emulator, answer, document: openApi.parse(await answer.json()) };
}

/** A validator of a schema that the document refers to. */
function validatorOf(document: OpenApi, reference: string): z.ZodType {
  const root = "#/components/schemas/";
  const definitions = JSON.stringify(document.components.schemas).replaceAll(root, "#/$defs/");
  return z.fromJSONSchema({ $ref: reference.replace(root, "#/$defs/"), $defs: JSON.parse(definitions) });
}

describe("GET /openapi.json", () => {
  it("needs no token and describes the four operations at this address", async () => {
    const { emulator, answer, document } = await documented();

    expect(answer.status).toBe(200);
    expect(document.openapi).toBe("3.1.0");
    expect(document.servers).toEqual([{ url: emulator.url }]);
    const operations = Object.entries(document.paths).map(([path, methods]) => [
      path,
      ...Object.entries(methods).map(([method, { operationId }]) => `${method} ${operationId}`),
    ]);
    expect(operations).toEqual([
      ["/api/domains/{id}", "get getDomain"],
      ["/api/domains/{domain_id}/changes/whois", "get listWhoisChanges"],
      ["/api/domains/{domain_id}/changes/dns", "get listDnsChanges"],
      ["/api/domains/{domain_id}/notification-channels", "post createNotificationChannel"],
    ]);
  });

  it("requires the bearer token for every operation and documents what can go wrong", async () => {
    const { document } = await documented();

    const statuses: Record<string, string[]> = {};
    for (const each of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
      const [scheme = ""] = each.security.flatMap((requirement) => Object.keys(requirement));
      expect(document.components.securitySchemes[scheme]).toMatchObject({ type: "http", scheme: "bearer" });
      statuses[each.operationId] = Object.keys(each.responses);
    }
    expect(statuses).toEqual({
      getDomain: ["200", "401", "404"],
      listWhoisChanges: ["200", "401", "404", "422"],
      listDnsChanges: ["200", "401", "404", "422"],
      createNotificationChannel: ["201", "400", "401", "404", "415", "422"],
    });
  });

  it("states the bounds of the query and of the label", async () => {
    const { document } = await documented();

    const list = document.paths["/api/domains/{domain_id}/changes/dns"]?.get;
    expect(list?.parameters).toMatchObject([
      { name: "domain_id", in: "path", required: true, schema: { type: ["string", "integer"] } },
      {
        name: "per_page",
        in: "query",
        required: false,
        schema: { type: "integer", minimum: 1, maximum: 100, default: 15 },
      },
      { name: "page", in: "query", required: false, schema: { type: "integer", minimum: 1 } },
    ]);
    expect(document.components.schemas.CreateNotificationChannel).toMatchObject({
      properties: { label: { minLength: 3, maxLength: 100 }, value: { type: ["string", "null"] } },
      required: ["label", "type", "value"],
    });
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
      expect(schema.safeParse(await answer.json())).toMatchObject({ success: true });
      expect(schema.safeParse({})).toMatchObject({ success: false });
    }
  });
});
