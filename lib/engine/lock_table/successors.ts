/**
 * Successors: the nodes of a workflow that are next for locks which other nodes of it hold, recorded together with the
 * holders. A lock may go to them, in that order, before the status is written again: a table that is rebuilt from the
 * status grants them in the same order.
 */
import { parseJson } from "@tiphys/base/bounded_json";
import { UserError } from "@tiphys/base/user_error";
import { idOf, isInDatabase, itemOfKey, type LockItem } from "./lock_item.ts";
import type { LockType } from "./lock_key.ts";

/** The IDs of nodes in order, by `TYPE KEY` of the lock. */
export type Successors = ReadonlyMap<string, readonly string[]>;

/**
 * Number of successors per place of a lock that a workflow holds, and the maximum per lock, because every status
 * contains them.
 */
const SUCCESSORS_A_PLACE = 3;
const MOST_SUCCESSORS = 128;

/**
 * Maximum number of characters of the text, which is part of every status with successors. All annotations of an object
 * together may have 256 KiB.
 */
const MOST_CHARACTERS = 16 * 1024;

/** Returns the maximum number of successors for a workflow with this number of places of a lock. */
export function mostSuccessors(places: number): number {
  return Math.min(SUCCESSORS_A_PLACE * places, MOST_SUCCESSORS);
}

/** Returns the first successors of each lock, as far as they fit into the text. */
export function shortenedSuccessors(successors: Successors): Successors {
  const found = new Map<string, readonly string[]>();
  let room = MOST_CHARACTERS - 2;
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
export function successorsText(successors: Successors): string {
  return successors.size === 0 ? "" : JSON.stringify(Object.fromEntries(successors));
}

/** A successor: the lock, the node, and its position from 0. */
export interface Successor {
  readonly item: LockItem;
  readonly nodeId: string;
  readonly place: number;
}

/**
 * Parses the text of `successorsText`. A lock without holders has no successors: `places` returns the number of places
 * of the lock `TYPE KEY` in the same status. Invalid text and invalid entries are ignored.
 */
export function readSuccessors(text: string, places: (id: string) => number): Successor[] {
  if (text === "" || text.length > MOST_CHARACTERS) return [];
  let read: unknown;
  try {
    read = parseJson(text);
  } catch {
    return [];
  }
  if (typeof read !== "object" || read === null) return [];
  const seen = new Set<string>();
  return Object.entries(read).flatMap(([id, nodeIds]): Successor[] => {
    const item = itemOfId(id);
    if (!item || isInDatabase(item) || !Array.isArray(nodeIds)) return [];
    return nodeIds.slice(0, mostSuccessors(places(idOf(item)))).flatMap((nodeId, place) => {
      if (typeof nodeId !== "string" || nodeId === "" || seen.has(nodeId)) return [];
      seen.add(nodeId);
      return [{ item, nodeId, place }];
    });
  });
}

function itemOfId(id: string): LockItem | undefined {
  const [, type, key = ""] = /^(mutex|semaphore) (.+)$/s.exec(id) ?? [];
  try {
    return type === undefined ? undefined : itemOfKey(type as LockType, key);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
