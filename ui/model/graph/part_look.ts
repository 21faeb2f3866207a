/** The display of a part of the graph: the display of its node, or of its most urgent member. */
import { ARTIFACT, lookOfNode, PLANNED } from "../node_look.ts";
import { lookOfPhase, type PhaseFamily, type PhaseLook } from "../phase.ts";
import type { Part } from "./part.ts";

/** Returns the display of a part. */
export function lookOfPart({ node, isPlanned, family, artifact, declared }: Part): PhaseLook {
  if (artifact) return ARTIFACT;
  if (declared !== undefined) return { ...PLANNED, word: declared };
  if (isPlanned) return PLANNED;
  return node ? lookOfNode(node) : lookOfFamily(family);
}

const PHASE_OF_FAMILY = {
  failed: "Failed",
  error: "Error",
  waits: "Pending",
  works: "Running",
  done: "Succeeded",
  idle: "Skipped",
} as const;

/** Returns the display of a family, by a representative phase. */
export function lookOfFamily(family: PhaseFamily): PhaseLook {
  return lookOfPhase(PHASE_OF_FAMILY[family]);
}
