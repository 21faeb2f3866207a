/** Actions that were asked of runs and are not seen in them yet: told at once, and no more once a run is seen as it is since. Pure. */
import type { Workflow } from "@tiphys/model/api";
import { isCompletedPhase } from "@tiphys/model/status";
import type { RunAction } from "../api/source.ts";
import { keyOf } from "./run_list.ts";
import * as words from "./text/en/under_way.ts";

/** An action that is under way on a run. */
export interface UnderWay {
  /** The word for it, `stopping`. */
  readonly word: string;
  /** The version in which the server answered that it is done; undefined while it has not answered. */
  readonly until?: string | undefined;
}

/** Actions that are under way, by the keys of their runs. */
export type AllUnderWay = ReadonlyMap<string, UnderWay>;

/** The word for each action. */
export const UNDER_WAY: Readonly<Record<RunAction["verb"] | "delete", string>> = {
  suspend: words.suspending,
  resume: words.resuming,
  set: words.resuming,
  stop: words.stopping,
  terminate: words.terminating,
  retry: words.retrying,
  resubmit: words.resubmitting,
  delete: words.deleting,
};

/** Whether a run is seen in the state that an action has left, or a later one. Versions that are no numbers are told apart only. */
export function isSeen({ until }: UnderWay, { metadata }: Pick<Workflow, "metadata">): boolean {
  if (until === undefined) return false;
  const [seen, wanted] = [Number(metadata.resourceVersion), Number(until)];
  return Number.isNaN(seen) || Number.isNaN(wanted) || seen >= wanted;
}

/** The actions that are not seen in the rows yet; those of runs that are gone are over. The same object where all go on. */
export function stillUnderWay(all: AllUnderWay, rows: readonly Workflow[]): AllUnderWay {
  if (all.size === 0) return all;
  const byKey = new Map(rows.map((run) => [keyOf(run), run]));
  const left = [...all].filter(([key, action]) => {
    const run = byKey.get(key);
    return run !== undefined && !isSeen(action, run);
  });
  return left.length === all.size ? all : new Map(left);
}

/** What goes on with a run beside its phase: what somebody asks of it here, or that it was told to end. */
export function underWayText(
  { spec, status }: Pick<Workflow, "spec" | "status">,
  asked?: UnderWay,
): string | undefined {
  if (asked) return words.underWay(asked.word);
  if (!spec.shutdown || isCompletedPhase(status?.phase)) return undefined;
  return words.underWay(spec.shutdown === "Stop" ? words.stopping : words.terminating);
}
