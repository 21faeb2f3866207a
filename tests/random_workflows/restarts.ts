/** Restarts of the controller: they change no status. */
import type { Workflow } from "@tiphys/model/api";
import { type PlayOptions, playRandomRun } from "./play.ts";

/** Runs the workflow of a seed with and without restarts before each pass. Returns the first status that differs. */
export function restartFaults(seed: number, options: PlayOptions): readonly string[] {
  const statesOf = (restarts: "always" | "never") => {
    const states: string[] = [];
    const problems = playRandomRun(seed, {
      ...options,
      restarts,
      onIdle: (workflow) => void states.push(textOf(workflow)),
    });
    return { problems, states };
  };
  const [never, always] = [statesOf("never"), statesOf("always")];
  if (never.problems.length || always.problems.length) return [...never.problems, ...always.problems];
  const changed = never.states.findIndex((state, index) => state !== always.states[index]);
  if (changed < 0) return [];
  const [one, other] = [never, always].map(({ states }) => (states[changed] ?? "").split("\n")) as [string[], string[]];
  const line = one.findIndex((text, index) => text !== other[index]);
  return [`after event ${changed}, the status without a restart has ${one[line]}, and with restarts ${other[line]}`];
}

/** The spec and status as text, whatever the order in which nodes were added. */
function textOf({ spec, status }: Workflow): string {
  const nodes = Object.entries(status?.nodes ?? {}).toSorted(([a], [b]) => a < b ? -1 : 1);
  return JSON.stringify({ spec, status: { ...status, nodes: Object.fromEntries(nodes) } }, undefined, 1);
}
