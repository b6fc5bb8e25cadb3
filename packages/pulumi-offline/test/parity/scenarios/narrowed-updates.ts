/** Updates of some resources alone, forced replacements, and updates that go on after errors. */
import { type ProbeInputs, probeUrn } from "../../probe";
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

const upDespiteErrors = (program: Program) => only({ continueOnError: true }, up(program));

const some = ["changed", "added", "gone"].map(probeUrn);

export const narrowedUpdates: Scenario[] = scenariosOf({
  "an update of targets alone: others are neither created, changed nor deleted": {
    isUsual: true,
    steps: [
      up(all("1", { kept: {}, changed: {}, gone: {}, left: {} })),
      only({ target: some }, preview(all("2", { kept: {}, changed: {}, added: {}, other: {} }))),
      only({ target: some }, up()),
      up(),
      destroy(),
    ],
  },
  "a target that depends on a resource which is not created": [
    only(
      { target: [probeUrn("second")] },
      up((place) => row(place, "1")),
    ),
  ],
  "exclusions: they stay as they are, and what depends on one that is not created does without it":
    [
      up(all("1", { kept: {}, changed: {}, gone: {}, left: {}, second: {} })),
      only(
        { exclude: some },
        preview(({ probe }) => {
          probe("kept", { value: "2" });
          probe("changed", { value: "2" });
          const { made } = probe("added", { value: "2" });
          probe("dependent", { value: made });
          probe("second", { value: made });
        }),
      ),
      only({ exclude: some }, up()),
      up(),
      destroy(),
    ],
  "replacements that are asked for, before and after the old half is deleted": [
    up(all("1", { after: {}, before: {} })),
    only({ replace: [probeUrn("after")] }, preview()),
    only({ replace: [probeUrn("after")] }, up()),
    only(
      { replace: [probeUrn("before")] },
      up(({ probe }) => {
        probe("after");
        probe("before", {}, { deleteBeforeReplace: true });
      }),
    ),
    destroy(),
  ],
  "an update that goes on after errors: what depends on them is skipped, the rest is done": [
    up(all("1", { gone: {}, stuck: { failDelete: "still in use" } })),
    upDespiteErrors((place) => row(place, "1", { fail: "no room" })),
    up((place) => row(place, "1")),
    upDespiteErrors((place) => row(place, "2", { failUpdate: "no room" })),
    up(() => undefined),
  ],
});
