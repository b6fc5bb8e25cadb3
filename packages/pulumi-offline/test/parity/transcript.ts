/** The result of a scenario on an engine, in a form in which two engines can be compared. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { EngineStack, Outcome } from "../../../../test/support/engines";
import { type Call, Probe, takeCalls } from "../probe";
import { inNormalOrder } from "./normal-order";
import type { Place, Scenario } from "./scenario";

/** One operation of a scenario. What is empty or false is left out. */
export interface Entry {
  operation: string;
  failed?: true;
  changes?: Record<string, number>;

  /**
   * `operation name`, in an order in which each resource comes after those that it depends on as it
   * did on the engine.
   */
  steps?: string[];
  outputs?: Record<string, unknown>;

  /** `severity: message`, sorted, with the name of the resource that it belongs to. */
  diagnostics?: string[];

  /** Calls of providers, by resource. */
  calls?: Record<string, unknown[]>;

  /** Requests to the mocks of another package, sorted. */
  asked?: string[];

  /** The state that was left, by URN. */
  state?: unknown[];
}

/** Plays a scenario, and tells which of its calls came in which order. */
export async function play(
  scenario: Scenario,
  { directory, asked }: { directory: string; asked?: () => string[] },
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

  const inFiles = scenario.steps.some((step) => typeof step.program === "string");
  const stack = await create(inFiles ? { workDir: directory } : { program: () => program(place) });
  const entries: Entry[] = [];
  const order: string[] = [];
  const dependencies = new Map<string, string[]>();
  for (const { operation, program: next, options } of scenario.steps) {
    if (typeof next === "string") writeFileSync(path.join(directory, "index.js"), next);
    else if (next) program = (at) => outputsOf(next(at));

    const { failed, changes, steps, outputs, diagnostics } = await stack[operation](options);
    // Engines count differently what is only read, which is among the steps.
    const { read: _read, ...counted } = changes;
    const calls = takeCalls(log);
    const ordered = calls.filter(({ method }) => method === "create" || method === "delete");
    order.push(...ordered.map(describeCall));
    const state = await stack.state();
    for (const { urn, dependencies: needed = [] } of state)
      dependencies.set(urn, [...(dependencies.get(urn) ?? []), ...needed]);

    const entry: Entry = {
      operation,
      failed: failed || undefined,
      changes: counted,
      steps: linesOf(operation, steps, dependencies),
      // The Automation API has no outputs of previews, refreshes and failures.
      outputs: operation === "up" && !failed ? outputs : {},
      diagnostics: diagnostics
        .map(
          ({ severity, message, urn }) =>
            `${severity}: ${message}${urn ? ` (${nameOf(urn)})` : ""}`,
        )
        // A stack that the provider process printed, line by line: it names places on this machine.
        .filter((line) => !/^info:\s+at /.test(line))
        .sort(),
      calls: byLabel(calls),
      asked: asked?.().sort(),
      state,
    };

    const filled = Object.entries(entry).filter(([, value]) => !isEmpty(value));
    entries.push(withoutPlace(JSON.stringify(Object.fromEntries(filled)), directory));
  }

  return { entries, order };
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    (typeof value === "object" && value !== null && Object.keys(value).length === 0)
  );
}

function linesOf(
  operation: string,
  steps: Outcome["steps"],
  dependencies: ReadonlyMap<string, string[]>,
): string[] {
  const line = ({ operation, urn }: Outcome["steps"][number]) => `${operation} ${nameOf(urn)}`;
  // A refresh reads all resources side by side.
  if (operation === "refresh") return steps.map(line).sort();
  return inNormalOrder(steps, dependencies).map(line);
}

function nameOf(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}

function byLabel(calls: Call[]): Record<string, unknown[]> {
  const labels = [...new Set(calls.map(({ label }) => label))].sort();
  const of = (wanted: string) =>
    calls.filter(({ label }) => label === wanted).map(({ label: _, ...call }) => call);

  return Object.fromEntries(labels.map((label) => [label, of(label)]));
}

function describeCall({ method, label, news, olds }: Call): string {
  return `${method} ${label} ${(news ?? olds)?.value}`;
}

/** A resource is what a program makes, and no output. */
function outputsOf(returned: unknown): unknown {
  return returned instanceof Probe ? undefined : returned;
}

/**
 * Without what differs between two runs on one engine, such as paths and random ids, and without
 * what never differs.
 */
function withoutPlace(entry: string, directory: string): Entry {
  const text = entry
    .replaceAll(directory, "<directory>")
    .replaceAll("urn:pulumi:test::test::", "")
    .replaceAll(/(?:\\n\s+at [^"\\]*)+/g, "<stack>")
    .replaceAll(/random-[0-9a-f]+/g, "random-<text>")
    .replaceAll(/"__provider":"(?:[^"\\]|\\.)*"/g, '"__provider":"<code>"')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uuid>");

  const told: Entry = JSON.parse(text, (_key, value) =>
    isOfProbe(value) ? withoutLog(value) : value,
  );

  // Two of one URN were in the order of their random ids.
  told.state?.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

  return told;
}

function isOfProbe(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && "log" in value && "label" in value;
}

function withoutLog({ log: _log, label: _label, ...rest }: Record<string, unknown>): object {
  return rest;
}
