/** The nodes of a workflow as a tree for display: pure, from status to rows. */
import type { NodeStatus, Workflow } from "../api/mod.ts";
import { Levels } from "./levels.ts";
import { loopHolderName, loopIndex } from "./names.ts";

/** One row: a node, and its branch prefix. */
export interface TreeRow {
  readonly branch: string;
  readonly node: NodeStatus;
}

/** Options of drawing the tree. */
export interface TreeOptions {
  readonly utf8?: boolean;
  /** Whether a row is shown. Rows below a hidden one are still drawn. */
  readonly shows?: (node: NodeStatus) => boolean;
  /** Whether a tree besides that of the entrypoint is drawn. All are by default. */
  readonly hasTree?: (root: NodeStatus) => boolean;
}

interface Branches {
  /** Between siblings with their own rows. */
  readonly next: string;
  readonly last: string;
  /** For the members of a step group, which has no row: a single one, and the first of several. */
  readonly alone: string;
  readonly first: string;
  readonly trunk: string;
}

const UTF8_BRANCHES: Branches = { next: "├─", last: "└─", alone: "──", first: "┬─", trunk: "│ " };
const ASCII_BRANCHES: Branches = { next: "|-", last: "`-", alone: "--", first: "+-", trunk: "| " };
const NO_BRANCH = "  ";

/**
 * Returns the trees of a workflow: that of the entrypoint, then hooks and the exit handler. The parent of a node is the
 * step group or retry of which it is a child, else the node that contains it. Groups have no row, nor has a retry with
 * one attempt: the children of a node without a row replace it. Siblings are sorted by start time.
 */
export function workflowTrees(workflow: Workflow, options: TreeOptions = {}): TreeRow[][] {
  const work = workflowTreesInPieces(workflow, options);
  while (true) {
    const { done, value } = work.next();
    if (done) return value.map((tree) => [...tree]).filter((tree) => tree.length > 0);
  }
}

/**
 * Returns the same for a status of tens of thousands of nodes. The work can be paused at each `yield`, and rows are
 * made on demand.
 */
export function* workflowTreesInPieces(
  workflow: Workflow,
  options: TreeOptions = {},
): Generator<undefined, Iterable<TreeRow>[]> {
  const nodes = Object.values(workflow.status?.nodes ?? {});
  yield;
  const main = nodes.find(({ name }) => name === workflow.metadata.name);
  if (!main) return [];
  const { rootsAmong, under } = yield* attachNodes(nodes, main);
  const others = rootsAmong.filter((node) => node !== main && (options.hasTree?.(node) ?? true));
  const branches = options.utf8 === false ? ASCII_BRANCHES : UTF8_BRANCHES;
  const drawn = new Map<string, readonly NodeStatus[]>();
  return [main, ...others].map(tree);

  function* tree(root: NodeStatus): Generator<TreeRow> {
    for (const node of drawnFor(root)) yield* rows(node, " ", " ");
  }

  /** Returns the nodes that are drawn for one: itself, or its children. */
  function drawnFor(node: NodeStatus): readonly NodeStatus[] {
    if (node.type === "StepGroup") return membersOf(node).length > 0 ? [node] : [];
    return hasRow(node, options) ? [node] : membersOf(node);
  }

  function membersOf(node: NodeStatus): readonly NodeStatus[] {
    const known = drawn.get(node.id);
    if (known) return known;
    const members = (under.get(node.id) ?? []).flatMap(drawnFor);
    drawn.set(node.id, members);
    return members;
  }

  function* rows(node: NodeStatus, lead: string, indent: string): Generator<TreeRow> {
    const members = membersOf(node);
    if (node.type === "StepGroup") return yield* groupRows(members, lead, indent);
    yield { branch: lead, node };
    for (const [index, member] of members.entries()) {
      const isLast = index === members.length - 1;
      const { next, last, trunk } = branches;
      yield* rows(member, indent + (isLast ? last : next), indent + (isLast ? NO_BRANCH : trunk));
    }
  }

  /** The members of a step group branch off where the group's row would be. */
  function* groupRows(members: readonly NodeStatus[], lead: string, indent: string): Generator<TreeRow> {
    const { alone, first, next, last, trunk } = branches;
    for (const [index, member] of members.entries()) {
      const isLast = index === members.length - 1;
      const below = indent + (isLast ? NO_BRANCH : trunk);
      if (index === 0) yield* rows(member, lead + (isLast ? alone : first), below);
      else yield* rows(member, indent + (isLast ? last : next), below);
    }
  }
}

