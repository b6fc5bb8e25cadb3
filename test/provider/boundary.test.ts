import { inspect } from "node:util";
import fc from "fast-check";
import {
  describe as describeThrown,
  guard,
  PartialFailure,
  PROVIDER_KEY,
  type Properties,
  type ResourceProvider,
} from "../../src/provider/boundary";
import { codePoint } from "../support/unicode";

const METHODS = ["check", "diff", "create", "read", "update", "delete"] as const;

type Method = (typeof METHODS)[number];

/** A guarded provider of which every method does the same. */
function guarded(work: () => unknown) {
  // Whatever comes out of the inside is what the border is for, so its types are left behind here.
  const inside = Object.fromEntries(METHODS.map((method) => [method, async () => work()]));
  const provider = guard(inside as unknown as ResourceProvider);
  const properties = { [PROVIDER_KEY]: "text", label: "Ops" };
  const calls: Record<Method, () => Promise<unknown>> = {
    check: () => provider.check(properties, properties),
    diff: () => provider.diff("id", properties, properties),
    create: () => provider.create(properties),
    read: () => provider.read("id", properties),
    update: () => provider.update("id", properties, properties),
    delete: () => provider.delete("id", properties),
  };
  return calls;
}

const thrownBy = (call: () => Promise<unknown>): Promise<unknown> =>
  call().then(
    () => {
      throw new Error("nothing was thrown");
    },
    (error: unknown) => error,
  );

const circular: Record<string, unknown> = { message: "turns in circles" };
circular.self = circular;

const revoked = Proxy.revocable({}, {});
revoked.revoke();

const hostile = new Proxy(
  {},
  {
    get: () => {
      throw undefined;
    },
    getPrototypeOf: () => {
      throw undefined;
    },
    has: () => {
      throw undefined;
    },
  },
);

class GetterThatThrows extends Error {
  override get message(): string {
    throw new Error("not to be read");
  }
}

const SILENT = "failed without saying why";
const UNREADABLE = "failed with an error that cannot be read";

const THROWN: [string, unknown, string][] = [
  ["a text", "it broke", "it broke"],
  ["an empty text", "", SILENT],
  ["undefined", undefined, SILENT],
  ["null", null, SILENT],
  ["a number", 42, "42"],
  ["a bigint", 42n, "42"],
  ["a symbol", Symbol("why"), "Symbol(why)"],
  ["an object without a message", { reason: "unknown" }, SILENT],
  ["an error without a message", new Error(), SILENT],
  ["an object whose message is no text", { message: { text: "x" } }, SILENT],
  ["an object with a message", { message: "it broke" }, "it broke"],
  [
    "an error with id, code and details",
    Object.assign(new Error("it broke"), { id: "req-1", code: 7, details: "other" }),
    "it broke",
  ],
  ["an error with a cause", new Error("it broke", { cause: new Error("hidden") }), "it broke"],
  ["an error with several causes", new AggregateError([new Error("one")], "both broke"), "both broke"],
  ["an error whose message cannot be read", new GetterThatThrows(), UNREADABLE],
  ["an object without a prototype", Object.create(null), SILENT],
  ["a circular object", circular, "turns in circles"],
  ["a proxy that resists", hostile, UNREADABLE],
  ["a revoked proxy", revoked.proxy, UNREADABLE],
];

describe.each(METHODS)("an error thrown inside %s", (method) => {
  test.each(THROWN)("reaches the engine as a plain error: %s", async (_what, thrown, message) => {
    const calls = guarded(() => {
      throw thrown;
    });
    const error = await thrownBy(calls[method]);
    expect(Object.getPrototypeOf(error)).toBe(Error.prototype);
    // Message and empty stack are all there is: no id, code, details, cause or properties.
    expect(Object.getOwnPropertyDescriptors(error)).toMatchObject({
      message: { value: message },
      stack: { value: "" },
    });
    expect(Reflect.ownKeys(error as Error).sort()).toEqual(["message", "stack"]);
  });
});

describe("a message to the engine", () => {
  const crossing = async (message: string): Promise<Error> =>
    (await thrownBy(
      guarded(() => {
        throw new Error(message);
      }).create,
    )) as Error;

  test("is never too long for the trailer that carries it, and keeps its beginning and its end", async () => {
    const { message } = await crossing(`It broke: ${"漢".repeat(100_000)}. It may exist`);
    expect(encodeURI(message).length).toBeLessThan(32_768);
    expect(message).toMatch(/^It broke: 漢+ … 漢+\. It may exist$/);
  });

  test("can always be encoded", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: codePoint, maxLength: 20 }),
        fc.constantFrom("\ud83d", "\udd14", "🔔".repeat(5_000), ""),
        async (text, odd) => {
          const { message } = await crossing(text + odd);
          expect(() => encodeURI(message)).not.toThrow();
        },
      ),
    );
  });

  test("is not changed otherwise", async () => {
    expect((await crossing("answered 422 🔔\nsecond line")).message).toBe("answered 422 🔔\nsecond line");
  });
});

