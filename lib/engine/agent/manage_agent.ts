/**
 * Manages the task set and the agent's pod: they are created for tasks, kept while there are any, and removed
 * afterwards.
 */
import type { Template } from "@tiphys/model/api";
import { AGENT_COMPONENT } from "@tiphys/base/constants";
import { LIMITS } from "@tiphys/base/limits";
import { agentAccount, type AgentPlugin, buildAgentPod } from "../pod/mod.ts";
import { isCompletedPhase, isFulfilled, nodeID } from "@tiphys/model/status";
import type { NodesDraft, RequestsDraft, Slice } from "../slice.ts";
import type { AgentPluginResult } from "./facts.ts";
import { agentState } from "./agent_pod.ts";
import { hasRole } from "@tiphys/model/status";
import { AGENT_KEY, MAX_AGENT_PODS, unfinishedTaskNodes } from "./results.ts";

/** The name of the agent's pod. */
export function agentPodName(workflowName: string): string {
  return `${nodeID(workflowName, AGENT_KEY)}-${AGENT_KEY}`;
}

/** Requests what the tasks of a workflow need. Called after its templates were run. */
export function manageAgent(pass: Slice<NodesDraft & RequestsDraft>): void {
  const { agent } = pass.facts;
  if (!agent?.taskSet && !agent?.pod && pass.draft.agentTasks.size === 0) return;
  if (isCompletedPhase(pass.draft.workflow.status?.phase)) return endAgent(pass);
  addTasks(pass);
  removeTasks(pass);
  if (pass.facts.config.createsAgentPods !== false) ensureAgentPod(pass);
}

/** Ends the agent of a completed workflow, and deletes its pod. The task set is deleted with the workflow. */
export function endAgent(pass: Slice<RequestsDraft>): void {
  const { taskSet, pod } = pass.facts.agent ?? {};
  if (taskSet && !taskSet.isCompleted) pass.draft.request({ kind: "completeTaskSet" });
  if (pod && !pod.metadata.deletionTimestamp) {
    pass.draft.request({ kind: "deletePod", podName: pod.metadata.name!, uid: pod.metadata.uid });
  }
}

/** Adds the tasks for which the task set has room. */
function addTasks(pass: Slice<RequestsDraft>): void {
  // Tasks and results from before a retry are removed first, since new nodes may have the same names.
  if (pass.facts.agent?.taskSet?.isCompleted && taskSetNodeIds(pass).length > 0) return;
  const tasks: Record<string, Template> = {};
  let { bytes = 0 } = pass.facts.agent?.taskSet ?? {};
  for (const [id, task] of pass.draft.agentTasks) {
    const node = pass.draft.nodes.get(id);
    if (!node || isFulfilled(node)) continue;
    if (bytes > 0 && bytes + task.bytes > LIMITS.taskSetBytes) break;
    tasks[id] = task.template;
    bytes += task.bytes;
  }
  const { instanceId } = pass.facts.config.executor;
  if (Object.keys(tasks).length) pass.draft.request({ kind: "addTasks", tasks, instanceId });
}

/** Removes tasks and results that are no longer needed. */
function removeTasks(pass: Slice<RequestsDraft>): void {
  const { taskSet } = pass.facts.agent ?? {};
  if (!taskSet) return;
  const nodeIds = taskSetNodeIds(pass).filter((id) => {
    if (taskSet.isCompleted) return true;
    const node = pass.draft.nodes.get(id);
    return !node || !hasRole(node, "agent") || isFulfilled(node);
  });
  if (nodeIds.length) pass.draft.request({ kind: "removeTasks", nodeIds });
}

/** The IDs of all nodes with a task or result in the task set. */
function taskSetNodeIds(pass: Slice): string[] {
  const { tasks = [], results } = pass.facts.agent?.taskSet ?? {};
  return [...new Set([...tasks, ...results?.keys() ?? []])];
}

function ensureAgentPod(pass: Slice<NodesDraft & RequestsDraft>): void {
  const { pod, createdPods = 0 } = pass.facts.agent ?? {};
  if (unfinishedTaskNodes(pass).length === 0) return;
  if (pod) {
    const isLost = agentState(pod).kind === "lost" && !pod.metadata.deletionTimestamp;
    if (isLost) pass.draft.request({ kind: "deletePod", podName: pod.metadata.name!, uid: pod.metadata.uid });
    return;
  }
  if (createdPods >= MAX_AGENT_PODS) return;
  const refusal = pass.facts.refusals.get(AGENT_KEY);
  if (refusal?.transient) pass.requestPassAt(pass.facts.now.getTime() + REFUSAL_RETRY_MILLIS);
  const { name, namespace, uid } = pass.draft.workflow.metadata;
  const { spec } = pass.draft;
  const plugins = agentPlugins(pass);
  const usable = plugins.filter((plugin): plugin is AgentPlugin => !("problem" in plugin));
  const build = buildAgentPod({
    workflow: { name: name!, namespace: namespace!, uid: uid! },
    spec,
    podName: agentPodName(name!),
    config: pass.facts.config.executor,
    settings: pass.facts.config.agent ?? DEFAULT_AGENT_SETTINGS,
    plugins: usable,
    account: pass.facts.serviceAccount(agentAccount(spec)),
  });
  if (!build.ok) {
    for (const { id } of unfinishedTaskNodes(pass)) {
      pass.draft.markError(id, `create agent pod failed with reason:"${build.message}"`);
    }
    return;
  }
  for (const plugin of plugins) {
    if (!("problem" in plugin)) continue;
    pass.draft.request({ kind: "event", type: "Warning", reason: "ExecutorPluginInvalid", message: plugin.problem });
  }
  for (const warning of build.warnings) pass.draft.log(`${AGENT_COMPONENT}: ${warning}`);
  pass.draft.request({ kind: "createAgent", pod: build.pod });
}

/** Plugins in the workflow's spec replace all others. */
function agentPlugins(pass: Slice): readonly AgentPluginResult[] {
  const { executorPlugins } = pass.draft.spec;
  if (!executorPlugins?.length) return pass.facts.agent?.plugins ?? [];
  return executorPlugins.map(({ metadata, spec: { sidecar: { automountServiceAccountToken, container } } }) => {
    const name = metadata?.name ?? "";
    return { name, automountServiceAccountToken, container: { ...container, name: container.name ?? name } };
  });
}

/** The delay before a pod that the API server temporarily refused is requested again, in milliseconds. */
const REFUSAL_RETRY_MILLIS = 10_000;

const DEFAULT_AGENT_SETTINGS = { patchRate: "10s", cpuLimit: "100m", memoryLimit: "256M" };
