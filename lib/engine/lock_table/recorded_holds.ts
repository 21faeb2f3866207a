/**
 * The holds recorded in the status of a workflow, from which the table is rebuilt after a restart. Older versions of
 * Argo recorded bare names instead of the keys of holders, and left empty entries behind.
 */
import type { Synchronization, SynchronizationStatus } from "@tiphys/model/api";
import { UserError } from "@tiphys/base/user_error";
import { lockIdOf, type LockItem, parseLockItem, parseLockItems } from "./lock_item.ts";
import { type LockType, parseHolderKey } from "./lock_key.ts";

/** The parts of a workflow that this module reads. */
export interface RecordedLocks {
  readonly metadata: { readonly namespace?: string | undefined; readonly name?: string | undefined };
  /** The locks of the workflow as a whole, from any of its specifications. */
  readonly synchronization: readonly Synchronization[];
  readonly recorded: SynchronizationStatus;
  /** Whether there may be a node with this ID. */
  readonly isNode: (id: string) => boolean;
}

/** The locks of one holder. */
export interface RecordedHold {
  /** Empty for the workflow itself. */
  readonly nodeId: string;
  readonly locks: readonly LockItem[];
}

/** An unreadable record, with its lock if known. */
export interface UnreadableHold {
  readonly item?: LockItem;
  readonly reason: string;
}

/** Parses the holds of a workflow, grouped by holder. */
export function parseRecordedHolds(workflow: RecordedLocks): { holds: RecordedHold[]; unreadable: UnreadableHold[] } {
  const locks = new Map<string, Map<string, LockItem>>();
  const unreadable: UnreadableHold[] = [];
  for (const [type, key, holder] of entries(workflow)) {
    let item: LockItem;
    try {
      item = parseLockItem(type, key);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      unreadable.push({ reason: error.message });
      continue;
    }
    const nodeId = holderNode(workflow, item, holder);
    if (nodeId === "other") continue;
    if (nodeId === undefined) {
      unreadable.push({ item, reason: `holder ${JSON.stringify(holder)} is neither the workflow nor a node of it` });
      continue;
    }
    const held = locks.get(nodeId.id) ?? new Map<string, LockItem>();
    locks.set(nodeId.id, held.set(lockIdOf(item), item));
  }
  return { holds: [...locks].map(([nodeId, held]) => ({ nodeId, locks: [...held.values()] })), unreadable };
}

function entries({ recorded: { semaphore, mutex } }: RecordedLocks): [LockType, string, string][] {
  return [
    ...(semaphore?.holding ?? []).flatMap(({ semaphore = "", holders }) =>
      (holders ?? []).map((holder): [LockType, string, string] => ["semaphore", semaphore, holder])
    ),
    ...(mutex?.holding ?? []).flatMap(({ mutex = "", holder }): [LockType, string, string][] =>
      holder ? [["mutex", mutex, holder]] : []
    ),
  ];
}

/**
 * Returns the node of a hold: `other` when the status was copied from another workflow; undefined when it is unknown.
 */
function holderNode(
  workflow: RecordedLocks,
  item: LockItem,
  holder: string,
): { readonly id: string } | "other" | undefined {
  const { namespace = "", name = "" } = workflow.metadata;
  const parsed = parseHolderKey(holder);
  if (parsed) return parsed.workflow === `${namespace}/${name}` ? { id: parsed.nodeId } : "other";
  if (holder.includes("/")) return undefined;
  if (isOfWholeWorkflow(workflow, item, namespace)) return { id: "" };
  // The ID of a workflow's first node is the workflow's name.
  return holder === name || workflow.isNode(holder) ? { id: holder } : undefined;
}

function isOfWholeWorkflow({ synchronization }: RecordedLocks, item: LockItem, namespace: string): boolean {
  return synchronization.some((block) => declares(block, item, namespace));
}

function declares(block: Synchronization, item: LockItem, namespace: string): boolean {
  try {
    return parseLockItems(block, namespace).some((candidate) =>
      lockIdOf(candidate) === lockIdOf(item) || candidate.key.includes("{{")
    );
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}
