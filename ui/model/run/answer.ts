/** The summary below the graph of a run, by its phase: its failure, the nodes in progress, or its outputs. Pure. */
import type { NodeStatus, Parameter, Workflow } from "@tiphys/model/api";
import {
  attemptsOf,
  firstFailure,
  isActiveSuspend,
  isCompletedPhase,
  isFailure,
  nodeTypesOf,
  storedTemplateOf,
} from "@tiphys/model/status";
import { nodeListOf } from "../../api/run_nodes.ts";
import { artifactsOf, type RunArtifact } from "../artifacts/run_artifacts.ts";
import { type Cause, causeOf } from "./cause.ts";
import { podOf } from "./node_facts.ts";
import { outputParametersOf } from "./run_details.ts";

/** A summary of one kind. */
export type Answer = Failure | Progress | Outputs;

/** A node that failed: the last attempt at it. */
export interface Failure {
  readonly kind: "failure";
  readonly node: NodeStatus;
  /** The pod whose log shows the failure; undefined if no pod was involved. */
  readonly pod: NodeStatus | undefined;
  readonly cause: Cause;
}

/** The running nodes, longest first, then the pending ones; without nodes, the run itself waits. */
export interface Progress {
  readonly kind: "progress";
  readonly nodes: readonly NodeStatus[];
  readonly count: number;
}

/** The outputs of a run that succeeded. */
export interface Outputs {
  readonly kind: "outputs";
  readonly parameters: readonly Parameter[];
  readonly artifacts: readonly RunArtifact[];
  readonly artifactCount: number;
}

/** The maximum number of nodes and artifacts that are listed. */
const MAX_ITEMS = 8;

/** The name of the artifact with the log of a pod, which the Logs tab shows. */
const ARCHIVED_LOG = "main-logs";

/** The types of nodes that do work. */
export const WORKERS = nodeTypesOf("pod", "member", "agent");

/**
 * Returns the summary; undefined if the sentence in the header already contains it. It is about the selected node if
 * that failed; any other selected node has its own panel.
 */
export function answerOf(run: Workflow, chosen?: NodeStatus): Answer | undefined {
  if (chosen) return isFailure(chosen.phase) ? failureOf(run, chosen) : undefined;
  const { phase } = run.status ?? {};
  if (isFailure(phase)) {
    const node = firstFailure(run);
    return node && failureOf(run, node);
  }
  if (isCompletedPhase(phase)) {
    const artifacts = artifactsOf(run).filter(({ isDeleted, name }) => !isDeleted && name !== ARCHIVED_LOG);
    const parameters = outputParametersOf(run);
    if (artifacts.length + parameters.length === 0) return undefined;
    // The last node is first, because its artifacts are usually the purpose of the run.
    const byNode = Map.groupBy(artifacts, ({ nodeId }) => nodeId);
    const last = [...byNode.values()].reverse().flat();
    return { kind: "outputs", parameters, artifacts: last.slice(0, MAX_ITEMS), artifactCount: artifacts.length };
  }
  const nodes = nodeListOf(run).filter((node) =>
    WORKERS.has(node.type) && (node.phase === "Running" || node.phase === "Pending") && !isActiveSuspend(node)
  );
  const isHeld = run.spec.suspend === true || run.spec.shutdown !== undefined || nodeListOf(run).some(isActiveSuspend);
  if (nodes.length === 0 && isHeld) return undefined;
  const order = (nodeStatus: NodeStatus) => `${nodeStatus.phase === "Running" ? 0 : 1} ${nodeStatus.startedAt ?? "~"}`;
  const sorted = nodes.toSorted((a, b) => order(a) < order(b) ? -1 : 1);
  return { kind: "progress", nodes: sorted.slice(0, MAX_ITEMS), count: nodes.length };
}

function failureOf(run: Workflow, failed: NodeStatus): Failure {
  const nodes = new Map(Object.entries(run.status?.nodes ?? {}));
  const { node } = lastAttemptAt(failed, nodes);
  return { kind: "failure", node, pod: podOf(node, nodes), cause: causeOf(node, storedTemplateOf(run, node)) };
}

/**
 * Returns the last attempt at the node of an attempt, and its Retry node, if the last attempt failed too; returns any
 * other node unchanged.
 */
export function lastAttemptAt(
  node: NodeStatus,
  nodes: ReadonlyMap<string, NodeStatus>,
): { readonly node: NodeStatus; readonly retry?: NodeStatus } {
  const retry = node.type === "Retry"
    ? node
    : node.nodeFlag?.retried
    ? [...nodes.values()].find(({ type, children }) => type === "Retry" && children?.includes(node.id))
    : undefined;
  const last = retry && attemptsOf(retry, nodes).at(-1);
  return last && isFailure(last.phase) ? { node: last, retry } : { node };
}
