/**
 * The facts of a pass: what is seen of a workflow and of the world when the pass begins. They stay as they are until it
 * ends, and no question of the engine changes them.
 */
import type { Pod, Workflow } from "@tiphys/model/api";
import type { NodeTable } from "./nodes/node_table.ts";
import { leftoverPods } from "./pods/leftover_pods.ts";
import type { EngineConfig, Observed } from "./types.ts";

/**
 * The facts that a pass begins with. Pods are by the ID of their node; those that do not count any more are left out.
 */
export interface Facts extends Observed {
  /** The workflow as it was before the pass. */
  readonly before: Workflow;
  readonly now: Date;
  readonly config: EngineConfig;
  /** Pods that are in the way of the next pod of their node, by node ID; they are not among `pods`. */
  readonly leftovers: ReadonlyMap<string, Pod>;
}

/** Sorts out what is seen. `select` names the pods of which something is true, as `DueNodes.select` does. */
export function factsOf(
  before: Workflow,
  observed: Observed,
  now: Date,
  config: EngineConfig,
  nodes: Pick<NodeTable, "get">,
  select: (isTrue: (id: string) => boolean) => ReadonlySet<string>,
): Facts {
  return { ...observed, ...leftoverPods(before, observed, nodes, select), before, now, config };
}
