/** The table of node types. It imports nothing, so that the executor and the page can use it. */

/** The role of a node: the kind of work that it represents, or its place in the graph. */
export type NodeRole =
  /** The work of a pod. */
  | "pod"
  /** The work of the agent. */
  | "agent"
  /** The work of the controller itself. */
  | "controller"
  /** A template that calls others. */
  | "calls"
  /** A container of a container set. */
  | "member"
  /** A group of steps, or a loop of tasks. */
  | "group"
  /** The holder of the attempts of a retried call. */
  | "attempts"
  | "skipped";

/** The role of each type of nodes. */
export const NODE_ROLES = {
  Pod: "pod",
  Container: "member",
  Steps: "calls",
  StepGroup: "group",
  DAG: "calls",
  TaskGroup: "group",
  Retry: "attempts",
  Skipped: "skipped",
  Suspend: "controller",
  HTTP: "agent",
  Plugin: "agent",
} as const satisfies Readonly<Record<string, NodeRole>>;
