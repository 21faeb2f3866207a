/** Actions of memoization: lookups, saved outputs, and recorded hits. */
import type { Workflow } from "@tiphys/model/api";
import { classifyError, keyOf } from "@tiphys/kube";
import { isRetryable, throwBug } from "@tiphys/kube/errors";
import type { Action } from "@tiphys/engine";
import type { ActionContext } from "./action_context.ts";
import type { ActionOutcomes } from "./outcomes.ts";

type Of<Kind extends Action["kind"]> = Extract<Action, { kind: Kind }>;
type Context = Pick<ActionContext, "memos" | "log" | "events">;

/**
 * Looks up a key. A cache that may not be read is a result as well.
 * @throws {Error} a transient error.
 */
export async function lookUpMemo(
  { memos }: Context,
  workflow: Workflow,
  outcomes: Pick<ActionOutcomes, "memos">,
  { nodeId, cache, key }: Of<"lookUpMemo">,
): Promise<true> {
  const answer = (result: Parameters<typeof outcomes.memos.set>[1]["result"]): true => {
    outcomes.memos.set(nodeId, { cache, key, result });
    return true;
  };
  try {
    return answer(await memos.cache(workflow.metadata.namespace!, cache).lookUp(key));
  } catch (error) {
    throwBug(error);
    if (isRetryable(error) && classifyError(error) !== "forbidden") throw error;
    return answer({ problem: `could not load config map cache: ${(error as Error).message}` });
  }
}

/** Saves the outputs of a node. A failure is logged and does not affect the node. */
export async function saveMemo(context: Context, workflow: Workflow, memo: Of<"saveMemo">): Promise<void> {
  try {
    await context.memos.cache(workflow.metadata.namespace!, memo.cache).save(memo);
  } catch (error) {
    throwBug(error);
    const message = `could not save to config map cache ${memo.cache}: ${(error as Error).message}`;
    context.log.warn("Could not save outputs in a cache", { workflow: keyOf(workflow), node: memo.nodeId, message });
    context.events.record(workflow, { type: "Warning", reason: "MemoizationSaveFailed", message });
  }
}

/** Records that an entry was hit, so that others are evicted first. */
export async function refreshMemo(
  { memos, log }: Context,
  workflow: Workflow,
  { cache, key, at }: Of<"refreshMemo">,
): Promise<void> {
  try {
    await memos.cache(workflow.metadata.namespace!, cache).refresh(key, at);
  } catch (error) {
    throwBug(error);
    log.warn("Could not record the hit of a cache entry", {
      workflow: keyOf(workflow),
      cache,
      key,
      error: String(error),
    });
  }
}
