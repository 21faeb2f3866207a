/**
 * Estimated durations: those of the newest workflow of the same template, or of the same cron workflow, that succeeded.
 */
import type { Slice } from "../slice.ts";

/** The estimate for the workflow that starts now, as the field of its status. */
export function workflowEstimate({ facts }: Slice): { readonly estimatedDuration?: number } {
  return facts.config.estimatesDurations === false ? {} : estimateField(facts.baseline?.seconds);
}

/** The estimate for a new node, as a field of it. */
export function nodeEstimate({ facts, name }: Slice, nodeName: string): { readonly estimatedDuration?: number } {
  if (facts.config.estimatesDurations === false) return {};
  return nodeName.startsWith(name) ? estimateField(facts.baseline?.nodes.get(nodeName.slice(name.length))) : {};
}

/** The field of an estimate; empty for something that took no time, as in Argo. */
function estimateField(seconds: number | undefined): { readonly estimatedDuration?: number } {
  return seconds ? { estimatedDuration: seconds } : {};
}
