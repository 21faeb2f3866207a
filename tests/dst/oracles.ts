/** The oracles: properties of every run. Each reads the evidence and returns the violations. */
import { parseLockItems } from "@tiphys/engine/lock_table";
import type { NodeStatus, Pod, Workflow } from "@tiphys/model/api";
import { keyOf } from "@tiphys/model/artifact/location";
import { ANNOTATION, LABEL } from "@tiphys/base/constants";
import { explain, isCause } from "@tiphys/engine/explain";
import { nodesLeftBehind } from "../scenarios/left_behind.ts";
import { isCompletedPhase } from "@tiphys/model/status";
import { isCollector } from "./collect_garbage.ts";
import { fieldsOf } from "@tiphys/base/fields_of";
import type { KubeObject } from "@tiphys/kube";
import type { Evidence } from "./evidence.ts";

/** A check of a run. Returns the violations as texts; empty when the run satisfies it. */
export type Oracle = (evidence: Evidence) => string[];

/** The oracles, by name. */
export const ORACLES: Readonly<Record<string, Oracle>> = {
  sameResult,
  startsOnce,
  keepsEndedNodes,
  losesNoNode,
  endsInTime,
  alwaysHasReason,
  leavesNoObjects,
  hasNoUncaughtErrors,
  hasOneActiveController,
  actsInOwnEpoch,
  writesConditionally,
  collectsGarbage,
  respectsLocks,
  leavesNoNodeBehind,
};

/** All violations, each with the name of its oracle. */
export function judge(evidence: Evidence): string[] {
  return Object.entries(ORACLES).flatMap(([name, ask]) => ask(evidence).map((problem) => `${name}: ${problem}`));
}

/** Phases, outputs and messages equal those of the run without faults, unless users interfered. */
export function sameResult(evidence: Evidence): string[] {
  const { faultless, hasUserActions: meddled } = evidence;
  if (!faultless || meddled || evidence.case.isOfSuite) return [];
  const expected = resultOf(faultless);
  const found = resultOf(evidence);
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  return [...names].filter((name) => expected[name] !== found[name])
    .map((name) => `${name} is ${found[name] ?? "not there"}, expected ${expected[name] ?? "nothing"}`);
}

const SHUT_DOWN = "workflow shutdown with strategy";
/** The message of a node that a user ended has two spaces if its pod already existed. Messages of groups quote it. */
const SPACES_OF_SHUT_DOWN = /(?<=workflow shutdown with strategy:) +/g;

function resultOf({ versions, case: { name } }: Evidence): Record<string, string> {
  const workflow = versions.at(-1)?.workflow;
  const asText = (value: unknown) =>
    JSON.stringify(withSortedKeys(value))?.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "{time}")
      .replaceAll(SPACES_OF_SHUT_DOWN, " ");
  const lines: Record<string, string> = {};
  const { phase, message, outputs, progress } = workflow?.status ?? {};
  lines["the workflow"] = asText({ phase, message, outputs, progress });
  for (const node of nodesOf(workflow)) {
    // It is random whether main already ran when a user ended it, and whether its report arrived in time.
    const isCut = node.message?.startsWith(SHUT_DOWN);
    lines[`node ${node.name.replace(name, "")}`] = asText({
      type: node.type,
      phase: node.phase,
      message: isCut ? SHUT_DOWN : node.message,
      inputs: node.inputs,
      outputs: isCut ? undefined : comparableOutputs(node.outputs),
      children: node.children?.toSorted(),
    });
  }
  return lines;
}

function comparableOutputs(outputs: NodeStatus["outputs"]): NodeStatus["outputs"] {
  const { exitCode, ...others } = outputs ?? {};
  if (exitCode !== ENDED_FROM_OUTSIDE) return withoutDeleted(outputs);
  return Object.keys(others).length ? withoutDeleted(others) : undefined;
}

/**
 * The outputs without `deleted`: it is random which artifacts are deleted in the last state. `collectsGarbage` checks
 * that they are.
 */
function withoutDeleted(outputs: NodeStatus["outputs"]): NodeStatus["outputs"] {
  if (!outputs?.artifacts) return outputs;
  return { ...outputs, artifacts: outputs.artifacts.map(({ deleted: _, ...artifact }) => artifact) };
}

