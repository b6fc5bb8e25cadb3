import * as pulumi from "@pulumi/pulumi";
import { bench, failure, Group, Probe, probeUrn } from "./support";

/** A transform that adds a word to the value. */
const add =
  (word: string): pulumi.ResourceTransform =>
  ({ props, opts }) => ({ props: { ...props, value: pulumi.interpolate`${props.value} ${word}` }, opts });

describe("a transform", () => {
  it("is applied before the provider is asked: the resource's own, then its parents', then the stack's", async () => {
    const { stack, log, program, calls } = await bench();
    program(async () => {
      pulumi.runtime.registerResourceTransform((args) => (args.custom ? add("stack")(args) : undefined));
      const group = new Group("group", {
        transforms: [(args) => (args.custom ? add("parent")(args) : undefined)],
      });
      new Probe(log, "a", { value: "declared" }, { parent: group, transforms: [add("own")] });
    });

    const { resources } = await stack.up();

    expect(calls().find(({ method }) => method === "create")?.news?.value).toBe("declared own parent stack");
    expect(resources.find(({ name }) => name === "a")?.inputs.value).toBe("declared own parent stack");
    expect((await stack.up()).changes).toEqual({ same: 2 });
  });

  it("changes options", async () => {
    const { stack, log, program } = await bench();
    const kept: pulumi.ResourceTransform = ({ props, opts }) => ({
      props,
      opts: { ...opts, protect: true, additionalSecretOutputs: ["made"] },
    });
    program(() => {
      new Probe(log, "a", {}, { transforms: [kept] });
    });

    const { resources } = await stack.up();

    expect(resources[0]?.secretOutputs).toEqual(["made"]);
    expect((await failure(stack.destroy())).message).toContain("because it is protected");
  });

  it("leaves what a resource depends on, so that it is deleted first", async () => {
    const { stack, log, program, order } = await bench();
    program(() => {
      const first = new Probe(log, "first");
      new Probe(log, "second", { value: first.made }, { transforms: [add("own")] });
    });
    await stack.up();
    order();

    await stack.destroy();

    expect(order()).toEqual(["delete second", "delete first"]);
  });

  it("that fails, fails the program with its message", async () => {
    const { stack, log, program } = await bench();
    program(() => {
      const broken: pulumi.ResourceTransform = () => {
        throw new Error("no such thing");
      };
      new Probe(log, "a", {}, { transforms: [broken] });
    });

    const { message, result } = await failure(stack.up());

    expect(message).toContain("transform failed: Error: no such thing");
    expect(result.resources.map(({ urn }) => urn)).not.toContain(probeUrn("a"));
  });
});
