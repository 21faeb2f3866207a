/** The streams of changes of workflows and of Kubernetes events. */
import { storedWorkflow, type Workflow } from "@tiphys/model/api";
import { PATCHES } from "@tiphys/model/api/workflow_patch";
import { fieldsOf, textIn } from "@tiphys/base/fields_of";
import { pause, systemClock } from "@tiphys/base/clock";
import {
  classifyError,
  EVENTS,
  type KubeClient,
  KubeError,
  type KubeObject,
  type Resource,
  WORKFLOWS,
} from "@tiphys/kube";
import { parseFieldSelector, parseLabelSelector } from "@tiphys/kube/selectors";
import { MACHINE } from "../listen/client_wait.ts";
import type { ServerContext } from "../served.ts";
import { withNodesInList } from "@tiphys/model/nodes";
import { offloadedNodes } from "./offloaded.ts";
import { right } from "../gate/rights.ts";
import { LIST_OPTIONS } from "../routes/list_options.ts";
import { type Call, type Route, route } from "../routes/route.ts";
import { presentWorkflow, withWaitsOnly } from "../wire/present.ts";
import { ClusterService, LATEST, resolveName } from "@tiphys/service";
import type { Subscription } from "./change_feed.ts";
import type { WorkflowCopy } from "./copy.ts";
import { badRequest } from "../wire/errors.ts";
import type { QueryValues } from "../wire/query.ts";
import { readSelectors, withInstance } from "./query.ts";
import { newestInTime } from "./newest_in_time.ts";
import { patchBetween } from "./workflow_patches.ts";

