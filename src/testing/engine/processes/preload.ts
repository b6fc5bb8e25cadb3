/*
 * Loaded by Node before a script of the SDK (`node -r`). Plain JavaScript on purpose: from a checkout, Node reads this
 * very file.
 */

/*
 * Ends the process when the one that started it is gone. File descriptor 3 is a pipe whose other end closes with the
 * parent, however that went; an `exit` handler there would miss a kill, and inside Jest it would not run at all.
 */
{
  const { Socket } = require("node:net");
  const parent = new Socket({ fd: 3 });
  parent.on("error", () => {});
  parent.on("close", () => process.exit(1));
  parent.resume();
  parent.unref();
}

/*
 * Modules that are loaded at once and hardly ever used take more than half of the start of a process: of the SDK, its function
 * serializer's TypeScript and package tree, and the Automation API; of zod, its messages in other languages. They are loaded on
 * first access. `test/release/preload.test.ts` proves it for the oldest and the newest SDK, `projects.test.ts` for the installed
 * one. A file that another version requires them from loads them as usual. Measured in five pairs: 0.18 s of CPU a process instead
 * of 0.55 s.
 *
 * The SDK also takes a stack trace for each resource, promise and call, and each is translated by the source maps of the files in
 * it. Those of the SDK and of gRPC take a fifth of a program: their lines in a trace are those of the JavaScript.
 */
{
  const Module = require("node:module");
  const sdk = /[\\/]@(pulumi[\\/]pulumi|grpc[\\/]grpc-js)[\\/]/;
  const empty = '{"version":3,"sources":[],"names":[],"mappings":""}';
  const codePaths = /[\\/]@pulumi[\\/]pulumi[\\/]runtime[\\/]closure[\\/]codePaths\.js$/;
  const late = new Map([
    ["typescript", /[\\/]@pulumi[\\/]pulumi[\\/]typescript-shim\.js$/],
    ["@npmcli/arborist", codePaths],
    ["normalize-package-data", codePaths],
    ["./automation", /[\\/]@pulumi[\\/]pulumi[\\/]index\.js$/],
    ["../locales/index.cjs", /[\\/]zod[\\/]v4[\\/](core[\\/]index|classic[\\/]external)\.cjs$/],
  ]);
  Module.prototype.require = new Proxy(Module.prototype.require, {
    apply(load, module, [id]) {
      if (id === "source-map-support/register" && sdk.test(module.filename)) {
        const registered = load.call(module, id);
        Module.createRequire(module.filename)("source-map-support").install({
          retrieveSourceMap: (file = "") => (sdk.test(file) ? { url: file, map: empty } : null),
        });
        return registered;
      }
      if (!late.get(id)?.test(module.filename)) return load.call(module, id);
      // Throws at once if it is not installed: the SDK then falls back to its own TypeScript.
      Module.createRequire(module.filename).resolve(id);
      // Required on every access, as Node caches modules.
      const loaded = () => load.call(module, id);
      return new Proxy(
        {},
        {
          get(_target, key) {
            // To the SDK's `import * as`, this stands for a module that needs no copy of its properties.
            if (key === "__esModule") return true;
            return key === "default" ? (loaded().default ?? loaded()) : loaded()[key];
          },
          has: (_target, key) => key in loaded(),
          ownKeys: () => Reflect.ownKeys(loaded()),
          getOwnPropertyDescriptor(_target, key) {
            const descriptor = Reflect.getOwnPropertyDescriptor(loaded(), key);
            // A proxy may report only what its target has, or what can be taken away.
            return descriptor && { ...descriptor, configurable: true };
          },
        },
      );
    },
  });
}
