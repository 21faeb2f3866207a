/** `N/M`: how much of a node, and of the workflow, is done (features S-33). */
import type { NodeStatus } from "../../lib/api/mod.ts";
import type { Pass } from "./pass.ts";

const PATTERN = /^(\d+)\/(\d+)$/;

/** The progress of a node that has reported none. */
export const NO_PROGRESS = "0/1";

/** A well-formed progress: `N/M` with N ≤ M and M > 0. */
export function isProgress(text: string | undefined): text is string {
  const match = PATTERN.exec(text ?? "");
  return match !== null && Number(match[1]) <= Number(match[2]) && Number(match[2]) > 0;
}

const COUNTED = new Set(["Pod", "HTTP", "Plugin", "Container", "Suspend"]);

function isDone(node: NodeStatus): boolean {
  return node.phase === "Succeeded" || node.phase === "Skipped" || node.phase === "Omitted";
}

/** Brings the progress of all nodes and of the workflow up to date. */
export function updateProgress(pass: Pass): void {
  if (pass.nodes.changed.size === 0 && pass.workflow.status?.progress !== undefined) return;
  const sum: Counts = { done: 0, total: 0 };
  const groups: NodeStatus[] = [];
  for (const node of pass.nodes.all()) {
    if (!COUNTED.has(node.type)) {
      groups.push(node);
      continue;
    }
    const reported = countsOf(node.progress);
    const own = !reported || reported.total === 0 || reported.done > reported.total ? countsOf(NO_PROGRESS)! : reported;
    const done = isDone(node) ? own.total : own.done;
    const text = done === own.done && own === reported ? node.progress : `${done}/${own.total}`;
    if (text !== node.progress) pass.nodes.update(node.id, { progress: text });
    sum.done += done;
    sum.total += own.total;
  }
  const known = new Map<string, Counts>();
  for (const node of groups) {
    const { done, total } = sumBelow(pass, node, known);
    const text = `${done}/${total}`;
    if (total > 0 && done <= total && text !== node.progress) pass.nodes.update(node.id, { progress: text });
  }
  const progress = `${sum.done}/${sum.total}`;
  if (pass.workflow.status?.progress !== progress) pass.setStatus({ progress });
}

interface Counts {
  done: number;
  total: number;
}

/** Texts are few, and reading one costs more than looking it up. */
const READ = new Map<string, Counts>([["0/1", { done: 0, total: 1 }], ["1/1", { done: 1, total: 1 }]]);

function countsOf(text: string | undefined): Counts | undefined {
  if (text === undefined) return undefined;
  const known = READ.get(text);
  if (known) return known;
  const match = PATTERN.exec(text);
  return match ? { done: Number(match[1]), total: Number(match[2]) } : undefined;
}

/** What all that hangs below a node has done, each node once. What has a single child has done what that one has. */
function sumBelow(pass: Pass, node: NodeStatus, known: Map<string, Counts>): Counts {
  let sum = known.get(node.id);
  if (sum) return sum;
  sum = { done: 0, total: 0 };
  const child = node.children?.length === 1 ? pass.nodes.get(node.children[0]) : undefined;
  if (child) {
    add(sum, child);
    const below = sumBelow(pass, child, known);
    sum.done += below.done;
    sum.total += below.total;
  } else addAllBelow(pass, node, sum);
  known.set(node.id, sum);
  return sum;
}

function addAllBelow(pass: Pass, node: NodeStatus, sum: Counts): void {
  const queue = new Set(node.children);
  for (const id of queue) {
    const child = pass.nodes.get(id);
    if (!child) continue;
    add(sum, child);
    for (const next of child.children ?? []) queue.add(next);
  }
}

function add(sum: Counts, node: NodeStatus): void {
  const counts = COUNTED.has(node.type) ? countsOf(node.progress) : undefined;
  if (!counts) return;
  sum.done += counts.done;
  sum.total += counts.total;
}
