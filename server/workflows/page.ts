/** Pages of workflows: their order, and the key at which the next page begins. */
import type { Workflow } from "@tiphys/model/api";
import { parseStoredMillis } from "@tiphys/storage/database/stored_time";
import { badRequest } from "../wire/errors.ts";

/** The position of a workflow in the order: latest start first, then descending UID. */
export interface PageKey {
  /** Milliseconds since the epoch. Infinity for a workflow that has not started: it comes first. */
  readonly startedAt: number;
  readonly uid: string;
  /**
   * The start as stored in the archive's database, which may have fractions of a second that the workflow does not
   * have.
   */
  readonly stored?: string;
}

/** A page, the key of the next one, and the number of workflows after the page. */
export interface WorkflowPage<T> {
  readonly items: readonly T[];
  readonly continue?: string;
  readonly remaining: number;
}

/** Keys by workflow object, since the same objects are sorted for each list. */
const keys = new WeakMap<object, PageKey>();

/** Returns the key of a workflow. Workflow objects are immutable, so the key is cached. */
export function pageKey(workflow: Pick<Workflow, "metadata" | "status">): PageKey {
  const found = keys.get(workflow);
  if (found) return found;
  const started = Date.parse(workflow.status?.startedAt ?? "");
  const key = { startedAt: Number.isNaN(started) ? Infinity : started, uid: workflow.metadata.uid ?? "" };
  keys.set(workflow, key);
  return key;
}

/** Compares positions: negative if `a` comes before `b`. */
export function compareKeys(a: PageKey, b: PageKey): number {
  if (a.startedAt !== b.startedAt) return a.startedAt > b.startedAt ? -1 : 1;
  // SQLite stores times as text and compares them as text.
  if (a.stored && b.stored && a.stored !== b.stored) return a.stored > b.stored ? -1 : 1;
  return a.uid < b.uid ? 1 : a.uid > b.uid ? -1 : 0;
}

/**
 * Returns the index of the first workflow, starting at `from`, that does not come before a key. `workflows` is sorted.
 */
export function firstAfter(workflows: readonly Workflow[], key: PageKey, from = 0): number {
  let [low, high] = [from, workflows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareKeys(pageKey(workflows[middle]!), key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The start of a page: after a key or, as in Argo's clients, after a number of workflows. */
export type PageStart = { readonly after: PageKey } | { readonly skip: number };

/**
 * Parses `continue`: one of our keys, or a number.
 * @throws {WireError} with Argo's message for anything else.
 */
export function readContinue(text: string): PageStart {
  if (text === "") return { skip: 0 };
  if (/^[+-]?\d{1,30}$/.test(text)) {
    const skip = BigInt(text);
    if (BigInt.asIntN(64, skip) !== skip) throw badRequest("listOptions.continue must be int");
    if (skip < 0) throw badRequest("listOptions.continue must >= 0");
    // Larger than any archive. A database would read the next greater number as no number at all.
    return { skip: Math.min(Number(skip), Number.MAX_SAFE_INTEGER) };
  }
  const [, started = "", uid = ""] = /^k(-?\d+|Infinity)\/(.+)$/.exec(decodeBase64(text)) ?? [];
  if (uid !== "") return { after: { startedAt: Number(started), uid } };
  const [, stored = "", ofStored = ""] = STORED.exec(decodeBase64(text)) ?? [];
  const startedAt = parseStoredMillis(stored);
  if (Number.isNaN(startedAt)) throw badRequest("listOptions.continue must be int");
  return { after: { startedAt, uid: ofStored, stored } };
}

const STORED = /^s(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,9})?)\/(.+)$/;

/** The text of a key in `continue`. */
export function continueText({ startedAt, uid, stored }: PageKey): string {
  return btoa(stored ? `s${stored}/${uid}` : `k${startedAt}/${uid}`).replace(/\+/g, "-").replace(/\//g, "_").replaceAll(
    "=",
    "",
  );
}

function decodeBase64(text: string): string {
  try {
    return atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  } catch {
    return "";
  }
}

/** One page of workflows. A limit of 0 means all of them. */
export function pageOf<T extends Pick<Workflow, "metadata" | "status">>(
  all: readonly T[],
  start: PageStart,
  limit: number,
): WorkflowPage<T> {
  const keyed = all.map((item) => ({ item, key: pageKey(item) })).sort((a, b) => compareKeys(a.key, b.key));
  const rest = "skip" in start ? keyed.slice(start.skip) : keyed.filter(({ key }) => compareKeys(key, start.after) > 0);
  const taken = limit > 0 ? rest.slice(0, limit) : rest;
  const remaining = rest.length - taken.length;
  const last = taken.at(-1);
  return {
    items: taken.map(({ item }) => item),
    ...(remaining > 0 && last ? { continue: continueText(last.key) } : {}),
    remaining,
  };
}
