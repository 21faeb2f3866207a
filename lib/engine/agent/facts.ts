/** Facts about the agent of a workflow: its pod, its task set, and the results of tasks. */
import type { NodeResult, Pod } from "@tiphys/model/api";
import type { AgentPlugin } from "../pod/mod.ts";

/** The facts of a task set. Of its tasks, only the IDs are known. */
export interface TaskSetFacts {
  /** The IDs of the nodes with a task. */
  readonly tasks: ReadonlySet<string>;
  /** The approximate size of all tasks together, in bytes. */
  readonly bytes: number;
  /** The results from the agent, by node ID. */
  readonly results: ReadonlyMap<string, NodeResult>;
  /** Whether the task set is labeled as completed, which ends the agent. */
  readonly isCompleted: boolean;
}

/** All observations about an agent. */
export interface AgentFacts {
  /** The agent's pod, or one that is being created. */
  readonly pod?: Pod | undefined;
  readonly taskSet?: TaskSetFacts | undefined;
  /** The number of pods that this controller has created for the agent. */
  readonly createdPods: number;
  /** The plugins in the agent's pod, sorted by name. */
  readonly plugins: readonly AgentPluginResult[];
}

/** A plugin, or the reason why it cannot be used. */
export type AgentPluginResult = AgentPlugin | { readonly problem: string };
