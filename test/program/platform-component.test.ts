/**
 * The tests of `examples/platform-component`, as its authors run them, and what makes it a package
 * that can be published.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { isThorough } from "../support/scope";

// Before a release: they take longer than all other tests of components.
if (isThorough) require("../../examples/platform-component/index.test");

const directory = path.join(__dirname, "../../examples/platform-component");
const json = (file: string) => JSON.parse(readFileSync(path.join(directory, file), "utf8"));

describe("its package", () => {
  const manifest = json("package.json");
  const own = json("../../package.json");

  it("exports what its build writes, and publishes nothing else", () => {
    const { files, compilerOptions } = json("tsconfig.build.json");
    expect(files).toEqual(["index.ts"]);
    expect(compilerOptions).toMatchObject({ outDir: "dist", declaration: true });
    expect(manifest).toMatchObject({ main: "./dist/index.js", types: "./dist/index.d.ts" });
    expect(manifest.exports["."]).toEqual({ types: manifest.types, default: manifest.main });
    expect(manifest.files).toEqual(["dist"]);
    expect(manifest.scripts.prepack).toBe("npm run build");
  });

  it("leaves the SDK and this package to the program that uses it, in the versions that fit", () => {
    expect(manifest.dependencies).toBeUndefined();
    expect(manifest.peerDependencies).toEqual({
      "@pulumi/pulumi": own.peerDependencies["@pulumi/pulumi"],
      [own.name]: `>=${own.version} <1`,
    });
  });
});
