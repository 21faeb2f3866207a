/** The items of a loop as one group of rows, so that the timeline of a thousand items can be read. Pure. */
import type { NodeStatus } from "@tiphys/model/api";
import { isFailure } from "@tiphys/model/status";
import { lookOfNode } from "../node_look.ts";
import { FAMILIES } from "../phase.ts";
import type { TreeGridRow } from "./tree_rows.ts";

/** The items of a group. */
export interface FanOut {
  readonly count: number;
  readonly failed: number;
}

/** Rows including those of groups, which are not nodes of the run. */
export interface FannedRows {
  readonly rows: readonly TreeGridRow[];
  /** The groups by the IDs of their nodes. */
  readonly fanOuts: ReadonlyMap<string, FanOut>;
}

/** Up to this number of items, each has its row. */
const MAX_ROWS = 20;

/** Puts the items of each long loop below one row, at the place of the first item. */
export function groupLoopRows(rows: readonly TreeGridRow[]): FannedRows {
  const children = Map.groupBy(rows, ({ parent }) => parent ?? "");
  const groups = new Map<TreeGridRow, Group>();
  for (const siblings of children.values()) {
    const steps = siblings.length > MAX_ROWS ? Map.groupBy(siblings, ({ node }) => stepOf(node)) : [];
    for (const [step, items] of steps) {
      if (step === "" || items.length <= MAX_ROWS) continue;
      const group = { id: `${items[0]!.node.id}*`, step, items };
      for (const item of items) groups.set(item, group);
    }
  }
  const fanOuts = new Map<string, FanOut>();
  if (groups.size === 0) return { rows, fanOuts };
  const made: TreeGridRow[] = [];
  const ahead: TreeGridRow[] = [];
  /** Puts siblings in front of the rows that follow. */
  const push = (siblings: readonly TreeGridRow[], parent: string | undefined, level: number) => {
    for (const [index, row] of siblings.toReversed().entries()) {
      ahead.push({ ...row, parent, level, place: siblings.length - index, siblings: siblings.length });
    }
  };
  const withGroups = (siblings: readonly TreeGridRow[]) =>
    siblings.flatMap((row) => {
      const group = groups.get(row);
      if (!group) return [row];
      return group.items[0] === row ? [{ ...row, node: nodeOf(group), hasChildren: true }] : [];
    });
  const itemsOf = new Map([...new Set(groups.values())].map(({ id, items }) => [id, items]));
  push(withGroups(children.get("") ?? []), undefined, 1);
  for (let row = ahead.pop(); row; row = ahead.pop()) {
    made.push(row);
    const { id } = row.node;
    const items = itemsOf.get(id);
    if (items) {
      fanOuts.set(id, { count: items.length, failed: items.filter(({ node }) => isFailure(node.phase)).length });
    }
    push(items ?? withGroups(children.get(id) ?? []), id, row.level + 1);
  }
  return { rows: made, fanOuts };
}

interface Group {
  readonly id: string;
  readonly step: string;
  readonly items: readonly TreeGridRow[];
}

/** Returns the name of the loop of an item, `load` of `load(3:eu)`; empty for other nodes. */
function stepOf({ name, displayName = name }: NodeStatus): string {
  return displayName.endsWith(")") ? displayName.slice(0, Math.max(0, displayName.indexOf("("))) : "";
}

/** Returns a node that represents a group: its most urgent phase, and the time of all its items. */
function nodeOf({ id, step, items }: Group): NodeStatus {
  const nodes = items.map(({ node }) => node);
  const ranks = nodes.map((node) => FAMILIES.indexOf(lookOfNode(node).family));
  const { name, displayName = name, phase } = nodes[ranks.indexOf(Math.min(...ranks))]!;
  const started = nodes.flatMap(({ startedAt }) => startedAt ?? []).sort();
  const finished = nodes.flatMap(({ finishedAt }) => finishedAt ?? []).sort();
  return {
    id,
    name: `${name.slice(0, name.length - displayName.length)}${step}`,
    displayName: step,
    type: "TaskGroup",
    phase,
    ...started.length > 0 ? { startedAt: started[0] } : {},
    ...finished.length === nodes.length ? { finishedAt: finished.at(-1) } : {},
  } as NodeStatus;
}

/**
 * Returns the IDs of folded rows: the user's choices by node name, and by default the groups, except for those around
 * the selected node.
 */
export function foldedRowIds(
  { rows, fanOuts }: FannedRows,
  choices: ReadonlyMap<string, boolean>,
  selected: string | undefined,
): ReadonlySet<string> {
  const folded = new Set<string>();
  if (choices.size + fanOuts.size === 0) return folded;
  const parents = new Map(rows.map(({ node, parent }) => [node.id, parent]));
  const around = new Set<string>();
  for (let id = parents.get(selected ?? ""); id !== undefined; id = parents.get(id)) around.add(id);
  for (const { node } of rows) {
    const isOpen = choices.get(node.name) ?? (!fanOuts.has(node.id) || around.has(node.id));
    if (!isOpen) folded.add(node.id);
  }
  return folded;
}
