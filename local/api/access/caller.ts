/**
 * The caller of the API: who asks, and what they may do. There are no roles here: whoever holds the cluster's own
 * token, or one that was made for a service account by hand, may do everything. A pod is not its user: what it holds is
 * good in its own namespace only, while it is there, and not for what would make it somebody else.
 */

import { AGENT_COMPONENT, ANNOTATION, LABEL } from "@tiphys/base/constants";
import {
  type KubeObject,
  PODS,
  sameJson,
  SECRETS,
  SERVICE_ACCOUNTS,
  WORKFLOW_ARTIFACT_GC_TASKS,
  WORKFLOW_TASK_RESULTS,
  WORKFLOW_TASK_SETS,
  WORKFLOWS,
} from "@tiphys/kube";
import type { ApiContext } from "../context.ts";
import type { ServedResource } from "../served_resource.ts";
import { StatusError } from "../status_error.ts";
import { collectionName } from "../store.ts";

/** A pod that asks by its own token. */
export interface CallingPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** A service account as a token names it. */
export interface TokenAccount {
  readonly namespace: string;
  readonly name: string;
  /** Undefined where the account was not there when the token was issued. */
  readonly uid: string | undefined;
}

/** The caller of a request, and the rights that go with its token. */
export interface Caller {
  /** `admin`, or the full name of a service account. */
  readonly user: string;
  /** Set for a token that was given to a pod. */
  readonly pod?: CallingPod;
  /** Set where roles decide what this caller may do: what they allow. */
  readonly allows?: (act: Act) => boolean;
}

/** The caller when no other is named: the holder of this process's own client, who is the administrator. */
export const OURSELVES: Caller = { user: "admin" };

