/** Caches: a node does not begin before its entry was looked up. */
import { storedTemplateOf } from "@tiphys/model/status";
import type { NodeSubject } from "./question.ts";
import { BY_ITSELF, reason } from "./reason.ts";

/** The node's entry is being looked up: it has no pod, and nobody knows yet whether it needs one. */
export const waitsForLookUp: NodeSubject = ({ workflow, evidence }, node) => {
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
