/** The steps of several runs as a grid: the result of each step in each run, its duration, and flaky steps. Pure. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { attemptsOf, isFailure, isSkippedOrOmitted, nodePath } from "@tiphys/model/status";
import { elapsedMillis } from "./duration.ts";
import { lookOfNode } from "./node_look.ts";
import { FAMILIES, type PhaseLook } from "./phase.ts";
import { relatedRunsFilter } from "./run/compare.ts";
import { leafNodes } from "./run/leaf_nodes.ts";
import * as words from "./text/en/step_grid.ts";

/** A step in one run; the items of a loop are one step. */
export interface StepCell {
  /** The display of the most urgent item. */
  readonly look: PhaseLook;
  /** The node of that item. */
  readonly nodeId: string;
  readonly items: number;
  /** Milliseconds from the first start to the last end; undefined if nothing ran, and while it runs. */
  readonly durationMillis: number | undefined;
  /** The largest number of attempts of an item. */
  readonly attempts: number;
  /** An item failed, and passed when retried. */
  readonly isFlaky: boolean;
}

/** A step over all runs. */
export interface StepRow {
  readonly key: string;
  /** The path of the step within its run: `check[1].validate`. */
  readonly path: string;
  /** The workflow of the step, if the runs are of several workflows. */
  readonly workflow: string | undefined;
  /** In the order of the runs; undefined if a run has no such step. */
  readonly cells: readonly (StepCell | undefined)[];
  /** The median and the longest duration, in milliseconds; undefined if it never finished. */
  readonly median: number | undefined;
  readonly longest: number | undefined;
  /** The number of runs in which it failed, and in which it passed after a retry. */
  readonly failed: number;
  readonly flaky: number;
}

/** The steps of several runs. */
export interface StepGrid {
  /** Oldest first. */
  readonly runs: readonly Workflow[];
  /** The steps, in the order in which they started. */
  readonly steps: readonly StepRow[];
}

/** Orders of steps. */
export const STEP_ORDERS = ["run", "slowest", "flaky"] as const;
/** An order of steps: in run order, slowest first, or flakiest first. */
export type StepOrder = (typeof STEP_ORDERS)[number];

/**
 * The maximum number of nodes of an included run. Larger runs take long to read, and one column cannot show them
 * usefully.
 */
export const MAX_NODES = 2_000;

/** Reports whether a run is small enough to be included, judged by its number of pods. */
export function isForGrid({ status }: Pick<Workflow, "status">): boolean {
  return !(Number(status?.progress?.split("/")[1]) > MAX_NODES);
}

/** Builds the grid. The runs must include their nodes. */
export function stepGrid(some: readonly Workflow[]): StepGrid {
  const runs = some.toSorted((a, b) => startOf(a) < startOf(b) ? -1 : 1);
  const names = runs.map(workflowOf);
  const areMixed = new Set(names).size > 1;
  const rows = new Map<string, { path: string; workflow: string | undefined; nodes: (NodeStatus[] | undefined)[] }>();
  // The newest run determines the order of steps; steps that it does not have come last.
  for (let index = runs.length - 1; index >= 0; index--) {
    const run = runs[index]!;
    const workflow = areMixed ? names[index] : undefined;
    const leaves = leafNodes(run).sort((a, b) => (a.startedAt ?? "~") < (b.startedAt ?? "~") ? -1 : 1);
    for (const node of leaves) {
      const path = stepPath(node.name, run.metadata.name ?? "");
      const key = `${workflow ?? ""}\n${path}`;
      let row = rows.get(key);
      if (!row) rows.set(key, row = { path, workflow, nodes: Array.from({ length: runs.length }) });
      (row.nodes[index] ??= []).push(node);
    }
  }
  const steps = [...rows].map(([key, { path, workflow, nodes }]): StepRow => {
    const cells = nodes.map((some, index) => some && cellOf(some, runs[index]!));
    const times = cells.flatMap((cell) => cell?.durationMillis === undefined ? [] : [cell.durationMillis]).sort((
      a,
      b,
    ) => a - b);
    return {
      key,
      path,
      workflow,
      cells,
      median: times[Math.floor((times.length - 1) / 2)],
      longest: times.at(-1),
      failed: cells.filter((cell) => cell?.look.family === "failed" || cell?.look.family === "error").length,
      flaky: cells.filter((cell) => cell?.isFlaky).length,
    };
  });
  return { runs, steps };
}

/** Returns the steps in another order; equal ones stay in run order. */
export function sortSteps(steps: readonly StepRow[], order: StepOrder): readonly StepRow[] {
  if (order === "slowest") return steps.toSorted((a, b) => (b.median ?? -1) - (a.median ?? -1));
  if (order === "flaky") return steps.toSorted((a, b) => b.flaky - a.flaky || b.failed - a.failed);
  return steps;
}

/** Describes a cell: `failed, 12s, 3 attempts`. */
export function stepWords({ look, items, attempts, isFlaky }: StepCell, took: string): string {
  return [
    look.word.toLowerCase(),
    took,
    items > 1 ? words.itemCount(items) : "",
    attempts > 1 ? words.attemptCount(attempts) : "",
    isFlaky ? words.passedAfterRetry : "",
  ].filter((candidate) => candidate !== "").join(", ");
}

/** Returns the path of a step without loop indexes. */
function stepPath(name: string, run: string): string {
  return name === run ? words.runItself : nodePath(name, run).replace(/\(\d+(?::[^()]*)?\)/g, "");
}

function startOf({ status, metadata }: Workflow): string {
  return status?.startedAt ?? metadata.creationTimestamp ?? "";
}

function workflowOf(run: Workflow): string {
  const kin = relatedRunsFilter(run);
  return "label" in kin ? kin.label.slice(kin.label.indexOf("=") + 1) : kin.prefix.replace(/-$/, "");
}

function cellOf(nodes: readonly NodeStatus[], run: Workflow): StepCell {
  const all = new Map(Object.entries(run.status?.nodes ?? {}));
  let [first, look] = [nodes[0]!, lookOfNode(nodes[0]!)];
  let [from, to]: [string | undefined, string | undefined] = [undefined, ""];
  let attempts = 1;
  let isFlaky = false;
  for (const node of nodes) {
    const own = lookOfNode(node);
    if (FAMILIES.indexOf(own.family) < FAMILIES.indexOf(look.family)) [first, look] = [node, own];
    const tried = attemptsOf(node, all);
    attempts = Math.max(attempts, tried.length);
    isFlaky ||= node.phase === "Succeeded" && tried.some(({ phase }) => isFailure(phase));
    if (isSkippedOrOmitted(node.phase) || !node.startedAt) continue;
    if (from === undefined || node.startedAt < from) from = node.startedAt;
    // One unfinished item leaves the duration of the step undefined.
    if (to !== undefined) to = !node.finishedAt ? undefined : node.finishedAt > to ? node.finishedAt : to;
  }
  const took = to ? elapsedMillis(from, to, NaN) : undefined;
  return { look, nodeId: first.id, items: nodes.length, durationMillis: took, attempts, isFlaky };
}
