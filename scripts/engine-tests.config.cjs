"use strict";
// The files with tests that need the real engine: `npm run release -- engine`.
const fs = require("node:fs");
const path = require("node:path");
const someTests = require("./some-tests.cjs");

const tests = path.join(__dirname, "..", "test");
const needsEngine = (file) =>
  /realEngineAvailable|describeOnEngines|describeOnRealEngine|compareEngines/.test(
    fs.readFileSync(path.join(tests, file), "utf8"),
  );

module.exports = someTests(
  fs
    .readdirSync(tests, { recursive: true })
    .filter((file) => file.endsWith(".test.ts") && needsEngine(file))
    .map((file) => `<rootDir>/test/${file}`),
);