/** The exit code 128 + SIGTERM: it is random whether it was recorded before the workflow finished. */
const ENDED_FROM_OUTSIDE = "143";

/** Returns the value with the fields of its objects sorted by name. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([k, v]) => [k, withSortedKeys(v)]),
  );
}

/** The main container of a node runs once, in a single pod, unless a user requested a retry. */
export function startsOnce({ starts }: Evidence): string[] {
  const first = new Map<string, Pod>();
  const problems: string[] = [];
  for (const { pod, retries, at } of starts) {
    const { uid, annotations, ownerReferences } = pod.metadata;
    const node = annotations?.[ANNOTATION.nodeName] ?? "";
    const key = `${ownerReferences?.[0]?.uid} ${node} ${retries}`;
    const before = first.get(key);
    if (!before) first.set(key, pod);
    else if (before.metadata.uid !== uid) problems.push(`main of ${node} started twice, again at ${Math.round(at)} ms`);
  }
  return problems;
}

/**
 * A node that has ended does not change, unless a user retries it. A group of steps is the exception: it succeeds while
 * a daemon that it started serves, and fails if that daemon dies.
 */
export function keepsEndedNodes(evidence: Evidence): string[] {
  const ends = new Map<string, string>();
  const problems: string[] = [];
  forEachVersion(evidence, (nodes, time, isNewLife) => {
    if (isNewLife) ends.clear();
    const failed = new Set(nodes.filter(({ phase }) => phase === "Failed" || phase === "Error").map(({ id }) => id));
    for (const node of nodes) {
      if (!node.finishedAt || node.taskResultSynced === false) continue;
      const hasFailedStep = node.type === "StepGroup" && node.children?.some((id) => failed.has(id));
      if (hasFailedStep && ends.get(node.id)?.startsWith('["Succeeded"')) ends.delete(node.id);
      const end = JSON.stringify([node.phase, node.finishedAt, node.message ?? ""]);
      const before = ends.get(node.id);
      if (before !== undefined && before !== end) {
        problems.push(`${node.name} was ${before} and became ${end} at ${Math.round(time)} ms`);
      }
      ends.set(node.id, end);
    }
  });
  return problems;
}

/** A node that was written stays in the status. */
export function losesNoNode(evidence: Evidence): string[] {
  let known = new Set<string>();
  const problems: string[] = [];
  forEachVersion(evidence, (nodes, time, isNewLife) => {
    const now = new Set(nodes.map(({ name }) => name));
    if (!isNewLife) {
      for (const name of known) if (!now.has(name)) problems.push(`${name} was lost at ${Math.round(time)} ms`);
    }
    known = now;
  });
  return problems;
}

/** The workflow ends within its usual time plus ten minutes after the last fault. */
export function endsInTime({ endedAt, calmFrom, waitedUntil, versions, case: { vanishes } }: Evidence): string[] {
  if (endedAt !== undefined) return [];
  const { phase, message } = versions.at(-1)?.workflow.status ?? {};
  const seconds = Math.round((waitedUntil - calmFrom) / 1000);
  const what = vanishes ? "is still there" : `is still ${phase ?? "without a phase"}${message ? ` (${message})` : ""}`;
  return [`the workflow ${what} ${seconds} s after the last fault`];
}

/**
 * A workflow that does not change for a minute waits for something that continues by itself, and has a reason that
 * names it. While there are faults, there may be nothing that would continue.
 */
export function alwaysHasReason({ versions, endedAt, calmFrom, waitedUntil }: Evidence): string[] {
  return versions.flatMap(({ at, workflow }, index) => {
    const until = versions[index + 1]?.at ?? endedAt ?? waitedUntil;
    if (until - Math.max(at, calmFrom) < LEFT_MILLIS || isCompletedPhase(workflow.status?.phase)) return [];
    const reasons = explain(workflow, {}, LATER, { graceSeconds: 0 });
    if (reasons.some(isCause)) return [];
    return [`nothing was under way from ${Math.round(at)} ms on: ${reasons.map(({ text }) => text).join("; ")}`];
  });
}

const LEFT_MILLIS = 60_000;
/** A time after the end of all simulations. */
const LATER = new Date("2100-01-01T00:00:00Z");

