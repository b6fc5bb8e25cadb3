/** Resources and calls that a test answers by mocks. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { RegisterPackageRequest } from "@pulumi/pulumi/proto/resource_pb";
import { Projects } from "../../../test/support/project";
import { AnyProvider, bench, failure, Group, recordingMocks, temporaryDirectory } from "./support";

// The effect of each option on a mocked resource is compared with the real engine in ../parity.

class Bucket extends pulumi.CustomResource {
  declare readonly content: pulumi.Output<unknown>;
  declare readonly arn: pulumi.Output<string>;

  constructor(name: string, inputs: pulumi.Inputs = {}, options?: pulumi.CustomResourceOptions) {
    super("aws:s3/bucket:Bucket", name, { content: undefined, arn: undefined, ...inputs }, options);
  }
}

it("mocks are given and return the same as under setMocks", async () => {
  const declare = () => {
    const content = { deep: pulumi.secret("hush"), plain: [1, null, "two"] };
    const first = new Bucket("first", { content });
    const own = new AnyProvider("own", { region: "here" }, "aws");
    const code = new pulumi.asset.StringAsset("code");

    return [first, new Bucket("second", { content: { code, of: first } }, { provider: own })];
  };
  const here = recordingMocks();
  const { stack, program } = await bench({ mocks: here.mocks });
  program(() => {
    declare();
  });

  await stack.up();
  const reference = recordingMocks();
  await pulumi.runtime.setMocks(reference.mocks, "test", "test");
  await Promise.all(declare().map(({ id }) => new Promise((resolve) => id.apply(resolve))));

  const byName = ({ received }: typeof here) =>
    received
      .flatMap((args) => ("name" in args ? [args] : []))
      .sort((a, b) => (a.name < b.name ? -1 : 1));

  // As texts: what is in an asset is a promise.
  expect(JSON.stringify(byName(here))).toBe(JSON.stringify(byName(reference)));
  expect(byName(here).map(({ name }) => name)).toEqual(["first", "own", "second"]);
});

it("mocks may return promises, outputs and secrets; an id that is left out is made of the name", async () => {
  const content = pulumi.output(Promise.resolve({ a: [1] }));
  const state = { arn: pulumi.secret("arn:hush"), content };
  const answer = async () => ({ id: undefined, state });
  const { mocks } = recordingMocks({ "aws:s3/bucket:Bucket": answer });
  const { stack, program } = await bench({ mocks });
  program(() => {
    const bucket = new Bucket("bucket");
    return { id: bucket.id, arn: bucket.arn, content: bucket.content };
  });

  const { outputs, resources } = await stack.up();
  expect(outputs).toEqual({
    id: { value: "bucket_id", secret: false },
    arn: { value: "arn:hush", secret: true },
    content: { value: { a: [1] }, secret: false },
  });
  expect(resources[0]).toMatchObject({ outputs: { arn: "[secret]" }, secretOutputs: ["arn"] });
});

it("mocks are asked with the project and the stack, and whether it is a preview", async () => {
  const seen: unknown[] = [];
  const { mocks } = recordingMocks({
    "aws:index/getRegion:getRegion": () => {
      seen.push([pulumi.getProject(), pulumi.getStack(), pulumi.runtime.isDryRun()]);
      return {};
    },
  });

  const { stack, program } = await bench({ mocks, project: "site", stack: "dev" });
  program(() => {
    pulumi.runtime.invokeOutput("aws:index/getRegion:getRegion", {});
  });

  await stack.preview();
  await stack.up();
  expect(seen).toEqual([
    ["site", "dev", true],
    ["site", "dev", false],
  ]);
});

it("an asset of a mocked resource is compared by its content: files, directories and archives", async () => {
  const directory = temporaryDirectory();
  const write = (name: string, content: string) =>
    writeFileSync(path.join(directory, name), content);

  for (const name of ["one", "two", "three"]) write(name, "content");
  const { mocks } = recordingMocks();
  const { stack, program } = await bench({ mocks });
  const { FileArchive, FileAsset, AssetArchive, StringAsset } = pulumi.asset;
  let file = "one";
  program(() => {
    new Bucket("file", { content: new FileAsset(path.join(directory, file)) });
    new Bucket("directory", { content: pulumi.secret(new FileArchive(directory)) });
    const parts = { a: new StringAsset("text"), b: new FileAsset(`${directory}/three`) };
    new Bucket("archive", { content: new AssetArchive(parts) });
    new Bucket("remote", { content: new pulumi.asset.RemoteAsset("https://example.com/a") });
  });

  await stack.up();
  await stack.up({ expectNoChanges: true });

  file = "two";
  await stack.up({ expectNoChanges: true });
  write("three", "changed");
  const { steps } = await stack.up();
  const updated = steps.filter(({ operation }) => operation === "update");

  expect(updated.map(({ name }) => name).sort()).toEqual(["archive", "directory"]);

  file = "missing";
  expect((await failure(stack.up())).message).toContain("no such file or directory");
});

it("a program in a directory is run in its own process, and its mocks in the test's", async () => {
  const workDir = new Projects().add("index.js", {
    "index.js": `
      const pulumi = require("@pulumi/pulumi");
      const random = require("@pulumi/random");
      const own = new random.Provider("own");
      const pet = new random.RandomPet("pet", { length: 2 }, { provider: own });
      const shared = new pulumi.StackReference("organization/shared/prod");
      exports.pet = pet.id;
      exports.zone = shared.getOutput("zone");
      exports.region = pulumi.runtime.invokeOutput("aws:index/getRegion:getRegion", {}).name;
      exports.process = process.pid;`,
  });

  const { received, mocks } = recordingMocks({
    "pulumi:pulumi:StackReference": ({ id }) => ({ id, state: { outputs: { zone: "a" } } }),
    "aws:index/getRegion:getRegion": () => ({ name: "eu-central-1" }),
  });

  const { stack } = await bench({ mocks, program: undefined, workDir });
  const { changes, outputs } = await stack.up();
  expect(changes).toEqual({ create: 2, read: 1 });
  expect(outputs).toMatchObject({
    pet: { value: "pet_id" },
    zone: { value: "a" },
    region: { value: "eu-central-1" },
  });
  expect(outputs.process?.value).not.toBe(process.pid);
  expect(received).toHaveLength(4);
});

it("packages that are registered with their parameters have their resources mocked as well", async () => {
  const { stack, program } = await bench({ mocks: recordingMocks().mocks });
  class Parameterized extends pulumi.CustomResource {
    constructor(name: string) {
      const request = new RegisterPackageRequest().setName("terraform");
      const monitor = pulumi.runtime.getMonitor();
      const registered = new Promise<string | undefined>((resolve) => {
        monitor?.registerPackage(request, (_, answer) => resolve(answer?.getRef()));
      });

      super("other:index:Thing", name, {}, {}, false, registered);
    }
  }

  program(() => {
    new Parameterized("a");
    new Group("beside");
  });

  expect((await stack.up()).changes).toEqual({ create: 2 });
});

it("a resource that is referred to by URN is looked up among those of the stack", async () => {
  const { stack, program } = await bench({ mocks: recordingMocks().mocks });
  program(async () => {
    const bucket = new Bucket("b", { content: 1 });
    const urn = await new Promise((resolve) => bucket.urn.apply(resolve));
    const found = await pulumi.runtime.invoke("pulumi:pulumi:getResource", { urn });
    const none = await pulumi.runtime
      .invoke("pulumi:pulumi:getResource", { urn: "urn:none" })
      .catch(({ message }) => message);

    return { found, none };
  });

  const { outputs } = await stack.up();
  expect(outputs.found?.value).toMatchObject({ id: "b_id", state: { content: 1 } });
  expect(outputs.none?.value).toContain("unknown resource urn:none");
});
