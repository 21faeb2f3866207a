/** The look of a node: its phase, told apart further where people must act or nothing was run. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { isActiveSuspend, waitsOnly } from "@tiphys/model/status";
import { type Family, lookOfPhase, lookOfRun, type PhaseLook } from "./phase.ts";

/** The look of what the templates promise and no node is of yet. */
export const PLANNED: PhaseLook = { family: "idle", glyph: "planned", word: "Planned" };

/** The look of an artifact, which has no phase. */
export const ARTIFACT: PhaseLook = { family: "idle", glyph: "artifact", word: "Artifact" };

/** The look of a node: a suspended one runs on the wire, and waits for people; one from a cache did not run. */
export function lookOfNode(
  node: Pick<NodeStatus, "phase" | "type"> & { readonly memoizationStatus?: { readonly hit: boolean } | undefined },
): PhaseLook {
  if (isActiveSuspend(node)) return lookOfPhase("Suspended");
  const look = lookOfPhase(node.phase);
  return node.memoizationStatus?.hit && look.family === "done" ? { ...look, glyph: "cached", word: "Cached" } : look;
}

/** The family of a node. */
export function familyOf(node: Pick<NodeStatus, "phase" | "type">): Family {
  return lookOfNode(node).family;
}

/** The look of a run whose nodes are known: one in which nothing is at work and a node waits for a person is suspended. */
export function lookOfWholeRun(run: Workflow): PhaseLook {
  return waitsOnly(run) ? lookOfPhase("Suspended") : lookOfRun(run);
}
