/** Facts about the agent of a workflow: its pod, its task set, and what it says of tasks. */
import type { NodeResult, Pod } from "@tiphys/model/api";
import type { AgentPlugin } from "../pod/mod.ts";

/** A task set as it is read: of tasks only that they are there. */
export interface TaskSetFacts {
  /** IDs of the nodes whose tasks are in it. */
  readonly tasks: ReadonlySet<string>;
  /** The approximate size of all tasks together in bytes. */
  readonly bytes: number;
  /** The results that the agent reports, by the ID of their node. */
  readonly results: ReadonlyMap<string, NodeResult>;
  /** Whether the task set is labelled as completed, at which the agent ends. */
  readonly isCompleted: boolean;
}

/** All that is seen of an agent. */
export interface AgentFacts {
  /** The pod of the agent, or one that is being made. */
  readonly pod?: Pod | undefined;
  readonly taskSet?: TaskSetFacts | undefined;
  /** The number of pods that this controller has made for the agent. */
  readonly podsMade: number;
  /** The plugins beside the agent, sorted by name. */
  readonly plugins: readonly FoundPlugin[];
}

/** A plugin, or why one cannot be used. */
export type FoundPlugin = AgentPlugin | { readonly problem: string };
