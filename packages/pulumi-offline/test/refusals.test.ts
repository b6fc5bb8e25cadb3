/** What the offline engine does not do is refused by name. */
import * as pulumi from "@pulumi/pulumi";
import * as alias from "@pulumi/pulumi/proto/alias_pb";
import * as callback from "@pulumi/pulumi/proto/callback_pb";
import * as resource from "@pulumi/pulumi/proto/resource_pb";
import { version } from "@pulumi/pulumi/version";
import { TestStack, type TestStackOptions } from "../src";
import { OUTPUTS, REGISTRATION, unknownFields } from "../src/protocol/fields";
import {
  AnyProvider,
  bench,
  failure,
  Group,
  type MockedAnswers,
  Probe,
  recordingMocks,
} from "./support";

/**
 * The outcome of an update that must fail: the first line of its error, the resources, and the
 * creates that there were.
 */
async function refused(run: (log: string) => unknown, options?: TestStackOptions) {
  const { stack, log, program, order } = await bench(options);
  program(() => run(log));
  const { message, result } = await failure(stack.up());
  const created = order().filter((call) => call.startsWith("create"));

  return { line: message.split("\n")[0], names: result.resources.map(({ name }) => name), created };
}

/** A program that does this, and never ends by itself. */
const waiting = (act: (log: string) => unknown) => async (log: string) => {
  await act(log);
  await new Promise(() => {});
};

const refusals = "the offline engine does not support";
const DYNAMIC_ONLY = "the offline engine runs dynamic resources only";
const envVars = { envVarMappings: { A: "B" } };
const getRegion = "aws:index/getRegion:getRegion";
const invokeRegion = () => pulumi.runtime.invoke(getRegion, {}).catch(() => {});
const asset = { nested: new pulumi.asset.StringAsset("x") };
const remote = () => new pulumi.ComponentResource("aws:index:Vpc", "v", {}, {}, true);

class Other extends pulumi.CustomResource {
  constructor(name: string, options?: pulumi.CustomResourceOptions) {
    super("aws:s3/bucket:Bucket", name, { some: "input" }, options);
  }
}

/** As a package's own SDK makes it, where the package is a parameterized one. */
class Parameterized extends pulumi.CustomResource {
  constructor(name: string, options?: pulumi.CustomResourceOptions) {
    const reference = Promise.resolve("a-reference");
    super("pulumi-nodejs:dynamic:Resource", name, {}, options, false, reference);
  }
}

const ofMethod = new resource.ResourceCallRequest().setTok("aws:index:Vpc/subnets");
const ofPackage = new resource.RegisterPackageRequest();
const monitor = () => pulumi.runtime.getMonitor();
const callMethod = () => new Promise((resolve) => monitor()?.call(ofMethod, resolve));
const registerPackage = () =>
  new Promise((resolve) => monitor()?.registerPackage(ofPackage, resolve));

const theirs = { id: "theirs" };

/** A probe with this option. */
const withOption = (options: () => pulumi.CustomResourceOptions) => (log: string) =>
  new Probe(log, "a", {}, options());

const onError = () => [new pulumi.ErrorHook("hook", async () => false)];

