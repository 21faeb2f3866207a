/** The display of a node: its phase, refined for nodes that wait for people and nodes that did not run. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { isActiveSuspend, isOnlyWaiting } from "@tiphys/model/status";
import { lookOfPhase, lookOfRun, type PhaseFamily, type PhaseLook } from "./phase.ts";

/** The display of a planned node: a template promises it, and no node exists yet. */
export const PLANNED: PhaseLook = { family: "idle", glyph: "planned", word: "Planned" };

/** The display of an artifact, which has no phase. */
export const ARTIFACT: PhaseLook = { family: "idle", glyph: "artifact", word: "Artifact" };

/**
 * Returns the display of a node. A suspended node has the phase Running and waits for a person; a memoized node did not
 * run.
 */
export function lookOfNode(
  node: Pick<NodeStatus, "phase" | "type"> & { readonly memoizationStatus?: { readonly hit: boolean } | undefined },
): PhaseLook {
  if (isActiveSuspend(node)) return lookOfPhase("Suspended");
  const look = lookOfPhase(node.phase);
  return node.memoizationStatus?.hit && look.family === "done" ? { ...look, glyph: "cached", word: "Cached" } : look;
}

/** Returns the phase family of a node. */
export function familyOf(node: Pick<NodeStatus, "phase" | "type">): PhaseFamily {
  return lookOfNode(node).family;
}

/** Returns the display of a run with known nodes: suspended if no node is running and one waits for a person. */
export function lookOfWholeRun(run: Workflow): PhaseLook {
  return isOnlyWaiting(run) ? lookOfPhase("Suspended") : lookOfRun(run);
}
