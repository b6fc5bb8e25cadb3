/** What crosses to the engine: errors, messages and results, and marks of unknown values. */
import {
  UNKNOWN_VALUES as ofOfflineEngine,
  SIGNATURE_KEY,
} from "../../packages/pulumi-offline/src/state/values";
import {
  guard,
  PartialFailure,
  PROVIDER_KEY,
  type Properties,
  type ResourceProvider,
  SECRET_MARKER,
  UNKNOWN_VALUES,
} from "../../src/provider/boundary";
import { failureOf } from "../support/failure";
import { codePoint, fc } from "../support/properties";

test("the offline engine has the same marks", () => {
  expect(ofOfflineEngine).toEqual(UNKNOWN_VALUES);
  expect(SIGNATURE_KEY).toBe(SECRET_MARKER.key);
});

const METHODS = ["check", "diff", "create", "read", "update", "delete"] as const;

const marks = Object.values(UNKNOWN_VALUES);

/** A guarded provider of which every method does the same. */
function guarded(work: (...received: unknown[]) => unknown) {
  // Whatever comes out of the inside is what the boundary is for, so types are left behind here.
  const method = async (...received: unknown[]) => work(...received);
  const inside = Object.fromEntries(METHODS.map((name) => [name, method]));
  const provider = guard(inside as unknown as ResourceProvider);
  const properties = { [PROVIDER_KEY]: "text", label: "Ops" };
  const calls: Record<(typeof METHODS)[number], () => Promise<unknown>> = {
    check: () => provider.check(properties, properties),
    diff: () => provider.diff("id", properties, properties),
    create: () => provider.create(properties),
    read: () => provider.read("id", properties),
    update: () => provider.update("id", properties, properties),
    delete: () => provider.delete("id", properties),
  };

  return calls;
}

/** The error that reaches the engine if a method throws. */
function thrownBy(thrown: unknown, method: (typeof METHODS)[number] = "create"): Promise<Error> {
  const calls = guarded(() => Promise.reject(thrown));
  return failureOf(calls[method]());
}

const further = { id: "req-1", code: 7, details: "other", cause: new Error("hidden") };

describe.each(METHODS)("an error thrown inside %s", (method) => {
  test.each<[string, unknown, string]>([
    ["a text", "it broke", "it broke"],
    ["undefined", undefined, "undefined"],
    ["an error without a message", new Error(), "failed without saying why"],
    ["an error with id, code and cause", Object.assign(new Error("it broke"), further), "it broke"],
  ])("reaches the engine as a plain error: %s", async (_what, thrown, message) => {
    const error = await thrownBy(thrown, method);
    expect(Object.getPrototypeOf(error)).toBe(Error.prototype);
    // Message and empty stack are all there is: no id, code, details, cause or properties.
    expect(Object.getOwnPropertyDescriptors(error)).toMatchObject({
      message: { value: message },
      stack: { value: "" },
    });
    expect(Reflect.ownKeys(error).sort()).toEqual(["message", "stack"]);
  });
});

describe("a message to the engine", () => {
  const crossing = (message: string) => thrownBy(new Error(message));

  test("is never too long for the trailer that carries it: its beginning and its end stay, or all of it", async () => {
    expect((await crossing("got 422 🔔\nsecond line")).message).toBe("got 422 🔔\nsecond line");
    const { message } = await crossing(`It broke: ${"漢".repeat(100_000)}. It may exist`);
    expect(encodeURI(message).length).toBeLessThan(32_768);
    expect(message).toMatch(/^It broke: 漢+ … 漢+\. It may exist$/);
  });

  test("can always be encoded", async () => {
    const anyText = fc.string({ unit: codePoint, maxLength: 20 });
    const anyOdd = fc.constantFrom("\ud83d", "\udd14", "🔔".repeat(5_000), "");
    await fc.assert(
      fc.asyncProperty(anyText, anyOdd, async (text, odd) => {
        const { message } = await crossing(text + odd);
        expect(() => encodeURI(message)).not.toThrow();
      }),
    );
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

  test.each(marks)("has no half character; the mark %s only in a check's inputs", async (mark) => {
    const half = { label: "Email \ud83d", list: [mark], kept: `${mark}!` };
    const outs = { ...half, [SECRET_MARKER.key]: mark };
    const calls = guarded(() => ({ id: "channel-1", outs, inputs: { label: mark } }));
    const broken = `\ufffd${mark.slice(1)}`;
    const whole = { label: "Email \ufffd", list: [broken], kept: `${mark}!` };
    const key = `\ufffd${SECRET_MARKER.key.slice(1)}`;
    const crossed = { outs: { ...whole, [key]: broken }, inputs: { label: broken } };
    for (const method of ["create", "read", "update"] as const)
      expect(await calls[method]()).toEqual({ id: "channel-1", ...crossed });

    expect(await calls.check()).toMatchObject({ inputs: { label: mark } });
  });

  test("may be undefined, as after a delete", async () => {
    expect(await guarded(() => undefined).delete()).toBeUndefined();
  });

  test("is an error if it cannot be JSON", async () => {
    const circular: Properties = {};
    circular.self = circular;
    const error = await failureOf(guarded(() => ({ id: "channel-1", outs: circular })).create());
    expect(error).toMatchObject({ message: expect.stringContaining("circular"), stack: "" });
  });
});

test("the arguments passed in reach the provider without the provider code that the engine adds", async () => {
  const seen: unknown[] = [];
  const calls = guarded((...received) => {
    seen.push(...received.filter((each) => each !== "id"));
    return {};
  });
  for (const method of METHODS) await calls[method]();
  expect(seen).toEqual(Array(9).fill({ label: "Ops" }));
});

describe("a resource that was only partly created", () => {
  const INCOMPLETE = "Channel was created, but its record is incomplete";
  const partial = (outs: Properties, message = INCOMPLETE) =>
    thrownBy(new PartialFailure("channel-1", outs, message));

  test.each(marks)("carries its id, a reason and properties without %s", async (mark) => {
    const outs = { label: "Ops \ud83d", none: null, missing: undefined, typeHuman: mark };
    const error = await partial(outs);
    const facts = { message: INCOMPLETE, stack: "", id: "channel-1", reasons: [INCOMPLETE] };
    const typeHuman = `\ufffd${mark.slice(1)}`;
    const properties = { label: "Ops \ufffd", none: null, typeHuman, [PROVIDER_KEY]: "text" };

    expect(error).toMatchObject(facts);
    expect(Reflect.get(error, "properties")).toStrictEqual(properties);
  });

  test("fits into the trailer that carries it", async () => {
    const { message, ...error } = await partial({ label: "漢".repeat(100) }, "漢".repeat(100_000));
    const encoded = Buffer.byteLength(JSON.stringify([message])) * 3;
    expect(error).toMatchObject({ reasons: [message] });
    expect(encodeURI(message).length + encoded).toBeLessThan(49_152);
  });
});
