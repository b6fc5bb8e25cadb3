"use strict";
// The processes of an engine or a test run, which do not all end with the one that started them:
// some have a group of their own, and a language host may stay.
const { existsSync, readdirSync, readFileSync } = require("node:fs");

/** Those with this variable in their environment (Linux only: elsewhere none are found). */
function processesWith(name, value) {
  const wanted = `${name}=${value}`;
  return (existsSync("/proc") ? readdirSync("/proc") : [])
    .filter((id) => /^\d+$/.test(id))
    .filter((id) => read(`/proc/${id}/environ`).split("\0").includes(wanted))
    .map(Number);
}

/** Kills processes, some of which may have ended already. */
function kill(...ids) {
  for (const id of ids) {
    try {
      process.kill(id, "SIGKILL");
    } catch {
      // Gone.
    }
  }
}

function read(file) {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

module.exports = { kill, processesWith };
