/** What loading the package costs a program and a provider process. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { PROVIDER_TEXT } from "../../src/names";

const root = path.join(__dirname, "../..");

/**
 * Modules that a fresh process has loaded in the script or since its `begin()`, as paths relative
 * to the repository.
 */
function loadedAfter(script: string): string[] {
  const head =
    "let before = []; const loaded = () => Object.keys(require.cache); const begin = () => (before = loaded())";

  const report =
    "process.stdout.write(JSON.stringify(loaded().filter((file) => !before.includes(file))))";

  const output = execFileSync(process.execPath, ["-e", `${head};${script};${report}`], {
    cwd: root,
    encoding: "utf8",
  });

  const files: unknown = JSON.parse(output);
  if (!Array.isArray(files)) throw new Error("expected a list of modules");

  return files.map((file) => path.relative(root, String(file)));
}

const heavy = /node_modules\/(undici|zod|commander)\//;

describe("loading the package", () => {
  it("adds only a few small modules to Pulumi and none of its dependencies", () => {
    const script = 'require("@pulumi/pulumi"); begin(); require("pulumi-domain-monitoring")';
    const added = loadedAfter(script);

    expect(added.filter((file) => heavy.test(file))).toEqual([]);
    // The manifest has the version.
    expect(added.filter((file) => !file.startsWith("dist/"))).toEqual(["package.json"]);
    expect(added.length).toBeLessThanOrEqual(45);
  });

  it("loads neither Pulumi nor a dependency before a client's first call or a provider's create", () => {
    const loaded = loadedAfter(`
      const { DomainMonitoringClient } = require("pulumi-domain-monitoring/client");
      new DomainMonitoringClient({ baseUrl: "http://127.0.0.1:1", apiToken: "t" });
      require("pulumi-domain-monitoring/provider").channel`);

    expect(loaded.filter((file) => heavy.test(file) || file.includes("@pulumi/"))).toEqual([]);
  });
});

it("the provider's constant text is short and loads the installed package", () => {
  expect(Buffer.byteLength(PROVIDER_TEXT)).toBeLessThanOrEqual(200);
  const script = `const exports = {}; ${PROVIDER_TEXT}; process.stdout.write(Object.keys(exports.handler()).sort().join())`;
  const methods = execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" });
  expect(methods).toBe("check,configure,create,delete,diff,read,update");
});
