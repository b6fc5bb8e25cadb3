import { bench, leftProcesses, Probe, startedProcesses } from "./support";

/** What keeps this process alive, by kind. */
function handles(): Record<string, number> {
  const count: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) count[kind] = (count[kind] ?? 0) + 1;
  return count;
}

it("fifty programs leave neither a process nor a handle, whether they succeed, fail or are cancelled", async () => {
  const inputs = [
    {},
    { fail: "no room" },
    { problems: [["value", "is wrong"]] as [string, string][] },
    { unready: ["yet"] },
  ];
  const run = async (number: number) => {
    const { stack, log, program } = await bench({ project: `program-${number}` });
    program(() => new Probe(log, "a", inputs[number % inputs.length]));
    const signal = number % 5 === 4 ? AbortSignal.timeout(0) : undefined;
    const ended = await stack.up({ signal }).then(
      () => "succeeded",
      () => "failed",
    );
    await stack.close();
    return ended;
  };
  // The first one loads what stays loaded.
  await run(0);
  const before = handles();
  const started = startedProcesses();

  const ends: string[] = [];
  for (let number = 0; number < 50; number += 5)
    ends.push(...(await Promise.all([0, 1, 2, 3, 4].map((next) => run(number + next)))));

  expect(new Set(ends)).toEqual(new Set(["succeeded", "failed"]));
  expect(startedProcesses() - started).toBeGreaterThan(30);
  expect(leftProcesses()).toEqual([]);
  // A handle that was closed is gone one turn of the event loop later.
  await new Promise(setImmediate);
  expect(handles()).toEqual(before);
}, 180_000);
