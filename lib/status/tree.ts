/** The nodes of a workflow as the tree that people read: pure, from status to rows. */
import type { NodeStatus, Workflow } from "../api/mod.ts";
import { Levels } from "./levels.ts";
import { loopHolderName, loopIndex } from "./names.ts";

/** One line: a node, and the branch that leads to it. */
export interface TreeRow {
  readonly branch: string;
  readonly node: NodeStatus;
}

/** Options of drawing the tree. */
export interface TreeOptions {
  readonly utf8?: boolean;
  /** Leaves rows out; what is under them is drawn all the same. */
  readonly shows?: (node: NodeStatus) => boolean;
  /** Whether a tree beside that of the entrypoint is drawn; all are when absent. */
  readonly hasTree?: (root: NodeStatus) => boolean;
}

interface Branches {
  /** Between siblings under a row of their own. */
  readonly next: string;
  readonly last: string;
  /** For the members of a step group, which has no row: alone, and first of several. */
  readonly alone: string;
  readonly first: string;
  readonly trunk: string;
}

const SIGNS: Branches = { next: "├─", last: "└─", alone: "──", first: "┬─", trunk: "│ " };
const LETTERS: Branches = { next: "|-", last: "`-", alone: "--", first: "+-", trunk: "| " };
const NOTHING = "  ";

/**
 * The trees of a workflow: what the entrypoint made, then hooks and the exit handler. A node hangs on the step group or
 * retry it is a child of, otherwise on the node it runs in. Groups have no row, nor has a retry with one attempt: what hangs
 * on a node without a row stands in its place. Siblings stand in the order they started.
 */
export function workflowTrees(workflow: Workflow, options: TreeOptions = {}): TreeRow[][] {
  const work = workflowTreesInPieces(workflow, options);
  while (true) {
    const { done, value } = work.next();
    if (done) return value.map((tree) => [...tree]).filter((tree) => tree.length > 0);
  }
}

/** The same for a status of tens of thousands of nodes: each `yield` is a place to rest at, and rows are made as they are read. */
export function* workflowTreesInPieces(
  workflow: Workflow,
  options: TreeOptions = {},
): Generator<undefined, Iterable<TreeRow>[]> {
  const nodes = Object.values(workflow.status?.nodes ?? {});
  yield;
  const main = nodes.find(({ name }) => name === workflow.metadata.name);
  if (!main) return [];
  const { rootsAmong, under } = yield* hang(nodes, main);
  const others = rootsAmong.filter((node) => node !== main && (options.hasTree?.(node) ?? true));
  const branches = options.utf8 === false ? LETTERS : SIGNS;
  const drawn = new Map<string, readonly NodeStatus[]>();
  return [main, ...others].map(tree);

  function* tree(root: NodeStatus): Generator<TreeRow> {
    for (const node of shownFor(root)) yield* rows(node, " ", " ");
  }

  /** The nodes that are drawn in the place of one: itself, or its children. */
  function shownFor(node: NodeStatus): readonly NodeStatus[] {
    if (node.type === "StepGroup") return membersOf(node).length > 0 ? [node] : [];
    return hasRow(node, options) ? [node] : membersOf(node);
  }

  function membersOf(node: NodeStatus): readonly NodeStatus[] {
    const known = drawn.get(node.id);
    if (known) return known;
    const members = (under.get(node.id) ?? []).flatMap(shownFor);
    drawn.set(node.id, members);
    return members;
  }

  function* rows(node: NodeStatus, lead: string, rest: string): Generator<TreeRow> {
    const members = membersOf(node);
    if (node.type === "StepGroup") return yield* groupRows(members, lead, rest);
    yield { branch: lead, node };
    for (const [index, member] of members.entries()) {
      const isLast = index === members.length - 1;
      const { next, last, trunk } = branches;
      yield* rows(member, rest + (isLast ? last : next), rest + (isLast ? NOTHING : trunk));
    }
  }

  /** The members of a step group fork from the branch that would have led to it. */
  function* groupRows(members: readonly NodeStatus[], lead: string, rest: string): Generator<TreeRow> {
    const { alone, first, next, last, trunk } = branches;
    for (const [index, member] of members.entries()) {
      const isLast = index === members.length - 1;
      const below = rest + (isLast ? NOTHING : trunk);
      if (index === 0) yield* rows(member, lead + (isLast ? alone : first), below);
      else yield* rows(member, rest + (isLast ? last : next), below);
    }
  }
}

