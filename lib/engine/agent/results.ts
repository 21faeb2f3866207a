/** Applies results of tasks, and the state of the agent, to nodes. */
import type { NodeResult, NodeStatus } from "@tiphys/model/api";
import { hasRole, isCompleted, isFinalResult, isFulfilled, isProgress } from "@tiphys/model/status";
import { exportOutputs } from "../spec/global_outputs.ts";
import type { NodesDraft, Slice, StatusDraft } from "../slice.ts";
import type { TaskSetFacts } from "./facts.ts";
import { agentState } from "./agent_pod.ts";

const NOT_RUNNING = "agent pod is not running: ";
const RESTARTED = "agent ended and is started again: ";

/** The maximum number of pods created for the agent of one workflow, including lost ones. */
export const MAX_AGENT_PODS = 4;

/** Applies results to their nodes, and fails those that no agent will execute. */
export function applyAgentResults(pass: Slice<NodesDraft & StatusDraft>): void {
  const { agent } = pass.facts;
  const refusal = pass.facts.refusals.get(AGENT_KEY);
  if (refusal && !refusal.transient) {
    return failUnfinishedNodes(pass, `create agent pod failed with reason:"${refusal.message}"`);
  }
  if (!agent?.taskSet) return;
  for (const [id, result] of currentTaskSet(pass)?.results ?? []) {
    const node = pass.draft.nodes.get(id);
    if (node && hasRole(node, "agent") && !isFulfilled(node)) applyResult(pass, node, result);
  }
  const { pod, createdPods } = agent;
  if (!pod) {
    if (refusal) return setPendingMessage(pass, `${NOT_RUNNING}${refusal.message}`);
    if (createdPods >= MAX_AGENT_PODS) {
      failUnfinishedNodes(pass, `agent pod failed with reason:"it was deleted ${createdPods} times"`);
    }
    return;
  }
  const state = agentState(pod);
  switch (state.kind) {
    case "failed":
      return failUnfinishedNodes(pass, `agent pod failed with reason:"${state.message}"`);
    case "starting":
      return setPendingMessage(pass, state.why ? `${NOT_RUNNING}${state.why}` : undefined);
    case "restarted":
      return setPendingMessage(pass, `${RESTARTED}${state.why}`);
    case "running":
      return setPendingMessage(pass, undefined);
    case "lost":
      if (createdPods >= MAX_AGENT_PODS) {
        failUnfinishedNodes(pass, `agent pod failed with reason:"${pod.status?.message ?? pod.status?.reason ?? ""}"`);
      }
  }
}

/** The key of facts about the agent's pod, which is not the ID of any node. */
export const AGENT_KEY = "agent";

/** The task set; undefined if it is left over from before a retry of the workflow. */
export function currentTaskSet(pass: Slice): TaskSetFacts | undefined {
  const taskSet = pass.facts.agent?.taskSet;
  return taskSet?.isCompleted ? undefined : taskSet;
}

/** The unfinished nodes with a task, or with one to be added. */
export function unfinishedTaskNodes(pass: Slice): NodeStatus[] {
  const ids = new Set([...currentTaskSet(pass)?.tasks ?? [], ...pass.draft.agentTasks.keys()]);
  return [...ids].flatMap((id) => {
    const node = pass.draft.nodes.get(id);
    return node && hasRole(node, "agent") && !isFulfilled(node) ? [node] : [];
  });
}

function applyResult(pass: Slice<NodesDraft & StatusDraft>, node: NodeStatus, result: NodeResult): void {
  const { phase, message = "", outputs, progress } = result;
  const isNew = outputs !== undefined && JSON.stringify(outputs) !== JSON.stringify(node.outputs);
  if (isNew) pass.draft.update(node.id, { outputs });
  if (isProgress(progress)) pass.draft.update(node.id, { progress });
  if (phase === undefined) return;
  const next = pass.draft.mark(
    node.id,
    isFinalResult(phase) ? phase : phase === "Running" ? "Running" : "Pending",
    message,
  );
  if (isCompleted(next)) exportOutputs(pass, next.outputs);
}

function failUnfinishedNodes(pass: Slice<NodesDraft>, message: string): void {
  for (const { id } of unfinishedTaskNodes(pass)) pass.draft.markError(id, message);
}

/** Shows on waiting nodes why the agent is not running; undefined if it is running. */
function setPendingMessage(pass: Slice<NodesDraft>, message: string | undefined): void {
  for (const { id, phase, message: current = "" } of unfinishedTaskNodes(pass)) {
    if (message === undefined && !current.startsWith(NOT_RUNNING) && !current.startsWith(RESTARTED)) continue;
    if (phase === "Pending" && current !== (message ?? "")) pass.draft.mark(id, "Pending", message ?? "");
  }
}
