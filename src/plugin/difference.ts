/** Differences as the engine is told of them: the inputs, and those that replace the resource. It has the values itself. */
import { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import type { Properties } from "../provider/boundary";

const { DIFF_SOME, DIFF_NONE } = DiffResponse.DiffChanges;
const { Kind } = PropertyDiff;

/** No difference, or one in these inputs. */
export function difference(diffs: string[], replaces: string[] = []): DiffResponse {
  return new DiffResponse()
    .setChanges(diffs.length > 0 ? DIFF_SOME : DIFF_NONE)
    .setDiffsList(diffs)
    .setReplacesList(replaces);
}

/** The same with the kind of each, for the preview. */
export function detailed(
  diffs: string[],
  replaces: string[],
  olds: Properties,
  news: Properties,
): DiffResponse {
  const answer = difference(diffs, replaces).setHasdetaileddiff(diffs.length > 0);
  for (const name of diffs) {
    const kind = kindOf(olds[name] ?? null, news[name] ?? null, replaces.includes(name));
    answer.getDetaileddiffMap().set(name, new PropertyDiff().setKind(kind));
  }
  return answer;
}

function kindOf(before: unknown, after: unknown, isReplaced: boolean) {
  if (before === null) return isReplaced ? Kind.ADD_REPLACE : Kind.ADD;
  if (after === null) return isReplaced ? Kind.DELETE_REPLACE : Kind.DELETE;
  return isReplaced ? Kind.UPDATE_REPLACE : Kind.UPDATE;
}
