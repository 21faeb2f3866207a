/** The streams of changes: of workflows, and of Kubernetes' events. */
import { storedWorkflow, type Workflow } from "@tiphys/model/api";
import { PATCHES } from "@tiphys/model/api/workflow_patch";
import { fieldsOf, textIn } from "@tiphys/base/fields_of";
import { pause, systemClock } from "@tiphys/base/clock";
import {
  EVENTS,
  type KubeClient,
  KubeError,
  type KubeObject,
  parseFieldSelector,
  parseLabelSelector,
  type Resource,
  sortError,
  WORKFLOWS,
} from "@tiphys/kube";
import { MACHINE } from "../listen/client_wait.ts";
import type { Served } from "../served.ts";
import { wholeAmongOthers } from "@tiphys/model/nodes";
import { offloadedNodes } from "./offloaded.ts";
import { right } from "../gate/rights.ts";
import { LIST_OPTIONS } from "../routes/list_options.ts";
import { type Call, type Route, route } from "../routes/route.ts";
import { presentWithWait, presentWorkflow } from "../wire/present.ts";
import { ClusterService, LATEST, resolveName } from "@tiphys/service";
import type { Subscription } from "./change_feed.ts";
import type { WorkflowCopy } from "./copy.ts";
import { badRequest } from "../wire/errors.ts";
import type { QueryValues } from "../wire/query.ts";
import { readSelectors, withInstance } from "./query.ts";
import { newestInTime } from "./newest_in_time.ts";
import { patchBetween } from "./workflow_patches.ts";

/** The objects that a route watches, and where the watch begins. */
export interface Watched {
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
 * Objects as they are, as ADDED, then their changes, until the signal is aborted; with a `resourceVersion`, the changes after
 * it. A watch that Kubernetes ends is opened anew where it stopped; where that is too long ago, what there is now is compared
 * with what was told: what has changed is told again, and what has gone meanwhile as DELETED, by its metadata alone.
 * @throws {KubeError} where it is refused, as for a `resourceVersion` that is too long ago, or has become so: who asks has
 * listed what there is, and has to list anew. `passed` is told of versions up to which there is nothing more to tell; for
 * that, who may list begins with a list.
 */
export async function* changes(
  watched: Watched,
  signal: AbortSignal,
  passed?: (version: string) => void,
): AsyncGenerator<Change> {
  const { client, resource, namespace } = watched;
  const selectors = selectorsOf(watched);
  const known: Known = new Map();
  let from = watched.resourceVersion || undefined;
  let failures = 0;
  let isToCatchUp = false;
  let isToList = passed !== undefined && !from;
  while (!signal.aborted) {
    try {
      if (failures > 0) await pause(systemClock, AGAIN_MILLIS, signal);
      if (isToCatchUp || isToList) from = yield* caughtUp(watched, known, signal);
      if (isToList && from) passed?.(from);
      isToCatchUp = isToList = false;
      const options = { ...selectors, resourceVersion: from };
      for await (const { type, object } of client.watch<KubeObject>(resource, namespace, options, signal)) {
        failures = 0;
        from = object.metadata.resourceVersion ?? from;
        const change = type === "BOOKMARK" ? undefined : changeOf(known, type, object);
        if (change) yield change;
        else if (type === "BOOKMARK" && from) passed?.(from);
      }
      // It has ended, as watches do: that is no failure, and the next one begins a moment later.
      failures = 1;
    } catch (error) {
      if (signal.aborted) return;
      if (isToList && error instanceof KubeError && error.status === 403) {
        // Who may watch and not list is told of what is there by the watch, in no order.
        isToList = false;
        continue;
      }
      const isTooOld = error instanceof KubeError && error.status === 410;
      if (isTooOld && !watched.resourceVersion) isToCatchUp = true;
      else if (isTooOld || sortError(error) !== "transient") throw error;
      if (++failures > MOST_FAILURES) throw error;
    }
  }
}

/** What was told of and is not gone, by its UID: enough of it to tell of its end. */
type Known = Map<string, KubeObject>;

function selectorsOf({ labelSelector, fieldSelector }: Watched) {
  return { labelSelector: labelSelector || undefined, fieldSelector: fieldSelector || undefined };
}

/** The change that an event is to who knows so much; undefined where it is none. */
function changeOf(known: Known, type: string, object: KubeObject): Change | undefined {
  const { uid = "", name, namespace, resourceVersion, labels, creationTimestamp } = object.metadata;
  const before = known.get(uid);
  if (type === "ADDED" && before && before.metadata.resourceVersion === resourceVersion) return undefined;
  if (type === "DELETED") known.delete(uid);
  else {
    const metadata = { uid, name, namespace, resourceVersion, labels, creationTimestamp };
    known.set(uid, { apiVersion: object.apiVersion, kind: object.kind, metadata } as KubeObject);
  }
  return { type: type === "ADDED" && before ? "MODIFIED" : type, object };
}

/** What is otherwise than it was told, from a list; answers the version from which a watch goes on. */
async function* caughtUp(
  watched: Watched,
  known: Known,
  signal: AbortSignal,
): AsyncGenerator<Change, string | undefined> {
  const { client, resource, namespace } = watched;
  const present = new Set<string>();
  const query = { ...selectorsOf(watched), limit: PAGE };
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
      const change = changeOf(known, "ADDED", object);
      if (change) yield change;
    }
  } while (next);
  for (const [uid, object] of known) {
    if (present.has(uid)) continue;
    known.delete(uid);
    yield { type: "DELETED", object };
  }
  return version;
}