function hasRow(node: NodeStatus, { shows }: TreeOptions): boolean {
  if (node.type === "Retry" && node.children?.length === 1 && !node.memoizationStatus?.hit) return false;
  if (node.type === "TaskGroup") return false;
  return shows?.(node) ?? true;
}

/** Maximum depth of the tree. Calls are limited to a depth of a hundred, and each may be a retried step. */
const MAX_DEPTH = 500;

/** Finds the parent of each node. A node without a parent is a root, as is the main one. */
function* attachNodes(
  nodes: readonly NodeStatus[],
  main: NodeStatus,
): Generator<undefined, { readonly rootsAmong: NodeStatus[]; readonly under: Map<string, NodeStatus[]> }> {
  const holders = new Map<string, string>();
  const boundaries = new Map<string, string | undefined>();
  for (const node of nodes) {
    if (boundaries.set(node.id, node.boundaryID).size % SORT_BATCH === 0) yield;
    if (node.type !== "StepGroup" && node.type !== "Retry") continue;
    if (node.memoizationStatus?.hit) continue; // it contains no nodes: its children follow it
    for (const child of node.children ?? []) holders.set(child, node.id);
  }
  boundaries.set(main.id, undefined);
  holders.delete(main.id);
  const levels = new Levels([], (id) => {
    const holder = holders.get(id) ?? boundaries.get(id);
    return holder !== undefined && boundaries.has(holder) ? holder : undefined;
  }, MAX_DEPTH);
  for (const [index, { id }] of nodes.entries()) {
    levels.add(id);
    if (index % SORT_BATCH === 0) yield;
  }
  const under = new Map<string, NodeStatus[]>();
  const rootsAmong: NodeStatus[] = [];
  for (const [index, { node }] of (yield* inOrder(nodes)).entries()) {
    if (index % SORT_BATCH === 0) yield;
    if (node.type === "TaskGroup") continue; // its members hang on the DAG
    const holder = levels.holderOf(node.id);
    if (holder === undefined) rootsAmong.push(node);
    else if (under.has(holder)) under.get(holder)!.push(node);
    else under.set(holder, [node]);
  }
  return { rootsAmong, under };
}

/** A node with its sort keys, computed once, because a status may have tens of thousands of nodes. */
interface SortableNode {
  readonly node: NodeStatus;
  readonly start: number;
  readonly name: string;
  readonly holder: string;
}

/**
 * Sorts by start time, then by the name of the task or step, then by the index in its loop. No two nodes are equal, so
 * the result does not depend on the order in the status.
 */
function* inOrder(nodes: readonly NodeStatus[]): Generator<undefined, readonly SortableNode[]> {
  let runs: (readonly SortableNode[])[] = [];
  for (let from = 0; from < nodes.length; from += SORT_BATCH) {
    runs.push(nodes.slice(from, from + SORT_BATCH).map(orderedOf).sort(compareOrdered));
    yield;
  }
  while (runs.length > 1) {
    const longer: (readonly SortableNode[])[] = [];
    for (let i = 0; i < runs.length; i += 2) {
      longer.push(runs[i + 1] ? yield* merged(runs[i]!, runs[i + 1]!) : runs[i]!);
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

/** Number of nodes that are sorted between two pauses. */
const SORT_BATCH = 2_000;

function* merged(
  a: readonly SortableNode[],
  b: readonly SortableNode[],
): Generator<undefined, readonly SortableNode[]> {
  const both: SortableNode[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    both.push(compareOrdered(a[i]!, b[j]!) <= 0 ? a[i++]! : b[j++]!);
    if (both.length % SORT_BATCH === 0) yield;
  }
  return both.concat(a.slice(i), b.slice(j));
}

function orderedOf(node: NodeStatus): SortableNode {
  const name = node.displayName ?? node.name;
  return { node, start: startOf(node), name, holder: loopHolderName(name, "") };
}

function compareOrdered(a: SortableNode, b: SortableNode): number {
  return a.start - b.start || compareNames(a.holder, b.holder) || loopIndex(a.name) - loopIndex(b.name) ||
    compareNames(a.name, b.name) || compareNames(a.node.id, b.node.id);
}

function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the start time of a node; 0 for one that has not started, or has no time. */
function startOf({ startedAt = "" }: NodeStatus): number {
  return Date.parse(startedAt) || 0;
}
