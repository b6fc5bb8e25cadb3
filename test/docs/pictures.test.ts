/** The pictures of the pages show today's output. */
import { readFileSync } from "node:fs";

interface Pictures {
  page(): Promise<string>;
  digest(html: string): string;
  DIGESTS: string;
}

it("the picture of the page of pipelines shows what the command writes today", async () => {
  const pictures: Pictures = require("../../scripts/pictures.cjs");
  const shown: unknown = JSON.parse(readFileSync(pictures.DIGESTS, "utf8"));

  // If they differ: npm run generate -- pictures
  expect({ report: pictures.digest(await pictures.page()) }).toEqual(shown);
}, 30_000);