describe("the result returned inside", () => {
  test("reaches the engine as plain JSON", async () => {
    const outs = {
      kept: [1, "text", true, null, { deep: "value" }],
      missing: undefined,
      inside: { missing: undefined },
      many: 12345678901234567890n,
      when: new Date("2026-01-31T08:30:00Z"),
      endless: Number.POSITIVE_INFINITY,
      call: () => 1,
    };
    expect(await guarded(() => ({ id: "channel-1", outs })).create()).toStrictEqual({
      id: "channel-1",
      outs: {
        kept: [1, "text", true, null, { deep: "value" }],
        inside: {},
        many: "12345678901234567890",
        when: "2026-01-31T08:30:00.000Z",
        endless: null,
      },
    });
  });

  test("may be undefined, as after a delete", async () => {
    expect(await guarded(() => undefined).delete()).toBeUndefined();
  });

  test("is an error if it cannot be JSON", async () => {
    const error = await thrownBy(guarded(() => ({ id: "channel-1", outs: circular })).create);
    expect(error).toMatchObject({ message: expect.stringContaining("circular"), stack: "" });
  });
});

describe("the arguments passed in", () => {
  const seen: Properties[] = [];
  const provider = guard({
    configure: async () => undefined,
    check: async (olds, news) => {
      seen.push(olds, news);
      return { inputs: news, failures: [] };
    },
    diff: async (_id, olds, news) => {
      seen.push(olds, news);
      return { changes: false, diffs: [], replaces: [], deleteBeforeReplace: false };
    },
    create: async (inputs) => {
      seen.push(inputs);
      return { id: "channel-1", outs: inputs };
    },
    read: async (id, props) => {
      seen.push(props);
      return { id, props, inputs: props };
    },
    update: async (_id, olds, news) => {
      seen.push(olds, news);
      return { outs: news };
    },
    delete: async (_id, props) => {
      seen.push(props);
    },
  });

  test("reach the provider without the provider code that the engine adds", async () => {
    const properties = { [PROVIDER_KEY]: "text", label: "Ops" };
    await provider.check(properties, properties);
    await provider.diff("id", properties, properties);
    await provider.create(properties);
    await provider.read("id", properties);
    await provider.update("id", properties, properties);
    await provider.delete("id", properties);
    expect(seen).toHaveLength(9);
    for (const received of seen) expect(received).toEqual({ label: "Ops" });
    expect(properties).toHaveProperty(PROVIDER_KEY);
  });
});

describe("a resource that was only partly created", () => {
  const partial = (outs: Properties, message = "Channel was created, but its record is incomplete") =>
    thrownBy(
      guarded(() => {
        throw new PartialFailure("channel-1", outs, message);
      }).create,
    );

  test("carries its id, its properties with the provider's text, and a reason", async () => {
    const error = await partial({
      label: "Ops",
      none: null,
      missing: undefined,
      many: 5n,
      when: new Date(0),
    });
    expect(error).toMatchObject({ message: "Channel was created, but its record is incomplete", stack: "" });
    expect(error).toHaveProperty("id", "channel-1");
    expect(error).toHaveProperty("reasons", ["Channel was created, but its record is incomplete"]);
    expect((error as { properties: unknown }).properties).toStrictEqual({
      label: "Ops",
      none: null,
      many: "5",
      when: "1970-01-01T00:00:00.000Z",
      [PROVIDER_KEY]: "text",
    });
  });

  test("fits into the trailer that carries it", async () => {
    const error = (await partial({ label: "漢".repeat(100) }, "漢".repeat(100_000))) as Error & {
      reasons: string[];
    };
    expect(error.reasons).toEqual([error.message]);
    expect(
      encodeURI(error.message).length + Buffer.byteLength(JSON.stringify(error.reasons)) * 3,
    ).toBeLessThan(49_152);
  });

  test.each([
    ["too large", { value: "x".repeat(20_000) }],
    ["circular", circular],
  ])(
    "is reported as a plain failure if its properties are %s, so that the engine gets an answer",
    async (_what, outs) => {
      const error = await partial(outs);
      expect(error).toMatchObject({ message: "Channel was created, but its record is incomplete" });
      expect(error).not.toHaveProperty("id");
    },
  );
});

test("describing a thrown value never throws and is never empty", () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }), (thrown) => {
      const text = describeThrown(thrown);
      expect(typeof text === "string" && text !== "").toBe(true);
    }),
  );
  expect(inspect(describeThrown(hostile))).toContain(UNREADABLE);
});
