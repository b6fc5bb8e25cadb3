/** The schemas, loaded by the first call that needs them: zod costs 40 ms, and a preview may need none. */
export function lazySchemas(): typeof import("./schemas") {
  return require("./schemas");
}
