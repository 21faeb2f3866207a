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
export const MOST_AGENTS = 4;

/** Applies results to their nodes, and fails those that no agent will execute. */
export function readAgent(pass: Slice<NodesDraft & StatusDraft>): void {
  const { agent } = pass.facts;
  const refusal = pass.facts.refusals.get(AGENT);
  if (refusal && !refusal.transient) return endOpen(pass, `create agent pod failed with reason:"${refusal.message}"`);
  if (!agent?.taskSet) return;
  for (const [id, result] of taskSetNow(pass)?.results ?? []) {
    const node = pass.draft.nodes.get(id);
    if (node && hasRole(node, "agent") && !isFulfilled(node)) takeResult(pass, node, result);
  }
  const { pod, podsMade } = agent;
  if (!pod) {
    if (refusal) return setMessage(pass, `${NOT_RUNNING}${refusal.message}`);
    if (podsMade >= MOST_AGENTS) endOpen(pass, `agent pod failed with reason:"it was deleted ${podsMade} times"`);
    return;
  }
  const state = agentState(pod);
  switch (state.kind) {
    case "failed":
      return endOpen(pass, `agent pod failed with reason:"${state.message}"`);
    case "starting":
      return setMessage(pass, state.why ? `${NOT_RUNNING}${state.why}` : undefined);
    case "restarted":
      return setMessage(pass, `${RESTARTED}${state.why}`);
    case "running":
      return setMessage(pass, undefined);
    case "lost":
      if (podsMade >= MOST_AGENTS) {
        endOpen(pass, `agent pod failed with reason:"${pod.status?.message ?? pod.status?.reason ?? ""}"`);
      }
  }
}

/** The key of facts about the agent's pod, which is not the ID of any node. */
export const AGENT = "agent";

/** The task set; undefined if it is left over from before a retry of the workflow. */
export function taskSetNow(pass: Slice): TaskSetFacts | undefined {
  const taskSet = pass.facts.agent?.taskSet;
  return taskSet?.isCompleted ? undefined : taskSet;
}

/** The unfinished nodes with a task, or with one to be added. */
export function openNodes(pass: Slice): NodeStatus[] {
  const ids = new Set([...taskSetNow(pass)?.tasks ?? [], ...pass.draft.offeredTasks.keys()]);
  return [...ids].flatMap((id) => {
    const node = pass.draft.nodes.get(id);
    return node && hasRole(node, "agent") && !isFulfilled(node) ? [node] : [];
  });
}

function takeResult(pass: Slice<NodesDraft & StatusDraft>, node: NodeStatus, result: NodeResult): void {
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

function endOpen(pass: Slice<NodesDraft>, message: string): void {
  for (const { id } of openNodes(pass)) pass.draft.markError(id, message);
}

/** Shows on waiting nodes why the agent is not running; undefined if it is running. */
function setMessage(pass: Slice<NodesDraft>, message: string | undefined): void {
  for (const { id, phase, message: said = "" } of openNodes(pass)) {
    if (message === undefined && !said.startsWith(NOT_RUNNING) && !said.startsWith(RESTARTED)) continue;
    if (phase === "Pending" && said !== (message ?? "")) pass.draft.mark(id, "Pending", message ?? "");
  }
}
