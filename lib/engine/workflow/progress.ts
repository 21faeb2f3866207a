/** Sums over the nodes: the progress `N/M` and the resource durations of pods. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { isFulfilled, parseProgress } from "@tiphys/model/status";
import type { Nodes } from "../nodes/node_table.ts";
import type { NodesDraft, Slice, StatusDraft } from "../slice.ts";
import { isCounted, ProgressSums } from "./progress_sums.ts";
import { type Durations, sameDurations } from "../nodes/resources_duration.ts";

const newSums = () => new ProgressSums();

/** Updates the progress of all nodes and of the workflow, and the resource durations of completed ones. */
export function updateProgress(pass: Slice<NodesDraft & StatusDraft>): void {
  const { draft } = pass;
  if (draft.nodes.changed.size === 0 && draft.workflow.status?.progress !== undefined) return;
  const fields = sumProgress(draft, pass.cache(newSums), draft.workflow.status);
  if (Object.keys(fields).length > 0) draft.setStatus(fields);
}

/** Updates the nodes of a draft. Returns the fields to set in the status of their workflow. */
export function sumProgress(
  draft: { readonly nodes: Nodes; update(id: string, fields: Partial<NodeStatus>): unknown },
  sums: ProgressSums,
  status: WorkflowStatus | undefined,
): Pick<WorkflowStatus, "progress" | "resourcesDuration"> {
  for (const id of sums.update(draft.nodes)) {
    const node = draft.nodes.get(id)!;
    const progress = changedProgress(node, sums);
    const held = changedDurations(node, sums);
    if (progress === undefined && held === undefined) continue;
    draft.update(id, {
      ...(progress !== undefined && { progress }),
      ...(held !== undefined && { resourcesDuration: held }),
    });
  }
  const { done, total, durations } = sums.ofWorkflow;
  const progress = `${done}/${total}`;
  return {
    ...(status?.progress !== progress && { progress }),
    ...(!sameDurations(status?.resourcesDuration, durations) && { resourcesDuration: durations }),
  };
}

type WorkflowStatus = NonNullable<Workflow["status"]>;

/** The progress to set for a node; undefined if it is unchanged or there is nothing to count. */
function changedProgress(node: NodeStatus, sums: ProgressSums): string | undefined {
  const { done, total } = sums.sumOf(node.id);
  if (!isCounted(node) && (total === 0 || done > total)) return undefined;
  const before = parseProgress(node.progress);
  return before?.done === done && before.total === total ? undefined : `${done}/${total}`;
}

/**
 * The resource durations to set for a completed node; undefined if unchanged, and for a pod, which has them since its
 * end.
 */
function changedDurations(node: NodeStatus, sums: ProgressSums): Durations | undefined {
  if (node.type === "Pod" || !isFulfilled(node)) return undefined;
  const held = sums.durationsInside(node.id);
  return sameDurations(node.resourcesDuration, held) ? undefined : held;
}
