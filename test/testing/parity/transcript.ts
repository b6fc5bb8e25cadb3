/** What a scenario came to on an engine, in a form in which two engines can be compared. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { EngineStack } from "../../support/engines";
import { type Call, Probe, takeCalls } from "../engine/probe";
import type { Place, Scenario } from "./scenarios";

/** One operation of a scenario. */
export interface Entry {
  operation: string;
  failed: boolean;
  changes: Record<string, number>;
  outputs: Record<string, unknown>;
  /** `severity: message`, sorted. */
  diagnostics: string[];
  /** What providers were asked, by resource. */
  calls: Record<string, unknown[]>;
  /** The state that was left, by URN. */
  state: unknown[];
}

/** Plays a scenario, and tells which of its calls came in which order. */
export async function play(
  scenario: Scenario,
  directory: string,
  create: (what: { program: () => unknown } | { workDir: string }) => Promise<EngineStack>,
): Promise<{ entries: Entry[]; order: string[] }> {
  const log = path.join(directory, "calls.log");
  const place: Place = {
    probe: (name, inputs, options) => new Probe(log, name, inputs, options),
    live: (found) => writeFileSync(`${log}.live`, JSON.stringify(found)),
  };
  let program: (place: Place) => unknown = () => undefined;
  for (const [name, content] of Object.entries(scenario.files ?? {})) {
    mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
    writeFileSync(path.join(directory, name), content);
  }
  const inFiles = scenario.steps.some(([, next]) => typeof next === "string");
  const stack = await create(inFiles ? { workDir: directory } : { program: () => program(place) });
  const entries: Entry[] = [];
  const order: string[] = [];
  for (const [operation, next] of scenario.steps) {
    if (typeof next === "string") writeFileSync(path.join(directory, "index.js"), next);
    else if (next) program = (at) => outputsOf(next(at));
    const { failed, changes, outputs, diagnostics } = await stack[operation]();
    const calls = takeCalls(log);
    for (const { method, label, news, olds } of calls)
      if (method === "create" || method === "delete")
        order.push(`${method} ${label} ${(news ?? olds)?.value}`);
    const entry = {
      operation,
      failed,
      changes,
      // Of previews, refreshs and failures the Automation API tells no outputs.
      outputs: operation === "up" && !failed ? outputs : {},
      diagnostics: diagnostics
        .map(({ severity, message }) => `${severity}: ${message}`)
        // A stack that the provider process printed, line by line: it names places on this machine.
        .filter((line) => !/^info:\s+at /.test(line))
        .sort(),
      calls: byLabel(calls),
      state: await stack.state(),
    };
    entries.push(JSON.parse(withoutPlace(JSON.stringify(entry), directory)));
  }
  return { entries, order };
}

function byLabel(calls: Call[]): Record<string, unknown[]> {
  const labels = [...new Set(calls.map(({ label }) => label))].sort();
  const of = (wanted: string) =>
    calls.filter(({ label }) => label === wanted).map(({ label: _, ...call }) => call);
  return Object.fromEntries(labels.map((label) => [label, of(label)]));
}

/** A resource is what a program makes, and no output. */
function outputsOf(returned: unknown): unknown {
  return returned instanceof Probe ? undefined : returned;
}

/** Without what differs between two runs on one engine: paths, ids made at random, the providers' code. */
function withoutPlace(text: string, directory: string): string {
  return text
    .replaceAll(directory, "<directory>")
    .replaceAll(/(?:\\n\s+at [^"\\]*)+/g, "<stack>")
    .replaceAll(/random-[0-9a-f]+/g, "random-<text>")
    .replaceAll(/"__provider":"(?:[^"\\]|\\.)*"/g, '"__provider":"<code>"')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uuid>");
}
