/**
 * The caller of a request and their rights. Without roles, the holder of the cluster's token, or of a service account
 * token that was created manually, may do everything. A token of a pod has fewer rights: it is valid in the pod's
 * namespace only, while the pod exists, and does not allow what would let the pod act as somebody else.
 */

import { AGENT_COMPONENT, ANNOTATION, LABEL } from "@tiphys/base/constants";
import {
  type KubeObject,
  PODS,
  SECRETS,
  SERVICE_ACCOUNTS,
  WORKFLOW_ARTIFACT_GC_TASKS,
  WORKFLOW_TASK_RESULTS,
  WORKFLOW_TASK_SETS,
  WORKFLOWS,
} from "@tiphys/kube";
import { sameJson } from "@tiphys/kube/patch";
import type { ApiContext } from "../context.ts";
import type { ServedResource } from "../served_resource.ts";
import { StatusError } from "../status_error.ts";
import { collectionName } from "../store.ts";

/** A pod that calls with its own token. */
export interface CallingPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The service account in a token. */
export interface TokenAccount {
  readonly namespace: string;
  readonly name: string;
  /** Undefined if the account did not exist when the token was issued. */
  readonly uid: string | undefined;
}

/** The caller of a request, with the rights of its token. */
export interface Caller {
  /** `admin`, or the full name of a service account. */
  readonly user: string;
  /** Set for a token of a pod. */
  readonly pod?: CallingPod;
  /** Set if roles determine the rights of this caller: reports what they allow. */
  readonly allows?: (act: Act) => boolean;
}

/** The default caller: this process's own client, which is the administrator. */
export const OURSELVES: Caller = { user: "admin" };

