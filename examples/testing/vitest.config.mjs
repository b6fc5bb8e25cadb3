/** @type {import("vitest/config").UserConfig} */
export default {
  test: {
    // `describe`, `test` and `expect` as in jest, so that the same files run in both.
    globals: true,
    // Each operation starts the SDK's processes, which takes seconds, and much longer on a busy machine.
    testTimeout: 120_000,
  },
};
