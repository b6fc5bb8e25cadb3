/** `npm run example`: every example can be run by its name. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.join(__dirname, "../..");
const {
  SETTINGS,
  usesPlugin,
}: { SETTINGS: object; usesPlugin(text: string): boolean } = require("../../scripts/example/settings.cjs");

function example(...args: string[]) {
  const script = path.join(root, "scripts/example.cjs");
  return spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: "utf8" });
}

describe("npm run example", () => {
  it("lists every example that is a program without the plugin, and has settings for each", () => {
    const manifest = (name: string) => path.join(root, "examples", name, "Pulumi.yaml");
    const programs = readdirSync(path.join(root, "examples"))
      .filter((name) => existsSync(manifest(name)))
      .filter((name) => !usesPlugin(readFileSync(manifest(name), "utf8")));
    const { stdout } = example();
    const listed = stdout.trimEnd().split("\n");
    expect(listed.map((line) => line.split(" ")[0]).sort()).toEqual([...programs].sort());
    for (const line of listed) expect(line).toMatch(/^\S+ {2,}\S/);
    expect(Object.keys(SETTINGS).sort()).toEqual([...programs].sort());
  });

  it("runs an example from its preview to its destroy, and shows no secret", () => {
    // In plain JavaScript: TypeScript would be compiled for each of the four operations.
    const { status, stdout, stderr } = example("javascript-esm", "--engine", "offline");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("Resources: create 1");
    expect(stdout).toContain('channelId: "');
    expect(stdout).toContain("Channels that stay behind in the service: 1");
    expect(stdout).toContain("Neither the token nor a destination is in the state, the logs or this output.");
    expect(stdout).not.toContain("example-destination");
  });

  it.each([
    [["no-such-example"], "example: there is no example no-such-example: `npm run example` lists them\n"],
    [["yaml"], "example: yaml needs the provider plugin: examples/yaml/README.md says how to run it\n"],
    [["quickstart", "--engine", "best"], "example: --engine takes cli or offline\n"],
  ])("rejects %j in one line", (args, message) => {
    const { status, stderr } = example(...args);
    expect({ status, stderr }).toEqual({ status: 1, stderr: message });
  });
});
