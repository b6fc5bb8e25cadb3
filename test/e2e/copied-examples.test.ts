/**
 * `pulumi new` makes a user's own project from an example. It works as examples/README.md describes,
 * and nothing in it points to this repository.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { engineEnvironment } from "../../scripts/real-engine.cjs";
import { codeIn, root } from "../docs/support/markdown";
import { describeWithPulumi } from "../support/engines";
import { isOnPath } from "../support/on-path";
import { run } from "../support/run";
import { temporaryDirectory } from "../support/temporary";

const { version }: { version: string } = require("../../package.json");

interface Project {
  runtime: string | { name: string };
  config?: Record<string, unknown>;
  template?: {
    description?: string;
    config?: Record<string, { description?: string; secret?: boolean }>;
  };
}

const examples = readdirSync(path.join(root, "examples")).filter((name) => !name.includes("."));

const projects = examples.filter((name) =>
  existsSync(path.join(root, "examples", name, "Pulumi.yaml")),
);

const read = (name: string): Project =>
  parse(readFileSync(path.join(root, "examples", name, "Pulumi.yaml"), "utf8"));

it.each(projects)("%s asks for what its README sets, secrets as secrets", (name) => {
  const { template } = read(name);
  expect(template?.description).toEqual(expect.stringMatching(/\S/));

  const readme = readFileSync(path.join(root, "examples", name, "README.md"), "utf8");
  for (const [key, { description, secret }] of Object.entries(template?.config ?? {})) {
    expect(description).toEqual(expect.stringMatching(/\S/));
    expect(readme).toContain(`pulumi config set ${secret ? "--secret " : ""}${key}`);
  }
});

it("no example depends on a path of this repository, and each takes the packages of this version", () => {
  const ours = ["pulumi-domain-monitoring", "domain-monitoring-emulator", "pulumi-offline"];
  const ranges = examples
    .map((name) => path.join(root, "examples", name, "package.json"))
    .filter((file) => existsSync(file))
    .flatMap((file) => {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(file, "utf8"));
      return Object.entries<string>({ ...dependencies, ...devDependencies });
    });

  expect(ranges.filter(([, range]) => range.startsWith("file:.."))).toEqual([]);

  const own = ranges.filter(([name]) => ours.includes(name));
  expect([...new Set(own.map(([, range]) => range))]).toEqual([`^${version}`]);
});

describeWithPulumi("`pulumi new`", () => {
  const [command = ""] = codeIn("examples/README.md", /^pulumi new /).split("\n");

  const missingHost = (name: string): string | undefined => {
    const { runtime } = read(name);
    const host = `pulumi-language-${typeof runtime === "string" ? runtime : runtime.name}`;
    return isOnPath(host) ? undefined : host;
  };

  describe.each(projects)("of the example %s", (name) => {
    const host = missingHost(name);
    const title = `makes a project by the command of the page${host ? ` (there is no ${host} on PATH)` : ""}`;
    (host ? it.skip : it)(title, async () => {
      const cwd = temporaryDirectory();
      const own = command
        .replace("path/to/clone/examples/quickstart", path.join(root, "examples", name))
        .concat(" --yes");

      const env = { ...process.env, ...engineEnvironment(path.join(cwd, "engine")) };
      const { code, output } = await run("sh", ["-c", own], { cwd, env });
      expect({ code, output }).toMatchObject({ code: 0 });

      const made = parse(readFileSync(path.join(cwd, "my-domains/Pulumi.yaml"), "utf8"));
      expect(made.template).toBeUndefined();
      expect(made).toMatchObject({ config: read(name).config ?? {} });
      expect(existsSync(path.join(cwd, "my-domains/README.md"))).toBe(true);
    });
  });
});
