/** Workflows as servers of Argo send them, read as Kubernetes has them: a time that is not set is absent, not null. */
import type { NodeStatus, Workflow } from "../../api/mod.ts";

const TIMES = ["creationTimestamp", "startedAt", "finishedAt"] as const;

/** The workflow without times that are null. */
export function plainWorkflow(workflow: Workflow): Workflow {
  const { metadata, status } = workflow;
  const nodes = status?.nodes &&
    Object.fromEntries(Object.entries(status.nodes).map(([id, node]) => [id, withoutNullTimes<NodeStatus>(node)]));
  return {
    ...workflow,
    metadata: withoutNullTimes(metadata),
    ...(status ? { status: { ...withoutNullTimes(status), ...(nodes ? { nodes } : {}) } } : {}),
  };
}

function withoutNullTimes<T extends object>(value: T): T {
  const left = { ...value } as Record<string, unknown>;
  for (const name of TIMES) if (left[name] === null) delete left[name];
  return left as T;
}
