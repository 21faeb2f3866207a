/** Actions on many runs: which runs of a selection an action can mean, and what became of each. Pure. */
import type { Workflow } from "../../lib/api/mod.ts";
import { keyOf } from "./run_list.ts";

/** The actions on many runs, in the order of their buttons. */
export const BULK_VERBS = ["retry", "resubmit", "suspend", "resume", "stop", "terminate", "delete"] as const;

/** An action on many runs. */
export type BulkVerb = typeof BULK_VERBS[number];

/** The words of a button. */
export const BULK_WORDS: Readonly<Record<BulkVerb, string>> = {
  retry: "Retry",
  resubmit: "Resubmit",
  suspend: "Suspend",
  resume: "Resume",
  stop: "Stop…",
  terminate: "Terminate…",
  delete: "Delete…",
};

/** The actions that end something: a person is asked first. */
export const ASKED_FIRST: ReadonlySet<BulkVerb> = new Set(["stop", "terminate", "delete"]);

/** The runs among the selected ones that an action can mean. */
export function meantBy(verb: BulkVerb, runs: readonly Workflow[]): Workflow[] {
  return runs.filter(({ spec, status }) => {
    const phase = status?.phase ?? "";
    const isOver = phase === "Succeeded" || phase === "Failed" || phase === "Error";
    switch (verb) {
      case "retry":
        return phase === "Failed" || phase === "Error";
      case "suspend":
        return !isOver && spec.suspend !== true;
      // A run may wait at a node of its own: only the server knows.
      case "resume":
      case "stop":
      case "terminate":
        return !isOver;
      case "resubmit":
      case "delete":
        return true;
    }
  });
}

/** The outcome of an action on one run. */
export interface Outcome {
  readonly run: Workflow;
  /** The server's words where it refused. */
  readonly refusal?: string | undefined;
}

/** The summary of an action on many runs, and the runs that stay selected: those that were refused. */
export function summaryOf(verb: BulkVerb, outcomes: readonly Outcome[]) {
  const refused = outcomes.filter(({ refusal }) => refusal !== undefined);
  const done = outcomes.length - refused.length;
  return {
    text: `${DONE[verb]} ${done}${refused.length > 0 ? `; ${refused.length} refused` : ""}`,
    refused,
    stillSelected: new Set(refused.map(({ run }) => keyOf(run))) as ReadonlySet<string>,
  };
}

const DONE: Readonly<Record<BulkVerb, string>> = {
  retry: "Retried",
  resubmit: "Resubmitted",
  suspend: "Suspended",
  resume: "Resumed",
  stop: "Stopped",
  terminate: "Terminated",
  delete: "Deleted",
};

/** The most runs that are selected through a filter at once. */
export const MOST_SELECTED = 10_000;

/** The runs of a window, and, where there are more than it shows, the others that were selected before. */
export function chosenRuns(
  selected: ReadonlySet<string>,
  rows: readonly Workflow[],
  total: number,
  known: readonly Workflow[],
): Workflow[] {
  const shown = new Set(rows.map(keyOf));
  // A window that shows everything knows best what is there.
  const others = rows.length >= total ? [] : known.filter((run) => !shown.has(keyOf(run)));
  return [...rows, ...others].filter((run) => selected.has(keyOf(run)));
}

/** Does something to each item, to a few at a time, and tells how many are done. The results are in the items' order. */
export async function inTurns<T, R>(
  items: readonly T[],
  width: number,
  act: (item: T) => Promise<R>,
  onDone: (count: number) => void = () => {},
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let done = 0;
  const turn = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await act(items[at]!);
      onDone(++done);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, turn));
  return results;
}
