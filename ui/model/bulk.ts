/** Actions on many runs: which runs of a selection an action can mean, and what became of each. Pure. */
import type { Workflow } from "@tiphys/model/api";
import { isCompletedPhase, isFailure } from "@tiphys/model/status";
import { keyOf } from "./run_list.ts";
import * as words from "./text/en/bulk.ts";

/** The actions on many runs, in the order of their buttons. */
export const BULK_VERBS = ["retry", "resubmit", "suspend", "resume", "stop", "terminate", "delete"] as const;

/** An action on many runs. */
export type BulkVerb = typeof BULK_VERBS[number];

/** The words of a button. */
export const BULK_WORDS: Readonly<Record<BulkVerb, string>> = {
  retry: words.retryButton,
  resubmit: words.resubmitButton,
  suspend: words.suspendButton,
  resume: words.resumeButton,
  stop: words.stopButton,
  terminate: words.terminateButton,
  delete: words.deleteButton,
};

/** The actions by their names. */
export const BULK_NAMES: Readonly<Record<BulkVerb, string>> = {
  retry: words.retryAction,
  resubmit: words.resubmitAction,
  suspend: words.suspendButton,
  resume: words.resumeAction,
  stop: words.stopAction,
  terminate: words.terminateAction,
  delete: words.deleteAction,
};

const ASKED_FIRST = ["retry", "resubmit", "resume", "stop", "terminate", "delete"] as const;

/** An action that ends something, runs much again, or passes steps that wait for a person: it is confirmed first. */
export type AskedVerb = typeof ASKED_FIRST[number];

/** Whether a person is asked before an action. */
export function isAskedFirst(verb: BulkVerb): verb is AskedVerb {
  return ASKED_FIRST.some((one) => one === verb);
}

/** The runs among the selected ones that an action can mean. */
export function meantBy(verb: BulkVerb, runs: readonly Workflow[]): Workflow[] {
  return runs.filter(({ spec, status }) => {
    const isOver = isCompletedPhase(status?.phase);
    switch (verb) {
      case "retry":
        return isFailure(status?.phase);
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
  /** The version that the run has since, as the server answered; undefined where nothing of it is to be seen. */
  readonly version?: string | undefined;
}

/** An action that takes another one back, and the runs that it does so for. */
export interface TakeBack {
  readonly verb: "suspend" | "resume";
  readonly runs: readonly Workflow[];
}

/**
 * What takes an action back: those that were suspended are resumed, and those that were held are so again. Nothing else is
 * taken back, and nothing of what was refused.
 */
export function takeBackOf(verb: BulkVerb, outcomes: readonly Outcome[]): TakeBack | undefined {
  if (verb !== "suspend" && verb !== "resume") return undefined;
  const runs = outcomes.flatMap(({ run, refusal }) =>
    refusal === undefined && (verb === "suspend" || run.spec.suspend === true) ? [run] : []
  );
  return runs.length > 0 ? { verb: verb === "suspend" ? "resume" : "suspend", runs } : undefined;
}

/** The summary of an action on many runs. */
export interface Summary {
  readonly text: string;
  /** Those that were refused, by the server's words, the first ones. */
  readonly refused: readonly RefusedRuns[];
  /** The number of refused runs that stand in none of these. */
  readonly others: number;
}

/** Runs that were refused with the same words. */
export interface RefusedRuns {
  readonly words: string;
  /** The first names. */
  readonly names: readonly string[];
  /** The number of runs beyond those that are named. */
  readonly more: number;
}

/** The most kinds of refusals that are told, and the most names of each. */
const MOST_TOLD = 10;

/** The summary of what became of runs. */
export function summaryOf(verb: BulkVerb, outcomes: readonly Outcome[]): Summary {
  const groups = new Map<string, { words: string; names: string[] }>();
  let done = 0;
  for (const { run: { metadata: { name = "" } }, refusal } of outcomes) {
    if (refusal === undefined) done++;
    else {
      // The same refusal names another run each time.
      const masked = name === "" ? refusal : refusal.replaceAll(name, "…");
      const group = groups.get(masked);
      if (group) {
        group.words = masked;
        group.names.push(name);
      } else groups.set(masked, { words: refusal, names: [name] });
    }
  }
  const all = [...groups.values()];
  const count = outcomes.length - done;
  return {
    text: count > 0 ? words.butRefused(DONE[verb](done), count) : DONE[verb](done),
    refused: all.slice(0, MOST_TOLD).map(({ words, names }) => ({
      words,
      names: names.slice(0, MOST_TOLD),
      more: Math.max(0, names.length - MOST_TOLD),
    })),
    others: all.slice(MOST_TOLD).reduce((sum, { names }) => sum + names.length, 0),
  };
}

/** What is selected after an action: no more what it was done to; what was refused, and what was selected meanwhile. */
export function selectedAfter(selected: ReadonlySet<string>, outcomes: readonly Outcome[]): ReadonlySet<string> {
  const after = new Set(selected);
  for (const { run, refusal } of outcomes) refusal === undefined ? after.delete(keyOf(run)) : after.add(keyOf(run));
  return after;
}

const DONE: Readonly<Record<BulkVerb, (count: number) => string>> = {
  retry: words.retried,
  resubmit: words.resubmitted,
  suspend: words.suspended,
  resume: words.resumed,
  stop: words.stopped,
  terminate: words.terminated,
  delete: words.deleted,
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