/** Objects in a page of a list. */
const PAGE = 500;

const AGAIN_MILLIS = 500;
/** The failures in a row after which the cluster is taken for gone. */
const MOST_FAILURES = 60;

type Query = QueryValues<typeof LIST_OPTIONS>;

/**
 * The options of a watch. Those that can be seen to be wrong are refused before it is opened: what the cluster says of them may
 * come after the head of the answer.
 * @throws {WireError} naming the option.
 */
export function watchOptions(query: Query): Pick<Watched, "labelSelector" | "fieldSelector" | "resourceVersion"> {
  const resourceVersion = query["listOptions.resourceVersion"];
  if (resourceVersion && !/^\d{1,20}$/.test(resourceVersion)) {
    throw badRequest(`Invalid value: ${JSON.stringify(resourceVersion)}: resourceVersion must be a number`);
  }
  const [labelSelector, fieldSelector] = [query["listOptions.labelSelector"], query["listOptions.fieldSelector"]];
  readSelectors(labelSelector, fieldSelector);
  return { labelSelector, fieldSelector, resourceVersion };
}

type Watching = Pick<Call, "signal" | "served"> & { readonly query: Query };

/**
 * What is told of a watch for as long as its client wants to hear of it, where that is said, and until the server stops: whoever
 * watches on asks another one then, in place of hearing nothing from this one.
 */
export async function* inTime<T>({ query, signal, served }: Watching, tell: (signal: AbortSignal) => AsyncIterable<T>) {
  const seconds = query["listOptions.timeoutSeconds"] ?? 0;
  const over = new AbortController();
  const end = () => over.abort();
  const { stopping } = served;
  stopping?.addEventListener("abort", end, { once: true });
  if (stopping?.aborted) end();
  // Clients may ask for days, and leave: a timer that is taken back must leave nothing.
  const takeBack = seconds > 0 ? MACHINE.after(Math.min(seconds, LONGEST_SECONDS) * 1000, end) : undefined;
  try {
    yield* tell(AbortSignal.any([signal, over.signal]));
  } finally {
    takeBack?.();
    stopping?.removeEventListener("abort", end);
  }
}

/** The longest time that a timer knows, nearly: 24 days. */
const LONGEST_SECONDS = 2_000_000;

const watchWorkflows = route({
  id: "WorkflowService_WatchWorkflows",
  method: "GET",
  path: "/api/v1/workflow-events/{namespace}",
  query: { ...LIST_OPTIONS, fields: "string", patches: "string" },
  isStream: true,
  rights: ({ params: { namespace }, query }) => {
    const name = nameIn(query["listOptions.fieldSelector"]);
    const one = name === LATEST ? undefined : name;
    return [right("watch", WORKFLOWS, namespace, one), ...(name ? [right("get", WORKFLOWS, namespace, one)] : [])];
  },
  async answer(call) {
    const { caller, query, params: { namespace = "" }, served, mask, shared } = call;
    const { labelSelector, resourceVersion, ...asked } = watchOptions(query);
    const fieldSelector = await withLatest(call, asked.fieldSelector ?? "");
    // A watcher of a workflow that is not there would wait for ever: the cluster is asked for it, and refuses.
    const name = nameIn(fieldSelector);
    const { workflows } = served;
    if (name && namespace && !workflows.has(namespace, name)) await caller.client.get(WORKFLOWS, namespace, name);
    const watched = {
      client: caller.client,
      resource: WORKFLOWS,
      namespace: namespace || undefined,
      labelSelector: withInstance(labelSelector, served.instanceId),
      fieldSelector,
      resourceVersion,
    };
    const subscription = subscriptionOf(workflows, watched);
    // Fields that are left out are not in what a patch leads to.
    const isPatched = query.patches === PATCHES && name !== undefined && !query.fields;
    const passed = isPatched ? undefined : shared?.passed;
    const found = inTime(
      call,
      (until) =>
        subscription ? workflows.changes.watch(subscription, until, passed) : workflowChanges(watched, until, passed),
    );
    const whatOfNodes = mask.wants("result.object.status.nodes")
      ? "nodes"
      : mask.names("result.object.status.waitsOnly")
      ? "wait"
      : "none";
    if (!isPatched) return { stream: presented(served, found, whatOfNodes) };
    if (!shared) return { stream: asPatches(presented(served, found, whatOfNodes)) };
    // The state that is told is known by its version, and the patches to later ones go on from there.
    const known = resourceVersion && namespace
      ? workflows.changes.stateOf({ namespace, name, version: resourceVersion })
      : undefined;
    const states = presented(served, newestInTime(found, systemClock, PATCH_MILLIS), whatOfNodes);
    shared.leadsOn();
    return { stream: asPatches(states, known && await whole(served, known)) };
  },
});

