/** The look of a node: its phase, told apart further where people must act or nothing was run. */
import type { NodeStatus } from "../../lib/api/mod.ts";
import { isActiveSuspend } from "../../lib/status/mod.ts";
import { type Family, lookOfPhase, type PhaseLook } from "./phase.ts";

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
