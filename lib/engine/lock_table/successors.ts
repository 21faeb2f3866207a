/**
 * Successors: the nodes of a workflow that are next for locks which other nodes of it hold, recorded together with the
 * holders. A lock may go to them, in that order, before the status is written again: a table that is rebuilt from the
 * status grants them in the same order.
 */
import { parseJson } from "@tiphys/base/bounded_json";
import { UserError } from "@tiphys/base/user_error";
import { isInDatabase, lockIdOf, type LockItem, parseLockItem } from "./lock_item.ts";
import type { LockType } from "./lock_key.ts";

/** The IDs of nodes in order, by `TYPE KEY` of the lock. */
export type Successors = ReadonlyMap<string, readonly string[]>;

/**
 * Number of successors per holder of a lock in a workflow, and the maximum per lock, because every status
 * contains them.
 */
const SUCCESSORS_PER_HOLD = 3;
const MAX_SUCCESSORS = 128;

/**
 * Maximum number of characters of the text, which is part of every status with successors. All annotations of an object
 * together may have 256 KiB.
 */
const MAX_CHARACTERS = 16 * 1024;

/** Returns the maximum number of successors for a workflow with this number of holders of a lock. */
export function maxSuccessors(holds: number): number {
  return Math.min(SUCCESSORS_PER_HOLD * holds, MAX_SUCCESSORS);
}

/** Returns the first successors of each lock, as far as they fit into the text. */
export function truncateSuccessors(successors: Successors): Successors {
  const found = new Map<string, readonly string[]>();
  let room = MAX_CHARACTERS - 2;
  for (const [id, nodeIds] of successors) {
    const first: string[] = [];
    let size = JSON.stringify(id).length + 4;
    for (const nodeId of nodeIds) {
      const after = size + JSON.stringify(nodeId).length + 1;
      if (after > room) break;
      size = after;
      first.push(nodeId);
    }
    if (first.length === 0) continue;
    room -= size;
    found.set(id, first);
  }
  return found;
}

/** Formats successors as text; empty for an empty map. */
export function formatSuccessors(successors: Successors): string {
  return successors.size === 0 ? "" : JSON.stringify(Object.fromEntries(successors));
}

/** A successor: the lock, the node, and its position from 0. */
export interface Successor {
  readonly item: LockItem;
  readonly nodeId: string;
  readonly position: number;
}

/**
 * Parses the text of `formatSuccessors`. A lock without holders has no successors: `countHolds` returns the number of
 * holders of the lock `TYPE KEY` in the same status. Invalid text and invalid entries are ignored.
 */
export function parseSuccessors(text: string, countHolds: (id: string) => number): Successor[] {
  if (text === "" || text.length > MAX_CHARACTERS) return [];
  let parsed: unknown;
  try {
    parsed = parseJson(text);
  } catch {
    return [];
  }
  if (typeof parsed !== "object" || parsed === null) return [];
  const seen = new Set<string>();
  return Object.entries(parsed).flatMap(([id, nodeIds]): Successor[] => {
    const item = parseLockId(id);
    if (!item || isInDatabase(item) || !Array.isArray(nodeIds)) return [];
    return nodeIds.slice(0, maxSuccessors(countHolds(lockIdOf(item)))).flatMap((nodeId, position) => {
      if (typeof nodeId !== "string" || nodeId === "" || seen.has(nodeId)) return [];
      seen.add(nodeId);
      return [{ item, nodeId, position }];
    });
  });
}

function parseLockId(id: string): LockItem | undefined {
  const [, type, key = ""] = /^(mutex|semaphore) (.+)$/s.exec(id) ?? [];
  try {
    return type === undefined ? undefined : parseLockItem(type as LockType, key);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
