/**
 * Memoization of a call: it is looked up in its cache before it starts, and ends with the entry if one is found. A node
 * that waits for its lookup is Pending, and is evaluated again when the result is available.
 */
import { parseDuration } from "@tiphys/base/go";
import type { MemoizationStatus, NodeStatus } from "@tiphys/model/api";
import { millisOf, timeText } from "@tiphys/model/status";
import type { NodesDraft, RequestsDraft, Slice, StatusDraft } from "../slice.ts";
import { addWaitingNode, type Outcome, type ReadyCall } from "./call.ts";
import { readField } from "../duration.ts";
import { continuesOn } from "./continue_on.ts";
import { exportOutputs } from "../spec/global_outputs.ts";
import { userErrorMessage } from "../user_error.ts";
import { isCacheKey, type MemoEntry, type MemoLookup } from "../memo/cache_map.ts";

/** Whether a call starts (with the memoization status for its nodes), or has an outcome already. */
export type MemoizeResult =
  | { readonly kind: "start"; readonly memo?: MemoizationStatus }
  | { readonly kind: "ended"; readonly outcome: Outcome };

/** Looks up the outputs of a call. `existing` is its node, if it exists. */
export function lookUpOutputs(
  pass: Slice<NodesDraft & StatusDraft & RequestsDraft>,
  call: ReadyCall,
  existing: NodeStatus | undefined,
): MemoizeResult {
  const { memoize } = call.template;
  if (!memoize) return STARTS;
  if (existing && wasLookedUp(pass, existing)) return { kind: "start", memo: existing.memoizationStatus };
  // A call that may no longer run does not need the cache.
  if (!pass.mayRun(call.onExit === true)) return STARTS;
  const { id } = existing ?? addWaitingNode(pass, call);
  const { key } = memoize;
  const cache = memoize.cache?.configMap.name ?? "";
  if (!isCacheKey(key)) return failNode(pass, call, id, `invalid cache key: ${key}`);
  if (!CONFIG_MAP_NAME.test(cache)) return failNode(pass, call, id, `invalid name of a cache: ${cache}`);
  const lookup = pass.facts.memos?.get(id);
  if (!lookup || lookup.cache !== cache || lookup.key !== key) {
    pass.dependOn(`memo/${id}`);
    pass.draft.request({ kind: "lookUpMemo", nodeId: id, cache, key });
    return nodeResult(pass, id);
  }
  pass.draft.request({ kind: "dropMemo", nodeId: id });
  return applyLookup(pass, call, id, lookup);
}

/** Applies the result of a lookup. */
function applyLookup(
  pass: Slice<NodesDraft & StatusDraft & RequestsDraft>,
  call: ReadyCall,
  id: string,
  { cache, key, result }: MemoLookup,
): MemoizeResult {
  if ("problem" in result) return failNode(pass, call, id, result.problem);
  let maxAge: number | undefined;
  try {
    maxAge = readField(call.template, "memoize.maxAge", () => maxAgeOf(call.template.memoize!.maxAge));
  } catch (error) {
    return failNode(pass, call, id, userErrorMessage(error));
  }
  const { entry } = result;
  const isHit = entry !== undefined && !isOlder(entry, maxAge, pass.facts.now);
  const memo = { hit: isHit, key, cacheName: cache };
  pass.draft.update(id, { memoizationStatus: memo });
  if (!isHit) return { kind: "start", memo };
  pass.draft.request({ kind: "refreshMemo", cache, key, at: timeText(pass.facts.now) });
  return endWithEntry(pass, id, entry);
}

const STARTS: MemoizeResult = { kind: "start" };

function nodeResult(pass: Slice, id: string): MemoizeResult {
  return { kind: "ended", outcome: { kind: "node", node: pass.draft.nodes.get(id)! } };
}

/** The pattern of a ConfigMap's name, which becomes part of a path. */
const CONFIG_MAP_NAME = /^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/;

/**
 * Reports whether the call was already looked up, or started without a lookup, as in an earlier version of the engine.
 */
function wasLookedUp(pass: Slice, node: NodeStatus): boolean {
  return node.memoizationStatus !== undefined || node.phase !== "Pending" || pass.hasPod(node.id);
}

/** In milliseconds; undefined for no limit. */
function maxAgeOf(text: string | undefined): number | undefined {
  return text ? Number(parseDuration(text)) / 1e6 : undefined;
}

function isOlder({ creationTimestamp }: MemoEntry, maxAge: number | undefined, now: Date): boolean {
  return maxAge !== undefined && !(now.getTime() - millisOf(creationTimestamp) <= maxAge);
}

/** Ends the call with the stored outputs, without pods, attempts or nodes inside it. */
function endWithEntry(pass: Slice<NodesDraft & StatusDraft>, id: string, { outputs }: MemoEntry): MemoizeResult {
  const isPod = pass.draft.nodes.typeOf(id) === "Pod";
  if (outputs) pass.draft.update(id, { outputs });
  if (isPod) pass.draft.update(id, { progress: "1/1", taskResultSynced: true });
  exportOutputs(pass, pass.draft.mark(id, "Succeeded", "").outputs);
  return nodeResult(pass, id);
}

/** Fails the node. The caller may continue if `continueOn` allows it. */
function failNode(pass: Slice<NodesDraft>, call: ReadyCall, id: string, message: string): MemoizeResult {
  const node = pass.draft.markError(id, message);
  const outcome: Outcome = continuesOn(call.holder, "Error")
    ? { kind: "node", node }
    : { kind: "error", node, message: node.message ?? message };
  return { kind: "ended", outcome };
}
