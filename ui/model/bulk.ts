/** Actions on several runs: the runs of a selection to which an action applies, and the results. Pure. */
import type { Workflow } from "@tiphys/model/api";
import { isCompletedPhase, isFailure } from "@tiphys/model/status";
import { keyOf } from "./run_list.ts";
import * as words from "./text/en/after_list.ts";

/** The actions, in the order of their buttons. */
export const BULK_VERBS = ["retry", "resubmit", "suspend", "resume", "stop", "terminate", "delete"] as const;

/** An action on several runs. */
export type BulkVerb = typeof BULK_VERBS[number];

/** The texts of the buttons. */
export const BULK_WORDS: Readonly<Record<BulkVerb, string>> = {
  retry: words.retryButton,
  resubmit: words.resubmitButton,
  suspend: words.suspendButton,
  resume: words.resumeButton,
  stop: words.stopButton,
  terminate: words.terminateButton,
  delete: words.deleteButton,
};

/** The names of the actions. */
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

/** An action that needs confirmation: it ends runs, starts much work, or passes steps that wait for a person. */
export type ConfirmedVerb = typeof ASKED_FIRST[number];

/** Reports whether an action needs confirmation. */
export function needsConfirmation(verb: BulkVerb): verb is ConfirmedVerb {
  return ASKED_FIRST.some((candidate) => candidate === verb);
}

/** Returns the selected runs to which an action applies. */
export function runsForAction(verb: BulkVerb, runs: readonly Workflow[]): Workflow[] {
  return runs.filter(({ spec, status }) => {
    const isOver = isCompletedPhase(status?.phase);
    switch (verb) {
      case "retry":
        return isFailure(status?.phase);
      case "suspend":
        return !isOver && spec.suspend !== true;
      // A run may contain a node that waits for a person, which only the server knows.
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

/** The result of an action on one run. */
export interface Outcome {
  readonly run: Workflow;
  /** The server's message, if it refused. */
  readonly refusal?: string | undefined;
  /**
   * The resource version of the run after the action, as the server reported it; undefined if the action leaves no
   * visible change.
   */
  readonly version?: string | undefined;
}

/** An action that undoes another one, and its runs. */
export interface UndoAction {
  readonly verb: "suspend" | "resume";
  readonly runs: readonly Workflow[];
}

/**
 * Returns the action that undoes `verb`: resume for runs that were suspended, suspend for runs that were resumed.
 * Returns undefined for other verbs. Runs that were refused are left out.
 */
export function undoActionOf(verb: BulkVerb, outcomes: readonly Outcome[]): UndoAction | undefined {
  if (verb !== "suspend" && verb !== "resume") return undefined;
  const runs = outcomes.flatMap(({ run, refusal }) =>
    refusal === undefined && (verb === "suspend" || run.spec.suspend === true) ? [run] : []
  );
  return runs.length > 0 ? { verb: verb === "suspend" ? "resume" : "suspend", runs } : undefined;
}

/** The summary of an action on several runs. */
export interface Summary {
  readonly text: string;
  /** The first refusals, grouped by message. */
  readonly refused: readonly RefusedRuns[];
  /** The number of refused runs in none of these groups. */
  readonly others: number;
}

/** Runs that were refused with the same message. */
export interface RefusedRuns {
  readonly words: string;
  /** The first names. */
  readonly names: readonly string[];
  /** The number of runs beyond the named ones. */
  readonly more: number;
}

/** The maximum number of kinds of refusals that are listed, and how many names for each. */
const MAX_LISTED = 10;

/** Summarizes the results of an action. */
export function summaryOf(verb: BulkVerb, outcomes: readonly Outcome[]): Summary {
  const groups = new Map<string, { words: string; names: string[] }>();
  let done = 0;
  for (const { run: { metadata: { name = "" } }, refusal } of outcomes) {
    if (refusal === undefined) done++;
    else {
      // Refusals that differ in the name of the run only are the same.
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
    text: count > 0 ? words.resultWithRefusals(DONE[verb](done), count) : DONE[verb](done),
    refused: all.slice(0, MAX_LISTED).map(({ words, names }) => ({
      words,
      names: names.slice(0, MAX_LISTED),
      more: Math.max(0, names.length - MAX_LISTED),
    })),
    others: all.slice(MAX_LISTED).reduce((sum, { names }) => sum + names.length, 0),
  };
}

/** Returns the selection after an action: runs that were refused, and runs selected in the meantime. */
export function selectionAfter(selected: ReadonlySet<string>, outcomes: readonly Outcome[]): ReadonlySet<string> {
  const after = new Set(selected);
  for (const { run, refusal } of outcomes) refusal === undefined ? after.delete(keyOf(run)) : after.add(keyOf(run));
  return after;
}

const DONE: Readonly<Record<BulkVerb, (count: number) => string>> = {
  retry: words.retried,
  resubmit: words.resubmitted,
  suspend: words.suspendedRuns,
  resume: words.resumed,
  stop: words.stoppedRuns,
  terminate: words.terminated,
  delete: words.deleted,
};

/** The maximum number of runs that can be selected through a filter at once. */
export const MAX_SELECTED = 10_000;

/**
 * Returns the selected runs: those of the current page, and, if the list has more rows than the page, those selected on
 * other pages.
 */
export function selectedRuns(
  selected: ReadonlySet<string>,
  rows: readonly Workflow[],
  total: number,
  runs: readonly Workflow[],
): Workflow[] {
  const shown = new Set(rows.map(keyOf));
  // If the page shows the whole list, a known run that is not shown no longer exists.
  const others = rows.length >= total ? [] : runs.filter((run) => !shown.has(keyOf(run)));
  return [...rows, ...others].filter((run) => selected.has(keyOf(run)));
}

/**
 * Applies an asynchronous function to items, a few at a time, and reports progress. Results are in the order of the
 * items.
 */
export async function mapConcurrently<T, R>(
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
      const index = next++;
      results[index] = await act(items[index]!);
      onDone(++done);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, turn));
  return results;
}
