/** The decision about a resource, made from its old state and the answers of its provider. */
import type { ProviderDiff } from "../processes/provider-process";
import { parsePath, valueAt } from "../state/paths";
import type { ResourceState } from "../state/state";
import { equal, type Properties } from "../state/values";

/** The step for a resource that exists. */
type Step = { operation: "same" | "update" } | { operation: "replace"; deleteFirst: boolean };

/** The facts that a decision is made from. */
interface Decision {
  old: ResourceState;

  /** The inputs after the provider's check. */
  inputs: Properties;

  /** The provider's answer; components have none, and are compared by their inputs. */
  diff: ProviderDiff | undefined;
  replaceOnChanges: string[];

  /** The resource option, which wins over what the provider answers. */
  deleteBeforeReplace?: boolean;
}

/** In place of the provider's answer where a replacement is asked for. */
export const FORCED: ProviderDiff = {
  changes: "some",
  replaces: ["id"],
  deleteBeforeReplace: false,
};

/** Decides what becomes of a resource, from its old state and the answers of its provider. */
export function decide(decision: Decision): Step {
  const { old, diff } = decision;
  const compared = diff === undefined || diff.changes === "unknown";
  const changed = compared ? !equal(old.inputs, decision.inputs) : diff.changes === "some";
  const replaces = diff?.replaces ?? [];
  const byOption = decision.replaceOnChanges.some((path) =>
    triggers(path, decision, changed && compared),
  );

  // After a partial create, replaceOnChanges can also name the failure itself.
  const replace = (changed && replaces.length > 0) || byOption || old.pendingReplacement === true;
  if (replace) {
    const deleteFirst = decision.deleteBeforeReplace ?? diff?.deleteBeforeReplace ?? false;
    return { operation: "replace", deleteFirst };
  }

  return { operation: changed || old.initErrors.length > 0 ? "update" : "same" };
}

/**
 * Whether an entry of `replaceOnChanges` asks for a replacement. It acts on the engine's own
 * comparison alone: a dynamic provider that answers `changes: true` says nothing about which
 * properties changed (pulumi/pulumi#8487).
 */
function triggers(path: string, { old, inputs }: Decision, comparedAndChanged: boolean): boolean {
  if (old.initErrors.length > 0 && (path === "#initerror" || path === "*")) return true;
  if (!comparedAndChanged) return false;

  const keys = parsePath(path);

  return keys[0] === "*" || !equal(valueAt(old.inputs, keys), valueAt(inputs, keys));
}
