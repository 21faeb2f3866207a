/**
 * Decides which artifacts garbage collection deletes and when, and why others remain. Used by the controller, and by
 * clients that show this in advance.
 */
import type { Artifact, ArtifactGCStrategy, NodeStatus, WorkflowSpec } from "./api/mod.ts";
import { storeOf, STORES } from "./artifact/stores.ts";

/** A strategy that deletes artifacts. */
export type DeletionStrategy = Exclude<ArtifactGCStrategy, "" | "Never">;

/** The field of a spec that sets the deletion strategy. */
type GarbageSpec = Pick<WorkflowSpec, "artifactGC">;

/** The deletion strategy of an artifact and its origin, or the reason why it remains. */
export type DeletionPlan =
  | { readonly goes: DeletionStrategy; readonly setBy: "artifact" | "workflow" }
  | { readonly keptBecause: "never" | "deleted" | "cached" | "repeated" | "undeletable" };

/** Returns the deletion strategy of an artifact; undefined if it remains. */
export function deletingStrategy(
  spec: GarbageSpec,
  artifact: Pick<Artifact, "artifactGC">,
): DeletionStrategy | undefined {
  const strategy = artifact.artifactGC?.strategy || spec.artifactGC?.strategy || "Never";
  return strategy === "Never" ? undefined : strategy;
}

/**
 * Reports whether the artifact's store supports deletion. True for an artifact without a store, because its repository
 * is not known here.
 */
export function isDeletable(artifact: Artifact): boolean {
  const store = storeOf(artifact);
  return store === undefined || STORES[store].can.remove;
}

/**
 * Returns the reason why a node does not own its outputs: `repeated` for those of a node below it, `cached` for those
 * of another workflow from a memoization cache. Undefined if it owns them.
 */
export function notOwnedReason({ type, memoizationStatus }: NodeStatus): "repeated" | "cached" | undefined {
  if (memoizationStatus?.hit) return "cached";
  return type === "Pod" ? undefined : "repeated";
}

/** Returns the fate of an output artifact of a node. */
export function deletionPlanOf(spec: GarbageSpec, node: NodeStatus, artifact: Artifact): DeletionPlan {
  const others = notOwnedReason(node);
  if (others) return { keptBecause: others };
  if (artifact.deleted) return { keptBecause: "deleted" };
  const strategy = deletingStrategy(spec, artifact);
  if (strategy === undefined) return { keptBecause: "never" };
  if (!isDeletable(artifact)) return { keptBecause: "undeletable" };
  return { goes: strategy, setBy: artifact.artifactGC?.strategy ? "artifact" : "workflow" };
}
