/** The plan of a retry of several runs: the plan of each, and totals. */
import type { Workflow } from "@tiphys/model/api";
import { durationText } from "../duration.ts";
import { STARTS_FROM_SCRATCH } from "./node_words.ts";
import { previewRetry } from "./retry_preview.ts";
import * as words from "../text/en/bulk_plan.ts";

/** The plan of one run. */
export interface RunPlan {
  readonly name: string;
  /** The number of nodes that run or wait again, and of those that are kept. */
  readonly repeated: number;
  readonly reused: number;
  readonly podsToDelete: number;
  /** The estimated duration in milliseconds; undefined if unknown. */
  readonly estimatedMillis: number | undefined;
  /** The reason why the run cannot be retried. */
  readonly refusal: string | undefined;
}

/** The result of planning several runs, by the key of the run. */
export interface BulkPlanResult {
  /** The resource versions that were planned: a run that has changed since is refused. */
  readonly versions: ReadonlyMap<string, string>;
  /** Runs that could not be read, with the reason; they are left unchanged. */
  readonly unknown: ReadonlyMap<string, string>;
}

/** Plans the retry of one of several runs: all failed nodes, with the original parameters. */
export function planOf(run: Workflow, now: Date): RunPlan {
  const preview = previewRetry(run, { restartSuccessful: false, nodeFieldSelector: "", parameters: [] }, now);
  const { name = "" } = run.metadata;
  if (preview.kind === "refused") return refusedPlan(name, preview.reason);
  return {
    name,
    repeated: preview.repeated.length + preview.awaited.length + preview.expandedAgain.length,
    reused: preview.reused,
    podsToDelete: preview.podsToDelete.length,
    estimatedMillis: preview.estimate?.millis,
    refusal: undefined,
  };
}

/** The plan of a run that cannot be retried or read. */
export function refusedPlan(name: string, refusal: string): RunPlan {
  return { name, repeated: 0, reused: 0, podsToDelete: 0, estimatedMillis: undefined, refusal };
}

/** Summarizes the plans: `5 nodes run again, 12 are kept; 5 pods are deleted.` */
export function sumText(plans: readonly RunPlan[]): string {
  const sum = (field: "repeated" | "reused" | "podsToDelete") => plans.reduce((all, plan) => all + plan[field], 0);
  return words.planCounts(sum("repeated"), sum("reused"), sum("podsToDelete"));
}

/** Summarizes one plan. */
export function planText(plan: RunPlan): string {
  if (plan.repeated + plan.reused === 0) return STARTS_FROM_SCRATCH;
  const counts = words.planCounts(plan.repeated, plan.reused, plan.podsToDelete);
  return plan.estimatedMillis === undefined
    ? counts
    : `${counts} ${words.takesAbout(durationText(plan.estimatedMillis))}`;
}
