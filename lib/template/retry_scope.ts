/** What `retryStrategy.expression` can ask about the attempts so far. */
import { formatFloat } from "../go/format_float.ts";
import { lastAttempt, type NodeLookup, type ScopeNode } from "./node_scope.ts";

/** What is read of an attempt. */
export interface AttemptNode extends ScopeNode {
  readonly message?: string;
}

/**
 * `retries` (attempts made, less one) and `lastRetry.*` of the last attempt, all texts; nothing before the first attempt.
 * An exit code that is not known is `-1`. Durations are seconds.
 */
export function retryScope(node: ScopeNode, nodes: NodeLookup<AttemptNode>): Map<string, string> {
  const last = lastAttempt(node, nodes);
  if (!last) return new Map();
  const attempts = node.children!.filter((id) => nodes.get(id) && !nodes.get(id)!.nodeFlag?.hooked).length;
  return new Map([
    ["retries", String(attempts - 1)],
    ["lastRetry.exitCode", last.outputs?.exitCode ?? "-1"],
    ["lastRetry.status", last.phase ?? ""],
    ["lastRetry.duration", formatFloat(secondsBetween(last.startedAt, last.finishedAt))],
    ["lastRetry.message", last.message ?? ""],
  ]);
}

function secondsBetween(from: string | undefined, to: string | undefined): number {
  return from && to ? (Date.parse(to) - Date.parse(from)) / 1000 : 0;
}