/** The objects that a route watches, and the version at which the watch starts. */
export interface WatchTarget {
  readonly client: KubeClient;
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** One change of an object. */
export interface Change {
  readonly type: string;
  readonly object: KubeObject;
}

/**
 * Yields the current objects as ADDED, then their changes, until the signal is aborted; with a `resourceVersion`, only
 * the changes after it. When Kubernetes ends a watch, a new one starts at the last version. If that version has
 * expired, the objects are listed again and compared with those sent so far: changed objects are sent again, and
 * deleted ones are sent as DELETED with their metadata only. `recordVersion` is called with versions up to which
 * everything has been sent; this requires that the watch begins with a list, if the caller may list.
 * @throws {KubeError} if the watch is refused, and if the client's `resourceVersion` has expired or expires: the client
 * must then list again.
 */
export async function* changes(
  target: WatchTarget,
  signal: AbortSignal,
  passed?: (version: string) => void,
): AsyncGenerator<Change> {
  const { client, resource, namespace } = target;
  const selectors = selectorsOf(target);
  const sent: SentObjects = new Map();
  let from = target.resourceVersion || undefined;
  let failures = 0;
  let mustCatchUp = false;
  let mustList = passed !== undefined && !from;
  while (!signal.aborted) {
    try {
      if (failures > 0) await pause(systemClock, RETRY_MILLIS, signal);
      if (mustCatchUp || mustList) from = yield* catchUp(target, sent, signal);
      if (mustList && from) passed?.(from);
      mustCatchUp = mustList = false;
      const options = { ...selectors, resourceVersion: from };
      for await (const { type, object } of client.watch<KubeObject>(resource, namespace, options, signal)) {
        failures = 0;
        from = object.metadata.resourceVersion ?? from;
        const change = type === "BOOKMARK" ? undefined : changeOf(sent, type, object);
        if (change) yield change;
        else if (type === "BOOKMARK" && from) passed?.(from);
      }
      // Watches end regularly. This is not a failure, but the next watch starts after a pause.
      failures = 1;
    } catch (error) {
      if (signal.aborted) return;
      if (mustList && error instanceof KubeError && error.status === 403) {
        // A caller who may watch but not list receives the current objects from the watch, unordered.
        mustList = false;
        continue;
      }
      const isTooOld = error instanceof KubeError && error.status === 410;
      if (isTooOld && !target.resourceVersion) mustCatchUp = true;
      else if (isTooOld || classifyError(error) !== "transient") throw error;
      if (++failures > MAX_FAILURES) throw error;
    }
  }
}

/** The objects that were sent and not deleted, by UID, with the metadata that a DELETED message needs. */
type SentObjects = Map<string, KubeObject>;

function selectorsOf({ labelSelector, fieldSelector }: WatchTarget) {
  return { labelSelector: labelSelector || undefined, fieldSelector: fieldSelector || undefined };
}

/** The change that an event is for the client; undefined if it was already sent. Updates `sent`. */
function changeOf(sent: SentObjects, type: string, object: KubeObject): Change | undefined {
  const { uid = "", name, namespace, resourceVersion, labels, creationTimestamp } = object.metadata;
  const before = sent.get(uid);
  if (type === "ADDED" && before && before.metadata.resourceVersion === resourceVersion) return undefined;
  if (type === "DELETED") sent.delete(uid);
  else {
    const metadata = { uid, name, namespace, resourceVersion, labels, creationTimestamp };
    sent.set(uid, { apiVersion: object.apiVersion, kind: object.kind, metadata } as KubeObject);
  }
  return { type: type === "ADDED" && before ? "MODIFIED" : type, object };
}

/**
 * Yields the differences between a new list and the objects sent so far. Returns the version at which a watch
 * continues.
 */
async function* catchUp(
  target: WatchTarget,
  sent: SentObjects,
  signal: AbortSignal,
): AsyncGenerator<Change, string | undefined> {
  const { client, resource, namespace } = target;
  const present = new Set<string>();
  const query = { ...selectorsOf(target), limit: PAGE };
  let version: string | undefined;
  let next: string | undefined;
  do {
    const { items, metadata } = await client.list<KubeObject>(
      resource,
      namespace,
      { ...query, continue: next },
      signal,
    );
    version = metadata.resourceVersion;
    next = metadata.continue || undefined;
    for (const object of items) {
      present.add(object.metadata.uid ?? "");
      const change = changeOf(sent, "ADDED", object);
      if (change) yield change;
    }
  } while (next);
  for (const [uid, object] of sent) {
    if (present.has(uid)) continue;
    sent.delete(uid);
    yield { type: "DELETED", object };
  }
  return version;
}

/** The number of objects in one page of a list. */
const PAGE = 500;

const RETRY_MILLIS = 500;
/** After how many failures in a row a watch fails: about 30 seconds. */
const MAX_FAILURES = 60;

type Query = QueryValues<typeof LIST_OPTIONS>;

/**
 * Parses the options of a watch, and validates them before the watch starts: the cluster's error could arrive after the
 * head of the response has been sent.
 * @throws {WireError} that names the option.
 */
export function watchOptions(query: Query): Pick<WatchTarget, "labelSelector" | "fieldSelector" | "resourceVersion"> {
  const resourceVersion = query["listOptions.resourceVersion"];
  if (resourceVersion && !/^\d{1,20}$/.test(resourceVersion)) {
    throw badRequest(`Invalid value: ${JSON.stringify(resourceVersion)}: resourceVersion must be a number`);
  }
  const [labelSelector, fieldSelector] = [query["listOptions.labelSelector"], query["listOptions.fieldSelector"]];
  readSelectors(labelSelector, fieldSelector);
  return { labelSelector, fieldSelector, resourceVersion };
}

type WatchCall = Pick<Call, "signal" | "served"> & { readonly query: Query };

/**
 * Limits a stream to the `timeoutSeconds` of its request, and ends it when the server stops, so that the client
 * reconnects to another server instead of waiting on this one.
 */
export async function* withTimeout<T>(
  { query, signal, served }: WatchCall,
  open: (signal: AbortSignal) => AsyncIterable<T>,
) {
  const seconds = query["listOptions.timeoutSeconds"] ?? 0;
  const ending = new AbortController();
  const end = () => ending.abort();
  const { stopping } = served;
  stopping?.addEventListener("abort", end, { once: true });
  if (stopping?.aborted) end();
  // Clients may request days and disconnect early, so the timer must be cancelled.
  const cancelTimer = seconds > 0 ? MACHINE.after(Math.min(seconds, MAX_SECONDS) * 1000, end) : undefined;
  try {
    yield* open(AbortSignal.any([signal, ending.signal]));
  } finally {
    cancelTimer?.();
    stopping?.removeEventListener("abort", end);
  }
}

/** Slightly less than the maximum of a timer: about 23 days. */
const MAX_SECONDS = 2_000_000;

const watchWorkflows = route({
  id: "WorkflowService_WatchWorkflows",
  method: "GET",
  path: "/api/v1/workflow-events/{namespace}",
  query: { ...LIST_OPTIONS, fields: "string", patches: "string" },
  isStream: true,
  rights: ({ params: { namespace }, query }) => {
    const name = nameIn(query["listOptions.fieldSelector"]);
    const single = name === LATEST ? undefined : name;
    return [
      right("watch", WORKFLOWS, namespace, single),
      ...(name ? [right("get", WORKFLOWS, namespace, single)] : []),
    ];
  },
  async answer(call) {
    const { caller, query, params: { namespace = "" }, served, mask, shared } = call;
    const { labelSelector, resourceVersion, ...asked } = watchOptions(query);
    const fieldSelector = await withLatest(call, asked.fieldSelector ?? "");
    // A watch of a workflow that does not exist would never yield anything; this request fails instead.
    const name = nameIn(fieldSelector);
    const { workflows } = served;
    if (name && namespace && !workflows.has(namespace, name)) await caller.client.get(WORKFLOWS, namespace, name);
    const target = {
      client: caller.client,
      resource: WORKFLOWS,
      namespace: namespace || undefined,
      labelSelector: withInstance(labelSelector, served.instanceId),
      fieldSelector,
      resourceVersion,
    };
    const subscription = subscriptionOf(workflows, target);
    // A patch does not contain fields that the client left out, so the two cannot be combined.
    const isPatched = query.patches === PATCHES && name !== undefined && !query.fields;
    const passed = isPatched ? undefined : shared?.recordVersion;
    const found = withTimeout(
      call,
      (until) =>
        subscription ? workflows.changes.watch(subscription, until, passed) : workflowChanges(target, until, passed),
    );
    const nodeDetail = mask.includes("result.object.status.nodes")
      ? "nodes"
      : mask.isNamed("result.object.status.waitsOnly")
      ? "wait"
      : "none";
    if (!isPatched) return { stream: presentEvents(served, found, nodeDetail) };
    if (!shared) return { stream: withPatches(presentEvents(served, found, nodeDetail)) };
    // Patches start from the state that the client has, which is identified by its version.
    const known = resourceVersion && namespace
      ? workflows.changes.stateOf({ namespace, name, version: resourceVersion })
      : undefined;
    const states = presentEvents(served, newestInTime(found, systemClock, PATCH_MILLIS), nodeDetail);
    shared.resumesFromMessages();
    return { stream: withPatches(states, known && await withAllNodes(served, known)) };
  },
});

/** The name that a field selector requires, if any. */
function nameIn(selector: string | undefined): string | undefined {
  const [, name] = /(?:^|,)\s*metadata\.name==?([^,]*)/.exec(selector ?? "") ?? [];
  return name?.trim() || undefined;
}

/** Replaces `@latest` in a selector by the name of the newest workflow at this moment. */
async function withLatest({ caller, served, params }: Pick<Call, "caller" | "served" | "params">, selector: string) {
  if (nameIn(selector) !== LATEST) return selector;
  const name = await resolveName(new ClusterService(caller.client, served.now), params.namespace ?? "", LATEST);
  return selector.replace(LATEST, name);
}

/** The minimum time between two patches of a workflow in a shared stream. Only the newest state in between is sent. */
const PATCH_MILLIS = 100;

async function* workflowChanges(target: WatchTarget, signal: AbortSignal, passed?: (version: string) => void) {
  for await (const { type, object } of changes(target, signal, passed)) {
    yield { type, object: storedWorkflow.row(object) };
  }
}

/** The version of the object after a message, which is an object, a change of one, or a patch. */
export function versionIn(message: unknown): string | undefined {
  const { type, object = message } = fieldsOf(message);
  const state = type === "PATCHED" ? fieldsOf(object).object : object;
  return textIn(fieldsOf(fieldsOf(state).metadata), "resourceVersion");
}

/** The part of the nodes that is sent: all nodes, only whether the workflow waits, or nothing. */
type NodeDetail = "nodes" | "wait" | "none";

async function* presentEvents(
  served: ServerContext,
  events: AsyncIterable<{ readonly type: string; readonly object: Workflow }>,
  nodeDetail: NodeDetail,
) {
  for await (const { type, object: workflow } of events) {
    const object = nodeDetail === "nodes"
      ? await withAllNodes(served, workflow)
      : nodeDetail === "wait"
      ? withWaitsOnly(workflow)
      : presentWorkflow(workflow);
    yield { type, object };
  }
}

/**
 * Replaces each change of a workflow by a patch to the state before it, if the patch is smaller. `last` is the state
 * that the client already has.
 */
export async function* withPatches(
  stream: ReturnType<typeof presentEvents>,
  last?: Workflow,
): AsyncGenerator<{ type: string; object: unknown }> {
  for await (const { type, object } of stream) {
    const patch = last && type === "MODIFIED" ? patchBetween(last, object) : undefined;
    last = type === "DELETED" ? undefined : object;
    yield patch ? { type: "PATCHED", object: patch } : { type, object };
  }
}

/** Workflows with all their nodes, cached by the copied workflow: all its watchers receive the same object. */
const wholes = new WeakMap<Workflow, Promise<Workflow>>();

function withAllNodes(served: ServerContext, workflow: Workflow): Promise<Workflow> {
  let found = wholes.get(workflow);
  if (found) return found;
  found = withNodesInList(workflow, offloadedNodes(served)).then(presentWorkflow);
  wholes.set(workflow, found);
  // A failure of the database is temporary: the next watcher tries again.
  found.catch(() => wholes.delete(workflow));
  return found;
}

/**
 * The watch as a subscription to the server's copy. Undefined if only the cluster can serve it: for namespaces that are
 * not copied, for versions whose changes are no longer kept, and for selectors that the cluster must refuse.
 */
function subscriptionOf(copy: WorkflowCopy, target: WatchTarget): Subscription | undefined {
  const { namespace, labelSelector, fieldSelector, resourceVersion } = target;
  if (copy.namespace !== undefined && namespace !== copy.namespace) return undefined;
  // As in Kubernetes, version 0 means the current objects.
  const after = resourceVersion && resourceVersion !== "0" ? BigInt(resourceVersion) : undefined;
  if (after !== undefined && !copy.changes.hasVersion(after)) return undefined;
  try {
    const hasLabels = parseLabelSelector(labelSelector ?? "");
    const fields = parseFieldSelector(fieldSelector ?? "");
    if (!fields.every(({ field }) => field === "metadata.name" || field === "metadata.namespace")) return undefined;
    return {
      after,
      matches: ({ metadata }) =>
        (namespace === undefined || metadata.namespace === namespace) && hasLabels(metadata.labels) &&
        fields.every(({ field, equal, value }) =>
          ((field === "metadata.name" ? metadata.name : metadata.namespace) === value) === equal
        ),
    };
  } catch {
    return undefined;
  }
}

const watchEvents = route({
  id: "WorkflowService_WatchEvents",
  method: "GET",
  path: "/api/v1/stream/events/{namespace}",
  query: LIST_OPTIONS,
  isStream: true,
  rights: ({ params: { namespace } }) => [right("watch", EVENTS, namespace)],
  answer(call) {
    const { caller, query, params: { namespace = "" } } = call;
    const target = {
      client: caller.client,
      resource: EVENTS,
      namespace: namespace || undefined,
      ...watchOptions(query),
    };
    const found = withTimeout(call, (until) => changes(target, until, call.shared?.recordVersion));
    return Promise.resolve({ stream: objectsOf(found) });
  },
});

async function* objectsOf(events: AsyncIterable<Change>) {
  for await (const { object } of events) yield object;
}

/** The routes of the two streams. */
export const watchRoutes: readonly Route[] = [watchWorkflows, watchEvents];