/** Ten minutes after the end, nothing is in progress and all temporary objects are deleted. */
export function leavesNoObjects(evidence: Evidence): string[] {
  const { endedAt, left, lateWrites, queued, case: { vanishes } } = evidence;
  if (endedAt === undefined) return [];
  const problems: string[] = [];
  for (const pod of left.pods) {
    const { name, finalizers = [], labels, deletionTimestamp } = pod.metadata;
    if (finalizers.length) problems.push(`the pod ${name} keeps the finalizer ${finalizers}`);
    if (deletionTimestamp) problems.push(`the pod ${name} is being deleted and does not go`);
    const phase = pod.status?.phase ?? "Pending";
    if (phase === "Pending" || phase === "Running") problems.push(`the pod ${name} is still ${phase}`);
    else if (labels?.[LABEL.completed] !== "true" && !isCollector(pod)) {
      problems.push(`the ended pod ${name} is not labeled as completed`);
    }
  }
  for (const { metadata } of left.reports) problems.push(`the report ${metadata.name} is still there`);
  if (!keepsClaims(evidence)) {
    for (const { metadata } of left.claims) problems.push(`the claim ${metadata.name} is still there`);
  }
  if (vanishes) {
    for (const { metadata } of left.workflows) problems.push(`the workflow ${metadata.name} is still there`);
  }
  for (const { method, path, process } of lateWrites) problems.push(`${process} still writes: ${method} ${path}`);
  if (queued) problems.push(`${queued} passes still wait for a place`);
  return problems;
}

/** Whether the workflow keeps its claims: it does unless it succeeded or has another setting. */
function keepsClaims({ versions, left }: Evidence): boolean {
  const { spec, status } = versions.at(-1)?.workflow ?? {};
  const { strategy } = (spec?.volumeClaimGC ?? {}) as { strategy?: string };
  return left.workflows.length > 0 && status?.phase !== "Succeeded" && strategy !== "OnWorkflowCompletion";
}

/** No error ends a controller or stays uncaught. */
export function hasNoUncaughtErrors({ exits, uncaught }: Evidence): string[] {
  return [
    ...exits.filter((reason) => !/^The lease ".*" in namespace ".*" was lost$/.test(reason)).map((reason) =>
      `a controller ended: ${reason}`
    ),
    ...uncaught.map((error) => `uncaught: ${error}`),
  ];
}

/** A process changes only leases while another one has the lease. */
export function hasOneActiveController({ changes }: Evidence): string[] {
  let holder: string | undefined;
  const problems: string[] = [];
  for (const { process, method, path, body, status, at } of changes) {
    if (!path.includes("/leases")) {
      if (holder === undefined || holder === process || isHarmless(path)) continue;
      problems.push(`${process} sent ${method} ${path} at ${Math.round(at)} ms, when ${holder} had the lease`);
    } else if (status !== undefined && status < 300) {
      const { spec } = JSON.parse(body || "{}") as { spec?: { holderIdentity?: string } };
      holder = spec?.holderIdentity || undefined;
    }
  }
  return problems;
}

/** Whether a request of this path only reports an event or is a dry run, so that it changes nothing. */
function isHarmless(path: string): boolean {
  return path.includes("/events") || path.includes("dryRun=");
}

/** A process creates a pod for a workflow only after it has written that workflow itself. */
export function actsInOwnEpoch({ changes }: Evidence): string[] {
  const written = new Set<string>();
  const problems: string[] = [];
  for (const { process, method, path, body, status, at } of changes) {
    const [, workflow] = /\/workflows\/([^/?]+)(?:\?|$)/.exec(path) ?? [];
    if (workflow && method === "PATCH" && status !== undefined && status < 300) written.add(`${process} ${workflow}`);
    if (method !== "POST" || !/\/pods(\?|$)/.test(path) || isHarmless(path)) continue;
    const { metadata } = JSON.parse(body) as Pod;
    const of = metadata.labels?.[LABEL.workflow];
    if (of !== undefined && !written.has(`${process} ${of}`)) {
      problems.push(`${process} made a pod at ${Math.round(at)} ms, and had not written ${of}`);
    }
  }
  return problems;
}

