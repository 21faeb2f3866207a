/**
 * The facts of a pass: the workflow and the cluster as observed when the pass starts. They do not change during the
 * pass.
 */
import type { Pod, Workflow } from "@tiphys/model/api";
import type { NodeTable } from "./nodes/node_table.ts";
import { separateLeftovers } from "./pods/leftover_pods.ts";
import type { EngineConfig, ObservedState } from "./types.ts";

/**
 * The facts with which a pass starts. Pods are stored by the ID of their node, without leftover pods.
 */
export interface Facts extends ObservedState {
  /** The workflow before the pass. */
  readonly before: Workflow;
  readonly now: Date;
  readonly config: EngineConfig;
  /** Pods that must be deleted before the next pod of their node, by node ID. They are not in `pods`. */
  readonly leftovers: ReadonlyMap<string, Pod>;
}

/**
 * Separates leftover pods from the current ones. `select` returns the pods for which a predicate holds, as
 * `DueNodes.select`.
 */
export function factsOf(
  before: Workflow,
  observed: ObservedState,
  now: Date,
  config: EngineConfig,
  nodes: Pick<NodeTable, "get">,
  select: (isTrue: (id: string) => boolean) => ReadonlySet<string>,
): Facts {
  return { ...observed, ...separateLeftovers(before, observed, nodes, select), before, now, config };
}
