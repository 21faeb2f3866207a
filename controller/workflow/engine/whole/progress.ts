/** Sums over the nodes: `N/M`, how much is done, and the resources that pods held. */
import type { NodeStatus } from "../../../../lib/api/mod.ts";
import { countsOf, isFulfilled } from "../../../../lib/status/mod.ts";
import type { Pass } from "../pass.ts";
import { countsItself, ProgressSums } from "./progress_sums.ts";
import { type Durations, sameDurations } from "./resources_duration.ts";

const newSums = () => new ProgressSums();

/** Brings the progress of all nodes and of the workflow up to date, and the resources of those that are over. */
export function updateProgress(pass: Pass): void {
  if (pass.draft.nodes.changed.size === 0 && pass.draft.workflow.status?.progress !== undefined) return;
  const sums = pass.cache(newSums);
  for (const id of sums.update(pass.draft.nodes)) {
    const node = pass.draft.nodes.get(id)!;
    const progress = progressOf(node, sums);
    const held = heldOf(node, sums);
    if (progress === undefined && held === undefined) continue;
    pass.draft.update(id, {
      ...(progress !== undefined && { progress }),
      ...(held !== undefined && { resourcesDuration: held }),
    });
  }
  const { done, total, held } = sums.whole;
  const progress = `${done}/${total}`;
  if (pass.draft.workflow.status?.progress !== progress) pass.draft.setStatus({ progress });
  if (!sameDurations(pass.draft.workflow.status?.resourcesDuration, held)) {
    pass.draft.setStatus({ resourcesDuration: held });
  }
}

/** The progress that a node does not say yet; undefined where it says so, and where there is nothing to say. */
function progressOf(node: NodeStatus, sums: ProgressSums): string | undefined {
  const { done, total } = sums.of(node.id);
  if (!countsItself(node) && (total === 0 || done > total)) return undefined;
  const said = countsOf(node.progress);
  return said?.done === done && said.total === total ? undefined : `${done}/${total}`;
}

/** The resources below a node that is over, where it does not say them yet: a pod's own were set when it ended. */
function heldOf(node: NodeStatus, sums: ProgressSums): Durations | undefined {
  if (node.type === "Pod" || !isFulfilled(node)) return undefined;
  const held = sums.heldBelow(node.id);
  return sameDurations(node.resourcesDuration, held) ? undefined : held;
}
