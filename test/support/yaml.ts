/** The parser that the SDK brings. */
import { createRequire } from "node:module";

export const yaml: { load(text: string): unknown; loadAll(text: string): unknown[] } = createRequire(
  require.resolve("@pulumi/pulumi/package.json"),
)("js-yaml");
