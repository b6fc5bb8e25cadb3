"use strict";
// In place of a package that the SDK loads at once and hardly ever uses (jest.config.cjs).
module.exports = {
  __esModule: true,
  get Arborist() {
    return require("../../node_modules/@npmcli/arborist").Arborist;
  },
};
