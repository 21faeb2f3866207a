/**
 * Successors: the nodes of a workflow that come next where others of it hold a lock, written beside who holds it. A lock may
 * go to them, in that order, before the status is written anew: whoever rebuilds the table from it lets nobody come between.
 */
import { parseJson } from "../bounded_json.ts";
import { UserError } from "../user_error.ts";
import { idOf, isInDatabase, itemOfKey, type LockItem } from "./lock_item.ts";
import type { LockType } from "./lock_key.ts";

/** The IDs of nodes in their order, by `TYPE KEY` of the lock. */
export type Successors = ReadonlyMap<string, readonly string[]>;

/** Successors for each place of a lock that a workflow has, and the most of one lock: they are a part of every status. */
const SUCCESSORS_A_PLACE = 3;
const MOST_SUCCESSORS = 128;

/**
 * The most characters of the text, which is written with every status that names others: all annotations of an object may
 * have 256 KiB.
 */
const MOST_CHARACTERS = 16 * 1024;

/** The most nodes that are named as successors where a workflow has so many places of a lock. */
export function mostSuccessors(places: number): number {
  return Math.min(SUCCESSORS_A_PLACE * places, MOST_SUCCESSORS);
}

/** The first of the successors of each lock, as many as the text has room for. */
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

/** Successors as they are written; empty where there are none. */
export function successorsText(successors: Successors): string {
  return successors.size === 0 ? "" : JSON.stringify(Object.fromEntries(successors));
}

/** One who comes next: the lock, the node, and its place from 0. */
export interface Successor {
  readonly item: LockItem;
  readonly nodeId: string;
  readonly place: number;
}

/**
 * Reads what `successorsText` wrote. Nobody comes after those who hold nothing: `places` tells how many places of the lock
 * `TYPE KEY` the same status has. What cannot be read names nobody.
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
