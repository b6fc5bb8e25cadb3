"use strict";
// The sources as the TypeScript compiler reads them, once for everything that is written from declarations: it takes seconds.
const path = require("node:path");
const ts = require("typescript");

const root = path.join(__dirname, "..");

const { config } = ts.readConfigFile(path.join(root, "tsconfig.json"), ts.sys.readFile);
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
Object.assign(options, { types: ["node"], incremental: false });

const host = ts.createCompilerHost(options);
const read = host.getSourceFile;
const known = new Map();
host.getSourceFile = (name, ...how) => {
  if (!known.has(name)) known.set(name, read(name, ...how));
  return known.get(name);
};

/** A program of these files, with types of its own: their order depends on what is asked about them. */
const programOf = (files) => ts.createProgram(files, options, host);

module.exports = { programOf, root };
