/** The values that `retryStrategy.expression` can ask about the attempts so far. */
import { durationSeconds } from "../go/duration.ts";
import { formatFloat } from "../go/format_float.ts";
import { RFC3339 } from "../go/layout.ts";
import { parseTime } from "../go/layout_parse.ts";
import { attemptsOf, type NodeLookup } from "../status/mod.ts";
import type { ScopeNode } from "./node_scope.ts";

const YEAR_ONE = "0001-01-01T00:00:00Z";

/** The fields of an attempt's node that are read here. */
export interface AttemptNode extends ScopeNode {
  readonly message?: string;
}

/**
 * `retries` (attempts made, less one) and `lastRetry.*` of the last attempt, all texts; nothing before the first attempt.
 * An exit code that is not known is `-1`. Durations are seconds.
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
 * The seconds between two times, 0 without an end. Without a start they are as many as a duration can have, as in the
 * peer.
 */
function secondsBetween(from: string | undefined, to: string | undefined): number {
  if (!to) return 0;
  return durationSeconds(parseTime(RFC3339, to).since(parseTime(RFC3339, from || YEAR_ONE)));
}
