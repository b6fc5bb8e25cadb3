/** In place of npm's package tree, which the SDK loads for a form of code upload that is not used here. */
module.exports = {
  __esModule: true,
  get Arborist() {
    throw new Error("npm's package tree is not loaded in tests: see jest.config.cjs");
  },
};
