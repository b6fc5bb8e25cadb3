/**
 * The scripts of package.json, and the named steps of `npm run release`, `bench` and `generate`.
 */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { read, root } from "./support/packed";

const { scripts }: { scripts: Record<string, string> } = require("../../package.json");

function printed(script: string, ...args: string[]) {
  const file = path.join(root, "scripts/steps.cjs");
  return spawnSync(process.execPath, [file, script, ...args], { encoding: "utf8" });
}

const STEPS = Object.fromEntries(
  ["release", "bench", "generate"].map((script) => {
    const lines = printed(script).stdout.matchAll(/^ {2}npm run \w+ -- (\S+) {2,}\S/gm);
    return [script, [...lines].map(([, step]) => step)];
  }),
);

it("every page says the same of how long the tests take", () => {
  const pages = ["README.md", "CONTRIBUTING.md", "docs/contributing/development.md"].map(read);
  const times = pages.flatMap((page) => [
    ...page.matchAll(/`(?:npm ci && )?npm test`[^\n]*about (\d+) minutes/g),
  ]);

  expect(times).toHaveLength(3);
  expect(new Set(times.map(([, minutes]) => minutes)).size).toBe(1);
});

it("a step that does not exist fails, and lists those that do", () => {
  const { status, stdout, stderr } = printed("release", "matrices");
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(
    /^release: there is no step matrices, but these:\n {2}npm run release -- test /,
  );
});

it("every script and step that a page, a comment or a workflow names exists", () => {
  const folders = [".github", "docs", "scripts", "src", "test"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map(
      (file) => `${folder}/${file}`,
    ),
  );

  const unknown = [...folders, "README.md", "CONTRIBUTING.md", "bench/README.md"]
    .filter((file) => /\.(md|yml|ts|cjs|mjs)$/.test(file) && !file.includes("node_modules"))
    .flatMap((file) => {
      const named = read(file).matchAll(/npm run ([\w:-]*\w)(?: -- ([a-z-]*[a-z]))?/g);
      return [...named]
        .filter(([, script = "", step]) => {
          if (!Object.hasOwn(scripts, script)) return true;
          return STEPS[script] !== undefined && step !== undefined && !STEPS[script].includes(step);
        })
        .map(([call]) => `${call} in ${file}`);
    });

  expect(unknown).toEqual([]);

  for (const steps of Object.values(STEPS)) expect(steps.length).toBeGreaterThan(2);
});
