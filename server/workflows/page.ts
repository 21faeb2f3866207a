/** Pages of workflows: one order over all of them, and a key that says where the next page begins. */
import type { Workflow } from "@tiphys/model/api";
import { millisOfStored } from "@tiphys/storage/database/stored_time";
import { badRequest } from "../wire/errors.ts";

/** The place of a workflow in the order: the newest start first, and by uid among those that started at once. */
export interface PageKey {
  /** Milliseconds since 1970; Infinity for a workflow that has not started, which stands first. */
  readonly startedAt: number;
  readonly uid: string;
  /** The start as the archive's database has it: it may know parts of a second that the workflow does not tell. */
  readonly stored?: string;
}

/** A page, where the next one begins, and how many workflows are behind it. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly continue?: string;
  readonly remaining: number;
}

/** The keys of workflows, as long as those are there: the same ones are put in order for each list. */
const keys = new WeakMap<object, PageKey>();

/** The place of a workflow, which is never changed, only replaced. */
export function pageKey(workflow: Pick<Workflow, "metadata" | "status">): PageKey {
  const found = keys.get(workflow);
  if (found) return found;
  const started = Date.parse(workflow.status?.startedAt ?? "");
  const key = { startedAt: Number.isNaN(started) ? Infinity : started, uid: workflow.metadata.uid ?? "" };
  keys.set(workflow, key);
  return key;
}

/** Whether `a` stands before `b`. */
export function compareKeys(a: PageKey, b: PageKey): number {
  if (a.startedAt !== b.startedAt) return a.startedAt > b.startedAt ? -1 : 1;
  // A file has times as texts, and goes by them.
  if (a.stored && b.stored && a.stored !== b.stored) return a.stored > b.stored ? -1 : 1;
  return a.uid < b.uid ? 1 : a.uid > b.uid ? -1 : 0;
}

/** The number of the first of some workflows in order, from one on, that does not stand before a place. */
export function firstBehind(workflows: readonly Workflow[], key: PageKey, from = 0): number {
  let [low, high] = [from, workflows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareKeys(pageKey(workflows[middle]!), key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The beginning of a page: behind a key or, as Argo's clients count, behind a number of workflows. */
export type PageStart = { readonly after: PageKey } | { readonly skip: number };

/**
 * Reads `continue`: a key of ours, or a number.
 * @throws {WireError} for anything else, in Argo's words.
 */
export function readContinue(text: string): PageStart {
  if (text === "") return { skip: 0 };
  if (/^[+-]?\d{1,30}$/.test(text)) {
    const skip = BigInt(text);
    if (BigInt.asIntN(64, skip) !== skip) throw badRequest("listOptions.continue must be int");
    if (skip < 0) throw badRequest("listOptions.continue must >= 0");
    // No archive has so many: a database would take the next greater number for none.
    return { skip: Math.min(Number(skip), Number.MAX_SAFE_INTEGER) };
  }
  const [, started = "", uid = ""] = /^k(-?\d+|Infinity)\/(.+)$/.exec(decoded(text)) ?? [];
  if (uid !== "") return { after: { startedAt: Number(started), uid } };
  const [, stored = "", ofStored = ""] = STORED.exec(decoded(text)) ?? [];
  const startedAt = millisOfStored(stored);
  if (Number.isNaN(startedAt)) throw badRequest("listOptions.continue must be int");
  return { after: { startedAt, uid: ofStored, stored } };
}

const STORED = /^s(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,9})?)\/(.+)$/;

/** A key as `continue` says it. */
export function continueText({ startedAt, uid, stored }: PageKey): string {
  return btoa(stored ? `s${stored}/${uid}` : `k${startedAt}/${uid}`).replace(/\+/g, "-").replace(/\//g, "_").replaceAll(
    "=",
    "",
  );
}

function decoded(text: string): string {
  try {
    return atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  } catch {
    return "";
  }
}

/** One page of all that are meant. A limit of 0 means everything. */
export function pageOf<T extends Pick<Workflow, "metadata" | "status">>(
  all: readonly T[],
  start: PageStart,
  limit: number,
): Page<T> {
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
