/*
 * Loaded by Node before a script of the SDK (`node -r`), here and in tests of the real engine. Plain JavaScript on purpose:
 * from a checkout, Node reads this very file.
 */

const { createRequire, Module } = require("node:module");

/** Loads modules as the script does that is about to run. */
const fromScript = createRequire(process.argv[1] ?? __filename);

/*
 * Modules that the SDK loads at once and hardly ever uses take more than half of the start of a process: its function
 * serializer's TypeScript and package tree, the Automation API, and what traces a program. What stands for them in Node's cache
 * of modules loads each when it is first used. Measured over six updates: 5.4 s of CPU instead of 11, and two thirds of the
 * time; without tracing, .15 s less of a program's .5.
 */
for (const id of [
  "typescript",
  "@npmcli/arborist",
  "normalize-package-data",
  "@pulumi/pulumi/automation",
  "@opentelemetry/exporter-zipkin",
  "@opentelemetry/instrumentation",
  "@opentelemetry/instrumentation-grpc",
  "@opentelemetry/resources",
  "@opentelemetry/sdk-trace-base",
  "@opentelemetry/sdk-trace-node",
]) {
  let file = "";

  try {
    file = fromScript.resolve(id);
  } catch {
    continue;
  }

  const standIn = new Module(file);
  const load = () => {
    if (require.cache[file] === standIn) delete require.cache[file];
    return require(file);
  };

  // May be called and constructed, as some of them are.
  const exported = new Proxy((() => {}).bind(undefined), {
    apply: (_target, self, args) => Reflect.apply(load(), self, args),
    construct: (_target, args) => Reflect.construct(load(), args),
    get(_target, key) {
      // To the SDK's `import * as`, this is a module that needs no copy of its properties.
      if (key === "__esModule") return true;
      return key === "default" ? (load().default ?? load()) : load()[key];
    },
    set: (_target, key, value) => Reflect.set(load(), key, value),
    has: (_target, key) => key in load(),
    ownKeys: () => Reflect.ownKeys(load()),
    getOwnPropertyDescriptor(_target, key) {
      const descriptor = Reflect.getOwnPropertyDescriptor(load(), key);
      // A proxy may report only what its target has, or what can be taken away.
      return descriptor && { ...descriptor, configurable: true };
    },
  });

  require.cache[file] = Object.assign(standIn, {
    filename: file,
    loaded: true,
    exports: exported,
  });
}

/*
 * The SDK also takes a stack trace for each resource, promise and call, and each is translated by the source maps of the files
 * in it. Those of the SDK and of gRPC take a fifth of a program: their lines in a trace are those of the JavaScript.
 */
try {
  const sdk = /[\\/]@(pulumi[\\/]pulumi|grpc[\\/]grpc-js)[\\/]/;
  const map = '{"version":3,"sources":[],"names":[],"mappings":""}';
  fromScript("source-map-support").install({
    retrieveSourceMap: (file = "") => (sdk.test(file) ? { url: file, map } : null),
  });
} catch {
  // The SDK has another one, or none: its traces are translated.
}
