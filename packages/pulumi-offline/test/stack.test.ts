/** A stack's operations: in order, beside others, closed and failing. */
import { promisify } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import {
  ResourceMonitorClient,
  ResourceMonitorService,
} from "@pulumi/pulumi/proto/resource_grpc_pb";
import { type DeploymentInfo, ResourceMonitorFeature } from "@pulumi/pulumi/proto/resource_pb";
import { programConnections } from "../../../test/support/engines";
import { CLIENT_OPTIONS, Empty, grpc } from "../src/sdk";
import {
  bench,
  failure,
  Group,
  gate,
  leftProcesses,
  Probe,
  probeUrn,
  startedProcesses,
} from "./support";

// Calls of providers, steps, repairs and states are compared with the real engine in ../parity.

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
    new Promise((resolve) => {
      client.signalAndWaitForShutdown(new Empty(), (error) => resolve(error?.code));
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

  expect([before, meanwhile, after]).toEqual([undefined, grpc.status.UNAVAILABLE, undefined]);
});

it("an operation tells a program about its deployment at once, as SDKs from 3.256 on ask", async () => {
  const infos: (DeploymentInfo.AsObject | undefined)[] = [];
  const { stack } = await bench({
    project: "shop",
    stack: "dev",
    config: { region: "north", "other:size": "1" },
    secrets: { key: "hush" },
    program: () =>
      new Promise<void>((resolve) => {
        pulumi.runtime.getMonitor()?.getDeploymentInfo(new Empty(), (_, info) => {
          infos.push(info?.toObject());
          resolve();
        });
      }),
  });

  await stack.preview();
  await stack.up();

  const options = "SECRETS ALIAS_SPECS DELETED_WITH REPLACE_WITH";
  const calls = "TRANSFORMS INVOKE_TRANSFORMS PARAMETERIZATION RESOURCE_HOOKS ERROR_HOOKS";
  const features = `${options} ${calls}`.split(" ");
  const config = { "other:size": "1", "shop:key": "hush", "shop:region": "north" };
  const info = {
    project: "shop",
    stack: "dev",
    organization: "organization",
    configMap: Object.entries(config),
    configsecretkeysList: ["shop:key"],
    parallel: 16,
    supportedfeaturesList: features.map((name) =>
      Reflect.get(ResourceMonitorFeature, `RESOURCE_MONITOR_FEATURE_${name}`),
    ),
  };

  expect(infos).toEqual([true, false].map((dryrun) => ({ ...info, dryrun })));
});

it("operations run one after the other", async () => {
  const { stack, program } = await bench();
  program(() => ({ urn: new Group("group").urn }));
  const [up, same, destroyed] = await Promise.all([stack.up(), stack.up(), stack.destroy()]);
  expect(up.changes).toEqual({ create: 1 });
  expect(same.changes).toEqual({ same: 1 });
  expect(Object.keys(same.outputs)).toEqual(["urn"]);
  expect(destroyed).toMatchObject({ changes: { delete: 1 }, resources: [] });
  expect(destroyed.outputs).toEqual({});
});

it("stacks run side by side in one process, with at most one provider process each", async () => {
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

// One that passes: ./mocks.
it("an operation that is to change nothing fails with what it would change", async () => {
  const { stack, log, program } = await bench();
  program(() => {
    new Probe(log, "kept");
    new Probe(log, "other", { replaceOn: ["nested"] });
  });

  await stack.up();

  program(() => {
    new Probe(log, "kept", { value: "2", print: "looking\nclosely" });
    new Probe(log, "other", { replaceOn: ["nested"], nested: 2 });
    new Probe(log, "third");
  });

  const { message, result } = await failure(stack.preview({ expectNoChanges: true }));

  const [cause, done, printed] = message.split("\n\n");
  expect(cause).toContain("no changes were expected, but there are some: ");

  for (const step of ["update kept (print, value)", "replace other (nested)", "create third"]) {
    expect(cause).toContain(step);
    expect(done).toContain(`\n  ${step}`);
  }

  expect(printed).toBe("Printed by the program and its providers:\n  looking\n  closely");
  // Information without a resource, one for each line.
  expect(result.diagnostics.slice(0, 2)).toEqual([
    { severity: "info", message: "looking" },
    { severity: "info", message: "closely" },
  ]);

  const type = "pulumi-nodejs:dynamic/test:Probe";
  const kept = { urn: probeUrn("kept"), type, name: "kept", changed: ["print", "value"] };
  const third = { urn: probeUrn("third"), type, name: "third", changed: [] };
  expect(result.steps).toContainEqual({ operation: "update", ...kept });
  expect(result.steps).toContainEqual({ operation: "create", ...third });
});

it("a provider whose process ends before it is ready is named", async () => {
  const { stack, log, program } = await bench({ env: { NODE_OPTIONS: "--no-such-option" } });
  program(() => void new Probe(log, "a"));
  const { message } = await failure(stack.up());
  expect(message).toContain("the dynamic provider process ended with 9 before it was ready");
});

it("a failing program fails with the RunError's message alone, and keeps resources and outputs", async () => {
  const { stack, program } = await bench();
  program(() => {
    new Group("old");
    return { kept: 1, changed: 1 };
  });

  await stack.up();
  program(async () => {
    await new Promise((resolve) => new Group("new").urn.apply(resolve));
    throw new pulumi.RunError("the program says no");
  });

  const error = await failure(stack.up());
  expect(error.name).toBe("StackError");
  expect(error.message).toBe("the program says no\n\nDone until then:\n  create new");
  expect(error.result.resources.map(({ name }) => name)).toEqual(["new", "old"]);
  expect(error.result.changes).toEqual({ create: 1 });
  expect(Object.keys(error.result.outputs).sort()).toEqual(["changed", "kept"]);

  program(() => Promise.reject());
  expect((await failure(stack.up())).message).toBe("unknown error undefined");
});
