/** Estimates the duration of nodes that run again from their previous durations: the longest chain. Pure. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { isFailure } from "@tiphys/model/status";
import { elapsedMillis } from "../duration.ts";
import { type Part, partsIn } from "../graph/part.ts";
import { partsOf } from "../graph/parts.ts";
import { runTimesOf } from "./run_times.ts";

/** The estimate. */
export interface Estimate {
  readonly millis: number;
  /** The number of nodes of unknown duration, and of those that wait for a person; their time is not included. */
  readonly unknown: number;
}

/** The nodes that run again, and the groups whose planned content runs again. */
export interface RepeatedWork {
  readonly runs: (node: NodeStatus) => boolean;
  readonly isOpen: (node: NodeStatus) => boolean;
}

/** The largest run that is estimated, because the preview is computed synchronously. */
const MAX_NODES = 5_000;

/** Computes the estimate; returns undefined if no duration is known, or if the run is too large. */
export function estimateOf(workflow: Workflow, repeated: RepeatedWork): Estimate | undefined {
  if (Object.keys(workflow.status?.nodes ?? {}).length > MAX_NODES) return undefined;
  const whole = partsOf(workflow);
  const usual = usualTimes(whole);
  const isDaemon = runTimesOf(workflow, 0)?.isDaemon;
  let unknown = 0;
  const timeOf = (part: Part, isHeldOpen: boolean): number => {
    const { node, attempts, template } = part;
    const isRun = node !== undefined && repeated.runs(node) || attempts.some(repeated.runs);
    // A container set is a pod with parts in it.
    if (part.members.length > 0 && !(isRun && node?.type === "Pod")) {
      return longestChain(part, (member) => timeOf(member, node === undefined ? isHeldOpen : isOpen(node)));
    }
    if (!isRun && (node !== undefined || !isHeldOpen) || part.kind === "artifact") return 0;
    const own = attempts.at(-1) ?? node;
    // Successors of a daemon do not wait for its end.
    if (own && isDaemon?.(own)) return 0;
    const took = own?.type === "Suspend" ? undefined : durationOf(own);
    const expected = own && !isFailure(own.phase) && took !== undefined ? took : longerOf(took, usual.get(template));
    if (expected === undefined || own?.type === "Suspend") unknown++;
    return expected ?? 0;
  };
  const isOpen = (node: NodeStatus) => repeated.isOpen(node) || repeated.runs(node);
  const millis = timeOf(whole, true);
  return millis === 0 ? undefined : { millis, unknown };
}

/** Returns the length of the longest chain of a part's members along its edges. */
function longestChain({ members, edges }: Part, timeOf: (member: Part) => number): number {
  const after = members.map((): number[] => []);
  const waits = members.map(() => 0);
  for (const { from, to } of edges) {
    after[from]!.push(to);
    waits[to]!++;
  }
  const starts = members.map(() => 0);
  const ready = members.flatMap((_, index) => waits[index] === 0 ? [index] : []);
  let end = 0;
  for (const index of ready) { // Grows during the iteration.
    const done = starts[index]! + timeOf(members[index]!);
    end = Math.max(end, done);
    for (const next of after[index]!) {
      starts[next] = Math.max(starts[next]!, done);
      if (--waits[next]! === 0) ready.push(next);
    }
  }
  return end;
}

/** Returns the median duration of succeeded nodes of each template. */
function usualTimes(whole: Part): ReadonlyMap<string, number> {
  const times = new Map<string, number[]>();
  for (const { node, attempts, members, template } of partsIn(whole)) {
    const own = attempts.at(-1) ?? node;
    const took = members.length === 0 && own?.phase === "Succeeded" ? durationOf(own) : undefined;
    if (took === undefined) continue;
    const list = times.get(template);
    if (list) list.push(took);
    else times.set(template, [took]);
  }
  return new Map(
    Array.from(times, ([template, list]) => [template, list.sort((a, b) => a - b)[Math.floor(list.length / 2)]!]),
  );
}

/** Returns the duration of a finished node that was not memoized. */
function durationOf(node: NodeStatus | undefined): number | undefined {
  if (!node?.finishedAt || node.memoizationStatus?.hit || node.phase === "Omitted" || node.phase === "Skipped") {
    return undefined;
  }
  return elapsedMillis(node.startedAt, node.finishedAt, NaN);
}

/** Returns the longer duration, because the duration of an early failure is not representative. */
function longerOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? one ?? other : Math.max(one, other);
}
