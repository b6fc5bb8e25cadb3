/** The plugin's bundle, made twice. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const ROOT = path.join(__dirname, "../..");

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), "plugin-builds-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function build(name: string, cwd: string, env: Record<string, string>): string {
  const target = path.join(directory, name);
  const script = `require(${JSON.stringify(path.join(ROOT, "scripts/build-plugin.cjs"))}).buildPlugin(${JSON.stringify(target)})`;
  execFileSync(process.execPath, ["-e", script], { cwd, env: { PATH: process.env.PATH, ...env } });
  return target;
}

it("Two builds are the same byte for byte, wherever and whenever they are made", () => {
  const first = build("first", ROOT, { TZ: "UTC" });
  const second = build("second", tmpdir(), { TZ: "Asia/Tokyo", LC_ALL: "tr_TR.UTF-8", GOGC: "100" });
  const names = readdirSync(first, { recursive: true, encoding: "utf8" }).sort();
  expect(readdirSync(second, { recursive: true, encoding: "utf8" }).sort()).toEqual(names);
  const files = readdirSync(first, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBe(13);
  for (const { parentPath, name } of files) {
    const file = path.join(parentPath, name);
    const other = path.join(second, path.relative(first, file));
    expect({ name, same: readFileSync(file).equals(readFileSync(other)) }).toEqual({ name, same: true });
  }
});
