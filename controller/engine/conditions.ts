import type { Pass } from "./pass.ts";

/** Sets a condition of the workflow's status; without `message` the condition keeps the one it has. */
export function setCondition(pass: Pass, type: string, status: "True" | "False", message?: string): void {
  const conditions = pass.workflow.status?.conditions ?? [];
  const at = conditions.findIndex((condition) => condition.type === type);
  const before = conditions[at];
  const next = { ...before, type, status, ...(message === undefined ? {} : { message }) };
  if (before?.status === status && before.message === next.message) return;
  pass.setStatus({ conditions: at >= 0 ? conditions.with(at, next) : [...conditions, next] });
}
