/**
 * Dynamic resources of the shapes that Pulumi's guide to dynamic providers teaches, and nothing
 * more.
 */
import * as pulumi from "@pulumi/pulumi";

/**
 * The smallest provider there is: a create, and the engine does the rest. As text, because the
 * SDK's serializer takes longer than the scenarios of it that `npm test` runs.
 */
export class Minimal extends pulumi.CustomResource {
  declare readonly length: pulumi.Output<number>;

  constructor(
    name: string,
    args: { text: string; other?: number },
    options?: pulumi.CustomResourceOptions,
  ) {
    const __provider = `exports.handler = () => ({
      create: async (inputs) => ({
        id: inputs.text && "minimal-" + inputs.text,
        outs: { ...inputs, length: inputs.text.length },
      }),
    });`;

    const props = { length: undefined, __provider, ...args };
    super("pulumi-nodejs:dynamic:Resource", name, props, options);
  }
}

/** A provider that captures a module, and whose diff decides about replacement. */
export class RandomText extends pulumi.dynamic.Resource {
  declare readonly text: pulumi.Output<string>;

  constructor(name: string, args: { length: number }) {
    const provider: pulumi.dynamic.ResourceProvider = {
      async create(inputs) {
        const { randomBytes } = require("node:crypto");
        const text = `random-${randomBytes(inputs.length).toString("hex")}`;
        return { id: text, outs: { ...inputs, text } };
      },
      async diff(_id, olds, news) {
        return {
          changes: olds.length !== news.length,
          replaces: ["length"],
          deleteBeforeReplace: true,
        };
      },
    };

    super(provider, name, { text: undefined, ...args });
  }
}

/** A provider whose check fills in what was left out. */
export class Defaulted extends pulumi.dynamic.Resource {
  declare readonly size: pulumi.Output<number>;

  constructor(name: string, args: { size?: number }) {
    const provider: pulumi.dynamic.ResourceProvider = {
      async check(_olds, news) {
        return { inputs: { ...news, size: news.size ?? 10 }, failures: [] };
      },
      create: async (inputs) => ({ id: "defaulted", outs: inputs }),
      update: async (_id, _olds, news) => ({ outs: news }),
    };

    super(provider, name, { size: args.size });
  }
}

/** A provider that is a class and reads the stack's configuration in `configure`. */
class SettingsProvider implements pulumi.dynamic.ResourceProvider {
  private key = "";

  async configure(request: pulumi.dynamic.ConfigureRequest) {
    this.key = request.config.require("key");
  }

  async create(inputs: object) {
    return { id: "settings", outs: { ...inputs, keyLength: this.key.length } };
  }
}

export class Settings extends pulumi.dynamic.Resource {
  declare readonly keyLength: pulumi.Output<number>;

  constructor(name: string, options?: pulumi.CustomResourceOptions) {
    super(new SettingsProvider(), name, { keyLength: undefined }, options);
  }
}

/** A provider that updates in place, from what it recorded before. */
export class Counter extends pulumi.dynamic.Resource {
  declare readonly revision: pulumi.Output<number>;

  constructor(name: string, args: { text: string }) {
    const provider: pulumi.dynamic.ResourceProvider = {
      create: async (inputs) => ({ id: "counter", outs: { ...inputs, revision: 1 } }),
      update: async (_id, olds, news) => ({ outs: { ...news, revision: olds.revision + 1 } }),
      read: async (id, props) => ({ id, props: { ...props } }),
      delete: async () => {},
    };

    super(provider, name, { revision: undefined, ...args });
  }
}
