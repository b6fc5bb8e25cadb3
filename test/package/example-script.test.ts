/** `npm run example` runs every example by its name. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { root } from "./support/packed";

const {
  OTHERS,
  SETTINGS,
}: { OTHERS: object; SETTINGS: object } = require("../../scripts/example/settings.cjs");

/** Runs on the offline engine, because this PATH has no `pulumi`. */
function example(...args: string[]) {
  const script = path.join(root, "scripts/example.cjs");
  const env = { ...process.env, PATH: "" };
  return spawnSync(process.execPath, [script, ...args], { cwd: root, env, encoding: "utf8" });
}

describe("npm run example", () => {
  it("lists every example with its settings or the command that runs it", () => {
    const { stdout } = example();
    const [run, others] = stdout
      .split("\n\nNot run by this command:\n")
      .map((lines) => [...lines.matchAll(/^(\S+) {2,}\S/gm)].map(([, name]) => name ?? ""));

    const all = readdirSync(path.join(root, "examples")).filter((name) => name !== "README.md");
    expect([...(run ?? []), ...(others ?? [])].sort()).toEqual(all.sort());
    expect(Object.keys(SETTINGS).sort()).toEqual(run);

    const isProgram = (name: string) => existsSync(path.join(root, `examples/${name}/Pulumi.yaml`));
    expect(Object.keys(OTHERS).sort()).toEqual(others?.filter((name) => !isProgram(name)));
  });

  it("runs the quickstart: a rule that refuses, a channel created once, a report, and no secret", () => {
    const { status, stdout, stderr } = example("quickstart");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });

    const counts = [...stdout.matchAll(/Channels .*in the service: (\d)$/gm)];
    expect(counts.map(([, count]) => count)).toEqual(["0", "1", "1", "1", "1"]);
    expect(stdout).toMatch(
      /error: example\.org expires on .*, 12 days left, 30 required: renew it/,
    );
    expect(stdout).toContain("Resources: create 2");
    expect(stdout).toMatch(/^example\.org +pass /m);
    expect(stdout).toContain(
      "The token and the destinations are secret in the state, and not in the logs or this output.",
    );
    expect(stdout).not.toContain("example-destination");
  });

  it.each([
    ["gitops", "gitops is a set of pipelines: examples/gitops/README.md says how to set them up"],
    ["no-such-example", "there is no example no-such-example: `npm run example` lists them"],
    [
      "yaml",
      "yaml is a program for the provider plugin: examples/yaml/README.md says how to run it",
    ],
  ])("rejects %s in one line", (name, message) => {
    const { status, stderr } = example(name);
    expect({ status, stderr }).toEqual({ status: 1, stderr: `example: ${message}\n` });
  });
});
