"use strict";
// The files with tests that need the real engine: `npm run release -- engine`.
const fs = require("node:fs");
const path = require("node:path");
const someTests = require("./some.cjs");

const root = path.join(__dirname, "../..");
const needsEngine = (file) =>
  /realEngineAvailable|describeOnEngines|describeOnRealEngine|compareEngines/.test(
    fs.readFileSync(path.join(root, file), "utf8"),
  );

module.exports = someTests(
  ["test", "packages/pulumi-offline/test"]
    .flatMap((folder) =>
      fs
        .readdirSync(path.join(root, folder), { recursive: true })
        .map((file) => `${folder}/${file}`),
    )
    .filter((file) => file.endsWith(".test.ts") && needsEngine(file))
    .map((file) => `<rootDir>/${file}`),
);
