/** Results of tasks, and the state of the agent that does them, taken into the nodes. */
import type { NodeResult, NodeStatus } from "@tiphys/model/api";
import { isCompleted, isFinalResult, isFulfilled, isProgress } from "@tiphys/model/status";
import { exportOutputs } from "../templates/global_outputs.ts";
import type { Pass } from "../pass.ts";
import type { TaskSetFacts } from "./facts.ts";
import { agentState } from "./agent_pod.ts";

const NOT_RUNNING = "agent pod is not running: ";
const RESTARTED = "agent ended and is started again: ";

/** The largest number of pods that are made for the agent of one workflow, the lost ones included. */
export const MOST_AGENTS = 4;

/** Takes results into the nodes they belong to, and ends those that no agent will do. */
export function readAgent(pass: Pass): void {
  const { agent } = pass.facts;
  const refusal = pass.facts.refusals.get(AGENT);
  if (refusal && !refusal.transient) return endOpen(pass, `create agent pod failed with reason:"${refusal.message}"`);
  if (!agent?.taskSet) return;
  for (const [id, result] of taskSetNow(pass)?.results ?? []) {
    const node = pass.draft.nodes.get(id);
    if (node && isRemote(node) && !isFulfilled(node)) takeResult(pass, node, result);
  }
  const { pod, podsMade } = agent;
  if (!pod) {
    if (refusal) return tell(pass, `${NOT_RUNNING}${refusal.message}`);
    if (podsMade >= MOST_AGENTS) endOpen(pass, `agent pod failed with reason:"it was deleted ${podsMade} times"`);
    return;
  }
  const state = agentState(pod);
  switch (state.kind) {
    case "failed":
      return endOpen(pass, `agent pod failed with reason:"${state.message}"`);
    case "starting":
      return tell(pass, state.why ? `${NOT_RUNNING}${state.why}` : undefined);
    case "restarted":
      return tell(pass, `${RESTARTED}${state.why}`);
    case "running":
      return tell(pass, undefined);
    case "lost":
      if (podsMade >= MOST_AGENTS) {
        endOpen(pass, `agent pod failed with reason:"${pod.status?.message ?? pod.status?.reason ?? ""}"`);
      }
  }
}

/** The name under which what concerns the agent's pod is kept; no node has it. */
export const AGENT = "agent";

/** Whether a node is the agent's. */
export function isRemote({ type }: NodeStatus): boolean {
  return type === "HTTP" || type === "Plugin";
}

/** The task set, unless it is left of an end of the workflow after which somebody retried it: then it says nothing. */
export function taskSetNow(pass: Pass): TaskSetFacts | undefined {
  const taskSet = pass.facts.agent?.taskSet;
  return taskSet?.isCompleted ? undefined : taskSet;
}

/** The nodes that the agent has, or is to have. */
export function openNodes(pass: Pass): NodeStatus[] {
  const ids = new Set([...taskSetNow(pass)?.tasks ?? [], ...pass.draft.offeredTasks.keys()]);
  return [...ids].flatMap((id) => {
    const node = pass.draft.nodes.get(id);
    return node && isRemote(node) && !isFulfilled(node) ? [node] : [];
  });
}

function takeResult(pass: Pass, node: NodeStatus, result: NodeResult): void {
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

function endOpen(pass: Pass, message: string): void {
  for (const { id } of openNodes(pass)) pass.draft.markError(id, message);
}

/** Says at the nodes that wait why the agent does not run yet; undefined: it does. */
function tell(pass: Pass, message: string | undefined): void {
  for (const { id, phase, message: said = "" } of openNodes(pass)) {
    if (message === undefined && !said.startsWith(NOT_RUNNING) && !said.startsWith(RESTARTED)) continue;
    if (phase === "Pending" && said !== (message ?? "")) pass.draft.mark(id, "Pending", message ?? "");
  }
}
