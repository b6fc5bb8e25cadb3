/**
 * What is said of the service is what its interface says: of operations on a channel other than its creation, that they are
 * "not shown" (interface.md, section 4). That the service lacks them is more than anybody here knows.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./support/markdown";

const PLACES = ["src", "docs", "examples", "scripts", "README.md", "CHANGELOG.md"];
const TOO_MUCH = [
  /\bservice(?:'s interface)? (?:has no way to|can neither|cannot) (?:show|read|list|find|change|update|delete)\b/i,
  /\bservice that (?:only creates|cannot (?:show|read|change|delete))\b/i,
  /\b(?:nobody|nothing) can (?:change|delete)\b/i,
  /\bcreate a channel\W+(?:but |it can )?(?:can )?neither show\b/i,
];

function files(place: string): string[] {
  if (path.extname(place) !== "") return [place];
  return readdirSync(path.join(root, place), { recursive: true, encoding: "utf8" })
    .filter((name) => !name.includes("node_modules") && /\.(md|ts|js|mjs|cjs|ya?ml)$/.test(name))
    .map((name) => path.join(place, name));
}

function claimsIn(text: string): string[] {
  // Comments and pages break lines anywhere.
  const line = text.replace(/\s+(?:\*|#|\/\/)?\s*/g, " ");
  return TOO_MUCH.flatMap((pattern) => pattern.exec(line)?.[0] ?? []);
}

it("the documentation claims about the service only what the interface says", () => {
  expect(claimsIn("with a service that cannot\n * delete channels")).not.toEqual([]);
  const all = PLACES.flatMap(files);
  expect(all.length).toBeGreaterThan(200);
  const found = all.flatMap((file) =>
    claimsIn(readFileSync(path.join(root, file), "utf8")).map((claim) => `${file}: ${claim}`),
  );
  expect(found).toEqual([]);
});
