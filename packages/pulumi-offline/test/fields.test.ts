import * as pulumi from "@pulumi/pulumi";
import * as alias from "@pulumi/pulumi/proto/alias_pb";
import * as callback from "@pulumi/pulumi/proto/callback_pb";
import * as resource from "@pulumi/pulumi/proto/resource_pb";
import { version } from "@pulumi/pulumi/version";
import { OUTPUTS, REGISTRATION, unknownFields } from "../src/protocol/fields";
import { bench, failure, Probe } from "./support";

afterEach(() => jest.restoreAllMocks());

describe("fields of the SDK's messages", () => {
  const of = (name: string) => `the field ${name} of @pulumi/pulumi ${version}`;

  it("are told where they are set and not known, also to what they are by default", () => {
    const message = new resource.RegisterResourceRequest()
      .setName("a")
      .setProtect(false)
      .setIgnorechangesList(["x"])
      .setHooks(new resource.RegisterResourceRequest.ResourceHooksBinding());
    message.getProvidersMap().set("test", "reference");

    expect(unknownFields(message, OUTPUTS)).toEqual(
      ["name", "protect", "ignorechanges", "providers"].map(of),
    );
    expect(unknownFields(message, REGISTRATION)).toEqual([]);
  });

  it("are told from messages inside of messages, each name once", () => {
    const spec = () => new alias.Alias().setSpec(new alias.Alias.Spec().setName("old"));
    const message = new resource.RegisterResourceRequest().setAliasesList([spec(), spec()]);
    const fields = new Map([["aliases", new Map([["spec", new Map()]])]]);

    expect(unknownFields(message, fields)).toEqual([of("aliases.spec.name")]);
  });
});

describe("what a newer SDK asks for in a field that this engine does not know", () => {
  /** Has a message decoded as by a newer SDK's stub, which knows a field more. */
  function withField<M>(
    message: { toObject(include: boolean, m: M): object },
    found: (m: M) => object,
  ): void {
    const original = message.toObject;
    jest
      .spyOn(message, "toObject")
      .mockImplementation((include, m) => ({ ...original(include, m), ...found(m) }));
  }
  const keep: pulumi.ResourceTransform = ({ props, opts }) => ({ props, opts: { ...opts, protect: true } });
  const durable = () => ({ durable: true });
  const refusals = "the offline engine does not support the field";
  const ofA = `resource 'a': ${refusals}`;

  it.each<[string, () => void, (log: string) => unknown]>([
    [
      `${ofA} stateMigrations`,
      () =>
        withField(resource.RegisterResourceRequest, (message) =>
          message.getName() === "a" ? { stateMigrationsList: [{ token: "t", target: "t" }] } : {},
        ),
      (log) => new Probe(log, "a"),
    ],
    [
      `pulumi:pulumi:Stack resource 'test-test': ${refusals} durable`,
      () => withField(resource.RegisterResourceRequest, durable),
      () => undefined,
    ],
    [
      `${ofA} aliases.spec.region`,
      () => withField(alias.Alias.Spec, () => ({ region: "north" })),
      (log) => new Probe(log, "a", {}, { aliases: [{ name: "old" }] }),
    ],
    [
      `${ofA} durable`,
      () => withField(resource.TransformResourceOptions, (message) => ({ durable: message.getProtect() })),
      (log) => new Probe(log, "a", {}, { transforms: [keep] }),
    ],
    [
      `${ofA} transforms.phase`,
      () => withField(callback.Callback, () => ({ phase: 1 })),
      (log) => new Probe(log, "a", {}, { transforms: [keep] }),
    ],
    [
      `${refusals} again`,
      () => withField(resource.TransformResponse, () => ({ again: true })),
      (log) => new Probe(log, "a", {}, { transforms: [keep] }),
    ],
    [
      `${refusals} phase`,
      () => withField(callback.Callback, () => ({ phase: 1 })),
      () => pulumi.runtime.registerResourceTransform(keep),
    ],
    [
      `${ofA} lookup`,
      () => withField(resource.ReadResourceRequest, () => ({ lookup: true })),
      (log) => new Probe(log, "a", {}, { id: "theirs" }),
    ],
    [
      `${refusals} completed`,
      () => withField(resource.RegisterResourceOutputsRequest, () => ({ completed: true })),
      () => undefined,
    ],
  ])("is refused: %s", async (expected, teach, act) => {
    const { stack, log, program, order } = await bench();
    teach();
    program(() => void act(log));

    const { message, result } = await failure(stack.up());

    expect(message).toContain(`${expected} of @pulumi/pulumi ${version}`);
    expect(result.resources.map(({ name }) => name)).not.toContain("a");
    expect(order().filter((call) => call.startsWith("create"))).toEqual([]);
  });

  it("does not matter where it asks for nothing", async () => {
    const { stack, log, program } = await bench();
    withField(resource.RegisterResourceRequest, () => ({
      hints: { beforeList: [], after: undefined },
      durable: false,
      nameList: [],
    }));
    program(() => void new Probe(log, "a"));

    expect((await stack.up()).changes).toEqual({ create: 1 });
  });
});
