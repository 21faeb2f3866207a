/** The nodes of a workflow as the tree that people read: pure, from status to rows. */
import type { NodeStatus, Workflow } from "../api/mod.ts";
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
  const nodes = Object.values(workflow.status?.nodes ?? {});
  const main = nodes.find(({ name }) => name === workflow.metadata.name);
  if (!main) return [];
  const { rootsAmong, under } = hang(nodes);
  const others = rootsAmong.filter((node) => node !== main);
  const branches = options.utf8 === false ? LETTERS : SIGNS;
  const drawn = new Map<string, readonly NodeStatus[]>();
  return [main, ...others].map((root) => shownFor(root).flatMap((node) => [...rows(node, " ", " ")]))
    .filter((tree) => tree.length > 0);

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

/** Finds what each node hangs on; a node that hangs on nothing is a root. */
function hang(nodes: readonly NodeStatus[]) {
  const holders = new Map<string, string>();
  for (const node of nodes) {
    if (node.type !== "StepGroup" && node.type !== "Retry") continue;
    if (node.memoizationStatus?.hit) continue; // nothing lies in it: its children come after it
    for (const child of node.children ?? []) holders.set(child, node.id);
  }
  const ids = new Set(nodes.map(({ id }) => id));
  const under = new Map<string, NodeStatus[]>();
  const rootsAmong: NodeStatus[] = [];
  for (const node of [...nodes].sort(inOrder)) {
    if (node.type === "TaskGroup") continue; // its members hang on the DAG
    const holder = holders.get(node.id) ?? node.boundaryID;
    if (holder === undefined || !ids.has(holder)) rootsAmong.push(node);
    else if (under.has(holder)) under.get(holder)!.push(node);
    else under.set(holder, [node]);
  }
  return { rootsAmong, under };
}

/**
 * Earlier first; those of one moment by the name of their task or step, members of its loop by their index. No two nodes are
 * alike, so the order does not depend on the one in which a status holds them.
 */
function inOrder(a: NodeStatus, b: NodeStatus): number {
  const byStart = startOf(a) - startOf(b);
  if (byStart !== 0) return byStart;
  const [nameA, nameB] = [a.displayName ?? a.name, b.displayName ?? b.name];
  return byName(loopHolderName(nameA, ""), loopHolderName(nameB, "")) || loopIndex(nameA) - loopIndex(nameB) ||
    byName(nameA, nameB) || byName(a.id, b.id);
}

function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The moment at which a node started; the first of all for one that has not, or says no time. */
function startOf({ startedAt = "" }: NodeStatus): number {
  return Date.parse(startedAt) || 0;
}