function hasRow(node: NodeStatus, { shows }: TreeOptions): boolean {
  if (node.type === "Retry" && node.children?.length === 1 && !node.memoizationStatus?.hit) return false;
  if (node.type === "TaskGroup") return false;
  return shows?.(node) ?? true;
}

/** The deepest level of the tree: calls end at a hundred, of which each may be a step that is retried. */
const DEEPEST = 500;

/** Finds what each node hangs on; a node that hangs on nothing is a root, as the main one always is. */
function* hang(
  nodes: readonly NodeStatus[],
  main: NodeStatus,
): Generator<undefined, { readonly rootsAmong: NodeStatus[]; readonly under: Map<string, NodeStatus[]> }> {
  const holders = new Map<string, string>();
  const boundaries = new Map<string, string | undefined>();
  for (const node of nodes) {
    if (boundaries.set(node.id, node.boundaryID).size % PIECE === 0) yield;
    if (node.type !== "StepGroup" && node.type !== "Retry") continue;
    if (node.memoizationStatus?.hit) continue; // nothing lies in it: its children come after it
    for (const child of node.children ?? []) holders.set(child, node.id);
  }
  boundaries.set(main.id, undefined);
  holders.delete(main.id);
  const levels = new Levels([], (id) => {
    const holder = holders.get(id) ?? boundaries.get(id);
    return holder !== undefined && boundaries.has(holder) ? holder : undefined;
  }, DEEPEST);
  for (const [at, { id }] of nodes.entries()) {
    levels.place(id);
    if (at % PIECE === 0) yield;
  }
  const under = new Map<string, NodeStatus[]>();
  const rootsAmong: NodeStatus[] = [];
  for (const [at, { node }] of (yield* inOrder(nodes)).entries()) {
    if (at % PIECE === 0) yield;
    if (node.type === "TaskGroup") continue; // its members hang on the DAG
    const holder = levels.holderOf(node.id);
    if (holder === undefined) rootsAmong.push(node);
    else if (under.has(holder)) under.get(holder)!.push(node);
    else under.set(holder, [node]);
  }
  return { rootsAmong, under };
}

/** A node and the facts by which it is put in order, each read once: a status has tens of thousands of nodes. */
interface Ordered {
  readonly node: NodeStatus;
  readonly start: number;
  readonly name: string;
  readonly holder: string;
}

/**
 * Earlier first; those of one moment by the name of their task or step, members of its loop by their index. No two nodes are
 * alike, so the order does not depend on the one in which a status holds them.
 */
function* inOrder(nodes: readonly NodeStatus[]): Generator<undefined, readonly Ordered[]> {
  let runs: (readonly Ordered[])[] = [];
  for (let from = 0; from < nodes.length; from += PIECE) {
    runs.push(nodes.slice(from, from + PIECE).map(orderedOf).sort(compareOrdered));
    yield;
  }
  while (runs.length > 1) {
    const longer: (readonly Ordered[])[] = [];
    for (let i = 0; i < runs.length; i += 2) {
      longer.push(runs[i + 1] ? yield* merged(runs[i]!, runs[i + 1]!) : runs[i]!);
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

/** Nodes that are put in order without a rest. */
const PIECE = 2_000;

function* merged(a: readonly Ordered[], b: readonly Ordered[]): Generator<undefined, readonly Ordered[]> {
  const both: Ordered[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    both.push(compareOrdered(a[i]!, b[j]!) <= 0 ? a[i++]! : b[j++]!);
    if (both.length % PIECE === 0) yield;
  }
  return both.concat(a.slice(i), b.slice(j));
}

function orderedOf(node: NodeStatus): Ordered {
  const name = node.displayName ?? node.name;
  return { node, start: startOf(node), name, holder: loopHolderName(name, "") };
}

function compareOrdered(a: Ordered, b: Ordered): number {
  return a.start - b.start || byName(a.holder, b.holder) || loopIndex(a.name) - loopIndex(b.name) ||
    byName(a.name, b.name) || byName(a.node.id, b.node.id);
}

function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The moment at which a node started; the first of all for one that has not, or says no time. */
function startOf({ startedAt = "" }: NodeStatus): number {
  return Date.parse(startedAt) || 0;
}
