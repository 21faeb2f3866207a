import type { Slice, StatusDraft } from "../slice.ts";

/**
 * Sets a condition of the workflow's status. Without `message`, the condition keeps its message. `Completed` stays
 * last, as in Argo: the order of conditions does not depend on the order of events within a pass.
 */
export function setCondition(pass: Slice<StatusDraft>, type: string, status: "True" | "False", message?: string): void {
  const conditions = pass.draft.workflow.status?.conditions ?? [];
  const index = conditions.findIndex((condition) => condition.type === type);
  const before = conditions[index];
  const next = { ...before, type, status, ...(message === undefined ? {} : { message }) };
  if (before?.status === status && before.message === next.message) return;
  if (index >= 0) return pass.draft.setStatus({ conditions: conditions.with(index, next) });
  const last = conditions.at(-1)?.type === "Completed" ? conditions.length - 1 : conditions.length;
  pass.draft.setStatus({ conditions: conditions.toSpliced(last, 0, next) });
}
