/** What loading the package costs a program and a provider process. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { PROVIDER_TEXT } from "../../src/names";
import { root } from "./support/packed";

/** What a script prints in the repository. */
const printed = (script: string) =>
  execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" });

/**
 * Modules that a fresh process has loaded in the script or since its `begin()`, as paths relative
 * to the repository.
 */
function loadedAfter(script: string): string[] {
  const whole = `
    let before = [];
    const loaded = () => Object.keys(require.cache);
    const begin = () => (before = loaded());
    ${script};
    process.stdout.write(JSON.stringify(loaded().filter((file) => !before.includes(file))));`;

  const files: string[] = JSON.parse(printed(whole));
  return files.map((file) => path.relative(root, file));
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
  expect(printed(script)).toBe("check,configure,create,delete,diff,read,update");
});
