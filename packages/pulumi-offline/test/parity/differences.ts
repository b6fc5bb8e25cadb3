/**
 * Where the offline engine differs from the real one, and why; docs/contributing/what-was-run.md
 * says the same.
 */
import type { Entry } from "./transcript";

interface Difference {
  scenario: string;
  reason: string;

  /** The expected entries of the offline engine where the real one did this. */
  offline(recorded: Entry[]): Entry[];
}

/** The recording with each of its diagnostics changed. */
const withDiagnostics = (change: (line: string) => string) => (recorded: Entry[]) =>
  recorded.map((entry) => ({ ...entry, diagnostics: entry.diagnostics?.map(change) }));

export const known: Difference[] = [
  {
    scenario: "in files: a transform that fails",
    reason:
      "the engine reports the cause; with `pulumi` the program reports it, with a stack trace",
    offline: withDiagnostics((line) =>
      line
        .replace(/Error: failed to register new resource .*? 2 UNKNOWN: /, "")
        .replace("<stack>", ""),
    ),
  },
  {
    scenario: "other packages: a create and an update that fail, with what comes after them",
    reason:
      "what a mock throws is reported with the mock that threw it; a provider's error as it is",
    offline: withDiagnostics((line) =>
      line.replace(
        /^error: (no .*) \((.)\)$/,
        "error: mini:index:Thing resource '$2': mocks.newResource failed ($1): where it is to answer, add " +
          '`if (args.type === "mini:index:Thing") return { id: `$${args.name}_id`, state: args.inputs };` ($2)',
      ),
    ),
  },
  {
    scenario: "other packages: imported, and to be replaced while the program still names its id",
    reason: "the message does not list the values that differ",
    offline: withDiagnostics((line) => line.replace(/;\n.* => .*?(?= \()/, "")),
  },
];

export function differences(scenario: string, recorded: Entry[]): Entry[] {
  return (
    known.find((difference) => difference.scenario === scenario)?.offline(recorded) ?? recorded
  );
}