it.each<[string, (log: string) => unknown]>([
  [`resource 'r': ${refusals} stack references`, () => new pulumi.StackReference("r")],
  [`${refusals} the function ${getRegion}`, invokeRegion],
  [`${refusals} the method aws:index:Vpc/subnets`, callMethod],
  [`${refusals} invoke transforms`, () => pulumi.runtime.registerInvokeTransform(() => undefined)],
  [`${refusals} parameterized packages`, registerPackage],
  [`'a': ${refusals} parameterized packages`, () => new Parameterized("a")],
  [`'lookup': ${refusals} parameterized packages`, () => new Parameterized("lookup", theirs)],
  ["resource 'b': the offline engine runs dynamic resources only", () => new Other("b")],
  [`'lookup': ${DYNAMIC_ONLY}`, () => new Other("lookup", theirs)],
  [`pulumi:providers:aws resource 'p': ${DYNAMIC_ONLY}`, () => new AnyProvider("p", {}, "aws")],
  [`'a': ${refusals} assets and archives`, (log) => new Probe(log, "a", asset)],
  [`'lookup': ${refusals} assets`, (log) => new Probe(log, "lookup", asset, theirs)],
  [`${refusals} the replaceWith`, withOption(() => ({ replaceWith: [new Group("b")] }))],
  [`${refusals} the replacementTrigger`, withOption(() => ({ replacementTrigger: 1 }))],
  [`${refusals} the envVarMappings option`, () => new AnyProvider("p", {}, undefined, envVars)],
  [`${refusals} the import option`, withOption(() => ({ import: "some-id" }))],
  [`${refusals} error hooks`, withOption(() => ({ hooks: { onError: onError() } }))],
  [`${refusals} resource hooks`, withOption(() => ({ hooks: { beforeCreate: [() => {}] } }))],
  [`${refusals} remote components`, remote],
  [`${refusals} wildcards inside`, withOption(() => ({ replaceOnChanges: ["nested.*"] }))],
  [`${version} does not satisfy the version`, () => pulumi.requirePulumiVersion("<1.0.0")],
])("what this engine does not do is refused: %s", async (expected, act) => {
  const { line } = await refused(waiting(act));
  expect(line).toContain(expected);
});

describe("what mocks do not answer for", () => {
  const ofBucket = "aws:s3/bucket:Bucket";
  const ofProvider = "pulumi:providers:aws";
  const ofStack = "pulumi:pulumi:StackReference";
  const noAnswer = "mocks.newResource does not answer for it: add";
  const none = () => undefined;

  const throws = () => {
    throw new Error("unexpected type");
  };

  it.each<[string, MockedAnswers, (log: string) => unknown]>([
    [
      `${ofBucket} resource 'b': ${noAnswer} \`if (args.type === "${ofBucket}") ` +
        `return { id: \`\${args.name}_id\`, state: args.inputs };\``,
      { [ofBucket]: none },
      () => new Other("b"),
    ],
    [
      `'without-state': ${noAnswer}`,
      { [ofBucket]: () => ({ id: "b" }) },
      () => new Other("without-state", theirs),
    ],
    [
      "mocks.newResource failed (unexpected type): where it is to answer, add",
      { [ofBucket]: throws },
      () => new Other("b"),
    ],
    [`'p': ${noAnswer}`, { [ofProvider]: none }, () => new AnyProvider("p", {}, "aws")],
    [
      `${ofStack} resource 'organization/other/dev': mocks.newResource gives no outputs of the stack: ` +
        `add \`if (args.type === "${ofStack}") return { id: args.id, state: { outputs: {`,
      {},
      () => new pulumi.StackReference("organization/other/dev"),
    ],
    [
      `the function ${getRegion}: mocks.call does not answer for it: ` +
        `add \`if (args.token === "${getRegion}") return { /* its result */ };\``,
      {},
      invokeRegion,
    ],
    [`aws:index:Vpc resource 'v': ${refusals} remote components`, {}, remote],
    [
      `'dynamic': ${refusals} the import option, assets and archives`,
      {},
      (log) => new Probe(log, "dynamic", asset, { import: "id" }),
    ],
  ])("is refused: %s", async (expected, answers, act) => {
    const { line } = await refused(waiting(act), { mocks: recordingMocks(answers).mocks });
    expect(line).toContain(expected);
  });

  it("is named where the state has it, and there are no mocks any more", async () => {
    const options: TestStackOptions = { program: () => void new Other("b") };
    const stack = await TestStack.create(options);
    options.mocks = recordingMocks().mocks;
    await stack.up();
    options.mocks = undefined;
    const { message } = await failure(stack.destroy());
    expect(message).toContain("aws: give the option mocks, which answers for them");
  });
});

