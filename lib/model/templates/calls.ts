/** The calls in a template, and whether a call is a loop. */
import type { DAGTask, Template, WorkflowStep } from "../api/mod.ts";

/** Returns the steps or tasks of a template. */
export function callsIn({ steps, dag }: Pick<Template, "steps" | "dag">): readonly (WorkflowStep | DAGTask)[] {
  return [...steps?.flat() ?? [], ...dag?.tasks ?? []];
}

/** The loop fields of a step or task. */
export interface LoopFields {
  readonly withItems?: readonly unknown[];
  readonly withParam?: string;
  readonly withSequence?: unknown;
}

/** Whether a step or task is a loop, including one over an empty list. */
export function isLoop({ withItems, withParam, withSequence }: LoopFields): boolean {
  return Boolean(withItems || withParam || withSequence);
}
