/** The Automation API, which the SDK's index loads at once: on the first look at it, as in late-typescript.cjs. */
const load = () => require("@pulumi/pulumi/automation");
module.exports = new Proxy(
  {},
  {
    // To the SDK's `import * as`, this needs no copy of its properties.
    get: (_target, key) => (key === "__esModule" ? true : load()[key]),
    has: (_target, key) => key in load(),
  },
);