describe("what a newer SDK asks for in a field that this engine does not know", () => {
  afterEach(() => jest.restoreAllMocks());

  /** A class of messages, as it is decoded. */
  interface Decoded {
    toObject(include: boolean, message: never): object;
  }

  type Fields = (decoded: { protect?: boolean }) => object;

  /** Has a message decoded as by a newer SDK's stub, which knows more fields. */
  function withFields(message: Decoded, fields: Fields): void {
    const original = message.toObject;
    jest.spyOn(message, "toObject").mockImplementation((include, found) => {
      const decoded = original(include, found);
      return { ...decoded, ...fields(decoded) };
    });
  }

  const of = (name: string) => `the field ${name} of @pulumi/pulumi ${version}`;

  it("is reported if it holds anything, even the default", () => {
    const message = new resource.RegisterResourceRequest()
      .setName("a")
      .setProtect(false)
      .setIgnorechangesList(["x"])
      .setHooks(new resource.RegisterResourceRequest.ResourceHooksBinding());

    message.getProvidersMap().set("test", "reference");
    const names = ["name", "protect", "ignorechanges", "providers"];
    expect(unknownFields(message, OUTPUTS)).toEqual(names.map(of));
    expect(unknownFields(message, REGISTRATION)).toEqual([]);

    withFields(resource.RegisterResourceRequest, () => ({
      hints: { beforeList: [], after: undefined },
      durable: false,
      nameList: [],
    }));

    expect(unknownFields(message, REGISTRATION)).toEqual([]);
  });

  it("is told from messages inside of messages, each name once", () => {
    const spec = () => new alias.Alias().setSpec(new alias.Alias.Spec().setName("old"));
    const message = new resource.RegisterResourceRequest().setAliasesList([spec(), spec()]);
    const fields = new Map([["aliases", new Map([["spec", new Map()]])]]);
    expect(unknownFields(message, fields)).toEqual([of("aliases.spec.name")]);
  });

  const keep: pulumi.ResourceTransform = ({ props, opts }) => ({
    props,
    opts: { ...opts, protect: true },
  });

  const transformed = (log: string) => new Probe(log, "a", {}, { transforms: [keep] });
  const empty = () => undefined;
  const a = (options?: pulumi.CustomResourceOptions) => (log: string) =>
    new Probe(log, "a", {}, options);

  const { RegisterResourceRequest, RegisterResourceOutputsRequest } = resource;
  const { ReadResourceRequest, TransformResourceOptions, TransformResponse } = resource;
  const ofStack = "pulumi:pulumi:Stack resource 'test-test'";
  const durableIfProtected: Fields = ({ protect }) => ({ durable: protect });
  const aliased = a({ aliases: [{ name: "old" }] });
  const register = () => pulumi.runtime.registerResourceTransform(keep);

  it.each<[string, Decoded, Fields, (log: string) => unknown]>([
    [`${ofStack}: durable`, RegisterResourceRequest, () => ({ durable: true }), empty],
    ["resource 'a': aliases.spec.region", alias.Alias.Spec, () => ({ region: "north" }), aliased],
    ["resource 'a': durable", TransformResourceOptions, durableIfProtected, transformed],
    ["resource 'a': transforms.phase", callback.Callback, () => ({ phase: 1 }), transformed],
    ["again", TransformResponse, () => ({ again: true }), transformed],
    ["phase", callback.Callback, () => ({ phase: 1 }), register],
    ["resource 'a': lookup", ReadResourceRequest, () => ({ lookup: true }), a({ id: "theirs" })],
    ["completed", RegisterResourceOutputsRequest, () => ({ completed: true }), empty],
  ])("is refused: %s", async (expected, message, fields, act) => {
    withFields(message, fields);
    const { line, names, created } = await refused((log) => void act(log));
    const [name = "", who = ""] = expected.split(": ").reverse();
    expect(line).toContain(`${who && `${who}: `}${refusals} ${of(name)}`);
    expect(names).not.toContain("a");
    expect(created).toEqual([]);
  });
});
