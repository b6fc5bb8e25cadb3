import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { bench, failure, leftProcesses, Probe } from "./support";

/** A URL whose requests are answered when the test says so. */
async function gate(): Promise<{ url: string; reached: Promise<unknown>; open(): void; close(): void }> {
  const waiting: (() => void)[] = [];
  const server = createServer((_, response) => {
    waiting.push(() => response.end());
  });
  server.listen(0, "127.0.0.1");
  const reached = once(server, "request");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    reached,
    open: () => {
      for (const release of waiting) release();
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe("cancellation", () => {
  it("finishes and records what is under way, and begins nothing else", async () => {
    const { stack, log, program, order } = await bench();
    const door = await gate();
    program(() => {
      const first = new Probe(log, "first", { barrier: door.url });
      new Probe(log, "second", {}, { dependsOn: first });
    });
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

    program(() => {
      const first = new Probe(log, "first", { barrier: door.url });
      new Probe(log, "second", {}, { dependsOn: first });
    });
    expect((await stack.up()).changes).toEqual({ same: 1, create: 1 });
  });

  it("before the beginning does nothing at all", async () => {
    const { stack, log, program, order } = await bench();
    program(() => {
      new Probe(log, "a");
    });

    const { message } = await failure(stack.preview({ signal: AbortSignal.abort() }));

    expect(message).toBe("preview canceled");
    expect(order()).toEqual([]);
  });

  it("of a destroy leaves what has not been deleted yet", async () => {
    const { stack, log, program, order } = await bench();
    program(() => {
      const first = new Probe(log, "first");
      new Probe(log, "second", {}, { dependsOn: first });
    });
    await stack.up();
    order();

    const { result } = await failure(stack.destroy({ signal: AbortSignal.abort() }));

    expect(order()).toEqual([]);
    expect(result.resources).toHaveLength(2);
  });
});

describe("closing", () => {
  it("ends an operation that would never end, with its processes", async () => {
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
  });

  it("is the end of the stack", async () => {
    const { stack } = await bench();
    await stack.close();

    await expect(stack.up()).rejects.toThrow("the stack is closed: create another one");
  });
});
