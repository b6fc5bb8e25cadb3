import * as pulumi from "@pulumi/pulumi";
import { bench, failure, Probe, probeUrn } from "./support";

// Which transforms are applied, in which order, and that they change options: ../parity.

describe("a transform", () => {
  it("leaves what a resource depends on, so that it is deleted first", async () => {
    const { stack, log, program, order } = await bench();
    program(() => {
      const first = new Probe(log, "first");
      const add: pulumi.ResourceTransform = ({ props, opts }) => ({
        props: { ...props, value: pulumi.interpolate`${props.value} word` },
        opts,
      });
      new Probe(log, "second", { value: first.made }, { transforms: [add] });
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
