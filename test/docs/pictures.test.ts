import { readFileSync } from "node:fs";

interface Documents {
  report: string;
  comment: string;
}

interface Pictures {
  documents(): Promise<Documents>;
  digestsOf(documents: Documents): object;
  DIGESTS: string;
}

it("the pictures of the page of pipelines show what the command writes today", async () => {
  const pictures: Pictures = require("../../scripts/pictures.cjs");
  const shown: unknown = JSON.parse(readFileSync(pictures.DIGESTS, "utf8"));

  const written = pictures.digestsOf(await pictures.documents());

  // If they differ: npm run generate -- pictures
  expect(written).toEqual(shown);
}, 30_000);
