/** `npm run example`: every example can be run by its name. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

const root = path.join(__dirname, "../..");

function example(...args: string[]) {
  const script = path.join(root, "scripts/example.cjs");
  return spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: "utf8" });
}

describe("npm run example", () => {
  it("lists every example that is a program, and has settings for each", () => {
    const programs = readdirSync(path.join(root, "examples")).filter((name) =>
      existsSync(path.join(root, "examples", name, "Pulumi.yaml")),
    );
    const { stdout } = example();
    const listed = stdout.trimEnd().split("\n");
    expect(listed.map((line) => line.split(" ")[0]).sort()).toEqual([...programs].sort());
    for (const line of listed) expect(line).toMatch(/^\S+ {2,}\S/);
    const { SETTINGS }: { SETTINGS: object } = require("../../scripts/example/settings.cjs");
    expect(Object.keys(SETTINGS).sort()).toEqual([...programs].sort());
  });

  it("runs an example from its preview to its destroy, and shows no secret", () => {
    const { status, stdout, stderr } = example("two-accounts", "--engine", "offline");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("Resources: create 3");
    expect(stdout).toContain("channelIds: {");
    expect(stdout).toContain("Channels that stay behind in the service: 1");
    expect(stdout).toContain("Neither the token nor a destination is in the state, the logs or this output.");
    expect(stdout).not.toContain("example-destination");
  });

  it.each([
    [["no-such-example"], "example: there is no example no-such-example: `npm run example` lists them\n"],
    [["quickstart", "--engine", "best"], "example: --engine takes cli or offline\n"],
  ])("rejects %j in one line", (args, message) => {
    const { status, stderr } = example(...args);
    expect({ status, stderr }).toEqual({ status: 1, stderr: message });
  });
});
