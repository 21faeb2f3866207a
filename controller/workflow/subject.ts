/** The workflow of a pass: its newest known state, and the release of the state that is kept about it. */
import { LABEL } from "@tiphys/base/constants";
import { hasGarbageFinalizer } from "@tiphys/engine/garbage";
import { type KubeObject, WORKFLOWS } from "@tiphys/kube";
import { UnreadableNodesError } from "@tiphys/model/nodes";
import { isCompletedPhase } from "@tiphys/model/status";
import { offloadedVersion, OffloadingDisabledError } from "./archive/offload.ts";
import type { KnownWorkflow } from "./known_workflow.ts";
import { isReduced } from "./observe/finished.ts";
import { phaseOf } from "./observe/glance.ts";
import type { Ledger } from "./observe/ledger.ts";
import type { ReconcilerOptions } from "./reconciler_options.ts";

/** The workflow that a pass is about. */
export interface Subject {
  readonly key: string;
  /** The workflow in the local copy. */
  readonly seen: KubeObject;
  readonly state: KnownWorkflow;
  /**
   * The workflow as another client wrote it after the controller's last write; undefined if there was no such write.
   */
  readonly read: KubeObject | undefined;
  /** Attributes work to this pass in traces; empty if traces are disabled. */
  readonly trace: { readonly partOf?: string };
}

/**
 * The maximum time for the watch to show the write of another client before the API server is read, in milliseconds.
 */
const OUTDATED_LIMIT_MILLIS = 3000;

/**
 * Finds the newest state of a workflow: the controller's last write or, in `read`, what another client wrote after it.
 * `gone`: there is nothing to do. `outdated`: a newer state exists, and the watch has not shown it yet.
 */
export async function findSubject(
  options: ReconcilerOptions,
  key: string,
): Promise<Omit<Subject, "trace"> | "gone" | "outdated"> {
  const { caches, knownWorkflows } = options;
  const seen = caches.workflows.get(key);
  if (!seen) {
    forgetWorkflow(options, key);
    return "gone";
  }
  // A workflow that is being deleted creates nothing, and its pods are deleted with it, unless its artifacts must be
  // deleted first.
  if (seen.metadata.deletionTimestamp && !hasGarbageFinalizer(seen)) return "gone";
  const state = knownWorkflows.of(key, seen);
  await options.archivedBaselines?.lookUp(seen);
  const newest = await newestState(options, state, seen);
  if (newest === "outdated") return "outdated";
  const read = newest.read && await withInflatedNodes(options, key, await readWholeIfNeeded(options, key, newest.read));
  return { key, seen, state, read };
}

async function newestState(
  { client, clock }: ReconcilerOptions,
  { latest, isWithoutNodes, pace, outdatedSince }: KnownWorkflow,
  seen: KubeObject,
): Promise<{ readonly read?: KubeObject } | "outdated"> {
  if (!latest || versionOf(latest) < versionOf(seen)) return { read: seen };
  if (outdatedSince === undefined) {
    // A workflow that returns from the slow lane is read again here.
    const isBack = isWithoutNodes && !pace.isSlow;
    return isBack && versionOf(seen) === versionOf(latest) ? { read: seen } : {};
  }
  // A pass over an outdated state could delete a pod that only the newer state knows.
  if (clock.now() - outdatedSince < OUTDATED_LIMIT_MILLIS) return "outdated";
  // No watch shows it: the conflict had another reason, or the server was restored to an earlier state.
  const { namespace, name } = seen.metadata;
  const current = await client.get(WORKFLOWS, namespace, name ?? "");
  return versionOf(current) === versionOf(latest) ? {} : { read: current };
}

/** Reads the whole of a finished workflow, of which the copy keeps little, if one of its pods still needs attention. */
async function readWholeIfNeeded(
  { client, ledger }: ReconcilerOptions,
  key: string,
  seen: KubeObject,
): Promise<KubeObject> {
  if (!isReduced(seen) || !hasOpenPods(ledger, key, seen)) return seen;
  return await client.get(WORKFLOWS, seen.metadata.namespace, seen.metadata.name ?? "");
}

/** Reads offloaded nodes from the database if the pass needs them. A finished workflow can do without them. */
async function withInflatedNodes(
  { offload, ledger }: ReconcilerOptions,
  key: string,
  read: KubeObject,
): Promise<KubeObject> {
  if (offloadedVersion(read) === undefined) return read;
  const isFinished = isCompletedPhase(phaseOf(read));
  if (isFinished && !hasGarbageFinalizer(read) && ledger.factsOf(key, read).pods.size === 0) return read;
  try {
    if (!offload) throw new OffloadingDisabledError();
    return await offload.inflate(read);
  } catch (error) {
    if (isFinished && error instanceof UnreadableNodesError) return read;
    throw error;
  }
}

/**
 * The workflow for a lane that does not hold it, or after a pass that has only its head; undefined if the lane has it.
 */
export async function readForLane(
  options: ReconcilerOptions,
  { key, seen, state }: Subject,
): Promise<object | undefined> {
  const { latest, isWithoutNodes } = state;
  if (options.lane.holds(key) && isWithoutNodes) return undefined;
  if (latest && !isWithoutNodes) return latest;
  const isNewest = !latest || versionOf(seen) === versionOf(latest);
  const found = isNewest
    ? seen
    : await options.client.get<KubeObject>(WORKFLOWS, seen.metadata.namespace, seen.metadata.name ?? "");
  return await withInflatedNodes(options, key, found);
}

/** Whether a pod has not ended, or has ended without the label of completed pods: its node decides what follows. */
function hasOpenPods(ledger: Ledger, key: string, seen: KubeObject): boolean {
  for (const { metadata: { deletionTimestamp, labels }, status } of ledger.factsOf(key, seen).pods.values()) {
    if (status?.phase !== "Succeeded" && status?.phase !== "Failed") return true;
    const isOwn = labels?.[LABEL.component] === undefined;
    if (isOwn && labels?.[LABEL.completed] !== "true" && !deletionTimestamp) return true;
  }
  return false;
}

/** Drops most of the state of a finished workflow that needs no more work, once the local copy shows its end. */
export function releaseWorkflow({ caches, knownWorkflows, ledger }: ReconcilerOptions, { key, state }: Subject): void {
  const seen = caches.workflows.get(key);
  if (!seen || !isReduced(seen) || hasOpenPods(ledger, key, seen)) return;
  if (state.latest && versionOf(seen) < versionOf(state.latest)) return;
  caches.workflows.forgetRead(seen);
  ledger.forget(key);
  if (state.outcomes.isEmpty) knownWorkflows.forget(key);
  else state.release();
}

/** Drops all state of a workflow. */
export function forgetWorkflow({ ledger, knownWorkflows, lane, actions }: ReconcilerOptions, key: string): void {
  actions.metrics.forget(key);
  ledger.forget(key);
  knownWorkflows.forget(key);
  lane.forget(key);
}

function versionOf({ metadata }: { readonly metadata: { readonly resourceVersion?: string } }): bigint {
  return BigInt(metadata.resourceVersion ?? "0");
}
