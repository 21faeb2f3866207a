/** Locks as statuses of workflows record them. */
import { Synchronization, SynchronizationStatus } from "@tiphys/model/api";
import { fieldsOf } from "@tiphys/base/fields_of";
import type { KubeObject } from "@tiphys/kube";
import { ANNOTATION } from "@tiphys/base/constants";
import { lockIdOf, parseRecordedHolds, parseSuccessors, type Successor } from "@tiphys/engine/lock_table";
import { isCompletedPhase } from "@tiphys/model/status";
import { phaseOf } from "../observe/glance.ts";

/** Whether a workflow may request or hold locks: it has not finished. */
export function isOpen(workflow: KubeObject): boolean {
  return !isCompletedPhase(phaseOf(workflow));
}

/**
 * Whether a workflow may have waited for locks before the controller started: its status shows it, or it has not
 * started.
 */
export function mayHaveWaited(workflow: KubeObject): boolean {
  if (!isOpen(workflow) || workflow.metadata.deletionTimestamp) return false;
  if (phaseOf(workflow) !== "Running") return true;
  const { semaphore, mutex } = fieldsOf(fieldsOf(workflow.status).synchronization);
  return [semaphore, mutex].some((part) => fieldsOf(part).waiting !== undefined);
}

/** The holds that a status records; undefined if it records nothing about locks. */
export function holdsOf(workflow: KubeObject): ReturnType<typeof parseRecordedHolds> | undefined {
  const status = fieldsOf(workflow.status);
  if (status.synchronization === undefined || status.synchronization === null) return undefined;
  const read = SynchronizationStatus.safeParse(status.synchronization);
  if (!read.success) {
    const reason = `status.synchronization cannot be parsed: ${read.error.issues[0]?.message}`;
    return { holds: [], unreadable: [{ reason }] };
  }
  const { compressedNodes, offloadNodeStatusVersion: offloaded, nodes } = status;
  return parseRecordedHolds({
    metadata: workflow.metadata,
    synchronization: [fieldsOf(workflow.spec), fieldsOf(status.storedWorkflowTemplateSpec)].flatMap((spec) => {
      const own = Synchronization.safeParse(spec.synchronization);
      return own.success ? [own.data] : [];
    }),
    recorded: read.data,
    isNode: (id) => Boolean(compressedNodes ?? offloaded) || Object.hasOwn(fieldsOf(nodes), id),
  });
}

/**
 * Returns the next holders that a workflow's annotation lists for locks that its own nodes hold. The previous
 * controller may already have granted these locks to them.
 */
export function successorsOf(workflow: KubeObject): Successor[] {
  const text = workflow.metadata.annotations?.[ANNOTATION.nextHolders];
  if (text === undefined || !isOpen(workflow)) return [];
  const places = new Map<string, number>();
  for (const { locks } of holdsOf(workflow)?.holds ?? []) {
    for (const item of locks) places.set(lockIdOf(item), (places.get(lockIdOf(item)) ?? 0) + 1);
  }
  return parseSuccessors(text, (id) => places.get(id) ?? 0);
}