/** An act on the API, in the words of access reviews. */
export interface Act {
  readonly verb: string;
  readonly group: string;
  readonly plural: string;
  readonly subresource?: string | undefined;
  /** Absent for objects without a namespace, and for those of all namespaces. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** The type of secrets that hold a token of a service account. */
export const ACCOUNT_TOKEN = "kubernetes.io/service-account-token";

const READS = ["get", "list", "watch"];

/** Parts of objects by which a pod would become another one, or speak for another one. */
const NOT_FOR_PODS = ["attach", "binding", "eviction", "exec", "portforward", "status", "token"];

/** Whether somebody may do something, as far as that can be said without looking at an object. */
export function mayDo({ pod, allows }: Caller, act: Act, isNamespaced: boolean): boolean {
  const { verb, plural, subresource, namespace } = act;
  if (allows && !allows(act)) return false;
  if (!pod) return true;
  if (!isNamespaced) return READS.includes(verb);
  if (namespace !== pod.namespace) return false;
  // A pod that deletes artifacts reports on its task here; `checkMayChange` looks whether it is that of the task.
  if (isKind(act, WORKFLOW_ARTIFACT_GC_TASKS) && subresource === "status") {
    return verb === "patch" || READS.includes(verb);
  }
  if (subresource !== undefined && NOT_FOR_PODS.includes(subresource) && !isToldByPods(plural, subresource)) {
    return false;
  }
  return !(plural === PODS.plural && verb === "deletecollection");
}

/** Whether a write is of a status in which agents report on their tasks; `checkMayChange` looks which pod sends it. */
function isToldByPods(plural: string, subresource: string): boolean {
  return plural === WORKFLOW_TASK_SETS.plural && subresource === "status";
}

/** @throws {StatusError} 403 for what somebody may not do. */
export function checkMayDo(caller: Caller, act: Act, isNamespaced: boolean): void {
  if (!mayDo(caller, act, isNamespaced)) throw notAllowed(caller, act);
}

/**
 * `before` is absent for an object that is made, `next` for one that goes.
 * @throws {StatusError} 403 for a change that a pod may not make: of what belongs to another workflow, of pods of
 * workflows, which are the controller's, and of how a workflow stands.
 */
export function checkMayChange(
  context: ApiContext,
  caller: Caller,
  act: Act,
  before: KubeObject | undefined,
  next: KubeObject | undefined,
): void {
  if (!caller.pod || isOwnNote(caller.pod, act, before, next)) return;
  const pod = context.store.byUid(caller.pod.uid)?.object;
  if (isKind(act, WORKFLOW_ARTIFACT_GC_TASKS)) return checkTask(pod, caller, act, before);
  const own = workflowsOf(pod);
  for (const object of [before, next]) {
    if (!object) continue;
    const isOfWorkflow = isKind(act, PODS) && object.metadata.labels?.[LABEL.workflow] !== undefined;
    if (isOfWorkflow || workflowsOf(object).some((uid) => !own.includes(uid))) {
      throw notAllowed(caller, act, "it belongs to a workflow, and is no pod's to change");
    }
  }
  if (isKind(act, WORKFLOWS) && before && next && !sameJson(before.status, next.status)) {
    throw notAllowed(caller, act, "the status of a workflow is the controller's");
  }
  if (isKind(act, WORKFLOW_TASK_RESULTS)) {
    checkReport(pod, caller, act, before, next);
  }
  if (isKind(act, WORKFLOW_TASK_SETS)) {
    const isAgent = context.store.byUid(caller.pod.uid)?.object.metadata.labels?.[LABEL.component] === AGENT_COMPONENT;
    const isOnlyStatus = before && next && sameJson(before.spec, next.spec) &&
      sameJson(before.metadata.labels, next.metadata.labels);
    if (!isAgent || !isOnlyStatus) {
      throw notAllowed(caller, act, "what is to be done is the controller's, and only an agent says what came of it");
    }
  }
  if (isKind(act, SECRETS) && next?.type === ACCOUNT_TOKEN) {
    throw notAllowed(caller, act, "a pod hands out no tokens");
  }
}

/** Whether a pod only annotates itself, which no workflow but its own reads; not with another node than it has. */
function isOwnNote(pod: CallingPod, act: Act, before: KubeObject | undefined, next: KubeObject | undefined): boolean {
  if (!isKind(act, PODS) || !before || !next || before.metadata.uid !== pod.uid) return false;
  return sameJson(withoutNotes(before), withoutNotes(next));
}

function withoutNotes(object: KubeObject): KubeObject {
  const { annotations = {}, managedFields: _fields, resourceVersion: _version, ...metadata } = object.metadata;
  const { [ANNOTATION.nodeId]: nodeId, [ANNOTATION.nodeName]: nodeName } = annotations;
  return { ...object, metadata: { ...metadata, annotations: { nodeId, nodeName } as Record<string, string> } };
}

/** A report is that of the pod's own node, and says so: the manifests ask the same of a cluster (`report-policy.yaml`). */
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
    throw notAllowed(caller, act, "a pod reports about its own node only");
  }
}

/** Lets the pod to which a task belongs write the status of the task; all else in it is the controller's alone. */
function checkTask(pod: KubeObject | undefined, caller: Caller, act: Act, before: KubeObject | undefined): void {
  const isItsPod = before && pod?.metadata.ownerReferences?.some(({ uid }) => uid === before.metadata.uid);
  if (isItsPod && act.subresource === "status") return;
  throw notAllowed(caller, act, "the tasks of artifact garbage collection are the controller's");
}

function isKind({ group, plural }: Act, kind: Pick<ServedResource, "group" | "plural">): boolean {
  return group === kind.group && plural === kind.plural;
}

/** The pod of a caller is there, and is the one that the token was given to. */
export function isThere(context: ApiContext, { namespace, name, uid }: CallingPod): boolean {
  const found = context.store.byUid(uid);
  return found !== undefined && found.resource === collectionName(PODS) && found.key === `${namespace}/${name}`;
}

/** Whether the service account of a token is there, and is the one that the token was issued to. */
export function isAccountThere({ store }: ApiContext, { namespace, name, uid }: TokenAccount): boolean {
  const found = store.get(collectionName(SERVICE_ACCOUNTS), `${namespace}/${name}`);
  return found !== undefined && (uid === undefined || found.object.metadata.uid === uid);
}

function workflowsOf(object: KubeObject | undefined): string[] {
  return (object?.metadata.ownerReferences ?? []).filter(({ kind }) => kind === "Workflow").map(({ uid }) => uid);
}

function notAllowed(
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
