/**
 * Programs in this process: a monitor that answers as the SDK's mocks do, in place of an engine,
 * and a local service.
 */
import * as pulumi from "@pulumi/pulumi";
import type { Emulator } from "../../../packages/domain-monitoring-emulator/src";

/** A resource as a program registers it. */
export type Registered = pulumi.runtime.MockResourceArgs;

/**
 * Begins a run of a program: each has a monitor of its own. @returns the resources that it
 * registers
 */
export async function beginRun({ preview }: { preview: boolean }): Promise<Registered[]> {
  const registered: Registered[] = [];
  const newResource = (resource: Registered) => {
    registered.push(resource);
    const { custom, inputs, name } = resource;
    return { id: custom ? `${name}-id` : undefined, state: { ...inputs, channelId: `${name}-id` } };
  };

  await pulumi.runtime.setMocks({ newResource, call: ({ inputs }) => inputs });
  // As an engine's, which shows no mocks: functions ask the service.
  const has = (monitor: object, key: PropertyKey) => key !== "mocks" && key in monitor;
  const monitor = new Proxy<object>(pulumi.runtime.getMonitor() ?? {}, { has });
  Reflect.get(pulumi.runtime, "setMockOptions")(monitor, "project", "stack", preview);

  return registered;
}

/** Sets the stack's configuration to a service's account, with the token as a secret. */
export function configureFor({ url, token }: Emulator): void {
  const settings = { "domain-monitoring:baseUrl": url, "domain-monitoring:apiToken": token };
  pulumi.runtime.setAllConfig(settings, ["domain-monitoring:apiToken"]);
}

/** The value of an output that is known. */
export function knownValue<T>(output: pulumi.Output<T>): Promise<pulumi.Unwrap<T>> {
  return new Promise((resolve) => output.apply((known) => resolve(known as pulumi.Unwrap<T>)));
}

/** An output whose value a preview does not know. */
export function unknownOutput<T = string>(): pulumi.Output<T> {
  return pulumi.output<T>(pulumi.unknown as never) as pulumi.Output<T>;
}

/** Resolves when the SDK has nothing under way: a test must not end before. */
export function idle(): Promise<void> {
  return Reflect.get(pulumi.runtime, "waitForRPCs")();
}
