/** The state that all tabs of a run's page share: the run, the selection, and functions to change it. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import type { Graph } from "./use_graph.ts";
import type { RunView, RunViewChange } from "../../model/run/run_view.ts";

/** The shared state. */
export interface RunScene {
  readonly namespace: string;
  readonly name: string;
  readonly run: Workflow;
  readonly graph: Graph;
  readonly view: RunView;
  readonly now: number;
  /** The selected node. */
  readonly node: NodeStatus | undefined;
  /** Keys of marked parts: search results, or the critical path. */
  readonly marked: ReadonlySet<string>;
  /** Changes the address; with `replace`, as for typed text, without a history entry. */
  change(change: RunViewChange, options?: { readonly replace?: boolean }): void;
  /** Returns the address with a change. */
  hrefOf(change: RunViewChange): string;
}
