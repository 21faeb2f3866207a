/** `N/M`: how much of a node, and of the workflow, is done (features S-33). */
import type { Pass } from "./pass.ts";
import { countsItself, ProgressSums } from "./progress_sums.ts";
import { countsOf } from "./progress_text.ts";

const newSums = () => new ProgressSums();

/** Brings the progress of all nodes and of the workflow up to date. */
export function updateProgress(pass: Pass): void {
  if (pass.nodes.changed.size === 0 && pass.workflow.status?.progress !== undefined) return;
  const sums = pass.memory.part(newSums);
  for (const id of sums.update(pass.nodes)) {
    const node = pass.nodes.get(id)!;
    const { done, total } = sums.of(id);
    if (!countsItself(node) && (total === 0 || done > total)) continue;
    const said = countsOf(node.progress);
    if (said?.done !== done || said.total !== total) pass.nodes.update(id, { progress: `${done}/${total}` });
  }
  const progress = `${sums.whole.done}/${sums.whole.total}`;
  if (pass.workflow.status?.progress !== progress) pass.setStatus({ progress });
}
