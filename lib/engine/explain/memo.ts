/** Memoization: a node does not start until its cache entry has been read. */
import { storedTemplateOf } from "@tiphys/model/status";
import type { NodeCheck } from "./explain_input.ts";
import { BY_ITSELF, reason } from "./reason.ts";

/** A node whose cache entry is being read: it is not known yet whether the node needs a pod. */
export const checkMemoLookup: NodeCheck = ({ workflow, evidence }, node) => {
  if (node.phase !== "Pending" || node.memoizationStatus || evidence.pods?.has(node.id)) return undefined;
  const memoize = storedTemplateOf(workflow, node)?.memoize;
  if (!memoize) return undefined;
  const cache = memoize.cache?.configMap.name;
  return [reason("Memo", {
    node: node.name,
    since: node.startedAt,
    text: `cache entry ${memoize.key} is being looked up`,
    blocks: cache ? [{ kind: "ConfigMap", name: cache }] : [],
    unblock: BY_ITSELF,
  })];
};
