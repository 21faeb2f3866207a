/** Templates that run in a pod: the node, and the request to create its pod once. */
import { intOrStringToInt64 } from "@tiphys/base/go";
import type { ConfigMap, NodeStatus, Pod, Template } from "@tiphys/model/api";
import { ANNOTATION, NO_DEADLINE } from "@tiphys/base/constants";
import { LIMITS, shortened } from "@tiphys/base/limits";
import { buildPod, executorServiceAccount, MAX_ACTIVE_SECONDS, type NodeTrace } from "../pod/mod.ts";
import { planOf, substituteParameters, usesResultOf } from "@tiphys/language/template";
import {
  attemptsOf,
  isFailure,
  isProgress,
  memberNodeName,
  millisOf,
  nodeSpanId,
  taskName,
  timeText,
  traceIdOf,
  withoutAttempt,
} from "@tiphys/model/status";
import { addCallNode, type Outcome, podNameOfCall, type ReadyCall, retryStrategyOf } from "./call.ts";
import { archiveLocationOf } from "../spec/artifact_repository.ts";
import { claimVolumes } from "../spec/claims.ts";
import { requestImageCommand, withImageCommands } from "./image_commands.ts";
import { jsonSize } from "../nodes/node_size.ts";
import { addContainerNodes } from "./container_set.ts";
import { readField, timeoutMillis } from "../duration.ts";
import { templateOfNode } from "./parallelism.ts";
import type { Draft } from "../draft.ts";
import type { NodesDraft, Slice, StatusDraft } from "../slice.ts";
import { specWithVolumes } from "../spec/volumes.ts";

/** Templates with their arguments, by node ID, of nodes whose pod exists. */
export const processedTemplates = () => new Map<string, Template>();

/** Milliseconds before a pod that the API server could not accept is requested again. */
const REFUSAL_RETRY_MILLIS = 10_000;

/** Adds the node of a pod, and requests its pod if it does not exist yet. */
export function runPod(pass: Slice<Draft>, call: ReadyCall): Outcome {
  const existing = pass.draft.nodes.byName(call.nodeName);
  const node = existing ? addMemberNodes(pass, call, existing) : addPodNode(pass, call);
  const hasLeftover = pass.facts.leftovers.has(node.id);
  if (hasLeftover || pass.hasPod(node.id) || node.phase !== "Pending") return { kind: "node", node };

  if (!pass.mayRequestPod) {
    pass.waitFor("room");
    return { kind: "node", node };
  }

  const refusal = pass.facts.refusals.get(node.id);
  if (refusal && !refusal.transient) return errorOutcome(pass, node, refusal.message);
  if (refusal) {
    pass.draft.mark(node.id, "Pending", refusal.message);
    pass.requestPassAt(pass.facts.now.getTime() + REFUSAL_RETRY_MILLIS);
  }
  if (!pass.mayRun(call.onExit === true)) {
    return {
      kind: "node",
      node: pass.draft.mark(node.id, "Failed", `workflow shutdown with strategy: ${pass.shutdown}`),
    };
  }
  return buildAndRequestPod(pass, call, pass.draft.nodes.get(node.id)!);
}

/** Adds the node of a pod, and those of its container set. */
export function addPodNode(pass: Slice<NodesDraft>, call: ReadyCall): NodeStatus {
  const { template } = call;
  const node = addCallNode(pass, call, { type: "Pod", phase: "Pending", expectsReport: !template.daemon });
  return addMemberNodes(pass, call, node);
}

/** Adds the nodes of a container set's members when the set starts, after the nodes that it waited for. */
function addMemberNodes(pass: Slice<NodesDraft>, call: ReadyCall, node: NodeStatus): NodeStatus {
  const [first] = call.template.containerSet?.containers ?? [];
  if (!first || node.phase !== "Pending" || pass.draft.nodes.byName(memberNodeName(call.nodeName, first.name!))) {
    return node;
  }
  addContainerNodes(pass, call, node);
  return pass.draft.nodes.get(node.id)!;
}

