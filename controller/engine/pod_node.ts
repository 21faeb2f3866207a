/** Templates that become a pod: its node, and the plan to create the pod once. */
import type { NodeStatus, Template } from "../../lib/api/mod.ts";
import { ANNOTATION, NO_DEADLINE } from "../../lib/constants.ts";
import { buildPod, executorServiceAccount } from "../../lib/pod/mod.ts";
import { taskName, usesResultOf } from "../../lib/template/mod.ts";
import { type Outcome, podNameOf, type ReadyCall, retryStrategyOf } from "./call.ts";
import { addContainerNodes } from "./container_set.ts";
import { argoDurationMillis } from "./duration.ts";
import { intOf } from "./int_or_string.ts";
import { addNewNode } from "./new_node.ts";
import { templateOfNode } from "./parallelism.ts";
import type { Pass } from "./pass.ts";
import { isProgress } from "./progress_text.ts";
import { formatTime, millisOf } from "./time.ts";

/** Templates with their arguments filled in, by node ID, of nodes whose pod exists. */
export const processedTemplates = () => new Map<string, Template>();

/** How long to wait before asking again for a pod that the API server could not take now, milliseconds. */
const REFUSED_RETRY_MILLIS = 10_000;

/** Makes the node of a pod, and its pod where there is none yet. */
export function runPod(pass: Pass, call: ReadyCall): Outcome {
  const existing = pass.nodes.byName(call.nodeName);
  const node = existing ?? addPodNode(pass, call);
  const isInTheWay = pass.leftovers.has(node.id);
  if (isInTheWay || pass.hasPod(node.id) || node.phase !== "Pending") return { kind: "node", node };

  if (!pass.hasRoom) {
    pass.roomless++;
    return { kind: "node", node };
  }

  const refusal = pass.observed.refusals.get(node.id);
  if (refusal && !refusal.transient) return error(pass, node, refusal.message);
  if (refusal) {
    pass.mark(node.id, "Pending", refusal.message);
    pass.comeBackAt(pass.now.getTime() + REFUSED_RETRY_MILLIS);
  }
  if (!pass.mayRun(call.onExit === true)) {
    return { kind: "node", node: pass.mark(node.id, "Failed", `workflow shutdown with strategy: ${pass.shutdown}`) };
  }
  return plan(pass, call, pass.nodes.get(node.id)!);
}

function addPodNode(pass: Pass, call: ReadyCall): NodeStatus {
  const { nodeName: name, holder, scope, boundaryId, flag, template } = call;
  const node = addNewNode(pass, {
    name,
    type: "Pod",
    phase: "Pending",
    holder,
    scope,
    boundaryId,
    flag,
    template,
    reports: !template.daemon,
  });
  if (template.containerSet) addContainerNodes(pass, call, node);
  return pass.nodes.get(node.id)!;
}

function plan(pass: Pass, call: ReadyCall, node: NodeStatus): Outcome {
  const { template } = call;
  const limit = activeDeadlineSeconds(pass, call, node);
  if (limit === "exceeded") return error(pass, node, `${call.nodeName} exceeded its deadline`);
  if (limit !== undefined && limit <= 0) return { kind: "node", node };
  const boundary = call.boundaryId ? pass.nodes.get(call.boundaryId) : undefined;
  const boundaryTemplate = boundary && templateOfNode(pass, boundary);
  const { name, namespace, uid } = pass.workflow.metadata;
  const account = executorServiceAccount(template, pass.spec);
  const build = buildPod({
    workflow: { name: name!, namespace: namespace!, uid: uid! },
    spec: pass.spec,
    node: { id: node.id, name: node.name },
    podName: podNameOf(pass, call.nodeName, template),
    template,
    boundaryTemplate,
    globals: pass.globals,
    includeScriptOutput: template.data !== undefined ||
      (boundaryTemplate !== undefined && usesResultOf(taskName(call.nodeName), boundaryTemplate)),
    onExit: call.onExit === true,
    deadline: deadlineOf(pass, call),
    activeDeadlineSeconds: limit,
    config: pass.config.executor,
    legacyBecause: pass.config.legacyBecause,
    layoutWish: pass.workflow.metadata.annotations?.[ANNOTATION.podLayout],
    executorAccount: account ? pass.observed.serviceAccount(account) : undefined,
    claims: pass.workflow.status?.persistentVolumeClaims,
    excludedHosts: excludedHosts(pass, call),
    archiveLocation: undefined,
  });
  if (!build.ok) return error(pass, node, build.message);
  pass.notes.push(...build.warnings.map((warning) => `${node.name}: ${warning}`));
  const seed = build.pod.metadata.annotations?.[ANNOTATION.progress];
  if (isProgress(seed)) pass.nodes.update(node.id, { progress: seed });
  pass.planned.add(node.id);
  pass.activePods++;
  pass.memory.part(processedTemplates).set(node.id, template);
  pass.actions.push({ kind: "createPod", nodeId: node.id, pod: build.pod, configMap: build.configMap });
  return { kind: "node", node: pass.nodes.get(node.id)! };
}

function error(pass: Pass, node: NodeStatus, message: string): Outcome {
  return { kind: "error", node: pass.markError(node.id, message), message };
}

/** ARGO_DEADLINE: what the executor itself watches. Exit handlers outlive the workflow's deadline. */
function deadlineOf(pass: Pass, call: ReadyCall): string {
  const limits = [call.onExit ? undefined : pass.deadline, call.mustEndBy].filter((limit) => limit !== undefined);
  return limits.length ? formatTime(new Date(Math.min(...limits))) : NO_DEADLINE;
}

/** Seconds that the kubelet lets the pod live: the template's own limit, the rest of the workflow's, its `timeout`. */
function activeDeadlineSeconds(pass: Pass, call: ReadyCall, node: NodeStatus): number | "exceeded" | undefined {
  const { template } = call;
  const now = pass.now.getTime();
  const limits: number[] = [];
  const own = intOf(template.activeDeadlineSeconds);
  if (own !== undefined) limits.push(own);
  if (pass.deadline !== undefined && !call.onExit) limits.push(Math.floor((pass.deadline - now) / 1000));
  if (template.timeout) {
    const left = Math.floor((millisOf(node.startedAt) + argoDurationMillis(template.timeout) - now) / 1000);
    if (left <= 1) return "exceeded";
    limits.push(left);
  }
  return limits.length ? Math.min(...limits) : undefined;
}

/** Hosts on which earlier attempts failed, when the retry strategy asks for another one each time. */
function excludedHosts(pass: Pass, call: ReadyCall): string[] {
  const strategy = retryStrategyOf(pass, call.template);
  if (!strategy?.affinity?.nodeAntiAffinity || !call.flag?.retried) return [];
  const retryNode = pass.nodes.byName(call.nodeName.replace(/\(\d+\)$/, ""));
  const hosts = (retryNode?.children ?? []).map((id) => pass.nodes.get(id)?.hostNodeName);
  return [...new Set(hosts.filter((host): host is string => Boolean(host)))];
}
