/**
 * The fate of an artifact: whether garbage collection deletes it, when, and why, or why it stays. The controller, and
 * those who ask beforehand, read it here.
 */
import type { Artifact, ArtifactGCStrategy, NodeStatus, WorkflowSpec } from "./api/mod.ts";
import { storeOf, STORES } from "./artifact/stores.ts";

/** A strategy that deletes something. */
export type Deleting = Exclude<ArtifactGCStrategy, "" | "Never">;

/** The parts of a spec that say when artifacts are deleted. */
type GarbageSpec = Pick<WorkflowSpec, "artifactGC">;

/** The strategy of an artifact, and who says it; or the reason for which it stays. */
export type ArtifactFate =
  | { readonly goes: Deleting; readonly saidBy: "artifact" | "workflow" }
  | { readonly stays: "never" | "deleted" | "cached" | "repeated" | "undeletable" };

/** The strategy of an artifact; undefined for one that stays. */
export function deletingStrategy(spec: GarbageSpec, artifact: Pick<Artifact, "artifactGC">): Deleting | undefined {
  const strategy = artifact.artifactGC?.strategy || spec.artifactGC?.strategy || "Never";
  return strategy === "Never" ? undefined : strategy;
}

/** Whether an artifact lies where something can be deleted; of one that names no place, its repository decides. */
export function isDeletable(artifact: Artifact): boolean {
  const store = storeOf(artifact);
  return store === undefined || STORES[store].can.remove;
}

/**
 * The reason why the outputs of a node are not its own: `repeated` are those of a node within it, `cached` those of
 * another workflow, out of a cache. Undefined where they are its own.
 */
export function notOwn({ type, memoizationStatus }: NodeStatus): "repeated" | "cached" | undefined {
  if (memoizationStatus?.hit) return "cached";
  return type === "Pod" ? undefined : "repeated";
}

/** The fate of an output artifact of a node. */
export function fateOf(spec: GarbageSpec, node: NodeStatus, artifact: Artifact): ArtifactFate {
  const others = notOwn(node);
  if (others) return { stays: others };
  if (artifact.deleted) return { stays: "deleted" };
  const strategy = deletingStrategy(spec, artifact);
  if (strategy === undefined) return { stays: "never" };
  if (!isDeletable(artifact)) return { stays: "undeletable" };
  return { goes: strategy, saidBy: artifact.artifactGC?.strategy ? "artifact" : "workflow" };
}
