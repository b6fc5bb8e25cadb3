/** Updates of some resources alone, forced replacements, and updates that go on after errors. */
import type { ProbeInputs } from "../../probe";
import type { Place, Program, Scenario } from "../scenario";

const urnOf = (name: string) => `urn:pulumi:test::test::pulumi-nodejs:dynamic/test:Probe::${name}`;

/** Resources of one value, and how each behaves besides. */
function all(value: string, of: Record<string, ProbeInputs>): Program {
  return ({ probe }) => {
    for (const [name, inputs] of Object.entries(of)) probe(name, { value, ...inputs });
  };
}

/** Two in a row, and one beside them. */
function row({ probe }: Place, value: string, ofFirst: ProbeInputs = {}): void {
  const first = probe("first", { value, ...ofFirst });
  probe("second", { value: first.made });
  probe("beside", { value });
}

const nothing: Program = () => undefined;

export const narrowedUpdates: Scenario[] = [
  {
    name: "an update of targets alone: others are neither created, changed nor deleted",
    isUsual: true,
    steps: [
      ["up", all("1", { kept: {}, changed: {}, gone: {}, left: {} })],
      [
        "preview",
        all("2", { kept: {}, changed: {}, added: {}, other: {} }),
        undefined,
        { target: ["changed", "added", "gone"].map(urnOf) },
      ],
      ["up", undefined, undefined, { target: ["changed", "added", "gone"].map(urnOf) }],
      ["up"],
      ["destroy"],
    ],
  },
  {
    name: "a target that depends on a resource which is not created",
    steps: [["up", (place) => void row(place, "1"), undefined, { target: [urnOf("second")] }]],
  },
  {
    name: "exclusions: they stay as they are, and what depends on one that is not created does without it",
    steps: [
      ["up", all("1", { kept: {}, changed: {}, gone: {}, left: {}, second: {} })],
      [
        "preview",
        ({ probe }) => {
          probe("kept", { value: "2" });
          probe("changed", { value: "2" });
          const { made } = probe("added", { value: "2" });
          probe("dependent", { value: made });
          probe("second", { value: made });
        },
        undefined,
        { exclude: ["changed", "added", "gone"].map(urnOf) },
      ],
      ["up", undefined, undefined, { exclude: ["changed", "added", "gone"].map(urnOf) }],
      ["up"],
      ["destroy"],
    ],
  },
  {
    name: "replacements that are asked for, before and after the old half is deleted",
    steps: [
      ["up", all("1", { after: {}, before: {} })],
      ["preview", undefined, undefined, { replace: [urnOf("after")] }],
      ["up", undefined, undefined, { replace: [urnOf("after")] }],
      [
        "up",
        ({ probe }) => {
          probe("after");
          probe("before", {}, { deleteBeforeReplace: true });
        },
        undefined,
        { replace: [urnOf("before")] },
      ],
      ["destroy"],
    ],
  },
  {
    name: "an update that goes on after errors: what depends on them is skipped, the rest is done",
    steps: [
      ["up", all("1", { gone: {}, stuck: { failDelete: "still in use" } })],
      [
        "up",
        (place) => void row(place, "1", { fail: "no room" }),
        undefined,
        { continueOnError: true },
      ],
      ["up", (place) => void row(place, "1")],
      [
        "up",
        (place) => void row(place, "2", { failUpdate: "no room" }),
        undefined,
        { continueOnError: true },
      ],
      ["up", nothing],
    ],
  },
];
