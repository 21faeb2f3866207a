/** The values about previous attempts that `retryStrategy.expression` can use. */
import { durationSeconds } from "@tiphys/base/go/duration";
import { formatFloat } from "@tiphys/base/go/format_float";
import { RFC3339 } from "@tiphys/base/go/layout";
import { parseTime } from "@tiphys/base/go/layout_parse";
import { attemptsOf, type NodeLookup } from "@tiphys/model/status";
import type { ScopeNode } from "./node_scope.ts";

const YEAR_ONE = "0001-01-01T00:00:00Z";

/** The fields of an attempt's node that this module reads. */
export interface AttemptNode extends ScopeNode {
  readonly message?: string;
}

/**
 * Returns `retries` (number of attempts less one) and `lastRetry.*` of the last attempt as texts; empty before the
 * first attempt. An unknown exit code is `-1`. Durations are in seconds.
 */
export function retryScope(node: ScopeNode, nodes: NodeLookup<AttemptNode>): Map<string, string> {
  const attempts = attemptsOf(node, nodes);
  const last = attempts.at(-1);
  if (!last) return new Map();
  return new Map([
    ["retries", String(attempts.length - 1)],
    ["lastRetry.exitCode", last.outputs?.exitCode ?? "-1"],
    ["lastRetry.status", last.phase ?? ""],
    ["lastRetry.duration", formatFloat(secondsBetween(last.startedAt, last.finishedAt))],
    ["lastRetry.message", last.message ?? ""],
  ]);
}

/**
 * Returns the seconds between two times; 0 without an end. Without a start it is the longest possible duration, as in
 * Argo Workflows.
 */
function secondsBetween(from: string | undefined, to: string | undefined): number {
  if (!to) return 0;
  return durationSeconds(parseTime(RFC3339, to).since(parseTime(RFC3339, from || YEAR_ONE)));
}