/** Writes of workflows and leases, and releases and deletions of pods, are conditional on the observed version. */
export function writesConditionally({ changes }: Evidence): string[] {
  return changes.filter(({ method, path, body }) => {
    const { metadata, preconditions } = JSON.parse(body || "{}") as Record<string, Record<string, unknown> | undefined>;
    if (method === "PATCH" && /\/workflows\//.test(path)) return !metadata?.resourceVersion && !metadata?.uid;
    if (method === "PUT" && path.includes("/leases/")) return !metadata?.resourceVersion;
    if (method === "DELETE" && /\/pods\//.test(path)) return !preconditions?.uid || !preconditions.resourceVersion;
    if (method !== "PATCH" || !/\/pods\//.test(path)) return false;
    return !metadata?.uid || (metadata.finalizers !== undefined && !metadata.resourceVersion);
  }).map(({ process, method, path, at }) =>
    `${process} sent ${method} ${path} at ${Math.round(at)} ms unconditionally`
  );
}

/**
 * Artifacts to keep are kept, those due with the workflow are not deleted before it, and all that are due are deleted
 * when the workflow is gone; unless the pods that delete them ended before reporting, as often as they are created.
 */
export function collectsGarbage({ versions, deletions, endedAt, case: { vanishes } }: Evidence): string[] {
  const problems: string[] = [];
  const last = versions.at(-1)?.workflow;
  const ofTemplate = last?.status?.storedWorkflowTemplateSpec?.artifactGC;
  const usual = last?.spec.artifactGC?.strategy ?? ofTemplate?.strategy ?? "Never";
  const deletedAt = versions.find(({ workflow }) => workflow.metadata.deletionTimestamp)?.at ?? Infinity;
  const strategies = new Map<string, string>();
  forEachVersion({ versions, retriedAt: [] }, (nodes) => {
    for (const { outputs } of nodes) {
      for (const artifact of outputs?.artifacts ?? []) {
        strategies.set(keyOf(artifact) ?? "", artifact.artifactGC?.strategy ?? usual);
      }
    }
  });
  for (const { at, key } of deletions) {
    const strategy = strategies.get(key) ?? "Never";
    if (strategy === "Never") problems.push(`${key} was deleted and was to stay`);
    if (strategy === "OnWorkflowDeletion" && at < deletedAt) {
      problems.push(`${key} was deleted before its workflow was`);
    }
  }
  const attempts = Object.values(last?.status?.artifactGCStatus?.podsRecouped ?? {});
  if (!vanishes || endedAt === undefined || attempts.filter((reported) => !reported).length >= 3) return problems;
  const gone = new Set(deletions.map(({ key }) => key));
  for (const [key, strategy] of strategies) {
    if (strategy !== "Never" && !gone.has(key)) problems.push(`${key} is still there although its workflow is gone`);
  }
  return problems;
}

/**
 * No lock has more holders than its limit in any state, nor do more mains run under it. Main of a node with locks
 * starts only after the node was written as their holder or as one of the next, and a finished workflow holds nothing.
 */
export function respectsLocks({ versions, starts, ends, case: { objects = [] } }: Evidence): string[] {
  const problems: string[] = [];
  const written: { readonly at: number; readonly holders: ReadonlySet<string> }[] = [];
  for (const { at, workflow } of versions) {
    const holders = holdersIn(workflow);
    for (const [lock, found] of holders) {
      if (found.length <= limitOf(lock, objects)) continue;
      problems.push(`${lock} was held by ${found.join(", ")} at ${Math.round(at)} ms`);
    }
    written.push({ at, holders: new Set([...holders.values(), nextHoldersIn(workflow)].flat()) });
  }
  const last = versions.at(-1)?.workflow;
  if (isCompletedPhase(last?.status?.phase) && holdersIn(last!).size) {
    problems.push("the finished workflow holds locks");
  }
  for (const { at, pod } of starts) {
    const name = pod.metadata.annotations?.[ANNOTATION.nodeName] ?? "";
    const holder = last && lockedNode(last, name);
    if (holder === undefined) continue;
    const isWritten = written.some((write) => write.at <= at && write.holders.has(holder));
    if (!isWritten) problems.push(`main of ${name} began at ${Math.round(at)} ms, and ${holder} held nothing before`);
  }
  return last ? [...problems, ...overfullTimes(last, starts, ends, objects)] : problems;
}

/** The times at which more mains ran under a lock than its limit. */
function overfullTimes(
  workflow: Workflow,
  starts: Evidence["starts"],
  ends: Evidence["ends"],
  objects: readonly KubeObject[],
): string[] {
  const problems: string[] = [];
  const under = new Map<string, string[]>();
  for (const { at, pod: { metadata } } of starts) {
    for (const lock of locksOf(workflow, metadata.annotations?.[ANNOTATION.nodeName] ?? "")) {
      const running = (under.get(lock) ?? []).filter((uid) => (ends.get(uid) ?? Infinity) > at);
      under.set(lock, [...running, metadata.uid ?? ""]);
      if (running.length < limitOf(lock, objects)) continue;
      problems.push(`${running.length + 1} mains ran under ${lock} at ${Math.round(at)} ms`);
    }
  }
  return problems;
}

/** No finished node contains a waiting node, which would wait forever. */
export function leavesNoNodeBehind(evidence: Evidence): string[] {
  const problems: string[] = [];
  forEachVersion(evidence, (nodes, time) => {
    const left = nodesLeftBehind(Object.fromEntries(nodes.map((node) => [node.id, node])));
    problems.push(...left.map((text) => `${text} at ${Math.round(time)} ms`));
  });
  return problems;
}

/** The holders in a status, by the type and key of the lock. */
function holdersIn({ status }: Workflow): Map<string, string[]> {
  const { semaphore, mutex } = status?.synchronization ?? {};
  const found = new Map<string, string[]>();
  for (const { semaphore: key, holders = [] } of semaphore?.holding ?? []) found.set(`semaphore ${key}`, holders);
  for (const { mutex: key, holder = "" } of mutex?.holding ?? []) {
    const before = found.get(`mutex ${key}`) ?? [];
    found.set(`mutex ${key}`, [...before, holder]);
  }
  return found;
}

function limitOf(lock: string, objects: readonly KubeObject[]): number {
  const [, map, key = ""] = /^semaphore [^/]+\/ConfigMap\/([^/]+)\/(.+)$/.exec(lock) ?? [];
  if (map === undefined) return 1;
  const found = objects.find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name === map);
  return Number(fieldsOf(found?.data)[key]);
}

/** The keys of the holders that a workflow names as the next of its locks. */
function nextHoldersIn({ metadata: { namespace, name, annotations } }: Workflow): string[] {
  const nodeIds = Object.values(JSON.parse(annotations?.[ANNOTATION.nextHolders] ?? "{}")).flat();
  return nodeIds.map((nodeId) => `${namespace}/${name}/${nodeId}`);
}

/** The locks under which the node of a pod runs, by type and key. */
function locksOf(workflow: Workflow, nodeName: string): string[] {
  const name = nodeName.replace(/\(\d+\)$/, "");
  const node = nodesOf(workflow).find((candidate) => candidate.name === name) ??
    nodesOf(workflow).find((candidate) => candidate.name === nodeName);
  const template = workflow.spec.templates?.find((candidate) => candidate.name === node?.templateName);
  if (!template?.synchronization) return [];
  return parseLockItems(template.synchronization, workflow.metadata.namespace ?? "").map(({ type, key }) =>
    `${type} ${key}`
  );
}

/**
 * The key of the holder under which the node of a pod runs: its own, or that of its Retry node; undefined without
 * locks.
 */
function lockedNode({ metadata, spec, status }: Workflow, nodeName: string): string | undefined {
  const name = nodeName.replace(/\(\d+\)$/, "");
  const node = Object.values(status?.nodes ?? {}).find((candidate) => candidate.name === name) ??
    Object.values(status?.nodes ?? {}).find((candidate) => candidate.name === nodeName);
  const template = spec.templates?.find((candidate) => candidate.name === node?.templateName);
  return template?.synchronization && node ? `${metadata.namespace}/${metadata.name}/${node.id}` : undefined;
}

function nodesOf(workflow: Workflow | undefined): readonly NodeStatus[] {
  return Object.values(workflow?.status?.nodes ?? {});
}

/** Calls `look` with every state of the workflow. The first state after a user's retry begins a new life. */
function forEachVersion(
  { versions, retriedAt }: Pick<Evidence, "versions" | "retriedAt">,
  look: (nodes: readonly NodeStatus[], time: number, isNewLife: boolean) => void,
): void {
  let before = -1;
  for (const { at, workflow } of versions) {
    const isNewLife = retriedAt.some((moment) => moment > before && moment <= at);
    if (workflow.status?.compressedNodes === undefined) look(nodesOf(workflow), at, isNewLife);
    before = at;
  }
}
