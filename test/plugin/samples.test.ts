/**
 * Every sample of a program with the plugin compiles in its language, against the SDK that is
 * generated from the schema. YAML has no SDK: its samples are previewed on the local service. A
 * language is skipped if its host is not on PATH, or if it needs packages from a registry; `npm run
 * release -- test` has all of them.
 */
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { realEngineAvailable } from "../support/engines";
import { isOnPath } from "../support/on-path";
import { COMPILERS, refusals } from "./support/compilers";
import { mayFetch, record } from "./support/recorded";
import { samplesIn, unmarked } from "./support/samples";

const schema: { resources: object; functions: object } = require("../../src/plugin/schema.json");

/** Why a language cannot be compiled here. */
function missing(language: string): string | undefined {
  const { needs, fetches } = COMPILERS[language] ?? { needs: [], fetches: false };
  const absent = needs.find((command) => !isOnPath(command));
  if (absent) return `there is no ${absent} on PATH`;

  return fetches && !mayFetch
    ? "it fetches packages: `npm run release -- test` compiles them"
    : undefined;
}

it("the pages show no program with the plugin in a block that is not marked as one of its language", () => {
  expect(unmarked.map(({ place }) => place)).toEqual([]);
});

const rows: string[][] = [];

afterAll(() => {
  record("samples", ["language", "samples", "compiled by"], rows, Object.keys(COMPILERS).length);
});

describe.each(Object.keys(COMPILERS))("samples in %s", (language) => {
  it("are found for the schema, the pages and an example", () => {
    const places = samplesIn(language).map(({ place }) => place);
    const described = Object.keys({ ...schema.resources, ...schema.functions });

    expect(described.filter((token) => !places.some((place) => place.includes(token)))).toEqual([]);
    expect(places.filter((place) => place.startsWith("docs/")).length).toBeGreaterThan(0);
    expect(places.filter((place) => place.startsWith("examples/"))).toHaveLength(1);
  });

  const reason = missing(language);
  const title = `compile, and one with a mistake does not, on the real engine${reason ? ` (${reason})` : ""}`;
  const compiling = async () => {
    // A sample may have a rule about changes, so these domains have none.
    const domains = [
      { id: "11111111-1111-4111-8111-111111111111", domain: "example.com" },
      { domain: "example.org" },
    ];
    const service: Emulator = await startEmulator({ lifecycle: "managed", domains });
    try {
      const samples = samplesIn(language);
      const [sample] = samples.filter(({ place }) => place.includes("index:NotificationChannel"));
      const code = sample?.code.replace(/label(?=[:=(])/i, "$&Wrong") ?? "";
      const mistake = { place: "a mistake", language, code };

      expect(await refusals(language, [...samples, mistake], service)).toEqual({
        "a mistake": expect.stringMatching(/labelWrong/i),
      });

      rows.push([language, String(samples.length), COMPILERS[language]?.by ?? ""]);
    } finally {
      await service.close();
    }
  };

  // The first run in Go compiles Pulumi's SDK.
  (realEngineAvailable && !reason ? it : it.skip)(title, compiling, 900_000);
});
