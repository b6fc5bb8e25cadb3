/** Constructing a client costs next to nothing: what is heavy loads with the first call. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

const BUILT = path.resolve(__dirname, "../../dist/client/index.js");

// The tests' own module system is not Node's, so the built package is what can be asked. `npm test` builds first.
const whenBuilt = existsSync(BUILT) ? test : test.skip;

function modulesAfter(statements: string): string[] {
  const script = `
    const { DomainMonitoringClient } = require(${JSON.stringify(BUILT)});
    (async () => {
      ${statements}
      console.log(JSON.stringify(Object.keys(require.cache)));
    })();`;
  const modules: unknown = JSON.parse(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }));
  return (modules as string[]).map((file) => file.replaceAll(path.sep, "/"));
}

const client = `new DomainMonitoringClient({ baseUrl: "http://127.0.0.1:9", apiToken: "t", maxRetries: 0 })`;

whenBuilt("constructing a client loads neither undici nor zod nor Pulumi", () => {
  const modules = modulesAfter(`const client = ${client}; await client.close();`);
  expect(modules.filter((file) => file.includes("/node_modules/"))).toEqual([]);
  expect(modules.length).toBeLessThan(35);
});

whenBuilt("the first call loads both, and still no Pulumi", () => {
  const modules = modulesAfter(
    `const client = ${client}; await client.domains.get("x").catch(() => {}); await client.close();`,
  );
  const packages = ["undici", "zod", "@pulumi/pulumi"];
  const loaded = packages.filter((name) => modules.some((file) => file.includes(`/node_modules/${name}/`)));
  expect(loaded).toEqual(["undici", "zod"]);
});