function buildAndRequestPod(pass: Slice<Draft>, { template: called, ...others }: ReadyCall, node: NodeStatus): Outcome {
  const template = withTagsOfInputs(pass, others.nodeName, called);
  const call = { ...others, template };
  const limit = activeDeadlineSeconds(pass, call, node);
  if (limit === "over") return { kind: "node", node };
  if (limit === "timeout") return { kind: "timeout", node: pass.draft.markError(node.id, "timeout") };
  if (limit === "exceeded") return errorOutcome(pass, node, `${call.nodeName} exceeded its deadline`);
  const boundary = call.boundaryId ? pass.draft.nodes.get(call.boundaryId) : undefined;
  const boundaryTemplate = boundary && templateOfNode(pass, boundary);
  const { name, namespace, uid } = pass.draft.workflow.metadata;
  const account = executorServiceAccount(template, pass.draft.spec);
  const build = buildPod({
    workflow: { name: name!, namespace: namespace!, uid: uid! },
    spec: specWithVolumes(pass, call.volumeScope),
    node: { id: node.id, name: node.name },
    podName: podNameOfCall(pass, call.nodeName, template),
    trace: traceOf(pass, node.id),
    template,
    boundaryTemplate,
    globals: pass.draft.globals,
    includeScriptOutput: template.data !== undefined ||
      (boundaryTemplate !== undefined && usesResultOf(taskName(call.nodeName), boundaryTemplate)),
    onExit: call.onExit === true,
    deadline: deadlineOf(pass, call),
    isRetryDeadline: call.mustEndBy !== undefined,
    activeDeadlineSeconds: limit,
    config: withImageCommands(pass, template.serviceAccountName ?? pass.draft.spec.serviceAccountName ?? "default"),
    legacyLayoutReason: pass.facts.config.legacyLayoutReason,
    requestedLayout: pass.draft.workflow.metadata.annotations?.[ANNOTATION.podLayout],
    executorAccount: account ? pass.facts.serviceAccount(account) : undefined,
    claims: claimVolumes(pass),
    excludedHosts: excludedHosts(pass, call),
    archiveLocation: archiveLocationOf(pass),
  });
  if (!build.ok) {
    const waiting = build.unknownImage && requestImageCommand(pass, node, build.unknownImage);
    if (typeof waiting === "object") return { kind: "node", node: waiting };
    return errorOutcome(pass, node, waiting === undefined ? build.message : `${build.message}: ${waiting}`);
  }
  for (const warning of build.warnings) pass.draft.log(`${node.name}: ${warning}`);
  const seed = build.pod.metadata.annotations?.[ANNOTATION.progress];
  if (isProgress(seed)) pass.draft.update(node.id, { progress: seed });
  const bytes = podSize(build.pod, build.configMap);
  if (bytes > LIMITS.podBytes) {
    const size = bytes > MAX_COUNTED_BYTES ? `more than ${MAX_COUNTED_BYTES}` : bytes;
    return errorOutcome(
      pass,
      node,
      `the pod of node ${shortened(node.name)} takes ${size} bytes; the maximum is ${LIMITS.podBytes}`,
    );
  }
  pass.cache(processedTemplates).set(node.id, template);
  pass.draft.requestPod({ kind: "createPod", nodeId: node.id, pod: build.pod, configMap: build.configMap }, bytes);
  return { kind: "node", node: pass.draft.nodes.get(node.id)! };
}

/**
 * Substitutes the tags that came with the template's inputs: an input whose value refers to another input brings that
 * tag to the places where it is used.
 */
function withTagsOfInputs(pass: Slice, nodeName: string, template: Template): Template {
  if (planOf(template) === undefined) return template;
  const local = new Map([["pod.name", podNameOfCall(pass, nodeName, template)]]);
  return substituteParameters(template, pass.draft.globals, local, pass.draft.globalsWithTags);
}

/** Sizes are counted up to this limit, in bytes: mirrored mounts may make a pod far larger. */
const MAX_COUNTED_BYTES = 4 * LIMITS.podBytes;

/** The approximate size, in bytes of JSON, of the larger of a pod and its ConfigMap. */
function podSize({ spec }: Pod, configMap: ConfigMap | undefined): number {
  return Math.max(jsonSize(spec, MAX_COUNTED_BYTES), totalLength(configMap?.data));
}

function totalLength(data: Readonly<Record<string, string>> = {}): number {
  return Object.values(data).reduce((sum, text) => sum + text.length, 0);
}

function errorOutcome(pass: Slice<NodesDraft>, node: NodeStatus, message: string): Outcome {
  return { kind: "error", node: pass.draft.markError(node.id, message), message };
}

/** The value of ARGO_DEADLINE, which the executor enforces. Exit handlers outlive the workflow's deadline. */
function deadlineOf(pass: Slice, call: ReadyCall): string {
  const limits = [call.onExit ? undefined : pass.deadline, call.mustEndBy].filter((limit) => limit !== undefined);
  const limit = Math.min(...limits);
  return limit <= MAX_DEADLINE_MILLIS ? timeText(new Date(Math.max(limit, 0))) : NO_DEADLINE;
}