/** The one name that a selector of fields asks for. */
function nameIn(selector: string | undefined): string | undefined {
  const [, name] = /(?:^|,)\s*metadata\.name==?([^,]*)/.exec(selector ?? "") ?? [];
  return name?.trim() || undefined;
}

/** The newest workflow is asked for by its name: which one it is, is found out once. */
async function withLatest({ caller, served, params }: Pick<Call, "caller" | "served" | "params">, selector: string) {
  if (nameIn(selector) !== LATEST) return selector;
  const name = await resolveName(new ClusterService(caller.client, served.now), params.namespace ?? "", LATEST);
  return selector.replace(LATEST, name);
}

/** The least time between two patches of a workflow in a shared stream: of states in between the newest is told. */
const PATCH_MILLIS = 100;

async function* workflowChanges(watched: Watched, signal: AbortSignal, passed?: (version: string) => void) {
  for await (const { type, object } of changes(watched, signal, passed)) {
    yield { type, object: storedWorkflow.row(object) };
  }
}

/** The version that a message leads to: of an object, of a change of one, or of a patch. */
export function versionIn(message: unknown): string | undefined {
  const { type, object = message } = fieldsOf(message);
  const state = type === "PATCHED" ? fieldsOf(object).object : object;
  return textIn(fieldsOf(fieldsOf(state).metadata), "resourceVersion");
}

/** All nodes, whether one of them is waited for only, or nothing. */
type WhatOfNodes = "nodes" | "wait" | "none";

async function* presented(
  served: Served,
  found: AsyncIterable<{ readonly type: string; readonly object: Workflow }>,
  whatOfNodes: WhatOfNodes,
) {
  for await (const { type, object: workflow } of found) {
    const object = whatOfNodes === "nodes"
      ? await whole(served, workflow)
      : whatOfNodes === "wait"
      ? presentWithWait(workflow)
      : presentWorkflow(workflow);
    yield { type, object };
  }
}

/**
 * Changes of a workflow, each as the difference to what was told before it, where that is less than the whole; `told` is the
 * state that is known already.
 */
export async function* asPatches(
  stream: ReturnType<typeof presented>,
  told?: Workflow,
): AsyncGenerator<{ type: string; object: unknown }> {
  for await (const { type, object } of stream) {
    const patch = told && type === "MODIFIED" ? patchBetween(told, object) : undefined;
    told = type === "DELETED" ? undefined : object;
    yield patch ? { type: "PATCHED", object: patch } : { type, object };
  }
}

/** Workflows with all their nodes, kept as long as the copied workflow: all watchers of one are told the same. */
const wholes = new WeakMap<Workflow, Promise<Workflow>>();

function whole(served: Served, workflow: Workflow): Promise<Workflow> {
  let found = wholes.get(workflow);
  if (found) return found;
  found = wholeAmongOthers(workflow, offloadedNodes(served)).then(presentWorkflow);
  wholes.set(workflow, found);
  // Trouble of the database is of one moment: who watches later asks it anew.
  found.catch(() => wholes.delete(workflow));
  return found;
}

/**
 * A watch as the server's copy can carry it out; undefined where only the cluster can: for namespaces of which there is no
 * copy, for what is too long ago, and for selectors that the cluster is to refuse.
 */
function subscriptionOf(copy: WorkflowCopy, watched: Watched): Subscription | undefined {
  const { namespace, labelSelector, fieldSelector, resourceVersion } = watched;
  if (copy.namespace !== undefined && namespace !== copy.namespace) return undefined;
  // The version 0 stands, as in Kubernetes, for the objects that are there.
  const after = resourceVersion && resourceVersion !== "0" ? BigInt(resourceVersion) : undefined;
  if (after !== undefined && !copy.changes.knows(after)) return undefined;
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
    const watched = {
      client: caller.client,
      resource: EVENTS,
      namespace: namespace || undefined,
      ...watchOptions(query),
    };
    const found = inTime(call, (until) => changes(watched, until, call.shared?.passed));
    return Promise.resolve({ stream: objectsOf(found) });
  },
});

async function* objectsOf(found: AsyncIterable<Change>) {
  for await (const { object } of found) yield object;
}

/** The two routes that watch. */
export const watchRoutes: readonly Route[] = [watchWorkflows, watchEvents];