/** An action on the API, in the terms of access reviews. */
export interface Act {
  readonly verb: string;
  readonly group: string;
  readonly plural: string;
  readonly subresource?: string | undefined;
  /** Undefined for objects without a namespace, and for those of all namespaces. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** The type of Secrets with a token of a service account. */
export const ACCOUNT_TOKEN = "kubernetes.io/service-account-token";

const READS = ["get", "list", "watch"];

/** Subresources by which a pod could act as another one. */
const NOT_FOR_PODS = ["attach", "binding", "eviction", "exec", "portforward", "status", "token"];

/** Reports whether a caller may perform an action, as far as it can be decided without reading an object. */
export function mayDo({ pod, allows }: Caller, act: Act, isNamespaced: boolean): boolean {
  const { verb, plural, subresource, namespace } = act;
  if (allows && !allows(act)) return false;
  if (!pod) return true;
  if (!isNamespaced) return READS.includes(verb);
  if (namespace !== pod.namespace) return false;
  // A pod that deletes artifacts reports on its task. `checkMayChange` verifies that the task belongs to the pod.
  if (isKind(act, WORKFLOW_ARTIFACT_GC_TASKS) && subresource === "status") {
    return verb === "patch" || READS.includes(verb);
  }
  if (subresource !== undefined && NOT_FOR_PODS.includes(subresource) && !isReportedByPods(plural, subresource)) {
    return false;
  }
  return !(plural === PODS.plural && verb === "deletecollection");
}

/** Reports whether a write is to a status in which agents report their tasks. `checkMayChange` verifies the pod. */
function isReportedByPods(plural: string, subresource: string): boolean {
  return plural === WORKFLOW_TASK_SETS.plural && subresource === "status";
}

/** @throws {StatusError} 403 if the caller may not perform the action. */
export function checkMayDo(caller: Caller, act: Act, isNamespaced: boolean): void {
  if (!mayDo(caller, act, isNamespaced)) throw forbiddenError(caller, act);
}

/**
 * `before` is undefined for a new object, `next` for a deleted one.
 * @throws {StatusError} 403 for a change that a pod may not make: to an object of another workflow, to pods of
 * workflows, which belong to the controller, and to the status of a workflow.
 */
export function checkMayChange(
  context: ApiContext,
  caller: Caller,
  act: Act,
  before: KubeObject | undefined,
  next: KubeObject | undefined,
): void {
  if (!caller.pod || isSelfAnnotation(caller.pod, act, before, next)) return;
  const pod = context.store.byUid(caller.pod.uid)?.object;
  if (isKind(act, WORKFLOW_ARTIFACT_GC_TASKS)) return checkTask(pod, caller, act, before);
  const own = workflowsOf(pod);
  for (const object of [before, next]) {
    if (!object) continue;
    const isOfWorkflow = isKind(act, PODS) && object.metadata.labels?.[LABEL.workflow] !== undefined;
    if (isOfWorkflow || workflowsOf(object).some((uid) => !own.includes(uid))) {
      throw forbiddenError(caller, act, "it belongs to a workflow, so a pod may not change it");
    }
  }
  if (isKind(act, WORKFLOWS) && before && next && !sameJson(before.status, next.status)) {
    throw forbiddenError(caller, act, "only the controller may change the status of a workflow");
  }
  if (isKind(act, WORKFLOW_TASK_RESULTS)) {
    checkReport(pod, caller, act, before, next);
  }
  if (isKind(act, WORKFLOW_TASK_SETS)) {
    const isAgent = context.store.byUid(caller.pod.uid)?.object.metadata.labels?.[LABEL.component] === AGENT_COMPONENT;
    const isOnlyStatus = before && next && sameJson(before.spec, next.spec) &&
      sameJson(before.metadata.labels, next.metadata.labels);
    if (!isAgent || !isOnlyStatus) {
      throw forbiddenError(caller, act, "only the controller may change tasks, and only an agent may report on them");
    }
  }
  if (isKind(act, SECRETS) && next?.type === ACCOUNT_TOKEN) {
    throw forbiddenError(caller, act, "a pod may not issue tokens");
  }
}

/**
 * Reports whether a pod only annotates itself, which only its own workflow reads, and does not move to another node.
 */
function isSelfAnnotation(
  pod: CallingPod,
  act: Act,
  before: KubeObject | undefined,
  next: KubeObject | undefined,
): boolean {
  if (!isKind(act, PODS) || !before || !next || before.metadata.uid !== pod.uid) return false;
  return sameJson(removeAnnotations(before), removeAnnotations(next));
}

function removeAnnotations(object: KubeObject): KubeObject {
  const { annotations = {}, managedFields: _fields, resourceVersion: _version, ...metadata } = object.metadata;
  const { [ANNOTATION.nodeId]: nodeId, [ANNOTATION.nodeName]: nodeName } = annotations;
  return { ...object, metadata: { ...metadata, annotations: { nodeId, nodeName } as Record<string, string> } };
}

/** A report must be about the pod's own node. In a cluster, `report-policy.yaml` requires the same. */
function checkReport(
  pod: KubeObject | undefined,
  caller: Caller,
  act: Act,
  before: KubeObject | undefined,
  next: KubeObject | undefined,
): void {
  const node = pod?.metadata.annotations?.[ANNOTATION.nodeId];
  const workflow = pod?.metadata.labels?.[LABEL.workflow];
  for (const report of [before, next]) {
    if (!report) continue;
    const { name, labels } = report.metadata;
    if (node !== undefined && name === node && labels?.[LABEL.workflow] === workflow) continue;
    throw forbiddenError(caller, act, "a pod may report only its own node");
  }
}

/** Lets the pod of a task write the task's status. Only the controller may change the rest. */
function checkTask(pod: KubeObject | undefined, caller: Caller, act: Act, before: KubeObject | undefined): void {
  const isItsPod = before && pod?.metadata.ownerReferences?.some(({ uid }) => uid === before.metadata.uid);
  if (isItsPod && act.subresource === "status") return;
  throw forbiddenError(caller, act, "only the controller may change tasks of artifact garbage collection");
}

function isKind({ group, plural }: Act, kind: Pick<ServedResource, "group" | "plural">): boolean {
  return group === kind.group && plural === kind.plural;
}

/** Reports whether the pod of a caller exists, and is the one that the token was issued to. */
export function callingPodExists(context: ApiContext, { namespace, name, uid }: CallingPod): boolean {
  const found = context.store.byUid(uid);
  return found !== undefined && found.resource === collectionName(PODS) && found.key === `${namespace}/${name}`;
}

/** Reports whether the service account of a token exists, and is the one that the token was issued to. */
export function accountExists({ store }: ApiContext, { namespace, name, uid }: TokenAccount): boolean {
  const found = store.get(collectionName(SERVICE_ACCOUNTS), `${namespace}/${name}`);
  return found !== undefined && (uid === undefined || found.object.metadata.uid === uid);
}

function workflowsOf(object: KubeObject | undefined): string[] {
  return (object?.metadata.ownerReferences ?? []).filter(({ kind }) => kind === "Workflow").map(({ uid }) => uid);
}

function forbiddenError(
  caller: Caller,
  act: Act,
  why = caller.pod ? "pods have rights in their own namespace, and not to all of it" : "no role allows it",
): StatusError {
  const { verb, group, plural, subresource, namespace, name } = act;
  const what = subresource === undefined ? plural : `${plural}/${subresource}`;
  const qualified = group ? `${plural}.${group}` : plural;
  const where = namespace === undefined ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  const message =
    `${qualified}${
      name === undefined ? "" : ` "${name}"`
    } is forbidden: User "${caller.user}" cannot ${verb} resource ` +
    `"${what}" in API group "${group}" ${where}: ${why}`;
  return new StatusError(403, "Forbidden", message, {
    ...(name !== undefined && { name }),
    ...(group && { group }),
    kind: plural,
  });
}