/**
 * The latest possible deadline, in milliseconds since the epoch. A later one cannot be formatted and counts as no
 * deadline.
 */
const MAX_DEADLINE_MILLIS = Date.UTC(9999, 11, 31);

/**
 * The time limit of the pod in seconds: the smallest of the template's limit, its `timeout`, and the remaining time of
 * the workflow. Otherwise the reason for not creating the pod: the workflow's deadline has passed (`over`), or the
 * `timeout` leaves no or too little time.
 */
function activeDeadlineSeconds(
  pass: Slice,
  call: ReadyCall,
  node: NodeStatus,
): number | "over" | "timeout" | "exceeded" | undefined {
  const { template } = call;
  const now = pass.facts.now.getTime();
  const pendingTimeout = timeoutMillis(template, "pendingTimeout");
  if (pendingTimeout !== undefined && pendingTimeout <= 0) return "timeout";
  const limits: number[] = [];
  const field = "activeDeadlineSeconds";
  const own = readField(template, field, () => intOrStringToInt64(template[field]));
  if (own !== undefined) limits.push(Number(own));
  if (pass.deadline !== undefined && !call.onExit) {
    const left = Math.floor((pass.deadline - now) / 1000);
    if (left <= 0) return "over";
    limits.push(left);
  }
  const timeout = timeoutMillis(template, "timeout");
  if (timeout !== undefined) {
    if (timeout <= 0) return "timeout";
    const left = Math.floor((millisOf(node.startedAt) + timeout - now) / 1000);
    if (left <= 1) return "exceeded";
    limits.push(left);
  }
  // Limits that are also enforced elsewhere may exceed the kubelet's maximum. The template's own limit may not.
  const enforceable = limits.filter((limit) => limit <= MAX_ACTIVE_SECONDS || limit === Number(own));
  return enforceable.length ? Math.min(...enforceable) : undefined;
}

/** The parent span of the spans of a node's pod; undefined if no traces are sent. */
function traceOf(pass: Slice, nodeId: string): NodeTrace | undefined {
  if (!pass.facts.config.sendsTraces) return undefined;
  const { uid = "" } = pass.draft.workflow.metadata;
  const traceId = traceIdOf(uid);
  return traceId === undefined ? undefined : { traceId, spanId: nodeSpanId(uid, nodeId) };
}

/**
 * Hosts on which earlier attempts failed, if a retry strategy requires another host for each attempt: the strategy of
 * the pod itself, or of a steps or DAG template around it, for which every failed pod of its earlier attempts counts.
 */
function excludedHosts(pass: Slice<StatusDraft>, call: ReadyCall): string[] {
  const hosts = new Set<string>();
  let retried: { readonly name: string; readonly requiresOtherHost: boolean } | undefined = call.flag?.retried
    ? { name: call.nodeName, requiresOtherHost: requiresOtherHost(pass, call.template) }
    : undefined;
  let boundaryId = call.boundaryId;
  for (;;) {
    if (retried?.requiresOtherHost) addFailedHosts(pass, retried.name, hosts);
    const boundary = boundaryId ? pass.draft.nodes.get(boundaryId) : undefined;
    if (!boundary) return [...hosts];
    const isRetried = boundary.nodeFlag?.retried === true;
    const template = isRetried ? templateOfNode(pass, boundary) : undefined;
    retried = template && { name: boundary.name, requiresOtherHost: requiresOtherHost(pass, template) };
    boundaryId = boundary.boundaryID;
  }
}

function requiresOtherHost(pass: Slice, template: Template): boolean {
  return retryStrategyOf(pass, template)?.affinity?.nodeAntiAffinity !== undefined;
}

/** Adds the hosts of failed pods of all attempts of an attempt's Retry node. */
function addFailedHosts(pass: Slice, attempt: string, hosts: Set<string>): void {
  const retryNode = pass.draft.nodes.byName(withoutAttempt(attempt));
  const below = new Set(retryNode ? attemptsOf(retryNode, pass.draft.nodes).map(({ id }) => id) : []);
  for (const id of below) {
    const node = pass.draft.nodes.get(id);
    if (node?.type === "Pod" && isFailure(node.phase) && node.hostNodeName) hosts.add(node.hostNodeName);
    for (const child of node?.children ?? []) below.add(child);
  }
}
