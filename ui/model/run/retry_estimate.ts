/** The time that nodes will take when they run again, by what they took before: the longest chain of them. Pure. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { isFailure } from "@tiphys/model/status";
import { elapsed } from "../duration.ts";
import { type Part, partsIn } from "../graph/part.ts";
import { partsOf } from "../graph/parts.ts";
import { runTimesOf } from "./run_times.ts";

/** The estimate. */
export interface Estimate {
  readonly millis: number;
  /** The nodes of which no time is known, and those that wait for a person: they come on top. */
  readonly unknown: number;
}

/** The nodes that run, and the holders in which what is planned runs, too. */
export interface RunsAgain {
  readonly runs: (node: NodeStatus) => boolean;
  readonly isOpen: (node: NodeStatus) => boolean;
}

/** The largest run that is estimated: the plan is there at once. */
const MOST_NODES = 5_000;

/** Estimates; undefined where no time is known of what runs, or there is too much of it. */
export function estimateOf(workflow: Workflow, again: RunsAgain): Estimate | undefined {
  if (Object.keys(workflow.status?.nodes ?? {}).length > MOST_NODES) return undefined;
  const whole = partsOf(workflow);
  const usual = usualTimes(whole);
  const isDaemon = runTimesOf(workflow, 0)?.isDaemon;
  let unknown = 0;
  const timeOf = (part: Part, isHeldOpen: boolean): number => {
    const { node, attempts, template } = part;
    const isRun = node !== undefined && again.runs(node) || attempts.some(again.runs);
    // A set of containers is a pod with parts in it.
    if (part.members.length > 0 && !(isRun && node?.type === "Pod")) {
      return longestChain(part, (member) => timeOf(member, node === undefined ? isHeldOpen : isOpen(node)));
    }
    if (!isRun && (node !== undefined || !isHeldOpen) || part.kind === "artifact") return 0;
    const own = attempts.at(-1) ?? node;
    // Who comes after a daemon does not wait for its end.
    if (own && isDaemon?.(own)) return 0;
    const took = own?.type === "Suspend" ? undefined : tookOf(own);
    const expected = own && !isFailure(own.phase) && took !== undefined ? took : later(took, usual.get(template));
    if (expected === undefined || own?.type === "Suspend") unknown++;
    return expected ?? 0;
  };
  const isOpen = (node: NodeStatus) => again.isOpen(node) || again.runs(node);
  const millis = timeOf(whole, true);
  return millis === 0 ? undefined : { millis, unknown };
}

/** The longest chain of a part's members, one after the other as its edges say. */
function longestChain({ members, edges }: Part, timeOf: (member: Part) => number): number {
  const after = members.map((): number[] => []);
  const waits = members.map(() => 0);
  for (const { from, to } of edges) {
    after[from]!.push(to);
    waits[to]!++;
  }
  const starts = members.map(() => 0);
  const ready = members.flatMap((_, at) => waits[at] === 0 ? [at] : []);
  let end = 0;
  for (const at of ready) { // grows while it is walked
    const done = starts[at]! + timeOf(members[at]!);
    end = Math.max(end, done);
    for (const next of after[at]!) {
      starts[next] = Math.max(starts[next]!, done);
      if (--waits[next]! === 0) ready.push(next);
    }
  }
  return end;
}

/** The middle of the times that nodes of a template took which succeeded. */
function usualTimes(whole: Part): ReadonlyMap<string, number> {
  const times = new Map<string, number[]>();
  for (const { node, attempts, members, template } of partsIn(whole)) {
    const own = attempts.at(-1) ?? node;
    const took = members.length === 0 && own?.phase === "Succeeded" ? tookOf(own) : undefined;
    if (took === undefined) continue;
    const list = times.get(template);
    if (list) list.push(took);
    else times.set(template, [took]);
  }
  return new Map(
    Array.from(times, ([template, list]) => [template, list.sort((a, b) => a - b)[Math.floor(list.length / 2)]!]),
  );
}

/** The time of what has ended, and was not taken from a cache. */
function tookOf(node: NodeStatus | undefined): number | undefined {
  if (!node?.finishedAt || node.memoizationStatus?.hit || node.phase === "Omitted" || node.phase === "Skipped") {
    return undefined;
  }
  return elapsed(node.startedAt, node.finishedAt, NaN);
}

/** The longer of two times: what failed early says little about how long it takes. */
function later(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? one ?? other : Math.max(one, other);
}
