/** The plan of a retry of many runs: that of each, and their sum. */
import type { Workflow } from "@tiphys/model/api";
import { durationText } from "../duration.ts";
import { BEGINS_ANEW } from "./node_words.ts";
import { previewRetry } from "./retry_preview.ts";
import * as words from "../text/en/bulk_plan.ts";

/** The plan of one of the runs. */
export interface RunPlan {
  readonly name: string;
  /** Nodes that run again, wait again, and stay as they are. */
  readonly again: number;
  readonly kept: number;
  readonly podsToDelete: number;
  /** The time that it will take, in milliseconds; undefined where none is known. */
  readonly takes: number | undefined;
  /** The reason why it cannot be retried. */
  readonly refusal: string | undefined;
}

/** What a plan of many runs comes to. Runs stand in it by their keys. */
export interface BulkPlanned {
  /** The versions that were planned on: a run that changed since is refused. */
  readonly versions: ReadonlyMap<string, string>;
  /** The runs that nobody could look at, with the reason: they are left as they are. */
  readonly unknown: ReadonlyMap<string, string>;
}

/** Plans the retry of a run as it is done to many: all that failed in it, with the parameters that it had. */
export function planOf(run: Workflow, now: Date): RunPlan {
  const preview = previewRetry(run, { restartSuccessful: false, nodeFieldSelector: "", parameters: [] }, now);
  const { name = "" } = run.metadata;
  if (preview.kind === "refused") return refusedPlan(name, preview.reason);
  return {
    name,
    again: preview.again.length + preview.awaited.length + preview.madeAnew.length,
    kept: preview.kept,
    podsToDelete: preview.podsToDelete.length,
    takes: preview.estimate?.millis,
    refusal: undefined,
  };
}

/** The plan of a run that cannot be retried, or not be looked at. */
export function refusedPlan(name: string, refusal: string): RunPlan {
  return { name, again: 0, kept: 0, podsToDelete: 0, takes: undefined, refusal };
}

/** The plans in one sentence: `5 nodes run again, 12 stay as they are; 5 pods are deleted.` */
export function sumText(plans: readonly RunPlan[]): string {
  const sum = (field: "again" | "kept" | "podsToDelete") => plans.reduce((all, plan) => all + plan[field], 0);
  return words.planCounts(sum("again"), sum("kept"), sum("podsToDelete"));
}

/** One plan in a sentence. */
export function planText(plan: RunPlan): string {
  if (plan.again + plan.kept === 0) return BEGINS_ANEW;
  const counts = words.planCounts(plan.again, plan.kept, plan.podsToDelete);
  return plan.takes === undefined ? counts : `${counts} ${words.takesAbout(durationText(plan.takes))}`;
}
