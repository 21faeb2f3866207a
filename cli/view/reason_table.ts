/** Formats the reasons why nodes wait as a table. */
import type { Reason } from "@tiphys/engine/explain";
import { elapsed, nodePath } from "@tiphys/model/status";
import { escapeToOneLine } from "./plain.ts";
import { tableLines } from "./table.ts";

/** Options of a table of reasons. */
export interface ReasonTableOptions {
  readonly workflowName: string;
  readonly now: Date;
  /** Whether the columns UNTIL and UNBLOCK (how to end the wait) are also shown. */
  readonly wide?: boolean;
}

/**
 * Returns a line for each reason after the titles; empty without reasons. A reason of the workflow itself has no node.
 */
export function reasonTable(reasons: readonly Reason[], { workflowName, now, wide }: ReasonTableOptions): string[] {
  if (reasons.length === 0) return [];
  const titles = ["NODE", "REASON", "FOR", "WAITS", ...(wide ? ["UNTIL", "UNBLOCK"] : [])];
  const rows = reasons.map(({ node, code, since, text, until, unblock }) => [
    node === undefined ? "-" : nodePath(node, workflowName),
    code,
    elapsed(since, undefined, now),
    text,
    ...(wide ? [until ?? "", unblock] : []),
  ]);
  return tableLines([titles, ...rows.map((row) => row.map((cell) => escapeToOneLine(cell)))]);
}
