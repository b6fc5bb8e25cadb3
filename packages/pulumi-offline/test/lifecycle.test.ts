/** What a stack begins and ends: operations in order, beside others, cancelled, and closed. */
import { promisify } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import {
  ResourceMonitorClient,
  ResourceMonitorService,
} from "@pulumi/pulumi/proto/resource_grpc_pb";
import { type DeploymentInfo, ResourceMonitorFeature } from "@pulumi/pulumi/proto/resource_pb";
import { programConnections } from "../../../test/support/engines";
import { TestStack } from "../src";
import { CLIENT_OPTIONS, Empty, grpc } from "../src/sdk";
import { bench, failure, Group, gate, leftProcesses, Probe, startedProcesses } from "./support";

// Calls of providers, steps and states are compared with the real engine in ../parity.

/** A monitor that answers one call. */
async function serve(port: number) {
  const server = new grpc.Server();
  server.addService(ResourceMonitorService, {
    signalAndWaitForShutdown: (_: unknown, done: (error: null, answer: unknown) => void) =>
      done(null, new Empty()),
  });

  const credentials = grpc.ServerCredentials.createInsecure();
  const bound = await promisify(server.bindAsync.bind(server))(`127.0.0.1:${port}`, credentials);

  return { server, port: bound };
}

it.each([
  ["of this engine", CLIENT_OPTIONS],
  ["of a program that these tests run on the real engine", programConnections],
])("a client %s is answered at the port of an earlier server", async (_, options) => {
  const connect = (port: number) =>
    new ResourceMonitorClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), options);

  const ask = (client: InstanceType<typeof ResourceMonitorClient>) =>
    new Promise<string>((resolve) => {
      client.signalAndWaitForShutdown(new Empty(), (error) =>
        resolve(error === null ? "answered" : grpc.status[error.code]),
      );
    });

  const earlier = await serve(0);
  // It still waits for the earlier one.
  const leftBehind = connect(earlier.port);
  const before = await ask(leftBehind);
  earlier.server.forceShutdown();
  const meanwhile = await ask(leftBehind);
  const later = await serve(earlier.port);
  const client = connect(later.port);
  const after = await ask(client);
  for (const each of [client, leftBehind]) each.close();
  later.server.forceShutdown();

  expect([before, meanwhile, after]).toEqual(["answered", "UNAVAILABLE", "answered"]);
});

it("an operation tells a program about its deployment at once, as SDKs from 3.256 on ask", async () => {
  const infos: DeploymentInfo.AsObject[] = [];
  await using stack = await TestStack.create({
    project: "shop",
    stack: "dev",
    config: { region: "north", "other:size": "1" },
    secrets: { key: "hush" },
    program: async () => {
      const info = await new Promise<DeploymentInfo>((resolve, reject) => {
        const monitor = pulumi.runtime.getMonitor();
        monitor?.getDeploymentInfo(new Empty(), (error, answer) =>
          error ? reject(error) : resolve(answer),
        );
      });

      infos.push(info.toObject());
    },
  });

  await stack.preview();
  await stack.up();

  const options = "ALIAS_SPECS DELETED_WITH REPLACE_WITH PARAMETERIZATION SECRETS";
  const calls = "TRANSFORMS INVOKE_TRANSFORMS RESOURCE_HOOKS ERROR_HOOKS";
  const features = `${options} ${calls}`
    .split(" ")
    .map((name) => Reflect.get(ResourceMonitorFeature, `RESOURCE_MONITOR_FEATURE_${name}`));

  const config = { "other:size": "1", "shop:key": "hush", "shop:region": "north" };
  const info = {
    project: "shop",
    stack: "dev",
    organization: "organization",
    configMap: Object.entries(config),
    configsecretkeysList: ["shop:key"],
    parallel: 16,
    supportedfeaturesList: expect.arrayContaining(features),
  };

  expect(infos).toEqual([true, false].map((dryrun) => ({ ...info, dryrun })));
  for (const { supportedfeaturesList } of infos)
    expect(supportedfeaturesList).toHaveLength(features.length);
});

describe("a stack", () => {
  it("runs its operations one after the other", async () => {
    const { stack, program } = await bench();
    program(() => ({ urn: new Group("group").urn }));
    const [up, same, destroyed] = await Promise.all([stack.up(), stack.up(), stack.destroy()]);
    expect(up.changes).toEqual({ create: 1 });
    expect(same.changes).toEqual({ same: 1 });
    expect(Object.keys(same.outputs)).toEqual(["urn"]);
    expect(destroyed).toMatchObject({ changes: { delete: 1 }, resources: [] });
    expect(destroyed.outputs).toEqual({});
  });

  it("runs beside others in one process, with at most one provider process", async () => {
    const benches = await Promise.all([bench({ project: "one" }), bench({ project: "two" })]);
    const before = startedProcesses();
    await benches[0]?.stack.up();

    expect(startedProcesses()).toBe(before);

    // Nothing is created before all four are about to be.
    const { url, close } = await gate(4);
    for (const { log, program } of benches) {
      program(async () => {
        const project = pulumi.getProject();
        const { made } = new Probe(log, project, { barrier: url });
        await new Promise((resolve) => setImmediate(resolve));
        new Probe(log, `${pulumi.getProject()}-later`, { barrier: url });

        return { made };
      });
    }

    const results = await Promise.all(benches.map(({ stack }) => stack.up()));
    close();
    expect(results.map(({ resources }) => resources.map(({ name }) => name).sort())).toEqual([
      ["one", "one-later"],
      ["two", "two-later"],
    ]);
    expect(startedProcesses()).toBe(before + 2);
  });
});

it("a cancelled operation finishes and records what is under way, and begins nothing else", async () => {
  const { stack, log, program, order } = await bench();
  const door = await gate();
  program(() => {
    const first = new Probe(log, "first", { barrier: door.url });
    new Probe(log, "second", {}, { dependsOn: first });
  });

  const before = await failure(stack.preview({ signal: AbortSignal.abort() }));
  expect(before.message).toBe("preview canceled");
  expect(order()).toEqual([]);

  const controller = new AbortController();
  const up = failure(stack.up({ signal: controller.signal }));
  await door.reached;

  controller.abort();
  door.open();
  const { message, result } = await up;
  door.close();

  expect(message).toBe("update canceled\n\nDone until then:\n  create first");
  expect(result.changes).toEqual({ create: 1 });
  expect(result.resources.map(({ name }) => name)).toEqual(["first"]);
  expect(order().filter((call) => call.startsWith("create"))).toEqual(["create first"]);

  const destroy = await failure(stack.destroy({ signal: AbortSignal.abort() }));
  expect(order()).toEqual([]);
  expect(destroy.result.resources).toHaveLength(1);
});

it("closing ends the stack, a hanging operation and its processes", async () => {
  const { stack, log, program } = await bench();
  const door = await gate();
  program(() => {
    new Probe(log, "a", { barrier: door.url });
  });

  const up = failure(stack.up());
  await door.reached;

  await stack.close();
  const { message, result } = await up;
  door.close();

  expect(message).toContain("update canceled");
  expect(result.resources).toEqual([]);
  expect(leftProcesses()).toEqual([]);
  await expect(stack.up()).rejects.toThrow("the stack is closed: create another one");
});
