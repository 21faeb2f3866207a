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
  let [done, total] = [0, 0];
  const groups: NodeStatus[] = [];
  for (const node of [...pass.nodes.all()]) {
    if (!COUNTED.has(node.type)) {
      groups.push(node);
      continue;
    }
    const match = PATTERN.exec(isProgress(node.progress) ? node.progress : NO_PROGRESS)!;
    const own = isDone(node) ? `${match[2]}/${match[2]}` : match[0];
    if (own !== node.progress) pass.nodes.update(node.id, { progress: own });
    done += Number(own.split("/")[0]);
    total += Number(match[2]);
  }
  for (const node of groups) {
    const sum = sumBelow(pass, node);
    if (isProgress(sum) && sum !== node.progress) pass.nodes.update(node.id, { progress: sum });
  }
  const progress = `${done}/${total}`;
  if (pass.workflow.status?.progress !== progress) pass.setStatus({ progress });
}

function sumBelow(pass: Pass, node: NodeStatus): string {
  let [done, total] = [0, 0];
  const seen = new Set<string>();
  const queue = [...node.children ?? []];
  for (let at = 0; at < queue.length; at++) {
    const id = queue[at];
    if (seen.has(id)) continue;
    seen.add(id);
    const child = pass.nodes.get(id);
    if (!child) continue;
    const match = COUNTED.has(child.type) ? PATTERN.exec(child.progress ?? "") : null;
    if (match) {
      done += Number(match[1]);
      total += Number(match[2]);
    }
    for (const next of child.children ?? []) queue.push(next);
  }
  return `${done}/${total}`;
}
