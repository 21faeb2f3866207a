/** The reasons why a workflow and each of its nodes wait, derived from the workflow and from other known facts. */
import type { NodeStatus, NodeType, Workflow } from "@tiphys/model/api";
import { isCompletedPhase, isFulfilled, isOver, millisOf, type NodeTypeOf } from "@tiphys/model/status";
import { checkAgent } from "./agent.ts";
import { checkGroups, checkSteps, checkTasks } from "./calls.ts";
import type { Evidence, ExplainConfig } from "./evidence.ts";
import { checkNodeLock, checkWorkflowLock } from "./locks.ts";
import { checkMemoLookup } from "./memo.ts";
import { checkPod } from "./pods.ts";
import { type ExplainInput, explainInput, type NodeCheck, type WorkflowCheck } from "./explain_input.ts";
import { BY_ITSELF, isCause, type Reason, reason } from "./reason.ts";
import { checkAttempt, checkResume } from "./waiting_nodes.ts";
import {
  checkClaims,
  checkCompleted,
  checkController,
  checkExitHandler,
  checkFirstPass,
  checkParallelism,
  checkSuspension,
  checkTemplate,
} from "./workflows.ts";

/** Possible reasons for whole workflows to wait. All of them are checked. */
const WORKFLOW_CHECKS: readonly WorkflowCheck[] = [
  checkSuspension,
  checkWorkflowLock,
  checkParallelism,
  checkTemplate,
  checkClaims,
  checkController,
  checkFirstPass,
  checkExitHandler,
];

/** The types of nodes whose work is not done by the agent. */
type OtherType = Exclude<NodeType, NodeTypeOf<"agent">>;

/**
 * The checks for the nodes that the agent does not run, by type. Nodes of a type without a check never wait themselves.
 */
const NODE_CHECKS: Readonly<Record<OtherType, NodeCheck | undefined> & Partial<Record<NodeType, NodeCheck>>> = {
  Pod: checkPod,
  Container: undefined,
  Steps: checkGroups,
  StepGroup: checkSteps,
  DAG: checkTasks,
  TaskGroup: undefined,
  Retry: checkAttempt,
  Skipped: undefined,
  Suspend: checkResume,
};

const GRACE_SECONDS = 10;

/**
 * Returns the reasons why a workflow and its nodes wait: first those in progress outside of the workflow, then those
 * that follow from them. Empty for a completed workflow that will stay. A workflow in progress without such a cause is
 * stuck, which is an error of the controller and also a reason. Pure.
 */
export function explain(workflow: Workflow, evidence: Evidence, now: Date, config: ExplainConfig = {}): Reason[] {
  const input = explainInput(workflow, evidence, now, config);
  if (isCompletedPhase(workflow.status?.phase)) return [...checkCompleted(input)];
  const reasons = [
    ...WORKFLOW_CHECKS.flatMap((check) => check(input)),
    ...[...input.nodes.values()].flatMap((node) => reasonsOfNode(input, node)),
  ];
  const causes = reasons.filter(isCause);
  const others = reasons.filter((reason) => !isCause(reason));
  return [...(causes.length ? causes : [defaultReason(input)]), ...others];
}

/** The reasons of a workflow that is invalid: it waits until somebody fixes it. */
export function explainUnreadable(problem: string): Reason[] {
  return [reason("Quarantined", { text: `cannot be read: ${problem}`, unblock: "fix the workflow" })];
}

function reasonsOfNode(input: ExplainInput, node: NodeStatus): readonly Reason[] {
  if (isOver(node) || isFulfilled(node)) return [];
  return checkNodeLock(input, node) ?? checkMemoLookup(input, node) ??
    checkAgent(input, node) ?? NODE_CHECKS[node.type]?.(input, node) ?? [];
}

/** The reason if no other one applies: the controller is about to run a pass, or the workflow is stuck. */
function defaultReason(input: ExplainInput): Reason {
  const { workflow, now, config } = input;
  const times = [...input.nodes.values()].flatMap((
    { startedAt, finishedAt },
  ) => [millisOf(startedAt), millisOf(finishedAt)]);
  const last = Math.max(millisOf(workflow.status?.startedAt) || 0, ...times.filter((time) => !Number.isNaN(time)));
  const grace = (config.graceSeconds ?? GRACE_SECONDS) * 1000;
  const since = new Date(last).toISOString();
  if (now.getTime() - last < grace) {
    return reason("Queue", { since, text: "waits for the controller to process it", unblock: BY_ITSELF });
  }
  return reason("Stuck", {
    since,
    text: "nothing is in progress, and it waits for nothing: this is a bug of the controller",
    unblock: "restart the controller, and report the bug with the workflow",
  });
}
