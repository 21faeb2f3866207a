/** The scene of a run's page: the run, what is chosen in it, and the ways to choose; all tabs share it. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import type { Graph } from "./use_graph.ts";
import type { RunView, RunViewChange } from "../../model/run/run_view.ts";

/** The scene. */
export interface RunScene {
  readonly namespace: string;
  readonly name: string;
  readonly run: Workflow;
  readonly graph: Graph;
  readonly view: RunView;
  readonly now: number;
  /** The node that is chosen. */
  readonly node: NodeStatus | undefined;
  /** Keys of the parts that are marked: found ones, or the critical path. */
  readonly marked: ReadonlySet<string>;
  /** Puts a change into the address; a typed one replaces the last. */
  change(change: RunViewChange, options?: { readonly replace?: boolean }): void;
  /** The address with a change. */
  hrefOf(change: RunViewChange): string;
}
