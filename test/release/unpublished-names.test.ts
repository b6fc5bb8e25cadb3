/**
 * Every part of the SDK that we use although it is not published (`program/internal/sdk.ts`), in
 * the oldest and the newest SDK of the peer range. Without one, a result below would be that of the
 * harmless case.
 */
import { cpSync } from "node:fs";
import path from "node:path";
import { OLDEST, projectWith, runIn } from "./support/sdks";

const SCRIPT = `
  const pulumi = require("@pulumi/pulumi");
  const { ResourceMonitorClient } = require("@pulumi/pulumi/proto/resource_grpc_pb");
  const sdk = require("./dist/program/internal/sdk");

  async function main() {
    pulumi.runtime.setAllConfig({ "p:plain": "a", "p:secret": "b" }, ["p:secret"]);
    const found = {
      isConfigSecret: ["p:plain", "p:secret"].map((key) => sdk.stackConfig(key).plaintext),
      __pulumiRunError: pulumi.RunError.isInstance(sdk.quiet(new Error("ours"))),
      signalAndWaitForShutdown: "signalAndWaitForShutdown" in ResourceMonitorClient.prototype,
    };

    const isMocked = [sdk.isMocked()];
    // In a preview, a resource has no id.
    const newResource = () => ({ state: {} });
    await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "p", "s", true);
    isMocked.push(sdk.isMocked());

    const provider = new pulumi.ProviderResource("aws", "provider", {});
    const parent = new pulumi.ComponentResource("p:m:Parent", "parent", {}, { providers: { other: provider } });
    const child = new pulumi.CustomResource("aws:m:Child", "child", {}, { parent });
    const inside = await sdk.withChildren([parent]);
    parent.registerOutputs();

    return {
      ...found,
      mocks: isMocked,
      __pulumiType: [sdk.isOfType(child, "aws:m:Child"), sdk.packageOf(provider)],
      __providers: sdk.inheritedProvider(parent, "aws:m:Other") === provider,
      isKnown: [await sdk.isKnown(pulumi.output(1)), await sdk.isKnown(child.id)],
      promise: await sdk.promiseOf(pulumi.output(1)),
      allResources: (await sdk.resourcesOf(child.urn)).includes(child),
      __data: Reflect.get(parent, "__data") instanceof Promise,
      __childResources: inside.has(child),
    };
  }

  main().then((found) => {
    console.log(JSON.stringify(found));
    process.exit();
  });`;

it.each([
  ["latest", true],
  // Without it, nothing tells the engine early that everything is registered.
  [OLDEST, false],
])("the SDK %s has every unpublished name that is used", (version, hasShutdown) => {
  const directory = projectWith(version);
  cpSync(path.join(__dirname, "../../dist"), path.join(directory, "dist"), { recursive: true });
  expect(runIn(directory, SCRIPT)).toEqual({
    isConfigSecret: [true, false],
    __pulumiRunError: true,
    signalAndWaitForShutdown: hasShutdown,
    mocks: [false, true],
    __pulumiType: [true, "aws"],
    __providers: true,
    isKnown: [true, false],
    promise: 1,
    allResources: true,
    __data: true,
    __childResources: true,
  });
});
