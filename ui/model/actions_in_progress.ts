/**
 * Requested actions that are not yet visible in their runs. They are shown until the page has received the run in the
 * state after the action. Pure.
 */
import type { Workflow } from "@tiphys/model/api";
import { isCompletedPhase } from "@tiphys/model/status";
import type { RunAction } from "../api/source.ts";
import { keyOf } from "./run_list.ts";
import * as words from "./text/en/shared.ts";

/** An action in progress on a run. */
export interface ActionInProgress {
  /** Its name, for example `stopping`. */
  readonly word: string;
  /** The resource version after the action; undefined until the server has responded. */
  readonly until?: string | undefined;
}

/** Actions in progress, by the key of the run. */
export type ActionsInProgress = ReadonlyMap<string, ActionInProgress>;

/** The name of each action in progress. */
export const ACTION_NAMES: Readonly<Record<RunAction["verb"] | "delete", string>> = {
  suspend: words.suspending,
  resume: words.resuming,
  set: words.resuming,
  stop: words.stopping,
  terminate: words.terminating,
  retry: words.retrying,
  resubmit: words.resubmitting,
  delete: words.deleting,
};

/**
 * Reports whether the action is visible in the run. Resource versions that are not numbers are only compared for
 * equality.
 */
export function isVisibleIn({ until }: ActionInProgress, { metadata }: Pick<Workflow, "metadata">): boolean {
  if (until === undefined) return false;
  const [seen, wanted] = [Number(metadata.resourceVersion), Number(until)];
  return Number.isNaN(seen) || Number.isNaN(wanted) || seen >= wanted;
}

/**
 * Drops actions that are visible in the rows, and those of deleted runs. Returns the same object if nothing changed.
 */
export function dropVisibleActions(all: ActionsInProgress, rows: readonly Workflow[]): ActionsInProgress {
  if (all.size === 0) return all;
  const byKey = new Map(rows.map((run) => [keyOf(run), run]));
  const left = [...all].filter(([key, action]) => {
    const run = byKey.get(key);
    return run !== undefined && !isVisibleIn(action, run);
  });
  return left.length === all.size ? all : new Map(left);
}

/** Describes what is in progress on a run besides its phase: an action of the user, or a requested stop. */
export function actionInProgressText(
  { spec, status }: Pick<Workflow, "spec" | "status">,
  action?: ActionInProgress,
): string | undefined {
  if (action) return words.underWay(action.word);
  if (!spec.shutdown || isCompletedPhase(status?.phase)) return undefined;
  return words.underWay(spec.shutdown === "Stop" ? words.stopping : words.terminating);
}
