"use strict";
// Runs the files of a project as an inline program, on either engine, one operation for each message of the parent process. What fails
// in an inline program is an unhandled rejection, which would end a test in the test's own process.
const path = require("node:path");
require("./typescript.cjs");
const { createOffline, createReal } = require("./engines.ts");

async function main([engine, main, options]) {
  const file = path.resolve(main);
  // Its modules run again in every operation.
  const program = () => {
    delete require.cache[file];
    return require(file);
  };
  const create = engine === "real" ? createReal : createOffline;
  const stack = await create({ ...JSON.parse(options), program });
  // Also during an operation, as one that hangs is closed.
  process.on("message", async (call) => {
    const outcome = await stack[call]();
    if (call === "close") process.disconnect();
    else process.send({ outcome, written: stack.written() });
  });
  process.send("ready");
}

process.on("disconnect", () => process.exit());
void main(process.argv.slice(2));
