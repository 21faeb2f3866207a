/** The pods that a user can choose logs of: failed pods first, then all others by step. Pure. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { isFailure, podNameOf, withoutAttempt } from "@tiphys/model/status";
import { nodeListOf } from "../../api/run_nodes.ts";
import { answerOf } from "../run/answer.ts";
import * as words from "../text/en/logs_tab.ts";

/** A pod of a run. */
export interface LogPod {
  readonly id: string;
  readonly pod: string;
  readonly label: string;
  /** The name of its step, without the attempt and the item of a loop. */
  readonly step: string;
  readonly isFailed: boolean;
}

/** Pods that are listed together; without a title, they are listed alone. */
export interface PodGroup {
  readonly title: string | undefined;
  readonly pods: readonly LogPod[];
}

/** Returns the pods of a run that have started, in the order of its nodes. */
export function podsOf(run: Workflow): LogPod[] {
  return nodeListOf(run).filter(({ type, startedAt }) => type === "Pod" && startedAt).map((node) => ({
    id: node.id,
    pod: podNameOf(run, node),
    label: node.displayName ?? node.name,
    step: stepOf(node),
    isFailed: isFailure(node.phase),
  }));
}

function stepOf({ name, displayName = name, nodeFlag }: NodeStatus): string {
  const label = nodeFlag?.retried ? withoutAttempt(displayName) : displayName;
  const item = label.endsWith(")") ? label.indexOf("(") : -1;
  return item > 0 ? label.slice(0, item) : label;
}

/** Returns the pods in groups: the failed ones, the last first, then each step; a step with one pod has no title. */
export function podGroups(pods: readonly LogPod[]): PodGroup[] {
  const failed = pods.filter(({ isFailed }) => isFailed).reverse();
  const steps = Map.groupBy(pods.filter(({ isFailed }) => !isFailed), ({ step }) => step);
  return [
    ...failed.length > 0 ? [{ title: words.failedPods(failed.length), pods: failed }] : [],
    ...[...steps].map(([step, pods]) => ({ title: pods.length > 1 ? step : undefined, pods })),
  ];
}

/** Returns the pod of the last attempt at the node that failed first; undefined if the run has not failed. */
export function failedPodOf(run: Workflow): NodeStatus | undefined {
  if (!isFailure(run.status?.phase)) return undefined;
  const answer = answerOf(run);
  return answer?.kind === "failure" ? answer.pod : undefined;
}
