/** Updates of some resources alone, forced replacements, and updates that go on after errors. */
import type { ProbeInputs } from "../../probe";
import {
  destroy,
  only,
  type Place,
  type Program,
  preview,
  type Scenario,
  scenariosOf,
  up,
} from "../scenario";

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

export const narrowedUpdates: Scenario[] = scenariosOf({
  "an update of targets alone: others are neither created, changed nor deleted": {
    isUsual: true,
    steps: [
      up(all("1", { kept: {}, changed: {}, gone: {}, left: {} })),
      only(
        { target: ["changed", "added", "gone"].map(urnOf) },
        preview(all("2", { kept: {}, changed: {}, added: {}, other: {} })),
      ),
      only({ target: ["changed", "added", "gone"].map(urnOf) }, up()),
      up(),
      destroy(),
    ],
  },
  "a target that depends on a resource which is not created": [
    only(
      { target: [urnOf("second")] },
      up((place) => void row(place, "1")),
    ),
  ],
  "exclusions: they stay as they are, and what depends on one that is not created does without it":
    [
      up(all("1", { kept: {}, changed: {}, gone: {}, left: {}, second: {} })),
      only(
        { exclude: ["changed", "added", "gone"].map(urnOf) },
        preview(({ probe }) => {
          probe("kept", { value: "2" });
          probe("changed", { value: "2" });
          const { made } = probe("added", { value: "2" });
          probe("dependent", { value: made });
          probe("second", { value: made });
        }),
      ),
      only({ exclude: ["changed", "added", "gone"].map(urnOf) }, up()),
      up(),
      destroy(),
    ],
  "replacements that are asked for, before and after the old half is deleted": [
    up(all("1", { after: {}, before: {} })),
    only({ replace: [urnOf("after")] }, preview()),
    only({ replace: [urnOf("after")] }, up()),
    only(
      { replace: [urnOf("before")] },
      up(({ probe }) => {
        probe("after");
        probe("before", {}, { deleteBeforeReplace: true });
      }),
    ),
    destroy(),
  ],
  "an update that goes on after errors: what depends on them is skipped, the rest is done": [
    up(all("1", { gone: {}, stuck: { failDelete: "still in use" } })),
    only(
      { continueOnError: true },
      up((place) => void row(place, "1", { fail: "no room" })),
    ),
    up((place) => void row(place, "1")),
    only(
      { continueOnError: true },
      up((place) => void row(place, "2", { failUpdate: "no room" })),
    ),
    up(nothing),
  ],
});
