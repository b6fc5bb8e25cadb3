import { bench, leftProcesses, Probe, startedProcesses } from "./support";

/** Processes, pipes, sockets and servers that keep this process alive. Timers and immediates end by themselves. */
function handles(): string[] {
  return process.getActiveResourcesInfo().filter((kind) => /^(Process|Pipe|TCP)/.test(kind));
}

/** Lets handles that were closed be gone: that takes a few turns of the event loop. */
async function settle(atMost: number): Promise<void> {
  for (let turn = 0; turn < 100 && handles().length > atMost; turn++) await new Promise(setImmediate);
}

it("programs leave neither a process nor a handle, whether they succeed, fail or are cancelled", async () => {
  const inputs = [
    {},
    { fail: "no room" },
    { problems: [["value", "is wrong"]] as [string, string][] },
    { unready: ["yet"] },
  ];
  const run = async (number: number, isCancelled: boolean) => {
    const { stack, log, program } = await bench({ project: `program-${number}` });
    program(() => new Probe(log, "a", inputs[number]));
    const signal = isCancelled ? AbortSignal.timeout(0) : undefined;
    const ended = await stack.up({ signal }).then(
      () => "succeeded",
      () => "failed",
    );
    await stack.close();
    return ended;
  };
  // The first one loads what stays loaded.
  await run(0, false);
  await settle(0);
  const before = handles().sort();
  const started = startedProcesses();

  // Every outcome of a program with and without a cancellation, beside others with and without.
  const ends: string[] = [];
  for (const cancelled of [0, 1])
    ends.push(...(await Promise.all(inputs.map((_, number) => run(number, number % 2 === cancelled)))));

  expect(new Set(ends)).toEqual(new Set(["succeeded", "failed"]));
  expect(startedProcesses() - started).toBeGreaterThanOrEqual(4);
  expect(leftProcesses()).toEqual([]);
  await settle(before.length);
  expect(handles().sort()).toEqual(before);
});
