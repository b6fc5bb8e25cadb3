/**
 * Every sample of a program with the plugin compiles in its language, against the SDK that is
 * generated from the schema. YAML has no SDK: its samples are previewed on the local service. A
 * language is skipped if its host is not on PATH, or if it needs packages from a registry; `npm run
 * release -- languages` has all of them.
 */
import { startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { realEngineAvailable } from "../support/engines";
import { COMPILERS, refusals } from "./support/compilers";
import { missing, record } from "./support/recorded";
import { samplesIn, unmarked } from "./support/samples";

const schema: { resources: object; functions: object } = require("../../src/plugin/schema.json");

it("the pages show no program with the plugin in a block that is not marked as one of its language", () => {
  expect(unmarked.map(({ place }) => place)).toEqual([]);
});

const rows: string[][] = [];

afterAll(() => {
  record("samples", ["language", "samples", "compiled by"], rows, Object.keys(COMPILERS).length);
});

describe.each(Object.entries(COMPILERS))("samples in %s", (language, compiler) => {
  it("are found for the schema, the pages and an example", () => {
    const places = samplesIn(language).map(({ place }) => place);
    const described = Object.keys({ ...schema.resources, ...schema.functions });

    expect(described.filter((token) => !places.some((place) => place.includes(token)))).toEqual([]);
    expect(places.filter((place) => place.startsWith("docs/")).length).toBeGreaterThan(0);
    expect(places.filter((place) => place.startsWith("examples/"))).toHaveLength(1);
  });

  const reason = missing(compiler.needs, compiler.fetches);
  const title = `compile, and one with a mistake does not, on the real engine${reason ? ` (${reason})` : ""}`;
  const compiling = async () => {
    // A sample may have a rule about changes, so these domains have none.
    const domains = [
      { id: "11111111-1111-4111-8111-111111111111", domain: "example.com" },
      { domain: "example.org" },
    ];
    await using service = await startEmulator({ lifecycle: "managed", domains });
    const samples = samplesIn(language);
    const [sample] = samples.filter(({ place }) => place.includes("index:NotificationChannel"));
    const code = sample?.code.replace(/label(?=[:=(])/i, "$&Wrong") ?? "";
    const mistake = { place: "a mistake", language, code };

    expect(await refusals(compiler, [...samples, mistake], service)).toEqual({
      "a mistake": expect.stringMatching(/labelWrong/i),
    });

    rows.push([language, String(samples.length), compiler.by]);
  };

  // The first run in Go compiles Pulumi's SDK.
  (realEngineAvailable && !reason ? it : it.skip)(title, compiling, 900_000);
});
